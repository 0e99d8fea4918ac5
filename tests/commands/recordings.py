#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the first lines of a report, which say which command was recorded, when and where. A chunk
is a block of a trace file."""
import json
import os
import re
import subprocess
import time

from lib.foreign import iospan, new_path, write
from lib.ktap import *
from lib.measure import needs_run

ROWS = "start_ns,end_ns,bytes,layer,device\n1,2,512,device,sda\n"


def record(name, *args):
    path = new_path(name)
    subprocess.run([IOSPAN, "record", "-o", path, *args], stderr=subprocess.DEVNULL, check=False)
    return path


def recordings(*paths):
    status, out, err = iospan("report", "--json", *paths)
    assert_eq(status, 0, err)
    return json.loads(out)["recordings"]


@test()
def a_report_has_the_command_and_its_status():
    needs_run()
    before = time.time_ns()
    path = record("trace", "--", "sh", "-c", "exit 3")
    seen, = recordings(path)
    host, kernel = os.uname().nodename, os.uname().release
    expect_true(before <= seen.pop("start_realtime_ns") <= time.time_ns(), "start")
    expect_true(0 < seen.pop("elapsed_ns") < time.time_ns() - before, "duration")
    title = seen.pop("title")
    expect_eq(seen, {"path": path, "argv": ["sh", "-c", "exit 3"], "exit_status": 3, "host": host,
                     "kernel": kernel})
    expect_true(re.fullmatch(rf"recorded at [-0-9]+ [:0-9]+ [-+]\d+ for [0-9.]+ \w+ on "
                             rf"{re.escape(host)}, Linux {re.escape(kernel)}, exit status 3: "
                             r"sh -c exit 3", title), title)
    expect_eq(iospan("report", path)[1].decode().splitlines()[1], title)


@test()
def a_cut_trace_has_no_status():
    needs_run()
    path = record("trace", "--", "true")
    with open(path, "rb") as f:
        data = f.read()
    # "ioc1" starts a chunk. The cut trace lacks the last two chunks, SUMS and END.
    seen, = recordings(write("cut", data[:data.rindex(b"ioc1", 0, data.rindex(b"ioc1"))]))
    expect_eq((seen["argv"], seen["exit_status"], seen["elapsed_ns"]), (["true"], None, None))
    expect_true(seen["title"].endswith(", exit status unknown: true"), seen["title"])


# Without --by cgroup, all accesses of the trace are in "/". A table that has only this row must not
# look like a result, so a note must explain it.
@test()
def a_report_says_that_a_trace_has_no_cgroups():
    needs_run()
    note = "the trace has no cgroups; record with --by cgroup"
    for options, noted in (((), True), (("--by=cgroup",), False)):
        path = record(f"groups{noted}", *options, "--layers=device", "-t", "1ms")
        for by in "cgroup", "process":
            notes = json.loads(iospan("report", "--json", f"--by={by}", path)[1])["notes"]
            expect_eq(note in notes, noted and by == "cgroup", f"{options}, by {by}: {notes}")


@test()
def each_trace_has_a_line():
    needs_run()
    machine, command = record("a", "-t", "100ms"), record("b", "--", "true")
    imported = new_path("imported")
    iospan("import", "--format=csv", "-o", imported, write("rows.csv", ROWS))
    titles = {one["path"]: (one["title"], one["argv"], one["exit_status"])
              for one in recordings(machine, command, imported)}
    expect_eq(len(titles), 3)
    expect_eq(titles[machine][1:], (None, None))
    for path, what in (machine, "the whole machine"), (command, "true"):
        expect_true(re.fullmatch(f"{path}: recorded at .* for .*: {what}", titles[path][0]), titles)
    expect_eq(titles[imported][0], f"{imported}: imported from {scratch_dir()}/rows.csv (csv)")


main()
