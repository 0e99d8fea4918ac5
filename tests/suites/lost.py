#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: cpu
"""Makes iospan lose completions on purpose. iospan must count the losses, and estimate the end of
each lost access. Otherwise T, the time in which any access is in flight, would be too long."""
import json
import os
import subprocess
import sys
import time

from lib.ktap import *
from lib.losing import disk_that_loses
from lib.measure import environment, needs_run
from lib.stalled import FSYNC, READ

# Number of accesses before a loss. iospan assumes the median latency for a lost access. The number
# is small enough that iospan takes the median over all these accesses.
MANY = 40
# A program that makes one request after the other, so T is the sum of the latencies. The disk holds
# back its answer to the last request.
CLIENT = f"""
import mmap, os, sys, time
file = os.open(sys.argv[1], os.O_RDWR | os.O_DIRECT)
block = mmap.mmap(-1, 4096)
for i in range({MANY} + 1):
    if sys.argv[2] == "flush":
        os.fsync(file)
    else:
        os.preadv(file, [block], 4096 * i)
print("ended", flush=True)
sys.stdin.readline()
time.sleep(0.3)    # idle: it is in T, if the access ends when the loss is detected
"""
# A program that has many reads in flight; iospan loses their completions. Then the program makes
# one more read. It does so on another CPU, because that read must get a new tag: if it got the tag
# of a lost read, iospan would detect the loss by the tag.
CROWD = f"""
import mmap, os, sys, threading
cpus = os.sched_getaffinity(0)
os.sched_setaffinity(0, [min(cpus)])
file = os.open(sys.argv[1], os.O_RDWR | os.O_DIRECT)
def read():
    os.preadv(file, [mmap.mmap(-1, 4096)], 0)
for i in range({MANY}):
    read()
crowd = [threading.Thread(target=read) for i in range(int(sys.argv[2]))]
print("ready", flush=True)
sys.stdin.readline()
for thread in crowd:
    thread.start()
for thread in crowd:
    thread.join()
print("ended", flush=True)
sys.stdin.readline()
os.sched_setaffinity(0, [max(cpus)])
read()
"""
HOLD_S = 0.2
OPCODES = {"read": READ, "flush": FSYNC}


def run(kind, *options, lose=True):
    with disk_that_loses() as disk:
        disk.hold(OPCODES[kind], MANY)
        report = os.path.join(scratch_dir(), "report")
        with subprocess.Popen([IOSPAN, "run", "-l", "device", "-o", report, *options, "--",
                               sys.executable, "-c", CLIENT, disk.path, kind], text=True,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              env=environment()) as child:
            assert_true(disk.held.wait(30), "the request reaches the disk")
            if lose:
                expect_eq(disk.lose(child.pid), 1, "queues of the disk")
            else:
                # The request is slow, but not lost. During this pause, iospan checks the request
                # many times.
                time.sleep(0.3)
            disk.go.set()
            assert_eq(child.stdout.readline(), "ended\n")
            if lose:
                disk.see()
            child.communicate("\n")
        assert_eq(child.returncode, 0, "status")
        with open(report, encoding="utf-8") as f:
            return f.read(), os.path.basename(disk.path)


def parsed(text, name, kind):
    document = json.loads(text)
    disk = next(d for d in document["devices"] if d["name"] == name)
    return document, disk["operations"][kind]


def measured(kind, lose=True):
    return parsed(*run(kind, "--json", lose=lose), kind)


def repaired_ns(row):
    return row["span_repaired_fraction"] * row["span_ns"]


def expect_repaired(kind):
    document, row = measured(kind)
    repaired = repaired_ns(row)
    diagnostic(f"{kind}: T {row['span_ns']} ns, sum of latencies {row['latency_sum_ns']} ns, repaired "
               f"{repaired:.0f} ns, median {row['latency_p50_ns']} ns, losses "
               f"{ {k: n for k, n in document['losses'].items() if n} }, max {row['latency_max_ns']} ns")
    expect_eq(document["losses"]["completions"], 1, "completions lost")
    expect_eq(row["accesses"], MANY + 1, "accesses")
    # The accesses do not overlap. So T and the sum of the latencies come from the same readings of
    # the clock, and may differ by at most 2 ns.
    expect_near(row["span_ns"] - row["latency_sum_ns"], repaired, 2, "T of the lost access")
    expect_near(repaired, row["latency_p50_ns"], row["latency_p50_ns"] / 8, "T of the lost access")


