#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares iospan characterize with the definitions of the criteria, for accesses and for counters.
A criterion is a property of a job's I/O, such as its burstiness. A log of counters has the amounts
of I/O per interval and server."""
import csv
import io
import json
import os
import random
import shutil
import subprocess
from math import tanh

from lib import character, kernel, scales
from lib.accesses import *
from lib.character import characterized, criteria, expect_values, joined, part_of, run
from lib.disks import wait_for
from lib.forms import expect_same_numbers
from lib.ktap import *
from lib.loads import children, is_alive
from lib.measure import needs_run

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
MS, KIB, MIB = 10 ** 6, 1 << 10, 1 << 20
COUNTERS = ["read_bytes", "reads", "opens", "write_bytes", "writes", "closes", "creates"]


def values(layer):
    return {(row["criterion"], row["key"], row["threshold_bytes"], way): row[way]
            for row in layer["criteria"] for way in character.WAYS if row[way] is not None}


def walk_of(a):
    return a.disk if a.layer == 2 else (a.process, a.file)


def server_of(a):
    return a.disk.partition("=")[0] if a.layer == 2 else "(unknown)"


def movements(accesses, layer):
    return [a for a in accesses if a.layer == layer and a.op < 2 and not a.disk.endswith("*")]


def handles(accesses, layer):
    """Returns the expected numbers of opens, closes and creations of files; {} if there are
    none."""
    ops = [a.op for a in accesses if a.layer == layer and a.op >= 6 and not a.flags & PART]
    if not ops:
        return {}
    return {("opens", None, "both"): len(ops) - ops.count(8),
            ("closes", None, "both"): ops.count(8), ("creates", None, "both"): ops.count(7)}


def expect_trace(name, accesses, width, thresholds, small):
    seen = characterized("-i", f"{width}ns", "--threshold", ",".join(map(str, thresholds)), "--small", small,
                         write(name, accesses))
    for i, layer in enumerate(LAYERS):
        mine = movements(accesses, i)
        if not mine:
            expect_eq(seen["layers"][layer], None, f"{name} {layer}")
            continue
        expected = character.of_accesses(mine, seen["start_ns"], seen["elapsed_ns"], width,
                                         thresholds, small, server_of, walk_of)
        expect_values(criteria(seen["layers"][layer]), {**expected, **handles(accesses, i)},
                      f"{name} {layer}")


@test()
def random_accesses():
    """The trace has accesses of all layers, in any order. If a request was requeued, its time
    before the requeue is a record of its own (a part). Some accesses have no start and end."""
    for seed, args in enumerate(({}, {"disorder": 4000}, {"longest": 20000, "step": 900},
                                 {"step": 3})):
        accesses = random_trace(seed, 350, **args)
        expect_trace(f"random{seed}", accesses, 7919, [0, 40000, 100000], 32768)


@test()
def accesses_in_patterns():
    """Several processes access the same files: sequentially, with strides in both directions, and
    with jumps."""
    rng = random.Random(4)
    accesses, now, at = [], 10 ** 9, {}
    for _ in range(250):
        now += rng.randrange(1, 2000)
        process, file = rng.choice(("a=1", "b=2")), rng.choice(("/x=1", "/y=2"))
        before, stride = at.get((process, file), (0, 4096))
        if rng.random() < 0.1:
            before, stride = rng.randrange(1 << 40), rng.choice((-65536, 0, 4096, 12288))
        at[process, file] = (max(before + stride, 0), stride)
        accesses.append(Access(1, 0, now, now + rng.randrange(3000), process=process, file=file,
                               offset=max(before + stride, 0)))
        accesses.append(Access(1, 0, now, now + 9, process=process, offset=before))
        accesses.append(Access(1, 0, now, now, process=process, file=file,
                               offset=character.NOWHERE))
    expect_trace("patterns", accesses, 10 ** 5, [0, 8192], 4097)


def phase(start, count, gap, length, op, process, file, disk, size, step, depth=1):
    """Returns @count requests of @length ns each, at the vfs and the device layer. @depth requests
    start at the same time; the next ones start @gap ns later."""
    made = []
    for i in range(count):
        begin = start + (i // depth) * gap
        made.append(Access(1, op, begin, begin + length, size, process=process, file=file,
                           offset=i * step))
        made.append(Access(2, op, begin + 1000, begin + length - 1000, size, disk=disk,
                           process=process, offset=i * step))
    return made


def known_job():
    """Returns the accesses of a job of eight rounds, one second each. In a round, process a first
    writes 4 requests of 1 MiB to its own file on vda, in 40 ms. 200 ms after the start, processes a
    (on vda) and b (on vdb) read from a common file for 50 ms, 4 KiB at a time. Then both close
    their files, and the job is idle."""
    made = []
    for r in range(8):
        t = 10 ** 9 * (1 + r)
        made += phase(t, 4, 10 * MS, 10 * MS, 1, "a=1", "/own=1", VDA, MIB, MIB)
        for process, file in (("a=1", "/own=1"), ("a=1", "/all=2"), ("b=2", "/all=2")):
            how = 6 if r or file == "/all=2" else 7
            made.append(Access(1, how, t, t + 1000, 0, process=process, file=file))
            made.append(Access(1, 8, t + 260 * MS, t + 261 * MS, 0, process=process, file=file))
        for process, disk in (("a=1", VDA), ("b=2", VDB)):
            made += phase(t + 200 * MS, 50, MS, MS, 0, process, "/all=2", disk, 4 * KIB, 8 * KIB)
    made.append(Access(1, 5, 10 ** 9, 9 * 10 ** 9, 0, process="a=1", file="/own=1"))
    return sorted(made, key=lambda a: a.end)


# Computed by hand from known_job(). Each of its 8 rounds has 10 intervals of 100 ms. The first
# interval has the writes, and the third one has the reads. In each round, the first read goes back
# to offset 0. Of the 80 intervals, 72 have no reads. They form 9 idle runs: 2 intervals before the
# first reads, 7 intervals after the last reads, and 7 runs of 9 intervals in between.
WRITTEN, READ = 8 * 4 * MIB, 8 * 100 * 4 * KIB
STEPS = 2 * (8 * 50 - 1)
KNOWN = {
    "vfs": {
        ("1.1", "bytes", None): (READ, WRITTEN, READ + WRITTEN),
        ("1.2", "operations", None): (800, 32, 832),
        ("1.3", "bandwidth_bytes_per_second", None): (READ / 8, WRITTEN / 8, (READ + WRITTEN) / 8),
        ("1.3", "busy_bandwidth_bytes_per_second", None):
            (READ / .4, WRITTEN / .32, (READ + WRITTEN) / .72),
        ("1.4", "iops", None): (100, 4, 104), ("1.4", "busy_iops", None): (2000, 100, 832 / .72),
        ("1.5", "files", None): (1, 1, 2), ("1.5", "creates", None): (None, None, 1),
        ("1.5", "opens", None): (None, None, 24), ("1.5", "closes", None): (None, None, 24),
        ("1.6", "intensity_fraction", 0): (.1, .1, .2), ("1.6", "busy_fraction", None): (.05, .04, .09),
        ("2.1", "size_mean_bytes", None): (4 * KIB, MIB, (READ + WRITTEN) / 832),
        ("2.1", "size_min_bytes", None): (4 * KIB, MIB, 4 * KIB),
        ("2.1", "size_max_bytes", None): (4 * KIB, MIB, MIB),
        ("2.2", "small_requests_fraction", None): (1, 0, 800 / 832),
        ("2.2", "small_bytes_fraction", None): (1, 0, READ / (READ + WRITTEN)),
        ("2.3", "size_kind", None): ("fixed", "fixed", "nearly fixed"),
        ("2.3", "common_size_fraction", None): (1, 1, 800 / 832),
        ("2.4", "operations_fraction", None): (800 / 832, 32 / 832, 1),
        ("2.4", "bytes_fraction", None):
            (READ / (READ + WRITTEN), WRITTEN / (READ + WRITTEN), 1),
        ("2.5", "dominating_operations", None): (None, None, "read"),
        ("2.5", "dominating_bytes", None): (None, None, "write"),
        ("2.6", "files_local", None): (None, None, 1),
        ("2.6", "files_shared", None): (None, None, 1),
        ("2.6", "shared_operations_fraction", None): (None, None, 800 / 832),
        ("2.7", "pattern", None): ("strided", "sequential", "strided"),
        ("2.7", "strided_fraction", None): ((STEPS - 14) / STEPS, 0, (STEPS - 14) / (STEPS + 31)),
        ("2.7", "random_fraction", None): (14 / STEPS, 7 / 31, 21 / (STEPS + 31)),
        ("2.7", "sequential_fraction", None): (0, 24 / 31, 24 / (STEPS + 31)),
        ("2.7", "stride_bytes", None): (8 * KIB, None, None),
        ("2.8", "quarter_1_bytes_fraction", None): (.25, .25, .25), ("2.8", "quarter_4_bytes_fraction", None): (.25, .25, .25),
        ("2.8", "half_ns", None): (33 * 10 ** 8, 31 * 10 ** 8, 33 * 10 ** 8),
        ("2.10", "period_ns", None): (10 ** 9, 10 ** 9, 10 ** 9),
        ("2.10", "period_correlation", None): (1, 1, 1),
        ("2.11", "dominating_period_ns", None): (None, None, 10 ** 9),
        ("2.11", "dominating_correlation", None): (None, None, 1),
        ("2.11", "dominating_changes", None): (None, None, 15),
        ("3.2", "concurrency", None): (2, 1, 1.12 / .72),
        ("3.2", "concurrency_max", None): (2, 1, 2),
        ("3.4", "same_file_time_fraction", None): (None, None, .4 / .72),
        ("3.4", "same_file_operations_fraction", None): (None, None, 400 / 832),
        ("3.4", "same_file_files", None): (None, None, 1),
    },
    "device": {
        ("2.9", "rho", 0): (1 - tanh(1 / 8), 1 - tanh(1 / 9), 1 - tanh(1 / 4)),
        ("2.9", "io_run_intervals", 0): (1, 1, 1), ("2.9", "idle_run_intervals", 0): (8, 9, 4),
        ("2.9", "rho", MIB): (1, 1 - tanh(1 / 9), 1 - tanh(1 / 9)),
        ("3.1", "parallel_intensity_fraction", 0): (1, .5, .75),
        ("3.1", "parallel_intensity_normalised_fraction", 0): (1, 0, .5),
        ("3.1", "parallel_intensity_normalised_fraction", MIB): (None, 0, 0),
        ("3.3", "servers", None): (2, 1, 2),
        ("3.3", "busiest_server_bytes_fraction", None): (.5, 1, (READ / 2 + WRITTEN) / (READ + WRITTEN)),
        ("3.3", "imbalance", None): (1, 2, 2 * (READ / 2 + WRITTEN) / (READ + WRITTEN)),
    },
}


@test()
def known_answers():
    """All 21 criteria of known_job() must have the values that are computed by hand."""
    seen = characterized("-i", "100ms", write("known", known_job()))
    expect_eq(seen["elapsed_ns"], 8 * 10 ** 9)
    numbers = set()
    for layer, rows in KNOWN.items():
        found = values(seen["layers"][layer])
        for (number, key, threshold), expected in rows.items():
            numbers.add(number)
            for way, value in zip(character.WAYS, expected):
                at = found.get((number, key, threshold, way))
                if isinstance(value, (int, float)) and at is not None:
                    expect_near(at, value, 1e-9 * max(value, 1), f"{layer} {key} {way}")
                else:
                    expect_eq(at, value, f"{layer} {key} {threshold} {way}")
    all_numbers = {f"1.{i}" for i in range(1, 7)} | {f"2.{i}" for i in range(1, 12)}
    expect_eq(numbers, all_numbers | {f"3.{i}" for i in range(1, 5)}, "criteria")
    expect_eq(seen["layers"]["vfs"]["operations"], {"read": 800, "write": 32, "sync": 1,
                                                       "open": 23, "create": 1, "close": 24})
    sentence = "1 sync: at least one in flight for 8.00 s, 100.0 % of the time"
    expect_eq(seen["layers"]["vfs"]["syncs"], {"count": 1, "span_ns": 8 * 10 ** 9, "sentence": sentence})
    expect_eq(seen["layers"]["device"]["syncs"], None)
    expect_eq(run(os.path.join(scratch_dir(), "known")).stdout.count(f"\n{sentence}\n"), 1)
    expect_eq(seen["layers"]["vfs"]["common_sizes"],
              {"read": [{"bytes": 4 * KIB, "requests": 800}],
               "write": [{"bytes": MIB, "requests": 32}]})
    expect_eq(seen["layers"]["vfs"]["sizes"],
              [{"from_bytes": 4 * KIB, "read_requests": 800, "write_requests": 0},
               {"from_bytes": MIB, "read_requests": 0, "write_requests": 32}])
    expect_eq(seen["conclusion"],
              "vfs: 91 % of 35.1 MiB are written, 96 % of the requests have 4.00 KiB, 95 % of the "
              "steps are strided; I/O in 20 % of the intervals of 100ms, with a period of 1.00 s "
              "(correlation 1.000)")
    expect_eq(seen["layers"]["vfs"]["strides"]["read"][0],
              {"bytes": 8 * KIB, "requests": STEPS - 14})


PARAMETERS = ["unique_bytes", "size_mean_bytes", "size_cv", "read_fraction", "sequential_fraction",
              "process_count", "depth"]


def model_of(layer):
    """Returns the parameters of the workload. Fails if iospan gives a reason why one is missing."""
    model = dict(layer["workload"])
    expect_eq(model.pop("reason"), None)
    return model


def near_offsets(accesses, seed):
    """Gives the accesses random offsets and sizes. Some of them overlap, and some start where
    another one ends."""
    rng = random.Random(seed)
    return [replace(a, offset=rng.randrange(64) * 500, bytes=rng.choice((0, 500, 777, 1000, 3000)))
            for a in accesses]


@test()
def workloads_of_random_accesses():
    """Compares the workload of each layer with the one that lib/character.py computes. A few
    accesses have no offset."""
    for seed, pause in enumerate((20, 300, 10 ** 9)):
        accesses = [Access(layer, 0, 10 ** 9 + i, 10 ** 9 + i + 5, offset=character.NOWHERE,
                           disk=VDA if layer == 2 else "-") for layer in range(3) for i in range(4)]
        accesses.append(Access(1, 1, 10 ** 9, 10 ** 9 + 700, process="dd=12"))
        accesses += near_offsets(random_trace(seed, 900, disorder=4000), seed)
        seen = characterized("-i", f"{pause}ns", write(f"workload{seed}", accesses))
        for i, layer in enumerate(LAYERS):
            model = model_of(seen["layers"][layer])
            for key, value in character.workload(movements(accesses, i), pause).items():
                expect_near(model[key], value, 1e-9 * value, f"{seed} {layer} {key}")


@test()
def behaviours():
    """A behaviour is a group of similar accesses of a job. Here, a process writes, a second process
    reads, and the first one writes again: two behaviours. A few accesses at the end are too few for
    a third one."""
    def part(start, n, op, process, size, offset):
        return [Access(1, op, start + 100 * i, start + 100 * i + 60 + i % 3, size, process=process,
                       file=f"/{process}=1", offset=offset + size * (i * 7919 % n if op == 0 else i))
                for i in range(n)]
    first, second = part(0, 512, 1, "a=1", 4096, 0), part(10 ** 6, 256, 0, "b=2", 5000, 0)
    third, rest = part(2 * 10 ** 6, 256, 1, "a=1", 4096, 512 * 4096), part(3 * 10 ** 6, 20, 0, "b=2", 1000, 0)
    path = write("behaviours", first + second + third + rest)
    found = model_of(characterized("-i", "1s", path)["layers"]["vfs"])["behaviours"]
    expect_eq([(b["from_ns"], b["stretch_count"]) for b in found], [(0, 2), (10 ** 6, 2)])
    for behaviour, accesses in zip(found, (first + third, second + rest)):
        expect_eq(behaviour["to_ns"], max(a.end for a in accesses))
        expect_eq(behaviour["span_ns"], character.union(accesses))
        for key, value in character.workload(accesses, 10 ** 9).items():
            expect_near(behaviour[key], value, 1e-9 * value, key)
    one = model_of(characterized(write("one", first))["layers"]["vfs"])
    expect_eq(one["behaviours"], None)
    expect_true("behaviours" in run(path).stdout, "table")


@test()
def parts_are_no_accesses_of_a_behaviour():
    """A requeued request has a record (PART) of the time before the requeue, with 0 bytes. These
    records must not count as accesses. The trace starts with 600 such records. Later, one precedes
    each of the last 512 accesses."""
    parts = [Access(2, 0, i, i + 1, 0, disk=VDA, process="a=1", flags=PART) for i in range(600)]
    reads = [Access(2, 0, 10 ** 4 + 10 * i, 10 ** 4 + 10 * i + 5, 65536, disk=VDA, process="a=1", offset=i % 7 * 65536)
             for i in range(1024)]
    requeued = [replace(a, start=a.start - 2, end=a.start - 1, bytes=0, flags=PART) for a in reads[512:]]
    path = write("parts", sorted(parts + reads + requeued, key=lambda a: a.start))
    model = model_of(characterized("-i", "1s", path)["layers"]["device"])
    expect_eq((model["behaviours"], model["accesses"]), (None, 1024))
    untimed = [replace(a, start=a.start + 10 ** 6, bytes=512, flags=UNSPANNED) for a in reads]
    second = model_of(characterized("-i", "1s", write("untimed", reads + untimed))["layers"]["device"])["behaviours"][1]
    expect_eq((second["depth"], second["bench_load"], second["predict"]), (None, None, None))


@test()
def behaviours_count_from_the_start_of_the_trace():
    reads = [Access(1, i // 512, 10 ** 9 * (1 + i // 512) + 1000 * i, 10 ** 9 * (1 + i // 512) + 1000 * i + 5,
                    process="a=1", file="/x=1", offset=4096 * i) for i in range(1024)]
    path = write("late", reads)
    whole = model_of(characterized(path)["layers"]["vfs"])["behaviours"]
    part = model_of(characterized("--from", "256us", path)["layers"]["vfs"])["behaviours"]
    expect_eq([b["to_ns"] for b in part], [b["to_ns"] for b in whole])


@test()
def unique_bytes_of_many_extents():
    """Accesses many separate extents: forwards, then backwards, then at random. iospan must count
    each byte once, even if it has merged its list of extents several times."""
    rng, blocks = random.Random(5), 8000
    orders = [range(blocks), range(2 * blocks, blocks, -1), rng.choices(range(0, 6 * blocks), k=blocks)]
    accesses = [Access(1, 0, i, i + 1, 512, process="a=1", file=f"/{file}=1", offset=block * 1024)
                for i, (file, block) in enumerate((k % 2, b) for k, order in enumerate(orders) for b in order)]
    model = model_of(characterized(write("extents", accesses))["layers"]["vfs"])
    expect_eq(model["unique_bytes"], 512 * len({(a.file, a.offset) for a in accesses}))


@test()
def known_workload():
    """Compares the workload of known_job() with values computed by hand. A run is a sequence of
    accesses of one process; a pause of 100 ms ends it. In each second, process a has a run of 40 ms
    (writes) and a run of 50 ms (reads). Process b has a run in the same 50 ms (reads)."""
    path = write("known", known_job())
    model = model_of(characterized("-i", "100ms", path)["layers"]["vfs"])
    text = run("-i", "100ms", path).stdout
    expect_eq((model["unique_bytes"], model["accesses"]), (4 * MIB + 50 * 4 * KIB, 832))
    for key, value in (("size_mean_bytes", (READ + WRITTEN) / 832), ("read_fraction", 800 / 832),
                       ("sequential_fraction", 24 / 832), ("process_count", 140 / 90), ("depth", 1)):
        expect_near(model[key], value, 1e-9 * value, key)
    for line in (model["bench_load"], model["predict"]):
        expect_true(f"\n{line}\n" in text, f"{line} in {text}")
    options = "--read 0.961538462 --seq 0.028846154 --procs 2 --depth 1"
    expect_eq(model["bench_load"], f"iospan bench load TARGET --unique-bytes 4296k {options} "
                                   "--size-dist 4k:800,1M:32 --batch 1 --processes")
    expect_eq(model["predict"], f"iospan predict RESULT --unique-bytes 4296k --size 44268 {options}")
    table = list(csv.DictReader(io.StringIO(run("-i", "100ms", "--csv", path).stdout)))
    expect_eq([float(r["both"]) for r in table if (r["layer"], r["criterion"]) == ("vfs", "workload")],
              [model[k] for k in PARAMETERS])


def option(line, name):
    words = line.split()
    return words[words.index(name) + 1] if name in words else None


@test()
def sizes_of_the_printed_load():
    """iospan characterize prints a command line of bench load with a list of request sizes. The
    list has the sizes that are not rare. If these are too many, or the rare sizes have many of the
    bytes, the list has the mean sizes of groups of accesses."""
    for i, (sizes, listed) in enumerate((
            ([4096] * 9, None), ([4096] * 2000 + [65536], None),
            ([4096] * 6000 + [8192] * 2000, "4k:3072,8k:1024"),
            ([4096] * 96 + [100], "4k"), ([512, 4096], "512:1,4k:1"),
            ([4096 * i for i in range(1, 33)],
             ",".join(f"{4 * s}k:1" for s in range(2, 33, 2))),
            ([4096] * 1500 + [1 << 30], "4k:15,11180k:1"))):
        accesses = [Access(1, 0, at, at + 1, size, process="a=1", file="/x=1", offset=0)
                    for at, size in enumerate(sizes)]
        line = model_of(characterized(write(f"sizes{i}", accesses))["layers"]["vfs"])["bench_load"]
        expect_eq((option(line, "--size-dist"), option(line, "--size")),
                  (listed, None) if listed and ":" in listed else (None, "4k"), f"{sizes[-1]} {line}")
        expect_eq(option(line, "--align"), "512" if 512 in sizes else None, line)


@test()
def no_workload_without_offsets_or_with_losses():
    known = [Access(1, 0, i, i + 1, process="a=1", file="/x=1") for i in range(10)]
    lost = os.path.join(scratch_dir(), "lost.json")
    with open(lost, "w", encoding="utf-8") as f:
        json.dump({"losses": {"vfs_records": 2, "issues": 1}}, f)
    elsewhere = os.path.join(scratch_dir(), "elsewhere.json")
    with open(elsewhere, "w", encoding="utf-8") as f:
        # An access with the loss "vectors" or "names" is in the trace; only some of its data are
        # missing. So these losses must not prevent a workload.
        json.dump({"losses": {"issues": 1, "vfs_records": 0, "vectors": 5, "names": 5}}, f)
    for name, accesses, options, reason in (
            ("nowhere", [replace(a, offset=character.NOWHERE) for a in known], (),
             "10 accesses without a known file and offset"),
            ("nofile", known + [replace(known[0], file="-")], (),
             "1 access without a known file and offset"),
            ("lost", known * 3, ("-s", lost),
             "the trace lacks more than 5 % of the accesses, see the losses"),
            ("few", known * 30, ("-s", lost), None),
            ("other", known, ("-s", elsewhere), None),
            ("empty", [replace(a, bytes=0) for a in known], (), "no access moved bytes"),
            ("untimed", [replace(a, flags=UNSPANNED) for a in known], (),
             "no access has a start and an end")):
        path = write(name, accesses, *options)
        model = characterized(path)["layers"]["vfs"]["workload"]
        expect_eq(model["reason"], reason, name)
        expect_eq(any(v is not None for k, v in model.items() if k != "reason"), reason is None, name)
        text = run(path).stdout
        expect_eq((f"no workload model: {reason}\n" in text, text.startswith("vfs (incomplete, see the losses): ")),
                  (reason is not None, name == "lost"), name)
        if name == "lost":
            expect_true(run("--process=a", path).stdout.startswith("vfs: "), "the mark of a selection")
    log = characterized(write_csv("log", log_rows(random_log(1, n=3))))["layers"]["servers"]
    expect_eq(log["workload"]["reason"], "counters have no offsets")


UNIQUE = 32 * MIB
# Number of accesses after which the random requests of a load have accessed nearly all bytes.
# `bench load` also makes a few large reads to look for content on the disk. They are too few to
# change the parameters.
ENOUGH = 16 * UNIQUE // (64 * KIB)


def recorded_load(disk, options):
    """Records a load that is long enough to access nearly all of the data. Returns the parameters
    of the workload that iospan characterize finds in the trace."""
    trace = os.path.join(scratch_dir(), "load.trace")
    for seconds in (2, 6, 18):
        done = subprocess.run(
            [IOSPAN, "record", "-o", trace, "--layers", "vfs", "--", IOSPAN, "bench", "load", disk,
             *options, "--duration", f"{seconds}s", "--warm-up", "0", "--destroy"],
            capture_output=True, text=True, check=False)
        assert_eq(done.returncode, 0, done.stderr)
        done = run("--json", "--file", disk, "--layers", "vfs", trace)
        assert_eq(done.returncode, 0, done.stderr)
        model = json.loads(done.stdout)["layers"]["vfs"]["workload"]
        # In a short load, a process that runs late makes processNum small.
        if model["reason"] or model["accesses"] > ENOUGH and model["process_count"] > 1.5:
            break
    assert_eq(model["reason"], None)
    return model


@test()
def the_printed_load_has_the_same_workload():
    """iospan characterize prints options for bench load. A load with these options must have the
    same parameters as the recorded load. Only the depth may differ: on a busy machine, a process
    that waits for a CPU keeps fewer requests in flight."""
    needs_run()
    with kernel.loop_disk(2 * UNIQUE) as disk:
        given = "--unique-bytes 32M --size-dist 32k:2,128k:1 --read 0.7 --seq 0.3 --procs 2 --processes " \
                "--depth 4 --batch 1 --seed 7"
        first = recorded_load(disk, given.split())
        second = recorded_load(disk, first["bench_load"].split()[4:])
    wanted = {"unique_bytes": UNIQUE, "size_mean_bytes": 64 * KIB, "size_cv": 0.5 ** 0.5,
              "read_fraction": 0.7, "sequential_fraction": 0.3}
    for key, value in wanted.items():
        expect_near(first[key], value, 0.05 * value, f"given {key}")
        expect_near(second[key], first[key], 0.05 * first[key], key)
    for model in first, second:
        expect_eq(option(model["bench_load"], "--procs"), "2", "procs")
        expect_true(1 <= model["depth"] <= 4, f"depth {model['depth']}")


@test()
def an_access_counts_in_the_interval_of_its_last_ns():
    path, kept = write("edges", [Access(2, 0, 100, 110, 1, disk=VDA),
                                 Access(2, 0, 105, 111, 2, disk=VDA),
                                 Access(2, 0, 120, 120, 4, disk=VDA),
                                 Access(2, 0, 119, 130, 8, disk=VDA)]), scratch_dir() + "/kept.csv"
    characterized("-i", "10ns", "--counters", kept, path)
    with open(kept, encoding="utf-8") as f:
        expect_eq([(int(r["time_ns"]), int(r["read_bytes"])) for r in csv.DictReader(f)],
                  [(100, 1), (110, 6), (120, 8)])


# If the trace has few intervals, a note suggests a shorter interval length. The length is a power
# of ten, and gives 20 to 200 intervals.
@test()
def few_intervals_have_a_note():
    path = write("short", [Access(2, 0, 0, 10, 1, disk=VDA), Access(2, 0, 900, 1000, 1, disk=VDA)])
    text = "{} of {} cannot show the course of the job; to see more, give -i 10ns"
    for options, notes in (([], [text.format("1 interval", "1s")]),
                           (["-i", "200ns"], [text.format("5 intervals", "200ns")]),
                           (["-i", "100ns"], []), (["-i", "10ns"], [])):
        expect_eq(characterized(*options, path)["notes"], notes, f"{options}")


def write_csv(name, rows, columns=("time_ns", "server", *COUNTERS)):
    path = os.path.join(scratch_dir(), name)
    with open(path, "w", encoding="utf-8", newline="") as f:
        writer = csv.DictWriter(f, columns, extrasaction="ignore", lineterminator="\n", restval=0)
        writer.writeheader()
        writer.writerows(rows)
    return path


def log_rows(log, begin=0):
    return [{"time_ns": begin + i * log.width, "server": s,
             **dict(zip(("read_bytes", "reads", "write_bytes", "writes"), log.moved[i, s]))}
            for i in range(log.n) for s in log.servers]


def random_log(seed, n=60, servers=5, width=10 ** 9):
    rng = random.Random(seed)
    log = character.Log(n, width, [f"node{i}" for i in range(servers)])
    for i in range(n):
        for s in log.servers:
            if rng.random() < 0.3:
                log.moved[i, s] = [rng.randrange(1 << 22), rng.randrange(99),
                                   rng.randrange(1 << 18), rng.randrange(9)]
    return log


EXTRA = {("opens", None, "both"): 0, ("closes", None, "both"): 0, ("creates", None, "both"): 0}


def expect_log(log, *args, extra=EXTRA, thresholds=(0, 128 * KIB, MIB), elapsed=None):
    seen, elapsed = characterized(*args), elapsed or log.n * log.width
    expect_eq((seen["source"], seen["interval_ns"], seen["elapsed_ns"]),
              ("counters", log.width, elapsed))
    expected = character.of_counters(log, elapsed, thresholds)
    expect_values(criteria(seen["layers"]["servers"]), expected | extra, f"{args[-1]}")
    return seen


@test()
def counters_alone():
    for seed in range(4):
        log = random_log(seed)
        rows = log_rows(log, 10 ** 18)
        seen = expect_log(log, write_csv("log.csv", rows))
        expect_eq((seen["samples_missing"], seen["notes"]), (0, []))
        random.Random(seed).shuffle(rows)  # the order of the rows must not matter
        expect_log(log, "--threshold", "1000,5", write_csv("shuffled.csv", rows), thresholds=(1000, 5))


@test()
def counters_without_requests():
    rows = [{"time_ns": i * 10 ** 9, "server": "a", "read_bytes": 1000} for i in range(3)]
    expect_eq(characterized(write_csv("bytes.csv", rows))["conclusion"].partition(";")[0],
              "servers: 100 % of 2.93 KiB are read, in an unknown number of requests")


@test()
def same_from_trace_and_counters():
    """A log of counters must give the same values as the accesses from which it was made."""
    path = write("job", known_job())
    kept = os.path.join(scratch_dir(), "kept.csv")
    for layer in ("vfs", "device"):
        accesses = values(characterized("-l", layer, "-i", "100ms", "--counters", kept,
                                        path)["layers"][layer])
        seen = values(characterized(kept)["layers"]["servers"])
        expect_true(len(seen) > 70, f"{len(seen)} values")
        expect_eq({k: v for k, v in accesses.items() if k in seen}, seen, layer)
    accesses = random_trace(9, 2000)
    path = write("random", accesses)
    characterized("-l", "device", "-i", "5us", "--counters", kept, path)
    mine = movements(accesses, 2)
    doc = characterized("-l", "device", path)
    log = character.log_of(mine, doc["start_ns"], doc["elapsed_ns"], 5000, server_of)
    expect_log(log, kept, extra={})


@test()
def vectors():
    """The reference data in tests/data/burst must give the expected values. Each case is tested
    twice: its numbers are bytes read, and then bytes written."""
    with open(f"{TOP}/tests/data/burst_expected.csv", encoding="utf-8") as f:
        expected = list(csv.DictReader(f))
    names = {"n_H1": None, "l_IO": "io_run_intervals", "l_noIO": "idle_run_intervals", "rho": "rho",
             "Pi": "parallel_intensity_fraction", "P": "parallel_intensity_normalised_fraction"}
    for row in expected:
        with open(f"{TOP}/tests/data/burst/{row['case']}.csv", encoding="utf-8") as f:
            lines = list(csv.DictReader(f))
        for way in ("read", "write"):
            rows = [{"time_ns": 10 ** 9 * int(line["i"]), "server": s, f"{way}_bytes": line[s]}
                    for line in lines for s in line if s != "i"]
            seen = values(characterized("--threshold", row["c"], write_csv("vector.csv", rows))
                          ["layers"]["servers"])
            for name, key in names.items():
                at = seen.get(("2.9" if name[0] in "rl" else "3.1", key, int(row["c"]), way))
                if key and row[name] == "nan":
                    expect_eq(at, None, f"{row['case']} {key}")
                elif key:
                    expect_near(at, float(row[name]), 1e-12, f"{row['case']} {key}")


@test()
def one_server_at_a_time():
    """P must be exactly 0 then, for any number of servers. A rounding error would print -0.0 %."""
    for n in range(2, 30):
        rows = [{"time_ns": i, "server": s, "reads": 1, "read_bytes": 10 * (i % n == s)} for i in range(60)
                for s in range(n)]
        seen = values(characterized("--threshold", 0, write_csv("turns.csv", rows))["layers"]["servers"])
        expect_eq(seen["3.1", "parallel_intensity_normalised_fraction", 0, "read"], 0, f"P of {n} servers")


@test()
def files_are_counted_if_the_log_does():
    rows = [{"time_ns": i, "server": "a", "opens": 3, "closes": 2, "creates": 1} for i in range(4)]
    seen = values(characterized(write_csv("files.csv", rows))["layers"]["servers"])
    expect_eq([seen.get(("1.5", key, None, "both")) for key in ("opens", "closes", "creates")],
              [12, 8, 4])
    path = write_csv("four.csv", rows, ("time_ns", "server", "reads", "read_bytes", "writes",
                                        "write_bytes"))
    expect_true(not any(k[0] == "1.5" for k in values(characterized(path)["layers"]["servers"])),
                "unknown without the columns")


@test()
def totals_and_resets():
    """With --cumulative, a log has totals since a start instead of amounts in an interval. The
    values must be the same. If a total decreases, iospan must treat the counter as restarted."""
    log = random_log(11, n=40, servers=3)
    rows, so_far = [], {}
    for i in range(log.n + 1):
        for s in log.servers:
            if i == 17 and s == "node1":
                so_far[s] = [0, 0, 0, 0]
            elif i:
                so_far[s] = [a + b for a, b in zip(so_far[s], log.moved[i - 1, s])]
            else:
                so_far[s] = [10 ** 9, 5, 10 ** 8, 5]
            rows.append({"time_ns": i * log.width, "server": s, **dict(zip(
                ("read_bytes", "reads", "write_bytes", "writes"), so_far[s]))})
    log.moved[16, "node1"] = [0, 0, 0, 0]
    seen = expect_log(log, "--cumulative", write_csv("totals.csv", rows))
    expect_eq((seen["counter_resets"], seen["samples_missing"]), (1, 0))


@test()
def jitter_and_missing_samples():
    log = random_log(12, n=50, servers=3, width=120 * 10 ** 9)
    rng = random.Random(1)
    rows = log_rows(log, 10 ** 15)
    for row in rows[3:]:
        row["time_ns"] += rng.randrange(-2 * 10 ** 9, 2 * 10 ** 9)
    expect_log(log, "-i", "120s", write_csv("wavers.csv", rows))
    gone = [row for row in rows if not row["read_bytes"] and not row["write_bytes"]][5:15]
    rows = [row for row in rows if row not in gone]
    seen = expect_log(log, "-i", "120s", write_csv("misses.csv", rows))
    expect_eq(seen["samples_missing"], 10)
    expect_eq(seen["notes"], ["10 samples missing (one per server and interval), "
                                      "counted as no I/O"])


@test()
def coarser_intervals_and_time_ranges():
    """With a longer --interval, the last interval may end after the log. The time after the log
    must not count as observed."""
    log = random_log(13, n=50, servers=2)
    path = write_csv("fine.csv", log_rows(log, 77))
    for times in (2, 3, 7):
        expect_log(joined(log, times), "-i", f"{times}s", path, elapsed=log.n * log.width)
    expect_log(part_of(log, 10, 20), "--from", "10s", "--to", "30s", path)


@test()
def an_early_sample_belongs_to_the_nearest_interval():
    log = random_log(16, n=40, servers=2)
    rows = log_rows(log, 10 ** 15)
    for row in rows[2:]:
        row["time_ns"] -= 10 ** 7
    expect_log(part_of(log, 10, 20), "-i", "1s", "--from", "10s", "--to", "30s",
               write_csv("early.csv", rows))


@test()
def an_additional_sample_changes_no_interval():
    log = random_log(15, n=20, servers=2)
    rows = log_rows(log)
    rows.append({"time_ns": 5 * log.width + 7, "server": "node1"})
    expect_log(log, write_csv("extra.csv", rows))


@test()
def domination_needs_more_than_a_tenth():
    for reads, writes, word in ((0, 0, None), (11, 9, "none"), (12, 9, "read"), (9, 12, "write"),
                                (9, 11, "none"), (0, 1, "write")):
        seen = values(characterized(write_csv("turns.csv", [
            {"time_ns": 1, "server": "a", "reads": reads, "writes": writes}]))["layers"]["servers"])
        expect_eq(seen.get(("2.5", "dominating_operations", None, "both")), word,
                  f"{reads} {writes}")


@test()
def times_may_be_seconds():
    log = random_log(14, n=10, servers=2, width=5 * 10 ** 8)
    rows = [{**row, "time_s": f"{1700000000 + row['time_ns'] / 1e9:.1f}"} for row in log_rows(log)]
    expect_log(log, write_csv("seconds.csv", rows, ("server", "time_s", *COUNTERS)))


@test()
def a_pipe_is_read_from_its_start():
    log = random_log(17)
    with open(write_csv("log.csv", log_rows(log)), "rb") as f:
        text = f.read()
    assert_true(len(text) <= 65536, "the text fits into a pipe")
    reading, writing = os.pipe()
    os.write(writing, text)
    os.close(writing)
    seen = characterized("--threshold", "0", f"/dev/fd/{reading}", pass_fds=(reading,))
    os.close(reading)
    expected = character.of_counters(log, log.n * log.width, (0,))
    expect_values(criteria(seen["layers"]["servers"]), expected | EXTRA, "a pipe")


JOB_COLUMNS = ("job", "start_ns", "end_ns", "servers")
PHASES = ("intensity_fraction", "rho", "io_run_intervals", "idle_run_intervals", "parallel_intensity_fraction",
          "parallel_intensity_normalised_fraction")


def random_jobs(log, n):
    rng = random.Random(5)
    for i in range(n):
        start = rng.randrange((log.n - 1) * log.width)
        yield {"job": f"job{i}", "start_ns": start,
               "end_ns": start + rng.randrange(1, log.n * log.width),
               "servers": " ".join(rng.sample(log.servers, rng.randrange(len(log.servers) + 1)))}


@test()
def jobs_at_the_cut_end_of_a_log():
    log = random_log(33, n=50, servers=2)
    jobs = [{"job": "first", "start_ns": 0, "end_ns": 14 * log.width},
            {"job": "last", "start_ns": 45 * log.width, "end_ns": 50 * log.width}]
    seen = characterized("-i", "7s", "--jobs", write_csv("jobs.csv", jobs, JOB_COLUMNS),
                         write_csv("log.csv", log_rows(log)))["jobs"]
    expect_eq([(j["intervals"], j["elapsed_ns"] // log.width) for j in seen], [(2, 14), (2, 8)])


def job_log(log, job):
    first, end = job["start_ns"] // log.width, min(-(-job["end_ns"] // log.width), log.n)
    return part_of(log, first, end - first, job["servers"].split())


def rank(numbers, tenths):
    return sorted(numbers)[-(-len(numbers) * tenths // 10) - 1]


@test()
def jobs_of_a_log():
    """The values of a job must equal the values of a log that has only the intervals of this job.
    The result also has the deciles of each value over all jobs."""
    log = random_log(31, n=80, servers=4)
    jobs = list(random_jobs(log, 30))
    doc = characterized("--threshold", "0,128K", "--jobs", write_csv("jobs.csv", jobs, JOB_COLUMNS),
                        write_csv("log.csv", log_rows(log)))
    found = {}
    for job, seen in zip(jobs, doc["jobs"]):
        part = job_log(log, job)
        expect_eq((seen["job"], seen["intervals"], seen["server_count"]),
                  (job["job"], part.n, len(part.servers)))
        found[job["job"]] = character.of_counters(part, part.n * log.width, (0, 128 * KIB))
        expect_values(criteria(seen), found[job["job"]] | EXTRA, job["job"])
    expect_eq(len(doc["distribution"]), 2 * len(PHASES))
    for row in doc["distribution"]:
        for way in character.WAYS:
            all_values = [v for f in found.values() if
                          (v := f[row["key"], row["threshold_bytes"], way]) is not None]
            expect_eq(row[way]["job_count"], len(all_values), f"jobs with {row['key']}")
            for i, v in enumerate(row[way]["deciles"]):
                expect_near(v, rank(all_values, i + 1), 1e-9, f"{row['key']} {way} {i}")
    table = list(csv.DictReader(io.StringIO(run(
        "--csv", "--threshold", "0,128K", "--jobs", f"{scratch_dir()}/jobs.csv",
        f"{scratch_dir()}/log.csv").stdout)))
    expect_eq(len(table), sum(len(seen["criteria"]) for seen in doc["jobs"]), "rows")
    expect_eq([r["job"] for r in table if r["key"] == "bytes"], [j["job"] for j in jobs])


@test()
def jobs_that_are_not_in_the_log():
    log = write_csv("log.csv", log_rows(random_log(32, n=5, servers=2), 10 ** 12))
    jobs = write_csv("jobs.csv", [
        {"job": "before", "start_ns": 0, "end_ns": 10 ** 12},
        {"job": "after", "start_ns": 2 * 10 ** 12, "end_ns": 3 * 10 ** 12},
        {"job": "whole", "start_ns": 0, "end_ns": 2 ** 64 - 1, "servers": " node1  other node1 other "},
    ], JOB_COLUMNS)
    doc = characterized("--jobs", jobs, log)
    expect_eq((doc["jobs_outside"], doc["servers_unknown"]), (2, 1))
    expect_eq([(j["job"], j["intervals"], j["server_count"]) for j in doc["jobs"]], [("whole", 5, 2)])
    notes = run("--csv", "--jobs", jobs, log).stderr
    for words in ("2 jobs outside the time of the log",
                  "1 server named by jobs but not in the log"):
        expect_true(words in notes, f"'{words}' in {notes}")
    text = run("--jobs", jobs, log).stdout
    for words in ("of 1 job, half have I/O", "2 jobs outside the time of the log",
                  "burstiness rho, c = 0"):
        expect_true(words in text, f"'{words}' in the output")


@test()
def wrong_lists_of_jobs():
    log, jobs = write_csv("log.csv", log_rows(random_log(32, n=5))), scratch_dir() + "/jobs.csv"
    for text, message in (
            ("", ": it is empty"), ("start_ns,end_ns\n", ":1: the header names no column 'job'"),
            ("job,start_ns\n", ":1: the header must name one of the columns 'end_ns' and 'end_s'"),
            ("job,end_s\n", ":1: the header must name one of the columns 'start_ns' and 'start_s'"),
            ("job,start_s,end_s\na,2,2\n", ":2: job 'a' ends before it starts"),
            ("job,start_s,end_s\n,1,2\n", ":2: job '' is not a name"),
            ("job,start_s,end_s\na,-1,2\n", ":2: start_s '-1' is not a number of seconds")):
        with open(jobs, "w", encoding="utf-8") as f:
            f.write(text)
        done = run("--jobs", jobs, log)
        expect_eq((done.returncode, done.stdout, done.stderr),
                  (1, "", f"iospan: {jobs}{message}\n"), repr(text))


@test()
def file_systems_are_servers_above_the_disks():
    path, trace = os.path.join(scratch_dir(), "two.csv"), os.path.join(scratch_dir(), "two.trace")
    with open(path, "w", encoding="utf-8") as f:
        f.write("layer,op,start_ns,end_ns,bytes,file,inode,file_dev\n"
                "vfs,read,0,10,100,/a,1,8:1\nvfs,write,20,30,50,/b,2,8:2\n"
                "vfs,read,40,50,7,/c,3,8:1\n")
    subprocess.run([IOSPAN, "import", "--format=csv", "-o", trace, path], check=True)
    seen = characterized("-i", "10ns", trace)["layers"]["vfs"]["servers"]
    expect_eq([(s["server"], s["read_bytes"], s["writes"], s["opens"]) for s in seen],
              [("8:1", 107, 0, None), ("8:2", 0, 1, None)])


@test()
def hosts_have_servers_of_their_own():
    paths = []
    for name, node in (("one", "n1"), ("two", "n2"), ("another", "n1")):
        meta = os.path.join(scratch_dir(), f"{node}.json")
        with open(meta, "w", encoding="utf-8") as f:
            json.dump({"host": node}, f)
        paths.append(write(name, [Access(2, 0, 5, 10, disk=VDA), Access(1, 0, 5, 10, file="/a=1")],
                           "-m", meta))
    seen = characterized("-i", "10ns", *paths)
    expect_eq([s["server"] for s in seen["layers"]["device"]["servers"]], ["n1:vda", "n2:vda"])
    expect_eq([s["server"] for s in seen["layers"]["vfs"]["servers"]],
              ["n1:(unknown)", "n2:(unknown)"])
    expect_eq(values(seen["layers"]["device"])["3.1", "parallel_intensity_fraction", 0, "both"], 1)


@test()
def filters_select_the_job():
    accesses = random_trace(21, 800)
    path = write("all", accesses)
    for args, holds in ((("-p", "dd"), lambda a: a.process.startswith("dd=")),
                        (("-p", "13"), lambda a: a.process == "dd=13"),
                        (("-g", "/a"), lambda a: a.group.startswith("/a")),
                        (("-l", "app"), lambda a: a.layer == 0),
                        (("-d", "vdb"), lambda a: a.disk == VDB)):
        seen = characterized(*args, "-i", "10us", path)
        for i, layer in enumerate(LAYERS):
            mine = [a for a in movements(accesses, i) if holds(a)]
            if not mine:
                expect_eq(seen["layers"][layer], None, f"{args} {layer}")
                continue
            found = values(seen["layers"][layer])
            expect_eq((found["1.1", "bytes", None, "both"],
                       found["1.2", "operations", None, "both"]),
                      (sum(a.bytes for a in character.counted(mine)),
                       len(character.counted(mine))), f"{args} {layer}")


def rows_of_layers(doc):
    layers = [layer for layer in doc["layers"].values() if layer]
    models = [{"layer": layer["layer"], "criterion": "workload", "key": key, "both": layer["workload"][key]}
              for layer in layers if not layer["workload"]["reason"] for key in PARAMETERS]
    return [{**row, "layer": layer["layer"]} for layer in layers for row in layer["criteria"]] + models


def rows_of_jobs(doc):
    return [{**row, "job": job["job"]} for job in doc["jobs"] for row in job["criteria"]]


@test()
def all_forms_have_the_same_numbers():
    needs(shutil.which("gnuplot"), "needs gnuplot")
    log = random_log(31, n=80, servers=25)
    jobs = write_csv("jobs.csv", random_jobs(log, 30), JOB_COLUMNS)
    counters = write_csv("log.csv", log_rows(log))
    for rows_of, args in ((rows_of_layers, ["-i", "100ms", write("forms", known_job())]),
                          (rows_of_layers, [counters]),
                          (rows_of_jobs, ["--jobs", jobs, counters])):
        expect_same_numbers(rows_of, "characterize", *args)


@test()
def text_and_its_copy_in_a_file():
    path = write("text", known_job())
    doc = characterized("-i", "100ms", path)
    expect_eq(scales.seal(doc)["hash"], doc["hash"], "hash")
    text = run("-i", "100ms", path).stdout
    expect_eq(text.splitlines()[:2], [doc["conclusion"], doc["title"]], "the first lines")
    for words in ("vfs, 80 intervals of 100ms", "burstiness rho, c = 128k", "nearly fixed", "vdb"):
        expect_true(words in text, f"'{words}' in the text")
    kept = os.path.join(scratch_dir(), "kept.txt")
    done = run("-o", kept, "-i", "100ms", path)
    expect_eq((done.returncode, done.stdout, done.stderr), (0, "", ""))
    expect_eq(open(kept, encoding="utf-8").read(), text, "the output file")


@test()
def empty_inputs_have_no_numbers():
    """Without accesses, lines or I/O, each value must be a finite number or missing, never NaN or
    infinite."""
    for path in (write("empty", []), write("sync", [Access(1, 5, 10, 20)]),
                 write_csv("header.csv", []), write_csv("idle.csv", [
                     {"time_ns": i, "server": "a"} for i in range(3)])):
        for form in ("--json", "--csv", "--small=4k"):
            done = run(form, path)
            expect_eq((done.returncode, done.stderr), (0, ""), f"{path} {form}")
            expect_true("nan" not in done.stdout and "inf" not in done.stdout.replace("info", ""),
                        f"{path} {form} has numbers")
    idle = values(characterized(os.path.join(scratch_dir(), "idle.csv"))["layers"]["servers"])
    expect_eq([idle.get(k) for k in (("2.9", "rho", 0, "read"), ("1.6", "intensity_fraction", 0, "read"),
                                     ("3.1", "parallel_intensity_fraction", 0, "read"))], [1, 0, None])


HEADER = "time_ns,server,read_bytes,reads,write_bytes,writes\n"


@test()
def wrong_logs_are_refused():
    path = os.path.join(scratch_dir(), "bad.csv")
    big = str(2 ** 64)
    for text, message in (
            ("", "it is empty"), ("\n\n", "it is empty"),
            ("time_ns,server,reads\n", ":1: the header names no column 'read_bytes'"),
            (HEADER.replace("time_ns,", ""), ":1: the header must name one of the columns "
                                             "'time_ns' and 'time_s'"),
            (HEADER.replace("time_ns,", "time_ns,time_s,"), ":1: the header must name one of the "
                                                            "columns 'time_ns' and 'time_s'"),
            (HEADER + "1,a,1,1,1\n", ":2: the line ends too early in cell 6"),
            (HEADER + "1,a,1,1,1,1,1\n", ":2: more cells than the header's 6"),
            (HEADER + "1,,1,1,1,1\n", ":2: server '' is not a name"),
            (HEADER + "1,a,1,1,1,1\n2,a,-1,1,1,1\n",
             ":3: read_bytes '-1' is not a whole number below 2^64"),
            (HEADER + f"1,a,{big},1,1,1\n",
             f":2: read_bytes '{big}' is not a whole number below 2^64"),
            (HEADER + "1,a,1.5,1,1,1\n", ":2: read_bytes '1.5' is not a whole number below 2^64"),
            (HEADER + "x,a,1,1,1,1\n", ":2: time_ns 'x' is not a whole number below 2^64"),
            (HEADER.replace("_ns", "_s") + "5%,a,1,1,1,1\n",
             ":2: time_s '5%' is not a number of seconds"),
            (HEADER + "1,a,1,1,1,1\n" + f"{2 ** 63},a,1,1,1,1\n2,a,1,1,1,1\n",
             "too many intervals and servers; give a longer --interval, or --from and --to"),
            # Two samples are 1 ns apart, so an interval is 1 ns long. The third sample is 1,000,000
            # ns later, so there are too many intervals.
            (HEADER + "1,a,1,1,1,1\n1000000,a,1,1,1,1\n2,a,1,1,1,1\n",
             "too many intervals and servers; give a longer --interval, or --from and --to"),
            # 200 servers in 40,000 intervals are too many, although most servers have a single
            # line.
            (HEADER + "".join(f"1,s{i},1,1,1,1\n" for i in range(200)) +
             "2,s0,1,1,1,1\n3,s0,1,1,1,1\n40000,s1,1,1,1,1\n40001,s1,1,1,1,1\n",
             "too many intervals and servers; give a longer --interval, or --from and --to")):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        done = run(path)
        between = "" if message[0] == ":" else ": "
        expect_eq((done.returncode, done.stdout, done.stderr),
                  (1, "", f"iospan: {path}{between}{message}\n"), repr(text))
    done = run("-i", "1ms", write_csv("slow.csv", log_rows(random_log(1, n=3))))
    expect_eq((done.returncode, done.stderr), (1, f"iospan: {scratch_dir()}/slow.csv: samples are 1s "
                                                  "apart; --interval must not be shorter\n"))


@test()
def huge_counters_do_not_overflow():
    most = 2 ** 64 - 1
    rows = [{"time_ns": i, "server": s, **{c: most for c in COUNTERS}}
            for i in range(4) for s in "ab"]
    seen = values(characterized(write_csv("huge.csv", rows))["layers"]["servers"])
    expect_near(seen["1.1", "bytes", None, "both"] / most, 16, 1e-12)
    expect_eq(seen["3.1", "parallel_intensity_normalised_fraction", 0, "both"], 1)


@test()
def sums_above_53_bits():
    """Sums up to 2^63 must keep all of their digits."""
    for size, expected in ((2 ** 53 + 1, int), (2 ** 63 - 1, float)):
        rows = [{"time_ns": i, "server": "a", **{c: size for c in COUNTERS}} for i in range(3)]
        path = write_csv("digits.csv", rows)
        seen = values(characterized(path)["layers"]["servers"])
        table = {r["key"]: r["both"] for r in csv.DictReader(io.StringIO(run("--csv", path).stdout))}
        for key, n in (("bytes", 6), ("operations", 6), ("opens", 3), ("closes", 3),
                       ("creates", 3)):
            [found] = [v for k, v in seen.items() if (k[1], k[3]) == (key, "both")]
            expect_eq((found, expected(table[key])), (expected(n * size), expected(n * size)), key)


@test()
def sizes_above_53_bits():
    size = 2 ** 53 + 1
    path = write("digits", [Access(0, 0, 0, 5, size), Access(0, 0, 5, 9, size)])
    seen = values(characterized(path)["layers"]["app"])
    table = {r["key"]: r["both"] for r in csv.DictReader(io.StringIO(run("--csv", path).stdout))}
    for key in "size_min_bytes", "size_max_bytes", "common_size_bytes":
        [found] = [v for k, v in seen.items() if (k[1], k[3]) == (key, "both")]
        expect_eq((found, table[key]), (size, str(size)), key)


@test()
def wrong_usage():
    trace = write("t", [Access(2, 0, 5, 10, disk=VDA), Access(1, 0, 5, 10)])
    log = write_csv("c", [])
    usage = "usage: iospan characterize [options] TRACE...|COUNTERS|--live -- COMMAND"
    for args, status, message in (
            ((), 2, f"no trace and no counters given; {usage}"),
            (("--json", "--csv", trace), 2, "--json and --csv exclude each other"),
            (("--threshold", "0,x", trace), 2,
             "--threshold: 'x' is no size such as 4096, 4k or 2GiB"),
            (("--threshold", ",".join("0" * 9), trace), 2, "--threshold takes up to 8 sizes"),
            (("--from", "2s", "--to", "1s", trace), 2, "--to is not later than --from"),
            (("--cumulative", trace), 2, "--cumulative is for counters"),
            (("-d", "vda", log), 2, "filters and --layers are for traces"),
            (("-l", "device", log), 2, "filters and --layers are for traces"),
            ((log, trace), 1, "a log of counters must be the only input"),
            (("--counters", f"{scratch_dir()}/x", trace), 1,
             "--counters is for one layer, and there are 2; see --layers"),
            (("-i", "1ns", write("long", [Access(1, 0, 0, 10 ** 10)])), 1,
             "too many intervals and servers; give a longer --interval, or --from and --to")):
        done = run(*args)
        expect_eq((done.returncode, done.stderr), (status, f"iospan: {message}\n"), str(args))


@test()
def a_command_that_runs():
    """The result must have exactly the command's reads of its file. Nothing of the recording may
    remain in $TMPDIR."""
    needs_run("dd")
    place = os.path.join(scratch_dir(), "place")
    os.mkdir(place)
    os.environ["TMPDIR"] = place
    path = os.path.join(scratch_dir(), "file")
    with open(path, "wb") as f:
        f.write(bytes(37 * 4096))
    done = run("--json", "--live", "--layers", "vfs", "--file", path, "--", "dd", "if=" + path,
               "of=/dev/null", "bs=4k", "count=37")
    assert_eq(done.returncode, 0, done.stderr)
    [layer] = [v for v in json.loads(done.stdout)["layers"].values() if v]
    found = values(layer)
    expect_eq((found["1.1", "bytes", None, "read"], found["1.2", "operations", None, "read"]),
              (37 * 4096, 37))
    expect_true("37+0 records in" in done.stderr, "the command's output is on stderr")
    doc = json.loads(done.stdout)
    expect_eq((doc["inputs"], doc["argv"][0]), ([], "dd"), "inputs, command")
    expect_true(place not in done.stdout, "the path of the recording is not in the result")
    done = run("--live", "--layers", "device", "--duration", "200ms", "--json")
    expect_true(done.returncode == 0 or "no reads and writes" in done.stderr, done.stderr)
    expect_eq(os.listdir(place), [])


def below(path):
    return sorted(os.path.relpath(os.path.join(top, name), path)
                  for top, dirs, files in os.walk(path) for name in dirs + files)


def is_recording(pid):
    with open(f"/proc/{pid}/cmdline", encoding="utf-8") as f:
        return f.read().split("\0")[1] == "record"


@test()
def a_killed_command_stops_recording():
    needs_run("true")
    place = os.path.join(scratch_dir(), "killed")
    os.mkdir(place)
    for words in ["--duration", "1000s"], ["--", "sleep", "1000"]:
        with subprocess.Popen([IOSPAN, "characterize", "--live", *words],
                              env={**os.environ, "TMPDIR": place}, start_new_session=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            wait_for(lambda: any(name.endswith("/trace") for name in below(place)),
                       "the trace")
            record = [pid for pid in children(child.pid)
                      if is_recording(pid)]
            expect_eq(len(record), 1, "processes that record")
            child.kill()
        wait_for(lambda: not any(map(is_alive, record)), "the end of the recording")
        wait_for(lambda: not below(place), "the removal of the trace")


@test()
def nothing_to_record():
    for args, said in ((["--live"], "--live takes either a command or --duration"),
                       (["--live", "--duration", "1s", "--", "true"], "either a command or --duration"),
                       (["--live", "true"], "'--' is missing before 'true'"),
                       (["--live", "dd", "-x"], "'--' is missing before 'dd'"),
                       (["--live", "dd", "-x", "--", "true"], "'--' is missing before 'dd'"),
                       (["--live", "--from", "2s", "--to", "1s", "--", "true"],
                        "--to is not later than --from"),
                       (["--duration", "1s", "x"], "has no effect without '--live'"),
                       (["--live", "--jobs", "x", "--", "true"], "--jobs is for counters")):
        done = run(*args)
        expect_eq((done.returncode, done.stdout), (2, ""), done.stderr)
        expect_true(said in done.stderr, done.stderr)
    needs_run("true")
    os.environ["TMPDIR"] = "/nowhere"
    done = run("--live", "--", "true")
    expect_eq((done.returncode, done.stdout), (1, ""), done.stderr)
    expect_true("cannot open '/nowhere': No such file" in done.stderr, done.stderr)


main()
