#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests errors of `iospan run`. iospan must print one clear line and return the right status. It
# must leave nothing behind, and must not run the command.
. "$(dirname "$0")/../lib/ktap.sh"
. tests/lib/measured.sh

mark='-- touch ran'

expect_refused() # arguments: STATUS PATTERN-OF-MESSAGE ARGUMENTS [WRAPPER]
{
	iospan_run "$3" "$4"
	# with --csv, iospan also warns of losses of the measurement
	err=$(echo "$err" | grep -v '^iospan: warning: lost: ')
	expect_eq "$status" "$1" "status of 'run $3'"
	expect_eq "$out" "" "stdout of 'run $3'"
	expect_match "$err" "iospan: $2" "stderr of 'run $3'"
	expect_eq "$(echo "$err" | wc -l)" 1 "lines of stderr of 'run $3'"
	expect_eq "$(ls -A "$dir")" "" "files after 'run $3'"
	expect_nothing_left
}

# Prints a wrapper that runs COMMANDS and then iospan in a new mount namespace. COMMANDS must
# contain no quotes.
in_namespace() # arguments: COMMANDS
{
	echo "unshare -m sh -c '$1 && exec \"\$0\" \"\$@\"'"
}

# Without free descriptors, the cleanup process could not remove a cgroup. So iospan must not make a
# cgroup.
test_few_descriptors()
{
	needs_measuring
	expect_refused 1 "cannot open files for a cleanup: Too many open files; raise ulimit -n" \
		"-l device $mark" "sh -c 'ulimit -n 10 && exec \"\$0\" \"\$@\"'"
}

test_wrong_usage()
{
	needs_measuring
	expect_refused 2 "unknown option '--nosuch'; see 'iospan run --help'" "--nosuch $mark"
	expect_refused 2 "option '--device' has no effect without the device layer; *" \
		"-d vda -l vfs $mark"
	expect_refused 2 "'--' is missing before 'touch'; usage: iospan run *" "touch ran"
	expect_refused 2 "'--' is missing before 'touch'; usage: *" "--json touch ran -- a"
	expect_refused 2 "no command given; usage: iospan run *" ""
	expect_refused 2 "no command given; usage: iospan run *" "--json --"
	expect_refused 2 "--json and --csv exclude each other" "--json --csv $mark"
	expect_refused 2 "unknown value of --layers 'foo'; one of app, vfs, device" "--layers app,foo $mark"
	expect_refused 2 "unknown value of --layers ''; one of *" "--layers= $mark"
	expect_refused 2 "unknown attribution 'foo'; one of *" "--attribution foo $mark"
	for n in 0 1000001; do
		expect_refused 2 "--max-groups is a number from 1 to 1000000" \
			"--by=cgroup --max-groups=$n $mark"
	done
	expect_refused 2 "unknown backend 'foo'; one of auto, tracepoint, kprobe, fentry" \
		"--backend=foo $mark"
	expect_refused 2 "*'--output'*" "--output"
}

test_backend_refused()
{
	needs_measuring
	needs '"$IOSPAN" version -v | grep -q "^bpf_prog_fentry *no"' "this kernel takes fentry"
	expect_refused 1 "this kernel refuses fentry programs; *" "--backend=fentry $mark"
	expect_refused 1 "this kernel refuses kprobe programs; *" "--backend=kprobe $mark"
}

test_not_root()
{
	needs_measuring
	as_nobody="setpriv --reuid=65534 --clear-groups --"
	needs '$as_nobody test -x "$IOSPAN"' "others may not execute the build"
	expect_refused 1 "cannot trace the kernel without CAP_BPF *" "$mark" "$as_nobody"
}

test_command_not_found()
{
	needs_measuring
	expect_refused 127 "cannot run 'nosuch-command': command not found" "-- nosuch-command"
	expect_refused 127 "cannot run '/nosuch/cmd': command not found" "-- /nosuch/cmd"
	expect_refused 127 "cannot run 'nosuch': command not found" "-o report -- nosuch"
	expect_refused 127 "cannot run '': command not found" "-- ''"
}

test_command_not_executable()
{
	needs_measuring
	echo : >"$ktap_work/data"
	expect_refused 126 "cannot run '../data': Permission denied" "-- ../data"
	expect_refused 126 "cannot run '..': Permission denied" "-- .."
}

# execve() fails with ENOENT both for a missing interpreter and for a missing script. The message
# must distinguish the two cases.
test_interpreter_not_found()
{
	needs_measuring
	printf '#!/nosuch/interpreter\n' >"$ktap_work/script"
	chmod +x "$ktap_work/script"
	expect_refused 126 "cannot run '../script': *interpreter*" "-- ../script"
}

