#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the logs of counters that iospan characterize reads: logs of iospan stat, mmpmon and
Prometheus. Also tests the jobs of a trace, and the burstiness by interval length and threshold."""
import itertools
import json
import math
import os
import random
import shutil
import subprocess

from lib import accesses, character
from lib.character import characterized, criteria, expect_values, joined, part_of, run
from lib.correlating import START, text
from lib.ktap import *
from lib.prometheus import Prometheus, enter_own_network

SECOND, MS = 10 ** 9, 10 ** 6


def expect_log(layer, log, elapsed, thresholds, what):
    expected = character.of_counters(log, elapsed, thresholds)
    expect_values({key: v for key, v in criteria(layer).items() if key in expected}, expected, what)


def random_log(seed, n, servers, width=SECOND):
    """Returns a log of @n intervals, in which servers are idle in most intervals."""
    rng, log = random.Random(seed), character.Log(n, width, servers)
    busy = False
    for i in range(n):
        busy ^= rng.random() < 0.2
        for s in servers:
            if busy and rng.random() < 0.8:
                log.moved[i, s][:] = [rng.randrange(1 << 19), rng.randrange(1, 9), rng.randrange(1 << 21), 1]
    return log


def stat_lines(log, start=5 * SECOND):
    """Returns lines as iospan stat --json prints them. It leaves out idle disks, and some lines are
    late. The stacked disk dm-0 has the sum of all servers, so iospan must not add it."""
    rng, begin = random.Random(7), 0
    for i in range(log.n):
        def disk(name, moved, stacked):
            cells = zip(("read", "write"), (moved[0:2], moved[2:4]))
            return {"name": name, "stacked": stacked,
                    "operations": {op: {"bytes": v[0], "accesses": v[1]} for op, v in cells if v[1]}}
        disks = [disk(s, log.moved[i, s], False) for s in log.servers]
        disks.append(disk("dm-0", [sum(v) for v in zip(*(log.moved[i, s] for s in log.servers))], True))
        end = (i + 1) * log.width + rng.choice((0, 1, log.width // 3))
        yield json.dumps({"iospan": "0.1", "command": "stat", "start_ns": start + begin, "end_ns": start + end,
                          "realtime_ns": (START + 7) * SECOND + end,
                          "devices": [disk for disk in disks if disk["operations"]]}).replace(
                              '{"iospan": ', '{"iospan":')
        begin = end


@test()
def a_day_of_stat():
    log = random_log(51, 8640, ["sda", "sdb", "sdc"], 10 * SECOND)
    path = text("stat.json", stat_lines(log))
    doc = characterized("--threshold", "0,1M", path)
    expect_eq((doc["elapsed_ns"], doc["interval_ns"], doc["start_ns"]),
              (86400 * SECOND, 10 * SECOND, (START + 7) * SECOND))
    expect_log(doc["layers"]["servers"], log, 86400 * SECOND, (0, 1 << 20), "a day")
    # With -i 20s, iospan merges pairs of intervals of 10 s. The times of the job are wall-clock
    # times.
    jobs = text("jobs.csv", ["job,start_s,end_s", f"a,{START + 7 + 100},{START + 7 + 300}"])
    [job] = characterized("--threshold", "0,1M", "-i", "20s", "--jobs", jobs, path)["jobs"]
    expect_log(job, joined(part_of(log, 10, 20), 2), 200 * SECOND, (0, 1 << 20), "a job")
    with open(path, encoding="utf-8") as f:
        expect_eq(characterized("--threshold", "0,1M", "-", stdin=f)["layers"], doc["layers"])
    done = run(text("bad.json", ['{"iospan":"0.1"}']))
    expect_true("line 1 is not an interval of 'iospan stat --json'" in done.stderr, done.stderr)
    done = run(text("bad.json", ['{"iospan":"0.1","start_ns":9,"end_ns":3,"realtime_ns":100,"devices":[]}']))
    expect_true("an interval ends before it starts" in done.stderr, done.stderr)


def one_disk(n, every):
    """Returns a log of a disk with I/O in interval 10, and then in one of @every intervals."""
    log = character.Log(n, SECOND, ["sda"])
    for i in range(10, n, every):
        log.moved[i, "sda"][:] = [4096, 1, 0, 0]
    return log


@test()
def an_idle_night_of_stat():
    """Most lines of stat have no disk. So the interval, the observed time and the idle periods follow
    from the lines, not from the disk."""
    log = one_disk(1200, 30)
    lines = [*stat_lines(log)]
    path = text("stat.json", lines)
    for args, first, n in ((), 0, 1200), (("--from", "100s", "--to", "405s"), 100, 305):
        doc = characterized("--threshold", 0, *args, path)
        expect_eq((doc["elapsed_ns"], doc["interval_ns"], doc["samples_missing"]), (n * SECOND, SECOND, 0))
        expect_log(doc["layers"]["servers"], part_of(log, first, n), n * SECOND, (0,), str(args))
    for i in range(200, 300):
        log.moved[i, "sda"][:] = [0] * 4
    doc = characterized("--threshold", 0, text("stat.json", lines[:200] + lines[300:]))
    expect_eq((doc["interval_ns"], doc["samples_missing"]), (SECOND, 100))
    expect_log(doc["layers"]["servers"], log, 1200 * SECOND, (0,), "100 lines are missing")
    doc = characterized("--threshold", 0, text("stat.json", stat_lines(one_disk(80000, 400))))
    expect_near(criteria(doc["layers"]["servers"])["rho", 0, "read"], 1 - math.tanh(201 / (80000 - 200)), 1e-12)
    doc = characterized(text("stat.json", lines[11:31]))
    expect_eq((doc["elapsed_ns"], doc["interval_ns"]), (20 * SECOND, SECOND), "an idle machine")


@test()
def lines_of_mmpmon():
    """Each node reports totals of two file systems. These counters restart at 0 in interval 20."""
    log, lines, rng = random_log(52, 40, ["io1", "io2"], 120 * SECOND), [], random.Random(1)
    totals = {(s, fs): [0] * 4 for s in log.servers for fs in ("home", "work")}
    for i in range(log.n + 1):
        for (s, fs), of in totals.items():
            if i == 20:
                of[:] = [0] * 4
            elif i:
                # The file system "work" gets a third of the interval's I/O, and "home" gets the
                # rest.
                moved = log.moved[i - 1, s]
                of[:] = [a + (b // 3 if fs == "work" else b - b // 3) for a, b in zip(of, moved)]
            lines.append(f"_fs_io_s_ _n_ 10.0.0.1 _nn_ {s} _rc_ 0 _t_ {START + 120 * i} _tu_ {rng.randrange(99)} "
                         f"_cl_ c _fs_ {fs} _d_ 2 _br_ {of[0]} _bw_ {of[2]} _oc_ {i} _cc_ {2 * i} _rdc_ {of[1]} "
                         f"_wc_ {of[3]} _dir_ 7 _iu_ 2")
        lines += ["_ver_ _n_ 10.0.0.1 _nn_ io1 _v_ 3 _lv_ 3 _vt_ 0", "_fs_io_s_ _n_ 10.0.0.1 _nn_ io1 _rc_ 1 _t_ 1 "
                  "_tu_ 0 _cl_ - _fs_ -"]
    for s in log.servers:
        log.moved[19, s] = [0] * 4
    doc = characterized("-i", "120s", "--threshold", 0, text("mmpmon.txt", lines))
    expect_log(doc["layers"]["servers"], log, 40 * 120 * SECOND, (0,), "mmpmon")
    servers = {s["server"]: s for s in doc["layers"]["servers"]["servers"]}
    expect_eq(sorted(servers), ["io1", "io2"])
    # The counters of both servers restart at 0 once. Each server has counters of two file systems,
    # so iospan must report four restarts.
    expect_eq(doc["counter_resets"], 4)
    for lines, said in (([lines[0], lines[0].replace("_fs_io_s_", "_io_s_")], "both fs_io_s and io_s"),
                        ([lines[0].replace("_wc_ 0", "_wc_ x")], "'x' is not the value of _wc_"),
                        ([lines[0].replace("_t_ ", "_t_ 99")], "the time is too large"),
                        ([lines[0].replace("_wc_ 0", "")], "a value of _fs_io_s_ is missing")):
        done = run(text("bad.txt", lines))
        expect_eq((done.returncode, said in done.stderr), (1, True), done.stderr)


@test()
def counters_of_prometheus():
    log = random_log(53, 60, ["a:9100", "b:9100"], 60 * SECOND)
    names = [("read_bytes", 0), ("reads_completed", 1), ("written_bytes", 2), ("writes_completed", 3)]
    series = []
    for s in log.servers:
        for name, k in names:
            total, values = 5, [[START, "5"]]
            for i in range(log.n):
                total += log.moved[i, s][k]
                values.append([START + 60 * (i + 1), str(total)])
            series.append({"metric": {"__name__": f"node_disk_{name}_total", "instance": s, "device": "sda"},
                           "values": values})
    answer = {"status": "success", "data": {"resultType": "matrix", "result": series}}
    path = text("range.json", [json.dumps(answer).replace('{"status": ', '{"status":')])
    doc = characterized("--threshold", "0,1M", path)
    expect_eq((doc["start_ns"], doc["elapsed_ns"]), (START * SECOND, 3600 * SECOND))
    expect_log(doc["layers"]["servers"], log, 3600 * SECOND, (0, 1 << 20), "Prometheus")
    answer["data"]["result"] = series[:1]
    done = run(text("range.json", [json.dumps(answer).replace('{"status": ', '{"status":')]))
    expect_true("lacks one of read_bytes, read_ops, write_bytes, write_ops" in done.stderr, done.stderr)
    done = run("prometheus:http://127.0.0.1:1?query=x")
    expect_true("add &start=TIME" in done.stderr, done.stderr)


@test()
def a_prometheus_server():
    """iospan must ask Prometheus only for samples within the time range of the jobs. The step of
    the query must be the interval length."""
    for tool in "prometheus", "promtool", "curl":
        needs(shutil.which(tool), f"needs {tool}")
    enter_own_network()
    log, lines = random_log(56, 60, ["a", "b"], 15 * SECOND), []
    for name, k in (("read_bytes", 0), ("reads_completed", 1), ("written_bytes", 2), ("writes_completed", 3)):
        lines.append(f"# TYPE node_disk_{name} counter")
        for s in log.servers:
            totals = itertools.accumulate([7, *(log.moved[i, s][k] for i in range(log.n))])
            lines += [f'node_disk_{name}_total{{instance="{s}",device="sda"}} {v} {START + 15 * i}'
                      for i, v in enumerate(totals)]
    subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", text("counters.om", [*lines, "# EOF"]),
                    os.path.join(scratch_dir(), "data")], check=True, capture_output=True)
    jobs = text("jobs.csv", ["job,start_s,end_s", f"a,{START + 150},{START + 600}", f"b,{START + 300},{START + 450}"])
    with Prometheus("scrape_configs: []", "--storage.tsdb.retention.time=100y") as server:
        url = f'prometheus:http://127.0.0.1:{server.port}?query={{__name__=~"node_disk_.*"}}'
        seen = characterized("-i", "15s", "--threshold", 0, "--jobs", jobs, url)["jobs"]
    for job, first, n in zip(seen, (10, 20), (30, 10)):
        expect_eq((job["start_ns"], job["intervals"]), ((START + 15 * first) * SECOND, n))
        expect_log(job, part_of(log, first, n), n * 15 * SECOND, (0,), job["job"])


@test()
def burstiness_by_interval_and_threshold():
    log = random_log(54, 300, ["x", "y"])
    layer = characterized(text("stat.json", stat_lines(log)))["layers"]["servers"]
    rows = {(row["interval_ns"], row["threshold_bytes"]): row for row in layer["burstiness"]}
    most = max(moved[0] + moved[2] for moved in log.moved.values())
    steps = [c for c in (0, *(4096 * 8 ** i for i in range(11))) if c <= most]
    expect_eq(sorted(rows), sorted((k * SECOND, c) for k in (1, 2, 5, 10, 20, 50) for c in steps))
    for (width, c), row in rows.items():
        for way, ops in character.WAYS.items():
            expect_near(row[way], character.phases(joined(log, width // SECOND), ops, c)["rho"], 1e-12, str(row))


@test()
def short_intervals_approach_the_exact_periods():
    """Accesses take 3 ms, with pauses of 7 ms. The criterion rho measures burstiness. Computed from
    the exact periods, rho is 1 - tanh(3 / 7). The trace ends with a pause."""
    made = [accesses.Access(2, i % 2, i * 10 * MS, (i * 10 + 3) * MS, disk=accesses.VDA) for i in range(100)]
    made.append(accesses.Access(2, 2, 999 * MS, 1000 * MS, 0, disk=accesses.VDA))
    layer = characterized("-i", "1ms", accesses.write("even", made))["layers"]["device"]
    seen = criteria(layer)
    expect_near(seen["rho_exact", None, "both"], 1 - math.tanh(3 / 7), 1e-12)
    expect_near(seen["rho_exact", None, "read"], 1 - math.tanh(3 / (850 / 50)), 1e-12)
    expect_near(seen["busy_period_mean_ns", None, "both"], 3 * MS, 1e-6)


JOBS = ["job,start_s,end_s,cgroup", "one,0,10,/a", "both,0,10,", "late,5,10,/a", "brief,0,1,", "none,0,10,/c",
        "after,100,200,"]


@test()
def jobs_of_a_trace():
    """--jobs gives the time range and the cgroups of each job. The criteria of a job must equal
    those of the trace with filters for this time range and these cgroups."""
    rng, made = random.Random(55), []
    for i in range(2000):
        at = i * 5 * MS
        made.append(accesses.Access(2, rng.randrange(2), at, at + rng.randrange(1, 9) * MS,
                                    4096 * rng.randrange(1, 300), disk=rng.choice((accesses.VDA, accesses.VDB)),
                                    group=rng.choice(("/a", "/a/x", "/b")), process="dd=12",
                                    offset=4096 * rng.randrange(99)))
    made.sort(key=lambda a: a.end)
    trace = accesses.write("machine", made)
    args = ("-i", "100ms", "--threshold", "0,128K")
    doc = characterized(*args, "--least-duration", "2s", "--jobs", text("jobs.csv", JOBS), trace)
    expect_eq((doc["layer"], doc["brief_job_count"], doc["jobs_outside"]), ("device", 1, 2))
    expect_eq([job["job"] for job in doc["jobs"]], ["one", "both", "late"])
    jobs, window = os.path.join(scratch_dir(), "jobs.csv"), ("--from", "6s", "--to", "9s")
    part = characterized(*args, *window, "--jobs", jobs, trace)
    expect_eq([job["job"] for job in part["jobs"]], ["one", "both", "late"])
    for job, filters in zip(doc["jobs"] + part["jobs"],
                            (("--to", "10s", "-g", "/a"), ("--to", "10s"), ("--from", "5s", "--to", "10s", "-g", "/a"),
                             (*window, "-g", "/a"), window, (*window, "-g", "/a"))):
        alone = characterized(*args, *filters, trace)["layers"]["device"]
        expect_eq(criteria(job), criteria(alone), job["job"])
    mine = [a for a in made if a.group != "/b" and a.end <= 10 * SECOND]
    expect_eq(criteria(doc["jobs"][0])["bytes", None, "both"], sum(a.bytes for a in mine))
    rho = next(row for row in doc["distribution"] if row["key"] == "rho" and not row["threshold_bytes"])
    expect_near(rho["both"]["deciles"][-1], max(criteria(job)["rho", 0, "both"] for job in doc["jobs"]), 1e-12)
    done = run("--jobs", jobs, trace)
    expect_true("2 jobs without I/O in the trace, left out" in done.stdout, done.stdout)
    done = run("--least-duration", "2s", trace)
    expect_eq((done.returncode, "has no effect without '--jobs'" in done.stderr), (2, True), done.stderr)
    for name, idle in ("empty", []), ("sync", [accesses.Access(1, 5, 10, 20)]):
        doc = characterized("--jobs", jobs, accesses.write(name, idle))
        expect_eq((doc["jobs"], doc["distribution"], doc["jobs_outside"]), ([], [], len(JOBS) - 1))


main()
