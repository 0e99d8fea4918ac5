#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""iospan correlate --live, with real neighbours on a real disk: if these fail, the wrong cgroup is
named, or one that did nothing.

On this machine the disk is a loop device over memory. Of version 2 alone, all groups are one to it:
a single thread serves it, one request after the other. So whoever has many in flight makes all
others wait, whatever else this machine does. In a VM it is an HDD that serves so many a second. Other
groups are columns, too; that chance alone puts one of them first is why a test may try again."""
import json
import os
import random
import signal
import statistics
import subprocess
import time
from contextlib import contextmanager

from lib import kernel, scales
from lib.ktap import *
from lib.ktap import EMULATED
from lib.measure import needs_run

SIZE = 64 << 20
MEASURES = ("pearson", "spearman", "distance_correlation", "mutual_information")
UNLIKELY, TRIES, PATIENCE_S = 0.05, 3, 60
HARM = ("--bs=4k" if EMULATED else "--bs=512k", "--iodepth=32")
INNOCENT = ("--bs=4k", "--rate_iops=40")


class Neighbour:
    """fio in a group of its own, which begins stopped."""

    def __init__(self, name, disk, options):
        version2 = [g for g in kernel.own_groups() if g.startswith(kernel.mounted("cgroup2"))]
        self.groups = kernel.make_groups(version2, f"iospan-test-{os.getpid()}-{name}")
        self.path = self.groups[0][len(kernel.mounted("cgroup2")):]
        self.fio = subprocess.Popen(
            ["fio", "--name=n", "--filename=" + disk, f"--size={SIZE}", "--direct=1", "--thread",
             "--ioengine=libaio", "--rw=randread", "--time_based", "--runtime=600", *options],
            stdout=subprocess.DEVNULL, preexec_fn=lambda: kernel.enter_groups(self.groups))
        self.go(False)
        self.on, self.until = False, 0

    def go(self, on):
        self.fio.send_signal(signal.SIGCONT if on else signal.SIGSTOP)

    def change(self, rng):
        """On for some time, then off for some."""
        if time.monotonic() > self.until:
            self.until = time.monotonic() + rng.uniform(0.3, 0.8)
            self.on = not self.on
            self.go(self.on)

    def end(self):
        self.fio.kill()
        self.fio.wait()
        kernel.remove_groups(self.groups)


@contextmanager
def neighbours(disk, **options):
    made = []
    try:
        for name, how in options.items():
            made.append(Neighbour(name, disk, how))
        yield made
    finally:
        for one in made:
            one.end()


def live(*words, out=subprocess.PIPE):
    return subprocess.Popen([IOSPAN, "correlate", "--live", "--attribution=task", *words],
                            stdout=out, stderr=subprocess.PIPE, text=True)


def disturbed(disk, changing, rng):
    """Runs that wait behind whoever reads; the pause makes them few to each of its moods."""
    with open(os.path.join(scratch_dir(), "live.json"), "w+", encoding="utf-8") as f:
        child = live("--json", "--count=30", "--pause=200ms", "--granularity", "1", "--", "dd", "if=" + disk,
                     "of=/dev/null", "bs=4k", "count=40", "iflag=direct", "status=none", out=f)
        while child.poll() is None:
            for one in changing:
                one.change(rng)
            time.sleep(0.02)
        _, err = child.communicate()
        assert_eq((child.returncode, err), (0, ""), "status, stderr")
        f.seek(0)
        doc = json.load(f)
    expect_eq(scales.seal(doc)["hash"], doc["hash"])
    expect_eq([n for n in of_span(doc) if f"/iospan-{child.pid}-" in n or n.startswith("/ ")], [],
              "the command's own group, and those above")
    return doc


def of_span(doc):
    return {a["system"]: a for a in doc["correlation"]["associations"] if a["io_time"] == "span"}


def tried(attempt):
    """Once more when a machine that does other things, too, or chance was in the way."""
    begin = time.monotonic()
    for _ in range(TRIES - 1):
        found = attempt()
        if found or time.monotonic() - begin > PATIENCE_S:
            return found
    return attempt()


def holm(values):
    """Of many p the least first, by its definition."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    corrected = {i: min(1, max((len(values) - k) * values[j]
                               for k, j in enumerate(order[:place + 1])))
                 for place, i in enumerate(order)}
    return [corrected[i] for i in range(len(values))]


