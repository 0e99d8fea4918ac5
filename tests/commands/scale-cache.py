#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs iospan bench scale with a memory limit, to find the size of the page cache. An evaluation is
one run of iospan bench scale. A point is one measured workload."""
import os
import time

from lib import kernel
from lib.evaluation import Scale, has_memory_groups
from lib.ktap import *
from lib.measure import needs_run
from lib.throttle import limit_reads, needs_throttle


def page_cache(groups):
    for group in groups:
        try:
            with open(os.path.join(group, "memory.stat"), encoding="ascii") as f:
                stat = dict(line.split() for line in f)
        except OSError:
            continue
        return int(stat.get("total_cache") or stat.get("file") or 0)
    return 0


def evaluate_slowly(limit):
    """Runs the evaluation on a disk that is limited to 200 reads per second. Returns (result,
    largest page cache of its cgroups in bytes)."""
    run, most = Scale(f"--memory-limit={limit}", f"--budget={60 if EMULATED else 240}s",
                      "--no-depth", "--feedback=0"), 0
    disk = os.stat(run.dir).st_dev
    needs(kernel.disk_of(disk), "needs a directory on a whole disk")
    limit_reads(run.child, disk, 200, "iops")
    while run.child.poll() is None:
        most = max(most, page_cache(run.groups()))
        time.sleep(0.05)
    status, found, said = run.end()
    expect_eq((status, found["memory_limit_bytes"]), (0, limit), f"status, limit: {said}")
    return found, most


def bracket(found):
    """Returns a lower and an upper bound for the size of the page cache. With as much data as the
    lower bound, no request reads from the disk. With as much data as the upper bound, at least a
    tenth of the requests read from the disk. Other load changes times, but not these counts."""
    points = sorted((p["workload"]["unique_bytes"], p["layers"]["device"]["accesses"],
                     p["layers"]["app"]["accesses"]) for p in found["sweep"])
    most = min(size for size, disk, app in points if disk * 10 >= app)
    return max(size for size, disk, _ in points if not disk and size < most), most


@test(seconds=600, long=True)
def the_page_cache_is_a_border():
    needs_run()
    needs(has_memory_groups(), "needs the memory controller")
    needs_throttle()
    found, cached = evaluate_slowly(scaled(256) << 20)
    least, most = bracket(found)
    borders = [(b["from_bytes"], b["unique_bytes"], b["to_bytes"]) for b in found["borders"]]
    diagnostic(f"page cache {cached >> 20} MiB, between points of {int(least) >> 20} and "
               f"{int(most) >> 20} MiB; borders from, at, to "
               f"{[tuple(int(size) >> 20 for size in b) for b in borders]} MiB")
    expect_true(any(start <= most and end >= least for start, _, end in borders),
                "a border where the page cache ends")
    if EMULATED:  # only in the emulated VM, where no other program uses memory
        expect_true(any(abs(at - cached) < 0.15 * cached for _, at, _ in borders),
                    "a border at the size of the page cache")
    expect_ge(len(found["regions"]), 2, "regions")
    last = found["regions"][-1]["curves"]
    expect_true(all(point["layers"]["device"]["accesses"] for point in last["read_fraction"][1:]),
                "beyond the border, each point reads from the disk")


main()
