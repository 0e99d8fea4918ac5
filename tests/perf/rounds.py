# SPDX-License-Identifier: GPL-2.0-or-later
"""Common functions of the benchmarks: they make a disk, build commands of fio, and print results.
Benchmarks run their loads in turns, so that other load of the machine hardly affects ratios."""
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager

from lib import kernel

BUILD = os.environ.get("IOSPAN_BUILD", "build")
IOSPAN = os.path.abspath(os.environ.get("IOSPAN", f"{BUILD}/iospan"))
ROUNDS = int(os.environ.get("ROUNDS", "5"))
SECONDS = int(os.environ.get("SECONDS_PER_ROUND", "3"))
DISK_BYTES = 512 << 20
DEPTH, BATCH = 32, 16


def tool(name):
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def need(*tools):
    missing = [t for t in tools if not tool(t)]
    if missing:
        sys.exit(f"bench: missing {', '.join(missing)}; 'make bench B=...' installs them")
    if os.geteuid():
        sys.exit("bench: needs root")


@contextmanager
def loop_disk():
    """Makes a loop disk in memory. It is so fast that the costs of tracing show."""
    with kernel.new_loop_disk(DISK_BYTES) as disk:
        kernel.set_scheduler(disk, "none")
        yield disk


def reads(disk):
    return int(kernel.read(kernel.of_disk(disk, "stat")).split()[0])


@contextmanager
def started(argv, at_end=signal.SIGTERM, stdout=subprocess.DEVNULL):
    """Starts a program in a process group of its own. At the end of the with block, sends the
    signal @at_end to the group, even if this process is killed."""
    process = subprocess.Popen(argv, process_group=0, text=True, stdin=subprocess.DEVNULL,
                               stdout=stdout, stderr=subprocess.DEVNULL)
    try:
        with kernel.undone(lambda: os.killpg(process.pid, at_end)):
            yield process
    finally:
        process.wait()


@contextmanager
def attached(n, *argv):
    """Runs a tracer. Yields the ids of its BPF programs as soon as it has @n of them."""
    with started(argv) as p:
        while len(ids := kernel.bpf_ids(p.pid, "prog")) < n:
            time.sleep(0.1)
            if p.poll() is not None:
                sys.exit(f"bench: {argv[0]} failed")
        yield ids


def fio(disk, batch, *options):
    """Returns an fio command for random reads. fio submits more reads only when @batch reads have
    completed; the default of fio is 1."""
    return ["fio", "--name=bench", f"--filename={disk}", "--rw=randread", "--bs=4k",
            "--direct=1", "--ioengine=io_uring", f"--iodepth={DEPTH}",
            f"--iodepth_batch_submit={batch}", f"--iodepth_batch_complete_min={batch}",
            "--fixedbufs", "--registerfiles", "--norandommap", "--randrepeat=0",
            "--time_based", f"--runtime={SECONDS}", "--output-format=json", *options]


def fio_reads(command):
    return json.loads(subprocess.check_output(command))["jobs"][0]["read"]


def fio_iops(command):
    return fio_reads(command)["iops"]


def line(name, values, unit="", digits=1):
    mid = statistics.median(values)
    spread = (max(values) - min(values)) / mid * 100 if mid else 0
    print(f"  {name:<44}{mid:>12.{digits}f} {unit:<10} spread {spread:5.1f} %", flush=True)


def ratio(name, values, others):
    line(name, [a / b for a, b in zip(values, others)], "", 3)
