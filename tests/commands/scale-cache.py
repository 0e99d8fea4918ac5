#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""bench scale with a limit of memory: if this fails, it does not find what the page cache
holds."""
import os
import time

from lib import kernel
from lib.evaluation import Scale, has_memory_groups
from lib.ktap import *
from lib.measure import needs_run
from lib.throttle import limit_reads, needs_throttle


def page_cache(groups):
    """Bytes that they have in it now."""
    for group in groups:
        try:
            with open(os.path.join(group, "memory.stat"), encoding="ascii") as f:
                stat = dict(line.split() for line in f)
        except OSError:
            continue
        return int(stat.get("total_cache") or stat.get("file") or 0)
    return 0


def evaluate_slowly(limit):
    """The result, and the most page cache that the kernel counted for the group meanwhile."""
    run, most = Scale(f"--memory-limit={limit}", f"--budget={60 if EMULATED else 120}s",
                      "--no-depth", "--feedback=0"), 0
    disk = os.stat(run.dir).st_dev
    needs(kernel.disk_of(disk), "needs a directory on a whole disk")
    limit_reads(run.child, disk, 200, "iops")
    while run.child.poll() is None:
        most = max(most, page_cache(run.groups()))
        time.sleep(0.05)
    status, found, _ = run.end()
    expect_eq((status, found["memory_limit_bytes"]), (0, limit), "status, limit")
    return found, most


# The kernel counts itself what the group gets to keep. What is not there takes so long that
# little else on this machine could be taken for it; but a point that waited for others may
# move the border, so there are TRIES.
TRIES = 3


@test(seconds=600, long=True)
def the_page_cache_is_a_border():
    needs_run()
    needs(has_memory_groups(), "needs the memory controller")
    needs_throttle()
    for _ in range(TRIES):
        found, most = evaluate_slowly(scaled(256) << 20)
        borders = [border["unique_bytes"] for border in found["borders"]]
        diagnostic(f"page cache {most >> 20} MiB, borders at {[int(b) >> 20 for b in borders]} MiB")
        near = any(abs(at - most) < 0.15 * most for at in borders)
        if near:
            break
    expect_true(near, "border")
    expect_ge(len(found["regions"]), 2, "regions")
    last = found["regions"][-1]["curves"]
    expect_true(all(point["layers"]["device"]["accesses"] for point in last["read"][1:]),
                "the disk is read beyond it")


main()
