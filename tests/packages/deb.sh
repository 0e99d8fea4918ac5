#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests the Debian packages in two releases of Debian. The packages are built in a clean root that
# has no network, and installed in another root. There, iospan measures a command. After a purge,
# no file may be left.
. "$(dirname "$0")/../lib/ktap.sh"

version=$(sed -n 's/^VERSION := //p' Makefile)
package=iospan-$version

# Runs a command in ROOT, with the /dev, /proc and /sys of this machine. If $network is "none", the
# command has no network. The mounts end with the command.
in_root() # arguments: ROOT COMMAND [ARGUMENT...]
{
	# shellcheck disable=SC2016  # the inner shell expands these
	unshare --mount ${network:+--net} sh -c '
		for dir in dev proc sys; do
			mount --rbind "/$dir" "$0/$dir" || exit
		done
		exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
			LC_ALL=C.UTF-8 chroot "$0" "$@"' "$@"
}

# Runs the function as a step of the test. If it fails, shows the end of its output and ends the
# test.
step() # arguments: FUNCTION [ARGUMENT...]
{
	"$@" >"$ktap_work/step" 2>&1 && return
	tail -n 40 "$ktap_work/step"
	fail "$*"
	ktap_end
}

make_root() # arguments: ROOT SUITE [OPTION...]
{
	root=$1 suite=$2
	shift 2
	mmdebstrap --quiet --mode=root "$@" "$suite" "$root" && in_root "$root" apt-get -q update
}

install_build_dependencies() # arguments: ROOT
{
	tar -xzf "$IOSPAN_BUILD/$package.tar.gz" -C "$1/srv" &&
		in_root "$1" apt-get -qy --no-install-recommends build-dep "/srv/$package"
}

build_packages() # arguments: ROOT
{
	in_root "$1" sh -c "cd /srv/$package &&
		DEB_BUILD_OPTIONS='parallel=$(nproc) noautodbgsym' nice dpkg-buildpackage -us -uc"
}

check_packages() # arguments: SUITE
{
	needs '[ "$(id -u)" = 0 ]' "needs root"
	needs 'command -v mmdebstrap >/dev/null' "needs mmdebstrap"
	dir=$(scratch_dir)
	step make_root "$dir/build" "$1" --variant=buildd --include=lintian
	step install_build_dependencies "$dir/build"
	network=none
	step build_packages "$dir/build"
	expect_eq "$(in_root "$dir/build" sh -c 'lintian --allow-root /srv/*.changes' 2>&1)" "" lintian
	network=
	step make_root "$dir/use" "$1" --variant=apt
	cp "$dir"/build/srv/*.deb tests/packages/use.sh debian/tests/measure "$dir/use/srv" || fail copy
	step in_root "$dir/use" sh /srv/use.sh
}

seconds_debian_12=3600
test_debian_12() { check_packages bookworm; }

seconds_debian_13=3600
test_debian_13() { check_packages trixie; }

test_main "$@"
