#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests a fully preemptible kernel, which may skip runs of BPF programs."""
import os
import re

from lib import kernel
from lib.ktap import *
from lib.measure import (expect_complete, make_file, measure, needs_features,
                         needs_workload, workload)

MIXED = workload("mixed")
MODE = "/sys/kernel/debug/sched/preempt"
THREADS, READS = 6, 20000


def mixed(backend):
    """Returns (report, number of reads that it has). Checks the bytes of these reads."""
    needs(EMULATED and os.path.exists(MODE), "shown in a VM")
    needs_workload(MIXED)
    path = make_file("load", 4096)
    before = re.search(r"\((.*)\)", kernel.read(MODE))[1]
    with kernel.undone(lambda: kernel.write(before, MODE)):
        kernel.write("full", MODE)
        report, _ = measure([MIXED, path, str(THREADS), str(READS)], "--layers=vfs",
                            f"--backend={backend}")
    accesses, size = report.operation("vfs", "read")
    missed = {name: n for name, n in report.document["missed_runs"].items() if n}
    diagnostic(f"{accesses} of {THREADS * READS} reads; losses {report.lost()}; {missed}")
    expect_eq(size, 4096 * accesses, "bytes")
    return report, accesses


@test()
def tracepoints_are_not_preempted():
    for backend in "auto", "tracepoint":
        report, accesses = mixed(backend)
        expect_eq(accesses, THREADS * READS, backend)
        # with backend auto, the kernel may skip the program for page faults
        expect_complete(report, *(["missed_runs"] if backend == "auto" else []))


# The bytes of a read must not count for another read, and missed reads must count as lost.
@test()
def fentry_counts_missed_reads():
    needs_features("bpf_prog_fentry")
    report, accesses = mixed("fentry")
    expect_le(accesses, THREADS * READS, "reads")
    if accesses < THREADS * READS:
        expect_ge(report.losses["missed_runs"] + report.losses["call_ends"],
                  THREADS * READS - accesses, "missed reads")


main()
