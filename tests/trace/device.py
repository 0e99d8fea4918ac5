#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""The device layer against the oracle: if these fail, the accesses, bytes or T that
iospan reports of a disk are not what the disk did."""
import os

from lib import kernel
from lib.ktap import *
from lib.measure import (expect_complete, fio_command, fio_result, make_file, measure,
                         needs_oracle, needs_run)
from lib.oracle import recorder

RING = ("--ioengine=io_uring", "--direct=1", "--bs=4k", "--iodepth=32",
        "--registerfiles=1", "--fixedbufs=1", "--norandommap=1")
BATCHES = ("--iodepth_batch_submit=16", "--iodepth_batch_complete_max=16")


def tolerance(operation, per_period):
    """Two observers stamp the same event at slightly different times."""
    return max(operation.span_ns() // 1000, per_period * operation.periods())


def expect_row(row, operation, lost, what, per_period=200):
    """A row of the report says what the oracle says."""
    expect_eq((row["accesses"], row["bytes"]), (operation.accesses, operation.bytes),
              f"{what}: accesses, bytes")
    allowed = tolerance(operation, per_period)
    diagnostic(f"{what}: {operation.accesses} accesses, T {operation.span_ns()} in "
               f"{operation.periods()} busy periods, iospan's"
               f" {row['span_ns'] - operation.span_ns():+d} (allowed {allowed}) ns, "
               f"{lost} completions lost")
    expect_ge(row["span_ns"], operation.span_ns() - allowed, f"{what}: T")
    # an access whose completion was lost ends late, when its place is used again:
    # what was idle between the first and the last may have become busy
    expect_le(row["span_ns"], operation.span_ns() + allowed +
              (operation.idle_ns() if lost else 0), f"{what}: T")
    if not lost:
        expect_near(row["latency_ns"], operation.latency_ns,
                    max(operation.latency_ns // 1000, per_period * operation.accesses),
                    f"{what}: sum of latencies")


def expect_same(report, oracle, disks, kinds=("read", "write", "flush", "discard")):
    """The report's disks are the oracle's; only those in disks are under load."""
    expect_complete(report)
    expect_eq((oracle.unmatched, oracle.unfinished()), (0, 0),
              "events that the oracle could not pair")
    lost = report.losses["completions"]
    for number, disk in oracle.disks.items():
        name = kernel.disk_of(os.makedev(number >> 20, number & 0xFFFFF))
        row, whole = report.disks.get(name), disk.all()
        if not whole.accesses:
            continue
        if not expect_true(row is not None, f"{name} is in the report"):
            continue
        # what runs seldom, as flushes do, is stamped later: its code is not cached
        loaded = name in disks
        expect_row(row, whole, lost, name, 200 if loaded else 10000)
        for kind in kinds if loaded else ():
            operation = disk.operations[kind]
            if expect_eq(kind in row["operations"], operation.accesses > 0,
                         f"{name} {kind}") and operation.accesses:
                expect_row(row["operations"][kind], operation, lost, f"{name} {kind}",
                           200 if kind in ("read", "write") else 10000)


def compare(argv, disks, *options):
    """Measures argv beside the oracle and compares; returns both."""
    with recorder() as run:
        report, out, oracle = measure(argv, *options, run=run)
    expect_same(report, oracle, [os.path.basename(d) for d in disks])
    return report, oracle, out


def fio_on(disk, *options):
    report, oracle, out = compare(fio_command(disk, *RING, *options), [disk])
    for name, (_, size) in fio_result(out).items():  # neighbours may be merged
        expect_eq(oracle.disk(disk).operations[name].bytes, size,
                  f"the oracle itself against fio: {name}")
    return report, oracle


@test()
def loop_at_full_speed():
    needs_oracle("fio")
    with kernel.loop_disk(256 << 20) as disk:
        fio_on(disk, *BATCHES, "--rw=randrw", "--size=256m", "--io_size=400m")


# T is more than the time between the first and the last: idle must not count.
@test()
def loop_with_pauses():
    needs_oracle("fio")
    with kernel.loop_disk(64 << 20) as disk:
        fio_on(disk, "--rw=randrw", "--size=64m", "--number_ios=20000",
               "--thinktime=200", "--thinktime_blocks=16", "--iodepth=8")


# Flushes, and big accesses that are split.
@test()
def loop_with_flushes():
    needs_oracle("fio")
    with kernel.loop_disk(64 << 20) as disk:
        report, oracle, _ = compare(
            fio_command(disk, "--ioengine=psync", "--rw=randwrite", "--bs=4k",
                        "--size=64m", "--number_ios=3000", "--direct=1", "--fsync=7"),
            [disk])
        expect_ge(oracle.disk(disk).operations["flush"].accesses, 400, "flushes")
        report, oracle, _ = compare(
            fio_command(disk, "--ioengine=psync", "--rw=read", "--bs=4m", "--size=64m",
                        "--direct=1", "--loops=10"), [disk])
        expect_eq(oracle.disk(disk).all().bytes, 640 << 20)


@test()
def zram_by_bios():
    needs_oracle("fio")
    needs(os.path.exists("/sys/class/zram-control/hot_add"), "needs zram")
    with kernel.zram_disk(256 << 20) as disk:
        fio_on(disk, *BATCHES, "--rw=randrw", "--size=256m", "--io_size=400m")
        fio_on(disk, "--rw=randrw", "--size=256m", "--number_ios=5000", "--iodepth=8",
               "--thinktime=100", "--thinktime_blocks=8")


def needs_disk():
    """Name of the disk below the scratch directory."""
    number = os.stat(scratch_dir()).st_dev
    name = kernel.disk_of(number)
    needs(name and kernel.has_requests(os.major(number), os.minor(number)),
          "the scratch directory is not right on a disk")
    return name


# The driver's ring runs full and requests come back: at least a virtio disk's.
@test(seconds=90)
def disk_with_requeues():
    needs_oracle("fio")
    name = needs_disk()
    path = make_file("load", 128 << 20)
    for depth in (32, 256):
        with recorder() as run:
            report, out, oracle = measure(
                fio_command(path, *RING, *BATCHES, "--rw=randread", "--size=128m",
                            "--io_size=160m", f"--iodepth={depth}",
                            f"--iodepth_batch_submit={depth}"), run=run)
        disk = oracle.disk_below(path)
        diagnostic(f"depth {depth}: {disk.requeues} requeues, {disk.partial} partial "
                   "completions")
        # the flushes of a disk that others use cannot be told apart
        expect_same(report, oracle, [name], ("read", "write"))
        outside = disk.operations["read"].bytes_outside(kernel.extents(path))
        expect_eq(report.disks[name]["operations"]["read"]["bytes"] - outside,
                  fio_result(out)["read"][1], "bytes read in the file")


# The span of two disks is a union, not a sum.
@test()
def two_disks_at_once():
    needs_oracle("fio")
    with kernel.loop_disk(64 << 20) as one, kernel.loop_disk(64 << 20) as other:
        report, oracle, _ = compare(
            fio_command(one, *RING, "--rw=randread", "--size=64m", "--number_ios=30000",
                        "--thinktime=300", "--thinktime_blocks=32",
                        "--name=other", f"--filename={other}", *RING, "--rw=randread",
                        "--size=64m", "--number_ios=30000", "--thinktime=500",
                        "--thinktime_blocks=32"), [one, other])
        total, layer = oracle.total(), report.layers["device"]
        expect_row(layer, total, report.losses["completions"], "all disks")
        spans = [row["span_ns"] for row in report.disks.values()]
        expect_eq(len([d for d in report.disks if d.startswith("loop")]), 2, "disks")
        expect_le(max(spans), layer["span_ns"], "T of one disk and of all")
        expect_le(layer["span_ns"], sum(spans), "T of all and the sum")
        expect_le(layer["span_ns"], report.document["elapsed_ns"], "T and elapsed")
        for row in [layer, *report.disks.values()]:
            expect_near(row["concurrency"] * row["span_ns"], row["latency_ns"],
                        row["latency_ns"] / 100 + 1, "concurrency")
            expect_ge(row["concurrency"], 0.99, "concurrency")


# What another means of telling whose it is must agree on, when nothing is buffered.
@test()
def attribution_by_task():
    needs_run("fio")
    with kernel.loop_disk(64 << 20) as disk:
        argv = fio_command(disk, *RING, "--rw=randrw", "--size=64m", "--number_ios=30000")
        seen = []
        for how in ("auto", "task"):
            report, out = measure(argv, "--attribution", how)
            expect_complete(report)
            row = report.disks[os.path.basename(disk)]
            expect_eq({k: v["bytes"] for k, v in row["operations"].items()},
                      {k: v[1] for k, v in fio_result(out).items()}, how)
            expect_le(row["accesses"], sum(v[0] for v in fio_result(out).values()), how)
            seen.append(report.document["environment"]["attribution"])
        expect_eq(seen[1], "task")


main()
