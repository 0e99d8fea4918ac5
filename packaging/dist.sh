#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# dist.sh VERSION DIR: makes DIR/iospan-VERSION.tar.gz from the last commit. The same commit always
# gives the same bytes. The tarball has the files of the commit, and two files with the version:
# debian/changelog and packaging/iospan.spec.

version=$1 dir=$2 name=iospan-$1 made=$2/dist

cd "$(dirname "$0")/.." || exit 1
[ -e .git ] || { echo "dist: not a clone of the repository, which has the files" >&2 && exit 1; }
[ -z "$(git status --porcelain)" ] ||
	echo "dist: the tarball has the last commit, without the changes after it" >&2
mkdir -p "$made" || exit 1
maintainer=$(sed -n 's/^Maintainer: //p' debian/control)
cat >"$made/changelog" <<END
iospan ($version) unstable; urgency=medium

  * Version $version. CHANGELOG.md has the changes.

 -- $maintainer  $(git log -1 --format=%cD)
END
date=$(LC_ALL=C git log -1 --date='format:%a %b %d %Y' --format=%cd)
sed "s/@VERSION@/$version/g; s/@DATE@/$date/; s/@MAINTAINER@/$maintainer/" packaging/iospan.spec.in \
	>"$made/iospan.spec" &&
	git archive --format=tar -o "$made/$name.tar" \
		--prefix="$name/debian/" --add-file="$made/changelog" \
		--prefix="$name/packaging/" --add-file="$made/iospan.spec" --prefix="$name/" HEAD &&
	gzip -n9c "$made/$name.tar" >"$dir/$name.tar.gz"
