#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests measurements that a signal ends. The report must have the result until then. Nothing may be
# left behind, even after kill -9.
. "$(dirname "$0")/../lib/ktap.sh"
. tests/lib/measured.sh

# With the app layer alone, iospan starts in a third of the time that all layers take.
quick="--layers app"
sleeps="-- sh -c ': >up; exec sleep 1000'"
# A command that ignores signals. When the test creates the file "end", the command writes its
# cgroups to the file "lived". This shows that it survived, and where.
ignores="-- sh -c 'trap \"\" INT TERM HUP; : >up; while [ ! -e end ]; do sleep 0.1; done
	cat /proc/self/cgroup >lived'"

expect_report() # STATUS: checks that the report is complete, and that the command ended with STATUS
{
	expect_true "grep -q 'elapsed, exit status $1\$' $dir/report" "status $1 reported"
	expect_eq "$(grep 'still runs' "$dir/report")" "" "the report is whole"
	expect_true "grep -q '^measured by:' $dir/report" "the report has an end"
}

# kill(1) signals only iospan, so iospan must pass the signal on to the command.
test_signal_to_iospan_ends_the_command()
{
	needs_measuring
	for signal in 2 15 1; do
		iospan_start "$quick $sleeps"
		kill "-$signal" "$pid"
		wait "$pid"
		expect_eq $? $((128 + signal)) "status after signal $signal"
		expect_report $((128 + signal))
	done
	expect_nothing_left
}

test_signal_to_the_group_ends_the_command()
{
	needs_measuring
	for signal in 2 15; do
		iospan_start "$quick $sleeps"
		kill -s "$(kill -l "$signal")" -- "-$pid"
		wait "$pid"
		expect_eq $? $((128 + signal)) "status after signal $signal"
		expect_report $((128 + signal))
	done
	expect_nothing_left
}

# The command is in another process group, so only iospan gets the terminal's signal. iospan must
# not pass it on.
test_terminals_interrupt_is_not_passed_on()
{
	needs_measuring
	needs 'command -v script >/dev/null' "needs script (util-linux)"
	needs 'command -v python3 >/dev/null' "needs python3"
	dir=$(scratch_dir)
	cat >"$ktap_work/waits" <<-'END'
		import os, signal, sys
		signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
		os.setpgid(0, 0)
		open("up", "w").close()
		sys.exit(6 if signal.sigtimedwait([signal.SIGINT], 1.5) else 5)
	END
	(cd "$dir" && { wait_until '[ -e up ]'; printf '\003'; sleep 3; } |
		script -qec "exec env --default-signal \"$IOSPAN\" run $quick -o report -- \
			python3 ../waits" /dev/null >/dev/null)
	expect_report 5
}

now_ms() { echo $(($(date +%s%N) / 1000000)); }

# Starts a command that needs half a second to end after SIGINT, and runs the shell code SIGNALS. If
# the code takes MOST_MS or longer, or the command 2 s, the machine was paused. Then a wrong status
# is not a fault, and the command starts again.
interrupt_slow_command() # arguments: SIGNALS MOST_MS
{
	for attempt in 1 2 3 4 5; do
		iospan_start "$quick -- sh -c 'trap \"sleep 0.5; exit 7\" INT; : >up
			while :; do sleep 0.1; done'"
		start=$(now_ms)
		eval "$1"
		took=$(($(now_ms) - start))
		wait "$pid"
		status=$?
		all=$(($(now_ms) - start))
		[ "$status" != 7 ] || break
		[ "$took" -ge "$2" ] || [ "$all" -ge 2000 ] || break
	done
	expect_eq "$status" 7 "status after $all ms, in attempt $attempt; $took ms for the signals"
	expect_report 7
}

# If the command needs time to end, iospan must wait until it has ended by itself.
test_command_may_end_in_its_own_way()
{
	needs_measuring
	interrupt_slow_command 'kill -INT "$pid"' 2000
	expect_nothing_left
}

# The command ignores the signal, so it survives iospan. The report must say that the command still
# runs.
test_command_that_ignores_it()
{
	needs_measuring
	iospan_start "--json $ignores"
	kill -TERM "$pid"
	wait "$pid"
	expect_eq $? 143
	expect_eq "$(json "$dir/report" 'd["complete"], d["exit_status"]')" "(False, 143)"
	expect_match "$(json "$dir/report" 'd["notes"]')" "*the command still runs*of the command are still running*"
	expect_eq "$(groups_of_run)" "" "groups"
	expect_eq "$(ls "$dir")" "report
up"
	: >"$dir/end"
	wait_until '[ -s $dir/lived ]'
	expect_eq "$(grep ^0: "$dir/lived")" "$(grep ^0: /proc/self/cgroup)" "the command's group"
	expect_nothing_left
}

