# SPDX-License-Identifier: GPL-2.0-or-later
"""A disk that loses completions: a loop device over a FUSE file with delayed answers. While a
request is in flight, the test marks the disk's queue (struct queue in bpf/abi.h) as "not ready" in
iospan's BPF map. So iospan ignores the completion. A scan is iospan's search for requests with a
lost completion."""
import mmap
import multiprocessing
import os
import struct
import time
from contextlib import contextmanager

from lib import kernel, stalled
from lib.bpf import by_id, info_of

MAP_FD_BY_ID, MMAPABLE = 14, 0x400
STATE_BUSY, STATE_READY = 1, 2
QUEUE = struct.Struct("=QQQQIIHH6III")  # struct queue in bpf/abi.h, up to scan_at
DISKSEQ_AT, STATE_AT, SCAN_AT = 8, 32, QUEUE.size


def variables_of(number):
    """Returns the global variables of iospan's BPF programs as mapped memory. Returns None if map
    @number does not hold them."""
    with by_id(MAP_FD_BY_ID, number) as fd:
        info = fd and info_of(fd)
        if not info:
            return None
        _, _, _, size, _, flags, name = struct.unpack_from("=6I16s", info)
        if not flags & MMAPABLE or name.rstrip(b"\0") != b"iospan.bss":
            return None
        return mmap.mmap(fd, (size + mmap.PAGESIZE - 1) // mmap.PAGESIZE * mmap.PAGESIZE)


def queues_of(disk, pid):
    """Finds the disk's queues (struct queue) in the memory of the BPF programs of the iospan
    process @pid. Returns [(mapped memory, offset of the queue in it)]."""
    found = []
    dev = kernel.dev(os.stat(disk).st_rdev)
    diskseq = int(kernel.read(kernel.of_disk(disk, "diskseq")))
    for variables in filter(None, map(variables_of, kernel.bpf_ids(pid, "map"))):
        at = variables.find(struct.pack("=Q", diskseq))
        while at >= 0:
            entry = QUEUE.unpack_from(variables, at - DISKSEQ_AT) if at >= DISKSEQ_AT else None
            if entry and entry[4] == STATE_READY and entry[14] == dev:
                found.append((variables, at - DISKSEQ_AT))
            at = variables.find(struct.pack("=Q", diskseq), at + 8)
    return found


class Disk:
    """A disk that loses completions. Its FUSE server runs in another process, and withholds the
    answers that the test chooses."""

    def __init__(self):
        self.path, self.queues = None, []
        shared = multiprocessing.get_context("fork")
        self.skip, self.opcode = shared.Value("i", 0), shared.Value("i", 0)
        self.held, self.go = shared.Event(), shared.Event()

    def answer(self, opcode, request):
        if opcode == self.opcode.value:
            self.skip.value -= 1
            if self.skip.value < 0:
                self.opcode.value = 0
                self.held.set()
                self.go.wait()
        # iospan may ask for the attributes of this file. The test answers, because stalled.reply()
        # would not.
        if opcode == stalled.GETATTR:
            return struct.pack("=QII", 0, 0, 0) + stalled.attributes()
        return stalled.reply(opcode, request)

    def hold(self, opcode, skip):
        """Lets @skip requests of type @opcode pass. Withholds the answer to the next request of
        this type."""
        self.skip.value, self.opcode.value = skip, opcode

    def mark(self, state):
        """Sets the state of the disk's queues in iospan's BPF map. Returns the number of these
        queues."""
        for variables, at in self.queues:
            struct.pack_into("=I", variables, at + STATE_AT, state)
        return len(self.queues)

    def lose(self, pid):
        """Makes the iospan process @pid ignore the events of this disk, until see() is called."""
        self.queues = queues_of(self.path, pid)
        return self.mark(STATE_BUSY)

    def skip_scan(self):
        """Makes iospan's next scan start after the last request in flight. So the scan finds
        nothing."""
        for variables, at in self.queues:
            struct.pack_into("=I", variables, at + SCAN_AT, 0xFFFFFFFF)

    def wait_in_flight(self, wanted):
        while sum(map(int, kernel.read(kernel.of_disk(self.path, "inflight")).split())) != wanted:
            time.sleep(0.001)

    def see(self):
        return self.mark(STATE_READY)


@contextmanager
def disk_that_loses():
    disk = Disk()
    with stalled.mounted(disk.answer) as path:
        file = os.open(path, os.O_RDWR)
        try:
            number, fd = kernel.free_loop(file, 0)
            disk.path = f"/dev/loop{number}"
            try:
                yield disk
            finally:
                disk.go.set()
                os.close(fd)
        finally:
            os.close(file)
