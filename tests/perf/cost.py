# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures the cost of tracers from outside, with clocks that are no part of the tracing.

reads: busy time of the whole machine for $READS (1000000) reads of a loop disk, from timed.py. The
busy time includes other programs, so the other load of the machine is printed as well.
calls: CPU time of calls of another process, pinned to the last CPU, from call-cost.c.
programs: elapsed time and CPU time of programs that `iospan run` measures.

The tools take turns in rounds ($ROUNDS, 9). The first tool changes from round to round. In each
round, one turn is bare: it has no tracer. A cost is the difference to the bare value of the same
round. The benchmark prints the median over the rounds and its confidence interval, by order
statistics. The numbers of all rounds are in $IOSPAN_BUILD/cost.json. Ctrl-C ends the benchmark; the
complete rounds are printed."""
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import namedtuple
from contextlib import contextmanager, nullcontext

from rounds import (BATCH, BUILD, DEPTH, IOSPAN, attached, fio, loop_disk, need, reads, started,
                    tool)

from lib import kernel
from timed import TICK_NS, machine_ns

ROUNDS = int(os.environ.get("ROUNDS", "9"))
READS = int(os.environ.get("READS", "1000000"))
CONFIDENCE = 0.95
SETTLE_S = 0.5
STATS = "/proc/sys/kernel/bpf_stats_enabled"
TIMED = os.path.join(os.path.dirname(os.path.realpath(__file__)), "timed.py")

DISK_HISTOGRAM = """
tracepoint:block:block_rq_issue { @start[args->dev, args->sector] = nsecs; }
tracepoint:block:block_rq_complete /@start[args->dev, args->sector]/ {
    @us = hist((nsecs - @start[args->dev, args->sector]) / 1000);
    delete(@start[args->dev, args->sector]);
}"""
CALL_HISTOGRAM = """
tracepoint:raw_syscalls:sys_enter { @start[tid] = nsecs; }
tracepoint:raw_syscalls:sys_exit /@start[tid]/ {
    @ns = hist(nsecs - @start[tid]);
    delete(@start[tid]);
}"""

# A tool is measured in one of two ways. .beside: command that runs at the same time as the load.
# .around: start of a command line that ends with the load.
Tool = namedtuple("Tool", "beside around", defaults=(None, []))
BARE, PEER = "bare", "biolatency"
IDLE = ["--", "sh", "-c", "echo; exec sleep 1h"]


def run(*options):
    return [IOSPAN, "run", "--output=/dev/null", *options]


def beside(*options):
    return Tool([IOSPAN, *options])


def biolatency():
    return Tool([tool("biolatency"), "3600", "1"])


def bpftrace(program):
    return Tool([tool("bpftrace"), "-e", program])


def disk_tools(folder):
    return {BARE: Tool(),
            PEER: biolatency(),
            "bpftrace, two block tracepoints": bpftrace(DISK_HISTOGRAM),
            "iospan stat --layers=device": beside("stat", "--layers=device", "1"),
            "iospan run --layers=device": Tool(None, [*run("--layers=device"), "--"]),
            "iospan run": Tool(None, [*run(), "--"]),
            "iospan record": Tool(None, [IOSPAN, "record", f"--output={folder}/trace", "--"])}


def call_tools():
    """Returns the tools. Those with "counted" in their name also count the I/O of the process that
    makes the calls."""
    both = "--layers=vfs,device"
    return {BARE: Tool(),
            PEER: biolatency(),
            "bpftrace, raw_syscalls": bpftrace(CALL_HISTOGRAM),
            "stat --layers=device": beside("stat", "--layers=device", "1"),
            "run --layers=device, idle": Tool([*run("--layers=device"), *IDLE]),
            "run, idle": Tool([*run(), *IDLE]),
            "stat, counted": beside("stat", both, "1"),
            "stat --by=cgroup, counted": beside("stat", "--by=cgroup", both, "1"),
            "exporter, counted": beside("exporter", "--listen=127.0.0.1:0", both)}


def program_tools():
    return {BARE: Tool(),
            "run --layers=device": Tool(None, [*run("--layers=device"), "--"]),
            "run": Tool(None, [*run(), "--"])}


@contextmanager
def active(argv):
    """Runs a tool. iospan is ready when its first line appears; the other tools are ready shortly
    after they have loaded two BPF programs."""
    if argv[0] == IOSPAN:
        with started(argv, stdout=subprocess.PIPE) as process:
            if not process.stdout.readline():
                sys.exit(f"bench: {' '.join(argv)} failed")
            yield
    else:
        with attached(2, *argv):
            time.sleep(SETTLE_S)
            yield


def output(one, argv):
    """Returns the JSON document that the command @argv prints while the tool is active."""
    with active(one.beside) if one.beside else nullcontext():
        with started([*one.around, *argv], stdout=subprocess.PIPE) as process:
            text = process.communicate()[0]
            if process.returncode:
                sys.exit(f"bench: {' '.join(process.args)} failed")
            return json.loads(text)


def in_turns(title, tools, measure, rounds):
    """Appends {name of a tool: result of measure()} to @rounds, ROUNDS times."""
    names = list(tools)
    for i in range(ROUNDS):
        first = i % len(names)
        values = {}
        for name in names[first:] + names[:first]:
            print(f"{title}, round {i + 1} of {ROUNDS}: {name}", file=sys.stderr, flush=True)
            values[name] = measure(tools[name])
        rounds.append(values)


def random_reads(disk, batch):
    def measure(one):
        before = reads(disk)
        busy_ns = output(one, [TIMED, *command])["busy_ns"]
        return busy_ns / (reads(disk) - before)

    command = fio(disk, batch, "--time_based=0", "--runtime=0", f"--io_size={READS * 4096}")
    return measure


def calls(one):
    return output(one, [f"{BUILD}/tests/perf/call-cost"])


def programs(folder, disk):
    """Returns {name: command line} of the programs for `iospan run`, and makes their files."""
    os.mkdir(f"{folder}/tree")
    for i in range(10_000):
        with open(f"{folder}/tree/{i}", "wb") as f:
            f.write(bytes(4096))
    with open(f"{folder}/sql", "w", encoding="ascii") as f:
        f.write("DROP TABLE IF EXISTS t; CREATE TABLE t (n, text);\n")
        f.writelines(f"INSERT INTO t VALUES ({i}, 'some text');\n" for i in range(3000))
    return {"dd bs=1": ["dd", "if=/dev/zero", f"of={folder}/bytes", "bs=1", "count=500000"],
            "100,000 writes of 3 bytes":
                ["perl", "-e", 'open F, ">", shift; syswrite F, "abc" for 1..100000',
                 f"{folder}/threes"],
            "tar, 10,000 files": ["tar", "-C", folder, "-cf", f"{folder}/tar", "tree"],
            "fio, psync":
                ["fio", "--name=bench", f"--filename={disk}", "--rw=randread", "--bs=4k",
                 "--direct=1", "--ioengine=psync", "--norandommap",
                 f"--io_size={READS // 20 * 4096}"],
            "sqlite3, 3,000 commits": ["sqlite3", f"{folder}/db", f".read {folder}/sql"]}


def interval(values):
    """Returns (median, low, high). low and high are the limits of the confidence interval of the
    median. confidence() returns its confidence."""
    values, k = sorted(values), rank(len(values))
    return statistics.median(values), values[k - 1], values[-k]


def confidence(n, k):
    return 1 - 2 * sum(math.comb(n, i) for i in range(k)) / 2 ** n


def rank(n):
    """Returns k. The k-th smallest and the k-th largest of @n values are the limits of the
    confidence interval of their median. k is the largest number with at least the confidence
    CONFIDENCE. If @n is too small for that, k is 1."""
    return max([k for k in range(1, n // 2 + 1) if confidence(n, k) >= CONFIDENCE], default=1)


def differences(rounds, name, value=lambda result: result):
    return [value(values[name]) - value(values[BARE]) for values in rounds]


def method(rounds):
    n = len(rounds)
    return f"median of {n} rounds [{confidence(n, rank(n)):.0%} interval]"


def cell(values, digits=0):
    mid, low, high = (f"{value:.{digits}f}" for value in interval(values))
    return f"{mid} [{low}, {high}]"


def show_reads(batch, rounds):
    print(f"CPU time of the machine per read, ns: 4 KiB, depth {DEPTH}, {batch} at a time, loop "
          f"device; {method(rounds)}")
    print(f"  {BARE:<34}{cell([values[BARE] for values in rounds]):>24}")
    print(f"  {'added by':<34}{'':24}{'/ ' + PEER:>24}")
    peer = differences(rounds, PEER)
    for name in rounds[0]:
        if name != BARE:
            added = differences(rounds, name)
            ratios = [a / b if b else math.nan for a, b in zip(added, peer)]
            print(f"  {name:<34}{cell(added):>24}{cell(ratios, 2):>24}")


def show_calls(rounds):
    names = list(rounds[0][BARE])
    print(f"CPU time of a call of another process, ns; {method(rounds)}")
    print(f"  {'':<28}" + "".join(f"{name:>21}" for name in names))
    bare = (cell([values[BARE][name] for values in rounds]) for name in names)
    print(f"  {BARE:<28}" + "".join(f"{one:>21}" for one in bare))
    print("  added by")
    for one in rounds[0]:
        if one != BARE:
            costs = (differences(rounds, one, lambda r, name=name: r[name]) for name in names)
            print(f"  {one:<28}" + "".join(f"{cell(cost):>21}" for cost in costs))


def show_programs(title, rounds):
    for name in rounds[0]:
        if name == BARE:
            continue
        ratios = (cell([r[name][clock] / r[BARE][clock] for r in rounds], 2)
                  for clock in ("wall_ns", "cpu_ns"))
        print(f"  {title:<28}{name:<22}" + "".join(f"{ratio:>22}" for ratio in ratios))


def show(results):
    """Prints the results, which may be incomplete, and writes them to a file."""
    print("Other load of the machine, CPUs:", *(f"{n:.2f}" for n in results["other_cpus"]))
    for batch, rounds in results["reads"].items():
        if rounds:
            show_reads(batch, rounds)
    if results["calls"]:
        show_calls(results["calls"])
    done = {name: rounds for name, rounds in results["programs"].items() if rounds}
    if done:
        print(f"Programs under iospan run / bare; {method(next(iter(done.values())))}")
        print(f"  {'':<50}{'elapsed time':>22}{'CPU time':>22}")
    for name, rounds in done.items():
        show_programs(name, rounds)
    with open(f"{BUILD}/cost.json", "w", encoding="ascii") as f:
        json.dump(results, f, indent=1)
    print(f"The numbers of all rounds are in {BUILD}/cost.json")


@contextmanager
def memory_folder():
    folder = tempfile.mkdtemp(dir="/dev/shm")
    with kernel.undone(lambda: kernel.soon_done(lambda: shutil.rmtree(folder))):
        yield folder


def other_cpus():
    """Returns the number of CPUs that other programs use, measured for a second."""
    start, busy = machine_ns()
    time.sleep(1)
    end, busy_end = machine_ns()
    return (busy_end - busy) / (end - start)


def measure_all(results):
    with memory_folder() as folder, loop_disk() as disk:
        for batch, rounds in results["reads"].items():
            results["other_cpus"].append(other_cpus())
            in_turns(f"reads, {batch} at a time", disk_tools(folder), random_reads(disk, batch),
                     rounds)
        in_turns("calls", call_tools(), calls, results["calls"])
        for name, argv in programs(folder, disk).items():
            in_turns(name, program_tools(), lambda one, argv=argv: output(one, [TIMED, *argv]),
                     results["programs"].setdefault(name, []))


def bench():
    need("fio", "biolatency", "bpftrace", "sqlite3", "perl")
    if kernel.read(STATS) != "0":
        sys.exit(f"bench: {STATS} adds to each cost; write 0 to it")
    results = {"kernel": os.uname().release, "cpus": os.cpu_count(), "tick_ns": TICK_NS,
               "confidence": CONFIDENCE, "other_cpus": [], "reads": {1: [], BATCH: []}, "calls": [],
               "programs": {}}
    try:
        measure_all(results)
    except KeyboardInterrupt:
        print("bench: interrupted, so the tables have only complete rounds", file=sys.stderr)
        show(results)
        sys.exit(130)
    show(results)
