#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""T against the union of the very time stamps that it was made from, all of them kept
on the side (IOSPAN_STAMPS): if this fails, the online union is wrong when CPUs contend
for it."""
import os
from collections import defaultdict
from contextlib import ExitStack

from lib import kernel
from lib.ktap import *
from lib.measure import (environment, expect_complete, fio_command, fio_result, measure,
                         needs_run, start)
from lib.oracle import sweep

SIZE = 64 << 20
RING = ("--ioengine=io_uring", "--direct=1", "--norandommap=1", "--registerfiles=1",
        "--fixedbufs=1", f"--size={SIZE}")
READ_WRITE = ("read", "write")


def read_stamps(path):
    """{disk, operation, group's id: [(start, end), ...]}"""
    intervals = defaultdict(list)
    with open(path, encoding="ascii") as f:
        for line in f:
            disk, operation, group, begun, ended = line.split()
            intervals[disk, operation, int(group)].append((int(begun), int(ended)))
    return intervals


def measure_stamped(argv, *options):
    path = os.path.join(scratch_dir(), "stamps")

    def stamped(line, env):
        return start(line, env={**env, "IOSPAN_STAMPS": path}), read_stamps(path)

    return measure(argv, *options, run=stamped)


def expect_union(row, intervals, what):
    """T is the union; the stamps themselves are complete."""
    union, periods = sweep(intervals)
    off = row["span_ns"] - union
    diagnostic(f"{what}: {len(intervals)} intervals, {periods} busy periods, T {union}, "
               f"iospan's {off:+d} ns ({off / max(union, 1):+.1e})")
    expect_ge(len(intervals), row["accesses"], f"{what}: intervals")
    expect_le(abs(off), union / 10000, f"{what}: T and the union of its time stamps")


def chosen(stamps, disks=None, operations=READ_WRITE, group=None):
    return [i for (disk, operation, of), some in stamps.items()
            if (not disks or disk in disks) and operation in operations
            and group in (None, of) for i in some]


def expect_unions(report, stamps):
    """Every T of the device layer."""
    expect_complete(report)
    rows = [d for d in report.disks.values() if not d["stacked"]]
    for name, row in report.disks.items():
        expect_union(row, chosen(stamps, [name]), name)
        for operation, part in row["operations"].items():
            expect_union(part, chosen(stamps, [name], [operation]), f"{name} {operation}")
    for group in report.document["cgroups"] or ():
        expect_union(group["layers"]["device"],
                     chosen(stamps, [r["name"] for r in rows], group=group["id"]),
                     f"group {group['path']}")
    expect_union(report.layers["device"], chosen(stamps, [r["name"] for r in rows]),
                 "all disks")


def jobs(disks, *options):
    """One fio with a job on each CPU for each disk."""
    argv = fio_command(disks[0], *RING, *options)
    argv = [a for a in argv if not a.startswith(("--name", "--filename"))]
    for disk in disks:
        for cpu in sorted(os.sched_getaffinity(0))[:2]:
            argv += ["--name=load", f"--filename={disk}", f"--cpus_allowed={cpu}"]
    return argv


def contend(disks, accesses, *options):
    report, out, stamps = measure_stamped(
        jobs(disks, "--rw=randrw", f"--io_size={accesses << 12}", *options), "--cgroups")
    expect_unions(report, stamps)
    expect_eq(sum(r["bytes"] for name, r in report.disks.items() if f"/dev/{name}" in disks),
              sum(size for _, size in fio_result(out).values()), "bytes and what fio did")


# In and out of the kernel as fast as it goes: busy periods are short at depth 1, and
# each CPU finds the other in the middle of an update.
@test(seconds=180)
def two_cpus_on_a_loop_disk():
    needs_run("fio")
    with kernel.loop_disk(SIZE) as disk:
        contend([disk], 100000, "--bs=4k", "--iodepth=1")
        contend([disk], 200000, "--bs=4k", "--iodepth=32", "--iodepth_batch_submit=16",
                "--iodepth_batch_complete_max=16")


@test(seconds=180)
def two_cpus_on_a_disk_without_requests():
    needs_run("fio")
    needs(os.path.exists("/sys/class/zram-control/hot_add"), "needs zram")
    with kernel.zram_disk(SIZE) as disk:
        contend([disk], 400000, "--bs=4k", "--iodepth=1")


@test(seconds=180)
def two_cpus_on_three_disks():
    needs_run("fio")
    with ExitStack() as stack:
        disks = [stack.enter_context(kernel.loop_disk(SIZE)) for _ in range(2)]
        if os.path.exists("/sys/class/zram-control/hot_add"):
            disks.append(stack.enter_context(kernel.zram_disk(SIZE)))
        contend(disks, 50000, "--bs=4k", "--iodepth=4")


# The room for time stamps ends: that must not look like a result.
@test()
def too_little_room_is_told():
    needs_run("fio")
    with kernel.zram_disk(SIZE) as disk:
        done = start([IOSPAN, "run", "--", *jobs([disk], "--rw=read", "--bs=4k",
                                                 "--number_ios=1100000", "--loops=100")],
                     env=environment(IOSPAN_STAMPS=os.path.join(scratch_dir(), "stamps")))
        expect_eq(done.returncode, 1, "status")
        expect_true("time stamps, and room for" in done.stderr, done.stderr)


main()
