#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# deps.sh PACKAGE...: installs the Debian packages that are missing. If none is missing, prints
# nothing.

missing=''
for package; do
	case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) in
	installed) ;;
	*) missing="$missing $package" ;;
	esac
done
[ "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
	echo "not a Debian system: install what it calls$missing" >&2
	exit 1
fi
if [ "$(id -u)" != 0 ]; then
	echo "not root: cannot install$missing" >&2
	exit 1
fi

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
echo "  APT    $missing"
# shellcheck disable=SC2086
apt-get -qq update >"$log" 2>&1 &&
	apt-get -qq -o DPkg::Lock::Timeout=120 install --no-install-recommends $missing >>"$log" 2>&1 && exit 0
cat "$log" >&2
echo "cannot install$missing" >&2
exit 1
