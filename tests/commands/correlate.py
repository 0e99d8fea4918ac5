#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests iospan correlate on jobs that a known neighbour (other load on the system) disturbs. A log
has the I/O of the system per interval. A measure is a number for the relation of two columns, such
as Pearson's correlation."""
import json
import os
import random
import shutil
import statistics
import subprocess

from lib import accesses
from lib.browser import *
from lib.correlating import *
from lib.forms import expect_same_numbers
from lib.ktap import *

WIDTH, INTERVALS, JOBS = 10, 2000, 150


def given(job_titles, jobs, titles, system):
    return "--jobs", write("jobs.csv", job_titles, jobs), "--system", write("system.csv", titles, system)


def planted(rng, harm):
    """Makes a log with two columns, "neighbour" and "other". In each interval, a column is either
    1000 or 0, at random. A job takes @harm / 1000 seconds longer for each unit of the neighbour's
    amount during the job. Returns (options that name the files, amounts of the neighbour,
    durations)."""
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
    return (given((*JOB_TITLES, "span_s"), jobs, ("t_end_s", "other_bytes", "neighbour_bytes"), system),
            amounts, [job[3] for job in jobs])


def ranks(values):
    ordered = sorted(values)
    return [ordered.index(v) + (ordered.count(v) + 1) / 2 for v in values]


@test()
def the_neighbour_is_named():
    args, amounts, took = planted(random.Random(1), 3)
    doc = correlated(*args, "--granularity", 1)
    expect_eq((doc["job_count"], doc["jobs_left_out"], doc["io_time"]), (JOBS, 0, "span"))
    of = by_column(doc, "span")
    for measure in MEASURES:
        mine, other = of["neighbour_bytes"][measure], of["other_bytes"][measure]
        expect_eq(mine["p"], 1 / 500, measure)
        expect_ge(mine["value"], 0.85, measure)
        expect_ge(other["p"], 0.05, measure)
    v = of["neighbour_bytes"]
    expect_near(v["mean_amount"], statistics.fmean(amounts), 1e-9)
    expect_near(v["pearson"]["value"], statistics.correlation(amounts, took), 1e-9)
    expect_near(v["spearman"]["value"], statistics.correlation(ranks(amounts), ranks(took)), 1e-9)


@test()
def a_harmless_neighbour_is_not_named():
    of = by_column(correlated(*planted(random.Random(2), 0)[0], "--granularity", 1), "span")
    for column in of.values():
        for measure in MEASURES:
            expect_ge(column[measure]["p"], 0.05, f"{column['column']} {measure}")
        v = column["distance_correlation"]
        expect_le(v["value"], 1.5 * v["by_chance"])


def one_column(rng, n, harm):
    """Makes a log with @n columns that are at random 1000 or 0 in each interval. Each interval has
    one job. The job takes @harm seconds longer if the last column is 1000."""
    on = [[rng.choice((0, 1000)) for _ in range(60)] for _ in range(n)]
    jobs = [(f"j{i}", 10 * i, 10 * i + 10, 5 + harm * on[-1][i] / 1000 + rng.gauss(0, 0.2))
            for i in range(60)]
    system = [(10 * i + 10, *(column[i] for column in on)) for i in range(60)]
    return given((*JOB_TITLES, "span_s"), jobs, ("t_end_s", *(f"c{i}_bytes" for i in range(n))), system)


@test()
def the_result_comes_first():
    def first(*args):
        return iospan(*args, "--granularity", 1).stdout.splitlines()[0]
    args = one_column(random.Random(21), 6, 3)
    best = by_column(correlated(*args), "span")["c5_bytes"]
    expect_eq(first(*args), "the I/O time 'span' correlates most with c5_bytes: distance correlation "
              f"{best['distance_correlation']['value']:.3f}, p 0.012; a rising straight line explains "
              f"{100 * best['pearson']['value'] ** 2:.0f} % of the variation")
    expect_true(" p not computed; a rising straight line " in first(*args, "--permutations", 0), "without p")
    expect_true("; a falling straight line " in first(*one_column(random.Random(21), 6, -3)), "falling")
    args = one_column(random.Random(22), 6, 0)
    low = min(by_column(correlated(*args), "span").values(),
              key=lambda a: (a["distance_correlation"]["p"], -a["distance_correlation"]["value"]))
    expect_eq(first(*args), "no column correlates with the I/O time 'span' beyond chance: the lowest p "
              f"is {low['distance_correlation']['p_holm']:.3f}, of {low['column']}")
    expect_true(first(*one_column(random.Random(23), 30, 3)).endswith(
        ", of c29_bytes; more --permutations may lower it"), "30 columns")
    same = [(10 * i + 10, 7) for i in range(10)]
    expect_true(first(*small(system=(("t_end_s", "reads"), same)), "--window=whole").startswith(
        "nothing correlates with the I/O time 'intervals'"), "a constant column")
    one = (JOB_TITLES, [("a", 3, 5)])
    expect_eq(first(*small(jobs=one, files=None)),
              "too few jobs or intervals to correlate with the I/O time 'run'")


@test()
def the_text_is_short():
    args = (*one_column(random.Random(24), 20, 3), "--permutations", 999)
    run = iospan(*args)
    lines = run.stdout.splitlines()
    expect_le(len(lines), 75, run.stdout)
    expect_le(max(map(len, lines[3:])), 120, run.stdout)
    expect_true("  note: --json shows 8 more rows" in lines, run.stdout)
    shown = next(line.split() for line in lines if line.startswith("  c19_bytes "))
    mean = by_column(correlated(*args), "span")["c19_bytes"]["mean_amount"]
    expect_eq(shown[1:3], [f"{mean:.0f}", "B"])


@test()
def all_forms_have_the_same_numbers():
    expect_same_numbers(lambda doc: doc["correlation"]["associations"], "correlate",
                        *one_column(random.Random(25), 6, 3))
    expect_same_numbers(lambda doc: doc["correlation"]["associations"], "correlate", *small())


