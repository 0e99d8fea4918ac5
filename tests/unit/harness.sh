#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests the harnesses for C and shell, and tests/run, by programs that fail on purpose.
. "$(dirname "$0")/../lib/ktap.sh"

in_c=$IOSPAN_BUILD/tests/unit/harness-selftest
in_shell=tests/unit/harness-selftest.sh

# arguments: SEEN-FILE EXPECTED-FILE
expect_same() { diff -u "$2" "$1" || fail "$1 differs from $2"; }

self_test() # arguments: PROGRAM EXPECTED
{
	dir=$(scratch_dir)
	SELFTEST_PIDS=$dir/pids SELFTEST_SCRATCH=$dir/dirs "$1" >"$dir/all"
	expect_eq $? 1 "exit status"
	sed '/^# [0-9]*$/d' "$dir/all" >"$dir/seen"
	expect_same "$dir/seen" "$2"
	expect_eq "$(wc -l <"$dir/pids")" 2 "children left"
	while read -r pid; do
		expect_true "! grep -qs '^State:.[^ZX]' /proc/$pid/status" "the child is dead"
	done <"$dir/pids"
	expect_ge "$(wc -l <"$dir/dirs")" 1 "scratch directories"
	while read -r gone; do
		expect_true "[ ! -e $gone ]" "the scratch directory is removed"
	done <"$dir/dirs"
}

# Ends the background job $! with SIGTERM when it has written to the file.
expect_terminated() # arguments: FILE
{
	while [ ! -s "$1" ]; do
		sleep 0.01
	done
	kill -TERM $!
	wait $!
	expect_eq $? 143 "exit status"
}

test_program_in_c() { self_test "$in_c" tests/data/harness.expected; }
test_program_in_shell() { self_test "$in_shell" tests/data/harness-sh.expected; }

# If the output is too long, its end is kept, because it has the reason of the failure.
test_much_output_is_cut()
{
	run_command "$in_c -t only_the_end_of_much_output_is_kept"
	expect_match "$(echo "$out" | tail -n 3)" "# 0*099999
# killed by signal 6 (Aborted)
not ok *"
	expect_lt "${#out}" 70000
}

options() # arguments: PROGRAM
{
	run_command "$1 -l"
	expect_eq "$status" 0
	expect_match "$out" "passes
expectations_fail_and_go_on
*"
	run_command "$1 -t skips -t pass*"
	expect_eq "$status" 0 "status of passed and skipped"
	expect_eq "$out" "KTAP version 1
1..2
ok 1 passes
ok 2 skips # SKIP needs the moon"
	run_command "$1 -t skips"
	expect_eq "$status" 4 "status of all skipped"
	run_command "$1 -t crashes"
	expect_eq "$status" 1 "status of a failure"
	run_command "$1 -t no_such_test"
	expect_eq "$status" 2 "status of a wrong name"
	run_command "$1 -x"
	expect_eq "$status" 2 "status of a wrong option"
}

test_options_in_c() { options "$in_c"; }
test_options_in_shell() { options "$in_shell"; }

# Interrupts the program by a signal. The program must clean up, because tests/run and users who
# type ^C end programs in this way.
interrupted() # arguments: PROGRAM
{
	dirs=$(scratch_dir)/dirs
	SELFTEST_WAITS=1 SELFTEST_SCRATCH=$dirs "$1" -t waits_if_told >/dev/null &
	while [ ! -s "$dirs" ]; do
		sleep 0.01
	done
	kill -TERM $!
	wait $!
	expect_eq $? "$2" "exit status"
	expect_true "[ ! -e $(cat "$dirs") ]" "the scratch directory is removed"
}

test_interrupted_in_c() { interrupted "$in_c" 143; }
test_interrupted_in_shell() { interrupted "$in_shell" 143; }

