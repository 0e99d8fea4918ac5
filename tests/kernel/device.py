#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: trace
"""Compares the device layer with the oracle: accesses that the test computes from ftrace events. A
tag is the number of a request in its hardware queue."""
import os
import subprocess
import time
from contextlib import ExitStack

from lib import kernel
from lib.compare import BATCHES, RING, compare, expect_row, expect_same, fio_on
from lib.ktap import *
from lib.measure import (expect_complete, fio_command, fio_result, make_file, measure,
                         needs_disk, needs_oracle, needs_run, only)
from lib.oracle import recorder, with_others


def at_full_speed(disk, megabytes):
    fio_on(disk, *BATCHES, "--rw=randrw", "--size=256m", f"--io_size={scaled(megabytes << 20)}")


@test()
def loop_at_full_speed():
    needs_oracle("fio")
    with kernel.loop_disk(256 << 20) as disk:
        at_full_speed(disk, 30)


@test(long=True)
def many_accesses_at_full_speed():
    needs_oracle("fio")
    with kernel.loop_disk(256 << 20) as disk:
        at_full_speed(disk, 100)
    needs(os.path.exists("/sys/class/zram-control/hot_add"), "needs zram")
    with kernel.zram_disk(256 << 20) as disk:
        at_full_speed(disk, 100)


# fio pauses after each 16 requests. T, the time with I/O in flight, must exclude the pauses.
@test()
def loop_with_pauses():
    needs_oracle("fio")
    with kernel.loop_disk(64 << 20) as disk:
        fio_on(disk, "--rw=randrw", "--size=64m", f"--number_ios={scaled(4000)}",
               "--thinktime=200", "--thinktime_blocks=16", "--iodepth=8")


@test()
def loop_with_flushes():
    needs_oracle("fio")
    with kernel.loop_disk(64 << 20) as disk:
        report, oracle, _ = compare(
            fio_command(disk, "--ioengine=psync", "--rw=randwrite", "--bs=4k",
                        "--size=64m", f"--number_ios={scaled(3000)}", "--direct=1",
                        "--fsync=7"),
            [disk])
        expect_ge(oracle.disk(disk).operations["flush"].accesses, scaled(400), "flushes")
        report, oracle, _ = compare(
            fio_command(disk, "--ioengine=psync", "--rw=read", "--bs=4m", "--size=64m",
                        "--direct=1", f"--loops={scaled(10)}"), [disk])
        expect_eq(oracle.disk(disk).all().bytes, scaled(10) * 64 << 20)


# Some BPF programs follow bios. They run for the bios of all disks, and so cost time on all disks.
# iospan must attach them only if a selected disk needs them.
@test()
def bios_are_followed_only_on_selected_disks():
    needs_run("bpftool")
    needs(os.path.exists("/sys/class/zram-control/hot_add"), "needs zram")
    with kernel.zram_disk(1 << 20) as zram, kernel.loop_disk(1 << 20) as loop:
        for disks, followed in (loop, False), (zram, True), ("*", True):
            argv = [IOSPAN, "stat", "--layers=device", f"--device={disks}", "100ms"]
            with subprocess.Popen(argv, stdout=subprocess.PIPE) as stat:
                stat.stdout.readline()
                programs = kernel.attached_programs(stat.pid)
                stat.terminate()
            expect_true("on_issue" in programs, "requests are followed")
            expect_eq("on_bio_queue" in programs, followed, f"with --device={disks}")


@test()
def zram_by_bios():
    needs_oracle("fio")
    needs(os.path.exists("/sys/class/zram-control/hot_add"), "needs zram")
    with kernel.zram_disk(256 << 20) as disk:
        at_full_speed(disk, 30)
        fio_on(disk, "--rw=randrw", "--size=256m", f"--number_ios={scaled(2500)}",
               "--iodepth=8", "--thinktime=100", "--thinktime_blocks=8")


# Four other tracers have BPF programs on the same events. These programs run between the oracle's
# time stamp of an event and that of iospan, so the two time stamps differ more than usual.
@test(seconds=90, long=True)
def zram_beside_other_tracers():
    needs_oracle("fio")
    needs(os.path.exists("/sys/class/zram-control/hot_add"), "needs zram")
    with kernel.zram_disk(64 << 20) as disk, ExitStack() as stack:
        tracers = []
        for _ in range(4):
            tracers.append(stack.enter_context(subprocess.Popen(
                [IOSPAN, "stat", "-l", "device", "--by=process", "1s"], stdout=subprocess.PIPE)))
            stack.callback(tracers[-1].terminate)
        for tracer in tracers:
            tracer.stdout.readline()  # of the first interval
        fio_on(disk, "--rw=randrw", "--size=64m", f"--number_ios={scaled(5000)}", "--iodepth=8")


