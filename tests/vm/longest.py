#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures the longest run of each BPF program under loads that make runs long. In this VM, an
instruction takes a nanosecond, so the times do not depend on the machine."""
import contextlib
import json
import os
import subprocess

from lib import disks, kernel
from lib.ktap import *
from lib.measure import (IOSPAN, make_file, needs_features, needs_workload,
                         workload)

AIOS, MAPS, RINGS, LONGEST = map(workload, ("aios", "maps", "rings", "../vm/longest"))
PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}


def ask(process, line=""):
    process.stdin.write(line + "\n")
    process.stdin.flush()
    return process.stdout.readline()


@contextlib.contextmanager
def ended(*argv):
    """Starts a process, and yields it after it has printed an empty line. At the end, closes its
    stdin, which ends the process."""
    with subprocess.Popen(argv, **PIPES) as p:
        assert_eq(p.stdout.readline(), "\n", argv[0])
        try:
            yield p
        finally:
            p.stdin.close()
            p.wait()


@contextlib.contextmanager
def watched(pid, run_shell):
    """Watches the BPF programs of process @pid. Yields a function that runs a shell command by
    @run_shell(). The function returns {BPF program: its longest run in ns}."""
    with ended(LONGEST, *map(str, sorted(kernel.bpf_ids(pid, "prog")))) as longest:
        def times(command):
            ask(longest)
            run_shell(command)
            found = json.loads(ask(longest))
            diagnostic(command)
            for name, (runs, total, most, interrupted) in sorted(found.items()):
                if runs:
                    diagnostic(f"  {name}: {runs} runs, mean {total / runs:.0f} ns, "
                               f"longest {most} ns, {interrupted} more with an interrupt")
            return {name: most for name, (_, _, most, _) in found.items()}
        yield times


@contextlib.contextmanager
def measuring(*command):
    """Measures a shell with iospan. Yields a function that runs a command in this shell. The
    function returns {BPF program of iospan: its longest run in ns}."""
    shell = 'echo; while read -r line; do eval "$line" >&2; echo done; done'
    with ended(IOSPAN, *command, "--", "sh", "-c", shell) as tracer, \
            watched(tracer.pid, lambda line: assert_eq(ask(tracer, line), "done\n", line)) as times:
        yield times


@contextlib.contextmanager
def exporting(*options):
    with subprocess.Popen([IOSPAN, "exporter", "--listen=127.0.0.1:0", *options],
                          stdout=subprocess.PIPE, text=True) as child:
        try:
            assert_true(child.stdout.readline(), "the exporter has started")
            yield child.pid
        finally:
            child.terminate()


def run_shell(command):
    subprocess.run(command, shell=True, check=True)


# Limit for one run: 25,000 instructions, which take 10 us on a machine with 2.5 instructions per
# ns. The longest runs are loops over cached memory; see Documentation/overhead.rst.
LIMIT_NS = 25000
# Limits for a BPF program at io_submit() or io_getevents(), per request or event of the call.
# PER_RECORDED_AIO_NS applies if iospan also records the requests to a trace.
PER_AIO_NS = 1300
PER_RECORDED_AIO_NS = 2400
# Limit for the first access in a nested cgroup, per level of nesting
PER_LEVEL_NS = 3100
CALLS = ("on_call", "on_call_end")


def expect_short(longest, *but, limit=LIMIT_NS):
    for name, most in sorted(longest.items()):
        if name not in but:
            expect_le(most, limit, f"{name}: longest run in ns")


def expect_short_aio(times, path, n, vectors, each_ns):
    # The command makes the load three times: if an interrupt arrives during a run of a BPF program,
    # this run is not timed.
    longest = times(f"for i in 1 2 3; do {AIOS} {path} {n} {vectors}; done")
    for name in CALLS:
        expect_le(longest[name], n * each_ns, f"{name}: {n} requests of {vectors} vectors: ns")
    expect_short(longest, *CALLS)


@test()
def each_program():
    needs(EMULATED, "shown in a VM")
    needs_features("bpf_prog_fentry", "io_uring_req_events")
    needs_workload(AIOS, RINGS, LONGEST)
    path = make_file("load", 1 << 20)
    direct = f"dd if={path} bs=4k oflag=direct of="
    with disks.zram_disk() as bios, \
         measuring("run", "-o", "/dev/null", "--backend=tracepoint") as times:
        for n in 256, 1024:
            for vectors in "1", "64", "1 0":
                expect_short_aio(times, path, n, vectors, PER_AIO_NS)
        for command in (f"echo | {RINGS} storm {path}", f"{direct}{path}.copy; sync; {direct}{bios}",
                        "i=0; while [ $i -lt 50 ]; do /bin/true; i=$((i + 1)); done"):
            expect_short(times(command))


def in_nested_cgroup(levels, command):
    """Returns a shell command that runs @command in a new cgroup, @levels below the current one."""
    path = "/sys/fs/cgroup$(cut -d: -f3 /proc/self/cgroup)" + "/longest" * levels
    return (f"g={path}; old=${{g%%/longest*}}; mkdir -p $g; "
            f"sh -c 'echo $$ >$0/cgroup.procs; {command}' $g; "
            "while [ $g != $old ]; do rmdir $g; g=${g%/*}; done")


@test()
def programs_for_groups_remapped_disks_faults_and_late_requests():
    needs(EMULATED, "shown in a VM")
    needs_features("bpf_prog_fentry")
    needs_workload(MAPS, LONGEST)
    path = make_file("load", 1 << 20)
    longest = {}
    with disks.zram_disk() as below, \
         disks.null_disk("late", memory_backed=0, discard=0, completion_nsec=300 * 10**6,
                         hw_queue_depth=1024, submit_queues=1) as late, \
         disks.mapped("longest", f"0 32768 linear {below} 8") as mapped, \
         measuring("run", "-o", "/dev/null", "--by=cgroup", "--attribution=task") as times:
        for command in (
                f"dd if={path} bs=4k oflag=direct of={mapped}",
                f"{MAPS} {path}",
                in_nested_cgroup(7, f"dd if={path} bs=4k count=64 oflag=direct of={below}"),
                f"{IOSPAN} bench load {late} --unique-bytes 32M --depth 1000 -t 2s --warm-up 0s"):
            for name, most in times(command).items():
                longest[name] = max(longest.get(name, 0), most)
    for name in ("on_bio_remap", "on_fault", "scan_one_queue"):
        expect_ge(longest.get(name, 0), 1, f"{name}: ns")
    expect_short(longest)


@test()
def programs_for_deeply_nested_cgroups():
    """At the first access in a cgroup, a BPF program makes counters for this cgroup and for all
    cgroups above it. So the run is long if the cgroup is nested deeply."""
    needs(EMULATED, "shown in a VM")
    needs_features("bpf_prog_fentry")
    needs_workload(LONGEST)
    path = make_file("load", 1 << 20)
    with disks.zram_disk() as disk, \
         exporting("--layers=vfs,device", "--attribution=task") as pid, \
         watched(pid, run_shell) as times:
        expect_short(times(in_nested_cgroup(16, f"dd if={path} bs=4k count=64 oflag=direct of={disk}")),
                     limit=17 * PER_LEVEL_NS)


@test()
def programs_that_record_long_paths():
    needs(EMULATED, "shown in a VM")
    needs_features("bpf_prog_fentry")
    needs_workload(AIOS, MAPS, LONGEST)
    where = scratch_dir() + f"/{'d' * 150}" * 14
    os.makedirs(where)
    for name in "load", "faults":
        with open(f"{where}/{name}", "wb") as f:
            f.write(bytes(1 << 20))
    with measuring("record", "-o", f"{scratch_dir()}/trace", "--by=cgroup") as times:
        for command in f"dd if={where}/load of=/dev/null bs=4k", f"{MAPS} {where}/faults":
            expect_short(times(command))
        for vectors in "1", "1 0":
            expect_short_aio(times, f"{where}/load", 256, vectors, PER_RECORDED_AIO_NS)


main()
