#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""What is recorded against what the kernel programs have added up at the same time: if this
fails, an access is missing in one of them, or the online union is wrong when CPUs contend
for it."""
import csv
import hashlib
import json
import os
import re
import signal
import subprocess
import time
from collections import Counter, defaultdict
from contextlib import ExitStack

from lib import kernel
from lib.ktap import *
from lib.measure import (Report, command_line, environment, expect_complete, fio_command,
                         make_file, needs_run, needs_workload, warm, workload)
from lib.oracle import sweep

SIZE = 64 << 20
RING = ("--ioengine=io_uring", "--direct=1", "--norandommap=1", "--registerfiles=1",
        "--fixedbufs=1", f"--size={SIZE}")
SHORT_NS = 10_000_000  # of a shorter T, a single late access would be too much
# The kernel programs are the same in both builds, the recorder is slower in one. There the
# load is shorter, so that what comes too late by chance weighs more.
SCALE = 8 if os.path.basename(BUILD) == "san" else 1
LIMIT = 1e-4 * SCALE ** 0.5
TRIES, TRIES_DISTURBED = 4, 24


def trace_path():
    return os.path.join(scratch_dir(), f"trace{time.monotonic_ns()}")


def read_trace(path):
    """Its accesses, as export has them."""
    done = subprocess.Popen([IOSPAN, "export", "--format", "csv", path], text=True,
                            stdout=subprocess.PIPE)
    yield from csv.DictReader(done.stdout)
    expect_eq(done.wait(), 0, "status of export")


def parse_sealed(text):
    """The document, whose hash is that of the rest of it."""
    document = json.loads(text)
    rest = {k: v for k, v in document.items() if k != "hash"}
    line = json.dumps(rest, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    expect_eq(document["hash"], f"sha256:{hashlib.sha256(line.encode()).hexdigest()}", "hash")
    return document


def record(argv, *options):
    """(Report of the sums, path of the trace)"""
    path = trace_path()
    warm(argv[0])
    done = subprocess.run([IOSPAN, "record", "--json", "-o", path, *options, "--", *argv],
                          env=environment(), text=True, capture_output=True, check=False)
    assert_eq(done.returncode, 0, f"status of {argv[0]} ({done.stderr.strip()})")
    document = done.stdout[done.stdout.index('{\n  "iospan"'):]  # after the command's own
    return Report(parse_sealed(document)), path


class Recorded:
    """Some of the accesses of a trace."""

    def __init__(self):
        self.accesses = self.bytes = self.errors = 0
        self.intervals = []

    def add(self, row):
        begin, end = int(row["start_ns"]), int(row["end_ns"])
        if begin < end:
            self.intervals.append((begin, end))
        if row["part"] == "0":
            self.accesses += 1
            self.bytes += int(row["bytes"])
            self.errors += row["error"] == "1"


def inside(path, group):
    return group == "/" or path == group or path.startswith(group + "/")


def gather(path, groups):
    """Each part that a report has a row of: by (layer, operation), (disk, operation) and
    group; "all" is reads and writes, in a total those of bottom disks."""
    found = defaultdict(Recorded)
    for row in read_trace(path):
        layer, op, disk = row["layer"], row["op"], row["device"]
        keys = [(disk if disk else layer, op)]
        if op in ("read", "write"):
            keys.append((disk if disk else layer, "all"))
            if disk and row["stacked"] != "1":
                keys.append((layer, "all"))
                keys += [("group", g) for g in groups if inside(row["cgroup"], g)]
        for key in keys:
            found[key].add(row)
    return found


def rows_of(report):
    """(key as above, row) of all that a report has."""
    for layer, part in report.layers.items():
        if part and part["accesses"]:
            yield (layer, "all"), part
            for op, row in part.get("operations", {}).items():
                yield (layer, op), row
    for name, disk in report.disks.items():
        yield (name, "all"), disk
        for op, row in disk["operations"].items():
            yield (name, op), row
    for group in report.document.get("cgroups") or ():
        if group["path"] != "(other)":
            yield ("group", group["path"]), group["layers"]["device"]


def compare(report, path):
    """The same accesses, bytes, errors. By how much, as a part of it, a T is off at most,
    and which."""
    groups = [g["path"] for g in report.document.get("cgroups") or ()]
    found, worst = gather(path, groups), (0, "")
    for key, row in rows_of(report):
        part, what = found[key], " ".join(key)
        expect_eq((row["accesses"], row["bytes"], row["errors"]),
                  (part.accesses, part.bytes, part.errors), f"{what}: accesses, bytes, errors")
        union, periods = sweep(part.intervals)
        off = (row["span_ns"] - union) / max(union, 1)
        diagnostic(f"{what}: {part.accesses} accesses, {periods} busy periods, T {union},"
                   f" the kernel's {row['span_ns'] - union:+d} ns ({off:+.1e})")
        if union > SHORT_NS:
            worst = max(worst, (abs(off), what))
    return worst


def wait_for_file(path, size=1):
    while not os.path.exists(path) or os.path.getsize(path) < size:
        time.sleep(0.05)


def jobs(disks, *options):
    """One fio with a job on each CPU for each disk."""
    argv = fio_command(disks[0], *RING, *options)
    argv = [a for a in argv if not a.startswith(("--name", "--filename"))]
    for disk in disks:
        for cpu in sorted(os.sched_getaffinity(0))[:2]:
            argv += ["--name=load", f"--filename={disk}", f"--cpus_allowed={cpu}"]
    return argv


def contending(disks, accesses, kilobytes, *options):
    """(report, path of the trace)"""
    report, path = record(
        jobs(disks, "--rw=randrw", f"--bs={kilobytes}k",
             f"--io_size={accesses // SCALE * kilobytes}k", "--output=/dev/null",
             *options), "--by=cgroup")
    expect_complete(report)
    return report, path


def contend(disks, accesses, kilobytes, *options):
    """An interrupt that stops a CPU between the clock and the word makes it late, and T wrong by
    that; a hypervisor does so for longer, and more often than not. So one run may be off, but not
    each of some, nor each of many in which the host took time away."""
    tries = 0
    for _ in range(TRIES_DISTURBED):
        before = kernel.stolen_ms()
        report, path = contending(disks, accesses, kilobytes, *options)
        off, what = compare(report, path)
        os.unlink(path)
        if off <= LIMIT:
            return
        tries += kernel.stolen_ms() == before
        if tries == TRIES:
            break
    fail(f"{what}: T is off by {off:.1e} of the union of its time stamps, and so it was each time")


# In and out of the kernel as fast as it goes: busy periods are short at depth 1, and
# each CPU finds the other in the middle of an update.
@test()
def two_cpus_lose_no_access():
    needs_run("fio")
    with kernel.loop_disk(SIZE) as disk:
        compare(*contending([disk], 60000, 4, "--iodepth=1"))


@test(seconds=300, long=True)
def two_cpus_on_a_loop_disk():
    needs_run("fio")
    with kernel.loop_disk(SIZE) as disk:
        contend([disk], 60000, 4, "--iodepth=1")
        contend([disk], 350000, 4, "--iodepth=32", "--iodepth_batch_submit=16",
                "--iodepth_batch_complete_max=16")


@test(seconds=300, long=True)
def two_cpus_on_a_disk_without_requests():
    needs_run("fio")
    needs(os.path.exists("/sys/class/zram-control/hot_add"), "needs zram")
    with kernel.zram_disk(SIZE) as disk:
        contend([disk], 200000, 16, "--iodepth=1")


@test(seconds=300, long=True)
def two_cpus_on_three_disks():
    needs_run("fio")
    with ExitStack() as stack:
        disks = [stack.enter_context(kernel.loop_disk(SIZE)) for _ in range(2)]
        if os.path.exists("/sys/class/zram-control/hot_add"):
            disks.append(stack.enter_context(kernel.zram_disk(SIZE)))
        contend(disks, 40000, 16, "--iodepth=4")


# All that the vfs layer knows: each call, requests that fail, that are put off, cancelled.
@test(seconds=120)
def every_call():
    needs_run("fio")
    family, rings, aios = (workload(name) for name in ("family", "rings", "aios"))
    needs_workload(family, rings, aios)
    for argv in ([family, "calls", make_file("calls", 1 << 20), "200", "4096"],
                 *([rings, mode, make_file("rings", 1 << 20)]
                   for mode in ("inline", "async", "links", "eof", "cancel", "overflow"))):
        report, path = record(argv, "--backend=tracepoint")
        compare(report, path)


# Which process, which file, where in it.
@test()
def who_and_where():
    needs_run("dd")
    source, copy = make_file("source", 1 << 20), os.path.join(scratch_dir(), "copy")
    _, path = record(["dd", f"if={source}", f"of={copy}", "bs=64k", "status=none"])
    for layer in "app", "vfs":
        rows = [r for r in read_trace(path) if r["layer"] == layer]
        for op, file in (("read", source), ("write", copy)):
            mine = [r for r in rows if r["op"] == op and os.path.basename(r["file"]) ==
                    os.path.basename(file) and r["bytes"] != "0"]
            expect_eq(len(mine), 16, f"{layer}: {op}s")
            expect_eq({r["process"] for r in mine}, {"dd"}, f"{layer}: process")
            expect_eq({int(r["inode"]) for r in mine}, {os.stat(file).st_ino}, "inode")
            if layer == "vfs":
                expect_eq([int(r["offset"]) for r in mine],
                          list(range(0, 1 << 20, 64 << 10)), f"{op}: offsets")


def kept(argv, *options):
    """(report of all, rows of what is kept)"""
    report, path = record(argv, *options)
    return report, list(read_trace(path))


# What is left out is in the sums, and nowhere else.
@test()
def only_what_is_wanted():
    needs_run("dd")
    source, copy = make_file("source", 1 << 20), os.path.join(scratch_dir(), "copy")
    argv = ["sh", "-c", f"dd if={source} of={copy} bs=64k conv=fsync status=none; cat {copy} >/dev/null"]
    report, rows = kept(argv, "--ops=write,sync", "--process=dd", "--file=*/copy")
    for layer in "app", "vfs":
        mine = [r["op"] for r in rows if r["layer"] == layer]
        expect_eq(sorted(mine), ["sync"] + 16 * ["write"], f"{layer}: operations")
        expect_ge(report.layers[layer]["operations"]["read"]["accesses"], 17, "reads summed up")
    expect_eq({(r["process"], r["file"]) for r in rows}, {("dd", copy)}, "process, file")
    with kernel.loop_disk(SIZE) as disk, kernel.loop_disk(SIZE) as other:
        argv = ["sh", "-c", " ".join(f"dd if={d} of=/dev/null bs=64k iflag=direct status=none;"
                                     for d in (disk, other))]
        for wanted in disk, kernel.read(kernel.of_disk(os.path.basename(disk), "dev")):
            report, rows = kept(argv, f"--device={wanted}")
            name = os.path.basename(disk)
            expect_eq({(r["layer"], r["device"]) for r in rows}, {("device", name)}, "kept")
            expect_eq(len(rows), report.disks[name]["accesses"], "accesses")
            expect_ge(report.disks[os.path.basename(other)]["accesses"], 1, "the other disk's")


# Two that know nothing of each other see the same load.
@test(seconds=120)
def run_and_record_beside_each_other():
    needs_run("fio")
    version2 = [g for g in kernel.own_groups() if g.startswith(kernel.mounted("cgroup2"))]
    [folder] = kernel.make_groups(version2, f"iospan-test-{os.getpid()}")
    with (kernel.undone(lambda: kernel.remove_groups([folder])),
          kernel.zram_disk(SIZE) as disk):
        path = trace_path()
        with subprocess.Popen([IOSPAN, "record", "-o", path, "--duration=1h", "--within", folder,
                               "--layers=vfs,device"], stderr=subprocess.PIPE) as other:
            wait_for_file(path)
            argv = jobs([disk], "--rw=randrw", "--bs=4k", "--io_size=40000k", "--iodepth=8",
                        "--output=/dev/null")
            line = command_line(argv, f"--parent={folder}", "--layers=vfs,device")
            done = subprocess.run(line, env=environment(), check=False)
            other.send_signal(signal.SIGTERM)
            other.communicate()
        assert_eq((done.returncode, other.returncode), (0, 0), "status")
        with open(line[line.index("-o") + 1], encoding="utf-8") as f:
            report = Report(json.load(f))
        found = gather(path, [])
        name = os.path.basename(disk)
        for op in "read", "write":
            row, part = report.disks[name]["operations"][op], found[name, op]
            expect_eq((part.accesses, part.bytes), (row["accesses"], row["bytes"]), op)


# What a full ring costs is told, and what is there is right.
@test()
def nobody_waits_for_a_recorder_that_is_stopped():
    needs_run("fio")
    path = trace_path()
    with kernel.zram_disk(SIZE) as disk:
        argv = jobs([disk], "--rw=randread", "--bs=4k", "--io_size=400m", "--iodepth=32",
                    "--output=/dev/null")
        with subprocess.Popen([IOSPAN, "record", "--json", "-o", path, "--buffer=1M", "--",
                               *argv], text=True, stdout=subprocess.PIPE) as child:
            wait_for_file(path, 20_000)
            child.send_signal(signal.SIGSTOP)
            time.sleep(0.5)
            child.send_signal(signal.SIGCONT)
            report = Report(json.loads(child.communicate()[0]))
    expect_eq(child.returncode, 0, "status")
    lost = {layer: report.losses[f"{layer}_records"] for layer in report.layers}
    found = gather(path, [])
    diagnostic(f"lost: {lost}")
    for layer, row in report.layers.items():
        expect_ge(lost[layer], 1, f"{layer}: accesses lost")
        expect_eq(found[layer, "all"].accesses + lost[layer], row["accesses"],
                  f"{layer}: accesses recorded and lost")


# What a program shares with us it can write over: that spoils its own column.
@test()
def a_program_that_writes_over_what_it_shares():
    scribble = workload("scribble")
    needs_workload(scribble)
    report, path = record([scribble])
    rows = [row for row in read_trace(path) if row["layer"] == "app"]
    diagnostic(f"{len(rows)} accesses that nobody made")
    expect_eq([r for r in rows if int(r["start_ns"]) > int(r["end_ns"])], [], "made of dust")
    expect_ge(report.losses["app_records"], 1000, "accesses refused")


@test()
def a_program_that_changes_what_is_checked():
    """While the calls in flight are recorded: each has the operation that was checked."""
    scribble = workload("scribble")
    needs_workload(scribble)
    _, path = record([scribble, "flip"])
    found = Counter(row["op"] for row in read_trace(path) if row["layer"] == "app")
    diagnostic(f"calls in flight: {dict(found)}")
    expect_eq(set(found) - {"read"}, set(), "operations")


# Ended in any way, a trace is what was recorded until then.
@test(seconds=120)
def killed_and_full():
    needs_run("fio")
    with kernel.zram_disk(SIZE) as disk:
        load = ("--rw=randread", "--bs=4k", "--output=/dev/null")
        # as threads: its processes would be sessions of their own, and stay
        argv = jobs([disk], *load, "--thread", "--time_based", "--runtime=60")
        path = trace_path()
        with subprocess.Popen([IOSPAN, "record", "-o", path, "--", *argv],
                              stderr=subprocess.PIPE, start_new_session=True) as child:
            wait_for_file(path, 100_000)
            child.kill()
            child.wait()
            os.killpg(child.pid, signal.SIGKILL)
        seen = sum(1 for _ in read_trace(path))
        diagnostic(f"killed: {seen} accesses")
        expect_ge(seen, 1000, "accesses before the kill")
        folder = os.path.join(scratch_dir(), "small")
        os.mkdir(folder)
        kernel.mount("tmpfs", folder, options="size=256k")
        with kernel.undone(lambda: kernel.unmount(folder)):
            path = os.path.join(folder, "trace")
            done = subprocess.run([IOSPAN, "record", "-o", path, "--",
                                   *jobs([disk], *load, "--io_size=100m")],
                                  text=True, capture_output=True, check=False)
            expect_eq(done.returncode, 1, "full disk: status")
            expect_true("No space left" in done.stderr, done.stderr)
            layers = Counter(row["layer"] for row in read_trace(path) if row["part"] == "0")
            expect_ge(layers.total(), 1000, "accesses before it was full")
            claimed = {layer: int(n) for n, layer in re.findall(
                r" (\d+) (app|vfs|device),", done.stderr.splitlines()[-1])}
            expect_eq({layer: n for layer, n in claimed.items() if n}, dict(layers),
                      "accesses that it says are in the trace, and those that are")


# A signal ends the program at any moment, from the first on.
@test(seconds=120)
def a_signal_before_it_begins_leaves_no_trace():
    needs_run()
    for *options, what in (("--", "touch", None, "a command"), ("--duration=1h", "the machine")):
        for delay in (None, 0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8):
            path, ran = trace_path(), os.path.join(scratch_dir(), f"ran{time.monotonic_ns()}")
            with subprocess.Popen([IOSPAN, "record", "--layers=device", "-o", path,
                                   *(ran if word is None else word for word in options)],
                                  stderr=subprocess.DEVNULL) as child:
                until = time.monotonic() + (60 if delay is None else delay)
                while child.poll() is None and time.monotonic() < until and not (
                        delay is None and os.path.exists(path)):
                    time.sleep(0.001)
                child.send_signal(signal.SIGTERM)
            if os.path.exists(ran):
                continue
            size = os.path.getsize(path) if os.path.exists(path) else 0
            left = size and "ends early" in subprocess.run(
                [IOSPAN, "report", path], text=True, capture_output=True, check=False).stdout
            expect_true(not left, f"{what}, after {delay} s: a trace of {size} bytes that never "
                        "began")


main()
