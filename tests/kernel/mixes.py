#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: trace
"""Compares random accesses with the oracle, which computes them from ftrace events. Sizes, depths,
directions and schedulers are random."""
import os
import random
from collections import defaultdict

from lib import kernel
from lib.compare import expect_row, expect_span
from lib.ktap import *
from lib.measure import expect_complete, measure, needs_oracle
from lib.oracle import Operation, Oracle, recorder

ACCESSES = 100_000 if os.path.basename(BUILD) == "san" else 1_000_000
SIZE = 64 << 20
GROUPS = 2


class ByRegion(Oracle):
    """An oracle with a row for each cgroup. Each cgroup uses its own region of the disk, so the
    offset of an access shows its cgroup."""

    def __init__(self, parent, **options):
        super().__init__(parent, **options)
        self.groups = defaultdict(Operation)

    def count(self, dev, letter, flight):
        super().count(dev, letter, flight)
        group = self.groups[(flight.first << 9) * GROUPS // SIZE]
        group.accesses += 1
        group.bytes += flight.done << 9
        group.latency_sum_ns += flight.held
        group.intervals += flight.intervals


def some_job(dice, disk, number, accesses):
    region = SIZE // GROUPS
    kilobytes = dice.choice((0.5, 1, 4, 4, 8, 16, 64))
    depth = dice.choice((1, 2, 8, 32, 64))
    return " ".join([
        "fio", "--name=load", f"--filename={disk}", "--output=/dev/null", "--direct=1",
        "--allow_file_create=0", "--norandommap=1", f"--size={region}",
        f"--offset={number * region}", f"--randseed={dice.randrange(1 << 30)}",
        f"--io_size={int(accesses * kilobytes * 1024)}",
        f"--bs={int(kilobytes * 1024)}", f"--iodepth={depth}",
        f"--iodepth_batch_submit={dice.choice((1, depth))}",
        f"--ioengine={dice.choice(('io_uring', 'io_uring', 'libaio'))}",
        f"--rw={dice.choice(('randread', 'randwrite', 'randrw', 'randrw', 'write'))}"])


def expect_group(row, found, lost, others, what):
    more, more_ns = (sum(d[key] for d in others) for key in ("accesses", "span_ns"))
    if not more:
        expect_row(row, found, lost, what)
        return
    diagnostic(f"{what}: at most {more} accesses to other disks")
    expect_ge(row["accesses"], found.accesses, f"{what}: accesses")
    expect_le(row["accesses"], found.accesses + more, f"{what}: accesses")
    expect_span(row["span_ns"], found, lost, what, others_ns=more_ns)


def expect_groups(report, oracle, lost, disk):
    others = [d for name, d in report.disks.items() if name != disk]
    expect_eq(len(oracle.groups), GROUPS, "groups")
    for number, found in oracle.groups.items():
        rows = [g for g in report.document["cgroups"]
                if g["path"] and g["path"].endswith(f"/{number}")]
        if expect_eq(len(rows), 1, f"groups {number}"):
            expect_group(rows[0]["layers"]["device"], found, lost, others,
                         f"group {number}")


def mix(dice, disk, scheduler, accesses):
    """Measures a random mix of about @accesses accesses, and compares it with the oracle. Returns
    the number of accesses."""
    kernel.set_scheduler(disk, scheduler)
    jobs = [some_job(dice, disk, number, accesses // GROUPS) for number in range(GROUPS)]
    diagnostic(f"{scheduler}: " + "; ".join(
        " ".join(word for word in job.split() if word.startswith(
            ("--bs", "--iodepth", "--rw", "--ioengine"))) for job in jobs))
    with recorder(disks=[disk], make=ByRegion) as run:
        report, _, oracle = measure(["tests/kernel/mixes-load.py", *jobs], "--by=cgroup",
                                    run=run)
    expect_complete(report)
    expect_eq((oracle.unmatched, oracle.unfinished()), (0, 0),
              "events that the oracle could not pair")
    lost = report.untimed()
    row, found = report.disks[os.path.basename(disk)], oracle.disk(disk)
    expect_row(row, found.all(), lost, "disk")
    for name, operation in row["operations"].items():
        expect_row(operation, found.operations[name], lost, f"disk {name}",
                   200 if name in ("read", "write") else 10000)
    expect_groups(report, oracle, lost, os.path.basename(disk))
    return found.all().accesses


def mixes_of(least, at_once):
    """Compares random mixes of @at_once accesses each, until they have @least accesses in total."""
    needs_oracle("fio")
    seed = int(os.environ.get("IOSPAN_MIXES_SEED", random.randrange(1 << 30)))
    diagnostic(f"seed {seed}")
    dice, accesses, runs = random.Random(seed), 0, 0
    with kernel.loop_disk(SIZE) as disk:
        schedulers = kernel.schedulers(disk)
        while accesses < least:
            accesses += mix(dice, disk, schedulers[runs % len(schedulers)], at_once)
            runs += 1
    diagnostic(f"{accesses} accesses in {runs} runs")


@test(seconds=200)
def some_accesses():
    mixes_of(40_000, 10_000)


@test(seconds=1200, long=True)
def a_million_accesses():
    mixes_of(ACCESSES, ACCESSES // 10)


main()
