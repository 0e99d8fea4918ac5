#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""iospan correlate, on jobs that a known neighbour disturbs: if these fail, the wrong one is named,
or chance is taken for a neighbour."""
import json
import os
import random
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../trace"))

from lib import scales  # noqa: E402
from lib.ktap import *  # noqa: E402

WIDTH, INTERVALS, JOBS = 10, 2000, 150


def write(name, titles, rows):
    path = os.path.join(scratch_dir(), name)
    with open(path, "w", encoding="utf-8") as f:
        for row in [titles, *rows]:
            f.write(",".join(map(str, row)) + "\n")
    return path


def iospan(*args):
    return subprocess.run([IOSPAN, "correlate", *map(str, args)], capture_output=True, text=True,
                          check=False, stdin=subprocess.DEVNULL)


def correlated(*args):
    run = iospan(*args, "--json")
    assert_eq(run.returncode, 0, run.stderr)
    doc = json.loads(run.stdout)
    expect_eq(scales.seal(doc)["hash"], doc["hash"])
    return doc["correlation"]


def by_column(doc, form):
    return {a["system"]: a for a in doc["associations"] if a["io_time"] == form}


def planted(rng, harm):
    """A neighbour that is on or off in every interval, somebody else who is, too, and jobs of two
    to three intervals that take longer by what the neighbour does meanwhile, times harm."""
    on = {name: [rng.choice((0, 1000)) for _ in range(INTERVALS)] for name in ("neighbour", "other")}
    system = [(WIDTH * (i + 1), on["other"][i], on["neighbour"][i]) for i in range(INTERVALS)]
    jobs, amounts = [], []
    for i in range(JOBS):
        start = rng.uniform(0, WIDTH * (INTERVALS - 4))
        end = start + rng.uniform(2, 3) * WIDTH
        at = [max(0, min(end, WIDTH * (k + 1)) - max(start, WIDTH * k)) for k in range(INTERVALS)]
        amount = sum(v * share / WIDTH for v, share in zip(on["neighbour"], at))
        took = 5 + harm * amount / 1000 + rng.gauss(0, 0.2)
        jobs.append((f"job{i}", start, end, took))
        amounts.append(amount)
    return (write("jobs.csv", ("job", "t_start_s", "t_end_s", "span_s"), jobs),
            write("system.csv", ("t_end_s", "other_bytes", "neighbour_bytes"), system),
            amounts, [job[3] for job in jobs])


@test()
def the_neighbour_is_named():
    jobs, system, _, _ = planted(random.Random(1), 3)
    doc = correlated("--jobs", jobs, "--system", system, "-k", 1)
    expect_eq((doc["jobs"], doc["jobs_left_out"], doc["io_time"]), (JOBS, 0, "span"))
    of = by_column(doc, "span")
    for measure in ("pearson", "spearman", "distance_correlation", "mutual_information"):
        mine, other = of["neighbour_bytes"][measure], of["other_bytes"][measure]
        expect_eq(mine["p"], 1 / 500, measure)
        expect_ge(mine["value"], 0.85, measure)
        expect_ge(other["p"], 0.05, measure)


@test()
def nothing_is_left_when_it_does_no_harm():
    jobs, system, _, _ = planted(random.Random(2), 0)
    of = by_column(correlated("--jobs", jobs, "--system", system, "-k", 1), "span")
    for column in of.values():
        for measure in ("pearson", "spearman", "distance_correlation", "mutual_information"):
            expect_ge(column[measure]["p"], 0.05, f"{column['system']} {measure}")
        v = column["distance_correlation"]
        expect_le(v["value"], 1.5 * v["by_chance"])


def ranks(values):
    ordered = sorted(values)
    return [ordered.index(v) + (ordered.count(v) + 1) / 2 for v in values]


@test()
def measures_are_those_of_the_amounts():
    jobs, system, amounts, took = planted(random.Random(3), 1)
    of = by_column(correlated("--jobs", jobs, "--system", system, "-k", 1, "-p", 0), "span")
    v = of["neighbour_bytes"]
    expect_near(v["pearson"]["value"], statistics.correlation(amounts, took), 1e-9)
    expect_near(v["spearman"]["value"], statistics.correlation(ranks(amounts), ranks(took)), 1e-9)
    expect_eq(v["pearson"]["p"], None)


@test()
def coarse_intervals_hide_it():
    jobs, system, _, _ = planted(random.Random(4), 3)
    rows = correlated("--jobs", jobs, "--system", system, "-p", 0)["granularity"]
    expect_eq([row["merged"] for row in rows], list(range(1, 21)))
    expect_eq([row["interval_s"] for row in rows], [WIDTH * k for k in range(1, 21)])
    values = [next(a for a in row["associations"] if a["system"] == "neighbour_bytes")
              for row in rows]
    for measure in ("pearson", "spearman", "distance_correlation", "mutual_information"):
        fine, coarse = ([v[measure]["value"] for v in part] for part in (values[:2], values[-5:]))
        expect_ge(min(fine), max(coarse) + 0.3, measure)


@test()
def the_curve_follows_the_harm():
    jobs, system, _, _ = planted(random.Random(5), 3)
    doc = correlated("--jobs", jobs, "--system", system, "-k", 1, "-p", 0)
    for curve in doc["curves"]:
        points = curve["points"]
        expect_eq(len(points), 11)
        for p in points[1:-1]:
            expected = 5 + 3 * p["amount"] / 1000
            expect_true(p["low_s"] < p["median_s"] < p["high_s"], str(p))
            if curve["system"] == "neighbour_bytes":
                expect_near(p["forest_s"], expected, 0.6, str(p))
                expect_near(p["median_s"], expected, 0.6, str(p))
                expect_true(p["low_s"] < expected < p["high_s"], str(p))


@test()
def of_many_jobs_some_are_drawn():
    jobs, system, _, _ = planted(random.Random(6), 3)
    args = ("--jobs", jobs, "--system", system, "-k", 2)
    all_of_them, some = correlated(*args), correlated(*args, "--sample", 50)
    a, b = (by_column(doc, "span")["neighbour_bytes"] for doc in (all_of_them, some))
    expect_eq(a["pearson"]["value"], b["pearson"]["value"])
    expect_ge(b["distance_correlation"]["by_chance"],
              1.3 * a["distance_correlation"]["by_chance"])
    expect_eq([row["associations"][0]["jobs"] for row in some["granularity"]], [50, 50])
    expect_eq(some, correlated(*args, "--sample", 50))


JOB_TITLES = ("job", "t_start_s", "t_end_s")
FILE_TITLES = ("job", "first_io_s", "last_io_s", "op")


def small(**change):
    """Ten jobs, each in an interval of its own, that read as long as they are late."""
    files = {
        "jobs": (JOB_TITLES, [(f"j{i}", 10 * i, 10 * i + 9) for i in range(10)]),
        "files": (FILE_TITLES, [(f"j{i}", 10 * i, 10 * i + 1 + i / 2, "r") for i in range(10)]),
        "system": (("t_end_s", "read_Bps"), [(10 * i + 10, 100 * i) for i in range(10)]),
    }
    files.update(change)
    args = []
    for name, of in files.items():
        if of:
            args += [f"--{name}", write(name + ".csv", *of)]
    return args


@test()
def rates_are_amounts_of_their_time():
    doc = correlated(*small(), "-k", 1, "-p", 0)
    expect_eq((doc["window"], doc["io_time"]), ("active", "intervals"))
    reads = by_column(doc, "reads")["read_bytes"]
    # x: 100 i of each of 1 + i / 2 seconds
    x, y = [100 * i * (1 + i / 2) for i in range(10)], [1 + i / 2 for i in range(10)]
    expect_near(reads["pearson"]["value"], statistics.correlation(x, y), 1e-12)
    doc = correlated(*small(), "-k", 1, "-p", 0, "-w", "whole")
    reads = by_column(doc, "reads")["read_bytes"]
    expect_near(reads["pearson"]["value"], 1, 1e-12)


@test()
def jobs_that_nobody_saw_are_left_out():
    gap = [(10 * i + 10, "" if i == 4 else 100 * i) for i in range(10)]
    doc = correlated(*small(system=(("t_end_s", "read_Bps"), gap)), "-k", 1, "-p", 0)
    expect_eq((doc["jobs"], doc["jobs_left_out"], doc["gaps"]), (9, 1, 1))
    jobs = [("before", -5, 5), ("in", 5, 8), ("after", 95, 105)]
    doc = correlated(*small(jobs=(JOB_TITLES, jobs), files=None), "-k", 1, "-p", 0)
    expect_eq((doc["jobs"], doc["jobs_left_out"]), (1, 2))


@test()
def what_is_the_same_for_all_has_no_measure():
    same = [(10 * i + 10, 7) for i in range(10)]
    doc = correlated(*small(system=(("t_end_s", "reads"), same)), "-w", "whole", "-k", 2)
    v = by_column(doc, "reads")["reads"]
    for measure in ("pearson", "spearman", "mutual_information"):
        expect_eq((v[measure]["value"], v[measure]["p"]), (None, None), measure)
    expect_eq(v["distance_correlation"]["value"], 0)
    expect_eq(doc["curves"][0]["points"][0]["median_s"], None)
    run = iospan(*small(system=(("t_end_s", "reads"), same)), "-w", "whole")
    expect_eq((run.returncode, "nan" in run.stdout), (0, False), run.stdout)


@test()
def bins_in_place_of_neighbours():
    jobs, system, _, _ = planted(random.Random(7), 3)
    args = ("--jobs", jobs, "--system", system, "-k", 1)
    doc = correlated(*args, "--bins", 5)
    expect_eq((doc["information"], doc["bins"]), ("bins", 5))
    expect_ge(by_column(doc, "span")["neighbour_bytes"]["mutual_information"]["value"], 0.4)
    run = iospan(*args, "--bins", 5)
    expect_true("5 x 5 bins" in run.stdout, run.stdout)


@test()
def every_fault_is_said():
    job, fine = ("a", 0, 5), (("t_end_s", "x"), [(10, 1), (20, 2)])
    for change, said in (
            ({"jobs": (("job", "t_start_s"), [])}, "'{}/jobs.csv' has no column 't_end_s'"),
            ({"jobs": (JOB_TITLES, [])}, "the system is known during none of 0 jobs"),
            ({"jobs": (JOB_TITLES, [("a", 1)])}, "'{}/jobs.csv' line 2: 2 cells, where there are 3"),
            ({"jobs": (JOB_TITLES, [job, ("b", 5, 4)])}, "line 3: job 'b' ends before it begins"),
            ({"jobs": (JOB_TITLES, [("a", "x", 4)])}, "line 2: t_start_s 'x' is no number"),
            ({"jobs": (JOB_TITLES, [("a", 1, "inf")])}, "line 2: t_end_s 'inf' is no number"),
            ({"jobs": (JOB_TITLES, [("a", "", 4)])}, "line 2: t_start_s is missing"),
            ({"jobs": ((*JOB_TITLES, "job"), [])}, "line 1: column 'job' is there twice"),
            ({"jobs": ((*JOB_TITLES, "io_s"), [(*job, -1)])}, "line 2: io_s is below 0"),
            ({"jobs": (JOB_TITLES, [('"a', 1, 2)])}, "line 2: wrong quotes in cell 1"),
            ({"jobs": (JOB_TITLES, [job, job]), "files": (FILE_TITLES, [])},
             "job 'a' is there twice"),
            ({"files": (FILE_TITLES, [("b", 1, 2, "r")])}, "line 2: there is no job 'b'"),
            ({"files": (FILE_TITLES, [("a", 1, 2, "x")])}, "line 2: op 'x' is not 'r' or 'w'"),
            ({"files": (FILE_TITLES, [("a", 2, 1, "r")])}, "the last I/O is before the first"),
            ({"system": (("t_end_s",), [(10,)])}, "has only columns of time"),
            ({"system": (("t_end_s", "x"), [(10, 1)])}, "it takes two intervals to know"),
            ({"system": (("t_end_s", "x"), [(10, 1), (5, 1)])}, "interval 2 does not end after the one before it"),
            ({"system": (("t_end_s", "x"), [(10, 1), (20, -1)])}, "line 3: x is below 0"),
            ({"system": (("t_end_s", "x"), [(1000, 1), (1010, 1)])},
             "the system is known during none of 1 jobs")):
        run = iospan(*small(**{"jobs": (JOB_TITLES, [job]), "files": None, "system": fine, **change}))
        expect_eq((run.returncode, run.stdout), (1, ""), said)
        expect_true(said.format(scratch_dir()) in run.stderr, f"{said}: {run.stderr}")
        expect_eq(run.stderr.count("\n"), 1, run.stderr)
    run = iospan(*small(files=None), "-w", "active")
    expect_true("--files is missing" in run.stderr, run.stderr)
    run = iospan(*small(), "-t", "span")
    expect_eq((run.returncode, run.stderr), (1, "iospan: no job has the I/O time 'span'\n"))


@test()
def wrong_usage():
    for args, said in ((["--jobs", "x"], "--system is missing"), (["--system", "x"], "--jobs is"),
                       ([*small(), "-t", "x"], "unknown I/O time 'x'"), ([*small(), "x"], "options"),
                       ([*small(), "-w", "x"], "unknown window 'x'"),
                       ([*small(), "--sample", 1], "--sample is from 10")):
        run = iospan(*args)
        expect_eq((run.returncode, run.stdout), (2, ""), said)
        expect_true(said in run.stderr, run.stderr)


main()
