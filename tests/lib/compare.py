# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the device layer of a report with an independent observer, the oracle (oracle.py). The
oracle reads the events of two ftrace instances, its two observers. The kernel calls iospan's
program between them. T is the time in which any access is in flight."""
import os

from lib import kernel
from lib.ktap import EMULATED, diagnostic, expect_eq, expect_le, expect_time, expect_true
from lib.measure import COMPLETING, expect_complete, fio_command, fio_result, measure, only
from lib.oracle import recorder, with_others

RING = ("--ioengine=io_uring", "--direct=1", "--bs=4k", "--iodepth=32",
        "--registerfiles=1", "--fixedbufs=1", "--norandommap=1")
BATCHES = ("--iodepth_batch_submit=16", "--iodepth_batch_complete_max=16")
# Frequent operations. iospan's programs for them are in the CPU's cache, so they run faster than
# the programs for rare operations.
OFTEN = ("read", "write")
KINDS = (*OFTEN, "flush", "discard", "other")


# Tolerances in ns. The oracle's two observers take the time before and after iospan's program. If
# they saw all events, iospan's time must be between their times, without a tolerance. If they
# missed events, the tolerance is INTERRUPT_NS plus WARM_NS for each missed event. For rare
# operations, it is COLD_NS for each missed event, because iospan's code is not in the CPU's cache
# then.
WARM_NS, COLD_NS = 500 if EMULATED else 200, 10_000
INTERRUPT_NS = 1_000_000
# iospan checks the requests in flight at this interval, in ns. So it finds a lost completion within
# this time. It finds the loss earlier if another request gets the same tag (number in the hardware
# queue).
LOOK_NS = 50_000_000


def by_losses(operation, lost):
    """Returns (how much shorter, how much longer) iospan's T may be than the oracle's T, in ns. The
    reason is @lost, the number of completions that were lost or interrupted another one.
    Shorter: iospan assumes the usual latency for an access with a lost completion. Any access may
    have lost its completion, so the test assumes the longest ones.
    Longer: until iospan notices the loss, it counts idle time as busy."""
    if not lost:
        return 0, 0
    return sum(operation.longest_ns(lost)), operation.idle_ns() + LOOK_NS


def expect_between(seen, bounds, missed, per_event, what):
    """Checks that @seen is within the bounds. @missed: the number of events that only one of the
    oracle's two observers saw. For each of these events, the bounds are @per_event ns wider."""
    if not missed:
        expect_true(bounds[0] <= seen <= bounds[1],
                    f"{what}: seen {seen}, expected {bounds[0]} to {bounds[1]}")
    else:
        allowed = per_event * missed + INTERRUPT_NS
        expect_time(seen, bounds[0] - allowed, bounds[1] + allowed, what)


def expect_span(seen, operation, lost, what, per_period=WARM_NS, others_ns=0):
    """Checks that iospan's T, @seen ns, agrees with the oracle's T. @others_ns: T of accesses that
    iospan counts but the oracle does not."""
    span, periods, (least, most) = operation.span_ns(), operation.periods(), operation.bounds()[0]
    early, late = by_losses(operation, lost)
    diagnostic(f"{what}: {operation.accesses} accesses, T {span} in {periods} busy periods, "
               f"iospan's {seen - span:+d} (from {least - span} to {most - span:+d}) ns, "
               f"{lost} completions lost, {operation.seen_once()} seen once")
    expect_between(seen, (least - early, most + late + others_ns), operation.seen_once(),
                   per_period, f"{what}: T")


def expect_row(row, operation, lost, what, per_period=WARM_NS):
    expect_eq((row["accesses"], row["bytes"], row["errors"]),
              (operation.accesses, operation.bytes, operation.errors),
              f"{what}: accesses, bytes, errors")
    expect_span(row["span_ns"], operation, lost, what, per_period)
    if not lost:
        expect_between(row["latency_sum_ns"], operation.bounds()[1], operation.seen_once(),
                       per_period, f"{what}: sum of latencies")


def expect_disk(report, name, disk, lost, kinds, loaded=True):
    row, whole = report.disks.get(name), disk.all()
    # On a disk that other processes also use, the oracle cannot know which process caused a flush.
    # So there, the test compares only reads and writes together.
    kinds = kinds if loaded else ()
    if not whole.accesses and not any(disk.operations[k].accesses for k in kinds):
        return
    if not expect_true(row is not None, f"{name} is in the report"):
        return
    expect_row(row, whole, lost, name, WARM_NS if loaded else COLD_NS)
    for kind in kinds:
        operation = disk.operations[kind]
        if expect_eq(kind in row["operations"], operation.accesses > 0,
                     f"{name} {kind}") and operation.accesses:
            expect_row(row["operations"][kind], operation, lost, f"{name} {kind}",
                       WARM_NS if kind in OFTEN else COLD_NS)


def names_of(devs):
    return {dev: kernel.disk_of(os.makedev(dev >> 20, dev & 0xFFFFF)) for dev in devs}


def expect_same(report, oracle, disks, kinds=KINDS, names=None):
    """Checks that the report has the accesses that the oracle saw on each disk. @disks: names of
    the disks that the load uses."""
    nested = sum(report.document["missed_runs"].get(name, 0) for name in COMPLETING)
    expect_complete(report)
    # In an emulated VM, iospan loses a completion only if the kernel skips a run of a BPF program.
    # On other machines, a host may take a CPU away, which may lose further completions.
    if EMULATED:
        expect_le(report.losses["completions"], nested, "completions lost")
    names = {**names_of(oracle.disks), **(names or {})}
    loaded = {dev for dev, name in names.items() if name in disks}
    expect_eq((oracle.unmatched, oracle.unfinished(loaded)), (0, 0),
              "events that the oracle could not pair")
    for dev, disk in oracle.disks.items():
        expect_disk(report, names[dev], disk, report.untimed(), kinds,
                    names[dev] in disks)


def compare(argv, disks, *options, ours=False, kinds=KINDS, others=True):
    """Measures argv by iospan and by the oracle at the same time. Returns (Report, oracle, output).
    @ours: no other process uses the disks. @others: the oracle also observes the other disks that
    the command may use, see with_others(). If other processes use those disks heavily, reading the
    events takes minutes."""
    names = {kernel.dev(os.stat(d).st_rdev): os.path.basename(d) for d in disks}
    with recorder(disks=with_others(disks) if others else disks, ours=names if ours else ()) as run:
        report, out, oracle = measure(argv, *only("device"), *options, run=run)
    expect_same(report, oracle, names.values(), kinds, names)
    return report, oracle, out


def fio_on(disk, *options):
    report, oracle, out = compare(fio_command(disk, *RING, *options), [disk], others=False)
    for name, (_, size) in fio_result(out).items():  # the kernel may merge adjacent requests of fio
        expect_eq(oracle.disk(disk).operations[name].bytes, size,
                  f"the oracle itself against fio: {name}")
    return report, oracle
