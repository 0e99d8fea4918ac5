#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# iospan run must change nothing for its command: not its status, input, output, arguments,
# environment, descriptors, signals or children.
. "$(dirname "$0")/../lib/ktap.sh"
. tests/lib/measured.sh

# For tests in which the layers do not matter. With one layer, iospan loads fewer BPF programs.
quick="-o report --layers app"
closes=$IOSPAN_BUILD/tests/commands/run-closes

app_writes() { json "$dir/report" 'd["layers"]["app"]["operations"]["write"]["accesses"]'; }
vfs_writes() { json "$dir/report" 'd["layers"]["vfs"]["operations"]["write"]["accesses"]'; }

test_status_is_that_of_the_command()
{
	needs_measuring
	for exit in 0 3 255; do
		iospan_run "$quick -- sh -c 'exit $exit'"
		expect_eq "$status:$out:$err" "$exit::" "exit $exit"
	done
	for signal in 2 9 15; do
		iospan_run "$quick -- sh -c 'kill -$signal \$\$'"
		expect_eq "$status:$out:$err" "$((128 + signal))::" "signal $signal"
		expect_true "grep -q 'exit status $((128 + signal))\$' $dir/report" "reported"
	done
	expect_nothing_left
}

test_input_and_output_are_those_of_the_command()
{
	needs_measuring
	head -c 300000 /dev/urandom >"$ktap_work/data"
	iospan_run "$quick -- cat <$ktap_work/data >$ktap_work/copy"
	expect_eq "$status:$err" "0:"
	expect_true "cmp $ktap_work/data $ktap_work/copy" "the copy equals the data"
	iospan_run "$quick -- sh -c 'echo out; echo err >&2; read line; echo \$line' <<-X
		one line
	X"
	expect_eq "$status:$err:$out" "0:err:out
one line"
	iospan_run "$quick -- sh -c 'cat <&0' <&-"
	expect_nothing_left
}

# Without -o, stderr must have the command's output, then the report, and nothing else.
test_report_follows_the_commands_output()
{
	needs_measuring
	iospan_run "-- sh -c 'echo said >&2'"
	expect_match "$err" "said

sh -c echo said >&2: * elapsed, exit status 0

*"
}

test_arguments_are_those_of_the_command()
{
	needs_measuring
	arguments="'a b' '' '*' '--json' '-o' 'x
y' \"'\" '\\'"
	iospan_run "$quick -- printf '<%s>' $arguments"
	expect_eq "$out" "$(eval printf "'<%s>'" "$arguments")"
	iospan_run "$quick -- sh -c 'echo \$#' - \$(seq 1000)"
	expect_eq "$out" 1000
	iospan_run "$quick -- -nosuch-"
	expect_eq "$status" 127 "a name with a dash"
}

# The environment is unchanged, except for the variables that the preloaded library needs.
test_environment_is_that_of_the_command()
{
	needs_measuring
	environment="A=1 B='x y' LANG=C IOSPAN_TEST= LD_PRELOAD=libm.so.6"
	iospan_run "$quick -- env" \
		"env $environment ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0"
	echo "$out" | grep -v -e ^LD_PRELOAD= -e ^IOSPAN_FD= -e ^IOSPAN_PID= \
		-e ^ASAN_OPTIONS= >"$ktap_work/seen"
	(cd "$dir" && eval env "$environment" env) |
		grep -v -e ^LD_PRELOAD= -e ^ASAN_OPTIONS= >"$ktap_work/expected"
	expect_true 'diff -u $ktap_work/expected $ktap_work/seen' "the environment"
	expect_match "$(echo "$out" | grep ^LD_PRELOAD=)" "LD_PRELOAD=/*/libiospan.so:libm.so.6"
	iospan_run "-o report --layers vfs -- env" "env -u LD_PRELOAD"
	expect_eq "$(echo "$out" | grep -e ^LD_PRELOAD= -e ^IOSPAN_FD=)" "" "without app"
}

test_directory_mask_and_limits_are_those_of_the_command()
{
	needs_measuring
	show='pwd; umask; nice; ulimit -a; id; tty'
	iospan_run "$quick -- sh -c '$show'" "prlimit --core=0 --stack=9000000 nice -n 3"
	expect_eq "$out" "$(cd "$dir" && prlimit --core=0 --stack=9000000 nice -n 3 sh -c "$show")"
}

# The command has one more descriptor, with a high number. It belongs to the preloaded library.
test_descriptors_are_those_of_the_command()
{
	needs_measuring
	list='cd /proc/self/fd; for fd in *; do echo \"\$fd \$(readlink \$fd)\"; done'
	iospan_run "$quick -- sh -c \"$list\" <&- 5</dev/zero"
	expect_match "$(echo "$out" | grep bpf-map)" "[1-9][0-9][0-9]* anon_inode:bpf-map"
	expect_match "$out" "*5 /dev/zero*"
	iospan_run "-o report --layers vfs,device -- sh -c \"$list\""
	expect_eq "$(echo "$out" | grep anon_inode)" "" "without the app layer"
}

