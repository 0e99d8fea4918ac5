#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: trace
"""Compares the intervals of `iospan stat` with the numbers that the loads print, and with the
oracle, which computes accesses from ftrace events."""
import csv as csv_module
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
from contextlib import ExitStack, contextmanager

from lib import kernel
from lib.cgroups import Groups
from lib.compare import RING, WARM_NS, expect_row
from lib.groups import GroupOracle
from lib.ktap import *
from lib.measure import COMPLETING, fio_command, fio_result, make_file, needs_oracle, needs_run
from lib.oracle import recorder

SIZE = 64 << 20
CONTAINER = "3f4e1a9c0b7d5e6f8a9b0c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f4051"
ADDED = ("accesses", "bytes", "errors", "span_ns", "latency_sum_ns")


def stat(*words):
    return subprocess.run([IOSPAN, "stat", *words], text=True, capture_output=True, check=False)


def stat_with(row, *words):
    """Runs `iospan stat` until its text has a line that starts with @row. Returns the text. On a
    busy machine, a load may make no I/O in some intervals."""
    while f"\n{row}" not in (done := stat(*words)).stdout:
        assert_eq(done.returncode, 0, done.stderr)
    return done.stdout


def firsts(table):
    """Returns the first word of each line, without losses, and without notes about disks of other
    tests."""
    return [line.split()[0] for line in table.splitlines()
            if line and not line.startswith(("lost: ", "note: "))]


class Watch:
    def __init__(self, *options, interval="30ms"):
        self.begun = time.monotonic()
        self.path = os.path.join(scratch_dir(), f"stat{time.monotonic_ns()}")
        with open(self.path, "w", encoding="utf-8") as f:
            self.child = subprocess.Popen([IOSPAN, "stat", "--json", *options, interval],
                                          stdout=f, stderr=subprocess.PIPE, text=True)
        self.wait(1)

    def read(self):
        with open(self.path, encoding="utf-8") as f:
            return f.read()

    def intervals(self):
        return [json.loads(line) for line in self.read().rpartition("\n")[0].splitlines()]

    def wait(self, n):
        until = self.read().count("\n") + n
        while self.read().count("\n") < until and self.child.poll() is None:
            time.sleep(0.01)

    def end(self):
        """Stops iospan after the interval in which the last access of the load ended."""
        self.wait(2)
        # SIGTERM, because iospan ignores SIGINT if the tests are a background job of a shell.
        self.child.send_signal(signal.SIGTERM)
        _, err = self.child.communicate()
        assert_eq((self.child.returncode, err), (0, ""), "status, stderr")
        text = self.read()
        expect_true(text.endswith("\n"), "complete lines")
        return [json.loads(line) for line in text.splitlines()]


def add_up(rows):
    rows = list(rows)
    return {key: sum(row[key] for row in rows) for key in ADDED}


# Checks two rows that have the same accesses. iospan updates T (the time with I/O in flight) of the
# rows one after the other. So only T may differ, within the oracle's bounds.
def expect_alike(row, other, operation, lost, what):
    expect_row(row, operation, lost, what)
    expect_row(other, operation, lost, what)
    for key in ADDED:
        if key != "span_ns":
            expect_eq(row[key], other[key], f"{what}: {key}")


def of_disk(intervals, name):
    return [d for i in intervals for d in i["devices"] if d["name"] == name]


def of_group(intervals, path):
    return [g["layers"]["device"] for i in intervals for g in i["cgroups"]
            if g["path"] == path]


def expect_seamless(intervals, whole_machine=False):
    for one, next_one in zip(intervals, intervals[1:]):
        expect_eq(next_one["start_ns"], one["end_ns"], "start, against the previous end")
    for one in intervals:
        expect_eq(one["end_ns"] - one["start_ns"], one["elapsed_ns"], "elapsed")
        if whole_machine:  # other programs may have any loss
            continue
        expect_eq({k: n for k, n in one["losses"].items()
                   if n and k not in ("completions", "issues", "late_bios", "missed_runs", "nested",
                                      "requeues")},
                  {}, "losses")
        expect_eq({name: n for name, n in one["missed_runs"].items()
                   if n and name.removesuffix("_nested") not in COMPLETING},
                  {}, "missed runs, without those of completions")


