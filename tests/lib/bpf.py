# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls the bpf() system call, finds the BPF programs that watch the block layer, and reads how long
BPF programs ran."""
import ctypes
import json
import os
import struct
import subprocess
from contextlib import contextmanager

BPF = 321
INFO_BY_FD, LINK_FD_BY_ID, NEXT_LINK = 15, 30, 31
RAW_TRACEPOINT = 1  # bpf_link_info.type of a link to a raw tracepoint
LINK_INFO = struct.Struct("=IIIxxxxQI")  # struct bpf_link_info, up to tp_name_len
STARTS = (b"block_rq_issue", b"block_bio_queue")
LIBC = ctypes.CDLL(None, use_errno=True)


def bpf(command, attributes):
    """Returns (result, attributes after the call). The result is None if the call failed."""
    buffer = ctypes.create_string_buffer(attributes, 64)
    result = LIBC.syscall(BPF, command, buffer, len(buffer))
    return (None if result < 0 else result), buffer.raw


@contextmanager
def by_id(command, number):
    """Yields a descriptor of the BPF object with this id, or None if the object no longer
    exists."""
    fd, _ = bpf(command, struct.pack("=I", number))
    try:
        yield fd
    finally:
        if fd is not None:
            os.close(fd)


def info_of(fd, request=b""):
    """Returns the kernel's struct that describes a BPF object, for instance struct bpf_link_info.
    None: the call failed. @request: the struct's content before the call."""
    info = ctypes.create_string_buffer(request, 256)
    result, _ = bpf(INFO_BY_FD, struct.pack("=IIQ", fd, len(info), ctypes.addressof(info)))
    return None if result is None else info.raw


def link_ids():
    number = 0
    while True:
        result, after = bpf(NEXT_LINK, struct.pack("=I", number))
        if result is None:
            return
        number = struct.unpack_from("=4xI", after)[0]
        yield number


def run_times(ids):
    """Returns {name: (runs, ns)} of the BPF programs @ids, from bpftool. Names are cut to 15
    characters, because some versions of bpftool print only these. Programs with equal names are
    added up."""
    found = {}
    for p in json.loads(subprocess.check_output(["bpftool", "prog", "show", "--json"])):
        if p["id"] in ids:
            name = p["name"][:15]
            runs, ns = found.get(name, (0, 0))
            found[name] = runs + p.get("run_cnt", 0), ns + p.get("run_time_ns", 0)
    return found
