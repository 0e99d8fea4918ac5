# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares `iospan bench load` with fio and t/io_uring. Each makes reads of 4 KiB at random
offsets, with one thread, io_uring, depth 32, at most 16 requests per call, registered file and
buffers, no polling. fio runs twice: with its default of one read per call, and with 16 reads.

iospan and fio keep a histogram of latencies. iospan also measures T, the time with at least one
request in flight. t/io_uring measures neither. It is only in fio's source, so without $T_IO_URING
it is left out. The loads run in turns; while one runs, the others are stopped. The kernel counts
the accesses and the CPU time. CPU time excludes kernel threads.

The disks: zram costs little CPU time, but does not support nowait, so io_uring uses worker threads.
A loop device works in kernel threads. null_blk costs least, so it shows the generators best. A VM
has null_blk: tests/vm/boot 6.12 -- make bench B=generator"""
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager, suppress

from rounds import (BATCH, DEPTH, DISK_BYTES, IOSPAN, ROUNDS, SECONDS, fio, line, loop_disk,
                    need, ratio, reads, started, tool)

from lib import disks, kernel

WARM_UP_S, SETTLE_S, TURN_S = 1, 0.02, 0.1
FIO_DEFAULT, FIO_BATCH = "fio", f"fio by {BATCH}"
REACH = {FIO_DEFAULT: 1.1, FIO_BATCH: 1.4, "t/io_uring": 0.95}
USER_REACH = 0.25  # of the user time of fio
T_IO_URING = os.environ.get("T_IO_URING")


def load(disk, *options):
    return [IOSPAN, "bench", "load", disk, f"--unique-bytes={DISK_BYTES}", f"--batch={BATCH}",
            *options]


def t_io_uring(disk):
    return [T_IO_URING, f"-d{DEPTH}", f"-s{BATCH}", f"-c{BATCH}", "-b4096", "-B1", "-F1",
            "-p0", "-R1", "-n1", disk]


class Ended(Exception):
    """A load has exited too early. This happens to t/io_uring if it is stopped inside a system
    call: the call then fails with EINTR."""


@contextmanager
def stopped(command):
    with started(command, signal.SIGKILL) as process:
        time.sleep(WARM_UP_S)
        os.killpg(process.pid, signal.SIGSTOP)
        yield process.pid
        if process.poll() is not None:
            raise Ended(command[0])


def cpu_s(group):
    """Returns the user time and the system time of a process group."""
    user = system = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):  # the process has exited
            if os.getpgid(int(pid)) == group:
                fields = kernel.read("/proc", pid, "stat").rpartition(")")[2].split()
                user += int(fields[11])
                system += int(fields[12])
    return user / os.sysconf("SC_CLK_TCK"), system / os.sysconf("SC_CLK_TCK")


class Round:
    """The sums of a load's accesses and times over all its turns. A load is a process group."""

    def __init__(self, group, disk):
        self.group, self.disk = group, disk
        self.reads = self.seconds = self.all_reads = 0
        self.before_s = cpu_s(group)

    def turn(self):
        first = reads(self.disk)
        os.killpg(self.group, signal.SIGCONT)
        time.sleep(SETTLE_S)
        start, before = time.monotonic(), reads(self.disk)
        time.sleep(TURN_S)
        self.seconds += time.monotonic() - start
        self.reads += reads(self.disk) - before
        os.killpg(self.group, signal.SIGSTOP)
        self.all_reads += reads(self.disk) - first

    def end(self):
        self.iops = self.reads / self.seconds
        user_s, system_s = (b - a for a, b in zip(self.before_s, cpu_s(self.group)))
        self.user_ns = user_s * 1e9 / self.all_reads
        self.cpu_ns = (user_s + system_s) * 1e9 / self.all_reads


def play(commands, disk):
    """Runs the commands in turns of TURN_S, each for SECONDS in total. Returns {name: Round}."""
    with ExitStack() as stack:
        rounds = {name: Round(stack.enter_context(stopped(command)), disk)
                  for name, command in commands.items()}
        for _ in range(round(SECONDS / TURN_S)):
            for one in random.sample(list(rounds.values()), len(rounds)):
                one.turn()
        for one in rounds.values():
            one.end()
    return rounds


def played(commands, disk):
    """Calls play(). If a command exits too early, calls play() again, up to 5 times in all."""
    for _ in range(5):
        try:
            return play(commands, disk)
        except Ended as command:
            ended = command
    sys.exit(f"bench: {ended} ends before its time")


def rates(title, disk):
    commands = {"iospan bench load": load(disk, f"--depth={DEPTH}", "--duration=1h"),
                FIO_DEFAULT: fio(disk, 1, "--thread", "--runtime=1h"),
                FIO_BATCH: fio(disk, BATCH, "--thread", "--runtime=1h")}
    if T_IO_URING:
        commands["t/io_uring"] = t_io_uring(disk)
    rounds = [played(commands, disk) for _ in range(ROUNDS)]
    iops, cpu_ns, user_ns = ({name: [getattr(r[name], number) for r in rounds] for name in commands}
                             for number in ("iops", "cpu_ns", "user_ns"))
    ours, *others = commands
    print(f"Load generator: 4 KiB random reads, depth {DEPTH}, {title}")
    for name in commands:
        line(name, iops[name], "IOPS", 0)
    for name in others:
        ratio(f"{ours} / {name} (reach: {REACH[name]})", iops[ours], iops[name])
    for name in commands:
        line(f"processor time of a read, {name}", cpu_ns[name], "ns", 0)
    for name in others:
        ratio(f"the same, {name} / {ours}", cpu_ns[name], cpu_ns[ours])
    for name in commands:
        line(f"user time of a read, {name}", user_ns[name], "ns", 0)
    for name in (FIO_DEFAULT, FIO_BATCH):
        ratio(f"of the user time of {name} (reach: {USER_REACH})", user_ns[ours], user_ns[name])


def own_ns(command, requests):
    """Returns the command's CPU time per request in ns. The function @requests takes the command's
    JSON output, and returns its number of requests."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = subprocess.check_output(command, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime -
            before.ru_stime) * 1e9 / requests(json.loads(text))


def own_cost(disk):
    ours = load(disk, "--engine=null", f"--duration={SECONDS}s", "--warm-up=0s", "--json")
    theirs = fio(disk, BATCH, "--thread", "--ioengine=null", f"--size={DISK_BYTES}")
    costs = [(own_ns(ours, lambda d: d["layers"]["app"]["accesses"]),
              own_ns(theirs, lambda d: d["jobs"][0]["read"]["total_ios"]))
             for _ in range(ROUNDS)]
    print("Load generator: processor time of a request with an engine that does nothing")
    line("iospan bench load (reach: 30)", [ns for ns, _ in costs], "ns")
    line("fio", [ns for _, ns in costs], "ns")


def has_null_disks():
    return subprocess.run([tool("modprobe"), "-qn", "null_blk"], check=False).returncode == 0


def bench():
    need("fio", "modprobe")
    with loop_disk() as disk:
        rates("loop device", disk)
    with kernel.zram_disk(DISK_BYTES) as disk:
        rates("zram", disk)
        own_cost(disk)
    if not has_null_disks():
        print("Load generator: no null_blk here, its rows are left out")
        return
    with disks.null_disk("iospan-bench", size=DISK_BYTES >> 20, memory_backed=0, discard=0,
                         irqmode=0) as disk:
        rates("null_blk", disk)
