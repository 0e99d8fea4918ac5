#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""A completion in an interrupt, while another one is looked at on that CPU: the kernel
does not run the program again. If this fails, what it left out is not told, or lost."""
import os
import subprocess
from contextlib import ExitStack, contextmanager

from lib import kernel
from lib.ktap import *
from lib.measure import fio_result, measure, needs_run

CONFIG = "/sys/kernel/config/nullb"
IN_TASK, IN_INTERRUPT = "0", "2"  # irqmode: where a disk's requests are completed
LOAD = ("--direct=1", "--bs=4k", "--rw=randread", "--time_based", "--runtime=3",
        "--norandommap=1", "--cpus_allowed=0", "--ioengine=io_uring", "--iodepth=16")


def write(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


@contextmanager
def null_disk(name, irqmode):
    folder = os.path.join(CONFIG, name)
    os.mkdir(folder)
    with kernel.undone(lambda: os.rmdir(folder)):
        for key, value in (("irqmode", irqmode), ("queue_mode", "2"), ("size", "1000"),
                           ("completion_nsec", "20000"), ("power", "1")):
            write(os.path.join(folder, key), value)
        # older kernels name the disk by its number
        with open(os.path.join(folder, "index"), encoding="ascii") as f:
            names = name, "nullb" + f.read().strip()
        disk = next(n for n in names if os.path.isdir(f"/sys/block/{n}"))
        with open(f"/sys/block/{disk}/dev", encoding="ascii") as f:
            number = os.makedev(*map(int, f.read().split(":")))
        device = os.path.join(scratch_dir(), disk)
        os.mknod(device, 0o60600, number)
        yield device


@test(seconds=240)
def told_and_repaired():
    needs_run("fio")
    subprocess.run(["modprobe", "null_blk", "nr_devices=0"], check=False,
                   capture_output=True)
    if not os.path.isdir("/sys/kernel/config/nullb") and os.path.isdir("/sys/kernel/config"):
        subprocess.run(["mount", "-t", "configfs", "none", "/sys/kernel/config"],
                       check=False, capture_output=True)
    needs(os.path.isdir(CONFIG), "needs null_blk with configfs")
    with ExitStack() as stack:
        one = stack.enter_context(null_disk("iospan-task", IN_TASK))
        other = stack.enter_context(null_disk("iospan-interrupt", IN_INTERRUPT))
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
    seen = sum(d["operations"]["read"]["accesses"] for d in report.disks.values()
               if "iospan" in d["name"] or d["name"].startswith("nullb"))
    expect_eq(seen, fio_result(out)["read"][0], "accesses")


main()
