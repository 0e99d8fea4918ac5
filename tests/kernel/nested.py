#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests completions that interrupt the BPF program of another completion on the same CPU. The
kernel does not run a BPF program within itself, so iospan misses such a completion, and must count
it as lost."""
from lib import disks
from lib.ktap import *
from lib.ktap import EMULATED
from lib.measure import fio_result, measure, needs_run

# values of null_blk's irqmode: a disk completes its requests in the task or in an interrupt
IN_TASK, IN_INTERRUPT = 0, 2
LOAD = ("--direct=1", "--bs=4k", "--rw=randread", "--time_based", f"--runtime={1 if EMULATED else 3}",
        "--norandommap=1", "--cpus_allowed=0", "--ioengine=io_uring", "--iodepth=16")


def null_disk(name, irqmode):
    return disks.null_disk(name, irqmode=irqmode, size=1000, memory_backed=0, discard=0)


# columns of /proc/diskstats for completed reads, writes, discards and flushes
COMPLETED = (3, 7, 14, 18)


def others_completed(disks_under_load):
    """Returns the number of requests that the disks without load have completed since boot."""
    with open("/proc/diskstats", encoding="ascii") as f:
        rows = [line.split() for line in f]
    return sum(int(row[i]) for row in rows if row[2] not in disks_under_load
               for i in COMPLETED if i < len(row))


@test(seconds=240)
def missed_runs_are_counted_and_repaired():
    needs_run("fio")
    with (null_disk("iospan-task", IN_TASK) as one,
          null_disk("iospan-interrupt", IN_INTERRUPT) as other):
        names = [disks.name_of(disk) for disk in (one, other)]
        before = others_completed(names)
        report, out = measure(["fio", "--output-format=json", *LOAD, "--name=one",
                               f"--filename={one}", "--name=other",
                               f"--filename={other}"], "--layers=device")
        others = others_completed(names) - before
    missed = report.document["missed_runs"]
    diagnostic(f"missed runs: { {name: n for name, n in missed.items() if n} }")
    expect_eq(sum(missed.values()), report.losses["missed_runs"], "sum of the missed runs")
    # Missed completions first count as the loss "completions". When iospan finds the first one, it
    # attaches a second BPF program, which counts all later ones as the loss "nested". iospan counts
    # no loss for a disk of another process.
    found = report.losses["completions"] + report.losses["nested"]
    diagnostic(f"{report.losses['nested']} seen by the nested program, {others} of other disks")
    expect_le(found, missed["on_complete"], "completions found")
    expect_ge(found, missed["on_complete"] - others, "completions found")
    if missed["on_complete"] > 100:
        expect_ge(report.losses["nested"], missed["on_complete"] // 2, "seen by the nested program")
    seen = sum(report.disks[name]["operations"]["read"]["accesses"] for name in names)
    expect_eq(seen, fio_result(out)["read"][0], "accesses")


main()