def untimed(intervals):
    """Returns the number of accesses with a completion that was lost or interrupted another one."""
    return sum(i["losses"][kind] for i in intervals for kind in ("completions", "nested"))


def repeated(argv, holds):
    """Returns a command that runs @argv again and again, until holds() is true."""
    stop = os.path.join(scratch_dir(), "stop")

    def wait():
        while not holds():
            time.sleep(0.05)
        with open(stop, "wb"):
            pass
    threading.Thread(target=wait, daemon=True).start()
    return ["sh", "-c", 'until [ -e "$0" ]; do "$@" >/dev/null || exit; done', stop, *argv]


@test()
def a_disk_equals_the_oracle():
    needs_oracle("fio")
    with kernel.loop_disk(SIZE) as disk, recorder(disks=[disk]) as run:
        name = os.path.basename(disk)
        watch = Watch("--device", name)
        load = fio_command(disk, *RING, "--rw=randrw", f"--size={SIZE}", "--time_based",
                           "--runtime=300ms", "--rate_iops=10000")

        def enough():
            # To read the counters, iospan takes the CPU from the load. So at the end of most
            # intervals, no access is in flight.
            seen = watch.intervals()
            return len(of_disk(seen, name)) >= 10 and any(i["in_flight"] for i in seen)
        done, oracle = run(repeated(load, enough))
        intervals = watch.end()
    assert_eq(done.returncode, 0, done.stderr)
    expect_seamless(intervals)
    lost = untimed(intervals)
    rows = of_disk(intervals, name)
    expect_row(add_up(rows), oracle.disk(disk).all(), lost, name)
    for op in "read", "write":
        expect_row(add_up(r["operations"][op] for r in rows if op in r["operations"]),
                   oracle.disk(disk).operations[op], lost, f"{name} {op}", WARM_NS)
    expect_eq({d["name"] for i in intervals for d in i["devices"]}, {name}, "other disks")


def read_some(disk, count, size, *options):
    """Returns a load of two processes. Each makes one read at a time, so the kernel merges no
    reads."""
    return fio_command(disk, "--ioengine=psync", "--direct=1", "--rw=randread", f"--bs={size}",
                       f"--number_ios={count}", "--numjobs=2", "--norandommap=1",
                       f"--size={SIZE}", *options)


# If a specified disk appears later, iospan measures the disk from then on.
@test()
def only_the_specified_disks():
    needs_run("fio")
    with kernel.loop_disk(SIZE) as other, kernel.loop_disk(SIZE) as disk:
        kernel.forbid_merges(disk)
        watch = Watch("--device", os.path.basename(disk))
        for path in other, disk, other:
            subprocess.run(read_some(path, 307, 4096), check=True, capture_output=True)
        one = watch.end()
    expect_eq({d["name"] for i in one for d in i["devices"]}, {os.path.basename(disk)}, "disks")
    whole = add_up(i["layers"]["device"] for i in one)
    expect_eq((whole["accesses"], whole["bytes"]), (614, 614 * 4096), "the layer")
    with kernel.loop_disk(SIZE) as other:
        kernel.forbid_merges(other)
        watch = Watch("--device", "loop*")
        subprocess.run(read_some(other, 101, 4096), check=True, capture_output=True)
        with kernel.new_loop_disk(SIZE) as disk:
            kernel.forbid_merges(disk)
            # another test may have had a disk of this name before
            made = time.monotonic_ns()
            watch.wait(40)
            subprocess.run(read_some(disk, 211, 4096), check=True, capture_output=True)
            intervals = [i for i in watch.end() if i["end_ns"] > made]
    name = os.path.basename(disk)
    expect_eq(add_up(of_disk(intervals, name))["accesses"], 422, "reads of a disk that appeared")


def watch_groups(groups, *options):
    return Watch("--by=cgroup", *groups.options, *options)


LOADS = {"/a": (701, 4096), "/b": (503, 8192), "/b/c": (307, 4096), "/b/d": (211, 16384),
         "/e/f/g": (401, 4096), f"/docker-{CONTAINER}.scope": (601, 4096),
         "/system.slice/h.service": (101, 32768), "/i": (907, 4096)}