# A program in Python must also print why it ended, because the runner sees only its exit status.
test_interrupted_in_python()
{
	program=$(scratch_dir)/waits.py dirs=$(scratch_dir)/dirs
	cat >"$program" <<-END
		import time
		from lib.ktap import *

		@test()
		def waits():
		    with open("$dirs", "w") as f:
		        f.write(scratch_dir() + "\n")
		    time.sleep(100)

		main()
	END
	PYTHONPATH=tests python3 -B "$program" >"$(scratch_dir)/out" &
	expect_terminated "$dirs"
	expect_eq "$(tail -n 1 "$(scratch_dir)/out")" "Bail out! SIGTERM"
	expect_true "[ ! -e $(cat "$dirs") ]" "the scratch directory is removed"
}

program() # NAME: makes a program from its text on stdin, and adds it to $programs
{
	mkdir -p "$dir/tests/x"
	{ echo "#!/bin/sh"; cat; } >"$dir/tests/x/$1"
	chmod +x "$dir/tests/x/$1"
	programs="$programs $dir/tests/x/$1"
}

# In one run of tests/run, programs end in every possible way. tests/run must count the results.
test_runner_counts()
{
	dir=$(scratch_dir) programs=''
	program good <<-'END'
		printf 'KTAP version 1\n1..3\nok 1 a\nnoise\n# note\n'
		printf 'ok 2 - b # a remark\n  not ok 1 of a subtest\nok 3 c # SKIP no moon\n'
	END
	program plan-last <<-'END'
		printf 'ok 1 a\nok 2 b\n1..2'
	END
	program bad <<-'END'
		printf '1..2\n# old\nok 1 a\n# why\nnot ok 2 b # SKIP not believed\n'
		exit 1
	END
	program all-skipped <<-'END'
		printf '1..1\nok 1 a # SKIP no moon\n'
		exit 4
	END
	program nothing-to-do <<-'END'
		echo '1..0 # SKIP no moon'
		exit 4
	END
	program silent <<-'END'
	END
	program no-plan <<-'END'
		echo "ok 1 a"
	END
	program dies <<-'END'
		printf '1..2\nok 1 a\n'
		kill -SEGV $$
	END
	program too-few <<-'END'
		printf '1..2\nok 1 a\n'
	END
	program too-many <<-'END'
		printf '1..1\nok 1 a\nok 2 b\n'
	END
	program out-of-order <<-'END'
		printf '1..2\nok 2 a\nok 2 b\n'
	END
	program failure-denied <<-'END'
		printf '1..1\nnot ok 1 a\n'
	END
	program failure-invented <<-'END'
		printf '1..1\nok 1 a\n'
		exit 1
	END
	program skip-invented <<-'END'
		printf '1..1\nok 1 a\n'
		exit 4
	END
	program bails-out <<-'END'
		printf '1..1\nok 1 a\nBail out! no more\n'
	END
	program leaves-a-writer <<-'END'
		printf '1..1\nok 1 a\n'
		setsid sh -c 'sleep 1000; echo late' &
	END
	program not-executable </dev/null
	chmod -x "$dir/tests/x/not-executable"
	# shellcheck disable=SC2086
	tests/run --jobs 1 --slowest 0 $programs "$dir/tests/x/missing" >"$dir/seen"
	expect_eq $? 1 "exit status"
	expect_same "$dir/seen" tests/data/harness-run.expected
}

test_runner_limits_the_time()
{
	dir=$(scratch_dir)
	program hangs <<-'END'
		echo 1..1
		sleep 1000
	END
	run_command "tests/run --jobs 1 --limit 1 $dir/tests/x/hangs"
	expect_eq "$status" 1
	expect_match "$out" "*
# out of time after 1 s
# killed by SIGTERM
*not ok 1 x/hangs
*0 passed, 1 failed, 0 skipped"
}

# A skipped test never counts as passed. A run without passed tests fails.
test_runner_needs_a_pass()
{
	run_command "tests/run"
	expect_eq "$status" 1
	expect_match "$out" "*
0 passed, 0 failed, 0 skipped"
	dir=$(scratch_dir)
	program skips <<-'END'
		printf '1..1\nok 1 a # SKIP no moon\n'
		exit 4
	END
	program passes <<-'END'
		printf '1..1\nok 1 a\n'
	END
	run_command "tests/run $dir/tests/x/skips"
	expect_eq "$status" 1
	expect_match "$out" "*
0 passed, 0 failed, 1 skipped"
	run_command "tests/run $dir/tests/x/skips $dir/tests/x/passes"
	expect_eq "$status" 0
	expect_match "$out" "*
1 passed, 0 failed, 1 skipped"
}

