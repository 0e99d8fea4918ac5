#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests --quiet and --verbose."""
import json
import os
import subprocess

from lib.cgroups import Groups
from lib.foreign import iospan, new_path, write
from lib.ktap import *
from lib.measure import needs_run
from lib.terminal import printed_on_terminal

LIMIT = "of the dynamic loader not counted"
LATER = "writeback by kernel threads is not charged to the command"


def measured(*options, command=("true",)):
    report = new_path("report")
    done = subprocess.run([IOSPAN, "run", "-o", report, *options, "--", *command],
                          capture_output=True, text=True, check=False)
    assert_eq(done.returncode, 0, done.stderr)
    with open(report, encoding="utf-8") as f:
        return f.read(), done.stderr


@test()
def limits_are_printed_with_verbose_only():
    needs_run()
    expect_true(LIMIT not in measured()[0], "without -v")
    expect_true(LIMIT in measured("-v")[0], "with -v")
    document = json.loads(measured("--json")[0])
    expect_true(any(LIMIT in text for text in document["limits"]), f"limits: {document['limits']}")
    expect_true(not any(LIMIT in text for text in document["notes"]), f"notes: {document['notes']}")


@test()
def limits_of_a_recording_are_printed_with_verbose_only():
    needs_run()
    trace = new_path("trace")
    subprocess.run([IOSPAN, "record", "-q", "-o", trace, "--", "true"], check=True)
    status, out, err = iospan("report", trace)
    expect_eq((status, err), (0, ""))
    expect_true(LIMIT not in out.decode() and "kernel's sums" not in out.decode(), out)
    out = iospan("report", "-v", trace)[1].decode()
    expect_true(LIMIT in out and "kernel's sums compared with this trace: app" in out, out)


# The kernel writes the command's data to the disk after the command's end. So the device layer
# lacks these writes, and a note must say so.
@test()
def a_writeback_that_comes_later_is_a_note():
    needs_run()
    writer = ("dd", "if=/dev/zero", f"of={new_path('file')}", "bs=64k", "count=16", "status=none")
    document = json.loads(measured("--json", command=writer)[0])
    needs(document["attribution"] != "io v2", "the kernel charges writeback here")
    os.remove(writer[2][3:])
    text = measured(command=writer)[0]
    expect_true(f"  note: device: {LATER}" in text, text)
    expect_true(LATER not in measured(command=("true",))[0], "a command that writes nothing")
    # Without the vfs layer, iospan does not know how many bytes the command wrote. So the note
    # appears for each command.
    expect_true(LATER in measured("--layers=device", command=writer)[0], "only the device layer")
    os.remove(writer[2][3:])
    expect_true("note:" not in measured("-q", command=writer)[0], "with -q")


def writeback(*words):
    """Returns two lists of texts about writeback: the notes, and the limits of the measurement.
    Cuts off the end of each text, such as "(I/O ...)", which says how iospan attributes I/O."""
    status, out, err = iospan(*words)
    assert_eq(status, 0, err)
    document = json.loads(out)
    return [[text.split(" (I/O")[0] for text in document[key] if "writeback" in text]
            for key in ("notes", "limits")]


def missing_for(name):
    return f"device: writeback by kernel threads is not charged to {name}"


# The rows of cgroups and processes lack writeback, so the result must name this limit. The numbers
# of the whole machine include all writeback.
@test()
def writeback_is_missing_in_rows_of_the_machine():
    needs_run()
    record = "record", "-q", "--json", "-o", new_path("trace"), "-t", "10ms"
    stat = "stat", "--json", "10ms", "1"
    expect_eq(writeback(*record), [[], []])
    expect_eq(writeback(*stat), [[], []])
    for layers in "device", "vfs,device":
        expect_eq(writeback(*stat, "-l", layers, "--by=process"),
                  [[], [missing_for("the processes")]], layers)
        expect_eq(writeback(*stat, "-l", layers, "--by=cgroup", "--attribution=task"),
                  [[], [missing_for("the cgroups")]], layers)
    expect_eq(writeback(*stat, "-l", "vfs", "--by=process"), [[], []])


@test()
def writeback_is_missing_in_a_cgroup():
    needs_run()
    groups = Groups()
    try:
        for by in "device", "cgroup", "process":
            found = writeback("stat", "--json", "--by", by, *groups.options, "10ms", "1")
            expect_true([missing_for(groups.top)] in found, f"{by}: {found}")
    finally:
        groups.remove()


@test()
def losses_are_printed_with_quiet_as_well():
    trace = new_path("trace")
    given = write("t.csv", "start_ns,end_ns,bytes\n1,2,512\n3,x,4096\n")
    status, _, err = iospan("import", "-q", "--format=csv", "--skip-bad", "-o", trace, given)
    expect_eq((status, err.count("\n"), "skipped" in err), (0, 1, True), err)
    status, out, err = iospan("report", "-q", trace)
    expect_eq((status, err), (0, ""))
    expect_true("\nlost: 1 line could not be read" in out.decode(), out)
    status, out, err = iospan("report", "-q", "--csv", trace)
    expect_true(status == 0 and "lost: 1 line could not be read and was skipped\n" in err, err)


@test()
def quiet_hides_notes_and_warnings():
    trace = new_path("trace")
    given = write("t.csv", "start_ns,end_ns,bytes\n1,2,512\n3,9,4096\n")
    expect_eq(iospan("import", "--format=csv", "-o", trace, given)[0], 0)
    os.truncate(trace, os.path.getsize(trace) - 20)
    note = "the trace ends early"
    expect_true("note: " + note in iospan("report", trace)[1].decode(), "the note")
    expect_true("note:" not in iospan("report", "-q", trace)[1].decode(), "the note with -q")
    expect_true(note in iospan("report", "--csv", trace)[2], "the warning")
    expect_eq(iospan("report", "--csv", "--quiet", trace)[2], "", "the warning with --quiet")


@test()
def quiet_hides_progress():
    load = ("bench", "load", write("data", bytes(1 << 20)), "--engine=null", "--unique-bytes=1M", "-t", "1s", "--warm-up=0")
    expect_true("IOPS" in printed_on_terminal([IOSPAN, *load]), "the progress")
    expect_eq(printed_on_terminal([IOSPAN, *load, "-q"]), "", "the progress with -q")


# On a busy machine, the kernel takes seconds to load the BPF programs. So iospan must show progress
# on a terminal.
@test()
def the_start_of_the_tracer_is_progress():
    needs_run()
    stat = [IOSPAN, "stat", "-i", "10ms", "-n", "1"]
    expect_eq(printed_on_terminal(stat), "\rloading the kernel programs\033[K\r\033[K", "the progress")
    expect_eq(printed_on_terminal([*stat, "-q"]), "", "the progress with -q")


@test()
def quiet_and_verbose_exclude_each_other():
    for command in "run", "report", "version", "characterize", "bench load":
        status, _, err = iospan(*command.split(), "-qv")
        expect_eq((status, err), (2, "iospan: --quiet and --verbose exclude each other\n"), command)


main()
