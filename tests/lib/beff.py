# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs `iospan bench beff`, and computes the expected content of its files from the definition of
b_eff_io. A rank is a process, and a partition is a group of ranks. A pattern repeats calls with one
chunk size; its type arranges the chunks of the ranks in the files. An access method is write,
rewrite or read."""
import array
import glob
import json
import os
import subprocess
import sys
import time

from lib import kernel
from lib.ktap import *

K, M = 1024, 1 << 20
WRITTEN, REWRITTEN = 0, 1

# Table 1 of the b_eff_io paper, in the order of revision 2.1: (bytes of a chunk, bytes of a call).
# The paper calls them l and L. None stands for the paper's M_PART, which depends on the size of the
# memory.
SCATTER = [(M, M), (None, None), (M, 2 * M), (M, M), (32 * K, M), (K, M),
           (32 * K + 8, M + 256), (K + 8, M + 8 * K), (M + 8, M + 8)]
OTHERS = [(l, l) for l in (M, None, M, 32 * K, K, 32 * K + 8, K + 8, M + 8)]
TYPES = ("scatter", "shared", "separated", "segmented", "seg_coll")


def table(kind, mpart, filler):
    rows = SCATTER if kind == "scatter" else OTHERS
    rows = [(l or mpart, call or mpart) for l, call in rows]
    return rows + [(filler, filler)] * (kind in ("segmented", "seg_coll"))


def first_pattern(kind):
    return sum(len(table(before, M, 0)) for before in TYPES[:TYPES.index(kind)])


def stamp(rank, access, pattern, k, last):
    return (rank + 1) << 48 | last << 46 | pattern << 40 | access << 38 | k


def mix(z):
    mask = (1 << 64) - 1
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & mask
    z = (z ^ z >> 27) * 0x94d049bb133111eb & mask
    return z ^ z >> 31


class Chunks:
    """The chunks of one rank, pattern and access method. Only their first and last 8 bytes differ:
    the stamps."""

    def __init__(self, rank, access, pattern, size):
        base, step = stamp(rank, access, pattern, 0, 0), 0x9e3779b97f4a7c15
        self.head = rank, access, pattern
        self.body = array.array("Q", (mix(base + (i + 1) * step & (1 << 64) - 1)
                                      for i in range(1, size // 8 - 1))).tobytes()

    def chunk(self, k):
        first, last = (stamp(*self.head, k, end).to_bytes(8, sys.byteorder) for end in (0, 1))
        return first + self.body + last


def walk(kind, ranks, mpart, segment, repetitions):
    """Yields (file, rank, pattern, size, k) of each chunk, in the order of files and offsets. k is
    the number of earlier chunks of the same rank and pattern."""
    used = sum(n * call for n, (_, call) in zip(repetitions, table(kind, mpart, 0)))
    rows = list(enumerate(zip(table(kind, mpart, segment - used), repetitions)))
    if kind in ("scatter", "shared"):
        for pattern, ((size, call), n) in rows:
            for k in range(n * call // size):
                for rank in range(ranks):
                    yield 0, rank, pattern, size, k
        return
    for rank in range(ranks):
        for pattern, ((size, _), n) in rows:
            for k in range(n):
                yield rank if kind == "separated" else 0, rank, pattern, size, k


def segment_of(mpart, repetitions):
    """Returns (repetitions, bytes) of a segment in types 3 and 4 (segmented, seg_coll).
    @repetitions: a list for each of types 0 to 2, with the repetitions that each pattern reached.
    The benchmark derives the repetitions in types 3 and 4 from these lists."""
    scatter, shared, separated = repetitions
    scatter = scatter[:2] + scatter[3:]
    per_call = [call // l for l, call in SCATTER[:2] + SCATTER[3:] if l]
    per_call.insert(1, 1)
    most = [min(a * c, 10 * b, d) for a, c, b, d in zip(scatter, per_call, shared, separated)]
    most[0] = 1
    used = sum(n * (l or mpart) for n, (l, _) in zip(most, OTHERS))
    return most + [1], -(-used // M) * M


def names(directory, index, ranks, kind):
    base = f"{directory}/b_eff_io_data_i{index:02}_{ranks:03}_{TYPES.index(kind)}"
    return [f"{base}.{r:03}" for r in range(ranks)] if kind == "separated" else [base]


def expect_files(found, index=0):
    """Checks each byte of the files that a run with --keep has left."""
    part = found["partitions"][index]
    ranks, mpart = part["process_count"], found["mpart_bytes"]
    counts = {t["type"]: [p["repetitions"] for p in t["patterns"]]
              for t in part["access_methods"]["write"]["types"]}
    wanted, segment = segment_of(mpart, [counts[kind] for kind in TYPES[:3]])
    expect_eq((counts["segmented"], counts["seg_coll"], part["segment_bytes"]),
              (wanted, wanted, segment), "repetitions of segments, their size")
    for kind in TYPES:
        access = REWRITTEN if kind == "scatter" or found["rewrite_all"] else WRITTEN
        files = [open(name, "rb") for name in names(found["kept_directory"], index, ranks, kind)]
        made, wrong = {}, 0
        for number, rank, pattern, size, k in walk(kind, ranks, mpart, segment, counts[kind]):
            if not size:
                continue
            key = rank, pattern
            if key not in made:
                made[key] = Chunks(rank, access, first_pattern(kind) + pattern, size)
            wrong += files[number].read(size) != made[key].chunk(k)
        expect_eq((wrong, [f.read(1) for f in files]), (0, [b""] * len(files)),
                  f"{ranks} ranks, {kind}: wrong chunks, bytes after the last one")
        for f in files:
            f.close()


def beff(*options, **how):
    """Returns (status, document or None, stderr). Checks that files remain only with --keep."""
    directory = os.path.join(scratch_dir(), "data")
    os.makedirs(directory, exist_ok=True)
    done = subprocess.run([IOSPAN, "bench", "beff", directory, *map(str, options), "--json"],
                          capture_output=True, text=True, check=False, **how)
    found = json.loads(done.stdout) if done.stdout else None
    kept = [os.path.basename(found["kept_directory"])] if found and found.get("kept_directory") else []
    expect_eq(os.listdir(directory), kept, "files left")
    return done.returncode, found, done.stderr


def each_pattern(found):
    for part in found["partitions"]:
        for access, of in part["access_methods"].items():
            for kind in of["types"]:
                for pattern in kind["patterns"]:
                    yield part, access, kind, pattern


def expect_extensions(found, *sizes):
    """Checks the reads that --extensions adds, for partitions with @sizes processes. The
    benchmark's result, b_eff_io, must not include the bytes of these reads."""
    rows = found["extensions"]
    expect_eq([(row["process_count"], row["extension"], row["chunk"]) for row in rows],
              [(n, name, chunk) for n in sizes for name in ("random", "random_write", "same")
               for chunk in ("1k", "32k", "1M")], "rows")
    for row in rows:
        calls = row["repetitions"] * row["process_count"]
        app, vfs = (row["layers"][layer] for layer in ("app", "vfs"))
        expect_eq((row["bytes"], row["errors"]), (calls * row["chunk_bytes"], 0), str(row))
        expect_eq((app["accesses"], app["bytes"], vfs["bytes"]),
                  (calls, row["bytes"], row["bytes"]), "app, vfs")
    for part in found["partitions"]:
        patterns = [p for kind in part["access_methods"]["read"]["types"] for p in kind["patterns"]]
        expect_eq(sum(p["bytes"] for p in patterns), part["access_methods"]["read"]["bytes"],
                  "bytes of the defined patterns only")