@test()
def coarse_intervals_hide_the_neighbour_and_the_curve_follows_it():
    doc = correlated(*planted(random.Random(4), 3)[0], "--permutations", 0)
    rows = doc["granularity"]
    expect_eq([row["merged_intervals"] for row in rows], list(range(1, 21)))
    expect_eq([row["interval_ns"] / 1e9 for row in rows], [WIDTH * k for k in range(1, 21)])
    values = [next(a for a in row["associations"] if a["column"] == "neighbour_bytes")
              for row in rows]
    for measure in MEASURES:
        fine, coarse = ([v[measure]["value"] for v in part] for part in (values[:2], values[-5:]))
        expect_ge(min(fine), max(coarse) + 0.3, measure)
    for curve in doc["column_curves"]:
        points = curve["points"]
        expect_eq(len(points), 11)
        for p in points[1:-1]:
            expected = 5 + 3 * p["amount"] / 1000
            expect_true(p["low_ns"] / 1e9 < p["median_ns"] / 1e9 < p["high_ns"] / 1e9, str(p))
            if curve["column"] == "neighbour_bytes":
                expect_near(p["forest_ns"] / 1e9, expected, 0.6, str(p))
                expect_near(p["median_ns"] / 1e9, expected, 0.6, str(p))
                expect_true(p["low_ns"] / 1e9 < expected < p["high_ns"] / 1e9, str(p))


@test()
def of_many_jobs_a_sample_is_used():
    args = (*planted(random.Random(6), 3)[0], "--granularity", 2)
    all_of_them, some = correlated(*args), correlated(*args, "--sample", 50)
    a, b = (by_column(doc, "span")["neighbour_bytes"] for doc in (all_of_them, some))
    expect_eq((a["pearson"]["value"], a["mean_amount"]), (b["pearson"]["value"], b["mean_amount"]))
    expect_ge(b["distance_correlation"]["by_chance"],
              1.3 * a["distance_correlation"]["by_chance"])
    expect_eq([row["associations"][0]["job_count"] for row in some["granularity"]], [50, 50])
    expect_eq(some, correlated(*args, "--sample", 50))
    # These jobs must not be in the sample of 50: 1000 jobs outside the time of the log, and 1000
    # jobs without an I/O time.
    with open(args[1], "a", encoding="utf-8") as f:
        f.writelines(f"late{i},{10**6 + i},{10**6 + i + 1},1\n" for i in range(1000))
        f.writelines(f"untold{i},{i},{i + 1},\n" for i in range(1000))
    some = correlated(*args, "--sample", 50)
    expect_eq(some["jobs_left_out"], 1000)
    expect_eq([row["associations"][0]["job_count"] for row in some["granularity"]], [50, 50])
    shown = [line.split() for line in iospan(*args, "--sample", 50).stdout.splitlines()]
    head = next(i for i, line in enumerate(shown) if line[:1] == ["merged"])
    expect_eq([line[3] for line in shown[head + 1:head + 3]], ["50", "50"])
    many = [(f"j{i}", i / 200, i / 200 + 1) for i in range(10050)]
    expect_eq(len(document(*small(jobs=(JOB_TITLES, many), files=None), *FAST, "--sample", 10)["jobs"]), 10050)


def small(**change):
    """Makes files for ten jobs, and returns the options that name them. Each job is in its own
    interval of 10 s, and job i reads for 1 + i / 2 seconds. @change replaces some of the files."""
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
def rates_are_amounts_per_second_of_io():
    doc = correlated(*small(), *FAST)
    expect_eq((doc["window"], doc["io_time"]), ("active", "intervals"))
    reads = by_column(doc, "reads")["read_bytes"]
    # During job i, the system reads 100 * i bytes per second. Job i has I/O for 1 + i / 2 seconds.
    x, y = [100 * i * (1 + i / 2) for i in range(10)], [1 + i / 2 for i in range(10)]
    expect_near(reads["pearson"]["value"], statistics.correlation(x, y), 1e-12)
    doc = correlated(*small(), *FAST, "--window", "whole")
    reads = by_column(doc, "reads")["read_bytes"]
    expect_near(reads["pearson"]["value"], 1, 1e-12)


@test()
def small_coefficients_are_rounded():
    rates = [(10 * i + 10, 100 * (i - 4.5) ** 2) for i in range(10)]
    args = (*small(system=(("t_end_s", "read_Bps"), rates)), *FAST, "--window", "whole", "--form", "reads")
    row = by_column(correlated(*args), "reads")["read_bytes"]
    expect_true(abs(row["pearson"]["value"]) < 1e-12 and abs(row["spearman"]["value"]) < 1e-12, str(row))
    shown = [line.split() for line in iospan(*args).stdout.splitlines()]
    head = next(line for line in shown if line[:1] == ["column"])
    cells = next(line for line in shown if line[:1] == ["read_bytes"])
    expect_eq([cells[i - len(head)] for i in (head.index("Pearson"), head.index("Spearman"))], ["0.000", "0.000"])


@test()
def a_moment_belongs_to_one_interval():
    moments = [("begin", 0, 0), ("border", 10, 10), ("end", 100, 100), ("more", 5, 15)]
    doc = correlated(*small(jobs=(JOB_TITLES, moments), files=None), "--granularity", 2, "--permutations", 0)
    expect_eq([(row["job_count"], row["intervals_per_job"]) for row in doc["granularity"]],
              [(4, (1 + 1 + 1 + 2) / 4), (4, 1)])


@test()
def an_interval_counts_once():
    files = [("a", 3, 10, "w"), ("a", 10, 10, "r"), ("a", 0, 5, "r"), ("a", 4, 4, "r")]
    args = small(jobs=(JOB_TITLES, [("b", 50, 60), ("a", 0, 40)]), files=(FILE_TITLES, files))
    times = correlated(*args, *FAST)["io_times"]
    # The read from 10 to 10 s takes no time. The time 10 s belongs to the interval from 10 to 20 s
    # only.
    expect_eq({form: times[form]["mean_ns"] / 1e9 for form in ("reads", "writes", "intervals")},
              {"reads": 5, "writes": 7, "intervals": 20})


@test()
def a_longer_time_has_no_higher_rate():
    rng = random.Random(10)
    steady = [(i + 1, rng.uniform(95, 105)) for i in range(1000)]
    jobs = []
    for i in range(60):
        start = rng.uniform(0, 800)
        jobs.append((f"j{i}", start, start + rng.uniform(20, 100)))
    args = small(jobs=(JOB_TITLES, jobs), files=None, system=(("t_end_s", "reads"), steady))
    amounts = by_column(correlated(*args, "--granularity", 1), "run")["reads"]
    rates = by_column(correlated(*args, "--granularity", 1, "--rates"), "run")["reads"]
    expect_ge(amounts["pearson"]["value"], 0.99)
    expect_le(abs(rates["pearson"]["value"]), 0.2)
    expect_ge(rates["distance_correlation"]["p"], 0.05)
    # The last job has I/O for 5.5 s. In each second, the system reads 900 bytes. Rates are
    # compared, so the length of the job must not matter.
    doc = correlated(*small(), *FAST, "--rates", "--points", 2)
    expect_eq(doc["uses_rates"], True)
    expect_near(doc["column_curves"][0]["points"][1]["amount"], 900, 1e-9)


