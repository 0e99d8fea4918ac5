#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the table of commands with the help texts, manual pages and exit status of the commands.
. "$(dirname "$0")/../lib/ktap.sh"

# If --help prints no list of commands, $commands is "no-commands", for which every test fails.
commands=$("$IOSPAN" --help |
	sed -n '/^commands:/,/^$/s/^  \([a-z -]*[a-z]\)  .*/\1/p' | tr ' ' -)
: "${commands:=no-commands}"

words()
{
	echo "$1" | tr - ' '
}

# Prints the long options of the --help text or rst page on stdin, in order. Only lines that start
# with an option count.
long_options()
{
	sed -n 's/^ \{0,6\}\(-[a-zA-Z][^-]*\)\{0,1\}--\([a-z][a-z0-9-]*\).*/--\2/p'
}

expect_usage() # arguments: COMMAND LINE, MESSAGE
{
	run_command "\"\$IOSPAN\" $1"
	expect_eq "$status" 2 "status of '$1'"
	expect_eq "$out" "" "stdout of '$1'"
	expect_eq "$err" "$2" "stderr of '$1'"
}

test_every_source_is_in_the_table()
{
	for source in */cmd-*.c; do
		name=${source#*/cmd-}
		name=${name%.c}
		expect_true "echo '$commands' | grep -qx -e $name -e bench-$name" "row of $source"
	done
}

test_every_command_has_help()
{
	for name in $commands; do
		cmd=$(words "$name")
		run_command "\"\$IOSPAN\" $cmd --help"
		expect_eq "$status" 0 "status of '$cmd --help'"
		expect_match "$out" "usage: iospan $cmd*" "'$cmd --help'"
		expect_eq "$err" "" "stderr of '$cmd --help'"
		# shellcheck disable=SC2086  # the words of the command
		expect_eq "$("$IOSPAN" help $cmd)" "$out" "'help $cmd'"
		# shellcheck disable=SC2086
		expect_eq "$("$IOSPAN" $cmd -h)" "$out" "'$cmd -h'"
		# shellcheck disable=SC2086
		expect_eq "$("$IOSPAN" $cmd help)" "$out" "'$cmd help'"
	done
}

test_help_fits_80_columns()
{
	for name in "" $commands; do
		cmd=$(words "$name")
		# shellcheck disable=SC2086  # the words of the command; none for the command ""
		help=$("$IOSPAN" $cmd --help) || fail "no help of '$cmd'"
		expect_eq "$(echo "$help" | grep -E '.{81}')" "" "'$cmd --help'"
	done
}

test_every_command_has_its_page()
{
	for cmd in $commands; do
		page=Documentation/iospan-$cmd.rst
		assert_true "[ -f $page ]" "$page exists"
		# shellcheck disable=SC2046  # the words of the command
		expect_eq "$(long_options <"$page")" \
			"$("$IOSPAN" $(words "$cmd") --help | long_options)" "options in $page"
	done
}

# In the overview page, the lists COMMANDS and SEE ALSO must have all commands, and no other pages.
test_every_command_is_in_the_overview()
{
	names=$(echo "$commands" | sort)
	for part in COMMANDS 'SEE ALSO'; do
		expect_eq "$(sed -n "/^$part\$/,/^EXIT STATUS\$/p" Documentation/iospan.rst |
			grep -o 'iospan-[a-z-]*(1)' | sed 's/iospan-//; s/(1)//' | sort)" \
			"$names" "$part in iospan.rst"
	done
}

test_pages_are_valid()
{
	needs 'command -v rst2man >/dev/null' "needs rst2man (python3-docutils)"
	for page in Documentation/iospan*.rst; do
		run_command "rst2man --halt=warning $page"
		expect_eq "$status:$err" "0:" "$page"
	done
}

