#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: trace
"""Compares the pressure (PSI) in `iospan stat` with the kernel's PSI files. Compares the time for
which the kernel throttles writers of dirty pages with the tracepoint balance_dirty_pages."""
import json
import os
import re
import signal
import subprocess
import threading
import time
from contextlib import contextmanager

from lib import kernel
from lib.cgroups import Groups
from lib.ktap import *
from lib.ktap import EMULATED
from lib.measure import fio_command, needs_run, needs_workload, workload

MACHINE = "/proc/pressure/io"
TRACING = "/sys/kernel/tracing"
SIZE = 64 << 20
PSI = {"some": "psi_some_ns", "full": "psi_full_ns"}


def needs_psi(*tools):
    needs_run(*tools)
    try:
        kernel.read(MACHINE)
    except OSError:
        needs(False, "this kernel has no PSI")


def totals(path):
    """Returns {"some": ns, "full": ns} from a PSI file: the times in which some or all tasks
    waited."""
    return {line.split()[0]: int(line.rsplit("total=", 1)[1]) * 1000
            for line in kernel.read(path).splitlines()}


class Samples:
    """Reads PSI files every 20 ms. Keeps (time before, values, time after) of each reading."""

    def __init__(self, paths):
        self.paths, self.taken, self.ended = paths, {path: [] for path in paths}, False
        self.thread = threading.Thread(target=self.sample)
        self.thread.start()

    def sample(self):
        is_last = False
        while not is_last:
            is_last = self.ended  # so the last samples are taken after the call of end()
            for path in self.paths:
                before = time.monotonic_ns()
                self.taken[path].append((before, totals(path), time.monotonic_ns()))
            time.sleep(0.02)

    def end(self):
        self.ended = True
        self.thread.join()

    def before(self, path, ns):
        return next(value for _, value, after in reversed(self.taken[path]) if after <= ns)

    def after(self, path, ns):
        return next(value for before, value, _ in self.taken[path] if before >= ns)


@contextmanager
def stat(*options, interval="500ms"):
    """Runs iospan stat. Yields (function that waits for N more intervals, list of all
    intervals)."""
    argv = [IOSPAN, "stat", "--json", *options, interval]
    child = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    intervals = []

    def wait(n):
        for _ in range(n):
            line = child.stdout.readline()
            assert_true(line, "an interval")
            intervals.append(json.loads(line))
    try:
        wait(1)
        yield wait, intervals
    finally:
        child.send_signal(signal.SIGTERM)
        child.communicate()


def wait_past_now(wait, intervals):
    """Waits for an interval that started after this call. Earlier intervals may still be in the
    pipe."""
    now = time.monotonic_ns()
    while intervals[-1]["start_ns"] < now:
        wait(1)


def of_group(interval, path):
    return next((g for g in interval["cgroups"] if g["path"] == path), None)


def pressures(intervals, path):
    rows = (of_group(i, path) if path else i for i in intervals)
    return [row["pressure"] if row else None for row in rows]


def expect_between(samples, file, intervals, following, seen, what):
    """Compares the sum of the pressures of @intervals with @samples of the PSI file. iospan reads
    the file some time after the end of an interval. So the samples give only a lower and an upper
    bound."""
    first, last = intervals[0], intervals[-1]
    for line, key in PSI.items():
        found = sum(p[key] for p in seen)
        least = (samples.before(file, last["end_ns"])[line] -
                 samples.after(file, first["end_ns"])[line])
        most = (samples.after(file, following["end_ns"])[line] -
                samples.before(file, first["start_ns"])[line])
        expect_true(max(least, 0) <= found <= most, f"{what} {line}: {least} <= {found} <= {most}")


@test()
def pressure_equals_the_files():
    needs_psi("fio")
    groups = Groups()
    with (kernel.undone(groups.remove), kernel.loop_disk(SIZE) as disk,
          stat("--by=cgroup", *groups.options) as (wait, intervals)):
        groups.make("/a")
        groups.make("/a/b")
        load = groups.start("/a/b", fio_command(
            disk, "--ioengine=psync", "--direct=1", "--rw=randread", "--bs=4k", "--time_based",
            "--runtime=600", "--thread", f"--size={SIZE}"))
        while not of_group(intervals[-1], "/a/b"):
            wait(1)
        files = {None: MACHINE, "/": groups.top + "/io.pressure",
                 "/a": groups.top + "/a/io.pressure", "/a/b": groups.top + "/a/b/io.pressure"}
        samples = Samples([*files.values()])
        while not all(samples.taken.values()):
            time.sleep(0.02)
        wait_past_now(wait, intervals)
        begin = len(intervals)
        wait(6)
        chosen = intervals[begin:]
        wait(1)
        following = intervals[-1]
        wait(2)
        samples.end()
        load.kill()
        load.communicate()
        groups.remove()
    for path, file in files.items():
        # On a busy machine, the load may stand still in an interval, which then has no row.
        seen = [p for p in pressures(chosen, path) if p]
        expect_true(seen, f"{path}: some intervals have the row")
        expect_between(samples, file, chosen, following, seen, path or "machine")


