#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Creates and removes 50 cgroups per second beside an exporter, for $IOSPAN_CHURN_SECONDS or longer
on a slow machine. The memory of the exporter must not grow."""
import mmap
import os
import time

from lib import kernel
from lib.cgroups import Groups
from lib.ktap import *
from lib.measure import needs_run
from lib.openmetrics import Exporter, needs_parser

SANITISED = os.path.basename(BUILD) == "san"
SECONDS = int(os.environ.get("IOSPAN_CHURN_SECONDS", 48))
A_SECOND = 50
READS = 3
SIZE = 16 << 20
# Permitted growth of the exporter's memory in bytes, from the second quarter of a run to the fourth.
# Without a leak, the memory varies by 2 MiB. In a run of 48 s, half of a run has 1,200 cgroups, so
# a leak of 3.5 KiB for each cgroup fails. In a longer run, smaller leaks fail.
GROWTH = 4 << 20
# The exporter has room for only 400 cgroups. So it drops removed cgroups from the first seconds on.
OPTIONS = "--max-groups=400", "--keep-removed=3s"


def live(group, disk):
    """Runs in a short-lived process: enters the cgroup and makes some reads."""
    kernel.enter_groups([group])
    buffer = mmap.mmap(-1, 4096)
    fd = os.open(disk, os.O_RDONLY | os.O_DIRECT)
    for n in range(READS):
        os.preadv(fd, [buffer], n * 4096)


def churn(top, disk, many, look):
    """Creates @many cgroups one after another, runs a process in each, and removes the cgroup.
    Calls look() after each A_SECOND cgroups."""
    begin = time.monotonic()
    for born in range(many):
        while born >= (time.monotonic() - begin) * A_SECOND:
            time.sleep(0.002)
        group = f"{top}/g{born}"
        os.mkdir(group)
        if (pid := os.fork()) == 0:
            live(group, disk)
            os._exit(0)
        os.waitpid(pid, 0)
        kernel.remove_groups([group])
        if (born + 1) % A_SECOND == 0:
            look()


def memory(pid):
    """Returns the anonymous memory of the process in bytes. Mapped pages of BPF maps do not
    count."""
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        return next(int(line.split()[1]) << 10 for line in f if line.startswith("RssAnon:"))


@test(seconds=10 * SECONDS + 120, long=True)
def memory_does_not_grow():
    needs_run()
    needs_parser()
    groups, samples = Groups(), []
    with kernel.undone(groups.remove), kernel.loop_disk(SIZE) as disk, \
            Exporter(*OPTIONS, *groups.options) as exporter:
        def look():
            exporter.get()
            samples.append(memory(exporter.child.pid))
        begin, born = time.monotonic(), SECONDS * A_SECOND
        churn(groups.top, disk, born, look)
        took = time.monotonic() - begin
        seen = exporter.scrape()
    name = os.path.basename(disk)
    expect_eq(seen.sum("iospan_accesses_total", cgroup="/", device=name), born * READS, "accesses")
    diagnostic(f"{born} groups in {took:.0f} s; {seen.one('process_cpu_seconds_total'):.1f} s of "
               f"processor; {seen.one('iospan_cgroups', state='live'):.0f} live, "
               f"{seen.one('iospan_cgroups', state='removed'):.0f} gone")
    quarter = len(samples) // 4
    second, fourth = max(samples[quarter:2 * quarter]), max(samples[-quarter:])
    diagnostic("RssAnon, kB: " + " ".join(str(n >> 10) for n in
                                          samples[::max(len(samples) // 30, 1)]))
    if not SANITISED:  # AddressSanitizer keeps freed memory, so it hides the growth
        expect_le(fourth, second + GROWTH, "memory in the fourth quarter of the run")


main()
