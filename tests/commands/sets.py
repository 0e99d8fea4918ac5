#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests iospan bench sets: its metrics, accesses and cases. A set is an experiment with cases that
differ in one parameter. Each case has several runs. CC is the correlation coefficient of a metric
with the elapsed time. If CC has the wrong sign, the metric misleads."""
import json
import math
import os
import re
import signal
import statistics
import subprocess
import time
from contextlib import ExitStack

from lib import kernel
from lib.forms import expect_same_numbers_of_runs, page_of_plots
from lib.ktap import *
from lib.measure import make_file, needs_run, warm
from lib.sets import (K, LAYERS, M, Recording, SMALL, each_run, expect_case,
                      expect_definitions, expect_same, expect_two_phases, expect_windows)

METRICS = {"iops": ("app", "iops", -1), "latency_mean_ns": ("app", "latency_mean_ns", 1),
           "bandwidth_vfs_bytes_per_second": ("vfs", "bandwidth_bytes_per_second", -1),
           "bandwidth_device_bytes_per_second": ("device", "bandwidth_bytes_per_second", -1),
           "bps_app": ("app", "bps", -1), "bps_vfs": ("vfs", "bps", -1),
           "bps_device": ("device", "bps", -1)}


def read_bytes(disk):
    return int(kernel.read(kernel.of_disk(disk, "stat")).split()[2]) << 9


def sets(*options):
    warm(IOSPAN)
    done = subprocess.run([IOSPAN, "bench", "sets", *map(str, options), "--json"],
                          capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def pearson(x, y):
    mx, my = statistics.fmean(x), statistics.fmean(y)
    xy = sum((a - mx) * (b - my) for a, b in zip(x, y))
    xx, yy = sum((a - mx) ** 2 for a in x), sum((b - my) ** 2 for b in y)
    return xy / math.sqrt(xx * yy) if xx and yy else None


def ranks(values):
    return [sum(b < a for b in values) + (sum(b == a for b in values) + 1) / 2 for a in values]


def means(of, key):
    layer, name, _ = METRICS[key]
    lists = [[run["layers"][layer][name] if run["layers"][layer]["accesses"] else None
              for run in case["runs"]] for case in of["cases"]]
    return None if any(None in values for values in lists) else [*map(statistics.fmean, lists)]


def expect_correlations(of):
    times = [statistics.fmean(run["elapsed_ns"] for run in case["runs"]) for case in of["cases"]]
    expect_same(of["inverse_time_cc"], -pearson(times, [1 / t for t in times]),
                "correlation of the inverse time")
    for key, (_, _, expected) in METRICS.items():
        seen, values = of["correlations"][key], means(of, key)
        what = f"set {of['set']}: {key}"
        if not values:
            expect_eq(seen["cc"], None, what)
            continue
        cc = pearson(times, values)
        expect_same(seen["cc"], cc and cc * expected, what)
        expect_same(seen["spearman_cc"], cc and pearson(ranks(times), ranks(values)) * expected, what)
        if cc:
            expect_true(seen["low"] <= seen["high"], f"{what}: {seen}")


TITLES = {"iops": "IOPS", "bandwidth_vfs_bytes_per_second": "bandwidth vfs",
          "bandwidth_device_bytes_per_second": "bandwidth device", "latency_mean_ns": "ARPT", "bps_app": "BPS app",
          "bps_vfs": "BPS vfs", "bps_device": "BPS device"}


def expect_summary(found):
    """Checks the conclusion from all sets. It names the metrics that mislead, and the sets in which
    they do so."""
    right, wrong = [], []
    for key, title in TITLES.items():
        cc = {}
        for of in found["sets"]:
            times = [statistics.fmean(run["elapsed_ns"] for run in case["runs"]) for case in of["cases"]]
            values = means(of, key)
            cc[of["set"]] = values and pearson(times, values) * METRICS[key][2]
            here = of["correlations"][key]
            if cc[of["set"]] is None or len(of["cases"]) < 3 or here["low"] <= 0 <= here["high"]:
                cc[of["set"]] = None  # unknown, or of an uncertain direction
            expect_eq(here["misleads"], None if cc[of["set"]] is None else cc[of["set"]] <= 0,
                      f"set {of['set']}: {key} misleads")
        bad = [name for name, value in cc.items() if value is not None and value <= 0]
        if bad:
            wrong.append(f"{title} ({', '.join(bad)})")
        elif None not in cc.values():
            right.append(title)
    lead = (f"{right[0]} is the only metric that follows" if len(right) == 1 else
            f"{', '.join(right)} follow" if right else "no metric certainly follows")
    expect_eq(found["conclusion"], f"{lead} the time in all {len(found['sets'])} sets"
              + (f"; mislead in some sets: {', '.join(wrong)}" if wrong else ""), "conclusion")


@test()
def numbers_follow_from_the_counts():
    needs_run()
    page, plots = page_of_plots()
    status, found, err = sets("2", "3c", "3b", "4", scratch_dir(), SMALL, "--count=2", *plots)
    assert_eq((status, err, found["complete"]), (0, "", True), "status, stderr, complete")
    expect_definitions(found)
    # For each set, the metrics that misled in the published experiment, as the result quotes it
    expect_eq({of["set"]: {name for name, of in of["correlations"].items()
                           if of["in_paper"] == "misleads"} for of in found["sets"]},
              {"2": {"iops", "latency_mean_ns"}, "3c": set(), "3b": {"latency_mean_ns"},
               "4": {"bandwidth_vfs_bytes_per_second", "bandwidth_device_bytes_per_second"}}, "misleads")
    expect_summary(found)
    for of in found["sets"]:
        expect_correlations(of)
        for case in of["cases"]:
            values = [run["elapsed_ns"] for run in case["runs"]]
            of_time = case["metrics"]["time_ns"]
            expect_same(of_time["mean"], statistics.fmean(values), "mean")
            expect_same(of_time["deviation"], statistics.stdev(values), "deviation")
    expect_reads_of_the_disk(found)
    needs(plots, "needs gnuplot")
    expect_figures(page)


# iospan must drop caches before each run. So each run must read its bytes from the disk.
def expect_reads_of_the_disk(found):
    if kernel.is_memory(scratch_dir()) or not found["environment"]["devices"]:
        return diagnostic("the disk of this directory is not known")
    for of, case, run in each_run(found):
        if of["set"] == "3b":
            seen = run["layers"]["device"]
            expect_true(seen["bytes"] >= case["bytes"], f"{case['case']}: {seen['bytes']} bytes")


def expect_figures(page):
    with open(page, encoding="utf-8") as f:
        text = f.read()
    expect_eq(len(re.findall("<svg", text)), 3 + 2 + 2 + 2, "plots")
    expect_eq(re.findall("<h2>set ([0-9bc]*)", text), ["2", "3c", "3b", "4"], "sets")
    expect_eq(re.findall(r"<text>[^<]*\((figures? [0-9, ]*)\)", text),
              ["figures 5, 6", "figure 7", "figure 8", "figure 11", "figure 12"],
              "figures")


@test()
def cases_are_those_of_the_paper():
    needs_run()
    one, two = (os.path.join(scratch_dir(), name) for name in "ab")
    os.mkdir(one), os.mkdir(two)
    status, found, _ = sets(one, two, SMALL, "--count=1")
    expect_eq((status, found["complete"]), (0, True), "status, complete")
    shape = {of["set"]: [(c["process_count"], c["file_count"], c["request_bytes"]) for c in of["cases"]]
             for of in found["sets"]}
    twice = [1, 2, 4, 8, 16, 32]
    expect_eq([(of["set"], len(set(of["files"]))) for of in found["sets"]],
              [("1", 2)] + [(name, 2 if name == "3" else 1) for name in ("2", "2", "3", "3b", "3b", "4", "4")],
              "sets, targets")
    expect_eq([note for note in found["notes"] if "one file system" in note],
              ["in set 3 some targets are in one file system, so their processes contend as in set 3c"], "note")
    expect_eq(shape["1"], [(1, 1, 64 * K)] * 2, "set 1")
    expect_eq(shape["2"], [(1, 1, 4 * K << i) for i in range(12)], "set 2")
    expect_eq(shape["3"], [(n, n, 64 * K) for n in twice[:2]], "set 3")
    expect_eq(shape["3b"], [(n, 1, 64 * K) for n in twice], "set 3b")
    expect_eq([c["spacing_bytes"] for c in found["sets"][-1]["cases"]],
              [8 << i for i in range(10)], "set 4")
    for of, case, run in each_run(found):
        expect_case(of, case, run)
        expect_eq((run["layers"]["app"]["bytes"]),
                  of["cases"][0]["bytes"], "bytes of a case, against the first one")
    expect_eq((os.listdir(one), os.listdir(two)), ([], []), "files left")


# In set 3, each process has a file on a disk of its own. Counters of the disks show which process
# read where.
@test()
def each_process_of_set_3_reads_its_own_target():
    needs_run("mkfs.ext4")
    with ExitStack() as stack:
        disks = [stack.enter_context(kernel.new_loop_disk(64 * M)) for _ in range(4)]
        targets = [os.path.join(scratch_dir(), str(i)) for i in range(4)]
        for disk, target in zip(disks, targets):
            subprocess.run(["mkfs.ext4", "-q", "-O", "^has_journal", disk], check=True)
            os.mkdir(target)
            kernel.mount("ext4", target, disk)
            stack.callback(kernel.unmount, target)
        before = [read_bytes(disk) for disk in disks]
        status, found, err = sets("3", *targets, SMALL, "--count=1")
        read = [read_bytes(disk) - old for disk, old in zip(disks, before)]
    assert_eq((status, err), (0, ""), "status, stderr")
    [of] = found["sets"]
    expect_eq(of["files"], targets, "files")
    expect_eq([(case["process_count"], case["file_count"]) for case in of["cases"]], [(1, 1), (2, 2), (4, 4)], "cases")
    expect_eq({case["bytes"] for case in of["cases"]}, {16 * M}, "bytes of a case")
    for i, parts in enumerate((1 + 1 / 2 + 1 / 4, 1 / 2 + 1 / 4, 1 / 4, 1 / 4)):
        expect_near(read[i] / (16 * M), parts, 0.05, f"read from disk {i}, of the bytes of a case")
    expect_eq(of["correlations"]["latency_mean_ns"]["in_paper"], "misleads", "ARPT in the paper")
    expect_eq([note for note in found["notes"] if "one file system" in note], [], "note")


# A file system in memory (tmpfs) has no accesses at the device layer. The rates of this layer must
# be null, not 0.
@test()
def memory_has_no_device():
    needs_run()
    directory = os.path.join(scratch_dir(), "memory")
    os.mkdir(directory)
    kernel.mount("tmpfs", directory)
    status, found, _ = sets("2", directory, SMALL, "--count=1")
    expect_eq(status, 0, "status")
    for name in "bandwidth_device_bytes_per_second", "bps_device":
        expect_eq({case["metrics"][name]["mean"] for case in found["sets"][0]["cases"]}, {None},
                  name)
        expect_eq(found["sets"][0]["correlations"][name]["cc"], None, name)


@test()
def directories_share_the_space_of_their_file_system():
    needs_run()
    directory = os.path.join(scratch_dir(), "memory")
    os.mkdir(directory)
    kernel.mount("tmpfs", directory, options="size=64m")
    one, two = (os.path.join(directory, name) for name in "ab")
    os.mkdir(one), os.mkdir(two)
    status, found, err = sets("1", one, two, SMALL, "--count=1")
    expect_eq((status, found), (1, None), f"no room: status, result ({err})")
    status, found, err = sets("1", one, two, "--count=1")
    assert_eq((status, err), (0, ""), "a scale for which both have space: status, stderr")
    expect_eq([case["bytes"] for case in found["sets"][0]["cases"]], [16 * M] * 2, "bytes")
    # The set has only two cases. Two points always lie on a line, so no verdict may be certain.
    of = found["sets"][0]
    expect_eq(of["conclusion"], "no metric has a certain direction")
    expect_true(", perhaps" in of["correlations"]["bps_app"]["verdict"], of["correlations"])
    expect_eq({value["misleads"] for value in of["correlations"].values()}, {None}, "misleads")


@test()
def results_of_the_paper_are_quoted():
    text = subprocess.run([IOSPAN, "bench", "sets", "2", "4", scratch_dir(), SMALL, "--count=1"],
                          capture_output=True, text=True, check=False).stdout
    # In the table of all sets, a star marks each metric that misleads.
    table = text[text.index("CC of each set; * misleads"):].splitlines()[3:5]
    expect_eq([line.split()[0] for line in table], ["2", "4"], "sets")
    for line, of in zip(table, text[text.index("set 2:"):].split("set 4:")):
        of = of[of.index("  with the time "):]  # a line of an earlier table starts with ARPT
        for cell, title in zip(line.split()[2:], TITLES.values()):
            said = re.search(rf"^ *{title} +(right|misleads)?(, perhaps)?", of, re.M)
            expect_eq(cell.endswith("*"), said.groups() == ("misleads", None), f"star of {title}: {cell}")
    text = text[:text.index("set 4:")]
    for line in text.splitlines():
        if line.split()[:1] in (["IOPS"], ["ARPT"]):
            expect_eq("in the paper: misleads" in line, "right" in line, line)


# A read must not update the access time of the file, because this update would be additional I/O.
@test()
def reads_do_not_change_the_access_time():
    path = make_file("data", 8 * M)
    os.utime(path, (1, 2))
    status, _, err = sets("2", path, SMALL, "--count=1")
    assert_eq(status, 0, f"status ({err})")
    expect_eq(os.stat(path).st_atime, 1, "access time")


def union(accesses):
    """Returns T: the length of the union of the intervals [start, end)."""
    total, reached = 0, 0
    for start, end, *_ in sorted(accesses):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total


# iospan and the recording of this test read the clock one after the other. If the thread is
# preempted in between, their times differ. So the test allows some different times, but no
# different counts.
@test()
def metrics_equal_those_of_the_recorded_accesses():
    needs_run()
    compared, off = 0, []
    path = make_file("data", 40 * M)
    recording = Recording("2", "3b", SMALL, "--count=2", path=path)
    for of, case, run in each_run(recording.found):
        seen = recording.of(run)
        for name in LAYERS:
            layer, accesses = run["layers"][name], seen[name]
            what = f"set {of['set']}, {case['case']}: {name}"
            whole = [access for access in accesses if not access[-1]]
            if name == "device":  # a read-ahead may end after the case, so only bounds are known
                ended = [a for a in whole if a[1] <= run["start_ns"] + run["elapsed_ns"]]
                disks = [access for access in seen["disks"] if not access[-1]]
                for key, some, most in (("accesses", len(ended), len(disks)),
                                        ("bytes", sum(a[2] for a in ended),
                                         sum(a[2] for a in disks))):
                    expect_ge(layer[key], some, f"{what}: {key} that ended in the case")
                    expect_le(layer[key], most, f"{what}: {key} that started in it")
                continue
            assert_eq((layer["accesses"], layer["bytes"]),
                      (len(whole), sum(access[2] for access in whole)), what)
            for key, recorded in (("latency_sum_ns", sum(end - start for start, end, *_ in accesses)),
                                  ("span_ns", union(accesses))):
                # The load reads the clock before the system call. If it waits for a CPU in between,
                # the time that it measures is longer than the recorded time.
                apart, slack = layer[key] - recorded, 1500 * len(accesses) + recorded / 50
                compared += 1
                if not (-slack <= apart <= slack or (name == "app" and apart > 0)):
                    off.append(f"{what}: {key} {layer[key]}, recorded {recorded}")
    diagnostic("\n".join(off))
    expect_le(len(off), compared / 5, f"of {compared} times, those that differ: {off}")


@test(long=True)
def sieving_reads_as_defined():
    needs_run()
    path = make_file("data", 32 * M)
    for options, buffer, procs in ((("--sieve=1M",), M, 1), (("--sieve=0",), 0, 1),
                                   (("--sieve=100000", "--procs", 3), 100000, 3)):
        expect_windows(Recording("4", SMALL, "--count=1", *options, path=path), buffer, procs)
    expect_two_phases(Recording("4", SMALL, "--count=1", "--procs", 3, "--collective",
                                "--collective-buffer=100000", path=path), 100000)


@test()
def the_ways_to_read_are_compared():
    needs_run()
    page, plots = page_of_plots()
    status, found, err = sets("4", scratch_dir(), "--scale=0.0001", "--count=2", "--procs=2", "--each-way", *plots)
    assert_eq((status, err), (0, ""), "status, stderr")
    expect_eq([("one request each" in of["title"], "sieve buffer of 4M" in of["title"],
                "collective buffers of 16M" in of["title"]) for of in found["sets"]],
              [(True, False, False), (False, True, False), (False, False, True)], "sets")
    expect_eq([row["spacing_bytes"] for row in found["sieving"]], [8 << i for i in range(10)], "sizes of holes")
    for row in found["sieving"]:
        times = {}
        for way, of in zip(("alone", "sieving", "collective"), found["sets"]):
            [case] = [case for case in of["cases"] if case["spacing_bytes"] == row["spacing_bytes"]]
            times[way] = statistics.fmean(run["elapsed_ns"] for run in case["runs"])
            expect_same(row["ways"][way]["elapsed_ns"], times[way], f"{way}: time")
            expect_same(row["ways"][way]["bps"],
                        statistics.fmean(run["layers"]["app"]["bytes"] / 512 / run["layers"]["app"]["span_ns"] * 1e9
                                         for run in case["runs"]), f"{way}: BPS")
        expect_eq(row["fastest"], min(times, key=times.get), "fastest")
    needs(plots, "needs gnuplot")
    with open(page, encoding="utf-8") as f:
        page = f.read()
    expect_eq(page.count("execution time of set 4 in each way to read\""), 1, "plot")
    expect_eq(re.findall('<h2>plots of set 4: data sieving, way "([a-z]*)"', page), ["alone", "sieving", "collective"],
              "titles of the plots")


@test()
def commands_are_cases():
    needs_run("dd")
    path = make_file("data", 8 * M)
    commands = os.path.join(scratch_dir(), "commands")
    sizes = 4 * K, 64 * K, M
    with open(commands, "w", encoding="ascii") as f:
        f.write("# sizes\n\n")
        for size in sizes:
            f.write(f"dd if='{path}' of=/dev/null bs={size} status=none\n")
    status, found, err = sets(f"--exec={commands}", "--count=2")
    assert_eq((status, err), (0, ""), "status, stderr")
    cases = found["sets"][0]["cases"]
    expect_eq([len(case["runs"]) for case in cases], [2] * 3, "runs")
    for case, size in zip(cases, sizes):
        for run in case["runs"]:
            app = run["layers"]["app"]
            expect_true("losses" in run["evidence"], "losses")
            # At the end of the file, dd makes one more read. So the test has no exact number of
            # accesses.
            expect_true(8 * M <= app["bytes"] <= 16 * M + K, f"{size}: {app['bytes']} bytes")
            expect_true(app["accesses"] >= 8 * M // size, f"{size}: {app['accesses']} accesses")
    expect_correlations(found["sets"][0])


def results_of_dd(path, sizes):
    """Reads a file by dd with each request size. Returns for each size the paths of three results:
    two of iospan run, and one of iospan report."""
    found = []
    for size in sizes:
        command = ["dd", f"if={path}", "of=/dev/null", f"bs={size}", "status=none"]
        names = [os.path.join(scratch_dir(), f"{size}-{i}.json") for i in range(3)]
        for name in names[:2]:
            subprocess.run([IOSPAN, "run", "--json", "-o", name, "--", *command], check=True)
        trace = os.path.join(scratch_dir(), f"{size}.trace")
        subprocess.run([IOSPAN, "record", "-o", trace, "--", *command], check=True, capture_output=True)
        kernel.write(subprocess.run([IOSPAN, "report", "--json", trace], check=True, capture_output=True,
                                    text=True).stdout, names[2])
        found.append(names)
    return found


# bench sets can also take earlier results as cases. The test computes their correlation from their
# counts.
@test()
def earlier_results_are_cases():
    needs_run("dd")
    cases = results_of_dd(make_file("data", 8 * M), (4 * K, 64 * K, M))
    load = os.path.join(scratch_dir(), "load.json")
    kernel.write(subprocess.run([IOSPAN, "bench", "load", make_file("other", 8 * M), "--count=100", "--json"],
                                check=True, capture_output=True, text=True).stdout, load)
    cases.append([load])
    status, found, err = sets("--results", *map(",".join, cases))
    assert_eq((status, err), (0, ""), "status, stderr")
    [of] = found["sets"]
    expect_eq([[run["file"] for run in case["runs"]] for case in of["cases"]], cases, "files")
    documents = []
    for names in cases:
        documents.append([])
        for name in names:
            with open(name, encoding="utf-8") as f:
                documents[-1].append(json.load(f))
    times = [statistics.fmean(doc["elapsed_ns"] for doc in docs) for docs in documents]
    for key, (layer, name, expected) in METRICS.items():
        points = []
        for case, docs, time_ns in zip(of["cases"], documents, times):
            values = [from_counts(doc, layer, name) for doc in docs]
            mean = None if None in values else statistics.fmean(values)
            expect_same(case["metrics"][key]["mean"], mean, f"{key} of {case['case']}")
            if mean is not None:
                points.append((time_ns, mean))
        # CC is the correlation coefficient with the elapsed time. A case without the metric, such
        # as a read from the cache, is left out.
        cc = pearson(*zip(*points)) if len(points) > 1 else None
        expect_same(of["correlations"][key]["cc"], cc and cc * expected, key)
    for names, docs in zip(cases, documents):  # other load may have caused losses
        for name, doc in zip(names, docs):
            doc["losses"] = dict.fromkeys(doc.get("losses", {}), 0)
            kernel.write(json.dumps(doc), name)
    lossy = documents[0][0]
    lossy["losses"][next(iter(lossy["losses"]))] = 3
    kernel.write(json.dumps(lossy), cases[0][0])
    _, found, _ = sets("--results", *map(",".join, cases))
    expect_true(any(f"in 1 of {sum(map(len, cases))} runs some accesses were lost" in note for note in found["notes"]),
                f"loss of a result: {found['notes']}")
    kernel.write("{}", load)
    status, _, err = sets("--results", load)
    expect_eq((status, "is no result of run" in err), (1, True), err)


def from_counts(doc, layer, name):
    """Returns a metric, computed from the counts of @layer in the result. Returns None if the layer
    has no accesses."""
    of = doc["layers"][layer]
    if not of or not of["accesses"]:
        return None
    return {"iops": of["accesses"] / doc["elapsed_ns"] * 1e9,
            "bandwidth_bytes_per_second": of["bytes"] / doc["elapsed_ns"] * 1e9,
            "bps": of["bytes"] / 512 / of["span_ns"] * 1e9,
            "latency_mean_ns": of["latency_sum_ns"] / of["accesses"]}[name]


@test()
def output_of_a_command_is_no_result():
    needs_run()
    commands = os.path.join(scratch_dir(), "commands")
    kernel.write("echo said\n", commands)
    status, found, err = sets(f"--exec={commands}", "--count=1")
    expect_eq((status, found["complete"], err), (0, True, "said\n"), "status, complete, stderr")
    kernel.write("echo said; false\n", commands)
    status, found, err = sets(f"--exec={commands}", "--count=1")
    expect_eq((status, found), (1, None), "status, result")
    expect_true("'echo said; false' ended with status 1" in err, err)


# The signal arrives during the second run of a command. The test uses two commands: the signal
# kills one, and the other handles the signal and exits with status 0.
@test()
def a_signal_while_a_command_runs_ends_it_with_the_result_so_far():
    needs_run()
    commands, ran, waits = (os.path.join(scratch_dir(), name) for name in ("commands", "r", "w"))
    for ending in (f"touch {waits}; exec sleep 100",
                   f"trap 'kill $!; exit 0' TERM; sleep 100 & touch {waits}; wait"):
        kernel.write(f"test ! -e {ran} || {{ {ending}; }}; touch {ran}\n", commands)
        child = subprocess.Popen([IOSPAN, "bench", "sets", f"--exec={commands}", "--count=9",
                                  "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True)
        while not os.path.exists(waits) and child.poll() is None:
            time.sleep(0.01)
        child.send_signal(signal.SIGTERM)
        out, err = child.communicate()
        assert_eq(child.returncode, 0, f"{ending}: status ({err})")
        found = json.loads(out)
        expect_eq((found["complete"], len(found["sets"][0]["cases"][0]["runs"])), (False, 1),
                  f"{ending}: complete, runs")
        os.unlink(ran), os.unlink(waits)


# The signal arrives between two runs of the command. iospan then prepares the next run, or reads
# the counts of the previous run's I/O.
@test()
def a_signal_between_two_commands_ends_it_with_the_result_so_far():
    needs_run()
    commands, ran = (os.path.join(scratch_dir(), name) for name in ("commands", "ran"))
    kernel.write(f"echo >>{ran}\n" * 50, commands)  # their runs take minutes
    for number in range(3):
        child = subprocess.Popen([IOSPAN, "bench", "sets", f"--exec={commands}", "--count=1000",
                                  "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True)
        while child.poll() is None and (not os.path.exists(ran) or os.path.getsize(ran) < 2):
            time.sleep(0.001)
        time.sleep(number / 10)
        child.send_signal(signal.SIGTERM)
        out, err = child.communicate()
        assert_eq((child.returncode, err), (0, ""), f"{number}: status, stderr")
        found = json.loads(out)
        expect_eq((found["complete"], any(case["runs"] for case in found["sets"][0]["cases"])),
                  (False, True), f"{number}: complete, has runs")
        os.unlink(ran)


# A single case has no correlation, so the page has no plots.
@test()
def a_page_has_no_figures_without_values():
    needs_run("gnuplot")
    commands, page = (os.path.join(scratch_dir(), name) for name in ("commands", "page.html"))
    kernel.write("true\n", commands)
    status, _, err = sets(f"--exec={commands}", "--count=2", f"--html={page}")
    expect_eq((status, err), (0, ""), "status, stderr")
    with open(page, encoding="utf-8") as f:
        expect_true("<svg" not in f.read(), "no plot")


@test()
def a_signal_ends_it_with_the_result_so_far():
    child = subprocess.Popen([IOSPAN, "bench", "sets", "2", scratch_dir(), "--scale=0.004",
                              "--count=1000", "--json"], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(
                                 signal.SIGINT, signal.SIG_DFL))
    try:
        child.wait(10)
    except subprocess.TimeoutExpired:
        pass
    child.send_signal(signal.SIGINT)
    out, err = child.communicate()
    needs(out or "interrupted" not in err, "this machine is too slow for a run in 10 s")
    expect_eq(os.listdir(scratch_dir()), [], "files left")
    assert_eq(child.returncode, 0, f"status ({err})")
    expect_eq(json.loads(out)["complete"], False, "complete")


@test()
def not_enough_space():
    path = make_file("data", M)
    for options in ((), ("--scale=1",)):
        status, found, err = sets("2", path, *options)
        expect_eq((status, found), (1, None), f"{options}: status, result")
        expect_true(f"not enough room on '{path}': set 2 at scale " in err and
                    err.endswith(" may be used; give a smaller --scale or another target\n") and
                    err.count("\n") == 1, err)
    os.truncate(path, 2**40)
    status, found, err = sets("4", path, "--scale=1", "--region=512")
    expect_eq((status, found), (1, None), "requests above 1 GiB: status, result")
    expect_true("set 4 at scale 1 has requests of " in err and
                err.endswith(" and 1.00 GiB is the most; give a smaller --scale or --region\n"), err)


@test()
def wrong_usage():
    for options, words in (((), "no target"), (("1", "/tmp"), "two or more"),
                           (("3", "/tmp"), "set 3c has all files on one"),
                           (("5", "/tmp", "--count=0"), "--count"),
                           (("/tmp", "--size=5000"), "power of two"),
                           (("/tmp", "--engine", "mmap"), "unknown engine"),
                           (("9", "/tmp"), "'9' is neither a set (1, 2, 3, 3b, 3c or 4) nor an existing target"),
                           (("/dev/null/x",), "cannot examine '/dev/null/x': Not a directory"),
                           (("/tmp", "--exec=x"), "no '/tmp'")):
        status, found, err = sets(*options)
        expect_eq((status, found), (1 if options and options[0] in ("9", "/dev/null/x") else 2, None), f"{options}: status, result")
        expect_true(words in err and err.count("\n") == 1, f"{options}: {err}")


@test()
def an_option_that_no_set_uses_is_refused():
    target, commands = scratch_dir(), make_file("commands", 1)
    for options, option, with_ in (
            (("1", target, target, "--region=512"), "region", "set 1"),
            (("2", target, "--size=4k"), "size", "set 2"),
            (("2", "3b", target, "--procs=2"), "procs", "set 2 3b"),
            (("3", target, target, "--sieve=1M"), "sieve", "set 3"),
            (("3c", target, "--collective"), "collective", "set 3c"),
            (("4", target, "--engine", "uring"), "engine", "set 4"),
            (("4", target, "--direct"), "direct", "set 4"),
            (("4", target, "--sieve=1M", "--collective"), "sieve", "--collective"),
            ((f"--exec={commands}", "--scale=0.5"), "scale", "--exec"),
            (("--results", commands, "--count=2"), "count", "--results"),
            (("--results", commands, f"--exec={commands}"), "exec", "--results"),
            ((f"--exec={commands}", "--direct"), "direct", "--exec")):
        status, found, err = sets(*options)
        expect_eq((status, found, err.count("\n")), (2, None, 1), f"{options}: {err}")
        expect_true(f"'--{option}' has no effect with '{with_}'" in err, err)
    for options, words in ((("--sieve=0",), "--sieve above 0"), (("--collective",), "'--collective' has no effect")):
        status, _, err = sets("4", target, "--each-way", *options)
        expect_eq((status, words in err), (2, True), err)
    status, _, err = sets("4", target, "--collective-buffer=1M")
    expect_eq(status, 2, err)
    expect_true("'--collective-buffer' has no effect without '--collective'" in err, err)


@test(long=True)
def all_forms_have_the_same_numbers():
    needs_run()
    expect_same_numbers_of_runs("bench", "sets", "2", scratch_dir(), "--count=2", "--scale=0.0005")


main()