def in_groups(groups, loads):
    """@loads: {cgroup: argv}. Returns (command, {cgroup: output file}). The command runs each argv
    in its cgroup."""
    files = {path: os.path.join(scratch_dir(), f"said{n}") for n, path in enumerate(loads)}
    script = "".join(f"sh -c 'echo $$ >{groups.top}{path}/cgroup.procs; "
                     f"exec {shlex.join(argv)}' >{files[path]} &\n"
                     for path, argv in loads.items())
    return ["sh", "-c", script + "wait"], files


def read_parts(disk):
    """Returns {path: argv} of loads. Each uses its own part of the disk, so the oracle can find the
    cgroup by the offset."""
    part = SIZE // len(LOADS)
    return {path: read_some(disk, *load, f"--offset={n * part}", f"--size={part}")
            for n, (path, load) in enumerate(LOADS.items())}


@test()
def groups_equal_their_loads():
    needs_oracle("fio")
    groups = Groups()
    with (kernel.undone(groups.remove), kernel.loop_disk(SIZE) as disk,
          recorder(disks=[disk], make=GroupOracle) as run):
        for path in "/e", "/e/f", "/system.slice", *LOADS:
            groups.make(path)
        # Only this disk is measured, because fio also reads files of its own from other disks.
        only = "--device", os.path.basename(disk)
        watch, some = watch_groups(groups, *only), watch_groups(groups, *only, "--cgroup", "/b*")
        command, files = in_groups(groups, read_parts(disk))
        done, oracle = run(command)
        intervals, chosen = watch.end(), some.end()
        groups.remove()
    assert_eq(done.returncode, 0, done.stderr)
    said = {path: fio_result(kernel.read(file))["read"] for path, file in files.items()}
    expect_seamless(intervals)
    lost = untimed(intervals)
    device = add_up(i["layers"]["device"] for i in intervals)
    name = os.path.basename(disk)
    total = oracle.total()
    expect_alike(add_up(of_disk(intervals, name)), device, total, lost,
                 "the disk, against the layer")
    expect_alike(add_up(of_group(intervals, "/")), device, total, lost,
                 "the outermost group, against the layer")
    # The kernel may merge requests of fio. Then the device layer has fewer accesses than fio, but
    # the same bytes.
    expect_eq(device["bytes"], sum(size for _, size in said.values()), "all groups: bytes of fio")
    expect_eq(device["accesses"], oracle.total().accesses, "all groups: accesses")
    for path in LOADS:
        below = [n for p, n in said.items() if f"{p}/".startswith(f"{path}/")]
        row = add_up(of_group(intervals, path))
        expect_eq(row["bytes"], sum(size for _, size in below), f"{path}: bytes of fio")
        expect_row(row, oracle.below(path), lost, path)
    names = {g["path"]: g["name"] for i in intervals for g in i["cgroups"]}
    expect_eq(names[f"/docker-{CONTAINER}.scope"], "docker:3f4e1a9c0b7d", "a container")
    expect_eq(names["/system.slice/h.service"], "h.service", "a unit")
    expect_eq(names["/e/f"], None, "an unknown name")
    expect_eq({g["path"] for i in chosen for g in i["cgroups"]}, {"/b", "/b/c", "/b/d"},
              "groups that were specified")


def parts_of(intervals, path):
    found = {}
    for part in (p for i in intervals for g in i["cgroups"] if g["path"] == path
                 for p in g["parts"]):
        key = part["layer"], part["dev"], part["op"]
        found.setdefault(key, []).append(part)
    return {key: add_up(parts) for key, parts in found.items()}


