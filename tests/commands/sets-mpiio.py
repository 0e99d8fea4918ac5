#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests iospan bench sets with --engine=mpiio, which reads by the MPI library. Data sieving reads
whole windows of a file, which contain the wanted regions and the holes between them."""
import json
import os
import signal
import subprocess
import time

from lib.ktap import *
from lib.measure import make_file, needs_run
from lib.mpi import build_preload, by_mpi, mpirun, needs_mpi, ranks_at_work
from lib.sets import (M, Recording, SMALL, each_run, expect_case,
                      expect_definitions, expect_two_phases, expect_windows)


@test()
def cases_are_those_of_the_paper():
    needs_run()
    needs_mpi()
    status, found, err = by_mpi(5, "sets", scratch_dir(), SMALL, "--count=1", "--procs=3")
    assert_eq((status, err, found["complete"]), (0, "", True), "status, stderr, complete")
    expect_eq((found["engine"], found["collective"]), ("mpiio", False), "engine, collective")
    expect_true("MPICH" in found["engine_version"] or "Open MPI" in found["engine_version"],
                "version")
    expect_eq({of["set"]: [(c["process_count"], c["file_count"]) for c in of["cases"]]
               for of in found["sets"]},
              {"3b": [(1, 1), (2, 1), (4, 1)], "4": [(3, 1)] * 10}, "sets")
    expect_definitions(found)
    for of, case, run in each_run(found):
        expect_case(of, case, run)
        expect_le(run["layers"]["vfs"]["span_ns"], run["elapsed_ns"], "T of vfs")
        expect_le(run["layers"]["app"]["span_ns"], run["elapsed_ns"], "T")
    expect_eq(os.listdir(scratch_dir()), [], "files left")


def recording(ranks, *options, path):
    return Recording("4", SMALL, "--count=1", "--engine=mpiio", *options, path=path,
                     launcher=("mpirun", "-n", str(ranks)))


# ROMIO, the MPI-IO library, makes the reads. For data sieving, it reads whole windows, each as
# large as its buffer.
@test()
def romio_reads_as_defined():
    needs_run()
    needs_mpi()
    path = make_file("data", 32 * M)
    for options, buffer, procs in (((), 4 * M, 1), (("--sieve=0",), 0, 1),
                                   (("--sieve=100000", "--procs", 2), 100000, 2)):
        expect_windows(recording(procs, *options, path=path), buffer, procs, romio=True)


@test()
def romio_reads_in_two_phases():
    needs_run()
    needs_mpi()
    path, buffer = make_file("data", 32 * M), 100000
    seen = recording(2, "--procs", 2, "--collective", f"--collective-buffer={buffer}", path=path)
    expect_eq((seen.found["collective"], seen.found["collective_buffer_bytes"]), (True, buffer),
              "collective, buffer")
    expect_two_phases(seen, buffer)


@test()
def a_file_that_only_one_process_cannot_open():
    needs_mpi()
    status, found, err = by_mpi(3, "sets", "4", scratch_dir(), SMALL, "--count=1", "--procs=3", "--collective", env={
        **os.environ, "LD_PRELOAD": build_preload("failing-open"), "FAILING_OPEN": "/fd/"})
    expect_eq((status, found, err), (1, None, "iospan: process 1 cannot read: Permission denied\n"),
              "status, result, message")


@test()
def a_signal_ends_it_with_the_result_so_far():
    needs_run()
    needs_mpi()
    child = subprocess.Popen([*mpirun(2, "sets", scratch_dir(), SMALL, "--count=1000"), "--json"],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(4)
    for pid in ranks_at_work("sets", scratch_dir()):
        os.kill(pid, signal.SIGTERM)
    out, err = child.communicate()
    needs(out or "interrupted" not in err, "this machine is too slow for a run in 4 s")
    assert_eq((child.returncode, err), (0, ""), "status, stderr")
    expect_eq(json.loads(out)["complete"], False, "complete")
    expect_eq((os.listdir(scratch_dir()), ranks_at_work("sets", scratch_dir())), ([], []), "files, processes left")


@test()
def wrong_usage():
    needs_mpi()
    for options, status, words in ((("2", "/tmp"), 2, "sets 3b and 4"),
                                   (("4", "/tmp", "--direct"), 2, "--direct"),
                                   (("4", "/tmp", "--procs", 2), 1, "mpirun started 1")):
        seen, found, err = by_mpi(1, "sets", *options)
        expect_eq((seen, found), (status, None), f"{options}: status, result")
        expect_true(words in err, f"{options}: {err}")


main()
