#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""iospan bench beff by MPI-IO: if these fail, the two engines do not run the same benchmark,
or a run by mpirun leaves something behind."""
import filecmp
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../trace"))

from lib.beff import beff, expect_files, few_repetitions  # noqa: E402
from lib.ktap import *  # noqa: E402

PLAIN = IOSPAN.replace("/san/", "/")  # what MPI does with its memory is its own affair
SMALL = ("-T", "1", "--memory=1M")
WARNING = "iospan: warning: only the app layer is measured\n"


def needs_mpi():
    needs(shutil.which("mpirun"), "no mpirun (package mpich)")
    needs(os.path.exists(os.path.join(os.path.dirname(PLAIN), "libiospan-mpi.so")),
          "built without mpicc (package libmpich-dev)")


def mpirun(ranks, *options):
    return ["mpirun", "-n", str(ranks), PLAIN, "bench", "beff", directory(), "--engine=mpiio",
            *map(str, options)]


def directory():
    path = os.path.join(scratch_dir(), "mpi")
    os.makedirs(path, exist_ok=True)
    return path


def run(ranks, *options):
    done = subprocess.run(mpirun(ranks, *options, "--json"), capture_output=True, text=True,
                          check=False)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def side_by_side(uring, mpi):
    for one, other in zip(uring["partitions"], mpi["partitions"]):
        diagnostic(f"{one['processes']} ranks, MB/s: " + ", ".join(
            f"{access} " + " and ".join(
                f"{part['accesses'][access]['weighted_bytes_per_s'] / 1e6:.0f} by {found['engine']}"
                for found, part in ((uring, one), (mpi, other))) for access in ("write", "read")))


# The same bytes in files of the same names, and what they made of them.
@test(seconds=300)
def both_engines_write_the_same():
    needs_mpi()
    sizes = 1, 2, 3, 4
    repeat = few_repetitions(*sizes)
    status, uring, err = beff(repeat, "--keep")
    assert_eq((status, err), (0, ""), "status, stderr")
    status, mpi, err = run(4, repeat, "--keep")
    assert_eq((status, err), (0, WARNING), "status, stderr")
    expect_eq((mpi["repeated"], mpi["valid"]), (True, False), "repeated, valid")
    names = sorted(os.listdir(uring["files"]))
    expect_eq((len(names), sorted(os.listdir(mpi["files"]))), (4 * len(sizes) + sum(sizes), names),
              "names")
    same, differ, bad = filecmp.cmpfiles(uring["files"], mpi["files"], names, shallow=False)
    expect_eq((same, differ, bad), (names, [], []), "the same, not the same, unknown")
    side_by_side(uring, mpi)


@test(seconds=200)
def its_own_time_decides():
    needs_mpi()
    status, found, err = run(3, "-n", "2,3", "-T", "2", "--memory=1M", "--keep")
    assert_eq((status, err, found["complete"]), (0, WARNING, True), "status, stderr, complete")
    expect_true("MPICH" in found["engine_version"] or "Open MPI" in found["engine_version"],
                "version")
    expect_files(found, 0)
    expect_files(found, 1)
    part = found["partitions"][1]
    for access, of in part["accesses"].items():
        for kind in of["types"]:
            for p in kind["patterns"]:
                app, what = p["layers"]["app"], f"{access} {kind['type']} {p['chunk']}"
                expect_eq((app["accesses"], app["bytes"]), (3 * p["repetitions"], p["bytes"]), what)
                expect_le(app["span_ns"], p["elapsed_ns"], f"{what}: T")


@test(seconds=200)
def with_hints_and_without_a_shared_pointer():
    needs_mpi()
    hints = os.path.join(scratch_dir(), "hints")
    with open(hints, "w", encoding="ascii") as f:
        f.write("all all all on_open romio_cb_write disable\n"
                "all write scatter 1032 romio_ds_write disable\n"
                "2 all segmented 1024 romio_cb_read enable\n")
    status, found, _ = run(2, *SMALL, "-n", "2", "--no-shared-pointer", "--keep",
                           f"--hints={hints}")
    expect_eq([h["chunk"] for h in found["hints"]], ["on_open", "1032", "1024"], "hints")
    met = {c["name"]: c["met"] for c in found["criteria"]}
    expect_eq((status, met["shared_pointer"]), (0, False), "status, shared pointer")
    expect_files(found)


def protocol(ranks, *options):
    """A run on its way since its first line."""
    child = subprocess.Popen(mpirun(ranks, *options), stdout=subprocess.PIPE, text=True,
                             stderr=subprocess.PIPE, start_new_session=True)
    return child, child.stdout.readline()


def expect_gone(child):
    child.communicate()
    for _ in range(1000):
        if not os.listdir(directory()):
            break
        time.sleep(0.01)
    expect_eq(os.listdir(directory()), [], "files left")


def ranks_of(path):
    """The processes of the benchmark that work in that directory."""
    return [int(pid) for pid in filter(str.isdigit, os.listdir("/proc"))
            if re.match(rf"{PLAIN}\0bench\0beff\0{path}\0", read(f"/proc/{pid}/cmdline"))]


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read()
    except OSError:
        return ""


@test(seconds=120)
def interrupted():
    needs_mpi()
    child, line = protocol(2, "-n", "2", "-T", "30", "--memory=1M")
    for pid in ranks_of(directory()):
        os.kill(pid, signal.SIGTERM)
    out, _ = child.communicate()
    expect_true(line.startswith("n=2 a=write type=0 p=0 "), line)
    expect_true("interrupted: the result so far" in out, out[-500:])
    expect_gone(child)


@test(seconds=120)
def killed_it_leaves_nothing():
    needs_mpi()
    for which in 0, 1:
        child, _ = protocol(2, "-n", "2", "-T", "30", "--memory=1M")
        os.kill(sorted(ranks_of(directory()))[which], signal.SIGKILL)
        expect_gone(child)
        expect_eq(ranks_of(directory()), [], "processes left")


@test(seconds=60)
def more_processes_than_there_are():
    needs_mpi()
    status, found, err = run(2, "-n", "3", *SMALL)
    expect_true(status != 0 and not found, "status, result")
    expect_true("a partition has 3 processes, and mpirun started 2" in err, err)


@test()
def built_without_mpi():
    alone = shutil.copy(PLAIN, os.path.join(scratch_dir(), "iospan"))
    done = subprocess.run([alone, "bench", "beff", scratch_dir(), "--engine=mpiio"], text=True,
                          capture_output=True, check=False)
    needs("built without MPI" in done.stderr or done.returncode, "it is installed")
    expect_eq((done.returncode, done.stdout), (1, ""), "status, stdout")
    expect_true("this iospan was built without MPI" in done.stderr, done.stderr)


main()
