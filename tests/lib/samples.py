# SPDX-License-Identifier: GPL-2.0-or-later
"""Yields command lines on small input, at least one for every command of iospan. They must run in
this order, in scratch_dir()."""
import os

from lib import accesses, scales
from lib.foreign import write
from lib.ktap import scratch_dir

DD = ("dd", "if=/dev/zero", "of=data", "bs=64k", "count=16", "oflag=direct", "status=none")
# This command exits with an error, because its budget of 1 s is too small for a result. If not even
# one measurement fits, it prints nothing.
FAILS = ("bench", "scale")
LOAD_LOG, BEFF_LOG = "load.log", "beff.log"


def path_of(name):
    return os.path.join(scratch_dir(), name)


def command_of(words):
    return " ".join(words[:2 if words[0] == "bench" else 1])


def measurements():
    yield "run", "-b", "cgroup", "-o", "/dev/stdout", "--", *DD
    yield "record", "-b", "cgroup", "-o", "recorded", "--", *DD
    yield "report", "--by", "device,cgroup,process,file", "--interval=1ms", "recorded"
    yield "report", "--by=cgroup", "--neighbours", "recorded"
    for by in "cgroup", "process":
        yield "stat", f"--by={by}", "-n", "2", "100ms"
    yield "characterize", "--live", "--", *DD
    yield "neighbours", "-n", "10", "--granularity=1", "--", *DD


def analyses():
    trace = accesses.write("made", accesses.random_trace(7, 500))
    jobs = write("jobs.csv", "job,t_start_s,t_end_s,span_s,read_bytes,write_bytes\n" + "".join(
        f"j{i},{i},{i + 1},{0.1 + i % 3 / 10},{3 + i % 2},1\n" for i in range(20)))
    system = write("system.csv", "t_end_s,x,read_bytes,write_bytes\n" + "".join(
        f"{i + 1},{i % 4},9,9\n" for i in range(20)))
    counters = write("counters.csv", "time_s,server,read_bytes,reads,write_bytes,writes\n" + "".join(
        f"{i + 1},a,{i * 9},{i},{i * 5},{i}\n" for i in range(20)))
    on_servers = write("on.csv", "job,start_s,end_s,servers\nj,2,9,a\n")
    yield "characterize", trace
    yield "characterize", "--jobs", on_servers, counters
    yield "correlate", "--permutations=9", "--jobs", jobs, "--system", system
    focal = {"unique_bytes": 128 << 20, "size_bytes": 65536, "read_fraction": 0.5,
             "sequential_fraction": 0.5, "process_count": 4}
    results = [scales.write(path_of(name), scales.result(
        scales.product(rate, {"size_bytes": 0.4}, {}), [(4 << 20, focal, 4096 << 20)]))
        for name, rate in (("a.json", 100e6), ("b.json", 50e6))]
    yield "predict", results[0]
    yield "compare", "--random=20", "--force", *results
    yield "version", "-v"


def benchmarks():
    commands = write("commands", "true\nsleep 0.01\n")
    yield ("bench", "load", "--unique-bytes=1M", "--engine=psync", "--buffered", "--verify", "-t",
           "300ms", "--warm-up=0", "--interval=100ms", "--log", LOAD_LOG, ".")
    yield ("bench", "beff", "--partitions=2", "-t", "1", "--memory=1M", "--log", BEFF_LOG, ".")
    job = [accesses.Access(1, i % 2, i * 1000, i * 1000 + 500, 4096, process="dd=12",
                           file="/srv/x=1", offset=i * 4096) for i in range(1, 9)]
    target = write("target", "x" * (64 << 10))
    yield "bench", "replay", accesses.write("job", job), target, "--destroy"
    yield "bench", "scale", "--budget=1s", "."
    yield "bench", "sets", "-n", "2", "--exec", commands
