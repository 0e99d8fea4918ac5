#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""iospan bench load against what the kernel saw: if these fail, the load is not what was
asked for, or what it says of itself is not what it did."""
import json
import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../trace"))

from lib import kernel  # noqa: E402
from lib.ktap import *  # noqa: E402
from lib.measure import expect_complete, measure, needs_run  # noqa: E402

IOSPAN = os.environ.get("IOSPAN", "build/iospan")
PLAIN = IOSPAN.replace("/san/", "/")  # as measured: a sanitised program takes no library


def load(*options):
    done = subprocess.run([IOSPAN, "bench", "load", *options], capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout, done.stderr


# Direct I/O: what the program counts, the kernel counts, at each layer. (Before it writes
# to a disk it reads there, for signatures.)
def same_at_all_layers(engine, name, *options):
    needs_run()
    with kernel.loop_disk(32 << 20) as disk:
        report, out = measure([PLAIN, "bench", "load", disk, "--json", "-u", "32M",
                               "-n", "5003", "-e", engine, *options])
        own = json.loads(out)["layers"]["app"]
        one, row = own["operations"][name], report.disks[os.path.basename(disk)]
        expect_eq((own["errors"], own["accesses"], one["bytes"]), (0, 5003, 5003 << 12),
                  "requests")
        if name == "write":
            expect_eq(report.operation("vfs", name), (5003, 5003 << 12), "vfs")
        expect_eq(row["operations"][name]["bytes"], 5003 << 12, "disk: bytes")
        expect_le(row["operations"][name]["accesses"], 5003, "disk: accesses")
        expect_complete(report)


@test()
def uring_is_what_the_kernel_sees():
    same_at_all_layers("uring", "read")
    same_at_all_layers("uring", "write", "--destroy", "--read=0")


@test()
def psync_is_what_the_kernel_sees():
    same_at_all_layers("psync", "read", "--seq=0.5")
    same_at_all_layers("psync", "write", "--destroy", "--read=0")


@test()
def a_directory_is_left_empty():
    folder = scratch_dir()
    status, out, err = load(folder, "-u", "4M", "-r", "0.5", "-n", "1000", "--json", "-p2",
                            "--buffered")
    expect_eq((status, err), (0, ""), "status, stderr")
    found = json.loads(out)
    expect_eq(found["layers"]["app"]["accesses"], 2000, "requests of two processes")
    expect_eq(found["complete"], True, "complete")
    expect_eq(os.listdir(folder), [], "files left")


# Late arrivals count from when they were due, and there are as many as asked for.
@test()
def open_loop_keeps_its_rate():
    status, out, _ = load(scratch_dir(), "-u", "4M", "--buffered", "-w", "0s", "-t", "2s",
                          "--rate=2000", "--poisson", "--json", "-b", "1", "-e", "psync")
    expect_eq(status, 0, "status")
    found = json.loads(out)["layers"]["app"]
    expect_near(found["accesses"], 4000, 400, "arrivals in 2 s")


@test()
def interrupted_gives_the_result_so_far():
    child = subprocess.Popen([IOSPAN, "bench", "load", scratch_dir(), "-u", "4M", "-t", "60s",
                              "--json", "--round=100ms", "-w", "0s", "--buffered",
                              "--live", os.path.join(scratch_dir(), "live")],
                             stdout=subprocess.PIPE, text=True)
    live = os.path.join(scratch_dir(), "live")
    while not os.path.exists(live) or os.stat(live).st_size == 0:
        pass
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate()
    found = json.loads(out)
    expect_eq((child.returncode, found["complete"], found["ended_by"]),
              (0, False, "interrupted"), "status, complete, why")
    expect_ge(found["layers"]["app"]["accesses"], 1, "requests")
    with open(live, encoding="ascii") as f:
        expect_ge(json.loads(f.readline())["app"]["accesses"], 1, "the first live line")


@test()
def wrong_usage():
    for options, words in (((), "no target"), (("/tmp", "--engine=foo"), "unknown engine"),
                           (("/tmp", "-r", "2"), "shares"), (("/tmp", "-s", "5000"), "multiple"),
                           (("/tmp", "--batch=64"), "--depth"),
                           (("/tmp", "-u", "1k"), "--unique-bytes")):
        status, out, err = load(*options)
        expect_eq((status, out), (2, ""), f"{options}: status, stdout")
        expect_true(words in err and err.count("\n") == 1, f"{options}: {err}")


main()
