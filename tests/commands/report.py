#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares iospan report with simple computations over all accesses. A trace consists of
chunks. The accesses in them are sorted by end time. The chunk SUMS has the counts of the BPF
programs. A slice is a part of the time, with numbers of its own. T is the time with I/O in
flight."""
import csv
import fnmatch
import io
import json
import os
import re
import shutil
import signal
import subprocess
from dataclasses import replace

from lib.accesses import *
from lib.ktap import *
from lib.measure import interrupt_at_start

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))


PERCENTILES = {500: "latency_p50_ns", 900: "latency_p90_ns", 950: "latency_p95_ns", 990: "latency_p99_ns",
               999: "latency_p999_ns"}

def rank(values, permille):
    """Returns a percentile of the values; @permille is 990 for the 99th percentile. The result is
    the smallest value v for which at least @permille / 1000 of the values are <= v."""
    return sorted(values)[-(-len(values) * permille // 1000) - 1]


def sums(accesses):
    whole = [a for a in accesses if not a.flags & PART]
    times = [a.latency for a in whole if a.timed]
    return {
        "accesses": len(whole), "bytes": sum(a.bytes for a in whole),
        "errors": sum(a.flags & FAILED for a in whole), "span_ns": union(accesses),
        "latency_max_ns": max(times, default=None),
        "latency_sum_ns": sum(times) if times or not whole else None,
        "queued": sum(1 for a in whole if a.queued),
        "exact": [rank(times, q) for q in PERCENTILES] if times else [None] * len(PERCENTILES),
    }


def layer_of(accesses, layer):
    return moves(bottom([a for a in accesses if a.layer == layer]))


def waits_of(accesses, layer):
    """Returns the accesses that count for W of @layer (wait_span_ns): reads, writes, flushes and
    syncs. W is the time in which at least one of them is in flight."""
    return [a for a in bottom(accesses) if a.layer == layer and a.op in (0, 1, 2, 5)]


def run(*args):
    return subprocess.run([IOSPAN, "report", *args], capture_output=True, text=True)


def report(*args):
    done = run("--json", *args)
    assert_eq((done.returncode, done.stderr), (0, ""), f"status and stderr of report {args}")
    return json.loads(done.stdout)


def expect_sums(seen, accesses, what, exact=False):
    want = sums(accesses)
    for key in ("accesses", "bytes", "errors", "span_ns", "latency_max_ns", "latency_sum_ns", "queued"):
        expect_eq(seen[key], want[key], f"{what}: {key}")
    if exact:
        expect_eq([seen[k] for k in PERCENTILES.values()], want["exact"],
                  f"{what}: percentiles")
    elif want["exact"][0] is not None:
        for key, value in zip(PERCENTILES.values(), want["exact"]):
            expect_near(seen[key], value, value / 16 + 1, f"{what}: {key}")


def expect_operations(seen, accesses, what, exact):
    ops = {a.op for a in accesses if not a.flags & PART}
    expect_eq(sorted(seen), sorted(OPS[op] for op in ops), f"{what}: operations")
    for op in ops:
        expect_sums(seen[OPS[op]], [a for a in accesses if a.op == op], f"{what} {OPS[op]}",
                    exact)


def expect_layers(seen, accesses, exact=False):
    for i, name in enumerate(LAYERS):
        of = [a for a in accesses if a.layer == i]
        if not of:
            expect_eq(seen["layers"][name], None, name)
            continue
        expect_sums(seen["layers"][name], layer_of(accesses, i), name, exact)
        expect_eq(seen["layers"][name]["wait_span_ns"], union(waits_of(accesses, i)), f"W of {name}")
        if i < 2:
            expect_operations(seen["layers"][name]["operations"], of, name, exact)


def expect_devices(seen, accesses, exact=False):
    disks = {a.disk for a in accesses if a.layer == 2 and not a.flags & PART}
    expect_eq(sorted(d["name"] for d in seen["devices"]),
              sorted(d.partition("=")[0] for d in disks), "devices")
    for d in seen["devices"]:
        of = [a for a in accesses if a.layer == 2 and a.disk.partition("=")[0] == d["name"]]
        expect_sums(d, moves(of), d["name"], exact)
        expect_operations(d["operations"], of, d["name"], exact)


def expect_waiting(seen, accesses, joint=True):
    waits = [waits_of(accesses, i) for i in range(3)]
    for i in range(2):
        if not waits[i] or not waits[2]:
            continue
        if not joint:
            expect_eq(seen["waiting"][LAYERS[i]],
                      {"wait_span_ns": union(waits[i]), "wait_or_device_ns": None,
                       "wait_for_device_ns": None, "wait_above_device_ns": None,
                       "device_unwaited_ns": None}, f"{LAYERS[i]}, without a joint span")
            continue
        either = union(waits[i] + waits[2])
        both = union(waits[i]) + union(waits[2]) - either
        expect_eq(seen["waiting"][LAYERS[i]],
                  {"wait_span_ns": union(waits[i]), "wait_or_device_ns": either,
                   "wait_for_device_ns": both, "wait_above_device_ns": union(waits[i]) - both,
                   "device_unwaited_ns": union(waits[2]) - both}, f"{LAYERS[i]} and device")


def expect_all(seen, accesses, exact=False, joint=True):
    expect_layers(seen, accesses, exact)
    expect_devices(seen, accesses, exact)
    expect_waiting(seen, accesses, joint)


@test()
def layers_disks_and_joint_spans():
    for seed, args in enumerate(({}, {"longest": 100000}, {"disorder": 5000}, {"step": 2},
                                 {"longest": 2, "step": 9}, {"disorder": 10 ** 6})):
        accesses = random_trace(seed, scaled(3000), **args)
        expect_all(report(write(f"t{seed}", accesses)), accesses)


# A loop disk may get another backing file. It is stacked only if this file is on a disk. The BPF
# programs count a stacked and a plain loop disk as two disks, and the report must do so, too.
@test()
def a_disk_that_becomes_stacked_has_two_rows():
    plain, stacked = "loop0=7340032", "loop0=7340032*"
    accesses = [Access(2, 0, 100 * i, 100 * i + 10 + i, disk=plain if i % 3 else stacked) for i in range(10)]
    swapped = [replace(a, disk=stacked if a.disk == plain else plain) for a in accesses]
    for n, order in enumerate((accesses, swapped)):
        first = report(write(f"first{n}", order))
        total = [a for a in order if a.disk == plain]
        expect_eq((first["layers"]["device"]["accesses"], first["layers"]["device"]["span_ns"]),
                  (len(total), union(total)), "total")
        expect_eq({d["stacked"]: d["span_ns"] for d in first["devices"]},
                  {d is stacked: union(a for a in order if a.disk == d) for d in (plain, stacked)}, "rows")
        only = report(write(f"only{n}", [a for a in order if a.disk == stacked]))
        expect_eq((only["layers"]["device"]["accesses"], ["the total is 0" in note for note in only["table_notes"]],
                   ["the total is 0" in note for note in first["table_notes"]]), (0, [False, True], [False]), "only stacked")
        sums = json_file(f"sums{n}.json", {key: first[key] for key in ("layers", "devices", "elapsed_ns")})
        compared = report(write(f"second{n}", order, "-s", sums))["kernel_sums"]["devices"]
        expect_eq([d["difference_accesses"] for d in compared], [0, 0], "the kernel's sums of the disks")


# A size limit for the trace file. With this limit, a chunk has at most 3,906 accesses; without,
# 32,768.
SMALL_CHUNKS = "-b", "1000000"


# A trace is sorted by the ends of the accesses. Two accesses last for many chunks of the trace. So
# the report reads them long after other accesses that started at the same time.
@test()
def long_accesses_and_many_chunks():
    accesses = random_trace(7, 40000, step=50)
    late = accesses[35000]
    accesses.insert(35000, Access(1, 0, 10 ** 9 - 5, late.end))
    accesses.insert(35001, Access(2, 1, 10 ** 9 + 10 ** 5, late.end, disk=VDB))
    for options in (), SMALL_CHUNKS:
        expect_all(report(write(f"long{len(options)}", accesses, *options)), accesses)


# The reference data in tests/data must give the expected values at each layer.
@test()
def vectors():
    folder = os.path.join(TOP, "tests/data")
    with open(f"{folder}/intervals_expected.csv", encoding="utf-8") as f:
        expected = {row["case"]: row for row in csv.DictReader(f)}
    for case, row in expected.items():
        with open(f"{folder}/intervals/{case}.csv", encoding="utf-8") as f:
            lines = [{k: int(v) for k, v in line.items()} for line in csv.DictReader(f)]
        lines.sort(key=lambda line: line["end_ns"])
        accesses = [Access(layer, 0, r["start_ns"], r["end_ns"], r["bytes"],
                           disk=VDA if layer == 2 else "-") for r in lines for layer in range(3)]
        seen = report(write(case, accesses))
        for layer in LAYERS if lines else ():
            expect_eq((seen["layers"][layer]["accesses"], seen["layers"][layer]["bytes"],
                       seen["layers"][layer]["span_ns"]),
                      (int(row["n"]), int(row["bytes"]), int(row["union_ns"])), f"{case} {layer}")


@test()
def exact_percentiles():
    accesses = random_trace(11, scaled(4000), longest=10 ** 8)
    seen = report("--exact", "--by", "cgroup,process", write("exact", accesses))
    expect_eq(seen["exact_percentiles"], True)
    expect_all(seen, accesses, exact=True)
    for p in seen["processes"]:
        mine = [a for a in accesses if names_of(a.process) == (p["name"], p.get("pid"))]
        for i, layer in enumerate(LAYERS):
            if p["layers"][layer]:
                expect_sums(p["layers"][layer], layer_of(mine, i), p["name"], exact=True)


@test()
def exact_percentiles_up_to_2_to_the_64():
    """The latencies are up to 2^64, so arithmetic on them must not wrap at 64 bits."""
    for longest in (2 ** 64 - 2, 2 ** 63 + 1, 2 ** 41 + 5):
        path = f"{scratch_dir()}/longest{longest}"
        subprocess.run([IOSPAN, "import", "--format", "csv", "-o", path, "-"], check=True, text=True,
                       input="start_ns,end_ns,bytes\n" + "".join(
                           f"0,{length},1\n" for length in (7, 2 ** 40, longest)))
        seen = report("--exact", path)["layers"]["app"]
        expect_eq([seen[k] for k in PERCENTILES.values()],
                  [2 ** 40] + [float(longest)] * 4, longest)


def names_of(text):
    name, _, number = text.partition("=")
    return ("(unknown)", None) if text == "-" else (name, int(number.rstrip("*")))


def class_of(access):
    return "open+close" if access.op >= 6 else OPS[access.op]


def expect_entity(seen, accesses, what):
    """Checks the numbers of a process, file or cgroup at each layer. The total of a layer has only
    reads and writes; each other operation has a row of its own."""
    for i, layer in enumerate(LAYERS):
        of = bottom([a for a in accesses if a.layer == i])
        if not of:
            expect_eq(seen["layers"][layer], None, f"{what} {layer}")
            continue
        expect_sums(seen["layers"][layer], moves(of), f"{what} {layer}")
        for op, found in seen["layers"][layer]["operations"].items():
            expect_sums(found, [a for a in of if class_of(a) == op], f"{what} {layer} {op}")
        expect_eq(set(seen["layers"][layer]["operations"]) - {"read", "write"},
                  {class_of(a) for a in of if a.op > 1}, f"{what} {layer}: operations")


@test()
def processes_and_files():
    accesses = random_trace(3, scaled(3000))
    seen = report("-b", "process,file", write("by", accesses))
    for key, field, number in (("processes", "process", "pid"),
                               ("files_accessed", "file", "inode")):
        names = {names_of(getattr(a, field)) for a in bottom(accesses)}
        found = {(row.get("name", row.get("path")), row.get(number)): row for row in seen[key]}
        expect_eq(sorted(found, key=str), sorted(names, key=str), key)
        for name, row in found.items():
            mine = [a for a in accesses if names_of(getattr(a, field)) == name]
            expect_entity(row, mine, name)


# The numbers of a cgroup include the cgroups below it. So T of a cgroup is the time in which at
# least one of these cgroups has I/O in flight.
@test()
def groups_include_their_subtree():
    accesses = random_trace(4, scaled(3000))
    seen = report("--by=cgroup", write("groups", accesses))
    paths = ["/", "/a", "/a/b", "/a/b/c", "/a/d", "(unknown)"]
    expect_eq(sorted(g["path"] for g in seen["cgroups"]), sorted(paths), "groups")
    for g in seen["cgroups"]:
        below = g["path"].rstrip("/") + "/"
        mine = [a for a in accesses if a.group == g["path"] or a.group.startswith(below) or
                (a.group, g["path"]) == ("-", "(unknown)")]
        expect_entity(g, mine, g["path"])


def table_of(text, kind):
    """Parses the table for --by=@kind in the text report. Returns [(name, layer, number of
    accesses)] of reads and writes."""
    lines = [line.split() for line in text.split(f"\n  {kind} ")[1].split("\n\n")[0].splitlines()[1:]]
    return [(*line[:2], int(line[2])) for line in lines]


def shown(*args):
    done = subprocess.run([IOSPAN, "report", *args], capture_output=True, text=True, check=False)
    assert_eq((done.returncode, done.stderr), (0, ""), f"{args}")
    return done.stdout


@test()
def rows_are_sorted_and_the_rest_is_summed():
    """File i has 30 - i accesses. Each access of file i has i + 1 blocks and a latency of i ns."""
    path = write("many", [Access(1, 0, t := 10 ** 6 * i + 1000 * k, t + i, 512 * (i + 1), file=f"/f{i}={i + 1}")
                          for i in range(30) for k in range(30 - i)])
    orders = {"bytes": lambda i: -(30 - i) * (i + 1), "accesses": lambda i: i, "p99": lambda i: -i,
              "latency_max_ns": lambda i: -i, "T": lambda i: -i * (30 - i), "name": lambda i: f"/f{i}"}
    for sort, order in orders.items():
        names = [f"/f{i}" for i in sorted(range(30), key=order)]
        found = [row["path"] for row in report("--by=file", "--sort", sort, path)["files_accessed"]]
        expect_eq([order(int(name[2:])) for name in found], [order(int(name[2:])) for name in names], sort)
        for top in 20, 3, 30, 0:
            rows = table_of(shown("--by=file", "--sort", sort, f"--top={top}", path), "file")
            kept = found[:top or 30]
            rest = sum(30 - int(name[2:]) for name in found[len(kept):])
            expect_eq(rows, [(name, "vfs", 30 - int(name[2:])) for name in kept] +
                      [("(others)", "vfs", rest)] * bool(rest), f"{sort} {top}")
    expect_eq(shown("--by=file", path), shown("--by=file", "--sort=bytes", "--top=20", path), "the defaults")
    for sort, title in ("max", "max"), ("concurrency", "concurrency"), ("T", "busy"):
        heads = [line.split() for line in shown("--by=file", "--sort", sort, path).splitlines()
                 if line.split()[:2] == ["file", "layer"]]
        expect_true(heads and all(head[-1] == title for head in heads), f"{sort}: {heads}")


@test()
def hidden_groups_are_summed_once():
    """--top hides cgroups, and the line "(others)" sums them up. The numbers of a cgroup include
    the cgroups below it. So if a cgroup and a cgroup below it are hidden, only the upper cgroup may
    be added to "(others)"."""
    groups = ["/a"] * 9 + ["/b"] * 2 + ["/b/c"] * 3 + ["/b/c/d"]
    path = write("hidden", [Access(1, 0, 100 * i, 100 * i + 50, group=g) for i, g in enumerate(groups)])
    for top, names, rest in ((2, ["/", "/a"], 6), (3, ["/", "/a", "/b"], 4), (1, ["/"], 15)):
        rows = table_of(shown("--by=cgroup", f"--top={top}", path), "cgroup")
        expect_eq([(row[0], row[2]) for row in rows[len(names):]], [("(others)", rest)], f"top {top}")
        expect_eq([row[0] for row in rows[:-1]], names, f"top {top}")
    # Only the slowest cgroup, /a/b, has a row. "(others)" stands for all other cgroups: "/", /a and
    # /a/b/c. The numbers of "/" include all cgroups, so "(others)" has all 12 accesses.
    path = write("between", [Access(1, 0, 2000 * i, 2000 * i + ns, group=g) for i, (g, ns) in enumerate(
        [("/a", 10)] * 10 + [("/a/b", 1000), ("/a/b/c", 10)])])
    rows = table_of(shown("--by=cgroup", "--sort=ARPT", "--top=1", path), "cgroup")
    expect_eq([(row[0], row[2]) for row in rows], [("/a/b", 2), ("(others)", 12)], "a shown one between")


@test()
def a_file_of_another_kind_is_named():
    path = f"{scratch_dir()}/text"
    with open(path, "w", encoding="ascii") as f:
        f.write("root:x:0:0\n")
    done = subprocess.run([IOSPAN, "report", path], capture_output=True, text=True, check=False)
    expect_eq((done.returncode, done.stderr), (1, f"iospan: '{path}' is no trace of iospan; give a file that "
                                                  "'iospan record' or 'iospan import' has written\n"))


@test()
def wrong_orders_are_refused():
    path = write("order", [Access(1, 0, 1, 9)])
    for args, message in ((["--by=file", "--sort=x"], "unknown column to sort by 'x'; "),
                          (["--sort=bytes"], "option '--sort' has no effect without '--by'"),
                          (["--top=3"], "option '--top' has no effect without '--by' or '--histogram'"),
                          (["--by=file", "--top=3", "--json"], "option '--top' has no effect with '--json'")):
        done = subprocess.run([IOSPAN, "report", *args, path], capture_output=True, text=True, check=False)
        expect_true(done.returncode == 2 and done.stderr.startswith(f"iospan: {message}"), f"{args}: {done}")


# Only /a/b/c has accesses of its own. Each cgroup above it must have the same numbers.
@test()
def groups_with_one_below():
    accesses = [Access(1, 0, t, t + 50, group="/a/b/c") for t in range(0, 10000, 100)]
    seen = report("--by=cgroup", write("above", accesses))
    expect_eq([g["path"] for g in seen["cgroups"]], ["/", "/a", "/a/b", "/a/b/c"], "groups")
    for g in seen["cgroups"]:
        expect_entity(g, accesses, g["path"])


@test()
def time_range():
    accesses = random_trace(5, scaled(3000), longest=20000)
    path = write("range", accesses)
    begin = min(a.start for a in accesses)
    length = max(a.end for a in accesses) - begin
    end_of = [a.end - begin for a in accesses]
    for first, last in ((length // 3, length // 2), (0, length // 7), (length // 2, 0),
                        (end_of[1000], end_of[2000]), (end_of[500], 0)):
        seen = report(f"--from={first}ns", f"--to={last}ns", path)
        end = begin + (last or length)
        expect_eq(seen["elapsed_ns"], end - begin - first, "elapsed")
        expect_all(seen, cut(accesses, begin + first if first else 0, end))


@test()
def slices():
    accesses = random_trace(6, scaled(3000), longest=30000)
    path = write("slices", accesses)
    begin, end = min(a.start for a in accesses), max(a.end for a in accesses)
    for width in (7001, 100000, end - begin, 10 * (end - begin)):
        seen = report("--interval", f"{width}ns", path)
        expect_eq(len(seen["slices"]), -(-(end - begin) // width), "slices")
        for number, row in enumerate(seen["slices"]):
            first = begin + number * width
            last = min(first + width, end)
            expect_eq((row["from_ns"], row["elapsed_ns"]), (first - begin, last - first))
            left = cut(accesses, first if number else 0, last)
            for i, layer in enumerate(LAYERS):
                expect_slice(row["layers"][layer], layer_of(left, i), f"{layer} {number}")


@test()
def slices_of_a_time_range():
    """The times of slices are relative to the start of the observation, as --from is."""
    path = write("range-slices", [Access(1, 0, 100 * i, 100 * i + 50) for i in range(1, 6)])
    rows = report("--from=250ns", "--interval=100ns", path)["slices"]
    expect_eq([(r["from_ns"], r["elapsed_ns"], r["layers"]["vfs"]["accesses"]) for r in rows],
              [(250, 100, 1), (350, 100, 1)])
    shown = csv.DictReader(io.StringIO(run("--csv", "--from=250ns", "-i", "100ns", path).stdout))
    expect_eq([r["name"] for r in shown if r["kind"] == "slice"], ["250", "350"])


def expect_slice(seen, accesses, what):
    want = sums(accesses)
    for key in ("accesses", "bytes", "errors", "span_ns"):
        expect_eq(seen[key], want[key], f"{what}: {key}")
    flight = sum(a.end - a.start for a in accesses if not a.flags & UNSPANNED)
    if want["span_ns"]:
        expect_near(seen["concurrency"], flight / want["span_ns"], 1e-9, what)


@test()
def sums_above_64_bits():
    """Bytes and latencies may be any 64-bit numbers. The report must also be right if their sums
    exceed 64 bits."""
    length, size, n = 2 ** 62, 2 ** 64 - 1, 5
    path = write("sums", [Access(1, 0, 0, length, size, queued=size, process="a=1", group="/g")
                          for _ in range(n)])
    seen = report("--interval", f"{length // 2}ns", "--by", "process,cgroup", path)
    rows = [seen["layers"]["vfs"], seen["layers"]["vfs"]["operations"]["read"],
            seen["processes"][0]["layers"]["vfs"], seen["cgroups"][0]["layers"]["vfs"]]
    for row in rows:
        expect_eq([row[k] for k in ("bytes", "latency_sum_ns", "latency_mean_ns", "concurrency")],
                  [float(n * size), float(n * length), length, n])
    for row in seen["slices"]:
        expect_eq(row["layers"]["vfs"]["concurrency"], n)
    [row] = [r for r in csv.DictReader(io.StringIO(run("--csv", path).stdout))
             if (r["layer"], r["op"]) == ("vfs", "read+write")]
    expect_eq([float(row[k]) for k in ("bytes", "latency_sum_ns")], [float(n * size), float(n * length)])


@test()
def filters():
    accesses = random_trace(8, scaled(3000))
    path = write("filter", accesses)
    for option, holds in (
            ("--layers=device", lambda a: a.layer == 2),
            ("--ops=write,sync", lambda a: OPS[a.op] in ("write", "sync")),
            ("--ops=read", lambda a: OPS[a.op] == "read"),
            ("--ops=write,flush,sync", lambda a: OPS[a.op] in ("write", "flush", "sync")),
            ("--device=vdb", lambda a: a.disk == VDB),
            ("--device=/dev/vda", lambda a: a.disk == VDA),
            ("--device=254:0", lambda a: a.disk == VDA),
            ("--process=dd", lambda a: a.process.startswith("dd=")),
            ("--process=13", lambda a: a.process == "dd=13"),
            ("--file=/srv/*", lambda a: fnmatch.fnmatch(a.file, "/srv/*")),
            ("--file=*x", lambda a: a.file in ("/srv/x=1", "/tmp/x=3")),
            ("--cgroup=/a/b", lambda a: a.group in ("/a/b", "/a/b/c")),
            ("--cgroup=/", lambda a: a.group != "-")):
        seen = report(option, path)
        expect_eq(seen["filtered"], True, option)
        expect_all(seen, [a for a in accesses if holds(a)], joint=option != "--ops=write,sync")


@test()
def bytes_with_another_cause_have_no_amplification():
    """The amplification is the bytes of the device layer divided by those of the vfs layer. A write
    to a mirror has its bytes at the device layer twice, so its amplification is 2. A sync may write
    many bytes of other processes. If the ratio is too large for other reasons, it must be null."""
    for above, below, ratio in ((512, 2048 + (1 << 20), 2052.0), (512, 2049 + (1 << 20), None),
                                (4 << 20, 8 << 20, 2.0)):
        path = write(f"amplified{below}", [Access(1, 0, 1000, 2000, bytes=above),
                                           Access(2, 1, 3000, 9000, bytes=below, disk=VDA)])
        expect_eq(report(path)["amplification"]["device_per_vfs"], ratio, f"{below} bytes for {above}")
        expect_eq("amplification: " in shown(path), ratio is not None, f"the line, {below} bytes for {above}")


@test()
def files_make_one_union():
    one, two = random_trace(21, scaled(2000)), random_trace(22, scaled(3000), step=200)
    paths = [write("one", one), write("two", two)]
    expect_all(report(*paths), one + two)
    expect_all(report(*reversed(paths)), one + two)
    shift = 345678
    later = [replace(a, start=a.start + shift, end=a.end + shift) for a in two]
    expect_all(report(f"--offsets=0,{shift}ns", *paths), one + later)
    sooner = [replace(a, start=a.start - shift, end=a.end - shift) for a in two]
    expect_all(report(f"--offsets=0,-{shift}ns", *paths), one + sooner)
    start = min(a.start for a in two if not a.flags & UNSPANNED)
    done = run(f"--offsets=0,-{start + 1}ns", *paths)
    expect_eq((done.returncode, done.stdout), (1, ""), "times before 0")
    expect_true(f"'{paths[1]}': its offset moves accesses before time 0" in done.stderr, done.stderr)
    expect_eq(report(f"--offsets=0,-{start}ns", *paths)["start_ns"], 0, "from time 0")


# Two hosts have a disk of the same name. The report must show them as two disks.
@test()
def hosts_are_separate():
    trace = [Access(2, 0, 1000, 2000, disk=VDA), Access(2, 0, 3000, 4000, disk=VDA)]
    paths = []
    for host in ("n1", "n2"):
        meta = os.path.join(scratch_dir(), host + ".json")
        with open(meta, "w", encoding="utf-8") as f:
            json.dump({"host": host}, f)
        paths.append(write(host, trace, "-m", meta))
    seen = report("--offsets", "0,500ns", *paths)
    expect_eq([d["name"] for d in seen["devices"]], ["n1:vda", "n2:vda"])
    expect_eq(seen["layers"]["device"]["span_ns"], 3000, "T of both")
    expect_eq([d["name"] for d in report(paths[0], paths[0])["devices"]], ["vda"], "one twice")


@test()
def rotated_files_are_found():
    accesses = random_trace(31, 40000, longest=200)
    late = accesses[30000]  # this access is in flight across several files
    accesses.insert(30000, Access(1, 0, 10 ** 9 + 5000, late.end))
    path = write("rotated", accesses, "-b", "100000")
    files = [os.path.join(scratch_dir(), name) for name in sorted(os.listdir(scratch_dir()))]
    expect_ge(len(files), 3, "files")
    seen = report(path)
    expect_all(seen, accesses)
    expect_eq(seen["notes"], [])
    expect_all(report(*files), accesses)
    os.unlink(files[1])
    expect_true(any("1 are missing" in note for note in report(path)["notes"]),
                "the note on a missing file")
    os.unlink(path)
    expect_true(any("2 are missing" in note for note in report(path)["notes"]),
                "the note on two missing files")


# trace.1 has the name of the second file of a rotated trace. Here, it is an unrelated trace, so the
# report must ignore it.
@test()
def other_files_are_ignored():
    accesses = random_trace(32, 100)
    path = write("trace", accesses)
    write("trace.1", random_trace(33, 100))
    expect_all(report(path), accesses)


def json_file(name, document):
    path = os.path.join(scratch_dir(), name)
    with open(path, "w", encoding="utf-8") as f:
        json.dump(document, f)
    return path


@test()
def a_trace_that_ends_early_has_a_note():
    accesses = random_trace(41, 12000)
    path = write("killed", accesses, *SMALL_CHUNKS, tail="kill\n")
    seen = report(path)
    expect_eq((seen["files"][0]["complete"], seen["files"][0]["accesses"]), (False, len(accesses)))
    expect_true("ends early" in seen["notes"][0], seen["notes"])
    expect_all(seen, accesses)
    os.truncate(path, os.path.getsize(path) * 2 // 3)
    seen = report(path)
    whole = seen["files"][0]["accesses"]
    expect_true(0 < whole < len(accesses), whole)
    expect_all(seen, accesses[:whole])
    text = run(path).stdout
    expect_true("note: the trace ends early" in text, text)


@test()
def damage_has_a_note():
    path = write("damaged", random_trace(42, 12000), *SMALL_CHUNKS)
    with open(path, "r+b") as f:
        f.seek(os.path.getsize(path) // 3)
        f.write(bytes(64))
    seen = report(path)
    expect_ge(seen["files"][0]["bad_chunks"], 1)
    expect_true("is damaged" in seen["notes"][0], seen["notes"])


@test()
def metadata_of_the_recording_is_shown():
    accesses = random_trace(43, 2000)
    begin, end = min(a.start for a in accesses) - 1000, max(a.end for a in accesses) + 500
    first = report("--by=cgroup", "--sort=name", write("first", accesses))
    first["layers"]["vfs"]["span_ns"] *= 2
    first["cgroups"][1]["layers"]["device"]["bytes"] += 7
    first["layers"]["vfs"]["accesses"] += 3
    sums = json_file("sums.json", {
        "elapsed_ns": end - begin, "layers": first["layers"], "devices": first["devices"],
        "cgroups": first["cgroups"],
        "losses": {"completions": 2, "issues": 0}, "notes": ["vfs: a note"],
        "backends": {"vfs": "fentry"}})
    path = write("second", accesses, "-s", sums, "-m", json_file("meta.json", {"start_ns": begin}))
    seen = report(path)
    expect_all(seen, accesses)
    expect_eq((seen["start_ns"], seen["elapsed_ns"]), (begin, end - begin), "start and elapsed")
    expect_eq(seen["losses"], {"completions": 2, "issues": 0})
    expect_eq(seen["notes"], ["vfs: a note"])
    expect_eq(seen["backends"]["vfs"], "fentry")
    kernel = seen["kernel_sums"]["layers"]
    expect_eq((kernel["vfs"]["difference_accesses"],
               kernel["vfs"]["difference_span_fraction"]), (3, 1))
    expect_eq([kernel["device"][k] for k in ("difference_accesses", "difference_bytes",
                                            "difference_span_fraction")],
              [0, 0, 0])
    expect_eq(len(seen["kernel_sums"]["devices"]), len(seen["devices"]))
    expect_eq(report("--from=1us", path)["kernel_sums"], None, "the kernel's sums of a time range")
    groups = report("--by=cgroup", path)["kernel_sums"]["cgroups"]
    expect_eq([(g["path"], g["difference_accesses"], g["difference_bytes"],
                g["difference_span_fraction"]) for g in groups],
              [(p, 0, 7 if p == "/a" else 0, 0)
               for p in ("/", "/a", "/a/b", "/a/b/c", "/a/d", "(unknown)")], "groups")
    text = run(path).stdout
    lost = ("lost: 2 device completions never seen (T repaired: the ends are estimated), "
            "0.85 % of the accesses\n")
    expect_true(lost in text and "vfs +3 accesses" in text, text)
    # In the chunk SUMS, T of the vfs layer is twice the T of the accesses in the trace. So the
    # report must say that accesses are missing in the trace.
    expect_eq([seen["layers"][name].get("span_missing_fraction") for name in ("vfs", "device")],
              [0.5, None])
    rows = {line.split()[0]: line for line in reversed(text.splitlines()) if line.startswith("  ")}
    expect_eq((" >" in rows["vfs"], " >" in rows["device"]), (True, False), text)
    expect_true("T +1e+02 %; T marked > is too short\n" in text, text)


@test()
def a_note_says_what_the_row_of_unknown_names_has():
    for files, options, kinds in ((("-", "x=1"), "--by=file", ["1 access, 512 B, without a known file"]),
                                  (("-", "-"), "--by=process,file",
                                   ["2 accesses, 1.00 KiB, without a known process",
                                    "2 accesses, 1.00 KiB, without a known file"]),
                                  (("-", "x=1"), "--by=device", []),
                                  (("x=1", "x=1"), "--by=file", [])):
        device, app = files
        path = write(f"of{options}{device}", [Access(2, 0, 1000, 2000, bytes=512, disk=VDA, file=device),
                               Access(0, 0, 1000, 2000, bytes=512, file=app)])
        expect_eq(re.findall("the row .unknown. has (.*), such as", run(options, path).stdout), kinds,
                  f"{files} {options}")


@test()
def the_row_of_unknown_names_is_always_shown():
    path = write("unknown", [Access(1, 0, 2000 * i, 2000 * i + 100, bytes=512 * size, file=name)
                             for i, (name, size) in enumerate((("/a=1", 4), ("/b=2", 3), ("/c=3", 2), ("-", 1)))])
    for sort, top, names in (("bytes", 2, ["/a", "/b", "(unknown)", "(others)"]),
                             ("name", 1, ["/a", "(unknown)", "(others)"]),
                             ("bytes", 3, ["/a", "/b", "/c", "(unknown)"]),
                             ("bytes", 4, ["/a", "/b", "/c", "(unknown)"])):
        text = shown("--by=file", "--sort", sort, f"--top={top}", path)
        expect_eq([row[0] for row in table_of(text, "file")], names, f"{sort}, {top}")
        expect_eq("most bytes" in text, sort == "bytes", f"the table of bytes, {sort}")


# Names in a trace must not control the terminal of the user who reads the report.
@test()
def names_have_no_control_characters():
    evil = "x\x1b[2J\r\x07\u202e"
    sums = json_file("sums.json", {"notes": [evil], "losses": {evil: 1},
                                   "backends": {"vfs": evil}, "layers": {"vfs": {}}})
    trace = [Access(1, 0, 10, 20, process=evil + "=1", file=evil + "=1", group="/" + evil),
             Access(2, 0, 30, 40, disk=evil + "=1")]
    path = write("evil", trace, "-s", sums, "-m", json_file("meta.json", {"host": evil}))
    done = run("--by=process,file,cgroup,device", path)
    expect_eq(done.returncode, 0)
    expect_eq({c for c in done.stdout + done.stderr if c < " " or c == "\u202e"}, {"\n"},
              "control characters")
    report("--by=process,file,cgroup,device", path)
    done = run("--csv", "--by=process,file,cgroup,device", path)
    expect_eq({c for c in done.stdout + done.stderr if c < " " or c == "\u202e"}, {"\n"},
              "CSV: control characters")
    expect_true("x\\x1b[2J\\x0d\\x07\\xe2\\x80\\xae" in done.stdout, done.stdout)


@test()
def usage():
    path = write("usage", [Access(1, 0, 5, 9)])
    for args, why in (([], "no trace given"), (["--json", "--csv", path], "exclude"),
                      (["--from=2s", "--to=1s", path], "not later"),
                      (["--offsets=1,2", path], "more than there are"),
                      (["--offsets=x", path], "is no time"),
                      ([path, "--nosuch"], "unknown option '--nosuch'")):
        done = run(*args)
        expect_eq((done.returncode, done.stdout), (2, ""), str(args))
        expect_true(why in done.stderr, done.stderr)
    for args in ([path + "x"], [scratch_dir()], ["/dev/null"]):
        done = run(*args)
        expect_eq((done.returncode, done.stdout), (1, ""), str(args))
        expect_eq(len(done.stderr.splitlines()), 1, done.stderr)


@test()
def options_may_follow_files():
    first, second = (write(name, [Access(1, 0, 5, 9)]) for name in ("first", "second"))
    expect_eq(run(first, "--json", second, "--by=file").stdout,
              run("--json", "--by=file", first, second).stdout)


@test()
def number_of_slices():
    """Slices must cover the whole trace, including the time after the last read or write. There
    must be no more than 100,000 slices."""
    for operation in 0, 2:
        path = write(f"long-{operation}", [Access(1, 0, 5, 9), Access(2, operation, 5, 5 + 10 ** 11)])
        done = run("--interval=1ms", "--csv", path)
        expect_eq(done.stdout.count("\nvfs,slice,"), 10 ** 5)
        done = run("--interval=999us", "--csv", path)
        expect_eq((done.returncode, done.stdout), (1, ""), "too many intervals")
        expect_true("more than 100000 intervals" in done.stderr, done.stderr)


# After Ctrl-C, the report must have the accesses read so far, and must say that it is incomplete.
@test()
def ctrl_c_gives_the_result_so_far():
    path = write("long", random_trace(61, 5000))

    for options in (["--json"], ["--json", "--exact"], []):
        done = subprocess.run([IOSPAN, "report", *options, path], capture_output=True, text=True,
                              preexec_fn=interrupt_at_start)
        expect_eq((done.returncode, done.stderr), (0, ""), options)
        if options:
            seen = json.loads(done.stdout)
            expect_eq((seen["complete"], seen["exact_percentiles"]), (False, False))
        else:
            expect_true("note: interrupted" in done.stdout, done.stdout)


# With --exact, iospan reads the trace twice; the second reading is for exact percentiles. If Ctrl-C
# interrupts only the second reading, all other numbers must be complete.
@test()
def ctrl_c_leaves_the_percentiles_of_the_histogram():
    needs(shutil.which("strace"), "needs strace")
    path, log = write("twice", random_trace(62, 12000), *SMALL_CHUNKS), f"{scratch_dir()}/log"
    # LeakSanitizer does not work under strace.
    strace = ["env", "ASAN_OPTIONS=detect_leaks=0", "strace", "-o", log, "-e"]
    once = subprocess.run([*strace, "trace=pread64", IOSPAN, "report", "--json", path], capture_output=True,
                          text=True, check=True)
    with open(log, encoding="utf-8") as f:
        reads = sum(line.startswith("pread64") for line in f)
    done = subprocess.run([*strace, f"inject=pread64:signal=SIGINT:when={reads + 2}", IOSPAN, "report", "--json",
                           "--exact", path], capture_output=True, text=True, check=True,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    seen, want = json.loads(done.stdout), json.loads(once.stdout)
    expect_eq((seen["complete"], seen["exact_percentiles"]), (True, False))
    expect_eq(seen["notes"], ["interrupted; the percentiles come from histograms"])
    expect_eq(seen["layers"], want["layers"])


@test()
def an_empty_trace_is_no_error():
    seen = report("-b", "process,cgroup", "--interval", "1s", "--exact", write("empty", []))
    expect_eq((seen["elapsed_ns"], seen["devices"], seen["slices"]), (0, [], []))
    expect_eq(run(write("empty2", [])).returncode, 0)


main()
