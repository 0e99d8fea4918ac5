# SPDX-License-Identifier: GPL-2.0-or-later
"""An oracle (independent observer) for the device layer, without code of iospan. It reads the
kernel's records for blktrace(8), which contain the cgroup charged."""
import errno
import fcntl
import os
import signal
import struct
import subprocess
import time
from collections import defaultdict
from contextlib import ExitStack, contextmanager

from lib import disks, kernel, tracefs
from lib.oracle import Operation

SETUP, START, STOP, TEARDOWN = 0xC0481273, 0x1274, 0x1275, 0x1276
# struct blk_user_trace_setup: name, mask, size and number of buffers, ...
USER_SETUP = struct.Struct("32sH2xII4xQQI4x")
# struct blk_io_trace: magic, sequence, ns, sector, bytes, action, pid, device, cpu, error, bytes
# after the record
RECORD = struct.Struct("IIQQIIIIIHH")
MAGIC, VERSION = 0x65617400, 7
# The low byte of a record's action is REQUEUE, ISSUE or COMPLETE. If the action has the bit CGROUP,
# a cgroup id follows the record.
REQUEUE, ISSUE, COMPLETE, CGROUP = 6, 7, 8, 1 << 8
CLASS_READ, CLASS_WRITE = 1 << 16, 2 << 16  # bits in the high half of a record's action
NAMES = {CLASS_READ: "read", CLASS_WRITE: "write"}
OTHERS = (0x200 | 0x2000) << 16  # the classes pass-through and discard
WANTED = 1 << 5 | 1 << 6 | 1 << 7  # the classes to record: requeue, issue and complete
AGAIN = -errno.EAGAIN & 0xFFFF
# If a request was refused and never issued, records() sets the low byte of its action to this
# value. The kernel does not use this value.
REFUSED = 0xFF
# Number of buffers for each disk and CPU, and bytes of each buffer. If all buffers are full, the
# kernel drops new records and counts them; read() then raises Lost.
BUFFERS, BUFFER_SIZE = 16, 1 << 20
OPTION = f"{tracefs.TRACEFS}/options/blk_cgroup"


class Lost(Exception):
    """The kernel has lost records, so this trace cannot be compared with iospan."""


class Flight:
    def __init__(self, ns, size, group):
        self.start, self.left, self.size, self.group = ns, size, size, group
        self.intervals = []

    def pause(self, ns):
        self.intervals.append((self.start, ns))


class Disk:
    """The accesses of one disk, per cgroup. take() gets the disk's records in time order."""

    def __init__(self):
        self.flying, self.waiting = defaultdict(list), defaultdict(list)
        self.found = defaultdict(Operation)  # {(group, "read" or "write"): accesses}
        self.refused = defaultdict(lambda: [0, 0])  # {(group, "read" or "write"): [number, bytes]}
        self.unmatched = self.requeues = 0
        self.steps = {ISSUE: self.issue, REQUEUE: self.requeue, COMPLETE: self.complete,
                      REFUSED: self.refuse}

    def take(self, ns, sector, size, action, group):
        key = sector, action & (CLASS_READ | CLASS_WRITE)
        self.steps[action & 0xFF](key, ns, size, group)

    def issue(self, key, ns, size, group):
        if self.waiting[key]:
            flight = self.waiting[key].pop(0)
            flight.start = ns
        else:
            flight = Flight(ns, size, group)
        self.flying[key].append(flight)

    def leave(self, key, ns, size):
        flights = self.flying[key]
        at = next((f for f in flights if f.left == size), flights[0] if flights else None)
        if not at:
            self.unmatched += 1
            return None
        flights.remove(at)
        at.pause(ns)
        return at

    def requeue(self, key, ns, size, group):
        flight = self.leave(key, ns, size)
        if flight:
            self.requeues += 1
            self.waiting[key].append(flight)

    def complete(self, key, ns, size, group):
        flight = self.leave(key, ns, size)
        if not flight:
            return
        flight.left -= size
        if flight.left > 0:  # a part of the request is still in flight
            flight.start = ns
            self.flying[key[0] + (size >> 9), key[1]].append(flight)
            return
        done = self.found[flight.group, NAMES[key[1]]]
        done.accesses += 1
        done.bytes += flight.size
        done.latency_sum_ns += sum(end - start for start, end in flight.intervals)
        done.intervals += flight.intervals

    def refuse(self, key, ns, size, group):
        """Counts a request that was refused because its submitter must not wait (nowait). The
        submitter may submit the request again."""
        refused = self.refused[group, NAMES[key[1]]]
        refused[0] += 1
        refused[1] += size

    def unfinished(self):
        return sum(map(len, [*self.flying.values(), *self.waiting.values()]))

    def of(self, groups, names=("read", "write")):
        whole = Operation()
        for (group, name), done in self.found.items():
            if group in groups and name in names:
                whole.add(done)
        return whole


