#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the accesses in a trace with the report of the same run, which has the sums that the BPF
programs counted. T is the time with reads or writes in flight; W also includes syncs and flushes.
An update is the moment at which a BPF program adds an access to those in flight, or removes it."""
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
                         in_turn, make_file, needs_run, needs_workload, wait_for_file, warm,
                         workload)
from lib.oracle import sweep
from lib.syncs import sync_command
from lib.updates import observed, span_bounds

SIZE = 64 << 20
RING = ("--ioengine=io_uring", "--direct=1", "--norandommap=1", "--registerfiles=1",
        "--fixedbufs=1", f"--size={SIZE}")
# AddressSanitizer makes the recorder slower, so the load is shorter in that build.
SCALE = 8 if os.path.basename(BUILD) == "san" else 1


def trace_path():
    return os.path.join(scratch_dir(), f"trace{time.monotonic_ns()}")


def read_trace(path):
    done = subprocess.Popen([IOSPAN, "export", "--format", "csv", path], text=True,
                            stdout=subprocess.PIPE)
    yield from csv.DictReader(done.stdout)
    expect_eq(done.wait(), 0, "status of export")


def parse_sealed(text):
    """Parses a JSON document and checks its hash. Returns the document."""
    document = json.loads(text)
    rest = {k: v for k, v in document.items() if k != "hash"}
    line = json.dumps(rest, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    expect_eq(document["hash"], f"sha256:{hashlib.sha256(line.encode()).hexdigest()}", "hash")
    return document


def record(argv, *options):
    path = trace_path()
    warm(argv[0])
    done = subprocess.run([IOSPAN, "record", "--json", "-o", path, *options, "--", *argv],
                          env=environment(), text=True, capture_output=True, check=False)
    assert_eq(done.returncode, 0, f"status of {argv[0]} ({done.stderr.strip()})")
    # The JSON document follows the output of the command.
    document = done.stdout[done.stdout.index('{\n  "iospan"'):]
    return Report(parse_sealed(document)), path


class Recorded:
    def __init__(self):
        self.accesses = self.bytes = self.errors = 0
        self.intervals = []

    def add(self, row, interval):
        if interval[0] < interval[1]:
            self.intervals.append(interval)
        if row["part"] == "0":
            self.accesses += 1
            self.bytes += int(row["bytes"])
            self.errors += row["error"] == "1"


def inside(path, group):
    return group == "/" or path == group or path.startswith(group + "/")


def interval_of(row, updates):
    """Returns (start, end) of an access. @updates: the test's own observations of the events, or
    None. With @updates, returns also two limits: the latest times at which iospan can have updated
    T, for the access's start and for its end."""
    start, end = int(row["start_ns"]), int(row["end_ns"])
    if updates and start < end:
        return start, end, updates.done_by(row, True, start), updates.done_by(row, False, end)
    return start, end


def gather(path, groups, updates=None):
    """Sums up the accesses of a trace. Returns {key: Recorded}. Keys are (layer or disk,
    operation), ("group", cgroup) for the reads and writes of a cgroup, ("group", cgroup, "sync"),
    and ("group", cgroup, layer, "wait"). The operation "all" stands for reads and writes, and
    "wait" for the operations that count for W. The sums of layers and cgroups exclude stacked
    disks."""
    found = defaultdict(Recorded)
    for row in read_trace(path):
        interval = interval_of(row, updates)
        layer, op, disk = row["layer"], row["op"], row["device"]
        keys = [(disk if disk else layer, op)]
        if op in ("read", "write", "sync", "flush") and row["stacked"] != "1":
            keys.append((layer, "wait"))
            keys += [("group", g, layer, "wait") for g in groups if inside(row["cgroup"], g)]
        if layer == "vfs" and op == "sync":
            keys += [("group", g, "sync") for g in groups if inside(row["cgroup"], g)]
        if op in ("read", "write"):
            keys.append((disk if disk else layer, "all"))
            if disk and row["stacked"] != "1":
                keys.append((layer, "all"))
                keys += [("group", g) for g in groups if inside(row["cgroup"], g)]
        for key in keys:
            found[key].add(row, interval)
    return found


def rows_of(report):
    """Yields (key, row) for all rows of a report. A key is (layer or disk, operation), or ("group",
    cgroup)."""
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


def late_ns(report):
    """Returns by how much T of the device layer may exceed the union of its accesses. If iospan
    loses a completion, T also has the time until iospan finds the loss."""
    return report.document["elapsed_ns"] if report.losses["completions"] else 0


def expect_between(seen, intervals, updates, what, late=0):
    """Checks that @seen, T as iospan measured it, is the length of the union of the intervals. With
    @updates, the permitted error is only the time between an event and its update. @late: time in
    ns by which T may be longer because of lost completions."""
    union, periods = sweep(intervals)
    most = sum(end - start for start, end, *_ in intervals)
    # Without overlap, the union equals the sum of the lengths, and no two accesses update T at the
    # same time. So T must be exact.
    least = union if union == most else 0
    if updates:
        least, most = span_bounds(intervals)
    most += late
    diagnostic(f"{what}: {periods} busy periods, {union}, iospan's {seen - union:+d}"
               f" (from {least - union:+d} to {most - union:+d}) ns")
    expect_true(least <= seen <= most, f"{what}: {seen}, expected {least} to {most}")