test_runner_selects_and_names_builds()
{
	dir=$(scratch_dir)
	program a <<-'END'
		printf '1..1\nok 1 %s,%s\n' "${IOSPAN##*/x/}" "${IOSPAN_BUILD##*/x/}"
	END
	program b </dev/null
	run_command "IOSPAN=/x/iospan IOSPAN_BUILD=/x/build tests/run --jobs 1 --slowest 0 \
		-t '*x/a' 		$programs --build /x/san $programs"
	expect_eq "$status" 0
	expect_eq "$out" "KTAP version 1
1..2
# Subtest: x/a
  1..1
  ok 1 iospan,build
ok 1 x/a
# Subtest: san:x/a
  1..1
  ok 1 san/iospan,san
ok 2 san:x/a
2 passed, 0 failed, 0 skipped"
}

# Programs with the same word after "alone:" must not run at the same time. Programs without
# "alone:" must run at the same time. To check this, two of them wait for each other: each makes a
# file, and waits for the file of the other one.
test_runner_runs_programs_side_by_side()
{
	dir=$(scratch_dir) programs=''
	for name in one two; do
		program "loop-$name" <<-END
			# alone: loop
			echo "loop start" >>"$dir/log"
			echo "loop end" >>"$dir/log"
			printf '1..1\nok 1 $name\n'
		END
	done
	for name in three:four four:three; do
		program "${name%:*}" <<-END
			touch "$dir/${name%:*}"
			until [ -e "$dir/${name#*:}" ]; do sleep 0.01; done
			printf '1..1\nok 1 ${name%:*}\n'
		END
	done
	# shellcheck disable=SC2086
	for program in $programs; do mv "$program" "$program.sh"; done
	run_command "tests/run --jobs 2 $dir/tests/x/*.sh"
	expect_eq "$status" 0
	expect_match "$out" "*
4 passed, 0 failed, 0 skipped"
	expect_eq "$(cat "$dir/log")" "loop start
loop end
loop start
loop end"
}

test_runner_runs_a_program_alone()
{
	dir=$(scratch_dir) programs=''
	for name in a.sh b.sh c.sh d.sh; do
		program "$name" <<-END
			# alone: ${name%.sh}
			# $([ "$name" = c.sh ] && echo alone: cpu)
			mkdir "$dir/${name}-runs"
			set -- "$dir"/*-runs
			[ "$name" != c.sh ] || [ \$# = 1 ] || touch "$dir/beside"
			[ "$name" = c.sh ] || [ ! -e "$dir/c.sh-runs" ] || touch "$dir/beside"
			rmdir "$dir/${name}-runs"
			printf '1..1\nok 1 $name\n'
		END
	done
	run_command "tests/run --jobs 3 $programs"
	expect_eq "$status" 0
	expect_true "[ ! -e $dir/beside ]" "nothing ran beside the program that needs the CPU"
	expect_match "$out" "*most CPU time (of * s):*slowest tests (of 4):*
4 passed, 0 failed, 0 skipped"
}

test_runner_with_the_harness()
{
	run_command "tests/run $in_c $in_shell"
	expect_eq "$status" 1
	expect_eq "$(echo "$out" | tail -n 1)" "15 passed, 20 failed, 2 skipped"
}

# An interrupted run leaves no scratch directory and no process.
test_runner_interrupted()
{
	dirs=$(scratch_dir)/dirs pids=$(scratch_dir)/pids
	SELFTEST_WAITS=1 SELFTEST_SCRATCH=$dirs SELFTEST_PIDS=$pids tests/run "$in_c" >/dev/null &
	expect_terminated "$dirs"
	while read -r gone; do
		expect_true "[ ! -e $gone ]" "the scratch directory is removed"
	done <"$dirs"
}

test_main "$@"
