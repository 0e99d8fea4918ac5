#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests system calls that signals interrupt. The kernel restarts them, or they fail with EINTR."""
import json
import os
import subprocess

from lib.ktap import *
from lib.ktap import IOSPAN
from lib.measure import (BACKENDS, expect_complete, make_file, measure, needs_backend,
                         needs_workload, only, warm, workload)

SIGNALS = workload("signals")


def expect_reads(report, load):
    row = report.layers["vfs"]["operations"]["read"]
    faults = report.layers["vfs"]["sources"].get("fault", {})
    expect_eq([row[key] - faults.get(key, 0) for key in ("accesses", "bytes", "errors")],
              load["read"], "vfs: reads")
    expect_ge(row["latency_sum_ns"], load["at_least_ns"], "vfs: sum of the latencies")


def interrupted_calls(backend):
    needs_workload(SIGNALS)
    needs_backend(backend)
    report, out = measure([SIGNALS, make_file("load", 4096)], f"--backend={backend}",
                          *only("vfs"))
    diagnostic(out.strip())
    expect_reads(report, json.loads(out))
    expect_complete(report, "app_killed")


for one in BACKENDS:
    test(name=f"by_{one}")(lambda b=one: interrupted_calls(b))


@test()
def recorded():
    """A call that the kernel restarts must be a single record in the trace."""
    needs_workload(SIGNALS)
    path = os.path.join(scratch_dir(), "trace")
    warm(SIGNALS)
    done = subprocess.run([IOSPAN, "record", "--layers=vfs", "--backend=tracepoint", "-o", path,
                           "--", SIGNALS, make_file("load", 4096)],
                          check=False, text=True, capture_output=True)
    assert_eq(done.returncode, 0, done.stderr)
    load = json.loads(done.stdout)
    lines = subprocess.run([IOSPAN, "export", "--format=jsonl", path], check=False, text=True,
                           capture_output=True).stdout.splitlines()
    rows = [row for row in map(json.loads, lines) if row["op"] == "read"]
    expect_eq([len(rows), sum(r["bytes"] for r in rows), sum(r["error"] for r in rows)],
              load["read"], "reads")
    expect_eq(sum(r["part"] for r in rows), 0, "parts of calls")
    expect_ge(sum(r["end_ns"] - r["start_ns"] for r in rows), load["at_least_ns"],
              "sum of the latencies")


main()
