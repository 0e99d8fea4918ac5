#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""soak-load.py SEED SECONDS: creates disks and cgroups, runs a load on each, and removes them.
Prints the kernel's counts for each disk as JSON:

  [{"disk": "loop8", "group": "0-17", "job": "--rw=read ...", "counted": {"read": [accesses, bytes],
"write": ...}}, ...]"""
import errno
import json
import os
import random
import subprocess
import sys
import time
from contextlib import ExitStack

from lib import kernel

WORKERS = 3
SIZE = 16 << 20
# {operation: (column of accesses, column of sectors)} of /sys/block/*/stat
COUNTERS = {"read": (0, 2), "write": (4, 6), "discard": (11, 13)}


def counted(name):
    values = [int(v) for v in kernel.read(kernel.of_disk(name, "stat")).split()]
    return {op: (values[n], values[sectors] << 9)
            for op, (n, sectors) in COUNTERS.items()}


def some_disk(dice):
    kinds = [kernel.loop_disk, kernel.new_loop_disk, kernel.new_loop_disk]
    if os.path.exists("/sys/class/zram-control/hot_add"):
        kinds.append(kernel.zram_disk)
    return dice.choice(kinds)(SIZE)


def some_job(dice, disk):
    return ["fio", "--name=load", f"--filename={disk}", "--allow_file_create=0",
            "--output=/dev/null", "--direct=1", "--norandommap=1", "--time_based=1",
            f"--size={SIZE}", f"--runtime={dice.randrange(200, 1500)}ms",
            f"--rw={dice.choice(('randread', 'randwrite', 'randrw', 'read', 'write'))}",
            f"--bs={dice.choice((4, 8, 64, 256))}k",
            f"--ioengine={dice.choice(('io_uring', 'libaio', 'psync'))}",
            f"--iodepth={dice.choice((1, 4, 32))}",
            f"--rate_iops={dice.randrange(1000, 15000)}",
            f"--randseed={dice.randrange(1 << 30)}"]


def one_round(dice, name, above):
    with ExitStack() as stack:
        disk = stack.enter_context(some_disk(dice))
        known = os.path.basename(disk)
        if schedulers := kernel.schedulers(disk):
            kernel.set_scheduler(disk, dice.choice(schedulers))
        groups = kernel.make_groups(above, name)
        stack.callback(kernel.remove_groups, groups)
        job = some_job(dice, disk)
        before = counted(known)
        subprocess.run(job, check=True, preexec_fn=lambda: kernel.enter_groups(groups))
        after = counted(known)
    return {"disk": known, "group": name, "job": " ".join(job[7:]),
            "counted": {op: [a - b for a, b in zip(after[op], before[op])] for op in after}}


def work(number, seed, until, to):
    dice = random.Random(seed * WORKERS + number)
    above = kernel.own_groups()
    rounds = 0
    with os.fdopen(to, "w", encoding="ascii") as f:
        while time.monotonic() < until:
            rounds += 1
            try:
                result = one_round(dice, f"{number}-{rounds}", above)
            except OSError as error:
                if error.errno != errno.EBUSY:
                    raise
                continue  # another process has taken the free loop device; tries again
            f.write(json.dumps(result) + "\n")


def main(seed, seconds):
    until = time.monotonic() + seconds
    reading, writing = os.pipe()
    children = []
    for number in range(WORKERS):
        children.append(os.fork())
        if not children[-1]:
            os.close(reading)
            work(number, seed, until, writing)
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="ascii") as f:
        rounds = [json.loads(line) for line in f]
    failed = [pid for pid in children if os.waitpid(pid, 0)[1]]
    print(json.dumps(rounds))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), float(sys.argv[2])))
