# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs `iospan bench sets`, and compares the accesses of its runs with the accesses that the runs
should make. A set is an experiment with cases; a case has several runs. In set 4, processes read
regions of a file with holes between them; data sieving reads windows that include the holes."""
import csv
import glob
import io
import json
import math
import os
import subprocess

from .ktap import *
from .mpi import PLAIN

K, M = 1024, 1 << 20
LAYERS = "app", "vfs", "device"
SMALL = "--scale=0.0005"  # the sets then read 8 to 32 MiB


def each_run(found):
    for of in found["sets"]:
        for case in of["cases"]:
            for run in case["runs"]:
                yield of, case, run


def expect_same(seen, expected, what):
    if seen is None or expected is None:
        expect_eq(seen, expected, what)
    else:
        expect_true(math.isclose(seen, expected, rel_tol=1e-9, abs_tol=1e-9),
                    f"{what}: {seen} is {expected}")


def by_definition(layer, elapsed_ns):
    accesses, size, span = layer["accesses"], layer["bytes"], layer["span_ns"]
    return {"iops": accesses / elapsed_ns * 1e9, "bandwidth_bytes_per_second": size / elapsed_ns * 1e9,
            "bps": size / 512 / span * 1e9 if span else None}


def expect_definitions(found):
    for of, case, run in each_run(found):
        for name in LAYERS:
            layer = run["layers"][name]
            for key, value in by_definition(layer, run["elapsed_ns"]).items():
                expect_same(layer[key], value, f"set {of['set']}, {case['case']}: {name} {key}")
        # Only the app layer has the latencies of all accesses. The other layers lack the latencies
        # of accesses that are in flight at the end.
        app = run["layers"]["app"]
        expect_same(app["latency_mean_ns"], app["latency_sum_ns"] / app["accesses"], "ARPT")


def expect_case(of, case, run):
    app, vfs = (run["layers"][layer] for layer in ("app", "vfs"))
    what = f"set {of['set']}, {case['case']}"
    expect_eq((app["bytes"], app["errors"]), (case["bytes"], 0), f"{what}: bytes, errors")
    expect_eq(app["accesses"], case["bytes"] // case["request_bytes"], f"{what}: requests")
    if of["set"] != "4":
        expect_eq((vfs["accesses"], vfs["bytes"]), (app["accesses"], app["bytes"]), f"{what}: vfs")


def recorded(argv, path):
    """Returns (output, recorded reads of the file and of devices). On a busy machine, iospan may
    state that the trace lacks accesses. Then records the command again."""
    trace = os.path.join(scratch_dir(), "trace")
    for _ in range(5):
        done = subprocess.run([IOSPAN, "record", "--force", "-o", trace, "--", *argv],
                              capture_output=True, text=True, check=False)
        assert_eq(done.returncode, 0, f"status ({done.stderr})")
        if "iospan: warning: lost: " not in done.stderr:
            break
    text = subprocess.run([IOSPAN, "export", "--format=csv", trace], capture_output=True,
                          text=True, check=True).stdout
    for name in glob.glob(f"{trace}*"):
        os.unlink(name)
    inode = str(os.stat(path).st_ino)
    return done.stdout, [row for row in csv.DictReader(io.StringIO(text)) if row["op"] == "read"
                         and (row["inode"] == inode or row["layer"] == "device")]


class Recording:
    """A run of `iospan bench sets`, with the recorded accesses to its file. found: the result of
    the benchmark."""

    def __init__(self, *options, path, launcher=()):
        text, self.rows = recorded([*launcher, PLAIN, "bench", "sets", *map(str, options), path,
                                    "--json"], path)
        self.found = json.loads(text)

    def of(self, run):
        """Returns {layer: [(start, end, bytes, offset, pid, part)]} with the accesses of the
        processes that read in the run. part is 1 if the record is only a part of an access. A
        kernel thread may issue requests for these processes. So the key "disks" has the device
        accesses of all processes."""
        begin, after = run["start_ns"], min(
            (other["start_ns"] for _, _, other in each_run(self.found)
             if other["start_ns"] > run["start_ns"]), default=math.inf)
        found = {layer: [] for layer in LAYERS}
        for row in self.rows:
            if begin <= int(row["start_ns"]) < after:
                found[row["layer"]].append(
                    (int(row["start_ns"]), int(row["end_ns"]), int(row["bytes"]),
                     int(row["offset_bytes"] or 0), int(row["pid"]), int(row["part"])))
        readers = {access[4] for access in found["vfs"]}
        return {"disks": found["device"],
                **{layer: sorted(access for access in accesses if access[4] in readers)
                   for layer, accesses in found.items()}}


def windows(regions, size, spacing, buffer, number, procs, romio=False):
    """Returns [(offset, bytes)] of the reads of process @number with data sieving. Each read takes
    a window of up to @buffer bytes. The last window ends where the last region ends. If the MPI-IO
    library makes the reads (@romio), a window that starts within a region may extend beyond the
    last region."""
    stride = (size + spacing) * procs
    wanted = [(number * (size + spacing) + i * stride, size) for i in range(regions)]
    last = wanted[-1][0] + size
    if not buffer:
        return wanted
    found, reached = [], 0
    for start, length in wanted:
        while reached < start + length:
            begin = max(start, reached)
            reached = min(begin + buffer, last + (begin - start) * romio)
            found.append((begin, reached - begin))
    return found


def expect_two_phases(recording, buffer):
    """Checks two-phase I/O: together, the processes must read everything from the first wanted byte
    to the last, and nothing twice."""
    for _, case, run in each_run(recording.found):
        regions, step = case["bytes"] // 256, 256 + case["spacing_bytes"]
        end = regions * step - case["spacing_bytes"]
        reads = [(offset, size) for _, _, size, offset, _, _ in recording.of(run)["vfs"]]
        expect_true(sorted(reads) == [(at, min(buffer, end - at)) for at in
                                      range(0, end, buffer)], f"{case['case']}: {reads[:3]}")


REGIONS = int(4096000 * 0.0005)  # regions of a process in set 4, with SMALL


def expect_windows(recording, buffer, procs, romio=False):
    """Checks the data sieving of set 4: each process must read the windows of its own regions."""
    for _, case, run in each_run(recording.found):
        expect_eq(case["bytes"], procs * REGIONS * 256, "bytes of all processes")
        vfs = recording.of(run)["vfs"]
        pids = list(dict.fromkeys(access[4] for access in vfs))
        expect_eq(len(pids), procs, "processes")
        seen = sorted([(offset, size) for _, _, size, offset, of, _ in vfs if of == pid]
                      for pid in pids)
        expect_true(seen == sorted(windows(REGIONS, 256, case["spacing_bytes"], buffer, i, procs,
                                           romio) for i in range(procs)),
                    f"buffer {buffer}, spacing {case['case']}: {[part[:3] for part in seen]}")
