# SPDX-License-Identifier: GPL-2.0-or-later
"""The oracle: an independent observer of the device layer, without code of iospan. After the
command's end, it reads the events of two ftrace instances (observers), sorts intervals and computes
the length of their union (T). The kernel calls iospan's program between the two observers. An
access belongs to the process that submitted its bio. Fork events show the command's processes."""
import bisect
import heapq
import os
import re
import subprocess
import threading
import time
from collections import defaultdict
from contextlib import contextmanager

from lib import kernel, tracefs
from lib.ktap import EMULATED, IOSPAN, scaled

EVENTS = ("block/block_rq_issue", "block/block_rq_complete", "block/block_rq_requeue",
          "block/block_bio_queue", "block/block_bio_complete", "sched/sched_process_fork")
# No fork event shows the creation of io_uring's kernel threads. But the name of each of these
# threads contains the pid of the process for which the thread works.
RING_THREAD = re.compile(r"iou-(?:wrk|sqp)-(\d+)")
OPERATIONS = {"R": "read", "W": "write", "F": "flush", "D": "discard"}
# ftrace reports this sector for the completion of a flush or a pass-through request
NOWHERE = 2 ** 64 - 1


def operation(rwbs):
    """Returns the letter of the operation in @rwbs, ftrace's text for the kind of a request. For a
    pre-flush, an F precedes this letter."""
    return rwbs[1] if rwbs[0] == "F" and rwbs[1:2].strip("ASM") else rwbs[0]


def bio_operation(event):
    return "F" if event.rwbs[0] == "F" and not event.sectors else operation(event.rwbs)


def sweep(intervals):
    """Returns (length of the union, number of busy periods) of [(start, end, ...), ...]."""
    total = periods = 0
    until = None
    for start, end, *_ in sorted(i for i in intervals if i[0] < i[1]):
        if until is None or start > until:
            periods += 1
            until = start
        if end > until:
            total += end - until
            until = end
    return total, periods


class Operation:
    def __init__(self):
        self.accesses = self.bytes = self.errors = self.latency_sum_ns = 0
        # [(start, end, late start, late end)], in ns. A late time is the delay until the second
        # observer saw the event, or None if it did not see the event.
        self.intervals = []
        self.ranges = []  # [(first sector, end sector)] of the accesses

    def add(self, other):
        self.accesses += other.accesses
        self.bytes += other.bytes
        self.errors += other.errors
        self.latency_sum_ns += other.latency_sum_ns
        self.intervals += other.intervals
        self.ranges += other.ranges
        return self

    def span_ns(self):
        return sweep(self.intervals)[0]

    def versions(self):
        """Returns three versions of the intervals: the shortest that iospan may see, those of the
        first observer, and the longest that iospan may see. The kernel calls iospan's program after
        the first observer and before the second one."""
        return ([(min(start + (late or 0), end), end) for start, end, late, _ in self.intervals],
                [(start, end) for start, end, *_ in self.intervals],
                [(start, end + (late or 0)) for start, end, _, late in self.intervals])

    def bounds(self):
        """Returns bounds for T and for the sum of the latencies: ((least, most), (least, most))."""
        least, _, most = self.versions()
        return ((sweep(least)[0], sweep(most)[0]),
                (sum(end - start for start, end in least), sum(end - start for start, end in most)))

    def longest_ns(self, n):
        return heapq.nlargest(n, (end - start for start, end in self.versions()[2]))

    def seen_once(self):
        """Returns the number of intervals of which the second observer missed the start or the
        end."""
        return sum(None in interval for interval in self.intervals)

    def idle_ns(self):
        if not self.intervals:
            return 0
        return (max(i[1] for i in self.intervals) - min(i[0] for i in self.intervals)
                - self.span_ns())

    def periods(self):
        return sweep(self.intervals)[1]

    def bytes_outside(self, extents):
        """Returns the bytes of the accesses that start outside @extents, which are ranges of
        sectors."""
        return sum((end - first) << 9 for first, end in self.ranges
                   if not any(a <= first < b for a, b in extents))