@test()
def operations_of_groups_equal_their_loads():
    needs_oracle("fio")
    needs(kernel.mounted("cgroup2"), "cgroup version 2 is not mounted")
    groups = Groups()
    with (kernel.undone(groups.remove), kernel.loop_disk(SIZE) as disk,
          kernel.loop_disk(SIZE) as second, recorder(disks=[disk, second]) as run):
        loads = {"/b": (second, 503, 8192, "--rw=randwrite"),
                 "/b/c": (disk, 307, 4096), "/b/d": (disk, 701, 16384, "--rw=randrw")}
        kernel.forbid_merges(disk)
        kernel.forbid_merges(second)
        for path in loads:
            groups.make(path)
        watch = watch_groups(groups, "--layers=vfs,device", "--parts", "--device=loop*")
        command, files = in_groups(groups, {path: read_some(*load)
                                            for path, load in loads.items()})
        done, oracle = run(command)
        intervals = watch.end()
        groups.remove()
        devs = {d["name"]: d["dev"] for i in intervals for d in i["devices"]}
        devs = {path: devs[os.path.basename(load[0])] for path, load in loads.items()}
        seen = {os.path.basename(path): oracle.disk(path) for path in (disk, second)}
    assert_eq(done.returncode, 0, done.stderr)
    said = {path: fio_result(kernel.read(file)) for path, file in files.items()}
    lost = untimed(intervals)
    expect_seamless(intervals)
    for path in loads:
        parts = parts_of(intervals, path)
        wanted = {}
        for below in (p for p in loads if f"{p}/".startswith(f"{path}/")):
            for op in "read", "write":
                for key in ("device", devs[below], op), ("vfs", None, op):
                    both = zip(wanted.get(key, (0, 0)), said[below][op])
                    wanted[key] = tuple(map(sum, both))
        wanted = {key: value for key, value in wanted.items() if value[0]}
        for key, value in wanted.items():
            part = parts[key]
            if key[0] == "device":
                expect_eq((part["accesses"], part["bytes"]), value, f"{path} {key}")
            else:  # at the vfs layer, fio also reads small files of its own
                expect_ge(part["accesses"], value[0], f"{path} {key}")
                expect_ge(value[1] + 1e6, part["bytes"], f"{path} {key}")
        expect_eq({key for key in parts if key[0] == "device"} - set(wanted), set(), path)
    whole = parts_of(intervals, "/b")
    for name, dev in {d["name"]: d["dev"] for i in intervals for d in i["devices"]}.items():
        for op in "read", "write":
            rows = [r["operations"][op] for r in of_disk(intervals, name)
                    if op in r["operations"]]
            if rows:
                expect_alike(whole[("device", dev, op)], add_up(rows), seen[name].operations[op],
                             lost, f"/b and {name}, {op}")


@test()
def groups_come_and_go():
    needs_run("fio")
    groups = Groups()
    with kernel.undone(groups.remove), kernel.loop_disk(SIZE) as disk:
        kernel.forbid_merges(disk)
        watch = watch_groups(groups, "--device=loop*")
        for _ in range(2):
            groups.make("/short")
            groups.start("/short", read_some(disk, 101, 4096)).communicate()
            kernel.remove_groups([groups.top + "/short"])
            watch.wait(3)
        intervals = watch.end()
        groups.remove()
    found = [{g["id"] for g in i["cgroups"] if g["path"] == "/short"} for i in intervals]
    expect_eq(len(set().union(*found)), 2, "numbers of groups of this path")
    expect_eq(found[0] | found[-1], set(), "before the first and after the last")
    last = max(n for n, ids in enumerate(found) if ids)
    first = min(n for n, ids in enumerate(found) if ids)
    expect_true(any(not ids for ids in found[first:last]), "none between the two")
    expect_eq(add_up(of_group(intervals, "/short"))["accesses"], 404, "accesses of both")


def pread_often(path, count):
    fd = os.open(path, os.O_RDONLY)
    for _ in range(count):
        os.pread(fd, 1, 0)


# When a service restarts, it gets a new cgroup with the same path. The I/O of both cgroups must be
# counted.
@test()
def the_measured_cgroup_is_removed_and_made_again():
    needs_run()
    groups, path = Groups(), make_file("load", 4096)
    with kernel.undone(groups.remove):
        watch = watch_groups(groups, "--layers=vfs")
        groups.call("", pread_often, path, 23)
        for count in (19, 17):
            groups.remove()
            watch.wait(2)
            groups.make("")
            watch.wait(2)
            groups.make("/below")
            groups.call("/below", pread_often, path, count)
            groups.call("", pread_often, path, count)
        intervals = watch.end()
    expect_eq(sum(i["layers"]["vfs"]["accesses"] for i in intervals), 23 + 2 * 19 + 2 * 17, "reads")
    for group, reads in ("/", 23 + 2 * 19 + 2 * 17), ("/below", 19 + 17):
        expect_eq(add_up(g["layers"]["vfs"] for i in intervals for g in i["cgroups"]
                         if g["path"] == group)["accesses"], reads, f"reads of {group}")


