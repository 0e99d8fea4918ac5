#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests the Debian packages in two releases of Debian. The packages are built in a clean root that
# has no network, and installed in another root. There, iospan measures a command. After a purge,
# no file may be left. The package for arm64 is cross built, and measures a command in a VM.
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

install_build_dependencies() # arguments: ROOT [OPTION...]
{
	root=$1
	shift
	tar -xzf "$IOSPAN_BUILD/$package.tar.gz" -C "$root/srv" &&
		in_root "$root" apt-get -qy --no-install-recommends "$@" build-dep "/srv/$package"
}

build_packages() # arguments: ROOT [OPTION...]
{
	root=$1
	shift
	in_root "$root" sh -c "cd /srv/$package &&
		DEB_BUILD_OPTIONS='parallel=$(nproc) noautodbgsym' nice dpkg-buildpackage -us -uc $*"
}

# Builds the packages in a root that make_root() made, without network.
check_build() # arguments: ROOT [OPTION...]
{
	step install_build_dependencies "$@"
	network=none
	step build_packages "$@"
	expect_eq "$(in_root "$1" sh -c 'lintian --allow-root /srv/*.changes' 2>&1)" "" lintian
	network=
}

check_packages() # arguments: SUITE
{
	needs '[ "$(id -u)" = 0 ]' "needs root"
	needs 'command -v mmdebstrap >/dev/null' "needs mmdebstrap"
	dir=$(scratch_dir)
	step make_root "$dir/build" "$1" --variant=buildd --include=lintian
	check_build "$dir/build"
	step make_root "$dir/use" "$1" --variant=apt
	cp "$dir"/build/srv/*.deb tests/packages/use.sh debian/tests/measure "$dir/use/srv" || fail copy
	step in_root "$dir/use" sh /srv/use.sh
}

seconds_debian_12=3600
test_debian_12() { check_packages bookworm; }

seconds_debian_13=3600
test_debian_13() { check_packages trixie; }

# The folder of the package must be in $IOSPAN_BUILD, because the VM sees only the tree.
seconds_arm64=3600
test_arm64()
{
	needs '[ "$(id -u)" = 0 ]' "needs root"
	needs 'command -v mmdebstrap >/dev/null' "needs mmdebstrap"
	needs '[ "$IOSPAN_VM_ROOT" ]' "needs a root for arm64; make check-deb makes one"
	dir=$(scratch_dir)
	step make_root "$dir/build" bookworm --variant=buildd --include=crossbuild-essential-arm64,lintian \
		"--architectures=$(dpkg --print-architecture),arm64"
	check_build "$dir/build" -aarm64 -Pcross
	step in_root "$dir/build" sh -c 'apt-get -qs --no-install-recommends install /srv/*_arm64.deb'
	measured=$IOSPAN_BUILD/deb-arm64
	rm -rf "$measured"
	step sh -c "dpkg-deb -x '$dir'/build/srv/iospan_*_arm64.deb '$measured'"
	step tests/vm/boot --root "$IOSPAN_VM_ROOT" 6.12 -- env "PATH=$measured/usr/bin:$PATH" \
		AUTOPKGTEST_TMP=/tmp sh debian/tests/measure
	rm -rf "$measured"
}

test_main "$@"