def logged(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="ascii") as f:
        return [json.loads(line) for line in f if line.endswith("\n")]


def groups_of(pid):
    trees = filter(None, (kernel.mounted("cgroup2"), kernel.mounted("cgroup", "blkio")))
    return [path for top in trees
            for path in glob.glob(f"{top}/**/iospan-{pid}-*", recursive=True)]


def wait_until_gone(left):
    """Waits until left() returns nothing, such as ([], []). Only the time limit of the test limits
    the wait, because a busy machine may be slow."""
    found = None
    try:
        while any(found := left()):
            time.sleep(0.01)
    except SystemExit:
        fail(f"left: {found}")
        raise


def open_to_all(directory):
    for path, mode in ((directory, 0o777), (scratch_dir(), 0o755),
                       (os.path.dirname(scratch_dir()), 0o755)):
        os.chmod(path, mode)


def few_repetitions(*sizes, most=4):
    """Returns an option that limits each pattern to @most repetitions, so that the files stay
    small. @sizes: number of processes of each partition."""
    _, found, _ = beff("--partitions", 1, "-t", 1, "--memory=1M")
    for access in found["partitions"][0]["access_methods"].values():
        for kind in access["types"]:
            for i, pattern in enumerate(kind["patterns"]):
                pattern["repetitions"] = min(pattern["repetitions"], 1 + i % most)
    found["partitions"] = [{**found["partitions"][0], "process_count": n} for n in sizes]
    name = os.path.join(scratch_dir(), "few.json")
    with open(name, "w", encoding="ascii") as f:
        json.dump(found, f)
    return f"--like={name}"


class Attack:
    """An attack by the owner of the target's directory. The benchmark must not change files of the
    victim, another user."""

    def __init__(self):
        needs(root(), "needs root, to work in a directory of another user")
        self.dir, self.victim = (os.path.join(scratch_dir(), name) for name in ("data", "victim"))
        for path in self.dir, self.victim:
            os.makedirs(path, exist_ok=True)
        os.chown(self.dir, 65534, 65534)
        with open(os.path.join(self.victim, "precious"), "w", encoding="ascii"):
            pass

    def replace(self, pid):
        """Renames the benchmark's directory. In its place, makes a link to the directory of the
        victim, another user."""
        [name] = [name for name in os.listdir(self.dir) if name.startswith(f"iospan-beff-{pid}-")]
        os.rename(os.path.join(self.dir, name), os.path.join(self.dir, "stolen"))
        os.symlink(self.victim, os.path.join(self.dir, name))
        return name

    def expect_held(self, link):
        expect_eq(os.listdir(self.victim), ["precious"], "files of the victim")
        expect_eq(os.listdir(self.dir), [link], "files of the benchmark")
