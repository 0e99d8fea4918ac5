# SPDX-License-Identifier: GPL-2.0-or-later
"""An oracle (independent observer) that assigns each access to the cgroup of the submitting task.
It follows the kernel's events of forks and of moves between cgroups. It shares no code with iospan.
Two ftrace instances (observers) see each event of a disk, and iospan sees the event in between. A
flight is an access in flight."""
import re
from bisect import bisect_right
from collections import defaultdict

from lib.oracle import Operation, Oracle, operation, sweep

# Matches a cgroup's path up to and including the cgroup that iospan makes for the command.
COMMANDS = re.compile(r"^.*?/iospan-[^/]+")


def overlap(mine, others):
    """Returns the length of the time that both lists of intervals include."""
    return sweep(mine)[0] + sweep(others)[0] - sweep(mine + others)[0]


def merged(intervals):
    """Returns the union of intervals as ([starts], [ends])."""
    starts, ends = [], []
    for start, end in sorted(intervals):
        if ends and start <= ends[-1]:
            ends[-1] = max(ends[-1], end)
        else:
            starts.append(start)
            ends.append(end)
    return starts, ends


def started_in(starts, shortest, longest):
    """Returns bounds (least, most) for the number of accesses that started in a set of intervals.
    @starts: [(time at which the first observer saw the start, delay of the second observer)].
    @shortest, @longest: the intervals, as short and as long as iospan may have seen them."""
    least = most = 0
    (first, last), (wide_first, wide_last) = merged(shortest), merged(longest)
    for start, late in starts:
        until = start + (late or 0)
        at = bisect_right(first, start) - 1
        least += at >= 0 and until < last[at]
        at = bisect_right(wide_first, until) - 1
        most += at >= 0 and start <= wide_last[at]
    return least, most


class GroupOracle(Oracle):
    EVENTS = ("cgroup/cgroup_attach_task",)
    hierarchy = 0  # the number of the cgroup hierarchy in /proc/self/cgroup

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.group_of = {}
        # {(dev, operation, page): cgroup that submitted the last bio for this page}
        self.submitters = {}
        # {cgroup: its reads and writes, without those of the cgroups below it}
        self.own = defaultdict(Operation)
        # {(dev, cgroup): the reads and writes of the cgroup on this disk}
        self.own_on = defaultdict(Operation)
        self.starts = defaultdict(list)  # {(dev, cgroup): [(start of an access, delay)]}

    def cgroup_attach_task(self, event):
        top = COMMANDS.match(event.path)
        if event.root == self.hierarchy:
            self.group_of[event.pid] = event.path[top.end():] or "/" if top else None

    def sched_process_fork(self, event):
        super().sched_process_fork(event)
        self.group_of[event.child] = self.group_of.get(event.pid)

    @staticmethod
    def pages(event):
        """Yields a key for each page (8 sectors) of a bio or request. The kernel may issue a bio in
        parts, so the oracle remembers the submitter of each page."""
        end = max(event.sector + event.sectors, event.sector + 1)
        for page in range(event.sector >> 3, (end + 7) >> 3):
            yield event.dev, operation(event.rwbs), page

    def block_bio_queue(self, event):
        super().block_bio_queue(event)
        group = self.group_of.get(event.pid)
        self.submitters.update((page, group) for page in self.pages(event))
        for flight in self.flying[self.bio_key(event)]:
            self.label(flight, group)

    def block_rq_issue(self, event):
        super().block_rq_issue(event)
        for flight in self.flying[self.key(event)]:
            self.label(flight, self.submitters.get(next(self.pages(event))))

    @staticmethod
    def label(flight, group):
        """Sets the cgroup of an access. A requeued access already has a cgroup, and keeps it."""
        if not hasattr(flight, "group"):
            flight.group = group

    def count(self, dev, letter, flight):
        super().count(dev, letter, flight)
        if letter in "RW":
            one = Operation()
            one.accesses, one.bytes, one.latency_sum_ns = 1, flight.done << 9, flight.held
            one.errors, one.intervals = flight.failed, flight.intervals
            self.own[flight.group].add(one)
            self.own_on[dev, flight.group].add(one)
            start, _, late, _ = flight.intervals[0]
            self.starts[dev, flight.group].append((start, late))

    def below(self, path):
        inside = path.rstrip("/") + "/"
        return self.union(g for g in self.own if g and (g + "/").startswith(inside))

    def sharing(self, path):
        """Returns {dev: result of shared()} for each disk that the cgroup @path, or a cgroup below
        it, used. If several of these cgroups used the disk, the value is None."""
        found = {}
        inside = path.rstrip("/") + "/"
        for dev, group in self.own_on:
            if group and (group + "/").startswith(inside):
                found[dev] = None if dev in found else self.shared(dev, group)
        return found

    def shared(self, dev, group):
        """Returns four items about a cgroup on a disk. 1: the accesses of the cgroup (Operation).
        2: the accesses of all other cgroups. 3: the time in which both had an access in flight, as
        (least, as seen, most). 4: the number of the cgroup's accesses that started while another
        cgroup had an access in flight, as (least, most)."""
        mine, others = self.own_on[dev, group], Operation()
        for (disk, other), one in self.own_on.items():
            if disk == dev and other not in (None, group):
                others.add(one)
        versions = others.versions()
        return (mine, others, [overlap(a, b) for a, b in zip(mine.versions(), versions)],
                started_in(self.starts[dev, group], versions[0], versions[2]))

    def union(self, groups):
        whole = Operation()
        for group in groups:
            whole.add(self.own[group])
        return whole

    def paths(self):
        found = {"/"}
        for path in filter(None, self.own):
            while path not in found:
                found.add(path)
                path = path.rpartition("/")[0] or "/"
        return found
