#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests iospan bench beff: its result, and the files and cgroups that an interrupted run leaves. A
pattern repeats calls that transfer chunks of one size. Its type arranges the chunks of the
processes in the files. An access method is write, rewrite or read."""
import contextlib
import csv
import glob
import json
import math
import os
import re
import shutil
import signal
import subprocess
import time

from lib import kernel, stalled
from lib.beff import (Attack, beff, each_pattern, expect_extensions, few_repetitions, groups_of, logged,
                      names, open_to_all, wait_until_gone)
from lib.forms import expect_same_numbers_of_runs, page_of_plots
from lib.ktap import *
from lib.loads import children, is_alive
from lib.measure import needs_another_user, needs_run

SMALL = ("--partitions", "2", "-t", "1", "--memory=1M")
NO_ROOM = "No space left on device", "kept for other programs"
LONG = ("--partitions", "2", "-t", "60", "--memory=1M")
SCATTER_PATTERNS = 9  # the first type of patterns


def take_signals():
    # The test harness ignores SIGINT, and a child inherits ignored signals. Without this line,
    # SIGINT would not end the benchmark.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def bench(*words):
    return subprocess.run([IOSPAN, "bench", "beff", *map(str, words)], capture_output=True, text=True, check=False)


class Running:
    """A run of the benchmark in the background. log: path of the file that --log writes."""

    def __init__(self, *options, directory=None, **how):
        self.dir = directory or os.path.join(scratch_dir(), "data")
        os.makedirs(self.dir, exist_ok=True)
        self.log, self.name = (os.path.join(scratch_dir(), f"{name}{time.monotonic_ns()}")
                               for name in ("log", "text"))
        with open(self.name, "w", encoding="ascii") as out:
            self.child = subprocess.Popen(
                [IOSPAN, "bench", "beff", self.dir, "--log", self.log, *options], stdout=out, text=True,
                stderr=subprocess.PIPE, **{"preexec_fn": take_signals, **how})

    def text(self):
        with open(self.name, encoding="ascii") as f:
            return f.read()

    def patterns(self):
        return logged(self.log)

    def wait_for(self, n):
        while len(self.patterns()) < n and self.child.poll() is None:
            time.sleep(0.01)
        return self

    def ranks(self):
        """Returns the pids of the processes of the benchmark, without cleanup processes."""
        return [pid for pid in children(self.child.pid)
                if kernel.read(f"/proc/{pid}/comm") == "iospan"]

    def is_stopped(self):
        """Stops the processes of the benchmark. Returns false if the benchmark has ended."""
        while self.child.poll() is None:
            with contextlib.suppress(OSError):  # a process or thread ends at this moment
                kernel.stop(*self.ranks())
                return True
        return False

    def resume(self):
        with contextlib.suppress(OSError):
            for pid in self.ranks():
                os.kill(pid, signal.SIGCONT)

    def left(self):
        return os.listdir(self.dir), groups_of(self.child.pid)

    def end(self):
        _, err = self.child.communicate()
        expect_eq(self.left(), ([], []), "files, groups left")
        return self.child.returncode, err


def stopped(begun, late, **how):
    """Starts a benchmark, and stops its processes. The patterns that have ended fulfil the condition
    @begun, but not the condition @late. If this test was too slow to stop the processes, it starts
    a longer benchmark."""
    for seconds in 4, 16, 64:
        run = Running("--partitions", "2", "-t", str(seconds), "--memory=1M", **how)
        while run.child.poll() is None and not begun(run.patterns()):
            time.sleep(0.005)
        if run.is_stopped() and not late(run.patterns()):
            return run
        run.resume()
        run.child.communicate()
    return needs(False, "this machine is too slow to stop the benchmark in time")


def stopped_in_first_type(**how):
    return stopped(len, lambda patterns: len(patterns) >= SCATTER_PATTERNS, **how)


def weighted(values):
    return (2 * values[0] + sum(values[1:])) / 6


def bandwidths(part):
    """Computes bandwidths from the bytes and times. Returns {access method: [bandwidth of each
    type]}."""
    of = {}
    for access, a in part["access_methods"].items():
        of[access] = []
        for kind in a["types"]:
            bytes_, ns = (sum(p[key] for p in kind["patterns"]) for key in ("bytes", "elapsed_ns"))
            of[access].append(bytes_ * 1e9 / (ns + kind["open_ns"] + kind["close_ns"]))
    return of


def b_eff_io(part):
    """Computes b_eff_io of a partition (a number of processes) from its bytes and times, as version
    2 of the benchmark defines it."""
    of = bandwidths(part)
    return math.sqrt((sum(of["write"]) + of["rewrite"][0]) / 6 * weighted(of["read"]))


# Computes the averages, as the paper on b_eff_io defines them, from the reported bytes and times.
# The reported averages must be the same.
def expect_averages(found):
    values = [b_eff_io(part) for part in found["partitions"]]
    for part, value in zip(found["partitions"], values):
        of = bandwidths(part)
        for access, a in part["access_methods"].items():
            for kind, bandwidth in zip(a["types"], of[access]):
                expect_near(kind["bytes"] * 1e9 / kind["elapsed_ns"] / bandwidth, 1, 1e-12, "of the type")
        expect_near(part["b_eff_io_2_bytes_per_second"] / value, 1, 1e-12, "b_eff_io, 2.x")
        first = (weighted(of["write"]) + weighted(of["rewrite"]) + 2 * weighted(of["read"])) / 4
        expect_near(part["b_eff_io_1_bytes_per_second"] / first, 1, 1e-12, "b_eff_io, 1.x")
    expect_near(found["b_eff_io_bytes_per_second"] / max(values), 1, 1e-12, "b_eff_io")
    expect_eq(found["process_count"], [1, 3][values.index(max(values))], "processes of the best one")


# A pattern has the same number of repetitions in write, rewrite and read. If b_eff_io gives a
# pattern no time (0 units), the pattern runs once.
def expect_repetitions(found):
    for part in found["partitions"]:
        of = {access: [[p["repetitions"] for p in kind["patterns"]] for kind in a["types"]]
              for access, a in part["access_methods"].items()}
        expect_eq((of["rewrite"], of["read"]), (of["write"], of["write"]), "repetitions")
    for _, _, kind, pattern in each_pattern(found):
        expect_eq(pattern["scheduled_ns"], found["partition_ns"] * pattern["units"] // 192, "scheduled")
        if not pattern["units"]:
            expect_eq(pattern["repetitions"], 1, f"{kind['type']} {pattern['chunk']}")


# A run takes seconds, so a single run tests all these options.
@test()
def numbers_follow_from_bytes_and_times():
    status, found, err = beff("--partitions", "1,3", "-t", 2, "--memory=1M", "--rewrite", "--extensions")
    assert_eq((status, err, found["complete"]), (0, "", True), "status, stderr, complete")
    expect_eq(found["partition_ns"], 10 ** 9, "time")
    expect_averages(found)
    expect_repetitions(found)
    needs_run()
    expect_extensions(found, 1, 3)


def expect_verdict(found, name, verdict, words):
    """Checks the name and the verdict of a result in JSON. The sentence in "conclusion" must have
    the name, and end with @words."""
    value = found["b_eff_io_bytes_per_second"]
    expect_eq((found["result_name"], found["verdict"], found["valid"]), (name, verdict, verdict == "valid"),
              "name, verdict, valid")
    expect_true(found["conclusion"].startswith(f"{name} is ") and found["conclusion"].endswith(words) and value,
                found["conclusion"])


# The definition of b_eff_io requires MPI-IO. So a result of the engine io_uring must have another
# name.
@test()
def io_uring_has_a_name_and_verdicts_of_its_own():
    page, plots = page_of_plots()
    status, found, err = beff("--partitions", "1", "-t", 1, "--memory=1M", *plots)
    assert_eq((status, err), (0, ""), "status, stderr")
    expect_verdict(found, "b_eff_io_uring", "uring_short",
                   ", perhaps that of the page cache; "
                   "compare it only with runs by io_uring of 1 s for each partition, not with b_eff_io")
    expect_eq([c["name"] for c in found["criteria"] if c["decides"] and not c["met"]],
              ["mpi_io", "partition_seconds"], "criteria that decide and are not met")
    for page in [page] * len(plots):
        with open(page, encoding="utf-8") as f:
            text = f.read()
        expect_true(found["conclusion"] in text and "uring_short" in text, "the page has the verdict")
        expect_true("b_eff_io is " not in text, "the page has no other name")
    # --check-result computes the verdict again. The test changes the times in the file to those of
    # a long run, so the criterion on the time is met.
    found.update(scheduled_ns=1800 * 10 ** 9, partition_ns=1800 * 10 ** 9)
    changed = {value["path"] for value in json.loads(verify(found, "--json")[1])["wrong_values"]}
    expect_true("criteria[1].met" in changed and "valid" not in changed, sorted(changed))


@test(seconds=300, long=True)
def all_forms_have_the_same_numbers():
    needs(shutil.which("gnuplot"), "needs gnuplot")
    directory, hints = (os.path.join(scratch_dir(), name) for name in ("data", "hints"))
    with open(hints, "w", encoding="ascii") as f:
        f.write("all write scatter 1024 cb_nodes 1\n")
    expect_same_numbers_of_runs("bench", "beff", directory, few_repetitions(1), "-t", "1", "--extensions",
                                f"--hints=none,{hints}")


# the positions of the chunks on the axis; plots of the bandwidth have only the first seven
PLACES = {"1k": 1, "1k+8": 2, "32k": 4, "32k+8": 5, "1M": 7, "1M+8": 8, "MPART": 10, "1M of 2M": 12, "first": 13,
          "filler": 14}
FRAME = re.compile(r"d='M([0-9.]+),([0-9.]+) L\1,([0-9.]+) L([0-9.]+),\3 L\4,\2 L\1,\2 Z")
MARK = re.compile(r"<use xlink:href='#gpPt6' transform='translate\(([0-9.]+),([0-9.]+)\)[^']*' color='([^']*)'")


def curves(svg):
    """Returns [[(x, y)]]: the positions of the marks of each curve. A position is a fraction of an
    axis, from 0 to 1."""
    left, top, bottom, right = map(float, FRAME.search(svg).groups())
    found = {}
    for x, y, colour in MARK.findall(svg):
        found.setdefault(colour, []).append(((float(x) - left) / (right - left), (bottom - float(y)) / (bottom - top)))
    return [marks[:-1] for marks in found.values()]  # the last mark is that of the legend


class Bandwidth:
    """A diagram of the bandwidth in MiB/s, on a logarithmic axis of six decades. low: decimal
    logarithm of the lower end of the axis."""
    low, last = -1, "MPART"

    def value(self, pattern):
        return pattern["bandwidth_bytes_per_second"] / 2**20 if pattern["bytes"] else None

    def expect(self, svg, lines):
        """Compares the curves with the patterns of @lines. gnuplot leaves out marks beyond the
        axis."""
        lines = [{p["chunk"]: self.value(p) for p in line["patterns"] if PLACES[p["chunk"]] <= PLACES[self.last]
                  and self.value(p) is not None} for line in lines]
        shown = curves(svg)
        expect_eq(len(shown), len([line for line in lines if line]), "curves")
        for marks, line in zip(shown, filter(None, lines)):
            inside = {PLACES[chunk]: v for chunk, v in line.items()
                      if v and self.low < math.log10(v) < self.low + 6}
            expect_eq([round(0.5 + PLACES[self.last] * x) for x, _ in marks], sorted(inside), "places")
            for (_, y), place in zip(marks, sorted(inside)):
                expect_near(10 ** (self.low + 6 * y) / inside[place], 1, 0.001, f"mark at {place}")


class Device(Bandwidth):
    """A diagram of BPS of the device layer: blocks of 512 bytes per second of the time with I/O in
    flight."""
    low, last = 2, "filler"

    def value(self, pattern):
        return ((pattern["layers"] or {}).get("device") or {}).get("bps")


# The page has three kinds of diagrams:
# - one for each access method, with a curve of the bandwidth for each type
# - one for each type, with a curve of the bandwidth for each access method
# - one for each access method, with a curve of the device's BPS for each type
def expect_curves(page, found):
    with open(page, encoding="utf-8") as f:
        svgs = re.findall(r"<svg.*?</svg>", f.read(), re.DOTALL)
    diagrams = []
    for part in found["partitions"]:
        types = [a["types"] for a in part["access_methods"].values()]
        diagrams += [(Bandwidth(), lines) for lines in types + [
            [of[n] for of in types if len(of) > n] for n in range(5)]]
        diagrams += [(Device(), lines) for lines in types
                     if any(Device().value(p) is not None for line in lines for p in line["patterns"])]
    assert_eq(len(svgs), len(diagrams) + (len(found["partitions"]) > 1), "diagrams")
    for svg, (diagram, lines) in zip(svgs[-len(diagrams):], diagrams):
        diagram.expect(svg, lines)


def expect_curves_over_processes(page, compared):
    """Checks the curves of b_eff_io over the number of processes. The y axis starts at 0."""
    with open(page, encoding="utf-8") as f:
        [svg] = re.findall(r"<svg.*?</svg>", f.read(), re.DOTALL)
    axes = [*map(float, re.search('data-axes="([^"]*)"', svg)[1].split())]
    low, high = map(math.log2, axes[2:4])
    expect_eq((low < 0, high > 1, axes[4], axes[7]), (True, True, 1, 0), "axis of processes, start of the other")
    shown = curves(svg)
    expect_eq(len(shown), len(compared), "curves")
    for marks, one in zip(shown, compared):
        expect_eq([round(2 ** (low + x * (high - low))) for x, _ in marks], [part["process_count"] for part in one["partitions"]], "processes")
        for (_, y), part in zip(marks, one["partitions"]):
            expect_near(y * axes[8], part["b_eff_io_bytes_per_second"] / 2**20, axes[8] / 200, "mark")


def swap(name, at, to, size):
    with open(name, "r+b") as f:
        f.seek(at)
        one = f.read(size)
        f.seek(to)
        other = f.read(size)
        f.seek(at)
        f.write(other)
        f.seek(to)
        f.write(one)


# The test exchanges two chunks of different processes in the file. Both chunks are intact. Only the
# process number (rank) in the stamp of a chunk shows that the chunk is in the wrong place.
@test()
def a_chunk_of_another_process_is_detected():
    run = stopped(lambda patterns: any(p["type"] == "separated" for p in patterns),
                  lambda patterns: any(p["access_method"] == "read" for p in patterns))
    swap(names(glob.glob(f"{run.dir}/*")[0], 0, 2, "shared")[0], 0, 1 << 20, 1 << 20)
    run.resume()
    status, err = run.end()
    wrong = [p for p in run.patterns() if p["pattern"]["errors"]]
    expect_eq([(p["access_method"], p["type"], p["pattern"]["chunk"], p["pattern"]["errors"]) for p in wrong],
              [("read", "shared", "first", 2)], "patterns with errors")
    expect_eq((status, err), (1, "iospan: 4 chunks differ from the written data\n"), "status, stderr")
    expect_true("; not valid for comparison" in run.text(), "not valid")


def verify(found, *options):
    name = os.path.join(scratch_dir(), "result.json")
    with open(name, "w", encoding="ascii") as f:
        json.dump(found, f)
    done = bench("--check-result", name, *options)
    return done.returncode, done.stdout, done.stderr


def expect_faults(found):
    """Changes one number of the result at a time. --check-result must report the changed number."""
    places = {
        "partitions[0].b_eff_io_1_bytes_per_second": found["partitions"][0],
        "partitions[1].access_methods.read.weighted_bytes_per_second":
            found["partitions"][1]["access_methods"]["read"],
        "partitions[1].access_methods.write.types[2].elapsed_ns":
            found["partitions"][1]["access_methods"]["write"]["types"][2],
        "partitions[0].access_methods.write.types[3].patterns[4].bandwidth_bytes_per_second":
            found["partitions"][0]["access_methods"]["write"]["types"][3]["patterns"][4],
        "b_eff_io_bytes_per_second": found,
    }
    for place, where in places.items():
        key = place.rsplit(".", 1)[-1]
        before = where[key]
        where[key] = before * 1.001 + 1
        status, out, _ = verify(found, "--json")
        expect_eq((status, [value["path"] for value in json.loads(out)["wrong_values"]]), (1, [place]), place)
        where[key] = before
    cell = found["partitions"][0]["access_methods"]["read"]["types"][1]["patterns"][3]
    cell["bytes"] += 1 << 20
    status, out, _ = verify(found)
    expect_eq(status, 1, "status")
    for place in ("access_methods.read.types[1].bytes", "access_methods.read.weighted_bytes_per_second",
                  "b_eff_io_2_bytes_per_second"):
        expect_true(f"partitions[0].{place} " in out, place)


@test()
def all_forms_of_a_check_have_the_same_numbers():
    _, found, _ = beff("--partitions", "1", "-t", 1, "--memory=1M")
    status, out, err = verify(found, "--json")
    checked = json.loads(out)
    expect_eq((status, err, checked["wrong_values"], checked["hash_is_right"]), (0, "", [], True), "no difference")
    part = found["partitions"][0]
    right, part["write_average_bytes_per_second"] = part["write_average_bytes_per_second"], 1.5
    path = "partitions[0].write_average_bytes_per_second"
    status, out, err = verify(found, "--json")
    checked = json.loads(out)
    expect_eq((status, checked["wrong_values"], checked["hash_is_right"]),
              (1, [{"path": path, "value": 1.5, "computed_value": right}], False), "a wrong value")
    expect_true("1 value in" in err, err)
    _, out, _ = verify(found)
    [row] = [line.split() for line in out.splitlines() if path in line]
    expect_eq(row[:2], [path, "1.5"], "text")
    expect_near(float(row[2]) / right, 1, 1e-12, "text: the computed value")
    _, out, _ = verify(found, "--csv")
    expect_eq(list(csv.reader(out.splitlines())),
              [["path", "value", "computed_value"], [path, "1.5", repr(right)]], "CSV")


@test()
def a_result_is_verified_and_shown_in_curves():
    page, plots = page_of_plots()
    status, found, err = beff("--partitions", "1,2", "-t", 2, "--memory=1M", "--v1", *plots)
    assert_eq((status, err), (0, ""), "status, stderr")
    expect_eq(verify(found), (0, "", ""), "verification of the unchanged result")
    least = {c["name"]: c["at_least"] for c in found["criteria"]}
    expect_eq((least["partition_seconds"], "seconds" in least), (15 * 60, False), "rule of version 1.x")
    if plots:
        expect_curves(page, found)
    expect_faults(found)
    needs(plots, "needs gnuplot")


def slower(found, factor, **changes):
    """Returns a copy of the result of a run, in which each pattern takes @factor times as long.
    @changes replaces settings of the run."""
    other = {**json.loads(json.dumps(found)), **changes}
    for _, _, kind, pattern in each_pattern(other):
        pattern["elapsed_ns"] = int(pattern["elapsed_ns"] * factor)
    return other


@test()
def results_are_compared_over_numbers_of_processes():
    _, found, _ = beff("--partitions", "1,2", "-t", 2, "--memory=1M")
    results = found, slower(found, 2), slower(found, 3, engine="mpiio", partition_ns=1800 * 10 ** 9)
    paths = [os.path.join(scratch_dir(), f"{name}.json") for name in "abc"]
    for path, result in zip(paths, results):
        with open(path, "w", encoding="ascii") as f:
            json.dump(result, f)
    page, plots = page_of_plots()
    done = bench("--compare", *paths, "--json", *plots)
    assert_eq((done.returncode, done.stderr), (0, ""), "status, stderr")
    compared = json.loads(done.stdout)
    expect_eq([(one["file"], one["result_name"], one["verdict"]) for one in compared["compared"]],
              [(paths[0], "b_eff_io_uring", "uring_short"), (paths[1], "b_eff_io_uring", "uring_short"),
               (paths[2], "b_eff_io", "valid")], "files, names, verdicts")
    for one, result in zip(compared["compared"], results):
        expect_eq([part["process_count"] for part in one["partitions"]], [1, 2], "processes")
        for seen, part in zip(one["partitions"], result["partitions"]):
            expect_near(seen["b_eff_io_bytes_per_second"] / b_eff_io(part), 1, 1e-12, "b_eff_io of a partition")
        expect_eq(one["b_eff_io_bytes_per_second"],
                  max(part["b_eff_io_bytes_per_second"] for part in one["partitions"]), "b_eff_io")
    expect_true(re.fullmatch(rf"the highest value is in '{paths[0]}': .* process(es)?; not all results are comparable",
                             compared["conclusion"]), compared["conclusion"])
    alone = json.loads(bench("--compare", *paths[:2], "--json").stdout)["conclusion"]
    expect_true(re.search(" process(es)?$", alone), alone)
    expect_eq([(paths[1] in note, paths[2] in note) for note in compared["notes"]], [(False, True)], "not comparable")
    needs(plots, "needs gnuplot")
    expect_curves_over_processes(page, compared["compared"])


@test()
def incomplete_results_have_no_highest_value():
    _, found, _ = beff("--partitions", "1", "-t", 1, "--memory=1M")
    for kind in found["partitions"][0]["access_methods"]["read"]["types"]:
        kind["complete"] = False
    path = os.path.join(scratch_dir(), "cut.json")
    kernel.write(json.dumps(found), path)
    done = bench("--compare", path)
    expect_eq((done.returncode, done.stdout.splitlines()[:1]),
              (0, ["no value is known: the results are incomplete"]), "status, conclusion")


@test()
def other_documents_are_no_result():
    for found in ({}, {"command": "bench beff"}, {"command": "bench scale"}, [], {
            "command": "bench beff", "scheduled_ns": 10 ** 9, "partition_ns": 10 ** 9, "mpart_bytes": 1,
            "cache_bytes": 1, "partitions": [{"process_count": 1}] * 11}):
        status, out, err = verify(found)
        expect_eq((status, out), (1, ""), str(found)[:60])
        expect_true("is no result of bench beff" in err, err)


def expect_cut(run, status, words, partial):
    seen = run.patterns()
    code, err = run.end()
    expect_eq(code, status, "status")
    expect_true(any(word in err for word in words), f"{words!r} in {err!r}")
    expect_eq(run.patterns()[:len(seen)], seen, "patterns so far")
    text = run.text()
    expect_true(partial in text, f"{partial!r} in the report: {text[-600:]}")
    expect_true(text.startswith("b_eff_io_uring is unknown: the result is incomplete\n"), text[:200])


@test()
def interrupted():
    for number, options in (signal.SIGINT, ()), (signal.SIGTERM, ()), (signal.SIGHUP, ["--hints=none,none"]):
        run = Running(*LONG, *options).wait_for(1)
        run.child.send_signal(number)
        expect_cut(run, 0, ("",), "incomplete result: interrupted")


@test()
def a_process_is_killed():
    run = Running(*LONG).wait_for(1)
    os.kill(run.ranks()[1], signal.SIGKILL)
    expect_cut(run, 1, ["process 1 of the benchmark was killed"], "ended by an error")


@test()
def a_killed_run_leaves_nothing():
    run = Running(*LONG).wait_for(1)
    ranks = run.ranks()
    run.child.kill()
    run.child.communicate()
    expect_eq(len(ranks), 2, "ranks")
    wait_until_gone(lambda: (*run.left(), list(filter(is_alive, ranks))))


# The test kills the cleanup process. Then the benchmark itself must remove its files.
@test()
def files_are_removed_without_the_cleanup_process():
    run = Running(*LONG).wait_for(1)
    for pid in children(run.child.pid):
        if kernel.read(f"/proc/{pid}/comm") == "iospan-cleanup":
            os.kill(pid, signal.SIGKILL)
    run.child.terminate()
    expect_cut(run, 0, ("",), "incomplete result: interrupted")


# The owner of the parent directory replaces the benchmark's directory by a link. After that, the
# benchmark opens the files of pattern types 1 to 4. It must not follow the link.
@test()
def directory_is_replaced_by_a_link():
    attack = Attack()
    run = stopped_in_first_type(directory=attack.dir)
    link = attack.replace(run.child.pid)
    run.resume()
    _, err = run.child.communicate()
    expect_eq((run.child.returncode, err), (0, ""), "status, stderr")
    attack.expect_held(link)


@test()
def a_link_in_the_directory_is_not_followed():
    attack = Attack()
    # The symbolic links must exist before the processes open the files of type 1. So the test stops
    # the processes.
    run = stopped_in_first_type(directory=attack.dir)
    [name] = os.listdir(attack.dir)
    for kind in range(1, 3):  # types 1 and 2 have one file for all processes, with a known name
        os.symlink(os.path.join(attack.victim, "precious"),
                   os.path.join(attack.dir, name, f"b_eff_io_data_i00_002_{kind}"))
    run.resume()
    expect_cut(run, 1, ["Too many levels of symbolic links"], "ended by an error")
    expect_eq(os.path.getsize(os.path.join(attack.victim, "precious")), 0, "bytes written by the link")


@test()
def directory_is_replaced_and_the_run_is_killed():
    attack = Attack()
    run = Running(*LONG, directory=attack.dir).wait_for(1)
    link = attack.replace(run.child.pid)
    run.child.kill()
    run.child.communicate()
    wait_until_gone(lambda: [name for name in os.listdir(attack.dir) if name != link])
    attack.expect_held(link)


@test()
def directory_is_replaced_by_one_of_a_stalled_server():
    """The benchmark's directory is replaced by a directory of a file server that does not answer.
    The cleanup process must not access that directory, because the access would never end."""
    for how in "link", "mount":
        attack = Attack()
        run = Running(*LONG, directory=attack.dir).wait_for(1)
        with stalled.mounted() as file:
            attack.victim = file if how == "link" else scratch_dir()
            name = attack.replace(run.child.pid)
            path = os.path.join(attack.dir, name)
            if how == "mount":
                os.unlink(path)
                os.mkdir(path)
                kernel.mount("none", path, os.path.dirname(file), kernel.MS_BIND)
            run.child.terminate()
            run.child.communicate()
            expect_eq(os.listdir(attack.dir), [name], f"{how}: files of the benchmark")
        if how == "mount":
            kernel.unmount(path, kernel.MNT_DETACH)
        shutil.rmtree(attack.dir)


def small_disk(size):
    needs(root(), "needs root")
    directory = os.path.join(scratch_dir(), "small")
    os.mkdir(directory)
    kernel.mount("tmpfs", directory, options=f"size={size}")
    return directory


@test()
def a_full_disk():
    run = Running(*LONG, directory=small_disk("80m"))
    run.child.wait()
    expect_cut(run, 1, NO_ROOM, "ended by an error")


def stopped_with_room(directory):
    """Starts a benchmark, and stops its processes before they have filled the disk."""
    for _ in range(10):
        run = Running(*LONG, directory=directory).wait_for(1)
        if run.is_stopped() and os.statvfs(directory).f_bavail > 8192:
            return run
        run.resume()
        run.child.communicate()
    return needs(False, "this machine is too slow to stop the benchmark before it fills the disk")


# If other processes fill the disk, the benchmark must fail and remove only its own files.
@test()
def a_disk_that_others_fill():
    directory = small_disk("300m")
    run = stopped_with_room(directory)
    left = os.statvfs(directory)
    with open(os.path.join(directory, "full"), "wb") as f:
        os.posix_fallocate(f.fileno(), 0, (left.f_bavail - 2048) * left.f_bsize)
    run.child.wait()
    os.unlink(os.path.join(directory, "full"))
    expect_cut(run, 1, NO_ROOM[1:], "ended by an error")


@test()
def a_file_above_the_size_limit():
    import resource
    run = Running(*LONG, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                               (64 << 20, 64 << 20)))
    run.child.wait()
    expect_cut(run, 1, ["File too large"], "ended by an error")


@test()
def without_root_only_the_app_layer_is_measured():
    needs_another_user()
    directory = os.path.join(scratch_dir(), "data")
    os.mkdir(directory)
    open_to_all(directory)
    status, found, err = beff(*SMALL, user=65534)
    expect_eq((status, err.count("only the app layer is measured")), (0, 1), err)
    expect_true("not by this user" in found["untraced"], found["untraced"])
    for _, _, _, pattern in each_pattern(found):
        expect_ge(pattern["layers"]["app"]["accesses"], 1, "accesses")
        expect_eq(pattern["layers"]["vfs"], None, "vfs")


@test()
def wrong_usage():
    here = scratch_dir()
    for text, *options in (("give one directory",), ("give one directory", here, here),
                           ("give one directory", here, "--check-result=x"),
                           ("give one directory", "--compare"),
                           ("option '--duration' has no effect with '--compare'", "--compare", "x", "-t", "1"),
                           ("option '--compare' has no effect with '--check-result'", "--check-result=x", "--compare"),
                           ("option '--keep' has no effect with '--check-result'", "--check-result=x", "--keep"),
                           ("option '--duration' has no effect", "--check-result=x", "-t", "1"),
                           ("option '--memory' has no effect with '--like'", here, "--memory=1M", "--like=x"),
                           ("option '--partitions' has no effect with '--like'", here, "--partitions=2", "--like=x"),
                           ("option '--system-procs' has no effect with '--partitions'", here, "--partitions=2",
                            "--system-procs=2"),
                           ("'x' is no number", here, "--partitions", "1,x"),
                           ("has 1 to", here, "--partitions", "0"), ("has 1 to", here, "--partitions", "65535"),
                           ("10 partitions at most", here, "--partitions", ",".join(["1"] * 11)),
                           ("--duration is", here, "--partitions", "1,2", "-t", "1"),
                           ("8 sets of hints", here, "--hints=" + ",".join("123456789")),
                           ("--system-procs is", here, "--system-procs=100000"),
                           ("--collective-buffer is", here, "--collective-buffer=1k")):
        done = bench(*options)
        expect_eq((done.returncode, done.stdout), (2, ""), text)
        expect_true(text in done.stderr, done.stderr)


@test()
def directories_that_cannot_be_used():
    name = os.path.join(scratch_dir(), "file")
    with open(name, "w", encoding="ascii"):
        pass
    for path, text in ((name, "Not a directory"), ("/nosuch", "No such file"),
                       ("/proc", "no storage")):
        done = bench(path, *SMALL)
        expect_eq((done.returncode, done.stdout), (1, ""), path)
        expect_true(text in done.stderr, done.stderr)


main()