def dd(disk, count, kib):
    return ["dd", f"if={disk}", "of=/dev/null", "iflag=direct", f"bs={kib}k",
            f"count={count}", "status=none"]


class Passing:
    """Cgroups that exist only briefly: each is created, makes three reads, and is removed."""

    def __init__(self, groups, disk):
        self.groups, self.disk, self.n = groups, disk, 0

    def one(self):
        self.n += 1
        path = f"/passing{self.n}"
        self.groups.make(path)
        self.groups.start(path, dd(self.disk, 3, 4)).communicate()
        kernel.remove_groups([self.groups.top + path])
        return path


# The test makes many cgroups, and removes each one after three reads. Their total exceeds
# --max-groups, the number for which iospan has room. So iospan must reuse the room of removed
# cgroups.
@test(long=True)
def numbers_of_removed_groups_are_reused():
    needs_run()
    needs(kernel.mounted("cgroup2"), "cgroup version 2 is not mounted")
    groups, room = Groups(), 24
    with kernel.undone(groups.remove), kernel.loop_disk(SIZE) as disk:
        watch = watch_groups(groups, "--max-groups", str(room), "--layers=vfs,device", "--parts",
                             "--device=loop*")
        passing = Passing(groups, disk)
        for _ in range(room + 4):
            passing.one()
        first = passing.n
        while passing.n < 3 * room and time.monotonic() - watch.begun < 100:
            passing.one()
            time.sleep(0.3)
        intervals = watch.end()
        groups.remove()
    seen = {g["path"] for i in intervals for g in i["cgroups"] if g["path"]}
    late = [n for n in range(first + 1, passing.n + 1) if f"/passing{n}" in seen]
    expect_ge(len(late), room, f"of {passing.n - first} late groups with a row")
    expect_ge(len(seen), room + 8, "groups with a row, of all")
    for path in sorted(seen - {"/"}):
        expect_eq(add_up(of_group(intervals, path))["accesses"], 3, path)
    whole = add_up(of_group(intervals, "/"))
    expect_eq((whole["accesses"], whole["bytes"]), (3 * passing.n, 12288 * passing.n),
              "the parent of all groups")
    reads = [n for key, n in parts_of(intervals, "/").items() if key[0] == "device"]
    expect_eq(sum(part["accesses"] for part in reads), 3 * passing.n,
              "accesses by operation and disk")
    others = [g["layers"]["device"]["accesses"] for i in intervals for g in i["cgroups"]
              if g["other"]]
    expect_eq(sum(others), 3 * (passing.n - len(seen - {"/"})), "accesses of groups without a row")


@test()
def processes_equal_their_loads():
    needs_run()
    needs(kernel.mounted("cgroup2"), "cgroup version 2 is not mounted")
    groups, loads = Groups(), ((101, 4), (57, 16), (33, 8))
    with kernel.undone(groups.remove), kernel.loop_disk(SIZE) as disk:
        kernel.forbid_merges(disk)
        groups.make("/a")
        watch, one = (Watch("--by=process", "--within", groups.top, "--layers=vfs,device",
                            "--device=loop*", *more) for more in ((), ("--process=dd",)))
        children = [groups.start("/a", dd(disk, *load)) for load in loads]
        children.append(groups.start("/a", ["sh", "-c", f"cat {__file__} >/dev/null; "
                                            f"exec {' '.join(dd(disk, 71, 4))}"]))
        for child in children:
            child.communicate()
        intervals, named = watch.end(), one.end()
        groups.remove()
    rows = {}
    for p in (p for i in intervals for p in i["processes"]):
        rows.setdefault((p["pid"], p["name"]), []).append(p["layers"]["device"])
    for child, (count, kib) in zip(children, (*loads, (71, 4))):
        row = add_up(rows[child.pid, "dd"])
        expect_eq((row["accesses"], row["bytes"]), (count, count * kib << 10), str(child.args))
    whole = add_up(i["layers"]["device"] for i in intervals)
    every = [row for of in rows.values() for row in of]
    expect_eq(add_up(every)["accesses"], whole["accesses"], "all processes, against the layer")
    expect_eq({p["pid"] for i in named for p in i["processes"]},
              {child.pid for child in children}, "processes called dd")


