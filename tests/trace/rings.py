#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Requests to io_uring, by every way that they can go: if these fail, one is counted
twice or not at all, with the wrong bytes, or keeps a span busy after its end."""
import json

from lib.ktap import *
from lib.measure import (expect_complete, make_file, measure, needs_features,
                         needs_workload, only, workload)

RINGS = workload("rings")
MODES = {  # and how many of the requests must have ended oddly, at least
    "inline": 0, "async": 0, "polled": 0, "links": 16, "hardlinks": 8, "eof": 23,
    "cancel": 1, "held": 24, "overflow": 40,
}
HELD_NS = 30_000_000_000  # those held would wait for a minute


def needs_rings(*features):
    needs_workload(RINGS)
    needs_features("io_uring", "io_uring_req_events", *features)


def measure_ring(mode):
    # without the page faults on the program's own data
    report, out = measure([RINGS, mode, make_file("load", 1 << 20)],
                          "--backend=tracepoint", *only("app,vfs"))
    diagnostic(out.strip())
    return report, json.loads(out)


def equals_events(mode, odd):
    """What the events said is what the report says."""
    needs_rings()
    report, load = measure_ring(mode)
    expect_ge(load["odd"], odd, "requests that ended as this is about")
    for name in ("read", "write"):
        for layer in ("app", "vfs"):
            row = report.layers[layer]["operations"].get(name, dict.fromkeys(
                ("accesses", "bytes", "errors"), 0))
            seen = [row["accesses"], row["bytes"], row["errors"]]
            expect_eq(seen, load[name], f"{layer}: {name}s")
    expect_le(report.span_ns("vfs"), HELD_NS, "vfs: T")
    expect_complete(report)


for one, least in MODES.items():
    test(name=one)(lambda m=one, n=least: equals_events(m, n))


# What a program leaves behind is cancelled by the kernel, when it gets round to it.
@test()
def held_at_the_end():
    needs_rings()
    report, load = measure_ring("exit")
    killed = report.losses["ring_killed"]
    diagnostic(f"{killed} of {load['odd']} still in flight at the end")
    expect_eq(report.operation("vfs", "read")[0] + killed, load["odd"], "vfs: reads")
    expect_complete(report, "ring_killed")


main()
