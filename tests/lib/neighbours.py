# SPDX-License-Identifier: GPL-2.0-or-later
"""Computes for how long cgroups use a disk at the same time, from unions of their accesses'
intervals. Compares the document of `iospan report --neighbours` with the result."""
import bisect

from lib.accesses import UNSPANNED, union
from lib.ktap import expect_eq, expect_near


def path_of(group):
    return "(unknown)" if group == "-" else group


def parts(accesses):
    """Returns the sorted busy intervals of the accesses, as a list of starts and a list of ends."""
    starts, ends = [], []
    for a in sorted(accesses, key=lambda a: a.start):
        if a.flags & UNSPANNED or a.start >= a.end:
            continue
        if ends and a.start <= ends[-1]:
            ends[-1] = max(ends[-1], a.end)
        else:
            starts.append(a.start)
            ends.append(a.end)
    return starts, ends


def starts_in(a, busy):
    """Returns True if @a starts in one of the busy intervals. An access of length 0 gives False."""
    starts, ends = busy
    i = bisect.bisect_right(ends, a.start)
    return a.start < a.end and i < len(starts) and starts[i] <= a.start


def latencies(accesses):
    values = [a.latency for a in accesses]
    return {"accesses": len(values), "latency_sum_ns": sum(values),
            "latency_mean_ns": sum(values) / len(values) if values else None}


def expect_row(row, mine, others, what):
    span, both = union(mine), union(mine + others)
    shared = span + union(others) - both
    busy = parts(others)
    timed = [a for a in mine if a.timed]
    want = [latencies([a for a in timed if starts_in(a, busy) == is_shared]) for is_shared in (False, True)]
    means = [of["latency_mean_ns"] for of in want]
    expect_eq((row["span_ns"], row["alone_ns"], row["shared_ns"]), (span, span - shared, shared), what)
    expect_near(row["shared_fraction"] or 0, shared / span if span else 0, 1e-9, f"{what}: fraction")
    for key, of in zip(("alone", "shared"), want):
        for name, value in of.items():
            expect_near(row[key][name] or 0, value or 0, 1e-6 * (value or 0), f"{what}: {key}: {name}")
        expect_eq(row[key]["accesses"], of["accesses"], f"{what}: accesses {key}")
    expect_near(row["slowdown_ratio"] or 0, means[1] / means[0] if means[0] and means[1] is not None else 0, 1e-6,
                f"{what}: slowdown")


def expect_disk(seen, accesses, most):
    of = {group: [a for a in accesses if path_of(a.group) == group] for group in {path_of(a.group) for a in accesses}}
    ranks = [row["path"] for row in seen["cgroups"]]
    expect_eq(sorted(ranks), sorted(of), f"{seen['name']}: cgroups")
    joint = {(a, b): union(of[a]) + union(of[b]) - union(of[a] + of[b]) for a in of for b in of if a != b}
    for row in seen["cgroups"]:
        path = row["path"]
        expect_row(row, of[path], [a for a in accesses if path_of(a.group) != path], f"{seen['name']} {path}")
        longest = max([joint[path, b] for b in of if b != path], default=0)
        expect_eq(row["neighbour"] and row["neighbour"]["joint_ns"], longest or None, f"{path}: longest")
        if longest:
            expect_eq(joint[path, row["neighbour"]["path"]], longest, f"{path}: neighbour")
    expect_eq([r["shared_ns"] for r in seen["cgroups"]],
              sorted((r["shared_ns"] for r in seen["cgroups"]), reverse=True), "order")
    want = {str(i + 1): {"path": a, "joint": {str(k + 1): (b, joint[a, b]) for k, b in enumerate(ranks[:most]) if a != b}}
            for i, a in enumerate(ranks[:most])}
    expect_eq({rank: {"path": row["path"], "joint": {k: (v["path"], v["joint_ns"]) for k, v in row["joint"].items()}}
               for rank, row in (seen["matrix"] or {}).items()}, want if len(ranks) > 1 else {}, "matrix")


def expect_neighbours(document, accesses, most=8):
    moved = [a for a in accesses if a.layer == 2 and a.op < 2]
    expect_eq(sorted(d["name"] for d in document["neighbours"]),
              sorted({a.disk.partition("=")[0] for a in moved}), "disks")
    for seen in document["neighbours"]:
        mine = [a for a in moved if a.disk.partition("=")[0] == seen["name"]]
        expect_eq(seen["stacked"], mine[0].disk.endswith("*"), "stacked")
        expect_disk(seen, mine, most)
