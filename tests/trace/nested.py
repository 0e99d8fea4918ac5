#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""A completion in an interrupt, while another one is looked at on that CPU: the kernel
does not run the program again. If this fails, what it left out is not told, or lost."""
from lib import disks
from lib.ktap import *
from lib.measure import fio_result, measure, needs_run

IN_TASK, IN_INTERRUPT = 0, 2  # irqmode: where a disk's requests are completed
LOAD = ("--direct=1", "--bs=4k", "--rw=randread", "--time_based", "--runtime=3",
        "--norandommap=1", "--cpus_allowed=0", "--ioengine=io_uring", "--iodepth=16")


def null_disk(name, irqmode):
    return disks.null_disk(name, irqmode=irqmode, size=1000, memory_backed=0, discard=0)


@test(seconds=240)
def told_and_repaired():
    needs_run("fio")
    with (null_disk("iospan-task", IN_TASK) as one,
          null_disk("iospan-interrupt", IN_INTERRUPT) as other):
        report, out = measure(["fio", "--output-format=json", *LOAD, "--name=one",
                               f"--filename={one}", "--name=other",
                               f"--filename={other}"], "--layers=device")
    missed = report.document["missed_runs"]
    diagnostic(f"{missed['on_complete']} runs of on_complete left out")
    expect_eq(sum(missed.values()), report.losses["missed_runs"], "their sum")
    # the first ones are found later, the others by the program's twin
    found = report.losses["completions"] + report.losses["nested"]
    diagnostic(f"{report.losses['nested']} seen by its twin")
    expect_eq(found, missed["on_complete"], "completions found")
    if missed["on_complete"] > 100:
        expect_ge(report.losses["nested"], missed["on_complete"] // 2, "by the twin")
    seen = sum(report.disks[disks.name_of(disk)]["operations"]["read"]["accesses"]
               for disk in (one, other))
    expect_eq(seen, fio_result(out)["read"][0], "accesses")


main()
