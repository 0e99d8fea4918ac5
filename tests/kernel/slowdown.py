#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""`iospan stat` reports a cgroup's mean latency alone, and shared (while another cgroup uses the
disk). Compares both with separate measurements without and with such a neighbour. The disk serves
one read at a time, and takes a known time for it. The phases alternate, so that other load of the
machine affects all of them."""
import json
import mmap
import os
import signal
import statistics
import subprocess
import time
from contextlib import contextmanager
from multiprocessing import RawArray

from lib import kernel
from lib.cgroups import Groups
from lib.ktap import *
from lib.measure import needs_run, wait_for_file
from lib.stalled import slow_disk

SERVICE_NS = 2_000_000
NEIGHBOURS = 3  # processes that read at the same time
BURST_NS = 100_000_000  # length of a burst, and of the pause before it
FEWEST, MOST = 8, 20  # number of rounds, each with all phases
OFF, ON, IN_BURSTS = range(3)
MODES = {"/without": OFF, "/with": ON, "/bursts": IN_BURSTS}
STOOD_STILL_NS = 1_000_000_000  # a read that takes longer shows that the whole machine stood still
ERRORS = 7  # allowed difference of two means, in standard errors of one of them


def reader(disk):
    """Returns a function that reads once, without the page cache, and returns the latency in ns."""
    fd, buffer = os.open(disk, os.O_RDONLY | os.O_DIRECT), mmap.mmap(-1, 4096)

    def read():
        start = time.monotonic_ns()
        os.preadv(fd, [buffer], 0)
        return time.monotonic_ns() - start
    return read


def be_neighbour(disk, state):
    """The neighbour's process: reads without a pause, or in bursts. @state: the mode, and the time
    when it was set."""
    read = reader(disk)
    while True:
        mode, since = state
        if mode == ON or mode == IN_BURSTS and (time.monotonic_ns() - since) // BURST_NS % 2:
            read()
        else:
            time.sleep(0.001)


@contextmanager
def neighbours(groups, disk, state):
    pids = []
    for _ in range(NEIGHBOURS):
        if not (pid := os.fork()):
            kernel.enter_groups([groups.top + "/neighbour"])
            be_neighbour(disk, state)
        pids.append(pid)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def allowed(rounds):
    """Returns the permitted error of a mean latency, in ns. The more the means of the rounds
    differ, the larger is this error."""
    means = [statistics.mean(latencies) for latencies in rounds]
    return ERRORS * statistics.stdev(means) / len(means) ** 0.5


def is_exact(seen):
    """Returns True if the allowed differences are small compared with the effect of the
    neighbour."""
    without, with_it = (statistics.mean(map(statistics.mean, seen[path])) for path in ("/without", "/with"))
    return allowed(seen["/without"]) + allowed(seen["/with"]) < (with_it - without) / 2


def phase(read):
    end, seen = time.monotonic_ns() + 2 * BURST_NS, []
    while time.monotonic_ns() < end:
        seen.append(read())
    return seen


def load(groups, disk, state, path):
    """Makes reads in each phase, and measures their latencies. A round has one phase per cgroup.
    Writes {cgroup: [latencies of round 1, latencies of round 2, ...]} to the file @path. If the
    latencies vary much, makes more rounds."""
    read, seen = reader(disk), {path: [] for path in MODES}
    for n in range(1, MOST + 1):
        for group, mode in MODES.items():
            kernel.enter_groups([groups.top + "/edge"])
            state[:] = mode, time.monotonic_ns()
            time.sleep(0.01)
            read()  # after this read, the disk has served all reads of the previous phase
            kernel.enter_groups([groups.top + group])
            seen[group].append(phase(read))
        if n >= FEWEST and is_exact(seen):
            break
    with open(path, "w", encoding="ascii") as f:
        json.dump(seen, f)


def measured(groups, disk):
    """Returns the intervals of iospan stat, and the latencies that the load saw."""
    state, out, path = RawArray("q", 2), *(os.path.join(scratch_dir(), name) for name in ("stat", "seen"))
    argv = [IOSPAN, "stat", "--json", "--by=cgroup", "--layers=device", *groups.options, "200ms"]
    with open(out, "w", encoding="ascii") as f, subprocess.Popen(argv, stdout=f) as child:
        wait_for_file(out)
        with neighbours(groups, disk, state):
            groups.call("", load, groups, disk, state, path)
        time.sleep(0.5)  # iospan stat then also prints the interval with the last reads
        child.send_signal(signal.SIGTERM)
    with open(out, encoding="ascii") as f, open(path, encoding="ascii") as seen:
        return [json.loads(line) for line in f], json.load(seen)


def mean_of(rows):
    """Returns (mean latency in ns, number of timed accesses) over all the rows. An access with a
    lost completion is not timed."""
    timed = [(row["latency_sum_ns"], row["latency_mean_ns"]) for row in rows
             if row["latency_mean_ns"]]
    count = sum(round(total / mean) for total, mean in timed)
    assert_true(count, "accesses")
    return sum(total for total, _ in timed) / count, count


# The slowdown is the latency with the neighbour, divided by the latency without it. The separate
# measurements of both latencies must give the same ratio.
@test()
def slowdown_agrees_with_separate_measurements():
    needs_run()
    # The children (the readers and the disk's server) inherit this real-time priority. So other
    # load of the machine delays them less.
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    groups = Groups()
    with kernel.undone(groups.remove), slow_disk(SERVICE_NS / 1e9) as disk:
        for path in "/neighbour", "/edge", *MODES:
            groups.make(path)
        intervals, seen = measured(groups, disk)
        groups.remove()
    needs(is_exact(seen), f"the latencies of {MOST} rounds differ too much")
    longest = max(map(max, seen["/bursts"]))
    needs(longest < STOOD_STILL_NS, f"the machine stood still: a read took {longest / 1e9:.1f} s for the load, too")
    rows = {path: [g for i in intervals for g in i["cgroups"] if g["path"] == path] for path in MODES}
    means = {path: mean_of(g["layers"]["device"] for g in rows[path])[0] for path in ("/without", "/with")}
    (alone, alone_n), (shared, shared_n) = (mean_of(g["sharing"][part] for g in rows["/bursts"])
                                            for part in ("alone", "shared"))
    for path, mean in means.items():
        # The disk takes at least SERVICE_NS for a read. The process itself measures a longer
        # latency than iospan.
        expect_true(SERVICE_NS <= mean <= statistics.mean(sum(seen[path], [])), f"{path}: mean latency")
    without, with_it = means.values()
    gap, bursts = with_it - without, len(seen["/bursts"])
    near, far = allowed(seen["/without"]), allowed(seen["/with"])
    # "alone" and "shared" are the mean latencies that iospan reports for the cgroup with bursts. At
    # the start and end of a burst of the neighbour, a read is delayed less than in its middle.
    # iospan counts such a read as alone or as shared. So the mean "alone" may be longer than
    # without a neighbour, and the mean "shared" shorter than with a permanent one.
    early, late = gap * bursts / alone_n, gap * 2 * bursts / shared_n
    diagnostic(f"{bursts} rounds; in ms: without {without / 1e6:.3f}, alone {alone / 1e6:.3f} "
               f"(-{near / 1e6:.3f} +{(near + early) / 1e6:.3f}); with {with_it / 1e6:.3f}, "
               f"shared {shared / 1e6:.3f} (-{(far + late) / 1e6:.3f} +{far / 1e6:.3f}); "
               f"ratio {with_it / without:.3f}, slowdown {shared / alone:.3f}")
    expect_true(-near <= alone - without <= near + early, "latency alone, against that without a neighbour")
    expect_true(-far - late <= shared - with_it <= far, "latency shared, against that with a neighbour")


main()