class Disk:
    def __init__(self):
        self.operations = defaultdict(Operation)
        self.requeues = self.partial = self.refused = 0

    def all(self):
        return Operation().add(self.operations["read"]).add(self.operations["write"])


class Flight:
    """An access in flight. A requeue ends an interval of the access, and the next issue starts
    another one. .left: sectors that are not transferred yet."""

    def __init__(self, event, mine):
        self.start, self.first, self.left = event.ns, event.sector, event.sectors
        self.bytes = event.bytes  # counted for a request without sectors
        self.done = self.held = 0
        self.intervals, self.mine, self.failed = [], mine, False
        self.late = event.late

    def pause(self, event):
        self.intervals.append((self.start, event.ns, self.late, event.late))
        self.held += event.ns - self.start


class Owned:
    """Counts the sectors that the command has submitted and the kernel has not issued yet, for each
    page of 8 sectors. So the result does not depend on how the kernel combines bios."""

    def __init__(self):
        self.pages = defaultdict(int)

    def change(self, event, sign):
        at, end = event.sector, event.sector + event.sectors
        while at < end:
            step = min(end, (at | 7) + 1) - at
            self.pages[event.dev, operation(event.rwbs), at >> 3] += sign * step
            at += step

    def has(self, event):
        return self.pages[event.dev, operation(event.rwbs), event.sector >> 3] > 0