# Before and after the load, the cgroup has no tasks, so its PSI file does not change. So the test
# and iospan read the same values, and the pressure must be exact.
@test()
def a_load_between_two_idle_times_is_exact():
    needs_psi("fio")
    groups = Groups()
    with (kernel.undone(groups.remove), kernel.loop_disk(SIZE) as disk,
          stat("--by=cgroup", *groups.options) as (wait, intervals)):
        groups.make("/a")
        file = groups.top + "/a/io.pressure"
        found = []
        for count in 11, 5003:
            groups.start("/a", fio_command(
                disk, "--ioengine=psync", "--direct=1", "--rw=randread", "--bs=4k", "--thread",
                f"--number_ios={count}", f"--size={SIZE}")).communicate()
            wait_past_now(wait, intervals)
            found.append((len(intervals), totals(file)))
        groups.remove()
    (begin, before), (_, after) = found
    seen = [p for p in pressures(intervals[begin:], "/a") if p]
    for line, key in PSI.items():
        expect_eq(sum(p[key] for p in seen), after[line] - before[line], line)


def has_iowait_of_rings():
    """Returns true if a task that waits for an idle io_uring counts as iowait. This is so since
    kernel commit 8a796565cec3 ("io_uring: Use io_schedule* in cqring wait") in 6.5, and in
    6.1.39."""
    release = tuple(map(int, re.match(r"(\d+)\.(\d+)\.(\d+)", os.uname().release).groups()))
    return release >= (6, 5) or (6, 1, 39) <= release < (6, 2)


@test()
def an_idle_ring_has_pressure_without_T():
    needs_psi()
    needs_workload(workload("idle-ring"))
    needs(has_iowait_of_rings(), "needs Linux 6.5, or 6.1.39")
    groups = Groups()
    with (kernel.undone(groups.remove), kernel.loop_disk(SIZE) as disk,
          stat("--by=cgroup", *groups.options, interval="1s") as (wait, intervals)):
        groups.make("/idle")
        ring = groups.start("/idle", [workload("idle-ring"), disk])
        assert_eq(ring.stdout.readline(), "idle\n", "the ring waits")
        wait_past_now(wait, intervals)
        begin = len(intervals)
        wait(4)
        ring.kill()
        ring.communicate()
        groups.remove()
    rows = [(i["elapsed_ns"], of_group(i, "/idle")) for i in intervals[begin:]]
    for elapsed, row in rows:
        device, waited = row["layers"]["device"], row["pressure"]
        expect_eq((device["span_ns"], device["accesses"]), (0, 0), "T, accesses")
        diagnostic(f"some {waited['psi_some_ns'] / elapsed:.3f} of the interval")
    expect_ge(sum(row["pressure"]["psi_some_ns"] for _, row in rows),
              sum(elapsed for elapsed, _ in rows) / 2, "PSI some")


@contextmanager
def pauses_traced():
    """Traces balance_dirty_pages, at which the kernel pauses a writer. Yields a function that
    returns [(pid, start in ns, length in ns)] of all pauses so far."""
    event = f"{TRACING}/events/writeback/balance_dirty_pages/enable"
    found = re.compile(r"-(\d+) .* (\d+)\.(\d{6}): balance_dirty_pages: .* pause=(\d+) ")
    with kernel.restored(f"{TRACING}/trace_clock"), kernel.restored(event):
        kernel.write("mono", f"{TRACING}/trace_clock")
        kernel.write("", f"{TRACING}/trace")
        kernel.write("1", event)
        yield lambda: [(int(pid), int(s) * 10**9 + int(us) * 1000, int(ms) * 10**6)
                       for pid, s, us, ms in found.findall(kernel.read(f"{TRACING}/trace"))
                       if ms != "0"]


def union(pauses):
    total = end = 0
    for _, start, length in sorted(pauses, key=lambda p: p[1]):
        total += max(0, start + length - max(start, end))
        end = max(end, start + length)
    return total


@test()
def dirty_throttling_equals_the_tracepoint():
    needs_psi()
    needs(EMULATED, "sets limits of dirty pages for the whole machine, so only in a VM")
    groups = Groups()
    writer = ["dd", "if=/dev/zero", "bs=64k", "count=800", "status=none"]
    names = "dirty_bytes", "dirty_background_bytes"
    with kernel.undone(groups.remove):
        disk = os.environ["IOSPAN_HDD"]
        subprocess.run(["mkfs.ext4", "-q", "-F", disk], check=True)
        kernel.mount("ext4", scratch_dir(), disk)
        for name in names:
            kernel.write(str(1 << 20), f"/proc/sys/vm/{name}")
        with (stat("--by=cgroup", *groups.options, interval="1s") as (wait, intervals),
              pauses_traced() as traced):
            groups.make("/one")
            groups.make("/two")
            children = [groups.start(path, [*writer, f"of={scratch_dir()}/{n}"])
                        for n, path in enumerate(("/one", "/two", "/two"))]
            pids = [child.pid for child in children]
            while any(child.poll() is None for child in children):
                wait(1)
            wait(2)
            pauses = [p for p in traced() if p[0] in pids]
        kernel.unmount(scratch_dir())
        groups.remove()
    needs(pauses, "the kernel paused no writer")
    for path, of in ("/one", pids[:1]), ("/two", pids[1:]), ("/", pids):
        own = [p for p in pauses if p[0] in of]
        rows = [p for p in pressures(intervals, path) if p]
        seen, expected = sum(p["dirty_throttled_ns"] for p in rows), union(own)
        diagnostic(f"{path}: {seen} ns, tracepoint {expected} ns, {len(own)} pauses")
        # The time stamp of the tracepoint is rounded to 1 us. It is also a little earlier than the
        # time stamp of iospan. So the test allows a difference of 200 us for each pause.
        expect_near(seen, expected, 200_000 * len(own), f"{path}: ns")
        expect_ge(sum(length for _, _, length in own), seen, f"{path}: the sum is no less")


main()