# A shell may start iospan with some signals ignored, for instance by nohup or in the background.
# Then iospan and the command must ignore these signals, too.
test_ignored_signals_do_not_interrupt()
{
	needs_measuring
	iospan_start "$quick -- sh -c ': >up; sleep 3; exit 5'" \
		"env --ignore-signal=HUP,INT"
	kill -HUP "$pid"
	kill -INT "$pid"
	wait "$pid"
	expect_eq $? 5
	expect_report 5
}

# timeout(1) signals iospan, and then its process group. So iospan gets the signal twice, and must
# treat it as one request if both arrive within 100 ms.
test_one_request_that_arrives_twice()
{
	needs_measuring
	interrupt_slow_command 'kill -INT "$pid"; sleep 0.02; kill -INT "$pid"' 80
}

remove_groups_of_run()
{
	for group in $(groups_of_run); do
		rmdir "$group/busy" "$group" 2>/dev/null
	done
	[ ! "$(groups_of_run)" ]
}

# A file system is mounted on a cgroup of the command, so iospan cannot remove the cgroup. The
# report must still be complete.
test_groups_that_cannot_be_removed()
{
	needs_measuring
	cat >"$ktap_work/busy" <<-'END'
		trap "" TERM
		top=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
		group=$top$(sed -n 's/^0:://p' /proc/self/cgroup)/busy
		mkdir "$group" && mount -t tmpfs none "$group" && : >up
		exit 3
	END
	iospan_start "$quick -- sh ../busy" "unshare -m"
	kill -TERM "$pid"
	wait "$pid"
	expect_eq $? 3
	expect_true "grep -q 'elapsed, exit status 3\$' $dir/report" "the report is whole"
	wait_until remove_groups_of_run || fail "cgroups left: $(groups_of_run)"
}

# After kill -9 of iospan, only its cleanup process can remove anything.
test_kill_9()
{
	needs_measuring
	iospan_start "--layers app,vfs,device $ignores"
	kill -KILL "$pid"
	wait "$pid"
	expect_eq $? 137
	expect_true 'wait_until "[ ! \"\$(groups_of_run)\" ]"' "the groups go"
	left=$(kernel_objects | grep -vxF "$objects")
	expect_true 'wait_until "left=\$(still_left); [ ! \"\$left\" ]"' "the programs go"
	expect_eq "$(ls "$dir")" "up" "files"
	: >"$dir/end"
	wait_until '[ -s $dir/lived ]'
	expect_eq "$(grep ^0: "$dir/lived")" "$(grep ^0: /proc/self/cgroup)" "the command's group"
	expect_nothing_left
}

# A signal may arrive at any moment, from the first instruction of iospan to its last one. In each
# case, iospan must leave nothing behind.
seconds_killed_at_any_moment=200
test_killed_at_any_moment()
{
	needs_measuring
	start=$(date +%s%N)
	iospan_run "-o report -- true"
	all=$((($(date +%s%N) - start) / 1000000))
	[ "$all" -lt 5000 ] || all=5000 # after a pause of the machine
	pids='' first_objects=$objects
	for i in $(seq 8); do
		signal=$(echo KILL KILL INT TERM | cut -d ' ' -f $((i % 4 + 1)))
		(cd "$dir" && exec env --default-signal "$IOSPAN" run -o report -- true) 2>/dev/null &
		pid=$!
		random=$(od -An -N2 -tu2 /dev/urandom)
		sleep "$(awk "BEGIN { print $random / 65536 * $all / 1000 }")"
		kill -s "$signal" "$pid" 2>/dev/null
		wait "$pid"
		pids="$pids $pid"
	done
	objects=$first_objects
	for pid in $pids; do
		expect_true 'wait_until "[ ! \"\$(groups_of_run)\" ]"' "the groups go"
	done
	expect_nothing_left
	expect_true '[ ! "$(ls "$dir" | grep -vx report)" ]' "no file but the report"
}

# Usually, a write to a pipe without a reader must end the command. So the command must ignore
# SIGPIPE and SIGXFSZ only if the caller of iospan ignores them.
test_command_has_the_callers_ignored_signals()
{
	needs_measuring
	for how in default ignore; do
		run_command "exec env --$how-signal=PIPE --$how-signal=XFSZ \"\$IOSPAN\" run \
			$quick -o /dev/null -- grep SigIgn /proc/self/status"
		expect_eq "$status" 0 "$how: status: $err"
		case $how in
		default) expect_match "$out" "SigIgn:*0000000" "$how" ;;
		ignore) expect_match "$out" "SigIgn:*1001000" "$how" ;;
		esac
	done
}

test_main "$@"
