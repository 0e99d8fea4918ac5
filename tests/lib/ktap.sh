# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# The harness of test programs in shell, with the functions of harness.h. A file has functions
# test_<name>, and test_main:
#
#	#!/bin/sh
#	# SPDX-License-Identifier: GPL-2.0-or-later
#	. "$(dirname "$0")/../lib/ktap.sh"
#
#	# run must not replace the command's status.
#	test_exit_status_is_the_commands()
#	{
#		needs '[ "$(id -u)" = 0 ]' "needs root"
#		run_command '"$IOSPAN" run -- sh -c "exit 3"'
#		expect_eq "$status" 3
#		expect_eq "$out" ""
#	}
#
#	seconds_every_disk_is_found=300	# the limit; 180 by default
#	test_every_disk_is_found() { ... }
#
#	test_main "$@"
#
# Each test runs in a new shell that reads the file again, in a session of its
# own with a time limit. When the test ends, the processes of the session are
# killed. Its output is shown only if it fails. It starts in the top directory
# of the tree, with IOSPAN and IOSPAN_BUILD set. Options, output and exit status
# are those of a test program in C.

ktap_seconds=180
ktap_file=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
cd "$(dirname "$ktap_file")/../.." || exit 1
ktap_label=${ktap_file#"$PWD/"}
: "${IOSPAN_BUILD:=$PWD/build}" "${IOSPAN:=$PWD/build/iospan}"
LC_ALL=C.UTF-8
export IOSPAN IOSPAN_BUILD LC_ALL
# shellcheck disable=SC3045  # dash has ulimit -c
ulimit -c 0

# The arguments of expect_*: the value seen, the value expected and, optionally, a name of the
# value. expect_* returns 1 after a failure.

fail()
{
	: >"$ktap_work/failed"
	echo "$ktap_label: $*" >&2
	return 1
}

ktap_numbers() # VALUE...: succeeds if each is an integer
{
	for ktap_value; do
		echo "$ktap_value" | grep -Eqx -e '-?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?' || return
	done
}

ktap_compare() # arguments: SEEN -lt|-le|-gt|-ge OPERATOR EXPECTED [WHAT]
{
	case $1$4 in
	*[!0-9-]*) ktap_numbers "$1" "$4" && awk "BEGIN { exit !($1 $3 $4) }" ;;
	*) test "$1" "$2" "$4" 2>/dev/null ;; # test(1) is exact for integers of up to 63 bits
	esac || fail "${5:+$5: }seen '$1', expected $3 '$4'"
}

expect_eq() { [ "$1" = "$2" ] || fail "${3:+$3: }seen '$1', expected '$2'"; }
expect_ne() { [ "$1" != "$2" ] || fail "${3:+$3: }seen '$1', expected anything else"; }
expect_lt() { ktap_compare "$1" -lt '<' "$2" "$3"; }
expect_le() { ktap_compare "$1" -le '<=' "$2" "$3"; }
expect_gt() { ktap_compare "$1" -gt '>' "$2" "$3"; }
expect_ge() { ktap_compare "$1" -ge '>=' "$2" "$3"; }

expect_near() # arguments: SEEN EXPECTED TOLERANCE [WHAT]
{
	ktap_numbers "$1" "$2" "$3" &&
		awk "BEGIN { d = $1 - $2; exit !(d <= $3 && -d <= $3) }" ||
		fail "${4:+$4: }seen '$1', expected '$2' within $3"
}

expect_match() # arguments: SEEN PATTERN [WHAT]; PATTERN is a shell pattern
{
	# shellcheck disable=SC2254
	case $1 in
	$2) ;;
	*) fail "${3:+$3: }seen '$1', expected to match '$2'" ;;
	esac
}

expect_true() { eval "$1" || fail "not true: ${2:-$1}"; } # arguments: CONDITION [WHAT]

# The assert_* functions end the test after a failure. In $( ) or ( ) they end only that subshell.
assert_eq() { expect_eq "$@" || ktap_end; }
assert_true() { expect_true "$@" || ktap_end; }

needs()		# CONDITION REASON: skips the test unless the condition holds
{
	eval "$1" && return
	echo "$2" >"$ktap_work/skipped"
	ktap_end
}

# Runs the shell command $1. Sets $status (128 + n for signal n), $out and $err. A mark shows the
# end of each output, because a background process may keep the pipes open.
run_command()
{
	ktap_mark="end of output $$"
	{
		{
			(exec sh -c "$1" 2>&4 3>&- 4>&-)
			echo $? >"$ktap_work/status"
			printf '\n%s\n' "$ktap_mark" >&4
			printf '\n%s\n' "$ktap_mark"
		} 4>&1 >&3 2>/dev/null | sed "/^$ktap_mark\$/Q" >"$ktap_work/err" 3>&-
	} 3>&1 | sed "/^$ktap_mark\$/Q" >"$ktap_work/out"
	# shellcheck disable=SC2034
	status=$(cat "$ktap_work/status") out=$(cat "$ktap_work/out") \
		err=$(cat "$ktap_work/err")
}

scratch_dir()	# prints a directory for this test on a real disk
{
	mkdir -p "$ktap_work/scratch" && echo "$ktap_work/scratch"
}