class Oracle:
    """Takes all events in order of time, and computes the accesses of each disk in .disks."""

    EVENTS = ()  # additional events that a subclass needs

    def __init__(self, parent, has_requests=kernel.has_requests, ours=()):
        # pid of the process that starts the command; its own I/O is not the command's
        self.parent = parent
        self.family = {parent}
        self.ours = set(ours)  # disks that no other process than the command uses
        self.has_requests = has_requests
        self.disks = defaultdict(Disk)
        self.flying = defaultdict(list)  # accesses in flight: {(dev, operation, sector): [Flight]}
        # requeued accesses that are not issued again yet, with keys like those of .flying
        self.waiting = defaultdict(list)
        self.owned = Owned()
        self.unmatched = 0

    def key(self, event):
        letter = operation(event.rwbs)  # a flush may have a sector, but the sector has no meaning
        nowhere = letter == "F" or event.sector == NOWHERE
        return event.dev, letter, 0 if nowhere else event.sector

    def bio_key(self, event):
        """Returns the key of a bio in .flying. The key has the end sector of the bio, because the
        start sector changes when the kernel splits or advances the bio."""
        return event.dev, bio_operation(event), "bio", event.sector + event.sectors

    def take(self, event):
        getattr(self, event.kind)(event)

    def sched_process_fork(self, event):
        if event.pid in self.family:
            self.family.add(event.child)
        elif event.child != self.parent:
            # the kernel has reused the pid for a process that does not belong to the command
            self.family.discard(event.child)

    def is_mine(self, event):
        if event.dev in self.ours:
            return True
        maker = RING_THREAD.match(event.comm)
        pid = int(maker[1]) if maker else event.pid
        return pid in self.family and pid != self.parent and event.comm != "iospan-cleanup"

    def block_bio_queue(self, event):
        if not self.is_mine(event):
            return
        if self.has_requests(event.dev >> 20, event.dev & 0xFFFFF):
            self.owned.change(event, +1)
        else:
            self.flying[self.bio_key(event)].append(Flight(event, True))

    def block_rq_issue(self, event):
        waiting = self.waiting[self.key(event)]
        flight = next((f for f in waiting if f.left == event.sectors), None)
        if flight:
            waiting.remove(flight)
            flight.start, flight.late = event.ns, event.late
        else:
            # Requests without sectors, such as flushes, are not in self.owned. The oracle assumes
            # that the command issued them, because no other process should use the disk.
            mine = (not event.sectors or event.dev in self.ours
                    or self.owned.has(event))
            flight = Flight(event, mine)
            if mine:
                self.owned.change(event, -1)
        self.flying[self.key(event)].append(flight)

    def find(self, event):
        """Finds the access in flight to which an event belongs, by the sector. Prefers an access
        that has exactly event.sectors left to transfer."""
        flights = self.flying[self.key(event)]
        sectors = event.sectors if event.sector != NOWHERE else 0
        whole = [f for f in flights if f.left == sectors]
        return (whole or [f for f in flights if f.left > sectors] or [None])[0]

    def block_rq_requeue(self, event):
        flight = self.find(event)
        if not flight:  # the driver refused the request before it was issued
            return
        self.flying[self.key(event)].remove(flight)
        flight.pause(event)
        self.waiting[self.key(event)].append(flight)
        if flight.mine:
            self.disks[event.dev].requeues += 1

    def block_rq_complete(self, event):
        flight = self.find(event)
        if not flight:
            return self.complete_unissued(event)
        self.flying[self.key(event)].remove(flight)
        sectors = min(event.sectors, flight.left)
        flight.done += sectors
        flight.left -= sectors
        flight.failed |= event.error != 0 and (sectors > 0 or not flight.left)
        if flight.left:
            after = event._replace(sector=event.sector + sectors)
            self.flying[self.key(after)].append(flight)
            self.disks[event.dev].partial += flight.mine
            return None
        flight.pause(event)
        if flight.mine:
            self.count(event.dev, operation(event.rwbs), flight)
        return None

    def complete_unissued(self, event):
        """Handles a completion without an access in flight. The kernel may have given
        up a requeued request (in .waiting), or refused a request before the issue (in .owned).
        Other causes are ignored: an access that started before the recording, and a flush that
        completed twice."""
        waiting = self.waiting[self.key(event)]
        flight = next((f for f in waiting if f.left == event.sectors), None)
        if flight:
            waiting.remove(flight)
            flight.done += flight.left
            flight.failed |= event.error != 0
            if flight.mine:
                self.count(event.dev, operation(event.rwbs), flight)
        elif self.owned.has(event):
            self.owned.change(event, -1)
            self.disks[event.dev].refused += event.error != 0
            self.unmatched += event.error == 0

    def block_bio_complete(self, event):
        if self.has_requests(event.dev >> 20, event.dev & 0xFFFFF):
            # The kernel refused the bio before it became a request, for instance a nowait bio that
            # would have to wait. Accesses in flight at the same sector are not touched, because
            # they may belong to other bios.
            if self.owned.has(event):
                self.owned.change(event, -1)
            return
        flights = self.flying[self.bio_key(event)]
        whole = [f for f in flights if f.left == event.sectors]
        flight = (whole or flights or [None])[0]
        if not flight:  # a bio of another process, or a part of a bio
            return
        flights.remove(flight)
        flight.done, flight.failed = flight.left, event.error != 0
        flight.pause(event)
        self.count(event.dev, bio_operation(event), flight)

    def count(self, dev, letter, flight):
        found = self.disks[dev].operations[OPERATIONS.get(letter, "other")]
        found.accesses += 1
        found.bytes += (flight.done << 9) or flight.bytes
        found.errors += flight.failed
        found.latency_sum_ns += flight.held
        found.intervals += flight.intervals
        found.ranges.append((flight.first, flight.first + flight.done))

    def unfinished(self, loaded=None):
        """Returns the number of accesses without an end. @loaded: the disks that the command uses;
        None: all. On other disks, a flush may be of another process, and a read-ahead of a program
        file may be in flight at the end, so these do not count."""
        return sum(f.mine and (loaded is None or key[0] in loaded)
                   for table in (self.flying, self.waiting)
                   for key, flights in table.items() for f in flights)

    def disk(self, path):
        return self.disks[kernel.dev(os.stat(path).st_rdev)]

    def disk_below(self, path):
        return self.disks[kernel.dev(os.stat(path).st_dev)]

    def total(self, without=()):
        """Returns the reads and writes of all disks as one set, without the disks in @without."""
        total = Operation()
        for dev, disk in self.disks.items():
            if dev not in without:
                total.add(disk.all())
        return total


