# SPDX-License-Identifier: GPL-2.0-or-later
"""A FUSE server that simulates a network server that is down. With a real server, iospan's requests
would hang. The FUSE server fails iospan's requests at once, and the test fails with a list of these
requests."""
import collections
import errno
import multiprocessing
import os
import re
import stat
import struct
import tempfile
import time
from contextlib import contextmanager

from lib import kernel
from lib.ktap import *

LOOKUP, FORGET, GETATTR, OPEN, READ, RELEASE, FLUSH, INIT, INTERRUPT = 1, 2, 3, 14, 15, 18, 25, 26, 36
FSYNC, STATFS = 20, 17
SIZE, LONG_S, NODE, DIRECT_IO = 1 << 20, 1 << 20, 2, 1
HEADER = struct.Struct("=IIQQIIII")  # struct fuse_in_header of linux/fuse.h
SILENT = (FORGET, INTERRUPT)  # the kernel waits for no answer to these


def attributes():
    """Returns struct fuse_attr of the only file in the file system."""
    return struct.pack("=6Q10I", NODE, SIZE, SIZE // 512, 0, 0, 0, 0, 0, 0, stat.S_IFREG | 0o644, 1,
                       0, 0, 0, 4096, 0)


def reply(opcode, request):
    """Returns the answer to a request: bytes, or an errno with which the request fails. None: no
    answer. Either the kernel waits for none (SILENT), or a server that is down would not answer. In
    the second case, serve() notes the request, and fails it."""
    if opcode in SILENT or (opcode in (LOOKUP, GETATTR, STATFS) and is_iospan(request)):
        return None
    if opcode == INIT:
        return struct.pack("=7I36x", 7, 31, 65536, 0, 0, 65536, 1)
    # entry and attributes are not cached, so that the kernel asks again each time
    if opcode == LOOKUP:
        return struct.pack("=4Q2I", NODE, 0, LONG_S, 0, 0, 0) + attributes()
    if opcode == OPEN:
        return struct.pack("=QII", 0, DIRECT_IO, 0)
    if opcode == READ:
        _, _, size = struct.unpack_from("=QQI", request, HEADER.size)
        return bytes(size)
    if opcode == GETATTR:
        return struct.pack("=QII", 0, 0, 0) + attributes()
    return b"" if opcode in (FLUSH, RELEASE, FSYNC) else errno.ENOSYS


def without_attributes(opcode, request):
    return None if opcode in (GETATTR, STATFS) else reply(opcode, request)


def sender(request):
    return HEADER.unpack_from(request)[6]


def caller(request):
    return kernel.read(f"/proc/{sender(request)}/comm")


def is_below(pid, ancestor):
    while pid not in (0, ancestor):
        pid = int(re.search(r"^PPid:\s*(\d+)", kernel.read(f"/proc/{pid}/status"), re.M)[1])
    return pid == ancestor


def is_iospan(request):
    """Returns true if an iospan process of this test made the request. Other tests may run iospan
    at the same time."""
    return caller(request).startswith("iospan") and is_below(sender(request), os.getppid())


def serve(fd, answer_to, waiting):
    """Serves requests until the file system is unmounted. If @answer_to returns None, writes a line
    to @waiting, and fails the request."""
    try:
        while True:
            request = os.read(fd, 1 << 20)
            _, opcode, unique = HEADER.unpack_from(request)[:3]
            answer, code = answer_to(opcode, request), 0
            if answer is None and opcode not in SILENT:
                os.write(waiting, f"{caller(request)}, opcode {opcode}\n".encode())
                answer = errno.EIO
            if isinstance(answer, int):
                answer, code = b"", -answer
            if answer is not None:
                os.write(fd, struct.pack("=IiQ", 16 + len(answer), code, unique) + answer)
    except OSError:
        pass  # the file system is unmounted


@contextmanager
def mounted(answer_to=reply):
    """Mounts the file system and yields the path of its file, which can be opened and read. The
    function @answer_to answers each request."""
    needs(root() and os.path.exists("/dev/fuse"), "needs root and /dev/fuse")
    where = os.path.join(scratch_dir(), "stalled")
    os.makedirs(where, exist_ok=True)
    fd = os.open("/dev/fuse", os.O_RDWR)
    kernel.mount("fuse", where, options=f"fd={fd},rootmode=40000,user_id=0,group_id=0")
    # The server is a process, because the end of a process closes /dev/fuse. This wakes the
    # processes that wait for an answer. The end of a thread closes nothing.
    with tempfile.TemporaryFile() as waiting:
        server = multiprocessing.get_context("fork").Process(
            target=serve, args=(fd, answer_to, waiting.fileno()), daemon=True)
        server.start()
        os.close(fd)
        try:
            yield os.path.join(where, "file")
        finally:
            kernel.unmount(where, kernel.MNT_DETACH)
            server.kill()
            server.join()
            waiting.seek(0)
            requests = collections.Counter(waiting.read().decode().splitlines())
            expect_eq(dict(requests), {}, "requests (linux/fuse.h) with a wait for ever")


@contextmanager
def slow_disk(seconds):
    """Yields a read-only disk that serves one read at a time. Each read takes @seconds."""
    def answer(opcode, request):
        if opcode == READ:
            time.sleep(seconds)
        return reply(opcode, request)

    with mounted(answer) as path, kernel.attached("--read-only", path) as disk:
        yield disk