def expect_by_definition(doc):
    """What is said of the runs is what their own numbers say."""
    runs, found = doc["live"]["runs"], of_span(doc)
    for name, a in found.items():
        rates = [r["amounts"][name] / (r["end_s"] - r["begin_s"]) for r in runs]
        if a["pearson"]["value"] is not None:
            expect_near(a["pearson"]["value"],
                        statistics.correlation(rates, [r["span_s"] for r in runs]), 1e-4, name)
    for measure in MEASURES:
        known = [a[measure] for a in found.values() if a[measure]["p"] is not None]
        for a, p in zip(known, holm([a["p"] for a in known])):
            expect_near(a["p_holm"], p, 1e-9, measure)
    for run in runs:
        expect_le(run["span_s"], run["end_s"] - run["begin_s"], "T of a run")
        expect_le(run["run_s"], run["end_s"] - run["begin_s"], "time of a run")
        expect_ge(run["amounts"]["(all others) bytes"] * 1.000001,
                  max(v for k, v in run["amounts"].items() if k.endswith(" bytes")), "all others")


def write_jobs(doc):
    path = os.path.join(scratch_dir(), "jobs.csv")
    with open(path, "w", encoding="utf-8") as f:
        f.write("job,t_start_s,t_end_s,span_s\n")
        for i, run in enumerate(doc["live"]["runs"]):
            f.write(f"{i},{run['begin_s']!r},{run['end_s']!r},{run['span_s']!r}\n")
    return path


@contextmanager
def recorded(path):
    """What iospan stat says meanwhile."""
    with open(path, "w", encoding="utf-8") as f:
        stat = subprocess.Popen([IOSPAN, "stat", "-c", "--attribution=task", "--json", "100ms"],
                                stdout=f)
    while not os.path.getsize(path) and stat.poll() is None:
        time.sleep(0.05)
    try:
        yield
    finally:
        time.sleep(0.3)
        stat.terminate()
        stat.wait()


def by_grain(jobs, system, column):
    run = subprocess.run([IOSPAN, "correlate", "--json", "--rates", "--permutations", "0", "--granularity", "20", "--jobs",
                          jobs, "--system", system], capture_output=True, text=True, check=False)
    assert_eq((run.returncode, run.stderr), (0, ""), "status, stderr")
    doc = json.loads(run.stdout)["correlation"]
    return [next(a for a in row["associations"] if a["system"] == column)
            for row in doc["granularity"]]


@contextmanager
def one_disk():
    if EMULATED:
        yield os.environ["IOSPAN_HDD"]
        return
    with kernel.loop_disk(SIZE) as disk:
        yield disk


def needs_all(fio=True):
    needs(root(), "needs root")
    needs(kernel.mounted("cgroup2"), "needs cgroup version 2")
    needs_run("fio" if fio else "true")


@test(seconds=400, long=True)
def the_neighbour_is_named():
    """Its group is first by each measure, the innocent one is not told from chance, and what is
    sampled more rarely says less."""
    needs_all()
    rng, system = random.Random(1), os.path.join(scratch_dir(), "stat.json")

    def attempt():
        with one_disk() as disk, recorded(system), \
             neighbours(disk, harm=HARM, innocent=INNOCENT) as both:
            doc = disturbed(disk, both, rng)
        harm, innocent = (f"{one.path} bytes" for one in both)
        expect_by_definition(doc)
        found, rankings = of_span(doc), doc["live"]["rankings"]
        firsts = [rankings[m][0].rsplit(" ", 1)[0] for m in MEASURES]
        least = max(found[harm][m]["p_holm"] for m in MEASURES)
        said = f"explains {found[harm]['pearson']['value'] ** 2:.3f}, p {least:.3f}"
        grains = by_grain(write_jobs(doc), system, harm)
        values = [a["pearson"]["value"] for a in grains]
        fine, coarse = statistics.mean(values[:2]), statistics.mean(values[15:])
        diagnostic(f"the neighbour: {said}; by granularity "
                   + " ".join(f"{v:.2f}" for v in values))
        return (firsts == [both[0].path] * len(MEASURES) and least < UNLIKELY and
                found.get(innocent, found[harm])["distance_correlation"]["p_holm"] >= UNLIKELY and
                fine > coarse + 0.3)

    expect_true(tried(attempt), "the neighbour is named, and coarser intervals hide it")