@test()
def it_ends_after_the_specified_number():
    needs_run()
    done = stat("--json", "50ms", "4")
    assert_eq((done.returncode, done.stderr), (0, ""), "status, stderr")
    intervals = [json.loads(line) for line in done.stdout.splitlines()]
    expect_eq(len(intervals), 4, "intervals")
    expect_seamless(intervals, whole_machine=True)


def wait_for_reads(disk, load):
    """Waits until the load has made 100 reads. Its program takes some time to start."""
    reads = lambda: int(kernel.read("/sys/block", disk, "stat").split()[0])
    before = reads()
    while reads() < before + 100 and load.poll() is None:
        time.sleep(0.01)


@test()
def only_the_specified_rows_are_shown():
    needs_run("fio")
    with kernel.loop_disk(SIZE) as disk:
        name = os.path.basename(disk)
        load = subprocess.Popen(fio_command(disk, *RING, "--rw=randread", "--time_based",
                                            f"--size={SIZE}", "--runtime=1h", "--rate_iops=2000"),
                                stdout=subprocess.DEVNULL)
        try:
            wait_for_reads(name, load)
            while (plain := stat("500ms", "2").stdout).count(f"\n{name} ") < 2:
                pass
            human = stat_with(name + " ", "--human", "--extended", "500ms", "1")
            mine = stat_with(name + " ", "--device", disk, "500ms", "1")
            none = stat_with("(device)", "--min-rate=1T", "500ms", "1")
            other = stat("--device", "nosuch*", "500ms", "1").stdout
            groups = stat_with("/ ", "--by", "cgroup", "500ms", "1")
        finally:
            load.terminate()
            load.communicate()
    # If another test has a stacked disk, iospan prints a note, which is no table.
    tables = [table.splitlines() for table in plain.strip("\n").split("\n\n")
              if not table.startswith("note: ")]
    expect_eq(len(tables), 2, "intervals")
    for table in tables:
        expect_eq(table[0].split()[:4], ["device", "IOPS", "bandwidth(MiB/s)", "T(ms)"])
        rows = {line.split()[0]: line.split()[1:] for line in table[1:]}
        expect_true("(device)" in rows and name in rows, f"rows: {list(rows)}")
        expect_ge(float(rows[name][0]), 1, "IOPS")
        expect_ge(1.01, float(rows[name][4]), "busy")
    expect_true("iB/s" in human and " queued" in human.splitlines()[0], human)
    expect_eq(firsts(mine), ["device", name], "one disk")
    expect_eq(firsts(none), ["device", "(device)"], "none busy")
    expect_eq(firsts(groups)[:3], ["cgroup", "(device)", "/"], "the root first")
    expect_true(other.startswith("no device matches 'nosuch*'; present: "), other)


def tables_of(text):
    for table in text.strip("\n").split("\n\n"):
        lines = [re.split(r"\s{2,}", line.strip()) for line in table.splitlines()
                 if not line.startswith(("lost: ", "note: "))]
        if len(lines) > 1:  # an interval without I/O has no table
            yield [(name, dict(zip(lines[0][1:], cells))) for name, *cells in lines[1:]]


def stat_until(holds, *words):
    """Runs `iospan stat` until a table has rows for which holds() is true. Returns these rows. It
    reads several tables, because on a busy machine a process may make no I/O in some intervals."""
    with subprocess.Popen([IOSPAN, "stat", *words, "200ms"], text=True, stdout=subprocess.PIPE) as child:
        text = ""
        for line in child.stdout:
            text += line
            ended = text.rpartition("\n\n")[0]
            for rows in tables_of(ended) if line == "\n" and ended.strip() else ():
                if holds(rows):
                    child.terminate()
                    return rows
    return assert_true(False, f"rows: {text}")


