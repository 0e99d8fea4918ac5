#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures the longest single run of each BPF program, under loads that make it long. If this test
fails, a system call blocks a CPU far longer than its own work takes. In this VM, a nanosecond is an
instruction of its one CPU, so the figures do not depend on the host."""
import contextlib
import json
import subprocess

from lib import disks, kernel
from lib.ktap import *
from lib.measure import (IOSPAN, make_file, needs_features, needs_workload,
                         workload)

AIOS, MAPS, RINGS, LONGEST = map(workload, ("aios", "maps", "rings", "../vm/longest"))
PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}


def tell(process, line=""):
    """Sends a line to the process, and returns the line that it answers."""
    process.stdin.write(line + "\n")
    process.stdin.flush()
    return process.stdout.readline()


@contextlib.contextmanager
def ended(*argv):
    """Yields a process that has printed an empty line. At the end, closes its input, which ends
    it."""
    with subprocess.Popen(argv, **PIPES) as p:
        assert_eq(p.stdout.readline(), "\n", argv[0])
        try:
            yield p
        finally:
            p.stdin.close()
            p.wait()


@contextlib.contextmanager
def watched(*options):
    """Starts a measured command and yields a function. The function runs a shell command as part of
    the measured one, and returns the longest run of each BPF program in ns."""
    shell = 'echo; while read -r line; do eval "$line" >&2; echo done; done'
    with ended(IOSPAN, "run", "-o", "/dev/null", *options, "--", "sh", "-c", shell) as tracer, \
         ended(LONGEST, *map(str, sorted(kernel.bpf_ids(tracer.pid, "prog")))) as longest:
        def times(command):
            tell(longest)
            assert_eq(tell(tracer, command), "done\n", command)
            found = json.loads(tell(longest))
            diagnostic(command)
            for name, (runs, total, most, interrupted) in sorted(found.items()):
                if runs:
                    diagnostic(f"  {name}: {runs} runs, mean {total / runs:.0f} ns, "
                               f"longest {most} ns, {interrupted} more with an interrupt")
            return {name: most for name, (_, _, most, _) in found.items()}
        yield times


# In ns, which are instructions here. One run may have at most this many: 10 us at 2.5 instructions
# per ns. The longest runs are loops over memory that is in the CPU's cache. See
# Documentation/overhead.rst.
LIMIT_NS = 25000
# additional limit for each request in one io_submit(), or each event in one io_getevents()
PER_AIO_NS = 1300
# additional limit for each cgroup that gets its number, which is at the first access in it
PER_LEVEL_NS = 3000
CALLS = ("on_call", "on_call_end")


def expect_short(longest):
    """Checks that each program ends within the limit. The programs of system calls have other
    limits."""
    for name, most in sorted(longest.items()):
        if name not in CALLS:
            expect_le(most, LIMIT_NS, f"{name}: longest run in ns")


@test()
def each_program():
    needs(EMULATED, "shown in a VM")
    needs_features("bpf_prog_fentry", "io_uring_req_events")
    needs_workload(AIOS, RINGS, LONGEST)
    path = make_file("load", 1 << 20)
    direct = f"dd if={path} bs=4k oflag=direct of="
    with disks.zram_disk() as bios, watched("--backend=tracepoint") as times:
        for n in 256, 1024:
            for vectors in "1", "64", "1 0":
                # Interrupted runs are not measured, so the load runs several times.
                longest = times(f"for i in 1 2 3; do {AIOS} {path} {n} {vectors}; done")
                for name in CALLS:
                    expect_le(longest.pop(name), n * PER_AIO_NS,
                              f"{name}: {n} requests of {vectors} vectors: ns")
                expect_short(longest)
        for command in (f"echo | {RINGS} storm {path}", f"{direct}{path}.copy; sync; {direct}{bios}",
                        "i=0; while [ $i -lt 50 ]; do /bin/true; i=$((i + 1)); done"):
            longest = times(command)
            expect_short(longest)
            for name in CALLS:
                expect_le(longest[name], LIMIT_NS, f"{name}: longest run in ns")


@test()
def programs_for_groups_remapped_disks_faults_and_late_requests():
    needs(EMULATED, "shown in a VM")
    needs_features("bpf_prog_fentry")
    needs_workload(MAPS, LONGEST)
    path = make_file("load", 1 << 20)
    deep = "/sys/fs/cgroup$(cut -d: -f3 /proc/self/cgroup)" + "/longest" * 7
    longest = {}
    with disks.zram_disk() as below, \
         disks.null_disk("late", memory_backed=0, discard=0, completion_nsec=300 * 10**6,
                         hw_queue_depth=1024, submit_queues=1) as late, \
         disks.mapped("longest", f"0 32768 linear {below} 8") as mapped, \
         watched("--by=cgroup", "--attribution=task") as times:
        for command in (
                f"dd if={path} bs=4k oflag=direct of={mapped}",
                f"{MAPS} {path}",
                f"g={deep}; old=${{g%%/longest*}}; mkdir -p $g; "
                f"sh -c 'echo $$ >$0/cgroup.procs; "
                f"dd if={path} bs=4k count=64 oflag=direct of={below}' $g; "
                "while [ $g != $old ]; do rmdir $g; g=${g%/*}; done",
                f"{IOSPAN} bench load {late} --unique-bytes 32M --depth 1000 -t 2s --warm-up 0s"):
            for name, most in times(command).items():
                longest[name] = max(longest.get(name, 0), most)
    for name in ("on_bio_remap", "on_fault", "scan_one_queue"):
        expect_ge(longest.get(name, 0), 1, f"{name}: ns")
    expect_short(longest)
    for name in CALLS:
        expect_le(longest[name], 7 * PER_LEVEL_NS, f"{name}: a new cgroup at level 7: ns")


main()
