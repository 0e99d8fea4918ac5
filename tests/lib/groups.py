# SPDX-License-Identifier: GPL-2.0-or-later
"""An oracle (independent observer) that assigns each access to the cgroup of the submitting task.
It follows the kernel's events of forks and of moves between cgroups. It shares no code with iospan.
Two ftrace instances (observers) see each event of a disk, and iospan sees the event in between. A
flight is an access in flight."""
import re
from bisect import bisect_right
from collections import defaultdict

from lib.ktap import assert_eq
from lib.oracle import Operation, Oracle, operation, sweep

# Matches a cgroup's path up to and including the cgroup that iospan makes for the command.
COMMANDS = re.compile(r"^.*?/iospan-[^/]+")


def overlap(mine, others):
    """Returns the length of the time that the intervals of both lists cover."""
    return sweep(mine)[0] + sweep(others)[0] - sweep(mine + others)[0]


def overlaps(mine, others):
    """Returns the time in which accesses of both Operations were in flight at once, in three
    versions: (lower bound, as the first observer saw it, upper bound)."""
    return [overlap(a, b) for a, b in zip(mine.versions(), others.versions())]


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
    """Yields a pair (surely, possibly) of booleans for each access: did it surely, or possibly,
    start within one of the intervals?
    @starts: [(time at which the first observer saw the start, delay of the second observer)].
    @shortest, @longest: the intervals, as short and as long as iospan may have seen them."""
    (first, last), (wide_first, wide_last) = merged(shortest), merged(longest)
    for start, late in starts:
        until = start + (late or 0)
        at, wide_at = bisect_right(first, start) - 1, bisect_right(wide_first, until) - 1
        yield at >= 0 and until < last[at], wide_at >= 0 and start <= wide_last[wide_at]


def mean_bounds(sure, unsure):
    """Returns bounds for the mean of some values. Each value is given by its bounds (least, most).
    The mean includes all values of @sure. It may include any of the values of @unsure. Returns
    (None, None) if @sure is empty."""
    if not sure:
        return None, None

    def extreme(side, better):
        total, n = sum(value[side] for value in sure), len(sure)
        for value in sorted((value[side] for value in unsure), reverse=side == 1):
            if better(value, total / n):
                total, n = total + value, n + 1
        return total / n
    return extreme(0, lambda value, mean: value < mean), extreme(1, lambda value, mean: value > mean)


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
        self.starts = defaultdict(list)  # {(dev, cgroup): [(start of an access, observer's delay)]}

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
        """Returns {dev: shared(dev, group)} for each disk that @path or a cgroup below it used. If
        more than one of these cgroups used the disk, the value is None."""
        found = {}
        inside = path.rstrip("/") + "/"
        for dev, group in self.own_on:
            if group and (group + "/").startswith(inside):
                found[dev] = None if dev in found else self.shared(dev, group)
        return found

    def shared(self, dev, group):
        """Returns (mine, others, shared, started) about a cgroup on a disk.
        mine: the accesses of the cgroup (Operation).
        others: the accesses of all other cgroups.
        shared: the time in which both had an access in flight, as (least, as seen, most).
        started: the number of accesses in mine that started while another cgroup had an access in
        flight, as (least, most)."""
        mine, others = self.own_on[dev, group], self.others(dev, group)
        started = self.started_shared(dev, group)
        return mine, others, overlaps(mine, others), [sum(one[i] for one in started) for i in (0, 1)]

    def others(self, dev, group):
        others = Operation()
        for (disk, other), one in self.own_on.items():
            if disk == dev and other not in (None, group):
                others.add(one)
        return others

    def started_shared(self, dev, group):
        """Returns a pair (surely, possibly) of booleans for each access of the cgroup on this disk:
        did another cgroup surely, or possibly, have an access in flight when the access started?"""
        shortest, _, longest = self.others(dev, group).versions()
        return list(started_in(self.starts[dev, group], shortest, longest))

    def slowdown(self, dev, group):
        """Returns bounds (least, most) of the quotient L1 / L2. L1 is the mean latency of the
        cgroup's accesses that started while another cgroup had an access in flight. L2 is the mean
        latency of its other accesses. Returns None if L1 or L2 has no access. No access may be
        requeued."""
        shortest, _, longest = self.own_on[dev, group].versions()
        started = self.started_shared(dev, group)
        assert_eq(len(started), len(shortest), f"{group}: accesses without a requeue")
        latencies = [(end - start, last - first) for (start, end), (first, last) in zip(shortest, longest)]
        means = []
        for is_shared in (True, False):
            sure = [t for t, (surely, possibly) in zip(latencies, started)
                    if surely == possibly == is_shared]
            unsure = [t for t, (surely, possibly) in zip(latencies, started) if surely != possibly]
            means.append(mean_bounds(sure, unsure))
        (least, most), (least_alone, most_alone) = means
        return None if least is None or not least_alone else (least / most_alone, most / least_alone)

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
