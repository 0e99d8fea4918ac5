#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests iospan neighbours, which runs a command many times. It correlates the command's I/O time
with the I/O of other cgroups (neighbours) on the same disk.

Here, the neighbours are two fio processes, each in its own cgroup. Before each run, the test
switches each of them on or off. In each group of four runs, all four combinations occur in random
order, so the two loads are independent. One neighbour is harmful, the other one is innocent. A real
delay by the harmful one would depend on the machine. So a timer makes the command itself read
longer while the harmful neighbour is on. T is the time with I/O in flight.
tests/unit/correlate/joint.c tests which fraction the cgroups explain together."""
import itertools
import json
import math
import os
import random
import select
import signal
import statistics
import subprocess
import time
from contextlib import contextmanager

from lib import kernel, scales
from lib.forms import Page, expect_page_is_in_text
from lib.ktap import *
from lib.ktap import EMULATED
from lib.measure import needs_run

SIZE = 16 << 30  # size of the disk in bytes; one run reads less
MEASURES = ("pearson", "spearman", "distance_correlation", "mutual_information")
RUNS, UNLIKELY = 48, 0.05
# The rank correlation of N independent pairs has a standard deviation of about 1 / sqrt(N - 1). The
# probability that the correlation exceeds 4.9 standard deviations is below 1e-6.
SIGMAS = 4.9
# In seconds: the time for which a run reads, the time added while the harmful neighbour is on, and
# the shortest duration of a run.
READS_S, READS_MORE_S, RUN_S = 0.02, 0.15, 0.45
# The neighbours pause between requests. They have no fixed rate, because after SIGSTOP, fio with a
# rate would issue all requests that it missed.
HARM = (("--bs=4k", "--iodepth=4", "--thinktime=10ms", "--thinktime_blocks=4") if EMULATED else
        ("--bs=64k", "--iodepth=4", "--thinktime=2ms", "--thinktime_blocks=4"))
INNOCENT = ("--bs=4k", "--thinktime=25ms")


class Neighbour:
    """fio in its own cgroup. After its first request, it is stopped by SIGSTOP until it is switched
    on."""

    def __init__(self, name, disk, options):
        version2 = [g for g in kernel.own_groups() if g.startswith(kernel.mounted("cgroup2"))]
        self.groups = kernel.make_groups(version2, f"iospan-test-{os.getpid()}-{name}")
        self.path = self.groups[0][len(kernel.mounted("cgroup2")):]
        self.fio = subprocess.Popen(
            ["fio", "--name=n", "--filename=" + disk, "--size=64m", "--direct=1", "--thread",
             "--ioengine=libaio", "--rw=randread", "--time_based", "--runtime=600", *options],
            stdout=subprocess.DEVNULL, preexec_fn=lambda: kernel.enter_groups(self.groups))
        while kernel.read(f"/proc/{self.fio.pid}/io").count("read_bytes: 0\n"):
            assert_eq(self.fio.poll(), None, "status of fio")
            time.sleep(0.05)
        self.switch(False)

    def switch(self, on):
        self.fio.send_signal(signal.SIGCONT if on else signal.SIGSTOP)

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


def started(*words, out=subprocess.PIPE):
    return subprocess.Popen([IOSPAN, "neighbours", "--attribution=task", *words], stdout=out,
                            stderr=subprocess.PIPE, text=True)


def combinations(rng):
    runs = []
    while len(runs) < RUNS:
        four = list(itertools.product((False, True), repeat=2))
        rng.shuffle(four)
        runs += four
    return runs


class Gate:
    """Makes each run of the command wait until the neighbours are switched on or off for it."""

    def __init__(self):
        self.ready, self.go = (os.path.join(scratch_dir(), name) for name in ("ready", "go"))
        os.mkfifo(self.ready)
        os.mkfifo(self.go)
        self.waiting = os.open(self.ready, os.O_RDWR | os.O_NONBLOCK)

    def command(self, disk):
        script = (f'echo >"$0"; read -r seconds <"$1"; sleep {RUN_S} & '
                  'for _ in 1 2 3; do timeout "$seconds" dd if="$2" of=/dev/null bs=1M '
                  'iflag=direct status=none & done; wait')
        return ["sh", "-c", script, self.ready, self.go, disk]

    def serve(self, child, next_seconds):
        while child.poll() is None:
            if select.select([self.waiting], [], [], 0.05)[0] and os.read(self.waiting, 1):
                with open(self.go, "w", encoding="ascii") as f:
                    f.write(f"{next_seconds():.2f}\n")

    def remove(self):
        os.close(self.waiting)
        os.unlink(self.ready)
        os.unlink(self.go)


def disturbed(disk, pair, rng):
    """Runs iospan neighbours and returns its JSON document. @pair: the harmful neighbour, which
    makes the runs read longer, and the innocent one. If one of them is None, it is never switched
    on."""
    gate, plan = Gate(), iter(combinations(rng))

    def next_seconds():
        states = next(plan)
        for neighbour, on in zip(pair, states):
            if neighbour:
                neighbour.switch(on)
        return READS_S + READS_MORE_S * states[0]

    with open(os.path.join(scratch_dir(), "runs.json"), "w+", encoding="utf-8") as f:
        child = started("--json", f"--count={RUNS}", "--permutations", "1999", "--granularity", "1",
                        "--form=span", "--", *gate.command(disk), out=f)
        gate.serve(child, next_seconds)
        _, err = child.communicate()
        assert_eq((child.returncode, err), (0, ""), "status, stderr")
        f.seek(0)
        doc = json.load(f)
    gate.remove()
    expect_eq(scales.seal(doc)["hash"], doc["hash"])
    expect_eq([n for n in of_span(doc) if f"/iospan-{child.pid}-" in n or n.startswith("/ ")], [],
              "columns of the command's own cgroup and of those above it")
    return doc


def of_span(doc):
    return {a["column"]: a for a in doc["correlation"]["associations"] if a["io_time"] == "span"}


def expect_innocent(doc, neighbour):
    """Checks that the neighbour's load correlates with T no more than random numbers would."""
    found = of_span(doc).get(f"{neighbour.path} bytes")
    if not found:
        return
    value, p = found["spearman"]["value"], found["spearman"]["p"]
    diagnostic(f"the innocent neighbour: rank correlation {value:.3f}, p {p:.3f}")
    expect_le(abs(value), SIGMAS / math.sqrt(RUNS - 1), "rank correlation of the innocent")


