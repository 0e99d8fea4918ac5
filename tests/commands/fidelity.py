#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the requests of iospan bench load, as ftrace records them, with its options. The
footprint is the amount of data that a load uses."""
import math
import os
import statistics
import subprocess
from collections import Counter

from lib import kernel, tracefs
from lib.ktap import *

N = scaled(100_000 if "/san/" in IOSPAN else 1_000_000)
EVENT = "block/block_bio_queue"  # before the kernel merges or splits requests
EVENT_BYTES = 80  # upper bound for the size of an event in the trace buffer
FOOTPRINT, PART = 64 << 20, 64 << 10
SIZE = 4096


def mean_and_cv(values):
    mean = statistics.fmean(values)
    return mean, math.sqrt(statistics.fmean([(v - mean) ** 2 for v in values])) / mean


def recorded(n, *options):
    """Runs a load of @n requests. The disk is larger than the footprint. Returns the recorded
    requests, sorted by time."""
    needs(root(), "needs root")
    with (kernel.loop_disk(2 * FOOTPRINT) as disk,
          tracefs.instance([EVENT], n * EVENT_BYTES >> 10) as recorder):
        recorder.keep("block", f"dev == {kernel.dev(os.stat(disk).st_rdev)}")
        recorder.keep_own()  # another test may look at the disk
        recorder.start()
        child = subprocess.Popen([IOSPAN, "bench", "load", disk, f"--unique-bytes={FOOTPRINT}", f"-n{n}",
                                  *options], stdout=subprocess.DEVNULL)
        assert_eq(child.wait(), 0, "status")
        recorder.stop()
        # Two kinds of requests are not part of the load. The main process reads signatures of file
        # systems before the load. An io_uring worker (iou-wrk) repeats requests that would have
        # blocked.
        return [e for e in recorder.read()
                if e.pid != child.pid and not e.comm.startswith("iou-wrk")]


class Asked:
    """Statistics of a recorded load, computed from its requests."""

    def __init__(self, events):
        first, self.sizes = [e.sector << 9 for e in events], [e.sectors << 9 for e in events]
        ends = [a + b for a, b in zip(first, self.sizes)]
        self.first, self.requests = first, len(events)
        self.mean, self.cv = mean_and_cv(self.sizes)
        self.read = sum(e.rwbs[0] == "R" for e in events) / len(events)
        self.seq = sum(map(int.__eq__, first[1:], ends)) / len(events)
        self.footprint = PART * len({at // PART for at in first} |
                                    {(end - 1) // PART for end in ends})


def expect_share(seen, specified, what, n=N):
    """Checks that @seen, a statistic of @n requests, is near @specified. The permitted difference
    is 1 % for a million requests, and more for fewer requests. If @specified is 0, @seen may be up
    to 0.0005 by chance."""
    diagnostic(f"{what} {seen:.6g}, specified {specified:.6g}")
    expect_near(seen, specified, 0.01 * math.sqrt(1_000_000 / n) * specified or 0.0005, what)


def load(*options, mean=SIZE, cv=0., read=1., seq=0., n=N):
    seen = Asked(recorded(n, *options))
    expect_share(seen.requests, n, "requests", n)  # load.py checks the exact number of requests
    for what, specified in (("mean", mean), ("cv", cv), ("read", read), ("seq", seq),
                            ("footprint", FOOTPRINT)):
        expect_share(getattr(seen, what), specified, what, n)
    return seen


@test(long=True)
def anywhere():
    mean, cv = mean_and_cv(load(f"-s{SIZE}").first)
    expect_share(mean, (FOOTPRINT - SIZE) / 2, "mean offset")
    expect_share(cv, 1 / math.sqrt(3), "deviation / mean of offsets")


@test(120, long=True)
def half_sequential():
    load(f"-s{SIZE}", "--seq=0.5", seq=0.5)


@test(120, long=True)
def two_thirds_reads():
    load(f"-s{SIZE}", "--read=0.67", "--destroy", read=0.67)


@test(120, long=True)
def sizes_normal():
    load("-s16k", "--size-dist=normal", mean=16384, cv=1)


@test(120, long=True)
def sizes_exponential():
    load("-s16k", "--align=512", "--size-dist=exponential", mean=16384, cv=1)


@test()
def sizes_of_a_list():
    n = N // 10
    shares = {4096: 0.6, 16384: 0.3, 65536: 0.1}
    mean = sum(size * share for size, share in shares.items())
    squares = sum(size ** 2 * share for size, share in shares.items())
    seen = load("--size-dist=4k:60,16k:30,64k:10", mean=mean,
                cv=math.sqrt(squares - mean ** 2) / mean, n=n)
    counts = Counter(seen.sizes)
    expect_eq(set(counts), set(shares), "sizes")
    for size, share in shares.items():
        expect_share(counts[size] / n, share, f"share of {size}", n)


def exponent(counts, ranks=100):
    """Returns the maximum-likelihood exponent of Zipf's law for the most popular offsets."""
    top = sorted(counts, reverse=True)[:ranks]
    logs = [math.log(rank) for rank in range(1, ranks + 1)]
    seen = sum(n * log for n, log in zip(top, logs)) / sum(top)
    low, high = 0, 10
    for _ in range(40):
        middle = (low + high) / 2
        weights = [math.exp(-middle * log) for log in logs]
        if sum(w * log for w, log in zip(weights, logs)) / sum(weights) > seen:
            low = middle
        else:
            high = middle
    return low


@test(long=True)
def popular_offsets():
    seen = load(f"-s{SIZE}", "--zipf=1.2")
    expect_share(exponent(Counter(seen.first).values()), 1.2, "exponent")


main()