@test(seconds=300, long=True)
def two_by_turns():
    """Together they explain what neither does alone, and without one of them less."""
    needs(not EMULATED, "shown outside of the VMs")
    needs_all()
    rng = random.Random(3)

    def attempt():
        with one_disk() as disk, neighbours(disk, one=HARM, two=HARM) as both:
            doc = disturbed(disk, both, rng)
        found, together = of_span(doc), doc["live"]["together"]
        parts = {p["name"]: p["without"] for p in together["parts"]}
        expect_eq(together["io_time"], "span")
        expect_eq(together["jobs"], len(doc["live"]["runs"]))
        expect_eq({f"{name} bytes" for name in parts},
                  {name for name in found if name.startswith("/") and name.endswith("bytes")})
        alone = [found[f"{one.path} bytes"]["pearson"]["value"] ** 2 for one in both]
        without = [parts[one.path] for one in both]
        diagnostic(f"together {together['explained']:.3f}, p {together['p']:.4f}; alone "
                   + " ".join(f"{v:.3f}" for v in alone) + "; without the one, or the other "
                   + " ".join(f"{v:.3f}" for v in without))
        return (together["p"] < UNLIKELY and together["explained"] > max(alone) + 0.05 and
                together["explained"] > max(without) + 0.05)

    expect_true(tried(attempt), "together they explain more")


@test(seconds=300, long=True)
def nobody_is_named_when_it_is_silent():
    needs(not EMULATED, "shown outside of the VMs")
    needs_all()
    rng = random.Random(2)

    def attempt():
        with one_disk() as disk, \
             neighbours(disk, harm=HARM, innocent=INNOCENT) as (silent, innocent):
            doc = disturbed(disk, [innocent], rng)
        found = of_span(doc)
        mine = [found[n][m]["p_holm"] for n in found if n.startswith(innocent.path)
                for m in MEASURES if found[n][m]["p_holm"] is not None]
        diagnostic(f"the innocent one alone: least p {min(mine, default=1):.3f}")
        # what it did before it was stopped was before the first run
        return (not any(r["amounts"].get(f"{silent.path} bytes", 0)
                        for r in doc["live"]["runs"]) and
                min(mine, default=1) >= UNLIKELY)

    expect_true(tried(attempt), "nobody is named")


def count_lines(path):
    try:
        with open(path, encoding="utf-8") as f:
            return len(f.readlines())
    except FileNotFoundError:
        return 0


def interrupted(after):
    """One that is asked to end after so many runs, of a command that has no disk accesses."""
    path = os.path.join(scratch_dir(), f"count{after}")
    child = live("--json", "--count=10000", "--granularity", "1", "--", "sh", "-c", f"echo >>{path}; echo x")
    while count_lines(path) < after and child.poll() is None:
        time.sleep(0.01)
    child.terminate()
    out, err = child.communicate()
    return child.returncode, out, err


@test()
def what_is_there_is_shown():
    needs(not EMULATED, "shown outside of the VMs")
    needs_all(fio=False)
    status, out, err = interrupted(13)
    expect_eq(status, 0, err)
    doc = json.loads(out)
    expect_eq(doc["live"]["interrupted"], True)
    expect_ge(len(doc["live"]["runs"]), 10)
    expect_true("x\n" in err, "what the command prints is no result")
    status, out, err = interrupted(1)
    expect_eq((status, out), (1, ""), err)
    expect_true("at least 10 are needed" in err, err)


@test()
def runs_that_fail():
    needs(not EMULATED, "shown outside of the VMs")
    needs_all(fio=False)
    for command, said in ((["false"], "the first run of 'false' failed with status 1"),
                          (["/nowhere/x"], "cannot run '/nowhere/x': ")):
        child = live("--", *command)
        out, err = child.communicate()
        expect_eq((child.returncode, out), (1, ""), err)
        expect_true(said in err, err)
    path = os.path.join(scratch_dir(), "count")
    child = live("--json", "--count=20", "--granularity", "1", "--", "sh", "-c",
                 f"echo >>{path}; test $(($(wc -l <{path}) % 5)) != 0")
    out, err = child.communicate()
    assert_eq(child.returncode, 0, err)
    found = json.loads(out)["live"]
    expect_eq((len(found["runs"]), found["failed"]), (16, 4))


@test()
def wrong_usage():
    needs(not EMULATED, "shown outside of the VMs")
    for args, said in ((["--live"], "no command given"), (["--live", "true"], "'--' is missing"),
                       (["--live", "--jobs", "x", "--", "true"], "--jobs and --live exclude"),
                       (["--live", "--window", "whole", "--", "true"], "--window and --live exclude"),
                       (["--live", "--count", "9", "--", "true"], "--count is from 10"),
                       (["--live", "--attribution", "x", "--", "true"], "unknown attribution 'x'")):
        run = subprocess.run([IOSPAN, "correlate", *args], capture_output=True, text=True,
                             check=False)
        expect_eq((run.returncode, run.stdout), (2, ""), said)
        expect_true(said in run.stderr, run.stderr)


main()