# Paths of sources in double backquotes must exist. Paths with "foo" are examples, and need not
# exist.
expect_paths() # arguments: PAGE
{
	paths=$(grep -oE '``(bpf|user|bench|tools|preload|tests|Documentation)/[^`]*``' "$1" |
		sed 's/`//g; s/ .*//' | grep -v foo | sort -u)
	expect_ne "$paths" "" "paths in $1"
	for path in $paths; do
		expect_true "[ -e '$path' ]" "$path, named in $1, exists"
	done
}

test_paths_in_pages_exist()
{
	for page in adding design index; do
		expect_paths "Documentation/$page.rst"
	done
}

test_other_pages_are_valid()
{
	needs 'command -v rst2man >/dev/null' "needs rst2man (python3-docutils)"
	for page in adding coming-from containers design index install quick-start; do
		run_command "rst2man --halt=warning Documentation/$page.rst"
		expect_eq "$status:$err" "0:" "$page.rst"
	done
}

# The index must have each page. It names a manual page as NAME(1), and other pages by their file
# names.
test_every_page_is_in_the_index()
{
	for page in Documentation/*.rst Documentation/*/*.rst; do
		page=${page#Documentation/}
		[ "$page" != index.rst ] || continue
		expect_true "grep -qE '^(\\*\\*${page%.rst}\\*\\*|$page )' Documentation/index.rst" \
			"$page is in index.rst"
	done
}

# Runs man(1) as the Makefile does. In a pipe, man(1) prints warnings of groff, and uses 80 columns.
test_pages_are_shown_without_warnings()
{
	needs 'command -v rst2man >/dev/null' "needs rst2man (python3-docutils)"
	needs 'command -v man >/dev/null' "needs man (man-db)"
	for page in Documentation/iospan*.rst; do
		run_command "rst2man $page >$ktap_work/page.1 &&
			sed -i -f Documentation/man.sed $ktap_work/page.1 &&
			for width in 80 132; do
				MANWIDTH=\$width man -l $ktap_work/page.1 | cat >/dev/null
			done"
		expect_eq "$status:$err" "0:" "$page"
	done
}

test_list_is_shown_by_three_commands()
{
	run_command '"$IOSPAN" --help'
	expect_eq "$status:$err" "0:"
	expect_eq "$("$IOSPAN" help)" "$out" "help"
	expect_eq "$("$IOSPAN" -h)" "$out" "-h"
	expect_eq "$("$IOSPAN" help --help)" "$out" "help --help"
}

# Without a command there is no result, so nothing may be written to stdout.
test_no_command_is_a_usage_error()
{
	expect_usage "" "$("$IOSPAN" --help)"
}

test_unknown_names_are_usage_errors()
{
	expect_usage nosuch "iospan: unknown command 'nosuch'; see 'iospan --help'"
	expect_usage "''" "iospan: unknown command ''; see 'iospan --help'"
	expect_usage --nosuch "iospan: unknown option '--nosuch'; see 'iospan --help'"
	expect_usage stta "iospan: unknown command 'stta'; did you mean 'stat'?"
	expect_usage "exportr --listen :0" "iospan: unknown command 'exportr'; did you mean 'exporter'?"
	expect_usage "bench loadd x" "iospan: unknown command 'bench loadd'; did you mean 'bench load'?"
	expect_usage "benhc load" "iospan: unknown command 'benhc load'; did you mean 'bench load'?"
	expect_usage "bench nosuch" "iospan: unknown command 'bench nosuch'; 'bench' is one of: beff, load, replay, scale, sets; see 'iospan help'"
	expect_usage bench "iospan: 'bench' is one of: beff, load, replay, scale, sets; see 'iospan help'"
	expect_usage "bench help" "iospan: 'bench' is one of: beff, load, replay, scale, sets; see 'iospan help'"
	expect_usage "help nosuch" "iospan: unknown command 'nosuch'; see 'iospan --help'"
	expect_usage "help run run" "iospan: help takes one command; see 'iospan --help'"
	for name in $commands; do
		cmd=$(words "$name")
		expect_usage "$cmd --nosuch" \
			"iospan: unknown option '--nosuch'; see 'iospan $cmd --help'"
	done
}

test_version_takes_no_operand()
{
	expect_usage "version now" \
		"iospan: version takes no argument 'now'; see 'iospan version --help'"
}

test_version_is_the_same_in_all_commands()
{
	run_command '"$IOSPAN" version'
	expect_eq "$status:$err" "0:"
	expect_match "$out" "iospan [0-9]*"
	expect_eq "$("$IOSPAN" --version)" "$out" "--version"
	expect_eq "$("$IOSPAN" version -v | head -n 1)" "$out" "version -v"
}

test_features_are_the_same_in_json()
{
	needs 'command -v python3 >/dev/null' "needs python3"
	text=$("$IOSPAN" version -v | awk 'NR > 3 && $1 != "COMMAND" { print $1, $2 }' | sed '/^ *$/d')
	expect_match "$text" "root*btf*cgroup2*stat*exporter*"
	expect_eq "$("$IOSPAN" version -v --json | python3 -c '
import json, sys
found = json.load(sys.stdin)
for f in found["features"] + found["commands"]:
    print(f["name"], "yes" if f.get("present", f.get("works")) else "no")')" "$text"
}

probed()
{
	(bpftool prog show && bpftool map show) | sed -n 's/^\([0-9]*\): .*iospan_probe.*/\1/p'
}

# Only BPF objects of iospan are counted. Another test may probe at the same time, but its objects
# do not stay.
test_probing_leaves_nothing_behind()
{
	needs '[ "$(id -u)" = 0 ]' "needs root"
	needs 'PATH=$PATH:/usr/sbin command -v bpftool >/dev/null' "needs bpftool"
	PATH=$PATH:/usr/sbin
	run_command '"$IOSPAN" version -v'
	expect_eq "$status" 0
	left=$(probed)
	for round in $(seq 200); do
		[ "$left" ] || break
		sleep 0.1
		left=$(probed | grep -xF "$left")
	done
	expect_eq "$left" "" "objects of iospan that stay, in round $round"
}

# If stdout is on a full disk, output is lost, which must be an error.
test_full_disk_is_an_error()
{
	for args in --help version "version -v" "version --json" "run --help"; do
		run_command "\"\$IOSPAN\" $args >/dev/full"
		expect_eq "$status" 1 "status of '$args'"
		expect_match "$err" "*: cannot write *: No space left on device" "'$args'"
		expect_eq "$(echo "$err" | wc -l)" 1 "lines of '$args'"
	done
}

# If the reader of a pipe has exited, SIGPIPE must end iospan without a message. If the parent of
# iospan ignores SIGPIPE, iospan must report the error.
test_closed_pipe_ends_as_by_sigpipe()
{
	pipe=$(scratch_dir)/pipe
	mkfifo "$pipe"
	for args in --help version "version -v" "run --help"; do
		run_command "exec 3<>$pipe 4>$pipe 3>&-; exec env --default-signal=PIPE \
			\"\$IOSPAN\" $args >&4"
		expect_eq "$status:$err" "141:" "'$args'"
		run_command "exec 3<>$pipe 4>$pipe 3>&-; exec env --ignore-signal=PIPE \
			\"\$IOSPAN\" $args >&4"
		expect_eq "$status" 1 "'$args', SIGPIPE ignored"
		expect_eq "$err" "iospan: cannot write to 'standard output': Broken pipe" "'$args'"
	done
}

# If stdout is closed, the result is lost, which is an error. A closed stdin or stderr is no error.
test_closed_stdout_is_an_error()
{
	run_command '"$IOSPAN" version -v --json >&-'
	expect_eq "$status" 1
	expect_eq "$err" "iospan: cannot write to 'standard output': Bad file descriptor"
	run_command '"$IOSPAN" version <&- 2>&-'
	expect_eq "$status" 0
	expect_match "$out" "iospan *"
}

test_main "$@"
