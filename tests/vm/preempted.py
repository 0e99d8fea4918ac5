#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests a fully preemptible kernel. If a BPF program is preempted, the kernel may skip further runs
of the program on this CPU until the preempted run has ended."""
import os
import re

from lib import kernel
from lib.ktap import *
from lib.measure import (expect_complete, make_file, measure, needs_backend, needs_features,
                         needs_workload, workload)

MIXED = workload("mixed")
MODE = "/sys/kernel/debug/sched/preempt"
THREADS, READS = 6, 20000


def mixed(backend):
    """Measures reads of several threads with full preemption. Checks the bytes of the counted
    reads. Returns (report, number of counted reads)."""
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
        # With the backend "auto", fentry traces page faults. The kernel may skip runs of this
        # program, so missed runs are no error.
        expect_complete(report, *(["missed_runs"] if backend == "auto" else []))


@test()
def kprobes_are_not_preempted():
    needs_backend("kprobe")
    report, accesses = mixed("kprobe")
    expect_eq(accesses, THREADS * READS, "reads")
    expect_complete(report, "missed_runs")  # of page faults, as above


# With fentry, reads may be missed. Missed reads must count as lost, and their bytes must not count
# for other reads.
@test()
def fentry_counts_missed_reads():
    needs_features("bpf_prog_fentry")
    report, accesses = mixed("fentry")
    expect_le(accesses, THREADS * READS, "reads")
    if accesses < THREADS * READS:
        expect_ge(report.losses["missed_runs"] + report.losses["call_ends"],
                  THREADS * READS - accesses, "missed reads")


main()
