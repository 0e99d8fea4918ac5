#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the names in the outputs of all commands: units, types, plain words."""
import json
import re
import subprocess
from collections import defaultdict

from lib import accesses, samples
from lib.forms import with_options
from lib.ktap import *
from lib.measure import features, needs_run
from lib.openmetrics import Exporter

# Words that a key must not contain. Keys use plain words instead, such as given, requeued, start,
# after, fraction or interval.
BANNED = {"told", "claimed", "said", "share", "shares", "begin", "begun", "behind", "whose", "arpt",
          "response", "round", "rounds", "place", "places", "turn", "turns", "gone", "kb", "usec",
          "msec", "s"}
# Endings of keys. An ending gives the unit of the number.
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
    repeated_ratio_median repetitions rho rho_exact rotational rq_affinity same_file_files sample samples_missing
    seed servers servers_unknown size_cv slowdown_ratio spearman_cc to torn units unreadable value vfs_per_app
    workloads_without_band writes wrong_chunks zipf""".split())
# The value of each of these keys is a map: an object with keys that are names of other things, such
# as operations or parameters.
MAPS = {"access_methods", "amounts", "axes", "backends", "changes", "conditions", "correlations", "curves",
        "filter", "focal_band", "good_ranges", "io_times", "kernel_config", "layers", "lengths", "losses",
        "metrics", "missed_runs", "operations", "predicted", "rankings", "ratio", "sizes", "common_sizes",
        "strides", "sources", "thirds", "vulnerabilities", "ways"}
# keys for the two results of a comparison (iospan compare), and for their conditions
SIDES = {"a", "b"}
# A criterion has up to three values, with these keys: one for reads, one for writes, and one for
# both. The object with these values also has the key "key": the name of the criterion, which ends
# with the unit.
DIRECTIONS = {"read", "write", "both"}


def iospan(*words):
    done = subprocess.run([IOSPAN, *map(str, words)], capture_output=True, text=True, check=False,
                          cwd=scratch_dir(), stdin=subprocess.DEVNULL)
    assert_eq(done.returncode, words[:2] == samples.FAILS, f"{words}: {done.stderr}")
    return done.stdout


def lines(path):
    with open(samples.path_of(path), encoding="utf-8") as f:
        return f.read().splitlines()


def documents(source):
    """Runs each command with --json. Yields its JSON documents, and one line of each log or trace
    that it writes."""
    for words in source():
        histogram = ["--histogram"] * (words[0] in ("run", "stat"))
        text = iospan(*with_options(words, "--json", *histogram))
        if text or words[:2] != samples.FAILS:
            yield from text.splitlines() if words[0] == "stat" else [text]
        if words[0] == "record":
            yield iospan("export", "--format=jsonl", "recorded").splitlines()[0]
        if "--log" in words:
            yield lines(words[words.index("--log") + 1])[0]


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
    sources = [samples.analyses, *[samples.benchmarks] * (not EMULATED),
               *[samples.measurements] * bool(traced)]
    for source in sources:
        for text in documents(source):
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