def compare_waits(report, found, updates):
    for layer in ("app", "vfs", "device"):
        if report.layers[layer]:
            expect_between(report.layers[layer]["wait_span_ns"], found[layer, "wait"].intervals,
                           updates, f"W of {layer}", late_ns(report) * (layer == "device"))
    for group in report.document.get("cgroups") or ():
        vfs, path = group["layers"]["vfs"], group["path"]
        if not vfs or group["other"]:
            continue
        expect_between(vfs["wait_span_ns"], found["group", path, "vfs", "wait"].intervals,
                       updates, f"W of {path}")
        syncs = vfs["operations"].get("sync", {"accesses": 0})["accesses"]
        expect_eq(syncs, found["group", path, "sync"].accesses, f"syncs of {path}")
    for layer, waiting in report.document["waiting"].items():
        if waiting and report.layers["device"]:
            expect_between(waiting["wait_or_device_ns"], found[layer, "wait"].intervals +
                           found["device", "wait"].intervals, updates, f"joint span of {layer}",
                           late_ns(report))


def compare(report, path, updates=None):
    """Checks that the report and the trace have the same accesses, bytes and errors, and the same T
    within bounds. @updates: the test's own observations of the events, or None. With them, the
    bounds are narrow."""
    groups = [g["path"] for g in report.document.get("cgroups") or ()]
    found = gather(path, groups, updates)
    for key, row in rows_of(report):
        part, what = found[key], " ".join(key)
        expect_eq((row["accesses"], row["bytes"], row["errors"]),
                  (part.accesses, part.bytes, part.errors), f"{what}: accesses, bytes, errors")
        expect_between(row["span_ns"], part.intervals, updates,
                       f"T of {what}, {part.accesses} accesses",
                       late_ns(report) * (key[0] not in ("app", "vfs")))
    compare_waits(report, found, updates)


def jobs(disks, *options):
    argv = fio_command(disks[0], *RING, *options)
    argv = [a for a in argv if not a.startswith(("--name", "--filename"))]
    for disk in disks:
        for cpu in sorted(os.sched_getaffinity(0))[:2]:
            argv += ["--name=load", f"--filename={disk}", f"--cpus_allowed={cpu}"]
    return argv


def contend(disks, accesses, kilobytes, *options, bounds=True):
    """Loads each disk from two CPUs, and compares the report with the trace. With @bounds, also
    observes the updates of T, which gives narrow bounds for T."""
    argv = jobs(disks, "--rw=randrw", f"--bs={kilobytes}k",
                f"--io_size={accesses // SCALE * kilobytes}k", "--output=/dev/null", *options)
    if not bounds:
        report, path = record(argv, "--by=cgroup")
        updates = None
    else:
        with observed(argv) as (line, read_updates):
            report, path = record(line, "--by=cgroup")
            updates = read_updates()
    expect_complete(report)
    compare(report, path, updates)
    os.unlink(path)


@test()
def two_cpus_lose_no_access():
    needs_run("fio")
    with kernel.loop_disk(SIZE) as disk:
        contend([disk], 10000, 4, "--iodepth=1", bounds=False)