@test()
def a_decreasing_amount_correlates_as_well():
    falling = [(10 * i + 10, 1000 - 100 * i) for i in range(10)]
    doc = correlated(*small(system=(("t_end_s", "x"), falling)), "--window", "whole", "--granularity", 1)
    v = by_column(doc, "reads")["x"]
    for measure in ("pearson", "spearman"):
        expect_near(v[measure]["value"], -1, 1e-12)
        expect_eq(v[measure]["p"], 1 / 500, measure)


@test()
def jobs_outside_the_log_are_left_out():
    gap = [(10 * i + 10, "" if i == 4 else 100 * i) for i in range(10)]
    doc = correlated(*small(system=(("t_end_s", "read_Bps"), gap)), *FAST)
    expect_eq((doc["job_count"], doc["jobs_left_out"], doc["gaps"]), (9, 1, 1))
    every_other = [(10 * i + 10, "" if i % 2 else 100 * i) for i in range(10)]
    doc = correlated(*small(system=(("t_end_s", "read_Bps"), every_other)), "--window", "whole", "--granularity", 1,
                     "--permutations", 0, "--points", 2)
    expect_eq((doc["job_count"], doc["gaps"], doc["interval_ns"] / 1e9), (5, 4, 10))
    expect_near(doc["column_curves"][0]["points"][1]["amount"], 9 * 800, 1e-9)
    expect_refused("covers none of 10 jobs", *small(system=(("t_end_s", "read_Bps"), [(10, ""), (20, "")])))
    jobs = [("before", -5, 5), ("in", 5, 8), ("after", 95, 105)]
    doc = correlated(*small(jobs=(JOB_TITLES, jobs), files=None), *FAST)
    expect_eq((doc["job_count"], doc["jobs_left_out"]), (1, 2))
    run = iospan(*small(jobs=(JOB_TITLES, jobs), files=None), *FAST, "--csv")
    expect_eq((run.returncode, run.stderr), (0, "iospan: warning: 2 more jobs are left out: the system data does "
                                             "not cover them completely\n"))


@test()
def constant_columns_have_no_measure():
    for begin in (0, START):
        same = [(begin + 10 * i + 10, 7) for i in range(10)]
        # No double holds these times exactly, so equal durations differ in their last digits.
        jobs = [(f"j{i}", begin + 10.1 * i, begin + (10.1 * i + 7.1), i) for i in range(10)]
        args = small(jobs=((*JOB_TITLES, "io_s"), jobs), files=None,
                     system=(("t_end_s", "reads"), same))
        doc = correlated(*args, "--granularity", 2)
        for form in ("io", "run"):
            v = by_column(doc, form)["reads"]
            for measure in ("pearson", "spearman", "mutual_information"):
                expect_eq((v[measure]["value"], v[measure]["p"]), (None, None), measure)
            expect_eq(v["distance_correlation"]["value"], 0)
        for bins in (1, 5):
            binned = correlated(*args, "--granularity", 1, "--bins", bins)
            v = by_column(binned, "run")["reads"]["mutual_information"]
            expect_eq((v["value"], v["p"]), (None, None))
        expect_eq(doc["io_times"]["io"]["job_count"], 10)
        expect_eq(doc["column_curves"][0]["points"][0]["median_ns"], None)
        run = iospan(*small(jobs=(JOB_TITLES, [job[:3] for job in jobs]), files=None,
                            system=(("t_end_s", "reads"), same)))
        expect_eq((run.returncode, "nan" in run.stdout), (0, False), run.stdout)


def measured(doc):
    return [(row["job_count"], {row[m]["value"] is not None for m in
                           MEASURES})
            for row in doc["associations"]]


@test()
def too_few_for_a_measure():
    """A measure needs at least 3 intervals and 5 jobs. In a single interval, the amount of a job is
    proportional to its duration, so Pearson's correlation would always be 1."""
    def of(intervals, jobs):
        width = 60 / intervals
        system = [(width * i, width * (i + 1), (7 * i) % 5 + 1) for i in range(intervals)]
        jobs = [(f"j{i}", i, i + 5 * (i % 3) + 10, i * i % 7) for i in range(1, jobs + 1)]
        return correlated(*given((*JOB_TITLES, "io_s"), jobs, ("t_start_s", "t_end_s", "read_bytes"), system), *FAST)
    for intervals, jobs, known in ((1, 30, False), (2, 30, False), (3, 30, True), (12, 2, False),
                                   (12, 5, True)):
        rows = measured(of(intervals, jobs))
        expect_eq(rows, [(jobs, {known})] * 2, f"{intervals} intervals, {jobs} jobs")


@test()
def rows_have_jobs():
    """The result has two kinds of rows: one row for each tested interval length (number of merged
    intervals), and one for each I/O time. Rows without jobs must be left out."""
    rng = random.Random(12)
    system = [(10 * i + 10, rng.randrange(99)) for i in range(12)]
    jobs = [(f"j{i}", 20 + 3 * i, 70 + 4 * i) for i in range(9)]
    doc = correlated(*given(JOB_TITLES, jobs, ("t_end_s", "read_bytes"), system), "--permutations", 0)
    expect_true(0 < len(doc["granularity"]) < 20, str(len(doc["granularity"])))
    for row in doc["granularity"]:
        expect_true(row["job_count"] > 0, str(row["merged_intervals"]))
    # Only j0 has I/O in the list of files. Only j0 has no I/O time in the list of jobs (io_s). So
    # no job has both.
    jobs = [(*job, i or "") for i, job in enumerate(jobs)]
    doc = correlated(*given((*JOB_TITLES, "io_s"), jobs, ("t_end_s", "read_bytes"), system), *FAST, "--files",
                     write("f.csv", FILE_TITLES, [("j0", 25, 30, "read")]))
    expect_true(0 not in {row["job_count"] for row in doc["associations"]}, str(measured(doc)))


@test()
def bins_in_place_of_neighbours():
    args = (*planted(random.Random(7), 3)[0], "--granularity", 1)
    doc = correlated(*args, "--bins", 5)
    expect_eq((doc["information"], doc["bins"]), ("bins", 5))
    expect_ge(by_column(doc, "span")["neighbour_bytes"]["mutual_information"]["value"], 0.4)
    run = iospan(*args, "--bins", 5)
    expect_true("5 x 5 bins" in run.stdout, run.stdout)


