#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Imports synthetic output of blkparse. Its actions are Q (bio queued), G (request allocated), I
(request inserted), M and F (merged), D (issued), R (requeued), C (completed), A (remapped to
another disk) and X (split). A requeue ends a part of an access."""
import os
import shutil
import struct
import subprocess

from lib.foreign import Imported, expect_refused, write
from lib.ktap import *

ACCESS = ("op", "start_ns", "end_ns", "bytes", "offset_bytes")


def line(us, action, rwbs, tail, dev="8,0", pid=697):
    major, minor = dev.split(",")
    return (f"{major:>3},{minor:<3} {1:2} {42:8} {us // 10**6:5}.{us % 10**6 * 1000:09} "
            f"{pid:5} {action:>2} {rwbs:>3} {tail}\n")


def imported(text, *options, warnings=""):
    return Imported("blkparse", [write("blk", text)], *options, warnings=warnings)


def unmatched(n):
    return f"iospan: warning: {n} completion{'' if n == 1 else 's'} without an issue event\n"


def unended(n):
    return f"iospan: warning: {n} access{'' if n == 1 else 'es'} without a completion event\n"


@test()
def issue_to_completion():
    """The test lines have all fields that blkparse may print before and after the request."""
    found = imported(
        "Input file sda.blktrace.0 added\n" +
        line(1, "A", "R", "1000 + 8 <- (8,1) 937") +
        line(2, "Q", "R", "1000 + 8 [a] b]", pid=12) +
        line(3, "G", "R", "1000 + 8 [a] b]", pid=12) +
        line(4, "P", "N", "[a] b]", pid=12) +
        line(5, "m", "N", "cfq12 anything [ at + all") +
        line(10, "I", "R", "1000 + 8 [a] b]", pid=12) +
        line(11, "U", "N", "[a] b] 1", pid=12) +
        line(11, "UT", "N", "[a] b] 1", pid=12) +
        line(25, "D", "R", "1000 + 8 [kworker/0:1H]", pid=5) +
        line(125, "C", "R", "1000 + 8 [0]", pid=0) +
        "CPU0 (sda):\n Reads Queued:           1,        4KiB\n\n"
        "Total (sda):\n Reads Completed:        1,        4KiB\n\n"
        "Throughput (R/W): 32,000KiB/s / 0KiB/s\nEvents (sda): 9 entries\n"
        "Skips: 0 forward (0 -   0.0%)\n")
    expect_eq(found.columns("layer", *ACCESS, "queued_ns", "held_ns", "error"),
              [("device", "read", 25000, 125000, 4096, 512000, 15000, 0, 0)])
    expect_eq(found.columns("device", "dev", "stacked", "process", "pid"),
              [("8:0", "8:0", 0, "a] b", 12)], "names")
    expect_eq((found.meta["source"], found.meta["recorded_layers"], found.meta["resolution_ns"]),
              ("blkparse", ["device"], 0))
    expect_eq(found.sums["losses"], {"completions_unmatched": 0, "issues_unmatched": 0,
                                     "given_up": 0, "recorder_skips": 0, "bad_lines": 0})


@test()
def operations():
    """Letters of a request: F (pre-flush), the operation, then F (FUA), A (read-ahead), S (sync), M
    (metadata)."""
    letters = {"R": "read", "RA": "read", "RM": "read", "RSM": "read", "W": "write",
               "WS": "write", "WFS": "write", "FWFS": "write", "FWFSM": "write",
               "D": "discard", "DS": "discard", "N": "other", "FN": "flush", "FF": "flush",
               "F": "flush", "WZS": "other"}
    text = "".join(line(10 * i, "D", rwbs, f"{100 * i} + 8 [x]") +
                   line(10 * i + 1, "C", rwbs, f"{100 * i} + 8 [0]")
                   for i, rwbs in enumerate(letters))
    expect_eq([r["op"] for r in imported(text).rows], list(letters.values()))


@test()
def merged():
    """Merged requests give one access. The access starts at the issue (D). Its time in the queue
    starts at the first insertion (I)."""
    found = imported(
        line(1, "Q", "W", "100 + 8 [dd]", pid=7) + line(2, "G", "W", "100 + 8 [dd]") +
        line(3, "I", "W", "100 + 8 [dd]") +
        line(4, "Q", "W", "108 + 8 [dd]") + line(5, "M", "W", "108 + 8 [dd]") +
        line(6, "Q", "W", "92 + 8 [dd]") + line(7, "F", "W", "92 + 8 [dd]") +
        line(8, "Q", "W", "116 + 8 [dd]") + line(9, "I", "W", "116 + 8 [dd]") +
        line(10, "M", "W", "116 + 8 [dd]") +
        line(20, "D", "W", "92 + 32 [kworker]", pid=5) + line(70, "C", "W", "92 + 32 [0]") +
        # The merged request no longer exists. A later request for the same sector must be an access
        # of its own.
        line(80, "D", "W", "116 + 8 [late]") + line(81, "C", "W", "116 + 8 [0]") +
        line(90, "D", "W", "108 + 8 [late]") + line(91, "C", "W", "108 + 8 [0]"))
    expect_eq(found.columns(*ACCESS, "queued_ns", "process"),
              [("write", 20000, 70000, 32 * 512, 92 * 512, 17000, "dd"),
               ("write", 80000, 81000, 4096, 116 * 512, 0, "late"),
               ("write", 90000, 91000, 4096, 108 * 512, 0, "late")])


@test()
def merged_before_insertion():
    """A front merge (F) changes the first sector of a request. In this trace, the merge happens in
    the plug list, before the request is inserted. So there is no line I."""
    found = imported(
        line(1, "Q", "W", "100 + 8 [dd]", pid=7) + line(2, "G", "W", "100 + 8 [dd]") +
        line(3, "Q", "W", "92 + 8 [other]", pid=8) + line(4, "F", "W", "92 + 8 [other]") +
        line(5, "D", "W", "92 + 16 [kworker]", pid=5) + line(9, "C", "W", "92 + 16 [0]"))
    expect_eq(found.columns(*ACCESS, "process", "pid"),
              [("write", 5000, 9000, 8192, 92 * 512, "dd", 7)])


@test()
def requeued():
    """A requeued request becomes two records. The first is a part, which ends at the requeue. The
    second is an access, which starts at the second issue (D). The driver has the request twice, for
    20 us and for 40 us. The latency of the access (held_ns) is the sum of both times."""
    found = imported(
        line(1, "I", "R", "50 + 8 [x]") +
        line(10, "D", "R", "50 + 8 [x]") + line(30, "R", "R", "50 + 8 [0]") +
        line(40, "I", "R", "50 + 8 [x]") + line(60, "D", "R", "50 + 8 [x]") +
        line(100, "C", "R", "50 + 8 [0]"))
    expect_eq(found.columns("start_ns", "end_ns", "bytes", "queued_ns", "held_ns", "part"),
              [(10000, 30000, 0, 0, 0, 1), (60000, 100000, 4096, 29000, 60000, 0)])


@test()
def completed_in_parts():
    """A request that completes in several steps is one access, which ends with the last step. If
    one step has an error, the access has an error."""
    found = imported(
        line(1, "D", "R", "64 + 32 [x]") + line(5, "C", "R", "64 + 8 [0]") +
        line(6, "C", "R", "72 + 8 [-5]") + line(9, "C", "R", "80 + 16 [0]"))
    expect_eq(found.columns(*ACCESS, "error"),
              [("read", 1000, 9000, 32 * 512, 64 * 512, 1)])


@test()
def same_place_twice():
    """If two requests for the same sector are in flight, the first one ends first."""
    found = imported(
        line(1, "D", "R", "8 + 8 [x]") + line(2, "D", "R", "8 + 8 [x]") +
        line(3, "C", "R", "8 + 8 [0]") + line(7, "C", "R", "8 + 8 [0]"))
    expect_eq(found.columns("start_ns", "end_ns"), [(1000, 3000), (2000, 7000)])
    # Two requests for the same sector follow each other. Process a queued the first one. The second
    # one has no line Q, so its process must come from its line D.
    found = imported(
        line(1, "Q", "R", "8 + 8 [a]") + line(2, "D", "R", "8 + 8 [k]") +
        line(3, "C", "R", "8 + 8 [0]") + line(4, "D", "R", "8 + 8 [b]") +
        line(5, "C", "R", "8 + 8 [0]"))
    expect_eq(found.columns("start_ns", "process"), [(2000, "a"), (4000, "b")])


@test()
def many_places_twice():
    """Many requests are in flight at once, and each sector has two of them. The import must find
    each request."""
    n = scaled(60000)
    text = "".join(line(i, action, "R", f"{8 * (i % n)} + 8 [{end}]")
                   for action, base, end in (("D", 0, "x"), ("C", 2 * n, "0"))
                   for i in range(base, base + 2 * n))
    found = imported(text)
    expect_eq(found.columns("start_ns", "end_ns"),
              [(1000 * i, 1000 * (i + 2 * n)) for i in range(2 * n)])


@test()
def disks_are_separate():
    found = imported(
        line(1, "D", "R", "8 + 8 [x]") + line(2, "D", "W", "8 + 8 [x]", dev="259,5") +
        line(3, "C", "W", "8 + 8 [0]", dev="259,5") + line(7, "C", "R", "8 + 8 [0]"))
    expect_eq(found.columns("dev", "start_ns", "end_ns"),
              [("259:5", 2000, 3000), ("8:0", 1000, 7000)])


@test()
def flush_without_data():
    """blkparse shows a flush as a bio (Q), as a request of the block layer (D, C), and as the end
    of the bio (C). These are one access without bytes."""
    found = imported(
        line(1, "Q", "FWS", "[jbd2/sda1-8]") + line(2, "G", "FWS", "[jbd2/sda1-8]") +
        line(3, "D", "FN", "[kworker/0:1H]") + line(53, "C", "FN", "0 [0]") +
        line(54, "C", "WS", "0 [0]"))
    expect_eq(found.columns("op", "start_ns", "end_ns", "bytes", "offset_bytes", "process"),
              [("flush", 3000, 53000, 0, "", "jbd2/sda1-8")])
    # After a write with a pre-flush, blkparse prints a completion (C) without a length. This line
    # must not end a flush that is still in flight.
    found = imported(line(1, "D", "FN", "[x]") + line(2, "C", "WS", "108 [0]") +
                     line(9, "C", "FN", "0 [0]"))
    expect_eq(found.columns("op", "start_ns", "end_ns"), [("flush", 1000, 9000)])
    # Old kernels give a flush the sector 2^64 - 1.
    found = imported(line(3, "D", "FN", "[x]") + line(53, "C", "FN", f"{2**64 - 1} [0]"))
    expect_eq(found.columns("op", "start_ns", "end_ns"), [("flush", 3000, 53000)])


@test()
def packet_commands():
    """Packet commands have a size but no sector. After the size, blkparse may print the bytes of
    the SCSI command in parentheses."""
    found = imported(
        line(1, "Q", "R", "36 (12 00 00 00 24 ..) [smartd]") +
        line(2, "I", "R", "36 (12 00 00 00 24 ..) [smartd]") +
        line(3, "D", "R", "36 (12 00 00 00 24 ..) [smartd]") +
        line(8, "C", "R", "(12 00 00 00 24 ..) [0]") +
        line(11, "D", "N", "0 [smartd]") + line(12, "C", "N", "[-5]"))
    expect_eq(found.columns("op", "start_ns", "end_ns", "bytes", "offset_bytes", "error"),
              [("other", 3000, 8000, 36, "", 0), ("other", 11000, 12000, 0, "", 1)])


@test()
def with_times_since_queue():
    """With -t, blkparse also prints the times since the queueing, in parentheses."""
    found = imported(
        line(1, "Q", "W", "64 + 8 [x]") +
        line(3, "D", "W", "64 + 8 (    2000) [x]") +
        line(9, "C", "W", "64 + 8 (    6000) [0]") +
        line(13, "D", "FN", "(    2000) [x]") + line(19, "C", "FN", "0 (    6000) [0]"))
    expect_eq(found.columns("op", "start_ns", "end_ns"),
              [("write", 3000, 9000), ("flush", 13000, 19000)])


@test()
def incomplete_requests():
    """Incomplete requests must be counted, and must not become accesses."""
    found = imported(
        line(1, "C", "R", "8 + 8 [0]") + line(2, "D", "R", "64 + 8 [x]") +
        line(3, "D", "R", "16 + 8 [x]") + line(4, "C", "R", "16 + 8 [0]") +
        line(5, "C", "R", "16 + 8 [0]") +
        "CPU0 (sda):\nSkips: 3 forward (1,234 -  12.3%)\n",
        warnings=unmatched(2) + unended(1) +
        "iospan: warning: 3 times that blktrace lost events\n")
    expect_eq(found.columns("start_ns", "end_ns"), [(3000, 4000)])
    losses = found.sums["losses"]
    expect_eq((losses["completions_unmatched"], losses["issues_unmatched"],
               losses["recorder_skips"]), (2, 1, 3))


@test()
def bio_disk():
    """A write to a dm device completes twice: on the disk below, and on the dm device. The dm
    device is stacked. Its bio is never issued (no D), so its access starts at Q."""
    found = imported(
        line(1, "Q", "W", "0 + 8 [dd]", dev="253,0", pid=9) +
        line(2, "A", "W", "2048 + 8 <- (253,0) 0") +
        line(3, "Q", "W", "2048 + 8 [dd]", pid=9) + line(4, "G", "W", "2048 + 8 [dd]") +
        line(5, "D", "W", "2048 + 8 [kworker]", pid=5) +
        line(15, "C", "W", "2048 + 8 [0]") + line(16, "C", "W", "0 + 8 [0]", dev="253,0"))
    expect_eq(found.columns("dev", "stacked", "start_ns", "end_ns", "process"),
              [("8:0", 0, 5000, 15000, "dd"), ("253:0", 1, 1000, 16000, "dd")])
    expect_true("1 access measured from Q to C" in found.sums["notes"][0],
                f"a note in {found.sums['notes']}")


@test()
def bio_disk_on_bio_disk():
    """A dm device is on another dm device, which is on a disk. All three complete each access, and
    both dm devices are stacked. The first access is a flush."""
    found = imported(
        line(1, "Q", "FWS", "[dd]", dev="253,1") +
        line(1, "A", "FWS", "0 + 0 <- (253,1) 0", dev="253,0") +
        line(1, "Q", "FWS", "[dd]", dev="253,0") + line(1, "A", "FWS", "0 + 0 <- (253,0) 0") +
        line(1, "Q", "FWS", "[dd]") + line(1, "D", "FN", "[k]") + line(2, "C", "FN", "0 [0]") +
        line(2, "C", "FWS", "0 [0]") + line(2, "C", "FWS", "0 [0]", dev="253,0") +
        line(2, "C", "FWS", "0 [0]", dev="253,1") +
        line(3, "Q", "W", "0 + 8 [dd]", dev="253,1") +
        line(4, "A", "W", "64 + 8 <- (253,1) 0", dev="253,0") +
        line(4, "Q", "W", "64 + 8 [dd]", dev="253,0") +
        line(5, "A", "W", "2112 + 8 <- (253,0) 64") + line(5, "Q", "W", "2112 + 8 [dd]") +
        line(6, "D", "W", "2112 + 8 [k]") + line(15, "C", "W", "2112 + 8 [0]") +
        line(16, "C", "W", "64 + 8 [0]", dev="253,0") +
        line(17, "C", "W", "0 + 8 [0]", dev="253,1"))
    expect_eq(found.columns("op", "dev", "stacked", "start_ns", "end_ns"),
              [("flush", "8:0", 0, 1000, 2000), ("flush", "253:0", 1, 1000, 2000),
               ("flush", "253:1", 1, 1000, 2000), ("write", "8:0", 0, 6000, 15000),
               ("write", "253:0", 1, 4000, 16000), ("write", "253:1", 1, 3000, 17000)])


@test()
def bio_disk_alone():
    """Here, the trace lacks the disk below the dm device. So import must not mark the dm device as
    stacked. The split (X) makes two accesses. Their sectors lie on both sides of sector 2^32 (2
    TiB); X prints only the lower 32 bits of a sector."""
    at = 2**32 - 8
    found = imported(
        line(1, "Q", "W", f"{at} + 16 [dd]", dev="253,0") +
        line(2, "X", "W", f"{at} / 0 [dd]", dev="253,0") +
        line(5, "C", "W", f"{at} + 8 [0]", dev="253,0") +
        line(9, "C", "W", f"{at + 8} + 8 [0]", dev="253,0"))
    expect_eq(found.columns(*ACCESS, "stacked"),
              [("write", 1000, 5000, 4096, at * 512, 0),
               ("write", 1000, 9000, 4096, (at + 8) * 512, 0)])


@test()
def queue_to_completion():
    """With --layer=app or vfs, each bio is an access, from its Q to the completion of its
    request."""
    text = (line(1, "Q", "W", "100 + 8 [dd]", pid=7) + line(2, "I", "W", "100 + 8 [dd]") +
            line(4, "Q", "W", "108 + 8 [cp]", pid=8) + line(5, "M", "W", "108 + 8 [cp]") +
            line(6, "Q", "FWS", "[cp]", pid=8) + line(7, "D", "FN", "[kworker]") +
            line(8, "D", "W", "100 + 16 [kworker]") + line(9, "C", "FN", "0 [0]") +
            line(10, "C", "FWS", "0 [0]") + line(20, "C", "W", "100 + 16 [-5]"))
    found = imported(text, "--layer", "app")
    expect_eq(found.columns("layer", *ACCESS, "process", "error"),
              [("app", "flush", 6000, 10000, 0, "", "cp", 0),
               ("app", "write", 1000, 20000, 4096, 51200, "dd", 1),
               ("app", "write", 4000, 20000, 4096, 55296, "cp", 1)])
    expect_eq(found.meta["recorded_layers"], ["app"])
    expect_eq([r["layer"] for r in imported(text, "--layer=vfs").rows], ["vfs"] * 3)
    expect_eq(len(imported(text, "--layer=device").rows), 2, "flush and write")


@test()
def queue_to_completion_of_stacked():
    """A bio that is remapped to a disk below is one access of the process, not one for each disk. A
    bio to a partition is queued at the partition and completes on the disk."""
    found = imported(
        line(1, "Q", "W", "0 + 8 [dd]", dev="253,0") +
        line(2, "A", "W", "2048 + 8 <- (253,0) 0") + line(3, "Q", "W", "2048 + 8 [dd]") +
        line(4, "D", "W", "2048 + 8 [kworker]") + line(15, "C", "W", "2048 + 8 [0]") +
        line(16, "C", "W", "0 + 8 [0]", dev="253,0"), "--layer", "vfs")
    expect_eq(found.columns("dev", "start_ns", "end_ns"), [("253:0", 1000, 16000)])
    # A flush has no sector, so blkparse prints sector 0 when it shows the remapping (A) of a flush.
    # import must not take this line for the remapping of the write at sector 0.
    imported(line(1, "Q", "W", "0 + 8 [dd]", dev="253,0") +
             line(2, "A", "FWS", "0 + 0 <- (253,0) 0"), "--layer", "vfs",
             warnings=unended(1) +
             f"iospan: warning: no access in '{os.path.join(scratch_dir(), 'blk')}'\n")
    # Two dm devices (253,1 and 253,0) have the same major number. The upper one, 253,1, completes
    # one write by itself and passes the next write to 253,0.
    text = (line(1, "Q", "W", "8 + 8 [dd]", dev="253,1") +
            line(2, "C", "W", "8 + 8 [0]", dev="253,1") +
            line(3, "Q", "W", "0 + 8 [dd]", dev="253,1") +
            line(4, "A", "W", "64 + 8 <- (253,1) 0", dev="253,0") +
            line(4, "Q", "W", "64 + 8 [dd]", dev="253,0") +
            line(16, "C", "W", "64 + 8 [0]", dev="253,0") +
            line(17, "C", "W", "0 + 8 [0]", dev="253,1"))
    expect_eq(imported(text, "--layer", "vfs").columns("dev", "start_ns", "end_ns"),
              [("253:1", 1000, 2000), ("253:1", 3000, 17000)])
    found = imported(
        line(1, "Q", "W", "0 + 8 [dd]", dev="8,1") +
        line(2, "A", "W", "63 + 8 <- (8,1) 0") + line(4, "D", "W", "63 + 8 [dd]") +
        line(15, "C", "W", "63 + 8 [0]"), "--layer", "vfs")
    expect_eq(found.columns("dev", "start_ns", "end_ns", "offset_bytes"),
              [("8:0", 1000, 15000, 63 * 512)])


@test()
def several_inputs_are_one_trace():
    """blktrace has one file for each CPU. A request may start in one file and end in another."""
    starts = write("starts", line(1, "D", "R", "8 + 8 [x]") + line(12, "D", "R", "8 + 8 [x]") +
                   line(40, "D", "R", "64 + 8 [x]"))
    ends = write("ends", line(10, "C", "R", "8 + 8 [0]") + line(11, "C", "R", "8 + 8 [0]") +
                 line(30, "C", "R", "8 + 8 [0]") + line(50, "C", "R", "64 + 8 [0]"))
    for inputs in ((starts, ends), (ends, starts)):
        found = Imported("blkparse", inputs, warnings=unmatched(1))
        expect_eq(found.columns("start_ns", "end_ns"),
                  [(1000, 10000), (12000, 30000), (40000, 50000)], f"{inputs}")


# the fields of struct blk_io_trace: magic, sequence, ns, sector, bytes, action, pid, ...
RECORD = struct.Struct("=IIQQIIIIIHH")
QUEUE, REQUEUE, ISSUE, COMPLETE, INSERT = 1, 6, 7, 8, 12
READ, WRITE, SYNC, PACKET, NOTIFY = 1 << 16, 2 << 16, 8 << 16, 512 << 16, 1024 << 16
META, DISCARD, FLUSH, FUA = 4096 << 16, 8192 << 16, 4 << 16, 32768 << 16
CLASSES = {QUEUE: 16, INSERT: 16, REQUEUE: 32, ISSUE: 64, COMPLETE: 128}


class Kernel:
    """Makes the records that the kernel would make for blktrace."""

    def __init__(self):
        self.records, self.n = b"", 0

    def put(self, ns, action, sector, size, pid=99, more=b"", error=0, device=8 << 20):
        self.n += 1
        kind = action & 0xffff
        self.records += RECORD.pack(0x65617407, self.n, ns, sector, size,
                                    action | CLASSES.get(kind, 0) << 16, pid, device, 0,
                                    error, len(more)) + more

    def name(self, pid, comm):
        self.put(0, NOTIFY, 0, 0, pid, comm.encode().ljust(16, b"\0"), device=0)

    def printed(self, *options):
        write("made.blktrace.0", self.records)
        p = subprocess.run(["blkparse", *options, "-D", scratch_dir(), "-i", "made"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
        return p.stdout


@test()
def output_of_blkparse():
    """blkparse itself formats synthetic records of the kernel, with different options. The import
    must understand its output."""
    needs(shutil.which("blkparse"), "needs blkparse, package blktrace")
    k = Kernel()
    k.name(77, "a b] c")
    k.put(1000, QUEUE | READ | SYNC | META, 1000, 4096, 77)
    k.put(1500, INSERT | READ | SYNC | META, 1000, 4096, 77)
    k.put(2000, ISSUE | READ | SYNC | META, 1000, 4096, 77)
    k.put(9000, COMPLETE | READ | SYNC | META, 1000, 4096, 0)
    k.put(10000, QUEUE | WRITE | FLUSH | SYNC, 0, 0, 77)
    k.put(11000, ISSUE | FLUSH, 0, 0, 5)
    k.put(12000, COMPLETE | FLUSH, 0, 0, 0)
    k.put(12500, COMPLETE | WRITE | FLUSH | SYNC, 0, 0, 0)
    k.put(13000, ISSUE | WRITE | FUA | SYNC, 64, 512, 77)
    k.put(14000, COMPLETE | WRITE | FUA | SYNC, 64, 512, 0, error=(-5) & 0xffff)
    k.put(14100, ISSUE | READ, 8, 512, 6)
    k.put(14200, COMPLETE | READ, 8, 512, 0)
    k.put(15000, ISSUE | PACKET | READ, 0, 36, 77, bytes.fromhex("120000002400"))
    k.put(16000, COMPLETE | PACKET | READ, 0, 36, 0, bytes.fromhex("120000002400"))
    k.put(17000, ISSUE | WRITE | DISCARD, 4096, 1 << 20, 77)
    k.put(18000, REQUEUE | WRITE | DISCARD, 4096, 1 << 20, 77)
    k.put(19000, ISSUE | WRITE | DISCARD, 4096, 1 << 20, 77)
    k.put(20000, COMPLETE | WRITE | DISCARD, 4096, 1 << 20, 0)
    for options in ((), ("-t",), ("-q",)):
        found = Imported("blkparse", [write("text", k.printed(*options))])
        # blkparse prints times since the first record, which is 2000 ns before the first issue.
        first = int(found.rows[0]["start_ns"]) - 2000
        expect_eq([(op, start - first, end - first, size, process) for
                   op, start, end, size, process in
                   found.columns("op", "start_ns", "end_ns", "bytes", "process")],
                  [("read", 2000, 9000, 4096, "a b] c"), ("flush", 11000, 12000, 0, "a b] c"),
                   ("write", 13000, 14000, 512, "a b] c"),
                   ("read", 14100, 14200, 512, ""), ("other", 15000, 16000, 36, "a b] c"),
                   ("discard", 17000, 18000, 0, "a b] c"),
                   ("discard", 19000, 20000, 1 << 20, "a b] c")], f"with {options}")
        expect_eq(found.columns("offset_bytes", "queued_ns", "held_ns", "error"),
                  [(512000, 500, 0, 0), ("", 0, 0, 0), (32768, 0, 0, 1), (4096, 0, 0, 0),
                   ("", 0, 0, 0),
                   (4096 * 512, 0, 0, 0), (4096 * 512, 0, 2000, 0)])


@test()
def wrong_lines():
    good = line(1, "D", "R", "8 + 8 [x]")
    for bad, why in (
            ("hello\n", "no line of blkparse's default format"),
            ("8,0 1 42 0.1\n", "no line of blkparse's default format"),
            ("4096,0 1 42 0.1 5 D R 8 + 8 [x]\n", "no line of blkparse's default format"),
            ("8,0 1 42 99999999999.1 5 D R 8 + 8 [x]\n",
             "no line of blkparse's default format"),
            (line(1, "Y", "R", "8 + 8 [x]"), "an unknown action"),
            (line(1, "D", "Q", "8 + 8 [x]"), "neither read, write, discard nor flush"),
            (line(1, "D", "R", "8 + [x]"), "the fields after the action are wrong"),
            (line(1, "D", "R", "8 + 8"), "the fields after the action are wrong"),
            (line(1, "D", "R", "8 + 8 [x] y"), "the fields after the action are wrong"),
            (line(1, "D", "R", "8 + 0 [x]"), "the fields after the action are wrong"),
            (line(1, "D", "R", f"8 + {2**32} [x]"), "the fields after the action are wrong"),
            (line(1, "D", "R", f"{2**54} + 8 [x]"), "the fields after the action are wrong"),
            (line(1, "C", "R", "8 + 8 [x]"), "the fields after the action are wrong"),
            (line(1, "A", "R", "8 + 8 <- 8,1 9"), "the fields after the action are wrong"),
            (line(1, "X", "R", "8 + 16 [x]"), "the fields after the action are wrong"),
            (line(0, "C", "R", "8 + 8 [0]"),
             "ends before it starts: the lines are not in the order of time"),
            ("CPU0 (sda):\n Reads: 1\n" + line(9, "C", "R", "8 + 8 [0]"),
             "an event after the summary; give each text as an input of its own"),
            ("\0\n", "a NUL byte: this is no text"),
            ("x" * 65536 + "\n", "longer than 65535 bytes")):
        path = write("bad", good + bad)
        expect_refused("blkparse", [path], f"{path}:{1 + bad.count(chr(10))}: {why}")


@test()
def wrong_lines_skipped():
    found = imported("hello\n" + line(1, "D", "R", "8 + 8 [x]") + "x" * 70000 + "\n" +
                     line(2, "C", "R", "8 + 8 [0]"), "--skip-bad",
                     warnings="iospan: warning: "
                     f"{os.path.join(scratch_dir(), 'blk')}:1: no line of blkparse's "
                     "default format: skipped, as are all such lines\niospan: warning: "
                     "2 lines could not be read and were skipped\n")
    expect_eq(found.columns("start_ns", "end_ns"), [(1000, 2000)])
    expect_eq(found.sums["losses"]["bad_lines"], 2)


@test()
def more_requests_in_flight_than_room():
    """When the table of requests in flight is full, import drops the oldest requests and counts
    them."""
    room, more = 2**18, 1000
    text = "".join(line(i, "D", "R", f"{8 * i} + 8 [x]") for i in range(room + more))
    end = line(room + more, "C", "R", f"{8 * more} + 8 [0]")
    gone = line(room + more, "C", "R", f"{8 * (more - 1)} + 8 [0]")
    found = imported(text + end + gone, warnings=unmatched(1) + unended(room - 1) +
                     f"iospan: warning: {more} accesses given up: too many were in "
                     "flight\n")
    expect_eq(found.columns("offset_bytes"), [(8 * more * 512,)])


main()
