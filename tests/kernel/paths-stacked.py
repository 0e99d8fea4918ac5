#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: trace
"""Compares stacked disks and disks in memory with the oracle, which computes accesses from ftrace
events."""
import os
from contextlib import ExitStack

from lib import disks, kernel
from lib.compare import RING, compare
from lib.ktap import *
from lib.ktap import EMULATED
from lib.measure import expect_complete, measure, needs_oracle, needs_run, only
from lib.paths import idle_after, jobs


def mixed(disk, *options):
    return (disk, *RING, "--rw=randrw", "--size=8m", "--bsrange=4k-96k", "--iodepth=8",
            f"--number_ios={scaled(1600)}", "--randseed=7", *options)


def expect_levels(report, oracle, tops, bottoms):
    for disk in tops:
        row = report.disks.get(disks.name_of(disk), {})
        expect_eq(row.get("stacked"), True, f"{disk} is stacked or not")
    for disk in bottoms:
        row = report.disks.get(disks.name_of(disk), {"stacked": False})
        expect_eq(row["stacked"], False, f"{disk} is stacked or not")
    above = [kernel.dev(os.stat(d).st_rdev) for d in tops]
    total, layer = oracle.total(without=above), report.layers["device"]
    expect_eq((layer["accesses"], layer["bytes"]), (total.accesses, total.bytes),
              "total, against the disks below")
    # T is the time with I/O in flight. iospan updates T of a disk and T of all disks one after the
    # other. An interrupt in between may delay an update, so T of all disks may slightly exceed the
    # sum.
    parts = sum(report.disks[disks.name_of(d)]["span_ns"] for d in bottoms
                if disks.name_of(d) in report.disks)
    expect_le(layer["span_ns"], parts + parts // 10000, "T of all, against the sum")


# The upper disk consists of the disks "one" and "other". The kernel splits a request that crosses
# the border between them. The disk "third" has a partition. Its accesses must count for the disk,
# so the report must have no row for the partition.
@test(seconds=240)
def linear_and_partition():
    needs_oracle("fio", "dmsetup")
    with disks.scsi_debug(count=3, max_luns=3) as (one, other, third):
        half = disks.sectors(one)
        with (disks.mapped("iospan-linear", f"0 {half} linear {one} 0",
                           f"{half} {half} linear {other} 0") as top,
              disks.partition(third, 1, 2048, 32768) as part):
            argv = jobs(mixed(top, "--offset=60m"), mixed(part))
            report, oracle, _ = compare(idle_after(argv), (top, one, other, third),
                                        ours=True)
            expect_levels(report, oracle, [top], [one, other, third])
            expect_eq(set(report.disks) & {disks.name_of(part)}, set(), "rows of the partition")
            for disk in (one, other, third):
                expect_ge(oracle.disk(disk).all().accesses, 10, f"{disk} is used")


# A multipath disk has its own requests, unlike other dm devices. dm sends a clone of each request
# to the disk below.
@test(seconds=240)
def multipath():
    needs_oracle("fio", "dmsetup")
    disks.needs_module("dm-round-robin")
    with disks.scsi_debug() as (path,):
        with disks.mapped("iospan-paths", f"0 {disks.sectors(path)} multipath 0 0 1 1 "
                          f"round-robin 0 1 1 {path} 1") as top:
            expect_true(os.path.exists(kernel.of_disk(top, "mq")), "the disk has requests")
            report, oracle, _ = compare(idle_after(jobs(mixed(top))), [top, path], ours=True)
            expect_levels(report, oracle, [top], [path])


# The dm target "delay" holds each read for 400 ms. Meanwhile, the kernel's counters do not show the
# read as in flight. iospan must not conclude from this that it has lost the completion.
@test()
def a_disk_that_delays_reads_loses_none():
    needs_run("dmsetup")
    with disks.scsi_debug() as (below,), \
         disks.mapped("iospan-delay", f"0 {disks.sectors(below)} delay {below} 0 400") as top:
        report, _ = measure(["dd", f"if={top}", "of=/dev/null", "bs=4k", "count=3", "iflag=direct",
                             "status=none"])
        row = report.disks[disks.name_of(top)]
        expect_eq(row["accesses"], 3, "reads")
        expect_ge(row["span_ns"], 3 * 400_000_000, "T")
        expect_complete(report)


@test(seconds=240)
def arrays():
    needs_oracle("fio")
    with disks.scsi_debug(count=4, max_luns=4, dev_size_mb=32) as units:
        with (disks.array("md101", "raid0", units[:2]) as striped,
              disks.array("md102", "raid1", units[2:]) as mirrored):
            argv = jobs(mixed(striped), mixed(mirrored))
            report, oracle, _ = compare(idle_after(argv), (striped, mirrored, *units),
                                        ours=True)
            expect_levels(report, oracle, [striped, mirrored], units)


# If iostats of a RAID array is 0, older kernels pass the original bio to a disk below. Then iospan
# cannot see the end of the bio at the array, and counts the completion as lost. Newer kernels pass
# a copy of the bio. So the test accepts that all or none of the completions are lost.
@test(seconds=240)
def array_without_statistics():
    needs_oracle("dd")
    with disks.scsi_debug(count=2, max_luns=2, dev_size_mb=32) as units:
        with disks.array("md100", "raid0", units) as top:
            kernel.write(0, kernel.of_disk(top, "queue/iostats"))
            report, _ = measure(idle_after(["dd", f"of={top}", "if=/dev/zero", "bs=64k",
                                            "count=17", "oflag=direct"]), *only("device"))
            row = report.disks[disks.name_of(top)]["operations"]["write"]
            expect_eq((row["accesses"], row["bytes"]), (17, 17 << 16), "accesses, bytes")
            lost = report.losses["completions"]
            expect_true(lost >= 17 or not lost,
                        f"completions that are not seen, all or none: {lost}")
            expect_le(row["span_ns"], 200_000_000, "T without idle time")


# A kernel thread writes to the disks below the RAID array, and the kernel charges these writes to
# no cgroup. So only the array, and the total, are compared.
@test(seconds=240)
def array_with_parity():
    needs_oracle("fio")
    with disks.scsi_debug(count=3, max_luns=3, dev_size_mb=32) as units:
        with disks.array("md105", "raid5", units) as top:
            report, oracle, _ = compare(idle_after(jobs(mixed(top))), [top], ours=True)
            row = report.disks[disks.name_of(top)]
            expect_true(row["stacked"], "the array is stacked")
            below = sum(report.disks[disks.name_of(d)]["accesses"] for d in units
                        if disks.name_of(d) in report.disks)
            expect_eq(report.layers["device"]["accesses"], below,
                      "the total is that of the disks below")


# At an encrypted disk, a read ends later than at the disk below, because the kernel decrypts the
# data in between. A kernel thread submits the writes to the disk below.
@test(seconds=240)
def encrypted():
    needs_oracle("fio", "dmsetup")
    with disks.scsi_debug() as (disk,):
        key = "0123456789abcdef" * 4
        with disks.mapped("iospan-crypt", f"0 {disks.sectors(disk)} crypt "
                          f"aes-xts-plain64 {key} 0 {disk} 0") as top:
            report, oracle, _ = compare(idle_after(jobs(mixed(top))), [top, disk],
                                        ours=True)
            expect_levels(report, oracle, [top], [disk])


# A loop device is stacked only if its file is on a disk. The file of the lower loop device is in
# memory, so only the upper one is stacked.
@test(seconds=240)
def loop_on_a_loop():
    needs_oracle("fio")
    with kernel.loop_disk(32 << 20) as below, disks.loop_over(below) as top:
        report, oracle, _ = compare(idle_after(jobs(mixed(top))), [top, below],
                                    kinds=("read", "write"))
        expect_true(report.disks[disks.name_of(top)]["stacked"], "the upper loop device is stacked")
        expect_true(not report.disks[disks.name_of(below)]["stacked"],
                    "the lower one is not stacked")


# A file of overlayfs is on the disk of another file system. So a loop device over this file is
# stacked. The total of all disks must not count an access to it twice.
@test()
def loop_over_a_file_of_overlayfs():
    needs_run("dd", "mount")
    names = lower, upper, work, top = [os.path.join(scratch_dir(), name) for name in ("lower", "upper", "work", "top")]
    for name in names:
        os.mkdir(name)
    with open(f"{lower}/file", "wb") as f:
        f.write(bytes(1 << 20))
    kernel.run_quietly("modprobe", "overlay")
    mounted = not kernel.run_quietly("mount", "-t", "overlay", "overlay", "-o",
                                     f"lowerdir={lower},upperdir={upper},workdir={work}", top)
    needs(mounted or EMULATED, "needs overlayfs")
    assert_eq(mounted, True, "overlayfs is mounted")
    with kernel.undone(lambda: kernel.run_quietly("umount", top)), disks.loop_over(f"{top}/file") as disk:
        report, _ = measure(["dd", f"if={disk}", "of=/dev/null", "bs=64k", "iflag=direct", "status=none"],
                            *only("device"))
        row = report.disks[disks.name_of(disk)]
        expect_eq((row["stacked"], row["bytes"]), (True, 1 << 20), "the loop device")


@test(seconds=240)
def disks_in_memory():
    needs_oracle("fio")
    with disks.ram_disk() as one, disks.zram_disk() as other:
        report, oracle, _ = compare(idle_after(jobs(mixed(one), mixed(other))),
                                    (one, other), ours=True)
        expect_levels(report, oracle, [], [one, other])


# A program that uses 32 MiB with a memory limit of 24 MiB. So the kernel swaps pages out, and reads
# them in again in the second pass.
SWAPPING = """
import mmap, re
group = re.search("^0::(.*)", open("/proc/self/cgroup").read(), re.M)[1]
open(f"/sys/fs/cgroup{group}/memory.max", "w").write(str(24 << 20))
memory = mmap.mmap(-1, 32 << 20)
for _ in range(2):
    for at in range(0, len(memory), 4096):
        memory[at] = (memory[at] + at // 4096) % 256
"""


@test(seconds=240)
def swap():
    needs_oracle("mkswap", "python3")
    needs(os.path.exists("/sys/fs/cgroup/memory.stat"), "needs the memory controller")
    with ExitStack() as stack:
        disk = stack.enter_context(disks.null_disk("nullb-swap"))
        disks.tool("mkswap", disk)
        stack.enter_context(kernel.undone(lambda: kernel.run_quietly("swapoff", disk)))
        disks.tool("swapon", disk)
        report, oracle, _ = compare(idle_after(["python3", "-c", SWAPPING]), [disk],
                                    ours=True)
        seen = oracle.disk(disk)
        for kind in ("read", "write"):
            diagnostic(f"{kind}: {seen.operations[kind].bytes} bytes")
            expect_ge(seen.operations[kind].bytes, 1 << 20, f"bytes of swap, {kind}")


main()
