#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests opens, creations and closes of files in a trace."""
import json
import os
import subprocess
import sys
from collections import Counter

from lib import kernel
from lib.foreign import iospan, new_path, rows
from lib.ktap import *
from lib.ktap import EMULATED
from lib.measure import BACKENDS, named_first, needs_backend, needs_run, needs_workload, workload

OPENS = workload("opens")
OPS = ("open", "create", "close")


def record(argv, *options):
    trace = new_path("trace")
    status, out, err = iospan("record", "-o", trace, *options, "--", *argv)
    assert_eq(status, 0, err)
    return trace, out.decode()


def directory():
    path = os.path.join(scratch_dir(), f"files{len(os.listdir(scratch_dir()))}")
    os.mkdir(path)
    with open(os.path.join(path, "old"), "wb") as f:
        f.write(bytes(8192))
    return path


def characterized(trace, pattern):
    status, out, err = iospan("characterize", "--json", "-l", "vfs", "--file", pattern, trace)
    assert_eq(status, 0, err)
    layer = json.loads(out)["layers"]["vfs"]
    found = {row["key"]: row["both"] for row in layer["criteria"] if row["criterion"] == "1.5"}
    return [found[key] for key in ("opens", "creates", "closes")]


def every_call(backend):
    needs_workload(OPENS)
    needs_backend(backend)
    place = directory()
    trace, out = record(named_first([OPENS, place]), f"--backend={backend}")
    expected = json.loads(out)
    mine = [r for r in rows(trace) if r["op"] in OPS and r["file"].startswith(place + "/")]
    diagnostic(f"{out.strip()}; in all {Counter(r['op'] for r in mine)}")
    expect_eq(dict(Counter(r["op"] for r in mine)), expected, "calls")
    expect_eq({os.path.basename(r["file"]) for r in mine if r["op"] == "create"},
              {"new", "new2", "new3"}, "files created")
    expect_eq({(r["layer"], r["process"], r["bytes"], r["error"]) for r in mine},
              {("vfs", "opens", "0", "0")}, "layer, process, bytes, error")
    for row in mine:
        expect_eq(int(row["inode"]), os.stat(row["file"]).st_ino, row["file"])
        expect_le(int(row["start_ns"]) + 1, int(row["end_ns"]), "start and end")
    expect_eq(characterized(trace, place + "/*"),
              [expected["open"] + expected["create"], expected["create"], expected["close"]])


def made_again(place, *options):
    """Makes and removes five files, one after another, so that they may get the same inode number.
    Checks that each has its own name in the trace. Returns their inode numbers."""
    script = 'cd "$0"; for i in 1 2 3 4 5; do echo >made$i; rm made$i; done'
    trace, _ = record(["sh", "-c", script, place], "--layers=vfs", *options)
    mine = [r for r in rows(trace) if r["op"] in ("create", "write", "close") and
            r["file"].startswith(place + "/made")]
    expect_eq(Counter((r["op"], os.path.basename(r["file"]), r["process"]) for r in mine),
              Counter({(op, f"made{i}", "sh"): 1 for op in ("create", "write", "close")
                       for i in range(1, 6)}), "of each file")
    return {r["inode"] for r in mine}


def number_used_again(backend):
    needs_backend(backend)
    inodes = made_again(directory(), f"--backend={backend}")
    needs(len(inodes) < 5, "this file system reuses no inode number")


for one in BACKENDS:
    test(name=f"every_call_by_{one}")(lambda b=one: every_call(b))
    test(name=f"number_used_again_by_{one}")(lambda b=one: number_used_again(b))


@test()
def number_used_again_on_overlayfs():
    """iospan detects a reused inode number by the generation of the inode. Overlayfs has no
    generations, but each file must still have its own name."""
    needs(not EMULATED, "shown outside of the VMs")
    parts = {name: directory() for name in ("lowerdir", "upperdir", "workdir", "on")}
    place = parts.pop("on")
    os.unlink(os.path.join(parts["workdir"], "old"))
    how = ",".join(f"{name}={path}" for name, path in parts.items())
    done = subprocess.run(["mount", "-t", "overlay", "none", "-o", how, place], check=False,
                          text=True, capture_output=True)
    needs(done.returncode == 0, f"no overlayfs here: {done.stderr.strip()}")
    with kernel.undone(lambda: kernel.unmount(place)):
        inodes = made_again(place)
    needs(len(inodes) < 5, "this file system reuses no inode number")


@test()
def file_without_a_name():
    """A file that was made with O_TMPFILE has no name. iospan must show its inode number
    instead."""
    place = directory()
    script = "import os, sys; os.write(os.open(sys.argv[1], os.O_TMPFILE | os.O_WRONLY), b'x')"
    trace, _ = record([sys.executable, "-B", "-c", script, place], "--layers=vfs")
    found = [r for r in rows(trace) if r["file"].startswith(place + "/")]
    expect_eq([(r["op"], r["file"]) for r in found],
              [(op, f"{place}/#{found[0]['inode']}") for op in ("create", "write")])


@test()
def opens_and_closes_are_in_no_total():
    """The report must show opens and closes in separate rows, and no total may include them. dd
    duplicates the descriptor of each file, and so closes each file twice."""
    needs(not EMULATED, "shown outside of the VMs")
    needs_run("dd")
    place = directory()
    trace, _ = record(["dd", f"if={place}/old", f"of={place}/copy", "bs=4k", "status=none"])
    status, out, err = iospan("report", "--json", "--by=file", "--file", place + "/*", trace)
    assert_eq(status, 0, err)
    doc = json.loads(out)
    layer, ops = doc["layers"]["vfs"], doc["layers"]["vfs"]["operations"]
    expect_eq((layer["accesses"], layer["bytes"]), (5, 16384), "reads and writes")
    expect_eq({op: ops[op]["accesses"] for op in OPS}, {"open": 1, "create": 1, "close": 4})
    expect_eq(sum(s["accesses"] for s in layer["sources"].values()), 5, "sources")
    expect_true(all(ops[op]["span_ns"] > 0 for op in OPS), "T of their own")
    expect_le(layer["span_ns"], ops["read"]["span_ns"] + ops["write"]["span_ns"], "T of all")
    status, out, err = iospan("report", "--by=file", "--file", place + "/*", trace)
    assert_eq(status, 0, err)
    lines = [line.split() for line in out.decode().splitlines() if "open+close" in line]
    expect_eq(sorted(int(words[3]) for words in lines), [3, 3], "a line for each file")


@test()
def unknown_differs_from_none():
    """In a trace without opens and closes, their number must be unknown (null), not 0."""
    needs(not EMULATED, "shown outside of the VMs")
    needs_run("dd")
    place = directory()
    argv = ["dd", f"if={place}/old", "of=/dev/null", "bs=4k", "status=none"]
    trace, _ = record(argv, "--ops=read,write")
    expect_eq(characterized(trace, place + "/*"), [None] * 3)
    expect_eq([r["op"] for r in rows(trace) if r["op"] in OPS], [])
    trace, _ = record(argv)
    expect_eq(characterized(trace, place + "/*"), [1, 0, 2])


main()
