#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs bench scale on simulated disks with known times. Checks the times that it reports, and the
character of each disk: "head" (seeks), "single" (one request at a time) or "parallel"."""
import json
import os
import subprocess
from contextlib import contextmanager

from lib import disks, kernel
from lib.ktap import *
from lib.measure import needs_run

KB, MB, MS = 1 << 10, 1 << 20, 1000000
PROGRAM = os.path.join(BUILD, "tests/vm/model-disk")
OFF = 0.05  # permitted relative deviation from the known time of the simulated disk
ALIKE = 1.2  # iospan calls bandwidths alike if their ratio is at most this


@contextmanager
def model_disk(request_us, far_us, mib_per_s):
    needs(os.path.exists(PROGRAM), "the disk's program is not built: make build-tests")
    with disks.module("nbd", "nbds_max=1", "max_part=0"):
        child = subprocess.Popen([PROGRAM, "/dev/nbd0", "64", str(request_us), str(far_us),
                                  str(mib_per_s)])
        try:
            disks.wait_for(lambda: disks.sectors("nbd0"), "nbd0")
            kernel.write(16 << 10, kernel.of_disk("nbd0", "queue/max_sectors_kb"))
            kernel.write(8, kernel.of_disk("nbd0", "queue/nr_requests"))
            yield "/dev/nbd0"
        finally:
            child.terminate()
            child.wait()
            disks.wait_for(lambda: not os.path.exists(kernel.of_disk("nbd0", "pid")),
                           "the end of nbd0")


def result_file():
    return os.path.join(scratch_dir(), "result.json")


def validate(workloads, seconds):
    """Runs predict --validate on the result. Returns the errors of its predictions."""
    command = [IOSPAN, "predict", result_file(), f"--validate={workloads}", "--json",
               f"--budget={seconds}s"]
    done = subprocess.run(command, text=True, check=False, capture_output=True)
    expect_eq((done.returncode, done.stdout), (1, ""), "without --destroy")
    done = subprocess.run([*command, "--destroy"], text=True, check=False, capture_output=True)
    assert_eq((done.returncode, done.stderr), (0, ""), "status, stderr")
    return json.loads(done.stdout)["validation"]["all"]


def scale(disk, seconds):
    done = subprocess.run(
        [IOSPAN, "bench", "scale", disk, "--json", "--direct", "--destroy",
         "--unique-bytes=16M", "--feedback=0", f"--budget={seconds}s", "-o",
         result_file()],
        text=True, check=False, capture_output=True)
    assert_eq((done.returncode, done.stderr), (0, ""), "status, stderr")
    found = json.loads(done.stdout)
    assert_eq(len(found["regions"]), 1, "regions")
    diagnostic(f"{len(found['points'])} points in {found['elapsed_ns'] / 1e9:.1f} s")
    region = found["regions"][0]
    for sentence in region["traits"]["sentences"]:
        diagnostic(sentence)
    return region, region["traits"]


def fio_ns(disk, mode, size, depth=1, requests=200):
    """Returns the time per request in ns as fio measures it, with @depth requests in flight."""
    done = subprocess.run(
        ["fio", "--name=job", f"--filename={disk}", f"--rw={mode}", f"--bs={size}",
         "--direct=1", "--ioengine=io_uring", f"--iodepth={depth}", "--size=16m",
         "--norandommap", "--io_size=1t", f"--number_ios={requests}",
         "--output-format=json"], text=True, check=True, capture_output=True)
    read = json.loads(done.stdout)["jobs"][0]["read"]
    return 1e9 / read["iops"]


def bytes_of(point):
    app = point["layers"]["app"]
    return app["bytes"] / app["accesses"]


def expect_share(seen, expected, what):
    diagnostic(f"{what}: {seen:.6g}, the model {expected:.6g} ({seen / expected - 1:+.1%})")
    expect_near(seen / expected, 1, OFF, what)


def expect_within(estimate, truth, what):
    """Checks that @truth is in the estimated range, or outside by at most the fraction OFF."""
    if expect_true(estimate, f"{what} is known"):
        diagnostic(f"{what}: {estimate['low']:.6g} to {estimate['high']:.6g}, true {truth:.6g}")
        expect_le(estimate["low"], truth * (1 + OFF), what)
        expect_ge(estimate["high"], truth * (1 - OFF), what)


def expect_change(said, name, truth):
    """Checks the reported effect of the workload parameter @name on the bandwidth. @truth is the
    factor by which the parameter really changes the bandwidth."""
    change = said["changes"][name]
    expect_within(change["bandwidth_factor"], truth, name)
    right = "more" if truth > ALIKE else "less" if truth < 1 / ALIKE else "alike"
    expect_true(change["difference"] in (right, None), f"{name}: {change['difference']}")


# A request that does not continue the previous one needs a seek of 6 ms. bench scale varies a
# workload in which half of the requests need a seek (the focal point). If several processes take
# turns, all requests need a seek.
@test(seconds=900)
def a_disk_with_seeks():
    needs_run("fio")
    with model_disk(200, 6000, 64) as disk:
        region, said = scale(disk, 60)
        size, procs = (region["focal"][name] for name in ("size_bytes", "process_count"))
        random, sequential = (fio_ns(disk, mode, size) for mode in ("randread", "read"))
        expect_eq(said["character"], "head")
        expect_change(said, "sequential_fraction", random / sequential if procs == 1 else 1)
        expect_change(said, "read_fraction", 1)
        if procs == 1:
            expect_within(said["seek_ns"], random - sequential, "a seek")
        expect_within(said["alternation_ns"], (random - sequential) / 2, "a turn")


# The disk serves one request after the other. A request takes 4 ms, plus the time of its bytes at
# 64 MiB/s.
@test(seconds=900)
def a_disk_that_serves_one_request_at_a_time():
    needs_run("fio")
    with model_disk(4000, 0, 64) as disk:
        region, said = scale(disk, 60)
        expect_eq(said["character"], "single")
        for point in region["curves"]["size_bytes"]:
            size, procs = bytes_of(point), point["workload"]["process_count"]
            expect_share(point["latency_mean_ns"], procs * (4 * MS + size / (64 * MB) * 1e9),
                         f"time for {size / KB:.1f} KiB")
        expect_within(said["request_ns"], procs * 4 * MS, "a request")
        expect_within(said["byte_ns"], procs * 1e9 / (64 * MB), "a byte")
        one, many = (fio_ns(disk, "randread", 32 * KB, depth) for depth in (1, 8))
        for name in "sequential_fraction", "read_fraction":
            expect_change(said, name, 1)
        expect_le(one / many, ALIKE, "gain of requests in parallel, by fio")
        expect_true(said["changes"]["depth"]["difference"] in ("alike", None), "depth")
        found = validate(10, 20)
        diagnostic(f"predictions: median error {found['error_median']:.1%}, "
                   f"repeated {found['repeatability_median']:.1%}")
        expect_eq(found["workloads"], 10)
        expect_le(found["error_median_fraction"], 0.15,
                  "median error for a disk on which only the size matters")


# Each request takes 10 ms, whatever its size and however many others are in flight.
@test(seconds=900)
def a_disk_that_serves_many_requests_at_once():
    needs_run("fio")
    with disks.null_disk("many", memory_backed=0, discard=0, completion_nsec=10 * MS,
                         submit_queues=1, hw_queue_depth=256) as disk:
        region, said = scale(disk, 80)
        expect_eq(said["character"], "parallel")
        for name in ("process_count", "depth"):
            for point in region["curves"][name]:
                at_once = point["workload"]["process_count"] * point["workload"]["depth"]
                if at_once <= 16:  # with more requests in flight, the rate depends on the CPU
                    expect_share(point["iops"], at_once / (10 * MS) * 1e9, f"{at_once} at once")
        expect_within(said["request_ns"], 10 * MS, "a request")
        for name in "sequential_fraction", "read_fraction":
            expect_change(said, name, 1)
        one, many = (fio_ns(disk, "randread", region["focal"]["size_bytes"], depth)
                     for depth in (1, 16))
        expect_ge(one / many, 3, "gain of requests in parallel, by fio")


main()
