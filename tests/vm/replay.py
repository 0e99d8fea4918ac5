#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Replays jobs of fio on the disk on which they were recorded, and records the replay, too. Each
access takes a random time on this disk, so accesses end in another order in the replay. Both
recordings must have the same accesses, concurrency, and T (the time with accesses in flight)."""
import csv
import subprocess
from collections import Counter

from lib import disks, kernel
from lib.ktap import *
from lib.measure import needs_run
from lib.oracle import sweep

ACCESSES = 2000
LATENCY_NS = 10_000_000  # largest latency; the mean is half of it


def iospan(*words):
    done = subprocess.run([IOSPAN, *words], capture_output=True, text=True, check=False)
    assert_eq(done.returncode, 0, done.stderr)
    return done.stdout


def recorded(disk, name, command):
    """Records the command. Returns the accesses of the process that makes most accesses, their T
    and their concurrency. Excludes other processes, because in a replay, one of them looks for file
    systems on the disk."""
    path = f"{scratch_dir()}/{name}"
    iospan("record", "-q", "-l", "device", "-d", disk, "-o", path, "--", *command)
    rows = [row for row in csv.DictReader(iospan("export", "--format=csv", path).splitlines())
            if row["op"] in ("read", "write")]
    pid, _ = Counter(row["pid"] for row in rows).most_common(1)[0]
    rows = [row for row in rows if row["pid"] == pid]
    times = [(int(row["start_ns"]), int(row["end_ns"])) for row in rows]
    span_ns, _ = sweep(times)
    return (Counter((row["op"], row["offset_bytes"], row["bytes"]) for row in rows), span_ns,
            sum(end - start for start, end in times) / span_ns)


def expect_same(disk, depth):
    fio = ["fio", "--output=/dev/null", "--name=job", f"--filename={disk}", "--rw=randrw", "--rwmixread=70",
           "--bssplit=4k/60:16k/30:64k/10", "--direct=1", "--ioengine=io_uring", f"--iodepth={depth}",
           f"--number_ios={ACCESSES}"]
    first, span_ns, concurrency = recorded(disk, f"job{depth}", fio)
    second, again_ns, again = recorded(
        disk, f"replay{depth}",
        [IOSPAN, "bench", "replay", "-q", "--destroy", "-d", disk, f"{scratch_dir()}/job{depth}", disk])
    diagnostic(f"depth {depth}: T {span_ns / 1e6:.0f} ms, replayed {again_ns / 1e6:.0f} ms, "
               f"ratio {again_ns / span_ns:.3f}; concurrency {concurrency:.3f}, replayed {again:.3f}")
    expect_eq(sum(first.values()), ACCESSES, "accesses")
    expect_eq(second, first, "accesses of the replay")
    # The latencies are random, so their sum, and with it T, has a standard deviation of 2 %. The
    # concurrency does not depend on this sum.
    expect_le(abs(again / concurrency - 1), 0.05, "change of the concurrency")
    expect_le(abs(again_ns / span_ns - 1), 0.12, "change of T")


@test(seconds=1200)
def a_replay_on_the_same_disk():
    needs_run("fio")
    disks.needs_module("scsi_debug")
    with disks.scsi_debug(1, ndelay=LATENCY_NS, dev_size_mb=128, max_queue=64) as (disk,):
        disks.scsi_set(random=1)
        kernel.forbid_merges(disk)
        for depth in 1, 4, 16:
            expect_same(disk, depth)


main()