def expect_by_definition(doc):
    """Recomputes the measures of correlation from the numbers of the runs, and compares them with
    the reported ones."""
    runs, found = doc["runs"], of_span(doc)
    for name, a in found.items():
        rates = [r["amounts"][name] * 1e9 / (r["end_ns"] - r["start_ns"]) for r in runs]
        if a["pearson"]["value"] is not None:
            expect_near(a["pearson"]["value"],
                        statistics.correlation(rates, [r["span_ns"] for r in runs]), 1e-4, name)
    for run in runs:
        expect_le(run["span_ns"], run["end_ns"] - run["start_ns"], "T of a run")
        expect_le(run["run_ns"], run["end_ns"] - run["start_ns"], "time of a run")
        expect_ge(run["amounts"]["(all others) bytes"] * 1.000001,
                  max(v for k, v in run["amounts"].items() if k.endswith(" bytes")), "all others")


def expect_joint_model(doc):
    """The model of all cgroups together must use all runs of the command, and all cgroups in the
    table of correlations."""
    together = doc["joint_model"]
    expect_eq((together["io_time"], together["job_count"]), ("span", len(doc["runs"])), "joint model")
    expect_eq({f"{part['name']} bytes" for part in together["cgroups"]},
              {name for name in of_span(doc) if name.startswith("/") and name.endswith("bytes")})


def write_jobs(doc):
    path = os.path.join(scratch_dir(), "jobs.csv")
    with open(path, "w", encoding="utf-8") as f:
        f.write("job,t_start_s,t_end_s,span_s\n")
        for i, run in enumerate(doc["runs"]):
            f.write(f"{i},{run['start_ns'] / 1e9!r},{run['end_ns'] / 1e9!r},{run['span_ns'] / 1e9!r}\n")
    return path


