#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests set 1 (an experiment) of iospan bench sets, which compares devices of different speed."""
import json
import os
import subprocess
import time
from contextlib import ExitStack

from lib import disks, kernel
from lib.ktap import *
from lib.measure import needs_run, warm
from lib.sets import M, SMALL, each_run, expect_case, expect_definitions
from lib.throttle import limit_reads, needs_throttle

PER_SECOND = 16 * M


def directory(name, disk=None):
    """Mounts a file system on @disk, or in memory if there is no @disk. Returns its path."""
    path = os.path.join(scratch_dir(), name)
    os.mkdir(path)
    if disk:
        disks.tool("mkfs.ext4", "-q", "-O", "^has_journal", disk)
    kernel.mount("ext4" if disk else "tmpfs", path, disk or "none")
    return path


def targets(stack):
    """Returns {name: path} of five targets: memory, compressed memory, a loop disk, the disk of the
    test's directory, and a second loop disk, which the test throttles."""
    found = {"tmpfs": directory("tmpfs"),
             "zram": directory("zram", stack.enter_context(disks.zram_disk(128))),
             "loop": directory("loop", stack.enter_context(kernel.new_loop_disk(128 * M))),
             "disk": os.path.join(scratch_dir(), "disk"),
             "slow": directory("slow", stack.enter_context(kernel.new_loop_disk(128 * M)))}
    os.mkdir(found["disk"])
    for name in "zram", "loop", "slow":
        stack.callback(kernel.unmount, found[name])
    return found


def run(paths, throttled, *options):
    """Runs set 1. If this process was paused, and so the limit came after the first run on the
    throttled target had started, starts again."""
    for _ in range(5):
        warm(IOSPAN)
        child = subprocess.Popen([IOSPAN, "bench", "sets", "1", *paths, *options, "--json"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        limit_reads(child, os.stat(throttled).st_dev, PER_SECOND, "bps")
        limited_ns = time.monotonic_ns()
        out, err = child.communicate()
        assert_eq((child.returncode, err), (0, ""), "status, stderr")
        of = json.loads(out)["sets"][0]
        [case] = [case for case in of["cases"] if case["case"] == throttled]
        if limited_ns < min(one["start_ns"] for one in case["runs"]):
            break
    return of


# The throttled target takes a known time. It must be slower than the targets in memory. A pause of
# the machine makes only one run slower, so the test compares the fastest runs.
@test()
def bps_follows_the_time_of_various_devices():
    needs_run("mkfs.ext4")
    needs_throttle()
    with ExitStack() as stack:
        paths = targets(stack)
        of = run(paths.values(), paths["slow"], SMALL, "--count=2")
    cases = dict(zip(paths, of["cases"]))
    expect_eq([case["case"] for case in cases.values()], [*paths.values()], "cases")
    expect_definitions({"sets": [of]})
    for _, case, one in each_run({"sets": [of]}):
        expect_case(of, case, one)
        moved, in_memory = one["layers"]["device"]["bytes"], case is cases["tmpfs"]
        expect_true(moved == 0 if in_memory else moved >= case["bytes"],
                    f"{case['case']}: {moved} bytes of the device")
    times = {name: min(one["elapsed_ns"] for one in case["runs"]) for name, case in cases.items()}
    diagnostic(", ".join(f"{name} {ns / 1e6:.1f} ms" for name, ns in times.items()))
    slow = cases["slow"]
    expect_ge(times["slow"], slow["bytes"] / PER_SECOND * 1e9 * 0.8, "time of the throttled target")
    others = {name: ns for name, ns in times.items() if name != "disk"}  # it may have other load
    expect_eq(max(others, key=others.get), "slow", "slowest")
    bps = of["correlations"]["bps_app"]
    # The order of the fast devices depends on other load, so the correlation has only a lower
    # bound.
    expect_ge(bps["low"], 0, "lower bound of the correlation of BPS and time")


main()