def records(data):
    """Yields (ns, sector, bytes, action, cgroup) of each read or write."""
    at = 0
    while at < len(data):
        magic, _, ns, sector, size, action, _, _, _, error, more = RECORD.unpack_from(data, at)
        if magic != MAGIC | VERSION:
            raise Lost(f"a record starts with {magic:#x}")
        at += RECORD.size
        group = int.from_bytes(data[at:at + 8], "little") if action & CGROUP else 0
        if (action & 0xFF in (REQUEUE, ISSUE, COMPLETE) and size and
                action & (CLASS_READ | CLASS_WRITE) and not action & OTHERS):
            yield ns, sector, size, action | (REFUSED if error == AGAIN else 0), group
        at += more


class Recorder:

    def __init__(self, path):
        self.fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        self.folder = f"/sys/kernel/debug/block/{os.path.basename(path)}"
        setup = bytearray(USER_SETUP.pack(b"", WANTED, BUFFER_SIZE, BUFFERS, 0, 0, 0))
        fcntl.ioctl(self.fd, SETUP, setup)
        fcntl.ioctl(self.fd, START)

    def read(self):
        fcntl.ioctl(self.fd, STOP)
        if int(kernel.read(self.folder, "dropped")):
            raise Lost("the buffers were too small")
        found, disk = [], Disk()
        for name in os.listdir(self.folder):
            if name.startswith("trace"):
                with open(os.path.join(self.folder, name), "rb") as f:
                    found += records(f.read())
        for record in sorted(found, key=lambda r: r[0]):
            disk.take(*record)
        return disk

    def close(self):
        fcntl.ioctl(self.fd, TEARDOWN)
        os.close(self.fd)


@contextmanager
def recorded(disks):
    """Records these disks while the with block runs. Yields a function that stops the recording and
    returns {path: Disk}."""
    with ExitStack() as stack:
        stack.enter_context(kernel.restored(OPTION))
        kernel.write(1, OPTION)
        recorders = {}
        for path in disks:
            recorders[path] = Recorder(path)
            stack.callback(recorders[path].close)
        yield lambda: {path: recorder.read() for path, recorder in recorders.items()}


@contextmanager
def program(disk, folder):
    """Runs blktrace(8) while the with block runs. Its output is in @folder/out.blktrace.*."""
    with subprocess.Popen(["blktrace", "-d", disk, "-D", folder, "-o", "out"],
                          stdout=subprocess.DEVNULL) as child:
        disks.wait_for(lambda: os.path.exists(folder + "/out.blktrace.0"), "blktrace")
        time.sleep(0.5)  # blktrace opens its output files before it starts to record
        yield
        child.send_signal(signal.SIGTERM)


def parsed(folder):
    """Converts the output of program() to text by blkparse(1), in its default format. Returns the
    path of the text."""
    text = os.path.join(folder, "text")
    with open(text, "w", encoding="utf-8") as f:
        subprocess.run(["blkparse", "-D", folder, "-i", "out"], check=True, stdout=f)
    return text
