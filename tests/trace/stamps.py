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
LIMIT = 1e-4
SHORT_NS = 10_000_000  # of a shorter T, a single late access would be too much
READ_WRITE = ("read", "write")
# The kernel programs are the same in both builds.
SCALE = 8 if os.path.basename(BUILD) == "san" else 1


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


def chosen(stamps, disks, operations=READ_WRITE, group=None):
    return [i for (disk, operation, of), some in stamps.items()
            if disk in disks and operation in operations and group in (None, of)
            for i in some]


def rows_and_intervals(report, stamps):
    """(what, row, its intervals) of every T of the device layer."""
    for name, row in report.disks.items():
        yield name, row, chosen(stamps, [name])
        for operation, part in row["operations"].items():
            yield f"{name} {operation}", part, chosen(stamps, [name], [operation])
    bottom = [name for name, row in report.disks.items() if not row["stacked"]]
    for group in report.document.get("cgroups") or ():
        yield (f"group {group['path']}", group["layers"]["device"],
               chosen(stamps, bottom, group=group["id"]))
    yield "all disks", report.layers["device"], chosen(stamps, bottom)


def worst(report, stamps):
    """By how much, as a part of it, a T is off at most, and which."""
    found = 0, ""
    for what, row, intervals in rows_and_intervals(report, stamps):
        union, periods = sweep(intervals)
        off = (row["span_ns"] - union) / max(union, 1)
        diagnostic(f"{what}: {len(intervals)} intervals, {periods} busy periods, T {union},"
                   f" iospan's {row['span_ns'] - union:+d} ns ({off:+.1e})")
        expect_ge(len(intervals), row["accesses"], f"{what}: intervals")
        if union > SHORT_NS:
            found = max(found, (abs(off), what))
    return found


def jobs(disks, *options):
    """One fio with a job on each CPU for each disk."""
    argv = fio_command(disks[0], *RING, *options)
    argv = [a for a in argv if not a.startswith(("--name", "--filename"))]
    for disk in disks:
        for cpu in sorted(os.sched_getaffinity(0))[:2]:
            argv += ["--name=load", f"--filename={disk}", f"--cpus_allowed={cpu}"]
    return argv


def contend(disks, accesses, kilobytes, *options):
    """An interrupt, or a hypervisor, that stops a CPU between the clock and the word
    makes it late, and T wrong by that. So one run may be off, but not each of three."""
    for _ in range(3):
        report, out, stamps = measure_stamped(
            jobs(disks, "--rw=randrw", f"--bs={kilobytes}k",
                 f"--io_size={accesses // SCALE * kilobytes}k", *options), "--cgroups")
        expect_complete(report)
        expect_eq(sum(row["bytes"] for name, row in report.disks.items()
                      if f"/dev/{name}" in disks),
                  sum(size for _, size in fio_result(out).values()), "bytes")
        off, what = worst(report, stamps)
        if off <= LIMIT:
            return
    fail(f"{what}: T is off by {off:.1e} of the union of its time stamps")


# In and out of the kernel as fast as it goes: busy periods are short at depth 1, and
# each CPU finds the other in the middle of an update.
@test(seconds=180)
def two_cpus_on_a_loop_disk():
    needs_run("fio")
    with kernel.loop_disk(SIZE) as disk:
        contend([disk], 60000, 4, "--iodepth=1")
        contend([disk], 350000, 4, "--iodepth=32", "--iodepth_batch_submit=16",
                "--iodepth_batch_complete_max=16")


@test(seconds=180)
def two_cpus_on_a_disk_without_requests():
    needs_run("fio")
    needs(os.path.exists("/sys/class/zram-control/hot_add"), "needs zram")
    with kernel.zram_disk(SIZE) as disk:
        contend([disk], 200000, 16, "--iodepth=1")


@test(seconds=180)
def two_cpus_on_three_disks():
    needs_run("fio")
    with ExitStack() as stack:
        disks = [stack.enter_context(kernel.loop_disk(SIZE)) for _ in range(2)]
        if os.path.exists("/sys/class/zram-control/hot_add"):
            disks.append(stack.enter_context(kernel.zram_disk(SIZE)))
        contend(disks, 40000, 16, "--iodepth=4")


# The room for time stamps ends: that must not look like a result.
@test()
def too_little_room_is_told():
    needs_run("fio")
    with kernel.zram_disk(SIZE) as disk:
        done = start([IOSPAN, "run", "--", *jobs([disk], "--rw=read", "--bs=4k",
                                                 "--io_size=4400m")],
                     env=environment(IOSPAN_STAMPS=os.path.join(scratch_dir(), "stamps")))
        expect_eq(done.returncode, 1, "status")
        expect_true("time stamps, and room for" in done.stderr, done.stderr)


main()
