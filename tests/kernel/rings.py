#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares iospan's counts of io_uring requests with those of rings.c, in all its modes. A held
read is linked to a timeout, so it does not start before the timeout ends."""
from lib.ktap import *
from lib.ktap import EMULATED
from lib.measure import (added, expect_complete, in_turn, json_lines, make_file, measure,
                         needs_features, needs_workload, only, workload)

RINGS = workload("rings")
MODES = {  # {mode: minimum of "odd", its number of requests that end unusually}
    "inline": 0, "async": 0, "buffers": 0, "polled": 0, "links": 16, "hardlinks": 8, "sync": 0, "eof": 23,
    "cancel": 1, "held": 24, "overflow": 40, "same": 10000, "refused": 110, "late": 24,
}


def needs_rings(*features):
    needs_workload(RINGS)
    needs_features("io_uring", "io_uring_req_events", *features)


def measure_rings(*modes):
    path = make_file("load", 1 << 20)
    # Page faults on the program's own data would count as reads. Tracepoints do not see them, so
    # this test measures by tracepoints.
    report, out = measure(in_turn(*([RINGS, mode, path] for mode in modes)),
                          "--backend=tracepoint", *only("app,vfs"))
    diagnostic(out.strip())
    return report, json_lines(out)


def equals_events(modes):
    needs_rings()
    report, loads = measure_rings(*modes)
    for load, (mode, odd) in zip(loads, modes.items(), strict=True):
        expect_ge(load["odd"], odd, f"{mode}: requests with the end of the mode")
    for name in ("read", "write", "sync"):
        answered = added(load[name] for load in loads)
        for layer in ("app", "vfs"):
            row = report.layers[layer]["operations"].get(name, dict.fromkeys(
                ("accesses", "bytes", "errors"), 0))
            seen = [row["accesses"], row["bytes"], row["errors"]]
            expect_eq(seen, answered, f"{layer}: {name}s")
    # T is the time with I/O in flight. It must not go on after the load.
    expect_le(report.span_ns("vfs"), sum(load["at_most_ns"] for load in loads), "vfs: T")
    expect_complete(report)


if EMULATED:
    test(name="all_modes_in_one_run")(lambda: equals_events(MODES))
else:
    for one, least in MODES.items():
        test(name=one)(lambda m=one, n=least: equals_events({m: n}))


def equals_to_the_end(mode):
    """Runs a mode that ends with reads in flight. iospan must count each read once: as an access,
    or as the loss ring_killed (the read was in flight when its ring ended)."""
    needs_rings()
    report, [load] = measure_rings(mode)
    killed = report.losses["ring_killed"]
    diagnostic(f"{killed} of {load['odd']} still in flight at the end")
    expect_eq(report.operation("vfs", "read")[0] + killed, load["odd"], "vfs: reads")
    expect_complete(report, "ring_killed")


# When a program ends, the kernel cancels its requests, possibly some time later.
test(name="reads_held_at_the_end")(lambda: equals_to_the_end("exit"))
# The last reads may end after the program's end, when the kernel frees their ring.
test(name="one_user_data_to_the_end")(lambda: equals_to_the_end("leave"))


main()
