#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""A fully preemptible kernel: if this fails, calls whose begin or end the kernel has left out are
taken for one another, or are missing although nobody has asked for fentry."""
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
    """All of what it has read, and the report."""
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
        expect_complete(report, *(["missed_runs"] if backend == "auto" else []))  # of page faults


# The bytes of a read are those of that read, and what is missing is told.
@test()
def fentry_misses_and_says_so():
    needs_features("bpf_prog_fentry")
    report, accesses = mixed("fentry")
    expect_le(accesses, THREADS * READS, "reads")
    if accesses < THREADS * READS:
        expect_ge(report.losses["missed_runs"] + report.losses["call_ends"],
                  THREADS * READS - accesses, "left out")


main()