test_output_not_writable()
{
	needs_measuring
	expect_refused 1 "cannot write 'none/report': No such file or directory" \
		"-o none/report $mark"
	expect_refused 1 "cannot write '..': Is a directory" "-o .. $mark"
	expect_refused 1 "cannot write '': No such file or directory" "-o '' $mark"
	mkdir "$ktap_work/ro"
	expect_refused 1 "cannot write '../ro/report': Read-only file system" \
		"-o ../ro/report $mark" \
		"$(in_namespace "mount -t tmpfs -o ro none $ktap_work/ro")"
}

# iospan writes a report only to files and pipes. For any other output, it must not run the command.
test_output_to_a_device_is_refused()
{
	needs_measuring
	mknod "$ktap_work/block" b 7 0
	ln -s block "$ktap_work/to-block"
	mknod "$ktap_work/kmsg" c 1 11
	ln -s none "$ktap_work/dangling"
	for name in block to-block; do
		expect_refused 1 "cannot write '../$name': it is a block device" "-o ../$name $mark"
	done
	expect_refused 1 "cannot write '../kmsg': it is a device" "-o ../kmsg $mark"
	expect_refused 1 "cannot write '../dangling': it is a symbolic link to nothing; remove it" \
		"-o ../dangling $mark"
	expect_refused 1 "cannot write '/dev/fd/77': Bad file descriptor" "-o /dev/fd/77 $mark"
	echo 'touch ran' >"$ktap_work/job"
	chmod +x "$ktap_work/job"
	expect_refused 1 "cannot write '../job': it is the input '../job'; *" "-o ../job -- ../job"
}

# If the disk is full after the command, iospan stores the report in $TMPDIR. The message names the
# file.
test_output_on_a_full_disk()
{
	needs_measuring
	for format in "" --json --csv; do
		expect_refused 1 "cannot write to '/dev/full': No space left on device; the result is \
in '$ktap_work/iospan-??????'" "$format -o /dev/full -- true" "env TMPDIR=$ktap_work"
		expect_match "$(cat "$ktap_work"/iospan-*)" "*app*device*" "the report"
		rm "$ktap_work"/iospan-*
	done
	iospan_run "-- true 2>/dev/full"
	expect_eq "$status" 1 "status with stderr full"
	expect_nothing_left
}

# stderr is a pipe without a reader, so iospan can print neither the report nor an error. Its status
# must show the failure.
test_reader_of_the_report_has_exited()
{
	needs_measuring
	mkfifo "$ktap_work/gone"
	iospan_run "-- true 3<>$ktap_work/gone 4>$ktap_work/gone 3>&- 2>&4"
	expect_eq "$status" 1
	expect_nothing_left
}

test_wrong_parent()
{
	needs_measuring
	expect_refused 1 "cannot use the cgroup '/nosuch': No such file or directory" \
		"--parent /nosuch $mark"
	expect_refused 1 "cannot use the cgroup '/tmp': *not in a cgroup version 2*" \
		"--parent /tmp $mark"
}

# BPF programs identify a process by its cgroup of version 2. For a cgroup of version 1, all counts
# would be 0. So iospan must refuse such a parent.
test_parent_of_version_1()
{
	needs_measuring
	v1=$(awk '$3 == "cgroup" { print $2; exit }' /proc/mounts)
	needs '[ "$v1" ]' "needs a cgroup version 1 file system"
	expect_refused 1 "cannot use the cgroup '$v1': *not in a cgroup version 2*" \
		"--parent $v1 $mark"
}

test_no_cgroup_file_system()
{
	needs_measuring
	v2=$(awk '$3 == "cgroup2" { printf " %s", $2 }' /proc/mounts)
	expect_refused 1 "this machine lacks 'cgroup2' *" "$mark" \
		"$(in_namespace "umount -l$v2")"
}

# In containers, the cgroup file systems are often read-only. Then iospan cannot make a cgroup, and
# must say so.
test_cgroups_read_only()
{
	needs_measuring
	v2=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	expect_refused 1 "cannot make the cgroup '$v2/*': Read-only file system" "$mark" \
		"$(in_namespace "mount -o remount,bind,ro $v2")"
}

test_no_btf()
{
	needs_measuring
	: >"$ktap_work/empty"
	expect_refused 1 "this machine lacks 'btf' *" "$mark" \
		"$(in_namespace "mount --bind $ktap_work/empty /sys/kernel/btf/vmlinux")"
}

test_main "$@"