@contextmanager
def busy_groups(disk, *paths):
    """Makes cgroups, each with a process that reads from the disk again and again. Yields the
    options with which iospan measures only these cgroups."""
    groups = Groups()
    with kernel.undone(groups.remove):
        children = []
        for path in paths:
            groups.make(path)
            # The loop sleeps after each dd, so that iospan gets the CPU.
            children.append(groups.start(path, ["sh", "-c", f"while dd if={disk} of=/dev/null bs=4k "
                                                "iflag=direct status=none count=50; do sleep 0.02; done"]))
        try:
            yield groups.options
        finally:
            for child in children:
                child.kill()
                child.communicate()
            groups.remove()


def in_order(cells):
    """Returns true if at least two rows have a value, and the values fall from row to row, as
    --sort requires."""
    values = [float(cell) if cell != "-" else -1 for cell in cells]
    return sum(value >= 0 for value in values) >= 2 and values == sorted(values, reverse=True)


@test()
def rows_are_sorted_and_summed():
    needs_run()
    needs(kernel.mounted("cgroup2"), "cgroup version 2 is not mounted")
    with kernel.loop_disk(SIZE) as disk, busy_groups(disk, "/a", "/b", "/c") as options:
        rows = stat_until(lambda rows: rows[-1][0].endswith(" others)"),
                          "--by=cgroup", *options, "--sort=IOPS", "--top=2")
        csv = stat("--by=cgroup", *options, "--sort=iops", "--csv", "200ms", "3").stdout
        names = {f"/a {os.path.basename(disk)} read", "/a (vfs) read", "(vfs) read"}
        stat_until(lambda rows: names <= {name for name, _ in rows},
                   "--by=cgroup", *options, "--parts", "-l", "vfs,device")
        psi = ["PSI some(ms)"] if os.path.exists("/proc/pressure/io") else []
        for title in ("shared", "slowdown", *psi):
            stat_until(lambda rows: in_order([row.get(title, "-") for _, row in rows[1:]]), "--by=cgroup",
                       *options, "--extended", f"--sort={title}")
    expect_eq([name for name, _ in rows[:2]], ["(device)", "/"], "the total and the largest")
    iops = [float(row["IOPS"]) for _, row in rows]
    expect_eq((len(rows), rows[-1][0], rows[-1][1]["T(ms)"]), (4, "(2 others)", "-"), "the others")
    expect_near(iops[2] + iops[3], iops[1], 0.11, "all rows below the root")
    # iospan prints one digit after the point, so IOPS may be off by 0.1
    expect_ge(iops[2] + 0.1, iops[3] / 2, "the larger one first")
    table = list(csv_module.DictReader(io.StringIO(csv)))
    expect_eq(len({row["start_ns"] for row in table}), 3, "intervals")
    for start in {row["start_ns"] for row in table}:
        of = [float(row["iops"]) for row in table if row["start_ns"] == start
              and (row["layer"], row["kind"]) == ("device", "cgroup")]
        expect_eq(of, sorted(of, reverse=True), "order in CSV")
    for row in table:
        expect_near(float(row["iops"]) * (int(row["end_ns"]) - int(row["start_ns"])) / 1e9,
                    int(row["accesses"]), 0.01, "accesses of an interval")


@test()
def rows_of_processes_on_one_disk():
    needs_run()
    readers = [shutil.copy(shutil.which("dd"), os.path.join(scratch_dir(), name))
               for name in ("reader-a", "reader-b")]
    with kernel.loop_disk(SIZE) as one, kernel.loop_disk(SIZE) as other, ExitStack() as loads:
        for disk, reader in zip((one, other), readers):
            load = loads.enter_context(subprocess.Popen(
                ["sh", "-c", f"while {reader} if={disk} of=/dev/null bs=4k iflag=direct "
                 "status=none count=50; do sleep 0.02; done"]))
            loads.callback(load.kill)
        # Other programs, such as udev, may read the new disks as well. So the test looks only for
        # its own two readers.
        for disk, mine, others in (one, "reader-a", "reader-b"), (other, "reader-b", "reader-a"):
            rows = stat_until(lambda rows: any(name.startswith(mine) for name, _ in rows),
                              "--by=process", "--device", disk)
            seen = {name.split("[")[0] for name, _ in rows}
            expect_eq((mine in seen, others in seen), (True, False), f"processes on {disk}: {seen}")
        seen = stat("--by=process", "--device", one, "--process", "reader-b", "200ms", "1").stdout
        noted = [stat_with("reader-a[", "--by=process", "--device", one, f"--layers={layers}",
                           "200ms", "3") for layers in ("device", "vfs,device")]
    expect_eq([text.count("note: vfs: the rows have the I/O of all files") for text in noted], [0, 1])
    # reader-b is started again and again. It may exist at the end of the interval or not, so both
    # messages are right.
    expect_true(re.match("no process (with I/O|that) matches 'reader-b'", seen), seen)


