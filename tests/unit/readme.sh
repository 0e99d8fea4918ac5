#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Files, targets and folders that README and CONTRIBUTING name must exist. README must name each
# folder.
. "$(dirname "$0")/../lib/ktap.sh"

map() { sed -n 's/^| `\([A-Za-z]*\)\/` |.*/\1/p' README.md | sort; }

test_map_is_the_tree()
{
	expect_eq "$(map)" "$(ls -d -- */ | tr -d / | grep -vxE 'build|LICENSES' | sort)"
}

test_links_lead_somewhere()
{
	links=$(grep -ho '](\([^)]*\))' README.md CONTRIBUTING.md | tr -d ']()')
	expect_ne "$links" "" "links"
	for link in $links; do
		expect_true "[ -s $link ]" "$link exists"
	done
}

test_commands_are_targets()
{
	targets=$(grep -ohE '(^    |`)make [a-z0-9-]+' README.md CONTRIBUTING.md | sed 's/.* //')
	expect_ne "$targets" "" "targets"
	for target in $targets; do
		expect_true "grep -q '^$target:' Makefile */*.mk" "'make $target' exists"
	done
}

# If a page names a file below bpf, user, preload or tests, the file must exist. Names with "foo"
# are examples.
test_files_in_the_pages_exist()
{
	for page in Documentation/*.rst; do
		for file in $(grep -oE '``(bpf|user|preload|tests)/[a-zA-Z./_-]+``' "$page" |
			tr -d '`' | grep -ve foo -e '<'); do
			expect_true "[ -e $file ]" "$file, named in $page, exists"
		done
	done
}

# Each key of JSON or CSV that a page names must be in the sources. Some names are not checked:
# those with iospan_, process_ or _s, because the sources compose them from parts, and rw_page,
# which is a name of the kernel.
test_keys_in_the_pages_exist()
{
	grep -rhoE '[a-z0-9]+(_[a-z0-9]+)+' bpf user bench tools | sort -u >"$ktap_work/words"
	expect_gt "$(wc -l <"$ktap_work/words")" 1000 "words"
	for page in Documentation/iospan*.rst Documentation/metrics.rst Documentation/environment.rst; do
		expect_eq "$(grep -oE '``[a-z0-9]+(_[a-z0-9]+)+``' "$page" | tr -d '`' |
			grep -vxE '(iospan|process)_.*|.*_s|rw_page' | grep -vxFf "$ktap_work/words")" \
			"" "keys in $page that no source has"
	done
}

test_main "$@"
