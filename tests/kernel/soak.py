#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs iospan for a long time, while disks and cgroups are created and removed. The memory of
iospan must not grow. IOSPAN_SOAK_SECONDS sets the time; `make soak` takes an hour."""
import json
import os
import random
import subprocess
import time
from contextlib import nullcontext, suppress

from lib import kernel
from lib.ktap import *
from lib.measure import expect_complete, measure, needs_run

SANITISED = os.path.basename(BUILD) == "san"
SECONDS = int(os.environ.get("IOSPAN_SOAK_SECONDS", 20))
SAMPLE_S = 5
GROWTH = 512 << 10  # permitted growth in bytes; a leak exceeds it even in the shortest soak


def number_after(word, path):
    with open(path, encoding="ascii", errors="replace") as f:
        return next((int(line.split()[1]) for line in f if line.startswith(word)), 0)


def user_memory(pid):
    """Returns the anonymous memory of the process in bytes. Mapped pages of BPF maps do not
    count."""
    return number_after("RssAnon:", f"/proc/{pid}/status") << 10


def kernel_memory(pid):
    """Returns the size of the process's BPF objects in bytes."""
    total = 0
    for fd in os.listdir(f"/proc/{pid}/fd"):
        with suppress(FileNotFoundError):
            total += number_after("memlock:", f"/proc/{pid}/fdinfo/{fd}")
    return total


def watched(argv, **options):
    """Runs @argv. Returns (its result, samples). A sample is (user memory, kernel memory) in bytes,
    taken every SAMPLE_S seconds."""
    samples = []
    with subprocess.Popen(argv, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **options) as child:
        while True:
            try:
                out, err = child.communicate(timeout=SAMPLE_S)
                break
            except subprocess.TimeoutExpired:
                samples.append((user_memory(child.pid), kernel_memory(child.pid)))
    return subprocess.CompletedProcess(argv, child.returncode, out, err), samples


def expect_flat(samples, what):
    """Checks that the memory does not grow after the first quarter of the samples. In the first
    quarter, it may grow, because iospan uses some memory for the first time."""
    later = samples[len(samples) // 4:]
    diagnostic(f"{what}: {samples[0]} bytes, then {later[0]} .. {later[-1]}, "
               f"at most {max(samples)}")
    expect_ge(later[0], 64 << 10, f"{what}: is measurable")
    expect_le(max(later) - later[0], GROWTH, f"{what}: growth")


def add_up(rounds, key):
    sums = {}
    for one in rounds:
        total = sums.setdefault(one[key], {})
        for op, values in one["counted"].items():
            total[op] = tuple(a + b for a, b in zip(total.get(op, (0, 0)), values))
    return sums


def expect_disks(report, rounds):
    for name, operations in add_up(rounds, "disk").items():
        row = report.disks.get(name, {"operations": {}})
        for op, (accesses, size) in operations.items():
            seen = row["operations"].get(op, {"accesses": 0, "bytes": 0})
            expect_eq((seen["accesses"], seen["bytes"]), (accesses, size), f"{name} {op}")


# The row of a cgroup must have at least the kernel's counts for the load. It may also have reads of
# program files on other disks.
def expect_groups(report, rounds):
    rows = {row["path"]: row["layers"]["device"] for row in report.document["cgroups"]}
    for one in rounds:
        counted = [one["counted"][op] for op in ("read", "write")]
        row = rows.get("/" + one["group"], {"accesses": 0, "bytes": 0})
        for key, n in zip(("accesses", "bytes"), map(sum, zip(*counted))):
            expect_ge(row[key], n, f"group {one['group']}, {one['disk']}, {one['job']}: {key}")


def disk_without_requests():
    """Makes a zram disk, which gets bios without requests. iospan follows bios only if a disk of
    this kind exists. This disk exists from the start, so iospan also sees all bios of later zram
    disks."""
    if os.path.exists("/sys/class/zram-control/hot_add"):
        return kernel.zram_disk(1 << 20)
    return nullcontext()


@test(seconds=SECONDS + 120, long=True)
def devices_and_groups_come_and_go():
    needs_run("fio")
    seed = int(os.environ.get("IOSPAN_SOAK_SEED", random.randrange(1 << 30)))
    diagnostic(f"seed {seed}, {SECONDS} s")
    began = time.monotonic()
    with disk_without_requests():
        report, out, samples = measure(["tests/kernel/soak-load.py", str(seed),
                                        str(SECONDS)],
                                       "--by=cgroup", f"--max-groups={SECONDS * 4 + 100}",
                                       run=watched)
    rounds = json.loads(out)
    diagnostic(f"{len(rounds)} disks and groups, {report.layers['device']['accesses']} "
               f"accesses, {time.monotonic() - began:.0f} s; losses {report.lost()}; "
               f"{'; '.join(report.notes)}")
    expect_complete(report)
    expect_disks(report, rounds)
    expect_groups(report, rounds)
    expect_ge(len(rounds), SECONDS // 5, "disks and groups")
    layer = report.layers["device"]
    expect_le(layer["span_ns"], report.document["elapsed_ns"], "T, against elapsed")
    if not SANITISED:  # AddressSanitizer keeps freed memory, so memory always grows
        expect_flat([user for user, _ in samples], "memory of the command")
    expect_flat([kernel for _, kernel in samples], "memory of its maps")


main()