@contextmanager
def recorded(path):
    """Writes the output of iospan stat to the file @path during the with block."""
    with open(path, "w", encoding="utf-8") as f:
        stat = subprocess.Popen([IOSPAN, "stat", "--by=cgroup", "--attribution=task", "--json", "100ms"],
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
    # The kernel may have skipped runs of the BPF programs of iospan stat. iospan correlate then
    # warns of the losses, which is no error.
    others = [line for line in run.stderr.splitlines() if "states losses in" not in line]
    assert_eq((run.returncode, others), (0, []), "status, stderr")
    doc = json.loads(run.stdout)["correlation"]
    return [next(a for a in row["associations"] if a["column"] == column)
            for row in doc["granularity"]]


@contextmanager
def one_disk():
    if EMULATED:
        yield os.environ["IOSPAN_HDD"]
        return
    with kernel.loop_disk(SIZE) as disk:
        yield disk


def seeded():
    seed = int.from_bytes(os.urandom(4))
    diagnostic(f"seed {seed}")
    return random.Random(seed)


def needs_all(fio=True):
    needs(root(), "needs root")
    needs(kernel.mounted("cgroup2"), "needs cgroup version 2")
    needs_run("fio" if fio else "true")


# The test takes 2 minutes in a VM, and 8 if the host is busy.
@test(seconds=1200, long=True)
def the_neighbour_is_named():
    """Each measure of correlation must rank the harmful neighbour first, and find no correlation
    with the innocent one. With longer intervals of the log, the correlation must be lower."""
    needs_all()
    system = os.path.join(scratch_dir(), "stat.json")
    with one_disk() as disk, recorded(system), \
         neighbours(disk, harm=HARM, innocent=INNOCENT) as both:
        doc = disturbed(disk, both, seeded())
    harm = f"{both[0].path} bytes"
    expect_by_definition(doc)
    expect_joint_model(doc)
    found, rankings = of_span(doc), doc["rankings"]
    least = max(found[harm][m]["p_holm"] for m in MEASURES)
    grains = by_grain(write_jobs(doc), system, harm)
    values = [a["pearson"]["value"] for a in grains]
    fine, coarse = statistics.mean(values[:2]), statistics.mean(values[15:])
    diagnostic(f"the neighbour: explains {found[harm]['pearson']['value'] ** 2:.3f}, p {least:.3f};"
               " by granularity " + " ".join(f"{v:.2f}" for v in values))
    expect_eq([rankings[m][0].rsplit(" ", 1)[0] for m in MEASURES], [both[0].path] * len(MEASURES),
              "first by each measure")
    expect_le(least, UNLIKELY, "p of the neighbour")
    expect_true(doc["conclusion"].startswith(f"the I/O time 'span' correlates most with {both[0].path} "),
                doc["conclusion"])
    expect_innocent(doc, both[1])
    expect_ge(fine, coarse + 0.3, "correlation in short intervals, against long ones")


@test(seconds=300, long=True)
def a_silent_neighbour_is_not_named():
    needs(not EMULATED, "shown outside of the VMs")
    needs_all()
    with one_disk() as disk, \
         neighbours(disk, harm=HARM, innocent=INNOCENT) as (silent, innocent):
        doc = disturbed(disk, (None, innocent), seeded())
    expect_innocent(doc, innocent)
    # The silent neighbour did I/O only before the first run, so no run may have I/O of it.
    expect_true(not any(r["amounts"].get(f"{silent.path} bytes", 0) for r in doc["runs"]),
                "no I/O of the silent neighbour")


def count_lines(path):
    try:
        with open(path, encoding="utf-8") as f:
            return len(f.readlines())
    except FileNotFoundError:
        return 0


def interrupted(after, most=10000):
    """Runs iospan neighbours with a command that does not access the disk, and sends SIGTERM after
    @after runs. Only the first @most runs end by themselves. Returns (status, stdout, stderr)."""
    path = os.path.join(scratch_dir(), f"count{after}")
    child = started("--json", "--count=10000", "--granularity", "1", "--", "sh", "-c",
                    f"echo >>{path}; echo x; test $(wc -l <{path}) -le {most} || exec sleep 1000")
    while count_lines(path) < after and child.poll() is None:
        time.sleep(0.01)
    child.terminate()
    out, err = child.communicate()
    return child.returncode, out, err


@test()
def a_signal_ends_it_with_the_runs_so_far():
    needs(not EMULATED, "shown outside of the VMs")
    needs_all(fio=False)
    status, out, err = interrupted(13)
    expect_eq(status, 0, err)
    doc = json.loads(out)
    expect_eq(doc["interrupted"], True)
    expect_ge(len(doc["runs"]), 10)
    expect_true("x\n" in err, "the command's output is on stderr")
    status, out, err = interrupted(1, most=1)
    expect_eq((status, out), (1, ""), err)
    expect_true("at least 10 are needed" in err, err)


@test()
def the_page_has_the_numbers_of_the_text():
    needs(not EMULATED, "shown outside of the VMs")
    needs_all(fio=False)
    page = os.path.join(scratch_dir(), "page.html")
    child = started("--count=10", "--html", page, "--", "sh", "-c", "sleep 0.01")
    text, err = child.communicate()
    assert_eq(child.returncode, 0, err)
    with open(page, encoding="utf-8") as f:
        expect_page_is_in_text(Page(f.read()), text)


# By default, iospan neighbours examines the elapsed time of the command. With --form=span, it
# examines T. If the command makes no disk accesses, T is 0, and iospan examines the elapsed time
# instead. The command "true" makes disk accesses only if its file is not in the page cache.
@test()
def the_elapsed_time_is_examined():
    needs(not EMULATED, "shown outside of the VMs")
    needs_all(fio=False)
    with kernel.loop_disk(1 << 20) as disk:
        reads = ["dd", f"if={disk}", "of=/dev/null", "bs=4k", "count=1", "iflag=direct", "status=none"]
        for options, command in ([], reads), (["--form=span"], reads), (["--form=span"], ["true"]):
            child = started("--json", "--count=10", "--granularity=1", "--permutations=0", *options, "--", *command)
            out, err = child.communicate()
            assert_eq(child.returncode, 0, err)
            idle = "the command had no disk accesses" in err
            expect_true(not idle or command == ["true"], err)
            expect_eq({a["io_time"] for a in json.loads(out)["correlation"]["associations"] if a["is_examined"]},
                      {"run" if idle or not options else "span"}, f"{options} {command}")


@test()
def runs_that_fail():
    needs(not EMULATED, "shown outside of the VMs")
    needs_all(fio=False)
    for command, said in ((["false"], "the first run of 'false' failed with status 1"),
                          (["/nowhere/x"], "cannot run '/nowhere/x': ")):
        child = started("--", *command)
        out, err = child.communicate()
        expect_eq((child.returncode, out), (1, ""), err)
        expect_true(said in err, err)
    path = os.path.join(scratch_dir(), "count")
    child = started("--json", "--count=20", "--granularity", "1", "--", "sh", "-c",
                 f"echo >>{path}; test $(($(wc -l <{path}) % 5)) != 0")
    out, err = child.communicate()
    assert_eq(child.returncode, 0, err)
    found = json.loads(out)
    expect_eq((len(found["runs"]), found["failed_run_count"]), (16, 4))


@test()
def wrong_usage():
    needs(not EMULATED, "shown outside of the VMs")
    for args, said in (([], "no command given"), (["true"], "'--' is missing"),
                       (["--jobs", "x", "--", "true"], "unknown option '--jobs'"),
                       (["--count", "9", "--", "true"], "--count is from 10"),
                       (["--form=io", "--", "true"], "unknown I/O time 'io'; one of run, span"),
                       (["--attribution", "x", "--", "true"], "unknown attribution 'x'")):
        run = subprocess.run([IOSPAN, "neighbours", *args], capture_output=True, text=True,
                             check=False)
        expect_eq((run.returncode, run.stdout), (2, ""), said)
        expect_true(said in run.stderr, run.stderr)


main()