# Size of a CPU's trace buffer in MiB. The buffer must hold all events of a load, because the test
# reads the buffer only after the load. A load may make over 500,000 accesses per second.
MEGABYTES = scaled(min(256, max(64, 512 // os.cpu_count())))


def place(event):
    if isinstance(event, tracefs.Call):
        return event.kind, event.pid
    return event.kind, event.dev, event.sector, event.sectors, event.rwbs


def seen_twice(events, later):
    """Returns the events, each with the delay until the second observer saw it. If the second
    observer missed the event, the delay is None. Both observers see the events of one sector, or of
    one thread, in the same order. So the second observer has missed an event if it did not see the
    event before the first observer saw the next one."""
    times, following = defaultdict(list), {}
    for event in later:
        times[place(event)].append(event.ns)
    known = []
    for event in reversed(events):
        if isinstance(event, (tracefs.Block, tracefs.Call)):
            seen, at = times[place(event)], place(event)
            i = bisect.bisect_left(seen, event.ns)
            if i < len(seen) and seen[i] < following.get(at, seen[i] + 1):
                event = event._replace(late=seen[i] - event.ns)
            following[at] = event.ns
        known.append(event)
    return reversed(known)


def with_others(disks):
    """Returns the disks to observe, for recorder(), if the command may also use other disks than
    @disks. Outside of a VM, disks in memory and stacked disks belong to other tests. Their accesses
    could fill the buffers of the oracle, so they are left out."""
    if EMULATED:
        return None
    real = (f"/dev/{name}" for name in os.listdir("/sys/block")
            if os.path.exists(f"/sys/block/{name}/device") and os.path.exists(f"/dev/{name}"))
    return list({*disks, *real})


def runs_command(pid):
    """Returns true if iospan has started its command. iospan starts the command after it has
    attached all BPF programs."""
    try:
        children = kernel.read(f"/proc/{pid}/task/{pid}/children").split()
        return any(not kernel.read(f"/proc/{child}/comm").startswith("iospan")
                   for child in children)
    except OSError:  # iospan has exited
        return False


@contextmanager
def second_observer(after, child, argv):
    """Attaches the second observer after iospan's programs. The kernel calls both in the order in
    which they were attached, so the observer runs last."""
    failed = []

    def attach():
        try:
            while child.poll() is None and not runs_command(child.pid):
                time.sleep(0.002)
            after.enable()
        except Exception as error:
            failed.append(error)

    thread = threading.Thread(target=attach)
    # if argv does not start iospan, the caller has enabled the second observer already
    if argv[0] == IOSPAN:
        thread.start()
    try:
        yield
    finally:
        if argv[0] == IOSPAN:
            thread.join()
        after.stop()
    if failed:
        raise failed[0]


@contextmanager
def recorder(megabytes=MEGABYTES, disks=None, ours=(), make=Oracle):
    """Yields a function run(argv): it runs a command, and returns (result, Oracle). @disks: the
    disks to observe; None: all."""
    blocks = [e for e in EVENTS if e.startswith("block/")]
    with (tracefs.instance(EVENTS + make.EVENTS, megabytes << 10) as instance,
          tracefs.instance(blocks, megabytes << 10, "after", False) as after):
        if disks:
            numbers = [os.stat(disk).st_rdev for disk in disks]
            only = " || ".join(f"dev == {os.major(n) << 20 | os.minor(n)}" for n in numbers)
            instance.keep("block", only)
            after.keep("block", only)

        def run(argv, **options):
            instance.start()
            after.start()
            if argv[0] != IOSPAN:
                after.enable()
            child = subprocess.Popen(argv, text=True, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, **options)
            with second_observer(after, child, argv):
                out, err = child.communicate()
            instance.stop()
            oracle = make(child.pid, ours=ours)
            for event in seen_twice(instance.read(), after.read()):
                oracle.take(event)
            return subprocess.CompletedProcess(argv, child.returncode, out, err), oracle

        yield run
