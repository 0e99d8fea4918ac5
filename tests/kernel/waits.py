#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: trace
"""Compares T, W and the syncs of nested cgroups with the system calls that two ftrace instances
observe. T is the time with reads or writes in flight; W also includes syncs."""
import os
import sys
import threading
from collections import defaultdict
from contextlib import contextmanager

from lib import kernel, tracefs
from lib.compare import WARM_NS, expect_between, expect_row, expect_span
from lib.ktap import *
from lib.measure import expect_complete, measure, needs_oracle
from lib.oracle import MEGABYTES, Operation, seen_twice

ROUNDS = scaled(80)
# A program with a process in each of the cgroups /p, /p/a and /p/b. In each round, all three start
# to write, sync and read at the same time. Each process prints its cgroup and pid.
LOAD = f"""
import mmap, os, sys, time
groups = ("/p", "/p/a", "/p/b")
top = sys.argv[1] + next(line[3:-1] for line in open("/proc/self/cgroup") if line[:3] == "0::")
ready = memoryview(mmap.mmap(-1, 4096)).cast("i")
for group in groups:
    os.mkdir(top + group)
def load(n):
    with open(top + groups[n] + "/cgroup.procs", "w") as f:
        f.write("0")
    os.write(1, f"{{groups[n]}} {{os.getpid()}}\\n".encode())
    fd = os.open(f"{{sys.argv[2]}}/load{{n}}", os.O_CREAT | os.O_RDWR)
    block = bytes((n + 1) << 15)
    for i in range({ROUNDS}):
        ready[n] = i + 1
        while min(ready[:3]) <= i:
            time.sleep(0)
        os.pwrite(fd, block, i << 12)
        (os.fsync if (i + n) % 2 else os.fdatasync)(fd)
        os.pread(fd, len(block), i << 12)
    os._exit(0)
for n in range(3):
    if not os.fork():
        load(n)
status = [os.wait()[1] for n in range(3)]
for group in reversed(groups):
    os.rmdir(top + group)
sys.exit(max(status))
"""


@contextmanager
def observed_calls(argv):
    """Observes system calls by two ftrace instances. iospan attaches its programs after the first
    instance and before the second one. So the time stamps of iospan lie between those of the
    instances. Yields (command line that waits until both instances are attached, function that
    returns the events of both)."""
    pipe = os.path.join(scratch_dir(), "observed")
    os.mkfifo(pipe)
    events = [f"syscalls/{event}" for event in tracefs.CALLS]
    with (tracefs.instance([], MEGABYTES << 10) as before,
          tracefs.instance([], MEGABYTES << 10, "after") as after):
        needs(os.path.exists(os.path.join(before.path, "events", events[0])),
              "this kernel has no events of system calls")
        before.events = after.events = events
        before.enable()
        before.start()

        def attach():
            # open() waits until the command opens the pipe. iospan starts the command after it has
            # attached its programs.
            with open(pipe, "w", encoding="ascii") as f:
                after.enable()
                after.start()
                f.write("\n")

        def read():
            before.stop()
            after.stop()
            return list(seen_twice(before.read(), after.read()))

        threading.Thread(target=attach, daemon=True).start()
        yield ["sh", "-c", 'read -r _ <"$0"; exec "$@"', pipe, *argv], read


class Calls:
    """The system calls of one cgroup, without those of the cgroups below it."""

    def __init__(self):
        self.accesses, self.syncs = Operation(), Operation()

    def add(self, call, interval, size):
        to = self.syncs if "sync" in call else self.accesses
        to.accesses += 1
        to.bytes += size if to is self.accesses else 0
        to.latency_sum_ns += interval[1] - interval[0]
        to.intervals.append(interval)


def calls_of(events, groups):
    """Sums up the calls of the processes in @groups, {pid: cgroup}. Returns {cgroup: Calls}."""
    found, started = defaultdict(Calls), {}
    sizes = {group: (n + 1) << 15 for n, group in enumerate(sorted(set(groups.values())))}
    for event in events:
        _, end, call = event.kind.split("_")
        if event.pid not in groups:
            continue
        group = groups[event.pid]
        if end == "enter":
            started[event.pid] = event
        elif start := started.pop(event.pid, None):
            found[group].add(call, (start.ns, event.ns, start.late, event.late), sizes[group])
    return found


def below(found, path):
    """Returns three sets of calls of the cgroup and the cgroups below it: reads and writes, syncs,
    and both together."""
    accesses, syncs, both = Operation(), Operation(), Operation()
    for group, calls in found.items():
        if f"{group}/".startswith(f"{path}/"):
            accesses.add(calls.accesses)
            syncs.add(calls.syncs)
    return accesses, syncs, both.add(accesses).add(syncs)


def expect_group(group, found):
    path, vfs = group["path"], group["layers"]["vfs"]
    accesses, syncs, both = below(found, path)
    expect_row(vfs, accesses, 0, f"{path}: reads and writes")
    expect_span(vfs["wait_span_ns"], both, 0, f"{path}: W")
    sync = vfs["operations"]["sync"]
    expect_eq((sync["accesses"], sync["bytes"], sync["errors"]), (syncs.accesses, 0, 0),
              f"{path}: syncs")
    expect_between(sync["latency_sum_ns"], syncs.bounds()[1], syncs.seen_once(), WARM_NS,
                   f"{path}: sum of the latencies of syncs")
    expect_eq(sum(bucket["accesses"] for bucket in sync["latency_histogram"]), syncs.accesses,
              f"{path}: syncs in the histogram")


# W of a cgroup must include the syncs of the cgroups below. Otherwise, a container with a database
# in a cgroup below would seem idle.
@test(long=True)
def nested_groups_wait():
    needs_oracle()
    needs(kernel.mounted("cgroup2"), "cgroup version 2 is not mounted")
    argv = [sys.executable, "-c", LOAD, kernel.mounted("cgroup2"), scratch_dir()]
    with observed_calls(argv) as (line, read):
        report, out = measure(line, "--by=cgroup", "--layers=vfs,device", "--attribution=task",
                              "--histogram")
        events = read()
    expect_complete(report)
    groups = {int(pid): path for path, pid in (text.split() for text in out.splitlines())}
    found = calls_of(events, groups)
    seen = {group["path"]: group for group in report.document["cgroups"]}
    expect_eq(below(found, "/p")[1].accesses, 3 * ROUNDS, "syncs that the oracle saw")
    for path in "/p", "/p/a", "/p/b":
        expect_group(seen[path], found)
    parts = sum(below(found, path)[2].span_ns() for path in ("/p/a", "/p/b"))
    diagnostic(f"W of the children: {parts} ns, of the parent {below(found, '/p')[2].span_ns()}")
    expect_le(seen["/p"]["layers"]["vfs"]["wait_span_ns"], seen["/"]["layers"]["vfs"]["wait_span_ns"],
              "W of a cgroup, against that of its parent")


main()
