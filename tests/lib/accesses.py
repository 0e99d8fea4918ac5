# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes synthetic trace files from lists of accesses."""
import os
import random
import subprocess
from dataclasses import dataclass, replace

from lib.ktap import BUILD, scratch_dir

DRIVER = os.path.join(BUILD, "tests/commands/trace-driver")
LAYERS = ["app", "vfs", "device"]
OPS = ["read", "write", "flush", "discard", "other", "sync", "open", "create", "close"]
FAILED, PART, UNTIMED, UNSPANNED = 1, 2, 4, 8
VDA, VDB, DM = "vda=266338304", "vdb=266338320", "dm-0=265289728*"


@dataclass
class Access:
    layer: int
    op: int
    start: int
    end: int
    bytes: int = 4096
    source: int = 0
    disk: str = "-"
    group: str = "-"
    process: str = "-"
    file: str = "-"
    offset: int = 0
    queued: int = 0
    held: int = 0
    flags: int = 0

    def line(self):
        return "\t".join(map(str, (
            self.layer, self.op, self.source, self.disk, self.group, self.process, self.file,
            self.start, self.end, self.bytes, self.offset, self.queued, self.held, self.flags)))

    @property
    def latency(self):
        return self.held or self.end - self.start

    @property
    def timed(self):
        return not self.flags & (PART | UNTIMED | UNSPANNED)


def write(name, accesses, *options, tail=""):
    path = os.path.join(scratch_dir(), name)
    lines = "".join(a.line() + "\n" for a in accesses) + tail
    subprocess.run([DRIVER, *options, path], input=lines.encode(errors="surrogateescape"), check=not tail)
    return path


def random_access(rng, now, longest):
    layer = rng.randrange(3)
    op = rng.choice(((0, 0, 1, 5), (0, 0, 0, 1, 1, 5, 6, 7, 8), (0, 0, 1, 2, 3, 4))[layer])
    start = now - rng.randrange(rng.choice((1, 50, longest)))
    flags = rng.choice([0] * 12 + [FAILED, UNTIMED, UNSPANNED, PART, FAILED | UNTIMED])
    return Access(
        layer, op, start, now, rng.randrange(1 << 16), source=rng.randrange(4) if layer < 2 else 0,
        disk=rng.choice((VDA, VDA, VDB, DM)) if layer == 2 else "-",
        group=rng.choice(("/", "/a", "/a/b", "/a/b/c", "/a/d", "-")),
        process=rng.choice(("dd=12", "dd=13", "fio=40", "-")),
        file="-" if layer == 2 else rng.choice(("/srv/x=1", "/srv/y=2", "/tmp/x=3")),
        offset=rng.randrange(1 << 40), queued=rng.choice((0, 0, 77)),
        held=(now - start) * 2 if not flags and rng.random() < 0.05 else 0, flags=flags)


def random_trace(seed, n, longest=3000, step=300, disorder=0):
    """Returns @n random accesses of at most @longest ns, sorted by their ends. With @disorder, a
    random delay of at most @disorder ns is added to each end before the sorting."""
    rng = random.Random(seed)
    now, made = 10 ** 9, []
    for _ in range(n):
        now += rng.randrange(step)
        made.append(random_access(rng, now, longest))
    order = [a.end + rng.randrange(disorder + 1) for a in made]
    return [a for _, _, a in sorted(zip(order, range(n), made))]


def union(accesses, begin=0, end=1 << 64):
    """Returns the length of the union of the accesses' intervals within [begin, end)."""
    total, reached = 0, begin
    for a in sorted(accesses, key=lambda a: a.start):
        if a.flags & UNSPANNED:
            continue
        s, e = max(a.start, reached), min(a.end, end)
        if s < e:
            total += e - s
            reached = e
    return total


def moves(accesses):
    return [a for a in accesses if a.op < 2]


def bottom(accesses):
    return [a for a in accesses if not a.disk.endswith("*")]


def cut(accesses, begin, end):
    """Returns the accesses in a time range, cut to that range. If an access ends after the range,
    its part within the range gets the flag PART. This part adds to the busy time, but does not
    count as an access."""
    left = []
    for a in accesses:
        s, e = max(a.start, begin), min(a.end, end)
        if begin < a.end <= end:
            left.append(replace(a, start=s, end=max(s, e), held=a.latency))
        elif s < e and not a.flags & UNSPANNED:
            left.append(replace(a, start=s, end=e, flags=a.flags | PART))
    return left
