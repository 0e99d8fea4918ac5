# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# Functions for shell tests of `iospan run`. After ktap.sh:
#
#	. tests/lib/measured.sh
#
#	test_status()
#	{
#		needs_measuring
#		iospan_run '-- sh -c "exit 3"'
#		expect_eq "$status" 3
#		expect_nothing_left
#	}

PATH=$PATH:/usr/sbin

needs_measuring()
{
	needs '[ "$(id -u)" = 0 ]' "needs root"
	missing=$("$IOSPAN" version -v | awk '/run needs it$/ { printf " %s", $1 }')
	needs '[ ! "$missing" ]' "this machine lacks$missing"
	needs 'command -v bpftool >/dev/null' "needs bpftool"
}

wait_until() # CONDITION: waits until it holds; fails after 2000 attempts in 100 s or longer
{
	for ktap_attempt in $(seq 2000); do
		! eval "$1" || return 0
		sleep 0.05
	done
	echo "still false in attempt $ktap_attempt: $1" >&2
	return 1
}

# Prints all BPF programs and links. Maps are left out, because the kernel may free them minutes
# later, after an RCU grace period.
kernel_objects()
{
	bpftool prog show | sed -n 's/^\([0-9]*\): .*/prog_id:\1/p'
	# bpftool fails if another process attaches a link at this moment, so the test repeats the
	# call
	wait_until 'links=$(bpftool link show 2>/dev/null)' || fail "bpftool cannot list the links"
	echo "$links" | sed -n 's/^\([0-9]*\): .*/link_id:\1/p'
}

# Prints the BPF objects that living processes hold. Skips cleanup processes, because a BPF object
# in one of them is a fault.
held_objects()
{
	grep -Lsx iospan-cleanup /proc/[0-9]*/comm | sed 's/comm$/fdinfo/' |
		xargs grep -hrs '^\(prog_id\|link_id\):' | sed 's/:[^0-9]*/:/'
}

groups_of_run()
{
	find /sys/fs/cgroup -type d \( -name "iospan-$pid" -o -name "iospan-$pid-*" \) 2>/dev/null
}

# Remembers the BPF objects that exist before a run, for expect_nothing_left.
note_objects()
{
	objects=$(kernel_objects)
}

# Runs `WRAPPER iospan run ARGUMENTS` in $dir. Sets $pid, and the variables of run_command.
iospan_run() # arguments: ARGUMENTS [WRAPPER]
{
	dir=$(scratch_dir)
	note_objects
	run_command "cd $dir && echo \$\$ >$ktap_work/pid && exec $2 \"\$IOSPAN\" run $1"
	pid=$(cat "$ktap_work/pid")
}

iospan_start() # arguments: ARGUMENTS [WRAPPER]
{
	dir=$(scratch_dir)
	rm -f "$dir/up"
	note_objects
	(cd "$dir" && exec env --default-signal=INT,QUIT,TERM,HUP setsid \
		sh -c "exec $2 \"\$IOSPAN\" run -o report $1") &
	pid=$!
	assert_true 'wait_until "[ -e $dir/up ]"' "the command runs"
}

# Checks that no cgroup is left. New BPF programs and links may exist only if a living process holds
# them, for instance another iospan.
expect_nothing_left()
{
	wait_until '[ ! "$(groups_of_run)" ]' || fail "cgroups left: $(groups_of_run)"
	left=$(kernel_objects | grep -vxF "$objects")
	wait_until 'left=$(still_left); [ ! "$left" ]' ||
		fail "left in the kernel: $(echo "$left" | tr '\n' ' ')"
}

still_left()
{
	[ ! "$left" ] || kernel_objects | grep -xF "$left" | grep -vxF "$(held_objects; echo none)"
}

json() # FILE EXPRESSION: prints the Python expression, in which d is the JSON document
{
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))' "$@"
}