ktap_end()
{
	: >"$ktap_work/ended"
	exit 0
}

ktap_base_dir()
{
	for dir in "$TMPDIR" /var/tmp; do
		[ -d "$dir" ] || continue
		case $(stat -f -c %T "$dir") in
		tmpfs | ramfs) ;;
		*) echo "$dir" && return ;;
		esac
	done
	echo "$IOSPAN_BUILD"
}

ktap_session()
{
	cat /proc/[0-9]*/stat 2>/dev/null |
		awk -v sid="$1" '{ pid = $1; sub(/.*\) /, "") } $4 == sid && $1 != "Z" { print pid }'
}

# Runs a test in a session of its own. A shell ignores SIGINT and SIGQUIT in background commands, so
# env resets them. The output goes through a pipe, because some tests count writes to files. If a
# process keeps the pipe open, the reader ends 10 s after the limit of the test.
ktap_run() # arguments: NAME; sets $ktap_status
{
	limit=$ktap_seconds
	eval "limit=\${seconds_$1:-$limit}"
	mkfifo "$ktap_work/pipe"
	timeout $((limit + 10)) cat "$ktap_work/pipe" >"$ktap_work/log" &
	reader=$!
	setsid env --default-signal timeout -k 5 "$limit" "$ktap_file" -r "$1" \
		</dev/null >"$ktap_work/pipe" 2>&1 &
	ktap_leader=$!
	wait "$ktap_leader" 2>/dev/null
	ktap_status=$?
	ktap_kill
	wait "$reader"
}

ktap_kill() # kills the processes of the session until none is left
{
	while [ "$ktap_leader" ] && pids=$(ktap_session "$ktap_leader") && [ "$pids" ]; do
		# shellcheck disable=SC2086
		kill -KILL $pids 2>/dev/null
	done
}

ktap_bad_end()
{
	if [ "$ktap_status" = 124 ]; then
		echo "out of time after $limit s"
	elif [ "$ktap_status" -gt 128 ]; then
		echo "killed by signal $((ktap_status - 128))"
	elif [ ! -e "$ktap_work/ended" ] || [ "$ktap_status" != 0 ]; then
		echo "exited with status $ktap_status"
	fi
}

ktap_judge()
{
	verdict=passed why=$(ktap_bad_end) reason=
	if [ -e "$ktap_work/skipped" ]; then
		verdict=skipped reason=" # SKIP $(cat "$ktap_work/skipped")"
	fi
	if [ -e "$ktap_work/failed" ] || [ "$why" ]; then
		verdict=failed reason=
		awk '{ print "# " $0 }' "$ktap_work/log"
		[ ! "$why" ] || echo "# $why"
	fi
	if ! rm -rf --one-file-system "$ktap_work"; then
		verdict=failed reason=
	fi
}

ktap_interrupted() # arguments: SIGNAL
{
	ktap_kill
	rm -rf --one-file-system "$ktap_work"
	trap - "$1"
	kill -"$1" $$
}

ktap_all() # arguments: NAME...
{
	passed=0 failed=0 skipped=0 number=0 base=$(ktap_base_dir)
	for signal in HUP INT TERM; do
		# shellcheck disable=SC2064
		trap "ktap_interrupted $signal" "$signal"
	done
	echo "KTAP version 1"
	echo "1..$#"
	for name; do
		ktap_work=$(mktemp -d "$base/iospan-test-XXXXXX") || exit 1
		export ktap_work
		ktap_run "$name"
		ktap_judge
		number=$((number + 1))
		case $verdict in
		passed) passed=$((passed + 1)) && echo "ok $number $name" ;;
		skipped) skipped=$((skipped + 1)) && echo "ok $number $name$reason" ;;
		failed) failed=$((failed + 1)) && echo "not ok $number $name" ;;
		esac
	done
	[ "$failed" = 0 ] || exit 1
	[ "$passed" -gt 0 ] || exit 4
	exit 0
}

test_main()
{
	ktap_list='' ktap_patterns='' ktap_names=''
	set -f			# patterns match names of tests, not of files
	while getopts lt:r: ktap_option; do
		case $ktap_option in
		l) ktap_list=1 ;;
		t) ktap_patterns="$ktap_patterns $OPTARG" ;;
		r) set +f; "test_$OPTARG"; ktap_end ;;
		*) exit 2 ;;
		esac
	done
	# shellcheck disable=SC2013  # a name is one word
	for ktap_name in $(sed -n 's/^test_\([A-Za-z0-9_]*\)() *\({.*\)*$/\1/p' "$ktap_file")
	do
		[ "$ktap_patterns" ] || ktap_names="$ktap_names $ktap_name"
		for ktap_pattern in $ktap_patterns; do
			# shellcheck disable=SC2254
			case $ktap_name in
			$ktap_pattern) ktap_names="$ktap_names $ktap_name" && break ;;
			esac
		done
	done
	if [ "$ktap_list" ]; then
		for ktap_name in $ktap_names; do
			echo "$ktap_name"
		done
		exit 0
	fi
	[ "$ktap_names" ] || { echo "no such test" >&2; exit 2; }
	set +f
	# shellcheck disable=SC2086
	ktap_all $ktap_names
}