# Signals that the caller ignores (as nohup does) or blocks must be ignored or blocked in the
# command.
test_signals_are_those_of_the_command()
{
	needs_measuring
	show="grep -E '^Sig(Blk|Ign)' /proc/self/status"
	set="env --default-signal --ignore-signal=INT,HUP --block-signal=USR1"
	iospan_run "$quick -- $show" "$set"
	expect_eq "$out" "$(eval "$set $show")"
}

# iospan must know the command's status even if the caller of iospan ignores SIGCHLD.
test_status_is_known_if_the_caller_ignores_SIGCHLD()
{
	needs_measuring
	iospan_run "$quick -- sh -c 'exit 3'" "timeout -k 1 150 env --ignore-signal=CHLD"
	expect_eq "$status" 3
}

# The preloaded library keeps its memory mapped, so the program may close the library's descriptor.
test_program_that_closes_all_descriptors()
{
	needs_measuring
	iospan_run "-o report --json -- $closes file 17"
	expect_eq "$status:$(app_writes):$(vfs_writes)" "0:17:17"
	iospan_run "-o report --json -- $closes file 17 again"
	expect_eq "$status:$(app_writes):$(vfs_writes)" "0:17:17" "in a new program"
}

test_python_that_closes_descriptors()
{
	needs_measuring
	needs 'command -v python3 >/dev/null' "needs python3"
	echo "import subprocess, sys
subprocess.run(sys.argv[1:], close_fds=True, check=True)" >"$ktap_work/script"
	iospan_run "-o report --json -- python3 ../script $closes file 17"
	expect_eq "$status" 0
	expect_ge "$(app_writes)" 17 "writes of the subprocess"
	expect_eq "$(json "$dir/report" '[n for n in d["notes"] if "not seen, they" in n]')" "[]"
}

# The pipeline writes 42 records to two files. Writes to the pipes between its programs must not
# count.
test_pipeline_is_measured_completely()
{
	needs_measuring
	tail="dd bs=512 count=29 iflag=fullblock of=b 2>&1"
	iospan_run "-o report --json -- sh -c 'dd if=/dev/zero bs=512 count=13 of=a 2>&1 | cat;
		head -c 1M /dev/zero | tr x y | $tail | cat >&2'"
	expect_eq "$status:$(app_writes):$(vfs_writes)" "0:42:42"
	expect_eq "$(cat "$dir/a" "$dir/b" | wc -c)" $((42 * 512))
}

test_nohup()
{
	needs_measuring
	iospan_run "$quick -- true" nohup
	expect_eq "$status:$out" "0:"
	iospan_run "$quick -- nohup true"
	expect_eq "$status:$out" "0:"
	expect_nothing_left
}

groups_of() { grep -e '^0:' -e '[:,]blkio[:,]' "/proc/$1/cgroup"; }

# If children outlive the command, iospan must move them to its own cgroup. A note must report them.
test_background_children_live_on()
{
	needs_measuring
	iospan_run "$quick -- sh -c 'sleep 1000 & echo \$! >child; exit 3'"
	child=$(cat "$dir/child")
	expect_eq "$status:$err" "3:"
	expect_eq "$(cat "/proc/$child/comm")" sleep "the child"
	expect_eq "$(groups_of "$child")" "$(groups_of self)" "its groups"
	expect_true "grep -q 'note: 1 process.* of the command is still running' $dir/report" "the note"
	kill "$child"
	expect_nothing_left
}

# The inner iospan makes its cgroup below the cgroup of the outer one. So the outer iospan also
# counts the I/O of the inner command. The inner report goes to a pipe, which is no write to a file.
test_iospan_in_iospan()
{
	needs_measuring
	iospan_run "-o report --json -- sh -c '\"\$IOSPAN\" run --json -- $closes file 17 2>&1 | cat'" \
		"env ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0"
	expect_eq "$status:$(vfs_writes)" "0:17" "the outer"
	echo "$out" >"$dir/report"
	expect_eq "$(app_writes):$(vfs_writes)" "17:17" "the inner"
	expect_nothing_left
}

# Two instances run at once, and each must count only its own command.
test_two_at_once()
{
	needs_measuring
	"$IOSPAN" run -o "$ktap_work/other" --json -- "$closes" "$ktap_work/file" 19 &
	iospan_run "-o report --json -- $closes file 17"
	wait $!
	expect_eq "$(app_writes):$(vfs_writes)" "17:17" "the one"
	mv "$ktap_work/other" "$dir/report"
	expect_eq "$(app_writes):$(vfs_writes)" "19:19" "the other"
}

test_main "$@"