@test()
def lost_read_takes_the_median():
    needs_run("python3")
    expect_repaired("read")


# A flush has no tag, and the kernel does not count it as in flight. So iospan cannot find a lost
# flush in the same way as a lost read or write.
@test()
def lost_flush_takes_the_median():
    needs_run("python3")
    expect_repaired("flush")


@test()
def slow_accesses_are_not_lost():
    needs_run("python3")
    for kind in OPCODES:
        document, row = measured(kind, lose=False)
        expect_eq((document["losses"]["completions"], row["accesses"]), (0, MANY + 1), kind)
        expect_eq(row["span_ns"], row["latency_sum_ns"], f"{kind}: T")
        expect_ge(row["span_ns"], 300_000_000, f"{kind}: T")


@test()
def text_shows_the_loss_and_its_fraction_of_the_span():
    needs_run("python3")
    text, _ = run("read")
    expect_true("1 device completion never seen (T repaired: the end is estimated)" in text, text)
    expect_true("T marked ~ is estimated in part: device " in text, text)


def crowd(reads, scan):
    """Makes iospan lose the completions of @reads reads that are in flight together. Returns
    (document, row of the reads, time in ns until all of them had started). If @scan is false,
    iospan's next search for lost requests (scan) finds nothing."""
    with disk_that_loses() as disk:
        disk.hold(OPCODES["read"], MANY)
        report = os.path.join(scratch_dir(), "report")
        with subprocess.Popen([IOSPAN, "run", "-l", "device", "-o", report, "--json", "--",
                               sys.executable, "-c", CROWD, disk.path, str(reads)], text=True,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              env=environment()) as child:
            assert_eq(child.stdout.readline(), "ready\n")
            start = time.monotonic_ns()
            child.stdin.write("\n")
            child.stdin.flush()
            disk.wait_in_flight(reads)
            start_ns = time.monotonic_ns() - start
            expect_eq(disk.lose(child.pid), 1, "queues of the disk")
            if not scan:
                disk.skip_scan()
            # The reads stay in flight for HOLD_S. iospan assumes a much shorter latency for a lost
            # read. If iospan ends the lost reads before it counts the start of the next read, T is
            # shorter than HOLD_S.
            time.sleep(HOLD_S)
            disk.go.set()
            assert_eq(child.stdout.readline(), "ended\n")
            # At the issue of a request, a BPF program scans the queue if iospan's map marks the
            # queue as ready. This call marks the queue before the next issue.
            disk.see()
            child.communicate("\n")
        assert_eq(child.returncode, 0, "status")
        with open(report, encoding="utf-8") as f:
            return *parsed(f.read(), os.path.basename(disk.path), "read"), start_ns


def expect_ended_by_the_next_read(reads, scan):
    document, row, start_ns = crowd(reads, scan)
    repaired, more = repaired_ns(row), row["span_ns"] - row["latency_sum_ns"]
    diagnostic(f"{reads} reads lost: T is {more} ns longer than the sum of latencies, repaired "
               f"{repaired:.0f} ns, they started within {start_ns} ns, losses "
               f"{ {k: n for k, n in document['losses'].items() if n} }")
    expect_eq(document["losses"]["completions"], reads, "completions lost")
    expect_eq(row["accesses"], MANY + reads + 1, "accesses")
    expect_le(more, start_ns + 2 * row["latency_p50_ns"], "T of the lost accesses")


@test()
def a_read_that_starts_checks_the_only_other_one():
    needs_run("python3")
    expect_ended_by_the_next_read(1, scan=False)


@test()
def queue_is_scanned_before_a_read_starts():
    needs_run("python3")
    expect_ended_by_the_next_read(3, scan=True)


main()