def system_of(seconds):
    return write("dsystem.csv", ("t_end_s", "x"),
                 [(START + 10 * (i + 1), i * i) for i in range(seconds // 10)])


@test()
def logs_of_darshan():
    for old in (False, True):
        opened = "OPEN_TIMESTAMP" if old else "OPEN_START_TIMESTAMP"
        logs = []
        for i in range(5):
            shared = {opened: 1, "READ_START_TIMESTAMP": 2, "READ_END_TIMESTAMP": 11 + i,
                      "META_TIME": 50}
            mine = {"READ_START_TIMESTAMP": 31, "READ_END_TIMESTAMP": 32 + 2 * i,
                    "META_TIME": 1 + i, "READ_TIME": 2}
            other = {"WRITE_START_TIMESTAMP": 60, "WRITE_END_TIMESTAMP": 75 + i, "META_TIME": 2.5}
            logs += darshan(f"j{i}", START + 100 * i,
                            [(-1, "1", shared), (2, "2", mine), (2, "3", {"META_TIME": 1}),
                             (3, "4", other), (1, "5", {"READ_END_TIMESTAMP": 0})], old)
        doc = correlated("--jobs", text("logs.txt", logs), "--system", system_of(600), "--permutations", 0)
        mean = {form: v and (v["job_count"], v["mean_ns"] / 1e9) for form, v in doc["io_times"].items()}
        expect_eq(mean, {"run": (5, 100), "metadata": (5, 4), "transfer": (5, 2), "shared": (5, 12),
                         "io": (5, 18), "reads": (5, 11), "writes": (5, 17), "span": None,
                         # Five intervals of 10 s have I/O: two have reads (2 s to 11 + i s), one
                         # has reads (from 31 s on), and two have writes (from 60 s on).
                         "intervals": (5, 50)})
        expect_eq((doc["job_count"], doc["window"]), (5, "active"))
    unopened = darshan("j", START, [(-1, "1", {"READ_START_TIMESTAMP": 20, "READ_END_TIMESTAMP": 30})])
    doc = correlated("--jobs", text("logs.txt", unopened), "--system", system_of(200), *FAST)
    expect_eq(doc["io_times"]["shared"]["mean_ns"] / 1e9, 10)


@test()
def logs_with_warnings():
    """darshan-parser prints warnings about the log's version before the log, and other warnings as
    comments in the log."""
    first = "WARNING: Darshan logs made by this version may be wrong."
    mine = [(0, "1", {"META_TIME": 1})]
    logs = []
    for i in range(3):
        logs += [f"# {first}", "#          It is a known fault.",
                 *darshan(f"j{i}", START + 100 * i, mine)]
    logs.insert(9, "# *WARNING*: The POSIX module contains incomplete data!")
    path = text("warned.txt", logs)
    run = iospan("--jobs", path, "--system", system_of(400), "--permutations", 0, "--json")
    expect_eq((run.returncode, run.stderr),
              (0, f"iospan: warning: '{path}' has 4 warnings of darshan-parser; the first, in line 1: "
                  f"{first}\n"))
    times = json.loads(run.stdout)["correlation"]["io_times"]["metadata"]
    expect_eq((times["job_count"], times["mean_ns"], times["standard_deviation_ns"]), (3, 10 ** 9, 0))


@test()
def wrong_logs_of_darshan_are_refused():
    good = darshan("j", START, [(0, "1", {"META_TIME": 1})])
    for lines, said in ((good[:4] + good[6:], "has no start_time, or no end_time"),
                        ([*good, "POSIX\t4\t1\tPOSIX_F_META_TIME\t1\t/\t/\t/"], "not below nprocs"),
                        ([*good, "POSIX\t0\t1\tPOSIX_F_META_TIME\tx\t/\t/\t/"], "is not a number"),
                        ([*good, "POSIX\t0"], "expected a rank, a record"),
                        ([*good, "# start_time: x"], "has no start_time, or no end_time"),
                        ([*good, "POSIX\t0\tx\tPOSIX_F_META_TIME\t1\t/\t/\t/"], "the record is not a number"),
                        ([*good, "# nprocs: 99999999999"], "not a number of processes"),
                        (["# darshan log version: 3", "0 1 CP_F_READ_TIME 1"], "not below nprocs")):
        path = text("logs.txt", lines)
        expect_refused(said, "--jobs", path, "--system", system_of(100))
    jobs = write("jobs.csv", JOB_TITLES, [("a", 0, 1)])
    expect_refused("contains no I/O of a system", "--jobs", jobs, "--system", text("logs.txt", good))


def iostat(samples, extended=True):
    def disk(name, r, w):
        if extended:
            return {"disk_device": name, "r/s": r, "w/s": w, "rkB/s": 4 * r, "wkB/s": 8 * w}
        return {"disk_device": name, "tps": r + w, "MB_read/s": r / 1024, "MB_wrtn/s": w / 1024}
    statistics = [{"timestamp": when, "disk": [disk("sda", r, w), disk("dm-0", r, w),
                                               disk("nvme0n1", 1, 1)]} for when, r, w in samples]
    return text("iostat.json", [json.dumps(
        {"sysstat": {"hosts": [{"nodename": "n", "statistics": statistics}]}})])


@test()
def documents_of_iostat():
    minutes = range(10)
    jobs = write("jobs.csv", ("job", "t_start_s", "t_end_s", "io_s"),
                 [(i, START + 60 * i, START + 60 * i + 30, 1 + i) for i in range(9)])
    os.environ["TZ"] = "HERE-3"
    for form in ("01/31/26 15:{:02}:00", "01/31/2026 15:{:02}:00", "01/31/26 03:{:02}:00 PM",
                 "01/31/2026 03:{:02}:00 PM", "2026-01-31T12:{:02}:00+0000",
                 "2026-01-31T13:{:02}:00+0100"):
        path = iostat([(form.format(i), 100 * i, 7) for i in minutes])
        doc = correlated("--jobs", jobs, "--system", path, *FAST)
        expect_eq((doc["intervals"], doc["interval_ns"] / 1e9, doc["job_count"]), (9, 60, 9))
        of = by_column(doc, "io")
        expect_eq(sorted(of), ["read_bytes", "read_ops", "write_bytes", "write_ops"])
        expect_near(of["read_bytes"]["pearson"]["value"], 1, 1e-9)
        expect_eq(of["write_ops"]["pearson"]["value"], None)
        at = {c["column"]: c["points"][-1]["amount"] for c in doc["column_curves"]}
        # The last job takes 30 s. The amounts are sums over sda and nvme0n1. dm-0 does not count,
        # because it is stacked on another disk.
        expect_near(at["read_bytes"], 30 * 901 * 4096, 1)
        expect_near(at["write_ops"], 30 * 8, 1e-6)
    doc = document("--jobs", jobs, "--system", iostat([(form.format(i), -9, 7) for i in minutes]), *FAST)
    expect_eq(doc["jobs"][0]["amounts"]["read_ops"], 30)
    path = iostat([(form.format(i), 1024 * i, 0) for i in minutes], extended=False)
    doc = correlated("--jobs", jobs, "--system", path, *FAST)
    at = {c["column"]: c["points"][-1]["amount"] for c in doc["column_curves"]}
    expect_near(at["ops"], 30 * (9 * 1024 + 2), 1e-6)
    expect_near(at["read_bytes"], 30 * (9 * 1024 + 1) * 1024, 1)


@test()
def a_document_of_sadf():
    """The samples have the form that sadf of sysstat 12.6 prints. iospan must use the first sample.
    The machine was down in minute 5, so there is no sample for the job of this minute."""
    def sample(i):
        disks = [{"disk-device": name, "tps": i, "rd_sec": 8 * i, "wr_sec": 2 * i, "rkB": 4 * i,
                  "wkB": 1 * i, "dkB": 9, "util-percent": 50} for name in ("sda", "sda1", "dm-0", "nvme0n1", "nvme0n1p2")]
        # sadf prints whole seconds, and a rounded length.
        return {"timestamp": {"date": "2026-01-31", "time": f"12:{i:02}:00", "utc": 1, "interval": 59 + i % 3},
                "disk": disks}
    statistics = [sample(i) for i in (*range(1, 5), *range(6, 10))]
    path = text("sar.json", [json.dumps(
        {"sysstat": {"hosts": [{"nodename": "n", "file-utc-time": "12:00:00", "statistics": statistics,
                                "restarts": []}]}})])
    jobs = write("jobs.csv", JOB_TITLES, [(f"j{i}", START + 60 * i - 45, START + 60 * i - 15)
                                          for i in range(1, 10)])
    doc = document("--jobs", jobs, "--system", path, *FAST)
    expect_eq(doc["correlation"]["jobs_left_out"], 1)
    expect_eq({j["job"]: j["amounts"] for j in doc["jobs"]},
              {f"j{i}": {"ops": 2 * i * 30, "read_bytes": 8192 * i * 30, "write_bytes": 2048 * i * 30}
               for i in range(1, 10) if i != 5})
    local = [sample(1) for i in range(1)]
    local[0]["timestamp"].update(utc=0, date="31.01.2026")
    path = text("bad.json", [json.dumps({"sysstat": {"hosts": [{"statistics": local}]}})])
    expect_refused("sample 1 has no timestamp", "--jobs", jobs, "--system", path)
    numbers = [{**sample(1), "disk": [{"disk-device": "dev253-0", "tps": 1}]}]
    path = text("numbers.json", [json.dumps({"sysstat": {"hosts": [{"statistics": numbers}]}})])
    expect_refused("use sadf -p for names", "--jobs", jobs, "--system", path)


@test()
def wrong_documents_of_iostat_are_refused():
    jobs = write("jobs.csv", JOB_TITLES, [("a", START, START + 1)])
    for path, said in ((iostat([("yesterday", 1, 1)]), "sample 1 has no timestamp"),
                       (text("x.json", ["{}"]), "has no disks"), (text("y.json", ["{"]), "y.json"),
                       (text("z.json", ['{"sysstat": {"hosts": [1, {"statistics": 3}, []]}}']),
                        "has no disks")):
        expect_refused(said, "--jobs", jobs, "--system", path)
    expect_refused("contains no jobs", "--jobs", iostat([]), "--system", jobs)


def stat_line(i, groups, **change):
    """Returns a JSON line of iospan stat for second @i. @groups: [(cgroup, accesses)]. The accesses
    of a cgroup include those of the cgroups below it."""
    def cell(n):
        return {"accesses": n, "bytes": 4096 * n}
    doc = {"iospan": "0.1", "command": "stat", "start_ns": i * SECOND, "end_ns": (i + 1) * SECOND,
           "realtime_ns": (START + i + 1) * SECOND,
           "devices": [{"name": "sda", "stacked": False,
                        "operations": {"read": cell(i), "write": cell(2 * i)}},
                       {"name": "dm-0", "stacked": True, "operations": {"read": cell(99)}}],
           "cgroups": [{"path": path, "layers": {"device": cell(n)}} for path, n in groups]
                      + [{"path": None, "layers": {"device": cell(7)}}]}
    return json.dumps({**doc, **change})


@test()
def lines_of_stat():
    # The cgroups of a job have no columns, and "/" excludes their I/O.
    lines = [stat_line(i, [("/", 13 * i), ("/a", 6 * i), ("/a/b", i), ("/a/b/c", i), ("/ab", 3 * i),
                           ("/iospan-12-1f", 3 * i), ("/iospan-12-1f/x", i)])
             for i in range(10)]
    jobs = write("jobs.csv", ("job", "t_start_s", "t_end_s", "io_s"),
                 [(i, START + i, START + i + 0.5, 1 + i) for i in range(10)])
    doc = correlated("--jobs", jobs, "--system", text("stat.json", lines), *FAST)
    expect_eq((doc["intervals"], doc["interval_ns"] / 1e9, doc["job_count"], doc["gaps"]), (10, 1, 10, 0))
    at = {c["column"]: c["points"][-1]["amount"] for c in doc["column_curves"]}
    # The last job takes half of an interval, so it has half of the interval's amounts. The column
    # of a cgroup excludes the cgroups below it.
    half = {"read_ops": 9, "write_ops": 18, "/ ops": 9, "/a ops": 45, "/ab ops": 27, "/a/b/c ops": 9}
    expect_eq(sorted(at), sorted([*half, *(n[:-3] + "bytes" for n in half)]))
    for name, ops in half.items():
        expect_near(at[name], ops / 2, 1e-4, name)
        expect_near(at[name[:-3] + "bytes"], ops * 2048, 1, name)
    later = [stat_line(i + 5 * (i > 4), [("/", 1)] if i < 8 else [("/new", 2)]) for i in range(10)]
    doc = correlated("--jobs", jobs, "--system", text("stat.json", [*later, ""]), *FAST)
    expect_eq((doc["intervals"], doc["gaps"], doc["job_count"]), (10, 1, 5))


@test()
def losses_of_the_inputs():
    jobs = write("jobs.csv", JOB_TITLES, [("a", START, START + 3)])
    lines = [stat_line(i, [], losses={"completions": i % 2, "issues": 0}) for i in range(5)]
    path = text("stat.json", lines)
    expect_eq(iospan("--jobs", jobs, "--system", path, *FAST).stderr,
              f"iospan: warning: '{path}' states losses in 2 of 5 intervals\n")
    read = [accesses.Access(1, 0, SECOND * i, SECOND * i + 1000, file="a") for i in range(9)]
    whole = accesses.write("whole", read)
    lossy = accesses.write("lossy", read, "-s", text("sums.json", [json.dumps({"losses": {"call_ends": 1}})]))
    device = {"device": {"accesses": 1000}}
    few, many = ({"losses": {"completions": n, "issues": 0}, "layers": device} for n in (9, 10))
    path = text("stat.json", [stat_line(i, [], **(many if i == 3 else few)) for i in range(5)])
    expect_eq(iospan("--jobs", jobs, "--system", path, *FAST).stderr,
              f"iospan: warning: '{path}' states losses in 1 of 5 intervals\n")
    cut = os.path.join(scratch_dir(), "cut")
    shutil.copy(whole, cut)
    os.truncate(cut, os.path.getsize(cut) - 4)
    for name in whole, lossy, cut:
        run = iospan("--jobs", name, "--system", name, *FAST)
        said = f"iospan: warning: '{name}' is incomplete; iospan report shows the losses\n"
        expect_eq((run.returncode, run.stderr), (0, said * 2 if name != whole else ""))


@test()
def wrong_lines_of_stat_are_refused():
    jobs = write("jobs.csv", JOB_TITLES, [("a", START, START + 1)])
    good = stat_line(1, [("/", 1)])
    for lines, said in (([good, good[:-1]], "line 2 is not an interval"),
                        ([good, "[]"], "line 2 is not an"),
                        ([good, good], "interval 2 does not end after the one before"),
                        ([stat_line(1, [], devices=None)], "line 1 is not an interval"),
                        ([stat_line(1, [], end_ns=-1)], "line 1 is not an interval")):
        expect_refused(said, "--jobs", jobs, "--system", text("stat.json", lines))


@test()
def a_full_disk_is_an_error():
    jobs = write("jobs.csv", JOB_TITLES, [("a", 0, 1), ("b", 1, 2)])
    system = write("system.csv", ("t_end_s", "x"), [(1, 3), (2, 4)])
    trace = accesses.write("trace", [accesses.Access(1, 0, 5, 10, file="a")])
    for args in (["correlate", "--jobs", jobs, "--system", system, "--permutations", "0"],
                 ["characterize", trace], ["report", trace]):
        with open("/dev/full", "w", encoding="utf-8") as full:
            run = subprocess.run([IOSPAN, *args], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        expect_eq(run.returncode, 1, args[0])
        expect_true("cannot write to 'standard output': " in run.stderr, f"{args[0]}: {run.stderr}")


SECOND = 10**9


def traces(rng, harm):
    """Makes a trace of a machine with four cgroups, and one trace for each job. Jobs read two
    files alternately. Only the cgroup /harm makes their reads longer, by @harm / 10 seconds."""
    machine, jobs = [], []
    on = {group: [1, *(rng.choice((0, 1)) for _ in range(399))]
          for group in ("/harm", "/idle", "/some")}
    on["/user/iospan-7-ab"] = on["/harm"]  # the cgroup of a job, which has no column
    for i in range(400):
        for group in on:
            for k in range(4 * on[group][i]):
                end = SECOND * i + (k + 1) * SECOND // 5
                machine.append(accesses.Access(2, k % 2, end - 10**7, end, bytes=2**20, group=group,
                                               disk=accesses.VDA))
    for i in range(40):
        at = start = SECOND * (8 * i + 1)
        took = [SECOND // 10 + harm * on["/harm"][(at + k * SECOND) // SECOND] * SECOND // 10
                for k in range(4)]
        job = []
        for k, ns in enumerate(took):
            job.append(accesses.Access(1, 0, at, at + ns, file=f"f{k % 2}"))
            at += SECOND
        job.append(accesses.Access(1, 1, start + 3 * SECOND, start + 3 * SECOND + 100, file="w"))
        jobs.append(accesses.write(f"job{i}", job))
    machine.sort(key=lambda a: a.end)
    return jobs, accesses.write("machine", machine)


@test()
def the_group_is_named():
    jobs, machine = traces(random.Random(8), 3)
    args = ("--jobs", jobs[0], "--system", machine, "--granularity", 1, *jobs[1:])
    doc = correlated(*args)
    expect_eq((doc["job_count"], doc["io_time"], doc["window"]), (40, "span", "active"))
    of = by_column(doc, "span")
    expect_eq(sorted(of), sorted(["read_bytes", "write_bytes", "read_ops", "write_ops",
                                  "/harm bytes", "/idle bytes", "/some bytes"]))
    strength = [a["distance_correlation"]["value"] for a in of.values()]
    expect_eq((list(of)[0], strength), ("/harm bytes", sorted(strength, reverse=True)))
    run = iospan(*args)
    shown = [line for line in run.stdout.splitlines() if line.startswith("I/O time 'span' by ")]
    expect_eq(shown, ["I/O time 'span' by /harm bytes"])
    expect_true(run.stdout.startswith("the I/O time 'span' correlates most with /harm bytes: "),
                run.stdout)
    for measure in MEASURES:
        expect_le(of["/harm bytes"][measure]["p"], 0.01, measure)
        for group in ("/idle bytes", "/some bytes"):
            expect_ge(of[group][measure]["p"], 0.02, f"{group} {measure}")


@test()
def a_harmless_group_is_not_named():
    jobs, machine = traces(random.Random(9), 0)
    doc = correlated("--jobs", jobs[0], "--system", machine, "--granularity", 1, *jobs[1:])
    expect_eq(doc["io_times"]["span"]["standard_deviation_ns"], 0)
    for a in by_column(doc, "span").values():
        expect_eq((a["pearson"]["value"], a["distance_correlation"]["value"]), (None, 0))


@test()
def a_trace_as_job_and_as_system():
    read = [accesses.Access(1, 0, SECOND * a // 10, SECOND * b // 10, file=f, group="/g")
            for f, a, b in (("a", 10, 20), ("b", 15, 32), ("a", 40, 45))]
    trace = accesses.write("trace", read)
    doc = correlated("--jobs", trace, "--system", trace, *FAST, "-i", "500ms")
    expect_eq((doc["interval_ns"] / 1e9, doc["intervals"]), (0.5, 7))
    mean = {form: v and v["mean_ns"] / 1e9 for form, v in doc["io_times"].items()}
    expect_eq((mean["run"], mean["span"], mean["reads"], mean["writes"]), (3.5, 2.7, 3.5, None))
    expect_eq([(a["column"], a["job_count"]) for a in doc["associations"] if a["io_time"] == "span"],
              [(name, 1) for name in ("read_bytes", "write_bytes", "read_ops", "write_ops")])
    at = {c["column"]: c["points"][0]["amount"] for c in doc["column_curves"]}
    expect_near(at["read_ops"], 3, 1e-9)
    expect_near(at["read_bytes"], 3 * 4096, 1e-6)
    # An access counts in the interval in which it ends. Accesses to a stacked disk (DM) do not
    # count.
    late = accesses.write("late", [accesses.Access(2, 0, 0, SECOND // 5, disk=accesses.VDA),
                                   accesses.Access(2, 0, 0, SECOND // 5, disk=accesses.DM),
                                   accesses.Access(2, 0, SECOND * 9 // 10, SECOND * 11 // 10,
                                                   disk=accesses.VDA)])
    jobs = write("jobs.csv", JOB_TITLES, [("a", 0, 1), ("b", 1, 2)])
    doc = correlated("--jobs", jobs, "--system", late, *FAST, "--points", 2)
    at = {c["column"]: [p["amount"] for p in c["points"]] for c in doc["column_curves"]}
    expect_eq(at["read_ops"], [1, 1])
    expect_refused("there are no reads and writes in", "--jobs", trace, "--system",
                   accesses.write("flush", [accesses.Access(2, 2, 0, 5, disk=accesses.VDA)]))
    short = accesses.write("short", [accesses.Access(1, 0, 0, 150, file="a")])
    doc = correlated("--jobs", short, "--system", short, "-i", "15ns", *FAST)
    expect_near(doc["interval_ns"], 15, 1e-6)
    expect_refused("give a longer --interval", "--jobs", trace, "--system", trace, "-i", "1ns")


@test()
def equation_1_of_a_trace():
    """The expected times are computed by hand. Process q is the slowest; its threads write at the
    same time. p and q share file c, from the open at 5 s to the last read at 9 s. r makes no reads
    or writes, so r does not count."""
    def call(op, process, file, start, end):
        return accesses.Access(1, op, round(start * SECOND), round(end * SECOND),
                               0 if op > 1 else 4096, process=process, file=file)
    calls = [call(6, "p=1", "a", 0, 0.1), call(0, "p=1", "a", 0.5, 1.5), call(8, "p=1", "a", 2, 2.5),
             call(6, "r=3", "c", 0, 0.5),
             call(7, "q=2", "b", 1, 1.3), call(1, "q=2", "b", 2, 3), call(1, "q=2", "b", 2.5, 4),
             call(5, "q=2", "b", 4, 4.2), call(8, "q=2", "b", 4.1, 4.5),
             call(6, "p=1", "c", 5, 5.1), call(0, "p=1", "c", 6, 7), call(6, "q=2", "c", 5.5, 8),
             call(0, "q=2", "c", 8, 9), call(8, "q=2", "c", 9, 9.5)]
    calls.sort(key=lambda a: a.end)
    meta = text("meta.json", [json.dumps({"has_opens": True})])
    system = accesses.write("system", [accesses.Access(2, 0, 0, 10 * SECOND, disk=accesses.VDA)])
    forms = ("metadata", "transfer", "shared", "io")
    for name, options, expected in (("job", ["-m", meta], (0.7, 2.2, 4, 6.9)),
                                    ("untold", [], (None,) * 4)):
        whole = document("--jobs", accesses.write(name, calls, *options), "--system", system, *FAST)
        doc = whole["correlation"]
        for form, value in zip(forms, expected):
            seen = doc["io_times"][form] and doc["io_times"][form]["mean_ns"] / 1e9
            if value is None:
                expect_eq(seen, None, form)
            else:
                expect_near(seen, value, 1e-9, form)
        expect_near(doc["io_times"]["span"]["mean_ns"] / 1e9, 1 + 2 + 1 + 1, 1e-9)
        counts = {k: v for k, v in whole["job_io"][0].items() if k.endswith("_count")}
        expect_eq(counts, {"job_count": 1, "process_count": 2, "unique_file_count": 2, "shared_file_count": 1})


@test()
def nanoseconds_since_1970():
    meta = text("meta.json", [json.dumps({"written_from_ns": 0,
                                          "written_from_realtime_ns": START * SECOND})])
    read = accesses.Access(1, 0, SECOND, SECOND + 100, file="a")
    doc = correlated("--jobs", accesses.write("job", [read], "-m", meta), "--system", system_of(100), *FAST)
    expect_eq(doc["job_count"], 1)
    expect_near(doc["io_times"]["reads"]["mean_ns"] / 1e9, 1e-7, 1e-15)
    machine = [accesses.Access(2, 0, i * SECOND, (i + 1) * SECOND, disk=accesses.VDA) for i in range(3)]
    doc = correlated("--jobs", write("jobs.csv", JOB_TITLES, [("a", START + 1, START + 2)]), "--system",
                     accesses.write("machine", machine, "-m", meta), "-i", "1ms", *FAST)
    expect_eq(doc["interval_ns"], SECOND / 1000, "length of an interval")


@test()
def an_idle_system():
    machine = [accesses.Access(2, 0, 0, SECOND, disk=accesses.VDA),
               accesses.Access(2, 0, 0, 0, disk=accesses.VDA, flags=accesses.UNSPANNED),
               accesses.Access(2, 0, SECOND, 2 * SECOND, disk=accesses.VDA)]
    jobs = write("jobs.csv", JOB_TITLES, [("a", 0, 1), ("b", 5, 10), ("c", 5, 10.5)])
    sums = text("sums.json", [json.dumps({"start_ns": 0, "elapsed_ns": 10 * SECOND})])
    for options, intervals, points in ((["-s", sums], 10, [0, 1]), ([], 2, [1, 1])):
        trace = accesses.write(f"rests{intervals}", machine, *options)
        doc = correlated("--jobs", jobs, "--system", trace, *FAST, "--points", 2)
        expect_eq((doc["intervals"], doc["job_count"]), (intervals, 1 + bool(options)))
        at = {c["column"]: [p["amount"] for p in c["points"]] for c in doc["column_curves"]}
        expect_eq(at["read_ops"], points)


@test()
def a_page_with_plots():
    needs_browser()
    page = os.path.join(scratch_dir(), "page.html")
    strange = (("t_end_s", "<b>&'x_bytes", "same"), [(10 * i + 10, i, 3) for i in range(10)])
    two = (JOB_TITLES, [("a", 3, 5), ("b", 5, 50)])
    moving = ((*JOB_TITLES, "io_s", "read_bytes", "write_bytes"),
              [(f"j{i}", 20 * i, 20 * i + 15, 1 + i % 7, 1e6, 2e6) for i in range(40)])
    moved = (("t_end_s", "read_bytes", "write_bytes"), [(i + 1, 1e6 + i // 20 % 7 * 1e6, 5e5) for i in range(900)])
    with browser() as on:
        for name, args, plots in (
                ("planted", lambda: planted(random.Random(11), 3)[0], 5),
                ("small", small, 4),
                # The expected number of figures is 3 + 2 * 2: 3 for all columns (jobs by I/O time,
                # bytes over time, errors), and two for each of the two columns.
                ("all", lambda: [*small(jobs=moving, files=None, system=moved), "--granularity", 100], 3 + 2 * 2),
                ("strange", lambda: [*small(system=strange), "--window", "whole", "--granularity", 1], 3),
                ("two", lambda: small(jobs=two, files=None), 3),
                ("one", lambda: [*small(jobs=(JOB_TITLES, two[1][:1]), files=None), "--granularity", 1], 2)):
            run = iospan(*args(), "--html", page)
            assert_eq((run.returncode, run.stderr), (0, ""), name)
            looks_right(on, name, page, plots)
            with open(page, encoding="utf-8") as f:
                expect_eq("10, 50, 90 %" in f.read(), name in ("planted", "all", "two"), name)
    expect_refused("/nowhere/page", *small(), "--html", "/nowhere/page")


@test()
def a_page_of_extreme_times():
    for times in ([1e17, 1e17 + 16], [1e17], [1e307 * i for i in range(1, 17)], [1e-310, 2e-310]):
        jobs = [(f"j{i}", 10 * i, 10 * i + 9, times[i % len(times)]) for i in range(40)]
        system = [(10 * i + 10, 10 ** 15 + i % 7) for i in range(40)]
        page = os.path.join(scratch_dir(), "page.html")
        run = iospan(*small(jobs=((*JOB_TITLES, "io_s"), jobs), files=None,
                            system=(("t_end_s", "read_Bps"), system)), "--html", page)
        expect_eq((run.returncode, run.stderr), (0, ""), f"I/O times of {times[:2]}")


@test()
def every_error_has_a_message():
    job, fine = ("a", 0, 5), (("t_end_s", "x"), [(10, 1), (20, 2)])
    for change, said in (
            ({"jobs": (("job", "t_start_s"), [])}, "'{}/jobs.csv' has no column 't_end_s'"),
            ({"jobs": (JOB_TITLES, [])}, "the system data covers none of 0 jobs"),
            ({"jobs": (JOB_TITLES, [("a", 1)])}, "'{}/jobs.csv' line 2: 2 cells, where there are 3"),
            ({"jobs": (JOB_TITLES, [job, ("b", 5, 4)])}, "line 3: job 'b' ends before it starts"),
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
            ({"system": (("t_end_s",), [(10,)])}, "has no column of amounts"),
            ({"system": (("t_end_s", "x_Bps", "x_bytes"), [])}, "columns 'x_Bps' and 'x_bytes' are the same amount"),
            ({"system": (("t_end_s", "x"), [(10, 1)])}, "at least two intervals are needed"),
            ({"system": (("t_end_s", "x"), [(10, 1), (5, 1)])}, "interval 2 does not end after the one before it"),
            ({"system": (("t_end_s", "x"), [(10, 1), (20, -1)])}, "line 3: x is below 0"),
            ({"system": (("t_end_s", "x"), [(1000, 1), (1010, 1)])},
             "none of 1 job: the jobs run from 0 to 5 s, the system data from 990 to 1010 s; both")):
        args = small(**{"jobs": (JOB_TITLES, [job]), "files": None, "system": fine, **change})
        expect_refused(said.format(scratch_dir()), *args)
    pipe = os.path.join(scratch_dir(), "pipe")
    os.mkfifo(pipe)
    replaced = [pipe if arg.endswith("system.csv") else arg for arg in small()]
    for args in (replaced, [*small(), pipe]):
        expect_refused(f"'{pipe}' is a pipe, which cannot be read twice", *args)
    expect_refused("--files is missing", *small(files=None), "--window", "active")
    expect_refused("no job has the I/O time 'span'", *small(), "--form", "span")
    expect_refused("no job used a file on '/x'; --mount takes", *small(files=None), "--mount", "/x")


@test()
def wrong_usage():
    for args, said in ((["--jobs", "x"], "--system is missing"), (["--system", "x"], "--jobs is"),
                       (["--form", "x"], "--jobs is missing"),
                       ([*small(), small()[1]], f"'{small()[1]}' is given twice"),
                       ([*small(), "--system", f"{scratch_dir()}/./system.csv"],
                        f"'{scratch_dir()}/system.csv' and '{scratch_dir()}/./system.csv' are the same file"),
                       (["--jobs", small()[1], "--system", "-", "--system", "-"], "'-' is given twice"),
                       ([*small(), "-i", "1s"], f"'--interval' has no effect with '--system {scratch_dir()}/system.csv'"),
                       ([*small(), "--form", "x"], "unknown I/O time 'x'; one of run, metadata,"),
                       ([*small(), "--window", "x"], "unknown window 'x'"),
                       ([*small(), "--sample", 1], "--sample is from 10")):
        expect_refused(said, *args, status=2)
    expect_refused("iospan: cannot read 'no': No such file or directory\n", "--jobs", "no", "--system", "no", "-i", "1s")
    expect_refused("iospan: cannot read '/': Is a directory\n", "--jobs", "/", "--system", "/")


main()
