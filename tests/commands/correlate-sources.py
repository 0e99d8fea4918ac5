#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the inputs of iospan correlate: logs of several systems, of Prometheus and of Slurm, file
systems, and ready pairs (amount, I/O time). The test computes each expected number from its
definition."""
import json
import os
import random
import shutil
import statistics
import subprocess
import urllib.parse
import urllib.request

from lib.correlating import *
from lib.ktap import *
from lib.prometheus import Prometheus, enter_own_network


def between(intervals, start, end):
    """Returns the amount between two times. @intervals: [(start, end, amount)]; the amount is
    spread evenly over its interval."""
    return sum(amount * max(0, min(end, b) - max(start, a)) / (b - a) for a, b, amount in intervals)


def amounts(doc):
    return {job["job"]: job["amounts"] for job in doc["jobs"]}


def expect_amounts(doc, wanted, column):
    seen = {job: of[column] for job, of in amounts(doc).items()}
    expect_eq(sorted(seen), sorted(wanted), f"jobs of {column}")
    for job, value in wanted.items():
        expect_near(seen[job], value, 1e-6 * max(1, abs(value)), f"{column} of {job}")


@test()
def the_sum_of_two_servers_correlates():
    """Neither server alone correlates with the I/O times of the jobs, but their sum does."""
    rng = random.Random(31)
    total, one = [rng.uniform(0, 100) for _ in range(300)], [rng.uniform(0, 1000) for _ in range(300)]
    servers = [[(10 * i, 10 * i + 10, v) for i, v in enumerate(one)],
               [(10 * i, 10 * i + 10, 1000 + t - v) for i, (t, v) in enumerate(zip(total, one))]]
    paths = [write(f"server{k}.csv", ("t_start_s", "t_end_s", "read_bytes"), rows)
             for k, rows in enumerate(servers)]
    times = {f"j{i}": (10 * i + rng.uniform(0, 5), 10 * i + rng.uniform(6, 10)) for i in range(1, 290, 2)}
    sums = {job: sum(between(s, *at) for s in servers) for job, at in times.items()}
    rows = [(job, a, b, 1 + total[int(a // 10)] / 10) for job, (a, b) in times.items()]
    jobs = write("jobs.csv", (*JOB_TITLES, "io_s"), rows)
    base = ("--jobs", jobs, "--rates", "--granularity", 1, "--form", "io")
    both = document(*base, "--system", paths[0], "--system", paths[1])
    expect_amounts(both, {job: v / (times[job][1] - times[job][0]) for job, v in sums.items()}, "read_bytes")
    strength = by_column(both["correlation"], "io")["read_bytes"]["pearson"]
    rates = [sums[job] / (b - a) for job, a, b, _ in rows]
    expect_near(strength["value"], statistics.correlation(rates, [row[3] for row in rows]), 1e-9)
    expect_ge(strength["value"], 0.99)
    for path in paths:
        alone = by_column(correlated(*base, "--system", path), "io")["read_bytes"]
        expect_le(abs(alone["pearson"]["value"]), 0.3, path)
        expect_ge(alone["distance_correlation"]["p"], 0.01, path)


@test()
def the_longest_intervals_count():
    """The sum of two systems has the intervals of the system with the longer ones: 15 s, from 5 to
    95 s. The other system ends at 80 s, so the last interval is left out. It also has a gap at 40
    s, so the interval from 35 to 50 s is left out."""
    rng = random.Random(32)
    fine = [(i, i + 1, rng.randrange(100)) for i in range(80) if i != 40]
    coarse = [(5 + 15 * i, 20 + 15 * i, rng.randrange(100)) for i in range(6)]
    paths = [write("fine.csv", ("t_start_s", "t_end_s", "x", "y"), [(*row, 7) for row in fine]),
             write("coarse.csv", ("t_start_s", "t_end_s", "x"), coarse)]
    jobs = write("jobs.csv", JOB_TITLES, [("a", 5, 20), ("b", 7.5, 33), ("gap", 36, 38), ("c", 50, 65),
                                           ("late", 81, 84)])
    doc = document("--jobs", jobs, "--system", paths[0], "--system", paths[1], *FAST)
    of = doc["correlation"]
    expect_eq((of["intervals"], of["interval_ns"] / 1e9, of["gaps"], of["jobs_left_out"]), (4, 15, 1, 2))
    grid = [(a, b, between(fine, a, b) + v) for a, b, v in coarse]
    expect_amounts(doc, {"a": between(grid, 5, 20), "b": between(grid, 7.5, 33), "c": between(grid, 50, 65)}, "x")
    expect_amounts(doc, {"a": 7 * 15, "b": 7 * 25.5, "c": 7 * 15}, "y")
    expect_refused("there is no interval that all 2 systems cover", "--jobs", jobs, "--system", paths[0], "--system",
                   write("other.csv", ("t_end_s", "x"), [(1000, 1), (1001, 2)]))


@test()
def an_iostat_document_with_two_hosts():
    """The reports of the second host are 20 s later than those of the first one."""
    def host(name, offset, factor, disks):
        return {"nodename": name, "statistics": [
            {"timestamp": f"2026-01-31T12:{(60 * i + offset) // 60:02}:{offset:02}+0000",
             "disk": [{"disk_device": d, "r/s": factor * i, "w/s": 1, "rkB/s": 2 * factor * i, "wkB/s": 4}
                      for d in disks]} for i in range(10)]}
    hosts = [host("a", 0, 1, ["sda", "dm-0"]), host("b", 20, 5, ["sda", "sdb"])]
    path = text("two.json", [json.dumps({"sysstat": {"hosts": hosts}})])
    jobs = write("jobs.csv", JOB_TITLES, [(f"j{i}", START + 60 * i, START + 60 * i + 30) for i in range(2, 9)])
    doc = document("--jobs", jobs, "--system", path, *FAST)

    def of(offset, factor, rate):
        return [(START + offset + 60 * (i - 1), START + offset + 60 * i, 60 * rate(factor * i)) for i in range(1, 10)]
    first = [(0, 1, 1), (20, 5, 2)]
    for column, rate in (("read_bytes", lambda v: 2048 * v), ("read_ops", lambda v: v)):
        parts = [of(offset, factor * disks, rate) for offset, factor, disks in first]
        grid = [(a, b, v + between(parts[1], a, b)) for a, b, v in parts[0]]
        expect_amounts(doc, {f"j{i}": between(grid, START + 60 * i, START + 60 * i + 30) for i in range(2, 9)},
                       column)


def saved(name, series):
    """Saves an answer of Prometheus. @series: [(labels, [(time, value)])]"""
    result = [{"metric": labels, "values": [[t, str(v)] for t, v in values]} for labels, values in series]
    return text(name, [json.dumps({"status": "success", "data": {"resultType": "matrix", "result": result}})])


def one_minute_jobs(n):
    return write("jobs.csv", JOB_TITLES, [(f"j{i}", START + 60 * i, START + 60 * i + 60) for i in range(n)])


@test()
def counters_of_prometheus():
    """Server a has two disks, and a stacked disk, which must not count. The counter of sda restarts
    at 0 before minute 4. A disk of server b appears in minute 5. Server b has no samples in minutes
    7 and 8."""
    def name(what, server, **labels):
        return {"__name__": f"node_disk_{what}_total", "instance": server, "job": "node", **labels}
    a = [100, 200, 400, 700, 50, 150, 151, 152, 153, 154]
    b = [5, 6, 8, 11, 15, 20, 26, None, None, 50]
    new = [None] * 5 + [40, 41, None, None, 45]

    def points(values):
        return [(START + 60 * i, v) for i, v in enumerate(values) if v is not None]
    path = saved("range.json", [
        (name("read_bytes", "a:9100", device="sda"), points(a)),
        (name("read_bytes", "a:9100", device="sdb"), points([7 * i for i in range(10)])),
        (name("read_bytes", "a:9100", device="dm-1"), points([999 * i for i in range(10)])),
        (name("written_bytes", "a:9100", device="sda"), points([0] * 10)),
        (name("read_bytes", "b:9100", device="sda"), points(b)),
        (name("read_bytes", "b:9100", device="sdb"), points(new))])
    doc = document("--jobs", one_minute_jobs(9), "--system", path, *FAST)
    # The counter of server a restarted before it had the value 50, so the amount is 50. Minutes 6
    # to 8 have no data of server b.
    wanted = {0: 100 + 7 + 1, 1: 200 + 7 + 2, 2: 300 + 7 + 3, 3: 50 + 7 + 4, 4: 100 + 7 + 5 + 40, 5: 1 + 7 + 6 + 1}
    expect_amounts(doc, {f"j{i}": v for i, v in wanted.items()}, "read_bytes")
    expect_amounts(doc, {f"j{i}": 0 for i in wanted}, "write_bytes")
    expect_eq(doc["correlation"]["interval_ns"] / 1e9, 60)


@test()
def steps_of_100_ms():
    """A double cannot represent times such as 1.1 s exactly. iospan must not report the rounding
    errors as gaps."""
    points = [(round(START + i / 10, 1), i * i) for i in range(100)]
    path = saved("range.json", [({"__name__": "node_disk_read_bytes_total", "instance": "a"}, points)])
    jobs = [(f"j{i}", START + i + 0.1, START + i + 0.5) for i in range(1, 9)]
    doc = document("--jobs", write("jobs.csv", JOB_TITLES, jobs), "--system", path, *FAST)
    expect_eq((doc["correlation"]["gaps"], doc["correlation"]["intervals"]), (0, 99))
    for i in range(1, 9):
        expect_near(amounts(doc)[f"j{i}"]["read_bytes"], (10 * i + 5) ** 2 - (10 * i + 1) ** 2, 1e-3)


@test()
def a_counter_that_was_no_number():
    points = [(START + 60 * i, v) for i, v in enumerate([1, 2, 4, "NaN", 900, 907, 915])]
    path = saved("nan.json", [({"__name__": "x_total", "instance": "a"}, points)])
    doc = document("--jobs", one_minute_jobs(6), "--system", path, *FAST)
    expect_amounts(doc, {"j0": 1, "j1": 2, "j4": 7, "j5": 8}, "x")


@test()
def rates_of_prometheus():
    """A PromQL function such as rate() removes the name of a series. So iospan must take the
    values of a series without a name for rates. The labels op and column then give the name of
    the column."""
    points = [(START + 60 * i, i / 2) for i in range(1, 7)]
    for labels, column in (({}, "value"), ({"op": "read"}, "read"), ({"column": "read_bytes"}, "read_bytes"),
                           ({"__name__": "queue", "op": "write"}, "queue write")):
        path = saved("rates.json", [({"instance": s, **labels}, points) for s in ("a", "b")])
        doc = document("--jobs", one_minute_jobs(6), "--system", path, *FAST)
        expect_amounts(doc, {f"j{i}": 2 * 60 * (i + 1) / 2 for i in range(6)}, column)


@test()
def wrong_answers_of_prometheus():
    jobs = one_minute_jobs(3)
    for answer, said in (({"status": "error", "error": "bad_data: no"}, "Prometheus reports: bad_data: no"),
                         ({"status": "success", "data": {"resultType": "vector", "result": []}},
                          "is no answer to a range query"),
                         ({"status": "success", "data": {"resultType": "matrix", "result": []}},
                          "has no series with two samples")):
        expect_refused(said, "--jobs", jobs, "--system", text("x.json", [json.dumps(answer)]))
    if shutil.which("curl"):
        expect_refused("add ?query=EXPRESSION", "--jobs", jobs, "--system", "prometheus:http://127.0.0.1:1")
        run = iospan("--jobs", jobs, "--system", "prometheus:http://127.0.0.1:1/?query=x")
        expect_eq(run.returncode, 1)
        expect_true("cannot read 'http://127.0.0.1:1/api/v1/query_range?query=x&start=" in run.stderr, run.stderr)


@test()
def a_prometheus_server():
    """Prometheus has counters of two servers. The test sends the same query itself, and computes
    the expected amounts from the answer."""
    for tool in "prometheus", "promtool", "curl":
        needs(shutil.which(tool), f"needs {tool}")
    enter_own_network()
    rng, lines = random.Random(33), ["# TYPE node_disk_read_bytes counter"]
    for server in "a", "b":
        value = 0
        for i in range(40):
            value += rng.randrange(10 ** 6)
            lines.append(f'node_disk_read_bytes_total{{instance="{server}",device="sda"}} {value} {START + 15 * i}')
    source = text("counters.om", [*lines, "# EOF"])
    subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", source,
                    os.path.join(scratch_dir(), "data")], check=True, capture_output=True)
    jobs = [(f"j{i}", START + 60 + 40 * i, START + 60 + 40 * i + 30) for i in range(12)]
    query = 'node_disk_read_bytes_total{instance=~"a|b"}'
    with Prometheus("scrape_configs: []", "--storage.tsdb.retention.time=100y") as server:
        base = f"http://127.0.0.1:{server.port}"
        url = f"prometheus:{base}?query=" + query
        doc = document("--jobs", write("jobs.csv", JOB_TITLES, jobs), "-i", "15s", "--system", url, *FAST)
        words = {"query": query, "start": START + 30, "end": START + 60 + 40 * 11 + 45, "step": 15}
        with urllib.request.urlopen(f"{base}/api/v1/query_range?{urllib.parse.urlencode(words)}") as answer:
            found = json.load(answer)["data"]["result"]
        expect_eq(len(found), 2, "servers")
        wanted = {}
        for job, start, end in jobs:
            wanted[job] = sum(between([(t, u, float(w) - float(v)) for (t, v), (u, w) in zip(of, of[1:])],
                                      start, end) for of in (one["values"] for one in found))
        expect_amounts(doc, wanted, "read_bytes")
        expect_refused("Prometheus reports: ", "--jobs", write("jobs.csv", JOB_TITLES, jobs), "--system",
                       f"prometheus:{base}?query=rate(x")


@test()
def jobs_of_slurm():
    rows = ["JobID|JobName|State|Elapsed|Start|End",
            "1|a|COMPLETED|00:01:00|2026-01-31T12:00:00|2026-01-31T12:01:00",
            "1.batch|batch|COMPLETED|00:01:00|2026-01-31T12:00:00|2026-01-31T12:01:00",
            "2|a|FAILED|00:01:00|2026-01-31T12:01:00|2026-01-31T12:02:00",
            "3|a|RUNNING|00:01:00|2026-01-31T12:01:00|Unknown",
            "4_7|a|COMPLETED|00:01:10|2026-01-31T12:03:00|2026-01-31T12:04:10"]
    os.environ["TZ"] = "UTC0"
    system = write("s.csv", ("t_end_s", "x"), [(START + 60 * i, i) for i in range(10)])
    run = iospan("--jobs", text("sacct.txt", rows), "--system", system, *FAST, "--json")
    doc = json.loads(run.stdout)
    expect_eq({job["job"]: job["run_ns"] / 1e9 for job in doc["jobs"]}, {"1": 60, "4_7": 70})
    expect_amounts(doc, {"1": 1, "4_7": 4 + 5 / 6}, "x")
    expect_true("2 jobs are left out, because the state is not COMPLETED" in run.stderr, run.stderr)
    for wrong, said in ((["JobID|Start", "1|2026-01-31T12:00:00"], "has no column 'End'"),
                        (["JobID|Start|End", "1|x|2026-01-31T12:00:00"], "line 2: job '1' has no start")):
        expect_refused(said, "--jobs", text("sacct.txt", wrong), "--system", system)


def mounted(i, other=0):
    """Returns the Darshan log of job i. Ranks 1 and 2 read file 2 on /home; the log has a record of
    this file for each of them. All ranks share file 1 on /scratch."""
    shared = {"OPEN_START_TIMESTAMP": 1, "READ_START_TIMESTAMP": 2, "READ_END_TIMESTAMP": 11 + i,
              "BYTES_READ": 5000 + other}
    mine = {"READ_START_TIMESTAMP": 31, "READ_END_TIMESTAMP": 42 + i, "META_TIME": 3, "READ_TIME": 2,
            "BYTES_READ": 700, "BYTES_WRITTEN": 100}
    return darshan(f"j{i}", START + 100 * i, [(-1, "1", shared), (1, "2", mine), (2, "2", mine)],
                   mounts={"2": "/home"})


@test()
def only_some_file_systems():
    path = text("logs.txt", [line for i in range(6) for line in mounted(i, 60 * (i == 4))])
    system = write("s.csv", ("t_end_s", "read_bytes", "write_bytes"),
                   [(START + 10 * i, 10000, 0) for i in range(70)])
    whole = document("--jobs", path, "--system", system, *FAST)
    some = document("--jobs", path, "--system", system, *FAST, "--mount", "/scratch")
    row = {"file_systems": "all", "job_count": 6, "process_count": 4, "unique_file_count": 1,
           "shared_file_count": 1, "read_bytes": 6400, "write_bytes": 200}
    expect_eq(whole["job_io"], [row])
    expect_eq(some["job_io"], [row, {**row, "file_systems": "/scratch", "unique_file_count": 0,
                                     "read_bytes": 5000, "write_bytes": 0}])
    expect_eq([doc["jobs"][0]["metadata_ns"] / 1e9 for doc in (whole, some)], [3, 0])
    # Job 0 has I/O from 0 to 20 s on /scratch, and from 30 to 50 s on /home.
    expect_eq([doc["jobs"][0]["intervals_ns"] / 1e9 for doc in (whole, some)], [40, 20])
    # Job j4 reads 60 bytes more than the other jobs, which read 6400 bytes from all file systems,
    # 5000 of them from /scratch. A difference is reported from 1 % on. So j4 differs only with
    # --mount /scratch.
    expect_eq(whole["different_jobs"], [])
    expect_eq(some["different_jobs"], [{"job": "j4", **{k: v for k, v in some["job_io"][1].items() if k not in (
        "file_systems", "job_count")}, "read_bytes": 5060}])
    expect_true(any(note.startswith("1 job differs from the median") and note.endswith(": j4")
                    for note in some["correlation"]["table_notes"]), str(some["correlation"]["table_notes"]))
    expect_near(some["coverage"]["jobs_bytes"], 6 * 5000 + 60, 1e-6)
    expect_near(some["coverage"]["jobs_fraction"], (6 * 5000 + 60) / (69 * 10000 + 10000), 1e-9)


@test()
def a_list_of_files_by_mount():
    jobs = write("jobs.csv", JOB_TITLES, [("a", 0, 30), ("b", 30, 60)])
    files = write("files.csv", (*FILE_TITLES, "mount"), [("a", 1, 5, "r", "/m/x"), ("a", 12, 25, "r", "/y"),
                                                        ("b", 31, 32, "w", "/m/z")])
    system = write("s.csv", ("t_end_s", "x"), [(10 * i, i) for i in range(8)])
    args = ("--jobs", jobs, "--system", system, *FAST, "--files")
    for mount, wanted in (("/m/*", {"a": 4e9, "b": None}), ("y", {"a": 13e9, "b": None}),
                          ("/y,/m/x", {"a": 13e9, "b": None})):
        doc = document(*args, files, "--mount", mount)
        expect_eq({job["job"]: job["reads_ns"] for job in doc["jobs"]}, wanted, mount)
    expect_refused("has no column 'mount'", *args, write("files.csv", FILE_TITLES, [("a", 1, 5, "r")]), "--mount", "/m")


@test()
def the_bytes_of_jobs_beside_those_of_the_system():
    """Job a has I/O from 5 to 25 s and from 40 to 50 s. The times of b's I/O are unknown, so
    iospan spreads b's bytes over the whole job. Job c ends after the log. The bytes read by d
    are unknown."""
    jobs = write("jobs.csv", (*JOB_TITLES, "read_bytes", "write_bytes"),
                 [("a", 0, 60, 3000, 0), ("b", 20, 40, 100, 300), ("c", 90, 110, 1000, 1000), ("d", 0, 9, "", 5)])
    files = write("files.csv", FILE_TITLES, [("a", 5, 25, "r"), ("a", 40, 50, "w"), ("a", 7, 9, "r")])
    system = write("s.csv", ("t_end_s", "read_bytes", "write_bytes"), [(10 * i, 1000, 10 * i) for i in range(1, 11)])
    doc = document("--jobs", jobs, "--files", files, "--system", system, *FAST)["coverage"]
    pieces = [(5, 25, 2000), (40, 50, 1000), (20, 40, 400), (90, 110, 2000)]
    for i, row in enumerate(doc["over_time"]):
        expect_eq(row["start_ns"] / 1e9, 10 * i)
        expect_eq(row["system_bytes"], 1000 + 10 * (i + 1))
        expect_near(row["jobs_bytes"], between(pieces, 10 * i, 10 * i + 10), 1e-9, str(i))
    expect_near(doc["jobs_bytes"], 3000 + 400 + 1000, 1e-9)
    expect_eq(doc["system_bytes"], 10 * 1000 + 550)
    expect_near(doc["jobs_fraction"], 4400 / 10550, 1e-12)
    other = write("s.csv", ("t_end_s", "x"), [(10 * i, 1) for i in range(1, 11)])
    expect_eq(document("--jobs", jobs, "--system", other, *FAST)["coverage"], None)


@test()
def ready_made_pairs():
    """With --pairs, iospan reads the amounts and the I/O time of each job from a file. The test
    writes the numbers of the result to a second file. With this file, the correlations must be the
    same."""
    rng = random.Random(35)
    rows = [(f"j{i}", x, 2 + x / 50 + rng.gauss(0, 0.3), rng.random()) for i, x in
            enumerate(rng.uniform(0, 200) for _ in range(40))]
    path = write("pairs.csv", ("job", "read_bytes", "io_s", "other"), rows)
    doc = document("--pairs", path, "--permutations", 99)
    expect_eq([(j["job"], j["amounts"]["read_bytes"], j["io_ns"], j["run_ns"]) for j in doc["jobs"]],
              [(job, x, y * 1e9, None) for job, x, y, _ in rows])
    of = by_column(doc["correlation"], "io")
    for k, column in ((1, "read_bytes"), (3, "other")):
        expect_near(of[column]["pearson"]["value"],
                    statistics.correlation([row[k] for row in rows], [row[2] for row in rows]), 1e-9)
    expect_eq((doc["correlation"]["io_time"], doc["correlation"]["granularity"]), ("io", []))
    again = write("again.csv", ("read_bytes", "io_s", "other"),
                  [(j["amounts"]["read_bytes"], j["io_ns"] / 1e9, j["amounts"]["other"]) for j in doc["jobs"]])
    second = by_column(correlated("--pairs", again, "--permutations", 99), "io")
    for column in of:
        for measure in MEASURES:
            expect_near(second[column][measure]["value"], of[column][measure]["value"], 1e-9, measure)
    for args, said in ((["--jobs", path], "option '--jobs' has no effect with '--pairs'"),
                       (["--rates"], "option '--rates' has no effect with '--pairs'"),
                       (["--granularity", 3], "option '--granularity' has no effect with '--pairs'"),
                       (["x"], "'x' is one argument too many with --pairs")):
        expect_refused(said, "--pairs", path, *args, status=2)
    for titles, said in (("io_s",), "has no column of amounts"), (("job", "x"), "has no column of I/O times"):
        expect_refused(said, "--pairs", write("p.csv", titles, []))


main()
