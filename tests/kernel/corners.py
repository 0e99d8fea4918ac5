#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests accesses with an end that iospan cannot see, or with absurd sizes. The load is corners.c. T
is the time with I/O in flight."""
import os
import subprocess
import tempfile

from lib import kernel
from lib.cgroups import Groups
from lib.ktap import *
from lib.measure import (make_file, measure, needs_features, needs_run, needs_workload,
                         workload)

CORNERS = workload("corners")
READS, SIZE, IDLE_NS = 5, 4096, 100_000_000
MAX_RW_COUNT = 0x7ffff000


def needs_corners(*features):
    needs_workload(CORNERS)
    needs_features(*features)


def own_cgroup():
    return kernel.mounted("cgroup2") + kernel.own_line("0::")[1].rstrip("/")


def expect_idle(report, layer):
    """The load idles for READS * IDLE_NS. Checks that T excludes this time. T may include one
    IDLE_NS, because iospan estimates the ends of the reads, and may estimate one end too late."""
    expect_le(report.span_ns(layer), report.document["elapsed_ns"] - (READS - 1) * IDLE_NS,
              f"{layer}: T")


def expect_unseen(report, loss):
    """Checks reads with an end that iospan cannot see. iospan must count each read with the
    requested bytes, and as a loss. A note in the report must say that T is an upper bound. T must
    exclude the idle time between the reads."""
    expect_eq(report.operation("vfs", "read"), (READS, READS * SIZE), "vfs: reads")
    expect_eq(report.operation("app", "read"), (READS, READS * SIZE), "app: reads")
    expect_eq(report.losses[loss], READS, loss)
    expect_true(report.noted("upper bound"), "the note on T")
    for layer in ("app", "vfs"):
        expect_idle(report, layer)


@test()
def libaio_context_destroyed():
    needs_corners("bpf_loop")
    report, _ = measure([CORNERS, "destroy", make_file("load", 1 << 20)])
    expect_unseen(report, "aio_events")


@test()
def libaio_requests_outlive_the_first_thread():
    needs_corners("bpf_loop")
    for moves in [], [own_cgroup()]:
        report, _ = measure([CORNERS, "fetch", make_file("load", 1 << 20), *moves], "--layers=app,vfs")
        expect_eq(report.losses["aio_events"], 0, f"requests that lost their events {moves}")
        source = report.layers["vfs"]["sources"]["libaio"]
        expect_eq(source["accesses"], READS, f"libaio: reads {moves}")
        expect_true(source["latency_max_ns"], f"libaio: latencies {moves}")


@test()
def libaio_requests_that_are_not_in_memory():
    """The control blocks of the requests are not in memory, so the BPF program cannot read them.
    These requests must count as lost. The request that the kernel refuses must not count."""
    needs_corners("bpf_loop")
    report, _ = measure([CORNERS, "absent", make_file("load", 1 << 20)], "--layers=vfs")
    expect_eq(report.losses["aio_batch"], READS, "requests not followed")
    expect_eq(report.operation("vfs", "read"), (0, 0), "reads")


@test()
def libaio_requests_end_with_the_last_thread():
    needs_corners("bpf_loop")
    report, _ = measure([CORNERS, "leave", make_file("load", 1 << 20)], "--layers=app,vfs")
    expect_eq(report.losses["aio_events"], READS, "requests that lost their events")
    expect_idle(report, "vfs")


@test()
def io_uring_without_events():
    needs_corners("io_uring_req_events", "io_uring")
    report, _ = measure([CORNERS, "skip", make_file("load", 1 << 20)])
    expect_unseen(report, "ring_completions")


# Threads leave the command's cgroup during their reads. iospan must count the end of a read for the
# cgroup in which the read started. Otherwise, T of that cgroup would never stop.
@test()
def threads_that_leave_the_group():
    needs_corners()
    report, out = measure([CORNERS, "moves", make_file("load", 1 << 20), own_cgroup()],
                          "--layers=vfs")
    elapsed = report.document["elapsed_ns"]
    diagnostic(f"T {report.span_ns('vfs')} of {elapsed} ns, outside for {out.strip()} ns")
    expect_true(report.span_ns("vfs") > 0, "T of the time before")
    expect_le(report.span_ns("vfs"), elapsed - max(int(out), 0), "vfs: T")


@test()
def processes_that_leave_are_noted():
    """A note must report processes that leave the command's cgroup, or that another process moves
    out. A process that moves to a cgroup below must not be in the note."""
    needs_corners()
    groups, path = Groups(), make_file("load", 4096)
    only_calls = "--layers=vfs", "--backend=tracepoint"
    read = ["sh", "-c", f'eval "$0"; cat {path} >/dev/null', "false"]
    inside = f"d={kernel.mounted('cgroup2')}$(sed -n 's/^0:://p' /proc/self/cgroup)/in"
    deep = f"{groups.top}/beside/deeper"
    leave = "g={}/cgroup.procs; sleep 1000 & echo $! >$g; echo 0 >$g; kill $!"
    with kernel.undone(groups.remove):
        read[3] = f"{inside}; mkdir $d; echo 0 >$d/cgroup.procs"
        report, _ = measure(read, *only_calls)
        expect_eq(report.operation("vfs", "read"), (2, 4096), "reads below")
        expect_true(not report.noted("left the cgroup"), "no note")
        os.makedirs(deep)
        for outside in groups.top, deep:  # as deep as the command's cgroup, and deeper
            read[3] = leave.format(outside)
            report, _ = measure(read, *only_calls)
            expect_eq(report.operation("vfs", "read"), (0, 0), f"reads in {outside}")
            expect_true(report.noted("vfs: 2 processes left the cgroup"), "the note")


# A failed access counts with the bytes that it requested, up to MAX_RW_COUNT, the most that one
# system call can transfer. Without this limit, a single failed call would spoil the sum.
@test()
def failed_reads_of_absurd_sizes():
    needs_corners()
    for load, calls, features in ("huge", 4, ()), ("huge-ring", 1, ("io_uring",)):
        needs_features(*features)
        report, _ = measure([CORNERS, load, make_file("load", 1 << 20)], "--layers=app,vfs")
        for layer in ("app", "vfs"):
            expect_eq(report.operation(layer, "read"),
                      (calls * READS, calls * READS * MAX_RW_COUNT), f"{load}: {layer}")
            expect_eq(report.layers[layer]["errors"], calls * READS, f"{load}: {layer}: errors")


@test()
def refused_copy_counts_no_bytes():
    needs_run("cp")
    with tempfile.NamedTemporaryFile(dir="/dev/shm") as f:
        f.write(b"six...")
        f.flush()
        report, _ = measure(["cp", f.name, os.path.join(scratch_dir(), "copy")])
    for layer in ("app", "vfs"):
        accesses, size = report.operation(layer, "write")
        diagnostic(f"{layer}: {accesses} writes, {size} bytes, "
                   f"{report.layers[layer]['errors']} errors")
        expect_eq(size, 6, f"{layer}: bytes written")


# The command leaves a process in a threaded cgroup below the command's cgroup. iospan must still
# remove both cgroups. The kernel lets the process leave the threaded cgroup only if its pid is
# written to the cgroup above.
@test()
def threaded_groups_are_removed():
    needs_run()
    script = """d=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
        d=$d$(sed -n 's/^0:://p' /proc/self/cgroup)
        mkdir $d/x && echo threaded >$d/x/cgroup.type
        sleep 1000 >/dev/null 2>&1 & echo $! >$d/x/cgroup.procs
        echo $! $d"""
    report, out = measure(["sh", "-c", script])
    pid, path = out.split()
    subprocess.run(["kill", pid], check=False)
    expect_true(not os.path.exists(path), f"{path} is removed")
    expect_true(report.noted("1 process"), "the note on the process that is left")


main()
