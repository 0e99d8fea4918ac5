#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests iospan bench scale on a real disk. An evaluation measures points (workloads) along curves,
each over one parameter. In the remaining time, it measures probes: workloads that test
predictions."""
import json
import os
import re
import signal
import stat
import statistics
import subprocess
import sys
import time

from lib import disks, kernel
from lib.evaluation import Scale, has_memory_groups
from lib.forms import expect_same_numbers_of_runs
from lib.ktap import *
from lib.loads import needs_space, terminate_while_filling
from lib.measure import needs_another_user

PARAMETERS = ("unique_bytes", "size_bytes", "read_fraction", "sequential_fraction", "process_count", "depth")
# options of a small evaluation without a time limit, so it is complete even on a slow machine
SMALL = ("--unique-bytes=16M", "--budget=0")
NOBODY = 65534


def evaluate(*options, **how):
    return Scale(*options, **how).end()


def scaled(target, *options):
    done = subprocess.run([IOSPAN, "bench", "scale", target, "--direct", "--unique-bytes=16M", "--budget=3", "--json",
                           *options], capture_output=True, text=True, check=False)
    over = "the budget of 3s is over" in done.stderr
    assert_eq(done.returncode, int(over), f"status: {done.stderr}")
    needs(done.stdout or not over, f"this machine is too slow to measure a point in 3 s: {done.stderr}")
    return json.loads(done.stdout)


def key(point):
    return tuple(point["workload"].values()), point["engine"]


def expect_whole(found):
    expect_eq((found["complete"], found["command"]), (True, "bench scale"), "complete")
    expect_ge(len(found["regions"]), 1, "regions")
    for region in found["regions"]:
        expect_true(region["traits"], "traits")
        for name in PARAMETERS:
            curve = [point["workload"] for point in region["curves"][name]]
            values = [at[name] for at in curve]
            expect_eq(values, sorted(set(values)), f"values of {name}")
            # With large requests, the data are too small for a second process. So the curve of
            # process_count may have only one point.
            expect_ge(len(curve), 1 if name == "process_count" else 2, f"points of {name}")
            expect_true(region["focal"] in curve, f"focal point of {name}")
            for at in curve:
                expect_eq({**at, name: 0}, {**region["focal"], name: 0}, "other parameters")


def expect_budget_over(page):
    """Checks that a budget of 3 s ends the evaluation. A point takes at least a tenth of a second,
    so on any machine the budget is over before the curves are complete. Returns the points."""
    status, found, err = evaluate("--unique-bytes=16M", "--budget=3", f"--html={page}")
    expect_eq(status, 1, "status")
    expect_true("the budget of 3s is over" in err and "--resume" in err, err)
    needs(found, "this machine is too slow to measure a point in 3 s")
    expect_eq((found["complete"], found["over_budget"]), (False, True), "complete, over_budget")
    expect_le(len(found["points"]), 30, "points")
    with open(page, encoding="utf-8") as f:
        expect_eq("<svg" in f.read(), bool(found["regions"]), "plots of the regions")
    if len(found["points"]) > 8:
        expect_eq(err.count("--budget 3s is too short"), 1, err)
    return found["points"]


# A whole evaluation takes seconds, so the test makes only one, in three parts. Its budget ends the
# first part, and a signal ends the second part. The third part completes the evaluation. The result
# file is a symbolic link, which must stay.
@test(seconds=300)
def resumes_after_a_budget_and_a_signal():
    file, target = (os.path.join(scratch_dir(), name) for name in ("result.json", "target"))
    kernel.write("before", target)
    os.symlink(target, file)
    points = expect_budget_over(os.path.join(scratch_dir(), "budget.html"))
    status, whole, err = evaluate(f"--resume={file}")
    expect_eq((status, whole), (1, None), "status, result")
    expect_true("give it a longer --budget" in err, err)
    # The curves need less time than this budget. The evaluation then measures probes, so it still
    # runs when the signal arrives, even if this test waits for the CPU for seconds.
    run = Scale(f"--resume={file}", "--budget=100").wait_for(len(points) + 3)
    run.child.send_signal(signal.SIGTERM)
    status, part, _ = run.end()
    expect_eq((status, part["complete"], part["over_budget"]), (0, False, False),
              "status, complete, over_budget")
    expect_ge(len(part["points"]), len(points) + 3, "points")
    expect_eq([*map(key, part["points"])][:len(points)], [*map(key, points)], "earlier points")
    status, whole, _ = evaluate(f"--resume={file}", "--budget=0")
    expect_eq(status, 0, "status")
    expect_whole(whole)
    expect_true(os.path.islink(file), "the link is still a link")
    # If other load seems to have disturbed a point, the evaluation measures this point again, and
    # may then need other points. The result must still have all points that were measured before.
    listed = whole["points"] + whole["unneeded_points"]
    points = {key(point): point for point in listed}
    expect_eq(len(points), len(listed), "different points")
    for old in part["points"]:
        new = points.get(key(old))
        if not new or not new["measured_again"] or old["measured_again"]:
            expect_eq(new, old, "an earlier point")
    with open(target, encoding="utf-8") as f:
        expect_eq(json.load(f), whole, "the result file")


@test()
def a_killed_evaluation_leaves_its_points():
    run = Scale(*SMALL, "--memory-limit=64M" if has_memory_groups() else "--direct").wait_for(5)
    run.child.kill()
    run.child.wait()
    while run.groups():  # until the test's limit
        time.sleep(0.01)
    expect_eq(os.listdir(run.dir), [], "files")
    expect_ge(run.points(), 5, "points")


@test()
def a_signal_while_the_data_is_written():
    needs_space(scratch_dir(), 6 << 30)
    run = Scale("--unique-bytes=4G", "--budget=0")
    in_time = terminate_while_filling(run.child, run.dir, 4 << 30)
    status, found, err = run.end()
    needs(in_time, "the data was complete before the signal")
    expect_eq((status, found, os.path.exists(run.file)), (1, None, False), "status, result, file")
    expect_true("iospan: interrupted before anything was measured\n" in err, err)


QUOTED = re.compile(r"with (\S.*?) is [\d.]+ times .* that with (.*), (\S+ \S+) instead of (\S+ \S+?)"
                    r"(?:; .* between (.*) and (.*))?$")


@test(seconds=300, long=True)
def sentences_quote_their_table():
    done = subprocess.run([IOSPAN, "bench", "scale", scratch_dir(), *SMALL], capture_output=True,
                          text=True, check=False)
    expect_eq(done.returncode, 0, done.stderr)
    quotes = 0
    text = "\n".join(map(" ".join, map(str.split, done.stdout.splitlines())))
    for region in text.split("\nregion ")[1:]:
        lines = region.splitlines()
        found = [quote for quote in map(QUOTED.search, lines) if quote]
        rows = "\n".join(line for line in lines if not QUOTED.search(line))
        for value in (value for quote in found for value in quote.groups()[2:] if value):
            quotes += 1
            expect_true(value in rows, f"{value} of '{region}'")
    diagnostic(f"{quotes} quotes")


@test(seconds=300, long=True)
def all_forms_have_the_same_numbers():
    expect_same_numbers_of_runs("bench", "scale", scratch_dir(), *SMALL)


@test(seconds=300, long=True)
def focal_point_of_the_first_version_of_the_paper():
    status, found, _ = evaluate(*SMALL, "--focal=75")
    expect_eq((status, found["focal_kind"], found["borders"], len(found["regions"])),
              (0, "75", [], 1), "status, kind, borders, regions")
    expect_whole(found)
    region = found["regions"][0]
    for name in PARAMETERS:
        most = max(p["bandwidth_bytes_per_second"] for p in region["curves"][name])
        good = [p["workload"][name] for p in region["curves"][name]
                if p["bandwidth_bytes_per_second"] >= 0.75 * most]
        expect_eq(region["good_ranges"][name], {"min": min(good), "max": max(good)}, name)


# Makes an evaluation while the programs @spinners run, then kills these. Returns the median
# fraction of CPU time that programs outside the evaluation used.
def shares_of_others(*spinners):
    status, found, _ = evaluate(*SMALL, "--no-depth")
    for child in spinners:
        child.kill()
        child.wait()
    expect_eq(status, 0, "status")
    return statistics.median(point["others_cpu_fraction"] for point in found["points"])


@test(seconds=300, long=True)
def cpu_time_of_others_is_reported():
    alone = shares_of_others()
    beside = shares_of_others(*(subprocess.Popen([sys.executable, "-c", "while True: pass"])
                                for _ in os.sched_getaffinity(0)))
    print(f"# others have {alone:.0%} of the processors, with as many more as these {beside:.0%}")
    expect_ge(beside, 0.2, "fraction of others beside as many programs as CPUs")
    if alone < 0.2:  # otherwise other programs already keep the machine busy
        expect_ge(beside, alone + 0.1, "fraction of others, against that without the programs")


@test(seconds=600, long=True)
def probes_use_the_whole_budget():
    for budget in 20, 60, 180:  # in s; a busy machine makes fewer probes in the same time
        _, found, _ = evaluate("--unique-bytes=16M", f"--budget={budget}s", "--feedback=0.5")
        probes = [point["probe"] for point in found["points"] if point["probe"]]
        if len(probes) >= 20:
            break
    expect_eq((found["complete"], found["over_budget"]), (True, False), "complete, over_budget")
    expect_ge(len(probes), 20, "probes")
    expect_ge(probes.count("near"), 5, "probes near others")
    expect_eq(found["feedback"][-1]["probes"], len(probes), "probes in the last step")
    for method in "product", "kriging":
        errors = found["feedback"][-1][method]
        expect_true(0 < errors["workload_count"] <= probes.count("random"), f"{method}: {errors}")
        expect_true(0 < errors["error_median_fraction"] <= errors["error_p90_fraction"], f"{method}: {errors}")


# If the target is a stacked disk, the numbers of the device layer must be those of this disk. If
# the target is a directory on the stacked disk, they must be those of the disks below, with a note.
@test()
def a_stacked_disk():
    needs(os.geteuid() == 0, "needs root")
    path, at = os.path.join(scratch_dir(), "image"), os.path.join(scratch_dir(), "at")
    with open(path, "wb") as f:
        f.truncate(64 << 20)
    with disks.loop_over(path) as disk:
        name = os.path.basename(disk)
        found = scaled(disk, "--destroy")
        expect_eq(found["stacked_disk"], name)
        expect_true(f"the device layer is that of the stacked disk {name}" in found["notes"], found["notes"])
        app, device = (sum(p["layers"][layer]["bytes"] for p in found["points"]) for layer in ("app", "device"))
        expect_true(0.9 * app < device < 1.1 * app, f"{device} bytes of {app}")
        subprocess.run(["mkfs.ext4", "-q", disk], check=True)
        os.mkdir(at)
        kernel.mount("ext4", at, disk)
        found = scaled(at)
        expect_eq(found["stacked_disk"], None)
        expect_true(any(f"is on the stacked disk {name}, " in note for note in found["notes"]), found["notes"])


@test(seconds=300)
def without_root_only_the_app_layer_is_measured():
    needs_another_user()
    os.chmod(scratch_dir(), 0o777)
    os.chmod(os.path.dirname(scratch_dir()), 0o755)
    status, found, err = evaluate(*SMALL, user=NOBODY)
    expect_eq(status, 0, f"status: {err}")
    expect_eq(err.count("only the app layer is measured"), 1, err)
    expect_whole(found)
    for point in found["points"]:
        expect_ge(point["layers"]["app"]["accesses"], 1, "accesses")
        expect_eq((point["layers"]["vfs"], point["layers"]["device"]), (None, None), "other layers")


@test()
def targets_without_room():
    path = os.path.join(scratch_dir(), "file")
    with open(path, "wb") as f:
        f.truncate(30 << 20)
    for target, options, text in ((path, ("--unique-bytes=64M", "--destroy"), "has only 30.0 MiB, but 64.0 MiB are needed; use --unique-bytes 30M or less"),
                                  (scratch_dir(), ("--unique-bytes=1000000T",), "is too much; use --unique-bytes ")):
        done = subprocess.run([IOSPAN, "bench", "scale", target, *options],
                              capture_output=True, text=True, check=False)
        expect_eq((done.returncode, done.stdout), (1, ""), text)
        expect_true(text in done.stderr, done.stderr)


@test()
def wrong_usage():
    name = os.path.join(scratch_dir(), "file")
    for text, *options in (("give one target",), ("give one target", "/tmp", "--resume=x"),
                           ("unknown focal point", "/tmp", "--focal=80"),
                           ("--budget is", "/tmp", "--budget=1ms"),
                           ("'--feedback' has no effect with '--focal 75'", "/tmp", "--focal=75",
                            "--feedback=0.5"),
                           ("'--feedback' has no effect with '--budget 0'", "/tmp", "--budget=0",
                            "--feedback=0.5"),
                           ("'--seed' has no effect with '--resume'", "--resume=x", "--seed=7"),
                           ("'--direct' has no effect with '--resume'", "--resume=x", "--direct"),
                           ("'--signature' has no effect without '--destroy'", "/tmp",
                            "--signature=ext4"),
                           ("--memory-limit is", "/tmp", "--memory-limit", "1M")):
        done = subprocess.run([IOSPAN, "bench", "scale", *options], capture_output=True,
                              text=True, check=False)
        expect_eq((done.returncode, done.stdout), (2, ""), text)
        expect_true(text in done.stderr, done.stderr)
    for content in '{"command": "bench scale"}', '{"command": ', "[]":
        kernel.write(content, name)
        done = subprocess.run([IOSPAN, "bench", "scale", "--resume", name],
                              capture_output=True, text=True, check=False)
        expect_eq(done.returncode, 1, content)
        expect_true(name in done.stderr, done.stderr)


@test()
def only_regular_files_are_replaced():
    """-o must replace only a regular file, and must refuse all other objects. It must also accept a
    symbolic link to a regular file; resumes_after_a_budget_and_a_signal() tests that."""
    fifo, link, file, folder = (os.path.join(scratch_dir(), n)
                                for n in ("fifo", "link", "file", "folder"))
    os.mkfifo(fifo)
    os.symlink(fifo, link)
    os.mkdir(folder)
    run = [IOSPAN, "bench", "scale", scratch_dir(), "--unique-bytes", "16M", "--budget", "0", "-o"]
    for name in fifo, link, folder, os.path.join(folder, "none", "x"):
        done = subprocess.run([*run, name], capture_output=True, text=True, check=False)
        expect_eq((done.returncode, done.stdout), (1, ""), name)
        expect_true(f"cannot write '{name}'" in done.stderr, done.stderr)
    expect_true(stat.S_ISFIFO(os.lstat(fifo).st_mode), "the fifo is still a fifo")
    expect_true(os.path.islink(link), "the link is still a link")
    expect_eq(sorted(os.listdir(scratch_dir())), ["fifo", "folder", "link"], "files")
    kernel.write("data", file)
    done = subprocess.run([IOSPAN, "bench", "scale", file, "--destroy", "-o", file],
                          capture_output=True, text=True, check=False)
    expect_eq(done.returncode, 1, "status with the target as output")
    expect_true(f"cannot write '{file}': it is the input" in done.stderr, done.stderr)
    expect_eq(kernel.read(file), "data", "content of the target")


main()
