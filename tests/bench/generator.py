# SPDX-License-Identifier: GPL-2.0-or-later
"""What `iospan bench load` gets out of a disk, beside fio and t/io_uring.

All read 4 KiB at random places of the same disk: one thread, io_uring, depth 32, 16
handed over in a call, which comes back when 16 have ended if the depth does not allow for
16 more; file and buffers are registered, no polling. iospan and fio take response times,
with their histogram, iospan the span as well; t/io_uring takes nothing. It is part of
fio's source and of no package: $T_IO_URING is one that somebody built, without it there
are no rows of it.

zram completes a request in the thread that submits it, and nothing was written to it: the
disk costs next to nothing. A loop device (without direct I/O) works in threads of the
kernel."""
import json
import os
import re
import statistics
import subprocess

from rounds import (BATCH, DEPTH, DISK_BYTES, IOSPAN, ROUNDS, SECONDS, fio, fio_iops, line,
                    loop_disk, need, ratio)

from lib import kernel

T_IO_URING = os.environ.get("T_IO_URING")
RATE = re.compile(r"^IOPS=([\d.]+)([MK]?),", re.M)


def load_iops(disk, engine):
    text = subprocess.check_output(
        [IOSPAN, "bench", "load", disk, "--json", f"--unique-bytes={DISK_BYTES}",
         f"--engine={engine}", f"--depth={DEPTH}", f"--batch={BATCH}", "--warm-up=1s",
         f"--time={SECONDS}s"], stderr=subprocess.DEVNULL)
    return json.loads(text)["layers"]["app"]["iops"]


def t_io_uring_iops(disk):
    """It prints a rate per second, of three digits, none for the last; in the first it
    warms up."""
    text = subprocess.check_output(
        [T_IO_URING, f"-d{DEPTH}", f"-s{BATCH}", f"-c{BATCH}", "-b4096", "-B1", "-F1",
         "-p0", "-R1", "-n1", f"-r{SECONDS + 2}", disk], text=True)
    rates = [float(number) * {"M": 1e6, "K": 1e3, "": 1}[unit]
             for number, unit in RATE.findall(text)]
    return statistics.mean(rates[1:])


def rates(title, disk):
    ours, theirs, limit = [], [], []
    for _ in range(ROUNDS):
        ours.append(load_iops(disk, "uring"))
        theirs.append(fio_iops(fio(disk, BATCH, "--ramp_time=1")))
        if T_IO_URING:
            limit.append(t_io_uring_iops(disk))
    print(f"Load generator: 4 KiB random reads, depth {DEPTH}, {BATCH} at a time, {title}")
    line("iospan bench load", ours, "IOPS", 0)
    line("fio", theirs, "IOPS", 0)
    ratio("iospan bench load / fio (reach: 1.4)", ours, theirs)
    if T_IO_URING:
        line("t/io_uring", limit, "IOPS", 0)
        ratio("iospan bench load / t/io_uring (reach: 0.95)", ours, limit)


def own_cost(disk):
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(1e9 / load_iops(disk, "null"))
        theirs.append(1e9 / fio_iops(fio(disk, BATCH, "--ramp_time=1", "--ioengine=null",
                                         f"--size={DISK_BYTES}")))
    print("Load generator's own cost per request, engines that do nothing")
    line("iospan bench load (reach: 30)", ours, "ns")
    line("fio", theirs, "ns")


def bench():
    need("fio")
    with loop_disk() as disk:
        rates("loop device", disk)
    with kernel.zram_disk(DISK_BYTES) as disk:
        rates("zram", disk)
        own_cost(disk)
