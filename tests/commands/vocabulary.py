#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the names in the outputs of all commands. If these tests fail, a key has no unit, has two
types, or uses a word that has a plain counterpart."""
import json
import os
import re
import subprocess
from collections import defaultdict

from lib import accesses, scales
from lib.foreign import write
from lib.ktap import *
from lib.measure import features, needs_run
from lib.openmetrics import Exporter

# Words that a key must not contain. Each has a plain counterpart: given, requeued, start, after,
# fraction, interval.
BANNED = {"told", "claimed", "said", "share", "shares", "begin", "begun", "behind", "whose", "arpt",
          "response", "round", "rounds", "place", "places", "turn", "turns", "gone", "kb", "usec",
          "msec", "s"}
# The end of a number's key, which gives its unit.
UNITS = ("_ns", "_seconds", "_bytes", "_blocks", "_fraction", "_percent", "_per_second", "_iops", "_bps",
         "_count", "_intervals", "_requests", "_accesses")
# Keys of numbers that have no unit: counts, identities, ratios and coefficients.
PLAIN = set("""a_faster a_faster_significant accesses_read amount at_least at_most autocorrelation b_faster
    b_faster_significant bad_chunks batch batches by_chance cc chunks closes concurrency concurrency_max
    confidence corrupt counter_resets creates depth deviation device_per_app device_per_vfs differences
    distinct_sizes dominating_changes dominating_correlation drift enough errors exit_status files
    files_local files_shared from fua gaps hardware_queues high id imbalance in_flight inode
    intervals_per_job inverse_time_cc io_poll iostats jobs_left_out jobs_outside level lost low max mean
    mean_amount memory min misdirected noise_fast noise_slow nomerges numa_node opens operations p p50 p80 p_holm
    pearson period_correlation permutations pid predicted_ratio_median probes queue_depth queued
    ratio_max ratio_median ratio_min ratio_p25 ratio_p75 read_only reads region_number
    repeated_ratio_median repetitions rho rotational rq_affinity same_file_files sample samples_missing
    seed servers servers_unknown spearman_cc to torn units unreadable value vfs_per_app
    workloads_without_band writes wrong_chunks zipf""".split())
# Keys of objects that have names of other things as their keys, such as operations or parameters.
MAPS = {"access_methods", "amounts", "axes", "backends", "changes", "conditions", "correlations", "curves",
        "filter", "focal_band", "good_ranges", "io_times", "kernel_config", "layers", "lengths", "losses",
        "metrics", "missed_runs", "operations", "predicted", "rankings", "ratio", "sizes", "common_sizes",
        "strides", "sources", "thirds", "vulnerabilities"}
# The keys of the two results that iospan compare compares, and of the values of a condition for
# each.
SIDES = {"a", "b"}
# Keys with the values of a criterion. The unit of these is in the member "key" of the same object.
DIRECTIONS = {"read", "write", "both"}


def iospan(*words, status=0):
    done = subprocess.run([IOSPAN, *map(str, words)], capture_output=True, text=True, check=False,
                          cwd=scratch_dir(), stdin=subprocess.DEVNULL)
    assert_eq(done.returncode, status, f"{words}: {done.stderr}")
    return done.stdout


def path_of(name):
    return os.path.join(scratch_dir(), name)


# ---- documents ----

def measurements():
    """Yields the documents of commands that trace the kernel."""
    dd = ("dd", "if=/dev/zero", f"of={path_of('data')}", "bs=64k", "count=16", "oflag=direct", "status=none")
    trace = path_of("recorded")
    yield iospan("run", "--json", "-b", "cgroup", "-o", "/dev/stdout", "--", *dd)
    yield iospan("record", "--json", "-o", trace, "--", *dd)
    yield iospan("report", "--json", "--by", "device,cgroup,process,file", "--interval=1ms", trace)
    yield iospan("export", "--format=jsonl", trace).splitlines()[0]
    for by in "cgroup", "process":
        yield from iospan("stat", "--json", f"--by={by}", "-n", "2", "100ms").splitlines()
    yield iospan("characterize", "--json", "--live", "--", *dd)


def analyses():
    trace = accesses.write("made", accesses.random_trace(7, 500))
    jobs = write("jobs.csv", "job,t_start_s,t_end_s,span_s\n" + "".join(
        f"j{i},{i},{i + 1},{0.1 + i % 3 / 10}\n" for i in range(20)))
    system = write("system.csv", "t_end_s,x\n" + "".join(f"{i + 1},{i % 4}\n" for i in range(20)))
    counters = write("counters.csv", "time_s,server,read_bytes,reads,write_bytes,writes\n" + "".join(
        f"{i + 1},a,{i * 9},{i},{i * 5},{i}\n" for i in range(20)))
    on_servers = write("on.csv", "job,start_s,end_s,servers\nj,2,9,a\n")
    yield iospan("characterize", "--json", trace)
    yield iospan("characterize", "--json", "--jobs", on_servers, counters)
    yield iospan("correlate", "--json", "--permutations=9", "--jobs", jobs, "--system", system)
    focal = {"unique_bytes": 128 << 20, "size_bytes": 65536, "read_fraction": 0.5,
             "sequential_fraction": 0.5, "process_count": 4}
    results = [scales.write(path_of(name), scales.result(
        scales.product(rate, {"size_bytes": 0.4}, {}), [(4 << 20, focal, 4096 << 20)]))
        for name, rate in (("a.json", 100e6), ("b.json", 50e6))]
    yield iospan("predict", "--json", results[0])
    yield iospan("compare", "--json", "--random=20", "--force", *results)
    yield iospan("version", "-v", "--json")


def benchmarks():
    log, commands = path_of("log"), write("commands", "true\nsleep 0.01\n")
    yield iospan("bench", "load", "--json", "--unique-bytes=1M", "--engine=psync", "--buffered", "--verify",
                 "-t", "300ms", "--warm-up=0", "--interval=100ms", "--log", log, ".")
    with open(log, encoding="utf-8") as f:
        yield f.readline()
    yield iospan("bench", "beff", "--json", "--partitions=2", "-t", "1", "--memory=1M", ".")
    # the budget is too small for a result
    yield iospan("bench", "scale", "--json", "--budget=1s", ".", status=1)
    yield iospan("bench", "sets", "--json", "-n", "2", "--exec", commands)


# ---- rules ----

def kind_of(value):
    return ("boolean" if isinstance(value, bool) else "number" if isinstance(value, (int, float)) else
            {str: "text", list: "array", dict: "object"}[type(value)])


class Names:
    """Collects the keys of documents, and finds their faults."""

    def __init__(self):
        self.kinds, self.faults = defaultdict(dict), set()

    def check_words(self, name):
        for word in set(re.split("[_:]", name)) & BANNED:
            self.faults.add(f"'{name}' has the word '{word}'")

    def check_unit(self, name):
        if name not in PLAIN and name not in {u[1:] for u in UNITS} and not name.endswith(UNITS):
            self.faults.add(f"the number '{name}' has no unit")

    def add_member(self, key, value, command):
        self.check_words(key)
        if value is None:
            return
        self.kinds[key].setdefault(kind_of(value), command)
        if kind_of(value) == "number":
            self.check_unit(key)

    def add(self, node, command, is_map=False):
        for item in node if isinstance(node, list) else ():
            self.add(item, command)
        if not isinstance(node, dict):
            return
        criterion = "criterion" in node
        if criterion:
            self.check_words(node["key"])
            if any(isinstance(node[d], (int, float)) for d in DIRECTIONS):
                self.check_unit(node["key"])
        for key, value in node.items():
            if not is_map and key not in SIDES and not (criterion and key in DIRECTIONS):
                self.add_member(key, value, command)
            self.add(value, command, key in MAPS and not is_map)

    def expect_good(self):
        for key, kinds in sorted(self.kinds.items()):
            if len(kinds) > 1:
                self.faults.add(f"'{key}' has several types: {dict(sorted(kinds.items()))}")
        for fault in sorted(self.faults):
            fail(fault)


@test()
def keys_have_units_and_one_meaning():
    names, traced = Names(), root() and features()[0] and not features()[1]
    sources = [analyses, *[benchmarks] * (not EMULATED), *[measurements] * bool(traced)]
    for source in sources:
        for text in source():
            doc = json.loads(text)
            names.add(doc, doc.get("command", source.__name__))
    names.expect_good()
    needs(len(sources) == 3, "needs root and the tracers for all commands")
    expect_ge(len(names.kinds), 300, "keys")


@test()
def columns_and_metrics_use_the_same_words():
    needs_run()
    names, trace = Names(), accesses.write("made", accesses.random_trace(7, 500))
    for words in (("report", "--csv", trace), ("characterize", "--csv", trace),
                  ("export", "--format=csv", trace), ("run", "--csv", "-o", "/dev/stdout", "--", "true")):
        for column in iospan(*words).splitlines()[0].split(","):
            names.check_words(column)
    with Exporter() as exporter:
        scrape = exporter.scrape()
    for name in scrape.types:
        names.check_words(name)
    names.expect_good()


main()
