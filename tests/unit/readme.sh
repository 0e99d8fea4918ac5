#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A newcomer relies on the README and CONTRIBUTING: files and targets that they name exist, and the
# README names each folder.
. "$(dirname "$0")/../lib/ktap.sh"

# The first column of the README's table.
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
	targets=$(grep -ohE '(^    |`)make [a-z-]+' README.md CONTRIBUTING.md | sed 's/.* //')
	expect_ne "$targets" "" "targets"
	for target in $targets; do
		expect_true "grep -q '^$target:' Makefile tests/tests.mk" "'make $target' exists"
	done
}

# Names in the pages, except files of the tests and the manual.
test_files_in_the_pages_exist()
{
	for page in Documentation/*.rst; do
		for file in $(grep -oE '``(bpf|user|preload|tests)/[a-zA-Z./_-]+``' "$page" |
			tr -d '`' | grep -ve foo -e '<'); do
			expect_true "[ -e $file ]" "$file, named in $page, exists"
		done
	done
}

test_main "$@"
