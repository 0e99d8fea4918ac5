#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tests/lib/ktap.sh must report each way in which a test can end, as harness-selftest.c does for C.
. "$(dirname "$0")/../lib/ktap.sh"

test_passes()
{
	echo "what a test prints is shown only if it fails"
	expect_eq "a b" "a b"
	expect_ne 1 2
	expect_lt -1 0
	expect_lt 9223372036854775806 9223372036854775807
	expect_le 1 1.0
	expect_gt 0.5 0
	expect_gt 1e9 999
	expect_ge 2 2
	expect_near 0.9995 1 0.001
	expect_near -2 -1 1
	expect_match "iospan: no such disk" "*no such*"
	expect_true '[ -d tests ]'
	false
}

test_expectations_fail_and_go_on()
{
	echo "printed before"
	expect_eq 2 3 "sum"
	expect_ne 2 2
	expect_lt 2 -2
	expect_lt 9223372036854775807 9223372036854775806
	expect_le 2 1.5
	expect_gt 2 2 "size"
	expect_ge "" 0
	expect_ge null -1
	expect_gt - 0.5
	expect_near 2 2.5 0.25
	expect_near nan 2 100
	expect_match "iospan: no such disk" "no such*"
	expect_true '[ -d no-such-directory ]'
	expect_true false "the world is flat"
	printf "and after, without a newline"
}

test_assertion_ends_the_test()
{
	assert_eq 1 1
	assert_eq 1 2
	expect_true false "not reached"
}

test_skips()
{
	needs true "not this"
	needs '[ -d no-such-directory ]' "needs the moon"
	expect_true false "not reached"
}

test_fails_before_it_skips()
{
	expect_eq 1 2
	needs false "too late"
}

test_crashes()
{
	kill -ABRT $$
}

test_exits()
{
	exit 0
}

seconds_hangs=1
test_hangs()
{
	sleep 1000
}

test_fails_in_a_subshell()
{
	seen=$(expect_eq 1 2)
}

test_leaks_children()
{
	sleep 1000 &
	echo $! >>"${SELFTEST_PIDS:-/dev/null}"
	timeout 1000 sleep 1000 & # timeout moves itself to another process group
	echo $! >>"${SELFTEST_PIDS:-/dev/null}"
}

test_scratch_goes_with_a_crash()
{
	scratch_dir >>"${SELFTEST_SCRATCH:-/dev/null}"
	ln -s / "$(scratch_dir)/root"
	kill -KILL $$
}

seconds_scratch_goes_with_a_hang=1
test_scratch_goes_with_a_hang()
{
	scratch_dir >>"${SELFTEST_SCRATCH:-/dev/null}"
	sleep 1000
}

test_commands_give_status_and_output()
{
	run_command 'echo out; echo err >&2; exit 7'
	expect_eq "$status" 7
	expect_eq "$out" "out"
	expect_eq "$err" "err"
	run_command 'kill -TERM $$'
	expect_eq "$status" 143
	expect_eq "$out$err" ""
	run_command 'no-such-command'
	expect_eq "$status" 127
	run_command '[ -p /dev/stdout ] && [ -p /dev/stderr ]'
	expect_eq "$status" 0 "outputs are pipes"
}

test_commands_do_not_wait_for_the_background()
{
	run_command 'sleep 1000 & echo done; printf "no newline" >&2'
	expect_eq "$out" "done"
	expect_eq "$err" "no newline"
	run_command 'while echo more; do :; done & echo done'
	expect_match "$out" "*done*"
}

# Signals 32 and 33 are not checked. The C library uses them, and posix_spawn() may leave them
# ignored.
test_signals_are_as_by_default()
{
	expect_eq "$(grep -E 'Sig(Blk|Ign)' /proc/self/status | tr '\t\n' '  ' |
		sed -E 's/0000000[01]800/00000000000/')" \
		"SigBlk: 0000000000000000 SigIgn: 0000000000000000 "
}

# harness.sh interrupts this test. It has no short limit, because a busy machine may delay the
# signal.
test_waits_if_told()
{
	[ "$SELFTEST_WAITS" ] || return 0
	scratch_dir >>"${SELFTEST_SCRATCH:-/dev/null}"
	sleep 1000
}

test_main "$@"