@test(seconds=300, long=True)
def two_cpus_on_a_loop_disk():
    needs_run("fio")
    with kernel.loop_disk(SIZE) as disk:
        contend([disk], 60000, 4, "--iodepth=1")
        contend([disk], 150000, 4, "--iodepth=32", "--iodepth_batch_submit=16",
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


@test()
def every_call():
    needs_run("fio")
    family, rings, aios = (workload(name) for name in ("family", "rings", "aios"))
    needs_workload(family, rings, aios)
    # "family calls" and the syncs make one call at a time. Without overlap, T must be exact.
    for commands in (([family, "calls", make_file("calls", 1 << 20), "200", "4096"],
                      sync_command(make_file("syncs", 4096), 53)),
                     [[rings, mode, make_file("rings", 1 << 20)]
                      for mode in ("inline", "async", "links", "eof", "cancel", "overflow")]):
        report, path = record(in_turn(*commands), "--backend=tracepoint", "--by=cgroup")
        compare(report, path)


@test()
def processes_files_and_offsets():
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
                expect_eq([int(r["offset_bytes"]) for r in mine],
                          list(range(0, 1 << 20, 64 << 10)), f"{op}: offsets")


def kept(argv, *options):
    report, path = record(argv, *options)
    return report, list(read_trace(path))


# A filter must exclude accesses from the trace, but not from the sums in the report.
@test()
def filters_select_the_recorded_accesses():
    needs_run("dd")
    source, copy = make_file("source", 1 << 20), os.path.join(scratch_dir(), "copy")
    argv = ["sh", "-c", f"dd if={source} of={copy} bs=64k conv=fsync status=none; cat {copy} >/dev/null"]
    report, rows = kept(argv, "--ops=write,sync", "--process=dd", "--file=*/copy")
    for layer in "app", "vfs":
        mine = [r["op"] for r in rows if r["layer"] == layer]
        expect_eq(sorted(mine), ["sync"] + 16 * ["write"], f"{layer}: operations")
        expect_ge(report.layers[layer]["operations"]["read"]["accesses"], 17, "reads in the sums")
    expect_eq({(r["process"], r["file"]) for r in rows}, {("dd", copy)}, "process, file")
    with kernel.loop_disk(SIZE) as disk, kernel.loop_disk(SIZE) as other:
        argv = ["sh", "-c", " ".join(f"dd if={d} of=/dev/null bs=64k iflag=direct status=none;"
                                     for d in (disk, other))]
        for wanted in disk, kernel.read(kernel.of_disk(os.path.basename(disk), "dev")):
            report, rows = kept(argv, f"--device={wanted}")
            name = os.path.basename(disk)
            expect_eq({(r["layer"], r["device"]) for r in rows}, {("device", name)},
                      "recorded devices")
            expect_eq(len(rows), report.disks[name]["accesses"], "accesses")
            expect_ge(report.disks[os.path.basename(other)]["accesses"], 1,
                      "accesses to the other disk")


# Two instances of iospan measure the same load. Each of them must see the whole load.
@test()
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


# While iospan is stopped, its buffers of records become full. The load must continue. iospan must
# count the lost records. iospan is stopped before the load starts, and continues after its end.
@test()
def a_stopped_recorder_delays_nobody():
    needs_run("fio")
    path, place = trace_path(), scratch_dir()
    gate = (f"echo >{place}/ready; while [ ! -e {place}/go ]; do sleep .01; done; "
            f'"$@"; echo >{place}/done')
    with kernel.zram_disk(SIZE) as disk:
        argv = jobs([disk], "--rw=randread", "--bs=4k", "--io_size=120m", "--iodepth=32",
                    "--output=/dev/null")
        line = [IOSPAN, "record", "--json", "-o", path, "--buffer=1M", "--", "sh", "-c", gate, "sh"]
        with subprocess.Popen([*line, *argv], text=True, stdout=subprocess.PIPE) as child:
            wait_for_file(f"{place}/ready")
            kernel.stop(child.pid)
            with open(f"{place}/go", "wb"):
                pass
            wait_for_file(f"{place}/done")
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


# The program overwrites the memory that it shares with iospan. Only the app layer may become wrong.
@test()
def a_program_that_overwrites_shared_memory():
    scribble = workload("scribble")
    needs_workload(scribble)
    report, path = record([scribble])
    rows = [row for row in read_trace(path) if row["layer"] == "app"]
    diagnostic(f"{len(rows)} bogus accesses")
    expect_eq([r for r in rows if int(r["start_ns"]) > int(r["end_ns"])], [],
              "accesses that end before their start")
    expect_ge(report.losses["app_refused"], 1000, "accesses refused")


@test()
def a_program_in_another_time_namespace():
    """In a time namespace, the preloaded library has another clock than iospan. iospan must refuse
    the library's accesses. The refused accesses must not fill the buffers of records."""
    before = ["unshare", "--time", "--monotonic", "1000000"]
    needs(subprocess.run([*before, "true"], check=False).returncode == 0, "no time namespaces")
    report, path = record([*before, "dd", "if=/dev/zero", f"of={scratch_dir()}/f", "bs=64k",
                           "count=20"])
    expect_ge(report.losses["app_refused"], 20, "accesses refused")
    expect_eq(report.losses["app_records"] + report.losses["lane_records"], 0, "accesses without room")
    expect_eq([row for row in read_trace(path) if row["layer"] == "app" and
               "dd" in row["process"]], [], "accesses of the app layer")


@test()
def a_program_that_changes_checked_memory():
    """In the memory that the program shares with iospan, the program changes a code of an operation
    all the time, from valid to invalid and back. iospan must read the code only once. Otherwise, it
    could check the valid code, and write the invalid one to the trace."""
    scribble = workload("scribble")
    needs_workload(scribble)
    _, path = record([scribble, "flip"])
    found = Counter(row["op"] for row in read_trace(path) if row["layer"] == "app")
    diagnostic(f"calls in flight: {dict(found)}")
    expect_eq(set(found) - {"read"}, set(), "operations")


@test()
def killed_and_full_disk():
    needs_run("fio")
    with kernel.zram_disk(SIZE) as disk:
        load = ("--rw=randread", "--bs=4k", "--output=/dev/null")
        # Without --thread, each job of fio would be a process with a session of its own.
        # os.killpg() would not kill these processes.
        argv = jobs([disk], *load, "--thread", "--time_based", "--runtime=60", "--rate_iops=5000")
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
            # a line about lost completions may follow the line with the numbers
            claimed = {layer: int(n) for n, layer in re.findall(
                r" (\d+) (app|vfs|device),", done.stderr)}
            expect_eq({layer: n for layer, n in claimed.items() if n}, dict(layers),
                      "accesses in the trace, reported and found")


@test()
def a_signal_before_the_start_leaves_no_trace():
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
            expect_true(not left, f"{what}, after {delay} s: a trace of {size} bytes without a "
                        "start")


main()
