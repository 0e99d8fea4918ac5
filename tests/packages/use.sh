#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs in a clean root of Debian. Installs the packages in /srv, uses them, and purges them. Fails
# if a file is left.
set -e

files()
{
	find / -xdev \( -path /srv -o -path /tmp -o -path '/var/cache/*' -o -path '/var/log/*' \) -prune \
		-o -print | sort
}

# Purging iospan does not remove the packages that it depends on. So these are installed first,
# before the list of files is made.
depends=$(for package in /srv/*.deb; do dpkg-deb -f "$package" Depends; done |
	sed 's/iospan ([^)]*),* *//' | grep . | paste -sd,)
apt-get -qy --no-install-recommends satisfy "jq, $depends"
files >/tmp/before
apt-get -qy --no-install-recommends install /srv/*.deb

mkdir -p /tmp/measured
AUTOPKGTEST_TMP=/tmp/measured /srv/measure

# bash must offer the commands that start with "st".
bash -c '. /usr/share/bash-completion/completions/iospan
	COMP_WORDS=(iospan st) COMP_CWORD=1 && _iospan && [[ ${COMPREPLY[*]} = stat ]]'

# The unit must be there, but neither enabled nor started.
find /lib/systemd/system/ -name iospan-exporter.service | grep .
[ ! -e /etc/systemd/system/multi-user.target.wants/iospan-exporter.service ]

apt-get -qy purge 'iospan*'
files >/tmp/after
diff /tmp/before /tmp/after
