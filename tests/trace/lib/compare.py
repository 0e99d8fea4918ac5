# SPDX-License-Identifier: GPL-2.0-or-later
"""A report's device layer beside the oracle's."""
import os

from lib import kernel
from lib.bpf import most_watchers
from lib.ktap import EMULATED, diagnostic, expect_eq, expect_le, expect_time, expect_true
from lib.measure import expect_complete, fio_command, fio_result, measure, only
from lib.oracle import recorder

RING = ("--ioengine=io_uring", "--direct=1", "--bs=4k", "--iodepth=32",
        "--registerfiles=1", "--fixedbufs=1", "--norandommap=1")
BATCHES = ("--iodepth_batch_submit=16", "--iodepth_batch_complete_max=16")
OFTEN = ("read", "write")  # what runs seldom is stamped later: its code is not cached
KINDS = (*OFTEN, "flush", "discard", "other")


# Two observers stamp an event at slightly different times. So T may differ by a part of it, or by
# WARM_NS per busy period. Interrupts between the two observers add up to INTERRUPT_NS in a run on
# a busy machine; expect_time() allows for time that the host took away. On an emulated CPU
# completions interrupt issues each time: Operation.later() counts those.
WARM_NS, COLD_NS = 500 if EMULATED else 200, 10_000
INTERRUPT_NS = 1_000_000
# Other programs at the same tracepoint run between the two observers. They take longer at the
# start of an access than at its end, so each of them adds as much (Report.others).
# The repair ends a lost access at the usual time. The true end may be later.
REPAIR_NS = 20_000_000
# What was lost is found by the next look, if nobody has used its place before.
LOOK_NS = 50_000_000


def tolerance(ns, per_period, periods):
    return max(ns // 1000, per_period * periods, INTERRUPT_NS)


def by_losses(operation, lost):
    """By how much T may be shorter and longer. An access whose completion was lost ends late,
    when its place is used again: what was idle between the first and the last may be busy."""
    return (REPAIR_NS, operation.idle_ns() + LOOK_NS) if lost else (0, 0)


def expect_row(row, operation, lost, what, per_period=WARM_NS):
    """A row of the report says what the oracle says."""
    expect_eq((row["accesses"], row["bytes"], row["errors"]),
              (operation.accesses, operation.bytes, operation.errors),
              f"{what}: accesses, bytes, errors")
    span, latency = operation.span_ns(), operation.latency_ns
    allowed = tolerance(span, per_period, operation.periods())
    least, least_latency = operation.later() if EMULATED else (span, latency)
    diagnostic(f"{what}: {operation.accesses} accesses, T {span} in {operation.periods()} "
               f"busy periods, iospan's {row['span_ns'] - span:+d} (allowed "
               f"{least - span - allowed} to {allowed}) ns, {lost} completions lost")
    early, late = by_losses(operation, lost)
    expect_time(row["span_ns"], least - allowed - early, span + allowed + late, f"{what}: T")
    if not lost:
        allowed = max(allowed, tolerance(latency, per_period, operation.accesses))
        expect_time(row["latency_ns"], least_latency - allowed, latency + allowed,
                    f"{what}: sum of latencies")


def expect_disk(report, name, disk, lost, kinds, loaded=True):
    row, whole = report.disks.get(name), disk.all()
    # the flushes of a disk that others use cannot be told apart
    kinds = kinds if loaded else ()
    if not whole.accesses and not any(disk.operations[k].accesses for k in kinds):
        return
    if not expect_true(row is not None, f"{name} is in the report"):
        return
    observers = 1 + report.others
    expect_row(row, whole, lost, name, (WARM_NS if loaded else COLD_NS) * observers)
    for kind in kinds:
        operation = disk.operations[kind]
        if expect_eq(kind in row["operations"], operation.accesses > 0,
                     f"{name} {kind}") and operation.accesses:
            expect_row(row["operations"][kind], operation, lost, f"{name} {kind}",
                       (WARM_NS if kind in OFTEN else COLD_NS) * observers)


def names_of(devs):
    return {dev: kernel.disk_of(os.makedev(dev >> 20, dev & 0xFFFFF)) for dev in devs}


def expect_same(report, oracle, disks, kinds=KINDS, names=None):
    """The report's disks are the oracle's; only those in disks are under load."""
    missed = report.document["missed_runs"]  # the first ones, before the twin is there
    nested = missed.get("on_complete", 0) + missed.get("on_bio_complete", 0)
    expect_complete(report, "nested", "missed_runs")
    expect_eq(report.losses["missed_runs"], nested, "runs missed, all of completions")
    if EMULATED:  # nothing is hidden from us there
        expect_le(report.losses["completions"], nested, "completions lost")
    expect_eq((oracle.unmatched, oracle.unfinished()), (0, 0),
              "events that the oracle could not pair")
    names = {**names_of(oracle.disks), **(names or {})}
    for dev, disk in oracle.disks.items():
        expect_disk(report, names[dev], disk, report.losses["completions"], kinds,
                    names[dev] in disks)


def compare(argv, disks, *options, ours=False, kinds=KINDS):
    """Measures argv beside the oracle and compares; returns both, and its output.
    Ours: nobody but the command uses these disks."""
    names = {kernel.dev(os.stat(d).st_rdev): os.path.basename(d) for d in disks}
    with recorder(ours=names if ours else ()) as run, most_watchers() as most:
        report, out, oracle = measure(argv, *only("device"), *options, run=run)
    report.others = max(most[0] - 1, 0)
    expect_same(report, oracle, names.values(), kinds, names)
    return report, oracle, out


def fio_on(disk, *options):
    report, oracle, out = compare(fio_command(disk, *RING, *options), [disk])
    for name, (_, size) in fio_result(out).items():  # neighbours may be merged
        expect_eq(oracle.disk(disk).operations[name].bytes, size,
                  f"the oracle itself against fio: {name}")
    return report, oracle