@test()
def wrong_usage():
    needs_run()
    for words, message in (
            (["5x"], "'5x' is no interval; it is a time from 10ms to 24h"),
            (["-x"], "'stat' does not take '-x'; try: iospan stat --extended\n"),
            (["-xm", "vda", "1", "9"], "try: iospan stat --extended --device vda 1 9\n"),
            (["--by", "cgroup", "-o", "JSON"], "try: iospan stat --by cgroup --json\n"),
            (["9ms"], "'9ms' is no interval; it is a time from 10ms to 24h"),
            (["25h"], "'25h' is no interval; it is a time from 10ms to 24h"),
            (["-i", "0"], "--interval is a time from 10ms to 24h"),
            (["-i", "9ms"], "--interval is a time from 10ms to 24h"),
            (["1", "2x"], "'2x' is no number of intervals"),
            (["1", "2", "3"], "'3' is one argument too many; usage: iospan stat "),
            (["--by=device,cgroup"], "option '--by' takes one of device, cgroup and process"),
            (["--by=process", "--attribution=kernel"], "the kernel charges no processes"),
            (["--attribution=task"], "option '--attribution' has no effect without '--by cgroup'"),
            (["--max-groups=9"], "option '--max-groups' has no effect without '--by cgroup' or '--by process'"),
            (["--process=x"], "has no effect without '--by process'"),
            (["--cgroup=x"], "has no effect without '--by cgroup'"),
            (["--device=x", "--layers=vfs"], "option '--device' has no effect without the device layer"),
            (["--parts", "--json"], "has no effect with '--json' and '--by device'"),
            (["--parts", "--csv"], "option '--parts' has no effect with '--csv'"),
            (["--top=1", "--json"], "option '--top' has no effect with '--json'"),
            (["--top=1", "--csv"], "option '--top' has no effect with '--csv'"),
            (["--timestamp", "--csv"], "option '--timestamp' has no effect with '--csv'"),
            (["--human", "--json"], "option '--human' has no effect with '--json'"),
            (["--human", "--csv"], "option '--human' has no effect with '--csv'"),
            (["--sort=x"], "unknown column to sort by 'x'; one of name, "),
            (["--sort=shared"], "a device has no 'shared' to sort by; add '--by cgroup'"),
            (["--by=process", "--sort=psi_some_ns"], "a process has no 'PSI some' to sort by"),
            (["--json", "--csv"], "--json and --csv exclude each other"),
            (["--layers=x"], "unknown value of --layers 'x'; one of app, "),
            (["--by=cgroup", "--attribution=x"], "unknown attribution 'x'; one of ")):
        done = stat(*words)
        expect_eq((done.returncode, done.stdout), (2, ""), f"status, stdout of {words}")
        expect_true(message in done.stderr and done.stderr.count("\n") == 1, done.stderr)
    done = stat("--within=/nosuch", "1")
    expect_eq((done.returncode, done.stderr),
              (1, "iospan: cannot use the cgroup '/nosuch': No such file or directory\n"))


# Each interval must have either a message or a row of the app layer. Both are correct, because
# another program may do I/O at the app layer meanwhile.
@test()
def an_interval_without_a_layer_says_so():
    needs_run()
    intervals = stat("-l", "app", "10ms", "9").stdout.strip().split("\n\n")
    expect_eq(len(intervals), 9, "intervals")
    for text in intervals:
        expect_true(("no I/O at the app layer: " in text) != ("\n(app)" in text), text)


@test()
def a_full_disk_is_a_failure():
    needs_run()
    for option in "--human", "--json":
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([IOSPAN, "stat", option, "10ms"], stdout=full, text=True,
                                  stderr=subprocess.PIPE, check=False)
        expect_eq(done.returncode, 1, "status")
        expect_true("cannot write to 'standard output': No space left" in done.stderr, done.stderr)


main()
