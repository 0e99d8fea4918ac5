#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs in a clean root of Debian. Installs the packages in /srv, uses them, and purges them. Fails
# if a file is left.
set -e

files() { find / -xdev \( -path /srv -o -path /tmp \) -prune -o -print | sort; }

apt-get -qy --no-install-recommends install jq
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
# The packages that iospan depends on stay. Their files, caches and logs do not count.
files | comm -13 /tmp/before - | sort >/tmp/new
cat /var/lib/dpkg/info/*.list | sort -u | comm -23 /tmp/new - |
	grep -vE '^/var/(cache|log|lib/dpkg|lib/apt)/' >/tmp/left || true
find /var/lib/dpkg/info -name 'iospan*' >>/tmp/left
cat /tmp/left
[ ! -s /tmp/left ]
