#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# release.sh VERSION: makes the tarball of the release, builds and tests it, and tags the commit.
# Pushes nothing. If a step fails, makes no tag.

version=$1 tag=v$1

die()
{
	echo "release: $*" >&2
	exit 1
}

check_tree()
{
	[ "$version" ] || die "no version given; use 'make release VERSION=0.1'"
	[ -z "$(git status --porcelain)" ] || die "the tree has changes; commit them first"
	grep -qxF "VERSION := $version" Makefile ||
		die "the Makefile has another version; set 'VERSION := $version' in it"
	grep -Eq "^## \[$(echo "$version" | sed 's/\./\\./g')\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" \
		CHANGELOG.md || die "CHANGELOG.md has no line '## [$version] - YYYY-MM-DD'; add it"
	! git rev-parse -q --verify "refs/tags/$tag" >/dev/null ||
		die "the tag $tag exists; choose another version"
}

# Builds and tests the tarball. Unsets the variables of make, so that this build uses no files of
# the tree's own build.
try_tarball()
{
	unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES O SAN IOSPAN IOSPAN_BUILD
	dir=$(mktemp -d build/release-XXXXXX) || exit 1
	trap 'rm -rf "$dir"' EXIT
	tar -xzf "build/iospan-$version.tar.gz" -C "$dir" &&
		make -C "$dir/iospan-$version" -j"$(nproc)" all &&
		make -C "$dir/iospan-$version" check-unit
}

cd "$(dirname "$0")/.." || exit 1
check_tree
packaging/dist.sh "$version" build || die "cannot make build/iospan-$version.tar.gz"
try_tarball || die "the tarball does not build or fails its tests; there is no tag"
git tag -a "$tag" -m "iospan $version" || die "cannot make the tag $tag"
sha256sum "build/iospan-$version.tar.gz"
echo "release: made the tag $tag; 'git push origin $tag' publishes it"
