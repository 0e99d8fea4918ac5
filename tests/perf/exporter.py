# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures the exporter: the time of a scrape with $GROUPS (1000) cgroups, each of which uses four
disks, and the CPU time of the exporter under load."""
import mmap
import os
import subprocess
import time
from contextlib import ExitStack

from rounds import IOSPAN, ROUNDS, SECONDS, line, need

from lib import kernel
from lib.cgroups import Groups

GROUPS = int(os.environ.get("GROUPS", "1000"))
DISKS = 4
SIZE = 64 << 20
FRESH_S = 1.1
IDLE_S = 20


def use_all(top, disks):
    """Makes GROUPS cgroups. A process in each of them reads and writes each disk once."""
    buffer = mmap.mmap(-1, 4096)
    fds = [os.open(disk, os.O_RDWR | os.O_DIRECT) for disk in disks]
    for n in range(GROUPS):
        os.mkdir(f"{top}/g{n}")
        if (pid := os.fork()) == 0:
            kernel.enter_groups([f"{top}/g{n}"])
            for fd in fds:
                os.preadv(fd, [buffer], 4096 * n)
                os.pwritev(fd, [buffer], 4096 * n)
            os._exit(0)
        os.waitpid(pid, 0)
    for fd in fds:
        os.close(fd)


def cpu_s(pid):
    fields = kernel.read("/proc", str(pid), "stat").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(pid):
    return int(kernel.read("/proc", str(pid), "statm").split()[1]) * mmap.PAGESIZE / 1e6


def scrape(url, pid, name, *options):
    """Scrapes @url repeatedly by curl with @options, and prints the mean time and size."""
    times, sizes, before = [], [], cpu_s(pid)
    for _ in range(2 * ROUNDS):
        time.sleep(FRESH_S)
        text = subprocess.check_output(["curl", "-s", "-o", "/dev/null", "-w",
                                        "%{time_total} %{size_download}", *options, url], text=True)
        seconds, size = text.split()
        times.append(float(seconds) * 1e3)
        sizes.append(int(size) / 1e6)
    line(f"{name} (reach: 100)", times, "ms")
    line("its processor time", [(cpu_s(pid) - before) / len(times) * 1e3], "ms", 0)
    line("its size", sizes, "MB")


def under_load(pid, groups, disk):
    """Runs a load on @disk. Returns (CPU time of the exporter per second, accesses per second)."""
    os.mkdir(f"{groups.top}/load")
    before = cpu_s(pid), int(kernel.read("/sys/block", os.path.basename(disk), "stat").split()[0])
    begin = time.monotonic()
    groups.start("/load", ["fio", "--name=x", f"--filename={disk}", "--ioengine=io_uring",
                           "--rw=randread", "--bs=4k", "--direct=1", "--iodepth=16",
                           "--time_based", f"--runtime={SECONDS}"]).communicate()
    took = time.monotonic() - begin
    reads = int(kernel.read("/sys/block", os.path.basename(disk), "stat").split()[0]) - before[1]
    return (cpu_s(pid) - before[0]) / took, reads / took


def measure(groups, disks):
    argv = [IOSPAN, "exporter", "--listen=127.0.0.1:0", "--layers=vfs,device", *groups.options]
    with subprocess.Popen(argv, text=True, stdout=subprocess.PIPE) as child:
        url = child.stdout.readline().strip()
        memory = [resident_mb(child.pid)]
        use_all(groups.top, disks)
        print(f"Exporter: {GROUPS} cgroups that read and write {DISKS} disks, two layers")
        scrape(url, child.pid, "a scrape")
        scrape(url, child.pid, "a scrape with gzip", "--compressed")
        scraped = cpu_s(child.pid)
        memory.append(resident_mb(child.pid))
        time.sleep(IDLE_S)
        idle = (cpu_s(child.pid) - scraped) / IDLE_S
        loaded = under_load(child.pid, groups, disks[0])
        child.terminate()
    line("memory at the start", memory[:1], "MB", 0)
    line("memory after the scrapes", memory[1:], "MB", 0)
    line("the exporter, nobody asks", [idle], "CPUs", 3)
    line(f"the exporter, {loaded[1]:.0f} reads per s", [loaded[0]], "CPUs", 3)


def bench():
    need("fio", "curl")
    groups = Groups()
    with ExitStack() as stack:
        stack.enter_context(kernel.undone(groups.remove))
        measure(groups, [stack.enter_context(kernel.new_loop_disk(SIZE)) for _ in range(DISKS)])
