#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests bench load --verify on a loop device. Meanwhile, the test changes the file below the
device, as if data had been lost, torn (written only in part), misdirected or corrupted. Each block
starts with a stamp, which has its offset and the number of the write (generation)."""
import json
import os
import signal
import struct
import time
from contextlib import contextmanager

from lib import disks
from lib.ktap import *
from lib.loads import Running, is_alive, load

MIB = 1 << 20
SIZE, UNIT, SECTOR = 16 * MIB, 4096, 512
STAMP = struct.Struct("<QIIQQ")  # start of a block: offset, generation, writer, run, checksum
VERDICTS = ("lost", "torn", "misdirected", "corrupt", "unreadable")


class Disk:
    """A loop device, and the file below it, which the test changes."""

    def __init__(self, name, fd):
        self.name, self.fd = name, fd

    def read(self, offset, size=UNIT):
        return os.pread(self.fd, size, offset)

    def write(self, offset, data):
        os.pwrite(self.fd, data, offset)

    def generation(self, offset):
        return STAMP.unpack_from(self.read(offset))[1]


@contextmanager
def loop_disk():
    needs(root(), "needs root")
    path = os.path.join(scratch_dir(), "disk")
    with open(path, "wb+") as f:
        f.truncate(SIZE)
        with disks.loop_over(path) as name:
            yield Disk(name, f.fileno())


def stopped(run, least_s):
    """Stops a load that takes @least_s or longer. Returns true if it was not over before. iospan
    writes a line for each interval, so the last line shows the time of the load."""
    try:
        run.stop()
    except OSError:  # it has ended
        return False
    time.sleep(0.2)
    with open(run.live, encoding="ascii") as f:
        last = json.loads(f.read().splitlines()[-1])
    return is_alive(run.child.pid) and last["elapsed_ns"] < least_s * 1e9


def start(disk, *options):
    return Running(disk.name, "--destroy", "--verify", "--unique-bytes", SIZE, *options)


def begin(disk, *options):
    """Starts a load that takes a second or longer, and stops it. If a pause of the machine takes
    that long, another load starts."""
    while not stopped(run := start(disk, *options).rounds(1), 1):
        end(run)
    return run


def begin_writes(disk, read):
    """Starts a load of 5 s, and stops it when most requests have ended. Returns (load, content of
    the disk at an earlier time)."""
    for _ in range(10):
        run = begin(disk, "--read", read, "-s", "8k", "-n", "10000", "--rate=2000")
        before = disk.read(0, SIZE)
        if stopped(run.signal(signal.SIGCONT).until("accesses", 8000), 4.9):
            return run, before
        end(run)
    needs(False, "the load was always over before the test could stop it")


def end(run):
    if run.child.poll() is None:
        run.signal(signal.SIGCONT)
    return run.end()


def expect_places(result, **expected):
    """Checks how many faults iospan found of each kind (verdict), such as "lost". @expected:
    {verdict: (at least, at most)}."""
    status, found, err = result
    seen = found["verify"]
    expect_eq((status, err), (1, "iospan: what is read is not what was written\n"),
              "status, stderr")
    for verdict in VERDICTS:
        least, most = expected.get(verdict, (0, 0))
        expect_ge(seen[verdict], least, verdict)
        expect_le(seen[verdict], most, verdict)
    expect_eq(seen["differences"], sum(seen[v] for v in VERDICTS), "places")
    return seen["first_differences"]


@test()
def a_good_disk_has_no_errors():
    folder = scratch_dir()
    for options in (("--engine", "uring", "--unique-bytes", "64k", "--size-dist", "4k:5,16k:1,60k:1"),
                    ("--engine", "uring", "--unique-bytes", "1M", "--procs", "3", "--zipf", "1.2", "--processes"),
                    ("--engine", "uring", "--unique-bytes", "2M", "--seq", "0.5", "--align", "512", "--size-dist", "normal"),
                    ("--engine", "psync", "--unique-bytes", "1M", "--buffered", "--rate=20000", "--procs", "2"),
                    ("--engine", "mmap", "--unique-bytes", "1M"), ("--unique-bytes", "1M", folder, "--procs", "2", "--buffered")):
        status, found, err = load(folder, "--verify", "--read", "0.5", "-n", "10007", *options)
        assert_eq(err, "", f"{options}")
        seen = found["verify"]
        expect_eq((status, seen["differences"]), (0, 0), f"{options}")
        expect_ge(seen["checked_bytes"], 1000 * UNIT, f"{options}: checked bytes")
        expect_eq(seen["read_back_bytes"], found["load"]["unique_bytes"],
                  f"{options}: bytes read back")


# The load first fills the disk, and then only reads. So no write repairs a fault before a read
# finds it.
@test()
def faults_in_the_fill_have_their_verdict():
    with loop_disk() as disk:
        run = begin(disk, "--read", "1", "--procs", "2", "-t", "1s")
        flipped, zeroed = 5 * UNIT, 9 * UNIT
        block = bytearray(disk.read(flipped))
        block[1000] ^= 4
        disk.write(flipped, block)
        disk.write(zeroed, bytes(UNIT))
        # Each pair of blocks is exchanged. The blocks of the first pair belong to different
        # processes.
        swaps = ((100 * UNIT, SIZE - 3 * UNIT), (20 * UNIT, 21 * UNIT))
        for a, b in swaps:
            blocks = disk.read(a), disk.read(b)
            disk.write(a, blocks[1])
            disk.write(b, blocks[0])
        first = expect_places(end(run), corrupt=(2, 2), misdirected=(4, 4))
        by_place = {f["expected"]["offset_bytes"]: f for f in first}
        expect_eq(sorted(by_place), sorted([flipped + SECTOR, zeroed, *sum(swaps, ())]),
                  "where")
        for at, other in (*swaps, *(swap[::-1] for swap in swaps)):
            found = by_place[at]
            expect_eq((found["verdict"], found["bytes"], found["actual"]["offset_bytes"]),
                      ("misdirected", UNIT, other), f"at {at}")
            for what in ("expected", "actual"):
                expect_eq((found[what]["path"], found[what]["writer"]),
                          (disk.name, 1 + (found[what]["offset_bytes"] >= SIZE // 2)), "target, process")


def changed(disk, before):
    """Before the load, iospan fills the disk. @before: the content of the disk at that time. Yields
    the offsets of pairs of blocks that one request of the load has written."""
    for at in range(0, SIZE - UNIT, UNIT):
        new = disk.generation(at)
        if (new == disk.generation(at + UNIT) and
                new != STAMP.unpack_from(before, at)[1] and
                new != STAMP.unpack_from(before, at + UNIT)[1]):
            yield at


# One request wrote both blocks of a pair. The test restores the old content of both blocks
# ("lost"), or of the second block only ("torn"). Later writes may repair these faults. For "torn",
# the load only writes, because a read of the second block alone would find "lost". At the end,
# iospan reads all blocks.
@test()
def old_copies_are_lost_or_torn():
    for read, verdict in (("0.5", "lost"), ("0", "torn")):
        with loop_disk() as disk:
            run, before = begin_writes(disk, read)
            places = list(changed(disk, before))[::5]
            expect_ge(len(places), 40, "places with old copies")
            for at in places:
                disk.write(at + UNIT, before[at + UNIT:at + 2 * UNIT])
                if verdict == "lost":
                    disk.write(at, before[at:at + UNIT])
            first = expect_places(end(run), **{"lost": (0, 999), verdict: (10, 999)})
            for found in first:
                at = found["expected"]["offset_bytes"]
                expect_true({at, at - UNIT} & set(places), f"a fault at {at}")
                expect_true(found["actual"]["generation"] < found["expected"]["generation"],
                            f"older at {at}")


@test()
def a_truncated_disk_is_unreadable():
    with loop_disk() as disk:
        run = begin(disk, "--read", "1", "-t", "1s")
        os.truncate(disk.fd, SIZE - 2 * UNIT)
        first = expect_places(end(run), unreadable=(2, 2))
        expect_eq([f["expected"]["offset_bytes"] for f in first],
                  [SIZE - 2 * UNIT, SIZE - UNIT], "where")


@test()
def verify_needs_permission_and_alignment():
    with loop_disk() as disk:
        status, found, err = load(disk.name, "--verify", "--unique-bytes", "1M")
        expect_eq((status, found), (1, None), "status, result")
        expect_true("--destroy" in err, err)
    for options, words in ((("--align", "8", "-s", "4096"), "--align"), (("--engine", "null"), "engine")):
        status, found, err = load(scratch_dir(), "--verify", *options)
        expect_eq((status, found), (2, None), f"{options}: status, result")
        expect_true(words in err, err)


main()
