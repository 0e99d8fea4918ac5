#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""timed.py COMMAND...: runs COMMAND without its output. Prints, as JSON, the elapsed time, the CPU
time of COMMAND, and the busy time of the whole machine meanwhile.

The busy time is the time of all CPUs without idle time. The kernel measures idle time in ns, and
/proc/stat shows it in ticks. The sum of the other times in /proc/stat would be less exact: the
kernel adds a whole timer tick to whatever runs at the end of the tick. Time that a hypervisor takes
away is not busy time."""
import json
import os
import sys
import time

TICK_NS = 10 ** 9 // os.sysconf("SC_CLK_TCK")
IDLE, IOWAIT, STEAL = 4, 5, 8  # fields of the first line of /proc/stat


def machine_ns():
    """Returns (clock in ns, busy time of all CPUs since a fixed time in the past)."""
    with open("/proc/stat", encoding="ascii") as f:
        fields = f.readline().split()
    now = time.monotonic_ns()
    unused = sum(int(fields[i]) for i in (IDLE, IOWAIT, STEAL)) * TICK_NS
    return now, now * os.sysconf("SC_NPROCESSORS_ONLN") - unused


def timed(argv):
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    start, busy = machine_ns()
    pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=quiet)
    _, status, usage = os.wait4(pid, 0)
    end, busy_end = machine_ns()
    if status:
        sys.exit(f"timed.py: {argv[0]} failed")
    return {"wall_ns": end - start, "cpu_ns": round((usage.ru_utime + usage.ru_stime) * 1e9),
            "busy_ns": busy_end - busy}


if __name__ == "__main__":
    print(json.dumps(timed(sys.argv[1:])))
