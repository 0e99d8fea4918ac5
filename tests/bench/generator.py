# SPDX-License-Identifier: GPL-2.0-or-later
"""What `iospan bench load` gets out of a disk, beside fio and t/io_uring.

All read 4 KiB at random places of the same disk: one thread, io_uring, depth 32, 16
handed over in a call, which comes back when 16 have ended if the depth does not allow for
16 more; file and buffers are registered, no polling. iospan and fio take response times,
with their histogram, iospan the span as well; t/io_uring takes nothing. It is part of
fio's source and of no package: $T_IO_URING is one that somebody built, without it there
are no rows of it. The kernel counts: by what it says of the disk, after a warm-up.

zram costs next to nothing, as nothing was written to it. It does not promise not to wait,
so io_uring gives its requests to threads of its own. A loop device (without direct I/O)
works in threads of the kernel."""
import json
import os
import signal
import subprocess
import sys
import time

from rounds import (BATCH, DEPTH, DISK_BYTES, IOSPAN, ROUNDS, SECONDS, fio, fio_iops, line,
                    loop_disk, need, ratio)

from lib import kernel

WARM_UP_S = 0.5
T_IO_URING = os.environ.get("T_IO_URING")


def load(disk, *options):
    return [IOSPAN, "bench", "load", disk, f"--unique-bytes={DISK_BYTES}",
            f"--depth={DEPTH}", f"--batch={BATCH}", *options]


def t_io_uring(disk):
    return [T_IO_URING, f"-d{DEPTH}", f"-s{BATCH}", f"-c{BATCH}", "-b4096", "-B1", "-F1",
            "-p0", "-R1", "-n1", disk]


def reads(disk):
    return int(kernel.read(kernel.of_disk(disk, "stat")).split()[0])


def rate(disk, command):
    """Reads per second while this runs; it would run for longer."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        time.sleep(WARM_UP_S)
        start, before = time.monotonic(), reads(disk)
        time.sleep(SECONDS)
        end, after = time.monotonic(), reads(disk)
        if process.poll() is not None:
            sys.exit(f"bench: {command[0]} ended before its time")
        process.send_signal(signal.SIGINT)
    return (after - before) / (end - start)


def rates(title, disk):
    commands = {"iospan bench load": load(disk, "--time=1h"),
                "fio": fio(disk, BATCH, "--runtime=1h")}
    if T_IO_URING:
        commands["t/io_uring"] = t_io_uring(disk)
    found = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            found[name].append(rate(disk, command))
    print(f"Load generator: 4 KiB random reads, depth {DEPTH}, {BATCH} at a time, {title}")
    for name, values in found.items():
        line(name, values, "IOPS", 0)
    ours = found["iospan bench load"]
    ratio("iospan bench load / fio (reach: 1.4)", ours, found["fio"])
    if T_IO_URING:
        ratio("iospan bench load / t/io_uring (reach: 0.95)", ours, found["t/io_uring"])


def null_iops(disk):
    text = subprocess.check_output(load(disk, "--engine=null", f"--time={SECONDS}s", "--json"),
                                   stderr=subprocess.DEVNULL)
    return json.loads(text)["layers"]["app"]["iops"]


def own_cost(disk):
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(1e9 / null_iops(disk))
        theirs.append(1e9 / fio_iops(fio(disk, BATCH, "--ioengine=null",
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
