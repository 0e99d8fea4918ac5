# SPDX-License-Identifier: GPL-2.0-or-later
"""Computes bounds for the T that iospan counts. T is the time in which any access is in flight. A
CPU reads the clock and then updates the span (the counter of T). Between these two steps, another
CPU may update the span with a later time. T then differs from the union of the accesses' intervals.
The second observer of oracle.py, an ftrace instance, runs after iospan's program. So the time at
which it sees an event is an upper limit for the time of the update."""
import bisect
import os
import threading
from collections import defaultdict
from contextlib import contextmanager

from lib import kernel, tracefs
from lib.ktap import scratch_dir
from lib.oracle import MEGABYTES, sweep

BLOCK_EVENTS = ("block/block_rq_issue", "block/block_bio_queue", "block/block_rq_complete",
                "block/block_bio_complete")
START = ("block_rq_issue", "block_bio_queue", "io_uring_submit_req", "io_uring_submit_sqe")
# In ns, the longest assumed time between iospan's reading of the clock and its update of the span.
# It is for events that the second observer does not see: system calls, and the ends of lost
# accesses (iospan ends these itself).
UNSEEN_NS = 10_000_000
# A program that takes longer than this to update its spans was preempted.
STALL_NS = 50_000


class Updates:
    """The times at which the second observer saw the start and the end of each access."""

    def __init__(self, events):
        self.times, self.devices = defaultdict(list), {}
        for event in events:
            where = ((event.dev, event.sector + event.sectors)
                     if isinstance(event, tracefs.Block) else event.pid)
            self.times[event.kind in START, where].append(event.ns)
        # These threads complete io_uring requests of other threads. iospan's trace names only the
        # submitter, so done_by() tries all of these threads.
        self.workers = [where for is_start, where in self.times
                        if not is_start and isinstance(where, int)
                        and (True, where) not in self.times]

    def dev(self, name):
        if name not in self.devices:
            major, minor = kernel.read(kernel.of_disk(name, "dev")).split(":")
            self.devices[name] = int(major) << 20 | int(minor)
        return self.devices[name]

    def first(self, is_start, where, ns):
        times = self.times.get((is_start, where), [])
        i = bisect.bisect_left(times, ns)
        return times[i:i + 1]

    def done_by(self, row, is_start, ns):
        """Returns the latest time at which iospan updated the span for the start or end of an
        access. @ns: the time that iospan read from the clock."""
        seen = []
        if row["device"] and row["offset_bytes"]:
            sector = (int(row["offset_bytes"]) + int(row["bytes"])) >> 9
            seen = self.first(is_start, (self.dev(row["device"]), sector), ns)
        elif row["source"] == "io_uring":
            for pid in [int(row["pid"]), *([] if is_start else self.workers)]:
                seen += self.first(is_start, pid, ns)
        return max(seen, default=ns + UNSEEN_NS)


def span_bounds(intervals):
    """Returns bounds (least, most) for T. @intervals: [(start, end, latest update of the span at
    the start, latest update at the end), ...].
    If another CPU has already updated a span with a later time, the span uses that later time.
    iospan updates several spans one after the other: for instance, first the span of a disk, then
    the span of all disks. If its BPF program is preempted between the two updates, T of the second
    span lacks the time of the preemption."""
    readings = sorted(ns for start, end, *_ in intervals for ns in (start, end))

    def latest(ns):
        return readings[bisect.bisect_right(readings, ns) - 1]

    least = sweep((min(latest(late), end), end) for _, end, late, _ in intervals)
    most = sweep((start, latest(late)) for start, _, _, late in intervals)
    stalled = sweep((start, late) for start, _, late, _ in intervals if late - start > STALL_NS)
    return max(least[0] - stalled[0], 0), most[0]


@contextmanager
def observed(argv):
    """Yields (command line, function that returns its Updates). The command waits until the second
    observer is attached. iospan attaches its programs before it starts the command. So the kernel
    calls the second observer after iospan's programs."""
    pipe = os.path.join(scratch_dir(), "observed")
    os.mkfifo(pipe)
    with tracefs.instance(list(BLOCK_EVENTS), MEGABYTES << 10, "after", False) as after:
        submit = "io_uring/io_uring_submit_req"
        if not os.path.exists(os.path.join(tracefs.TRACEFS, "events", submit)):
            submit = "io_uring/io_uring_submit_sqe"  # the name before Linux 6.4
        after.events += [submit, "io_uring/io_uring_complete"]

        def attach():
            # opening the pipe waits until the command reads it
            with open(pipe, "w", encoding="ascii") as f:
                after.enable()
                after.start()
                f.write("\n")

        def updates():
            after.stop()
            return Updates(after.read())

        threading.Thread(target=attach, daemon=True).start()
        yield ["sh", "-c", 'read -r _ <"$0"; exec "$@"', pipe, *argv], updates
    os.unlink(pipe)
