#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: trace
"""Compares requests that are requeued, merged, or get another tag before the driver has them, with
the oracle, which computes accesses from ftrace events. A tag is the number of a request in its
hardware queue."""
import errno
import os
from contextlib import ExitStack

from lib import disks, kernel
from lib.compare import RING, compare
from lib.ktap import *
from lib.measure import needs_oracle
from lib.paths import idle_after, jobs, meanwhile

HOST_BUSY = 0x8000
SCHEDULERS = ("none", "mq-deadline", "kyber", "bfq")


def mixed(disk, *options):
    return (disk, *RING, "--rw=randrw", "--size=16m", "--iodepth=16",
            f"--number_ios={scaled(3200)}", "--randseed=7", *options)


def accepted(value, path):
    """Writes @value, a number of tags or a scheduler, to a setting of a disk. Returns false if the
    driver or the kernel refuses this value."""
    try:
        kernel.write(value, path)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        return False
    return True


def takes(disk, scheduler):
    return accepted(scheduler, kernel.of_disk(disk, "queue/scheduler"))


@test(seconds=240)
def requeues_under_each_scheduler():
    needs_oracle("fio")
    with disks.scsi_debug(count=4, max_luns=4) as units:
        names = {disk: name for disk, name in zip(units, SCHEDULERS) if takes(disk, name)}
        disks.scsi_set(every_nth=7, opts=HOST_BUSY)
        _, oracle, _ = compare(idle_after(jobs(*map(mixed, names))), names, ours=True)
        for disk, name in names.items():
            requeues = oracle.disk(disk).requeues
            diagnostic(f"{name}: {requeues} requeues")
            expect_ge(requeues, scaled(3200) // 20, f"{name}: requeues")


def switch(*changing):
    """Changes the scheduler and the number of tags of the disks during a load. With mq-deadline,
    the number of tags grows step by step. With other schedulers, it is first large, then small,
    then medium."""
    for name in SCHEDULERS:
        for disk in changing:
            if not takes(disk, name):
                continue
            for number in range(16, 600, 48) if name == "mq-deadline" else (300, 31, 64):
                accepted(number, kernel.of_disk(disk, "queue/nr_requests"))
                yield


def switching(*changing, ours):
    load = ("--iodepth=64", "--time_based", "--runtime=2",
            f"--rate_iops={scaled(1600)}")
    argv = jobs(*((*mixed(disk), *load) for disk in changing))
    with meanwhile(switch, *changing) as switches:
        compare(idle_after(argv), changing, ours=ours)
    diagnostic(f"{switches.value} changes")
    expect_ge(switches.value, 6, "changes while the load ran")


@test(seconds=240)
def scheduler_and_depth_change_of_loop():
    needs_oracle("fio")
    with kernel.loop_disk(32 << 20) as disk:
        switching(disk, ours=False)


@test(seconds=240)
def scheduler_and_depth_change_of_scsi():
    needs_oracle("fio")
    with disks.scsi_debug() as units:
        switching(*units, ours=True)


# The kernel merges adjacent pages, and requests that wait. A request that is merged into another
# one is never issued, so it must not count.
@test(seconds=240)
def merges():
    needs_oracle("fio")
    buffered = ("--ioengine=psync", "--bs=4k", "--rw=write", "--size=4m", "--end_fsync=1")
    together = ("--ioengine=io_uring", "--direct=1", "--bs=4k", "--rw=read", "--size=1m",
                "--iodepth=64", "--numjobs=2", "--offset_increment=1m",
                "--iodepth_batch_submit=1")
    with (disks.scsi_debug(max_queue=1, ndelay=300000) as (slow,),
          disks.null_disk("nullb-none") as one, disks.null_disk("nullb-dead") as other):
        for disk, name in ((slow, "mq-deadline"), (one, "none"), (other, "mq-deadline")):
            kernel.set_scheduler(disk, name)
        _, oracle, _ = compare(idle_after(jobs((slow, *together), (one, *buffered),
                                               (other, *buffered))),
                               (slow, one, other), ours=True)
        for disk, kind, size in ((slow, "read", 2 << 20), (one, "write", 4 << 20),
                                 (other, "write", 4 << 20)):
            seen = oracle.disk(disk).operations[kind]
            diagnostic(f"{disk}: {seen.accesses} requests for {size >> 12} pages")
            expect_eq(seen.bytes, size, f"{disk}: bytes")
            expect_le(seen.accesses, (size >> 12) - 10, f"{disk}: requests")


def all_at_once(*together):
    report, oracle, _ = compare(idle_after(jobs(*map(mixed, together))), together,
                                ours=True)
    total, layer = oracle.total(), report.layers["device"]
    expect_eq((layer["accesses"], layer["bytes"]), (total.accesses, total.bytes), "total")
    return report


@test(seconds=240)
def tags_shared_by_disks():
    needs_oracle("fio")
    with (disks.scsi_debug(count=2, max_luns=2, host_max_queue=32,
                           submit_queues=2) as (one, other),
          disks.null_disk("nullb-a", shared_tags=1) as third,
          disks.null_disk("nullb-b", shared_tags=1) as fourth):
        kernel.set_scheduler(other, "mq-deadline")
        all_at_once(one, other, third, fourth)


# null_blk completes requests in the submitting task, in an interrupt, or by a timer. The accesses
# must be the same in all modes.
@test(seconds=240)
def null_disks_in_all_modes():
    needs_oracle("fio")
    modes = ({"irqmode": 0}, {"irqmode": 1, "submit_queues": 2},
             {"irqmode": 2, "blocking": 1})
    with ExitStack() as stack:
        made = [stack.enter_context(disks.null_disk(f"nullb-mode{n}", **settings))
                for n, settings in enumerate(modes)]
        all_at_once(*made)


@test(seconds=240)
def null_disk_without_requests():
    needs_oracle("fio")
    with disks.null_disk("nullb-bio", queue_mode=0) as disk:
        needs(not os.path.exists(kernel.of_disk(disk, "mq")),
              "this null_blk has no mode without requests")
        report = all_at_once(disk)
        expect_true(not report.disks[disks.name_of(disk)]["stacked"], "the disk is not stacked")


@test(seconds=240)
def polled_completions():
    needs_oracle("fio")
    with disks.null_disk("nullb-poll", poll_queues=1, irqmode=0) as disk:
        compare(idle_after(jobs((*mixed(disk), "--hipri"))), [disk], ours=True)


main()
