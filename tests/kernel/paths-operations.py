#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: trace
"""Compares flushes, discards, zone commands and pass-through commands with the oracle, which
computes accesses from ftrace events."""
import os
import struct
import zlib

from lib import disks, kernel
from lib.compare import compare
from lib.ktap import *
from lib.measure import (expect_complete, in_turn, measure, needs_oracle, needs_workload,
                         only, workload)
from lib.oracle import recorder
from lib.paths import idle_after, jobs


def synchronous(disk):
    """Returns a fio job with O_DSYNC and fsync(). Depending on its cache, the disk gets writes with
    FUA, or writes between flushes. fsync() also causes flushes without a write."""
    return (disk, "--ioengine=psync", "--direct=1", "--bs=4k", "--rw=randwrite",
            "--size=4m", "--number_ios=40", "--sync=dsync", "--fsync=5")


# If a disk has FUA or no write cache, a synchronous write is one request. Otherwise, the kernel
# issues a write and a flush.
@test(seconds=240)
def writes_and_flushes_of_scsi():
    needs_oracle("fio")
    with disks.scsi_debug(count=2, max_luns=2) as (one, other):
        kernel.write("write through", disks.scsi_file(other, "cache_type"))
        _, oracle, _ = compare(idle_after(jobs(synchronous(one), synchronous(other))),
                               (one, other), ours=True)
        expect_ge(oracle.disk(one).operations["flush"].accesses, 8, "flushes")
        expect_eq(oracle.disk(other).operations["flush"].accesses, 0, "without a cache")


@test(seconds=240)
def writes_and_flushes_of_loop():
    needs_oracle("fio")
    with kernel.loop_disk(16 << 20) as disk:
        _, oracle, _ = compare(idle_after(jobs(synchronous(disk))), [disk])
        expect_ge(oracle.disk(disk).operations["flush"].accesses, 40, "flushes")


@test(seconds=240)
def discards_and_zeroes():
    needs_oracle("blkdiscard")
    script = """
    for disk; do
        for at in 0 1 2 5 6 9; do
            blkdiscard -o ${at}m -l 1m $disk || exit 1
        done
        blkdiscard -z -o 12m -l 2m $disk || exit 1
    done"""
    with (disks.scsi_debug(lbpu=1, lbpws=1, unmap_max_blocks=500) as (one,),
          disks.null_disk("nullb-trim") as other):
        _, oracle, _ = compare(idle_after(["sh", "-c", script, "sh", one, other]),
                               (one, other), ours=True)
        for disk in (one, other):
            seen = oracle.disk(disk).operations
            diagnostic(f"{disk}: " + ", ".join(f"{k} {v.accesses}" for k, v in
                                               seen.items()))
            expect_eq(seen["discard"].bytes, 6 << 20, "bytes discarded")
        expect_eq(oracle.disk(one).operations["other"].bytes, 2 << 20, "bytes zeroed")


@test(seconds=240)
def zones():
    needs_oracle("blkzone")
    script = """disk=$1
    dd if=/dev/zero of=$disk bs=64k count=3 oflag=direct status=none || exit 1
    for action in open close finish reset; do
        blkzone $action -o 0 -c 2 -v $disk >/dev/null || exit 1
    done
    blkzone reset $disk"""
    with disks.null_disk("nullb-zone", zoned=1, zone_size=4, discard=0) as disk:
        kernel.set_scheduler(disk, "mq-deadline")
        _, oracle, _ = compare(idle_after(["sh", "-c", script, "sh", disk]), [disk],
                               ours=True)
        seen = oracle.disk(disk).operations
        expect_eq(seen["write"].bytes, 3 << 16, "bytes written")
        expect_ge(seen["other"].accesses, 9, "zone commands")
        expect_eq(seen["other"].bytes, 0, "bytes of zone commands")


def zonefs_block():
    def block(check):
        return struct.pack("<II", 0x5A4F4653, check).ljust(4096, b"\0")
    return block(zlib.crc32(block(0)) ^ 0xFFFFFFFF)


# iospan must count a zone append as a write. The kernel's events have no letter for zone appends,
# so the oracle counts them as "other". After an append, Linux 6.1 reports an error, so the test
# mounts the file system again for each append.
@test(seconds=240)
def zone_appends_are_writes():
    disk = os.environ.get("IOSPAN_ZONED")
    needs(disk, "needs an NVMe disk of zones, in $IOSPAN_ZONED")
    needs_oracle("dd", "blkzone")
    disks.needs_module("zonefs")
    script = """disk=$1 where=$2
    for file in 0 1 2 3; do
        mount -t zonefs $disk $where || exit 1
        dd if=/dev/zero of=$where/seq/$file bs=64k count=1 oflag=direct conv=notrunc status=none
        umount $where || exit 1
    done"""
    disks.tool("blkzone", "reset", disk)
    with open(disk, "wb", buffering=0) as f:
        f.write(zonefs_block())
    os.mkdir(where := os.path.join(scratch_dir(), "zones"))
    with disks.module("zonefs"), recorder(disks=[disk]) as run:
        report, _, oracle = measure(idle_after(["sh", "-c", script, "sh", disk, where]),
                                    *only("device"), run=run)
    expect_complete(report)
    needs(not oracle.disk(disk).operations["write"].accesses,
          "this kernel's zonefs does not append")
    expect_ge(oracle.disk(disk).operations["other"].bytes, 4 << 16, "appended")
    written = report.disks[disks.name_of(disk)]["operations"]["write"]
    expect_eq((written["accesses"], written["bytes"]), (4, 4 << 16))


def passed(kind, *on):
    program = workload("passthrough")
    needs_workload(program)
    argv = in_turn(*([program, kind, disk, "100"] for disk in on))
    report, oracle, _ = compare(idle_after(argv), on, ours=True, kinds=["other"])
    for disk in on:
        seen = report.disks[disks.name_of(disk)]["operations"]["other"]
        expect_eq((seen["accesses"], seen["bytes"]), (200, 100 * 4096), "commands, bytes")
    return oracle


@test(seconds=240)
def pass_through_commands_of_scsi():
    needs_oracle()
    with disks.scsi_debug(count=2, max_luns=2) as (one, other):
        kernel.set_scheduler(other, "mq-deadline")
        # Each fifth command finds the simulated host busy, so the kernel requeues it.
        disks.scsi_set(every_nth=5, opts=0x8000)
        oracle = passed("scsi", one, other)
        for disk in (one, other):
            expect_ge(oracle.disk(disk).requeues, 40, f"{disk}: requeues")


@test(seconds=240)
def pass_through_commands_of_nvme():
    needs_oracle()
    disk = os.environ.get("IOSPAN_NVME")
    needs(disk, "needs an NVMe disk of its own, in $IOSPAN_NVME")
    passed("nvme", disk)


main()