# If the ring of a virtio disk is full, the kernel requeues requests. A requeued request must still
# count as one access.
@test()
def disk_with_requeues():
    needs_oracle("fio")
    name = needs_disk()
    path = make_file("load", scaled(64 << 20))
    for depth in (32, 256):
        with recorder(disks=with_others([])) as run:
            report, out, oracle = measure(
                fio_command(path, *RING, *BATCHES, "--rw=randread",
                            f"--size={scaled(64 << 20)}",
                            f"--io_size={scaled(24 << 20)}", f"--iodepth={depth}",
                            f"--iodepth_batch_submit={depth}"),
                *only("device"), run=run)
        disk = oracle.disk_below(path)
        diagnostic(f"depth {depth}: {disk.requeues} requeues, {disk.partial} partial "
                   "completions")
        # Other processes use this disk, too, and the oracle cannot attribute their flushes. So only
        # reads and writes are compared.
        expect_same(report, oracle, [name], ("read", "write"))
        outside = disk.operations["read"].bytes_outside(kernel.extents(path))
        expect_eq(report.disks[name]["operations"]["read"]["bytes"] - outside,
                  fio_result(out)["read"][1], "bytes read in the file")


# Both disks are busy at the same time. So T (the time with I/O in flight) of both disks together is
# less than the sum of the T of each.
@test()
def two_disks_at_once():
    needs_oracle("fio")
    with kernel.loop_disk(64 << 20) as one, kernel.loop_disk(64 << 20) as other:
        report, oracle, _ = compare(
            fio_command(one, *RING, "--rw=randread", "--size=64m",
                        f"--number_ios={scaled(5000)}",
                        "--thinktime=300", "--thinktime_blocks=32",
                        "--name=other", f"--filename={other}", *RING, "--rw=randread",
                        "--size=64m", f"--number_ios={scaled(5000)}", "--thinktime=500",
                        "--thinktime_blocks=32"), [one, other])
        total, layer = oracle.total(), report.layers["device"]
        expect_row(layer, total, report.untimed(), "all disks")
        spans = [row["span_ns"] for row in report.disks.values()]
        expect_eq(len([d for d in report.disks if d.startswith("loop")]), 2, "disks")
        expect_le(max(spans), layer["span_ns"], "T of one disk and of all")
        expect_le(layer["span_ns"], sum(spans) + total.periods(), "T of all and the sum")
        expect_le(layer["span_ns"], report.document["elapsed_ns"], "T and elapsed")
        for row in [layer, *report.disks.values()]:
            # The concurrency includes an estimated latency for each access with a lost completion,
            # but the sum of the latencies does not. T may have idle time until iospan detects the
            # loss. So if completions were lost, the concurrency has no limits.
            latency, precision = row["concurrency"] * row["span_ns"], row["latency_sum_ns"] / 100 + 1
            expect_ge(latency, row["latency_sum_ns"] - precision, "concurrency")
            if not report.untimed():
                expect_le(latency, row["latency_sum_ns"] + precision, "concurrency")
                expect_ge(row["concurrency"], 0.99, "concurrency")


# The kernel charges direct I/O to the cgroup of the submitting task. So attribution by the kernel's
# charge and attribution by task must agree.
@test()
def attribution_by_task():
    needs_run("fio")
    with kernel.loop_disk(64 << 20) as disk:
        argv = fio_command(disk, *RING, "--rw=randrw", "--size=64m",
                           f"--number_ios={scaled(10000)}")
        seen = []
        for how in ("auto", "task"):
            report, out = measure(argv, *only("device"), "--attribution", how)
            expect_complete(report)
            row = report.disks[os.path.basename(disk)]
            expect_eq({k: v["bytes"] for k, v in row["operations"].items()},
                      {k: v[1] for k, v in fio_result(out).items()}, how)
            expect_le(row["accesses"], sum(v[0] for v in fio_result(out).values()), how)
            seen.append(report.document["attribution"])
        expect_eq(seen[1], "task")


# Another program reads the same disk, with the same queue and tags. Its requests must not count.
@test()
def another_program_on_the_disk():
    needs_run("fio")
    with kernel.loop_disk(64 << 20) as disk:
        name = os.path.basename(disk)
        with subprocess.Popen(fio_command(disk, *RING, "--rw=randread", "--size=64m",
                                          "--time_based", "--runtime=1h"),
                              stdout=subprocess.DEVNULL) as other:
            while not int(kernel.read(f"/sys/block/{name}/stat").split()[0]):
                time.sleep(0.01)
            report, out = measure(fio_command(disk, *RING, "--rw=randrw", "--size=64m",
                                              f"--number_ios={scaled(10000)}"),
                                  *only("device"))
            other.terminate()
        expect_complete(report)
        expect_eq({k: v["bytes"] for k, v in report.disks[name]["operations"].items()},
                  {k: v[1] for k, v in fio_result(out).items()}, "bytes of the command")


main()
