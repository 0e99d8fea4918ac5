#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""The requests of iospan bench load in the records of the kernel's own tracer, against its options:
if these fail, results belong to another load."""
import math
import os
import statistics
import subprocess
from collections import Counter

from lib import kernel, tracefs
from lib.ktap import *

N = scaled(100_000 if "/san/" in IOSPAN else 1_000_000)
SHARE = 0.01 * math.sqrt(1_000_000 / N)  # the relative error by chance is proportional to this
EVENT = "block/block_bio_queue"  # before the kernel merges or splits requests
EVENT_BYTES = 80  # upper bound
FOOTPRINT, PART = 64 << 20, 64 << 10
SIZE = 4096


def mean_and_cv(values):
    mean = statistics.fmean(values)
    return mean, math.sqrt(statistics.fmean([(v - mean) ** 2 for v in values])) / mean


def recorded(*options):
    """The requests of a load to a disk larger than its footprint, in the order of time."""
    needs(root(), "needs root")
    with (kernel.loop_disk(2 * FOOTPRINT) as disk,
          tracefs.instance([EVENT], N * EVENT_BYTES >> 10) as recorder):
        recorder.keep("block", f"dev == {kernel.dev(os.stat(disk).st_rdev)}")
        recorder.start()
        child = subprocess.Popen([IOSPAN, "bench", "load", disk, f"--unique-bytes={FOOTPRINT}", f"-n{N}",
                                  *options], stdout=subprocess.DEVNULL)
        assert_eq(child.wait(), 0, "status")
        recorder.stop()
        # The first thread reads signatures before the load. io_uring submits requests that a busy
        # disk would block again, from a worker thread.
        return [e for e in recorder.read()
                if e.pid != child.pid and not e.comm.startswith("iou-wrk")]


class Asked:
    """Figures of a recorded load."""

    def __init__(self, events):
        first, self.sizes = [e.sector << 9 for e in events], [e.sectors << 9 for e in events]
        ends = [a + b for a, b in zip(first, self.sizes)]
        self.first, self.requests = first, len(events)
        self.mean, self.cv = mean_and_cv(self.sizes)
        self.read = sum(e.rwbs[0] == "R" for e in events) / len(events)
        self.seq = sum(map(int.__eq__, first[1:], ends)) / len(events)
        self.footprint = PART * len({at // PART for at in first} |
                                    {(end - 1) // PART for end in ends})


def expect_share(seen, specified, what):
    """Within 1 % for a million requests. Expected zeros may be small by chance."""
    diagnostic(f"{what} {seen:.6g}, specified {specified:.6g}")
    expect_near(seen, specified, SHARE * specified or 0.0005, what)


def load(*options, mean=SIZE, cv=0., read=1., seq=0.):
    """The figures of a load, which are as specified."""
    seen = Asked(recorded(*options))
    expect_share(seen.requests, N, "requests")  # load.py compares their exact number
    for what, specified in (("mean", mean), ("cv", cv), ("read", read), ("seq", seq),
                            ("footprint", FOOTPRINT)):
        expect_share(getattr(seen, what), specified, what)
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
    """Mean 1 and deviation 1, cut off at 0 (Johnson, Kotz, Balakrishnan 1994, 13.10.1)."""
    ratio = statistics.NormalDist().pdf(1) / statistics.NormalDist().cdf(1)
    load("-s16k", "--align=512", "--size-dist=normal", mean=16384,
         cv=math.sqrt(1 - ratio - ratio ** 2) / (1 + ratio))


@test(120, long=True)
def sizes_exponential():
    load("-s16k", "--align=512", "--size-dist=exponential", mean=16384, cv=1)


@test(120)
def sizes_of_a_list():
    shares = {4096: 0.6, 16384: 0.3, 65536: 0.1}
    mean = sum(size * share for size, share in shares.items())
    squares = sum(size ** 2 * share for size, share in shares.items())
    seen = load("--size-dist=4k:60,16k:30,64k:10", mean=mean,
                cv=math.sqrt(squares - mean ** 2) / mean)
    counts = Counter(seen.sizes)
    expect_eq(set(counts), set(shares), "sizes")
    for size, share in shares.items():
        expect_share(counts[size] / N, share, f"share of {size}")


def exponent(counts, ranks=100):
    """The maximum-likelihood exponent of Zipf's law for the most popular offsets."""
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
