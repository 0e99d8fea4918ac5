# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs `iospan top` in a terminal, beside loads in cgroups, and reads its screen."""
import mmap
import os
import re
import time
from contextlib import contextmanager

from lib import cgroups, kernel
from lib.ktap import IOSPAN, assert_eq, needs
from lib.measure import needs_run
from lib.terminal import needs_terminal, table

__all__ = ["SIZE", "clock", "go_on", "in_one_interval", "keys", "length", "load", "loses", "order", "top", "wait_for_next"]

SIZE = 16 << 20


class Groups(cgroups.Groups):
    def __init__(self, disk, paths):
        super().__init__()
        self.disk = disk
        for path in paths:
            self.make(path)

    def read(self, path, count, size):
        """In the cgroup, runs a process that makes @count reads of @size bytes, and nothing else.
        Returns the minimum and the 99th percentile of their latencies in ms, as that process
        measures them."""
        fd, buffer = os.open(self.disk, os.O_RDONLY | os.O_DIRECT), mmap.mmap(-1, size)
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            kernel.enter_groups([self.top + path])
            times = [time.perf_counter()]
            for i in range(count):
                os.preadv(fd, [buffer], i * size % SIZE)
                times.append(time.perf_counter())
            took = sorted(b - a for a, b in zip(times, times[1:]))
            os.write(writing, f"{took[0] * 1000} {took[-(-count * 99 // 100) - 1] * 1000}".encode())
            os._exit(0)
        self.pid = pid
        assert_eq(os.waitpid(pid, 0)[1], 0, f"the load in {path}")
        latencies = tuple(map(float, os.read(reading, 100).split()))
        for each in fd, reading, writing:
            os.close(each)
        return latencies


@contextmanager
def load(paths=()):
    needs_run()
    needs_terminal()
    with kernel.loop_disk(SIZE) as disk:
        groups = Groups(disk, paths)
        with kernel.undone(groups.remove):
            try:
                yield disk, groups
            finally:
                groups.remove()


def top(terminal, groups, *options):
    terminal.start(" ".join([IOSPAN, "top", "--within", groups.top, "--attribution=task", *options]))
    terminal.wait_for("amplification ")


def clock(screen):
    return re.match(r"iospan top  (\S+)", screen[0])[1]


def wait_for_next(terminal):
    """Waits until the screen shows a new interval. Accesses after that belong to the next
    interval."""
    now = clock(terminal.screen())
    return terminal.wait(lambda screen: clock(screen) != now, "another interval")


def of_day(text):
    hours, minutes, seconds = map(int, text.split(":"))
    return (hours * 60 + minutes) * 60 + seconds


def length(screen):
    return float(screen[0].split()[3])


def go_on(terminal):
    keys(terminal, " ", lambda screen: not screen[0].endswith("PAUSED"), "it goes on")


def in_one_interval(terminal, loads, seconds=2):
    """Calls loads() within one interval of @seconds. Returns (result of loads(), screen of that
    interval), and leaves the screen paused. If the machine was too slow, tries again, at most 20
    times; then skips the test."""
    for _ in range(20):
        start = clock(wait_for_next(terminal))
        result = loads()
        if of_day(time.strftime("%H:%M:%S")) < of_day(start) + seconds:
            terminal.wait(lambda screen: clock(screen) != start, "the interval of the loads")
            screen = keys(terminal, " ", lambda screen: screen[0].endswith("PAUSED"), "paused")
            if of_day(clock(screen)) - length(screen) < of_day(start) + 1:
                return result, screen
            go_on(terminal)
    return needs(False, f"the loads fit into no interval of {seconds} s, as the machine is too busy")


def loses(screen):
    return any(line.startswith("  lost: ") for line in screen)


def order(screen):
    return list(table(screen, "cgroup"))


def keys(terminal, text, holds, what):
    terminal.type(text)
    return terminal.wait(holds, what)
