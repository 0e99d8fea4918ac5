#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures how long the BPF programs run in bad cases: io_uring events for which the queue has no
room (a storm has thousands of them), closed rings, and killed programs. A BPF program must not
search a whole table in such a case, because any user could then slow down the machine."""
import contextlib
import json
import os
import statistics
import subprocess

from lib import kernel
from lib.ktap import *
from lib.measure import (IOSPAN, make_file, needs_another_user, needs_features,
                         needs_run, needs_workload, workload)

RINGS = workload("rings")
STATS = "/proc/sys/kernel/bpf_stats_enabled"
STEPS = 5
# Limit in ns for the mean time of a run. Only the mean of thousands of runs has a limit, because
# single runs vary. A search through the whole table takes 70 us or more. If the machine stands
# still, this disturbs the mean of one step, so the median of the steps has the limit.
WALK_NS = 10_000


def run_times(pid):
    ids, total = kernel.bpf_ids(pid, "prog"), {}
    listed = subprocess.run(["bpftool", "prog", "-j"], check=True, capture_output=True).stdout
    for p in json.loads(listed):
        if p["id"] in ids:
            total[p["name"]] = (p.get("run_time_ns", 0), p.get("run_cnt", 0))
    return total


def step(load, line=""):
    load.stdin.write(line + "\n")
    load.stdin.flush()
    assert_eq(load.stdout.readline(), "done\n", line)


def storms(pid, load):
    """Runs STEPS storms of rings.c. Returns {BPF program: (number of runs, mean run times in ns of
    the storms)}."""
    first = before = run_times(pid)
    means = {name: [] for name in first}
    for _ in range(STEPS):
        step(load)
        after = run_times(pid)
        for name, (ns, runs) in after.items():
            if runs > before[name][1]:
                means[name].append((ns - before[name][0]) / (runs - before[name][1]))
        before = after
    return {name: (runs - first[name][1], means[name]) for name, (_, runs) in before.items()}


def expect_short_runs(times):
    for name, (runs, means) in sorted(times.items()):
        if runs:
            diagnostic(f"{name}: {runs} runs, mean {statistics.median(means):.0f} ns, "
                       f"longest mean of a step {max(means):.0f} ns")
    runs, means = times["on_ring_overflow"]
    expect_ge(runs, STEPS * 2 * 4096, "events without room")
    expect_le(statistics.median(means), WALK_NS, "on_ring_overflow: ns of a run")


@contextlib.contextmanager
def tracing(*argv):
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([IOSPAN, "run", "-o", "/dev/null", "--layers=app,vfs",
                           "--backend=tracepoint", "--", "sh", "-c", 'echo; exec "$@"', "sh",
                           *argv], **options) as p:
        assert_eq(p.stdout.readline(), "\n")
        try:
            yield p
        finally:
            p.stdin.close()
            p.wait()


def needs_storms():
    needs_run("bpftool")
    needs_workload(RINGS)
    needs_features("io_uring", "io_uring_req_events", "io_uring_cqe_overflow")


@test()
def traced():
    needs_storms()
    path = make_file("load", 1 << 20)
    with kernel.restored(STATS):
        kernel.write(1, STATS)
        with tracing(RINGS, "storm", path) as p:
            expect_short_runs(storms(p.pid, p))


# The load belongs to an unprivileged user, and iospan measures another command. The load must not
# make the BPF programs slow.
@test()
def untraced_and_unprivileged():
    needs_storms()
    needs_another_user()
    path = make_file("load", 1 << 20)
    scratch = os.path.dirname(path)
    for name, mode in ((os.path.dirname(scratch), 0o711), (scratch, 0o711), (path, 0o666)):
        os.chmod(name, mode)
    with kernel.restored(STATS):
        kernel.write(1, STATS)
        with tracing("cat") as tracer, \
             subprocess.Popen([RINGS, "storm", path], user=65534, group=65534, extra_groups=[],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as load:
            expect_short_runs(storms(tracer.pid, load))
            load.stdin.close()


main()
