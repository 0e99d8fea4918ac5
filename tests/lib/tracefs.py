# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads ftrace's events of disks and system calls from raw pages, because ftrace's text has only
microseconds. Tests observe each event by two ftrace instances (observers), one before iospan's
program and one after it."""
import heapq
import os
import re
import struct
from collections import defaultdict, namedtuple
from contextlib import ExitStack, contextmanager
from operator import attrgetter

from lib import kernel
from lib.kernel import read, write

# late: the delay until the second observer saw the event, or None if it did not see it
Block = namedtuple("Block", "ns kind pid dev sector sectors rwbs comm bytes error late",
                   defaults=["", 0, 0, None])
Fork = namedtuple("Fork", "ns kind pid child")
Ring = namedtuple("Ring", "ns kind pid")
Call = namedtuple("Call", "ns kind pid late", defaults=[None])
Attach = namedtuple("Attach", "ns kind root pid path comm")

TRACEFS = "/sys/kernel/tracing"
PAGE = os.sysconf("SC_PAGESIZE")
MISSED = 3 << 30  # bits in the commit field of a page: ftrace lost events before this page
PADDING, TIME_EXTEND, TIME_STAMP = 29, 30, 31
DATA = 16  # offset of the events in a page
CODES = {"int": "i", "pid_t": "i", "dev_t": "I", "sector_t": "Q", "unsigned int": "I",
         "unsigned": "I"}
FIELD = re.compile(r"field:(.+?)(\w+)(?:\[(\d+)\])?;\s*offset:(\d+);\s*size:(\d+);")
WANTED = {"common_pid": "pid", "dev": "dev", "sector": "sector", "nr_sector": "sectors",
          "rwbs": "rwbs", "comm": "comm", "child_pid": "child", "bytes": "bytes",
          "error": "error"}
MOVED = {"dst_root": "root", "pid": "pid", "dst_path": "path", "comm": "comm"}
PID = {"common_pid": "pid"}
CALLS = [f"sys_{end}_{call}" for call in ("pread64", "pwrite64", "fsync", "fdatasync")
         for end in ("enter", "exit")]
WANTED_OF = defaultdict(lambda: WANTED, cgroup_attach_task=MOVED, io_uring_submit_req=PID,
                        io_uring_submit_sqe=PID, io_uring_complete=PID, **dict.fromkeys(CALLS, PID))
MADE = defaultdict(lambda: Block, sched_process_fork=Fork, cgroup_attach_task=Attach,
                   io_uring_submit_req=Ring, io_uring_submit_sqe=Ring, io_uring_complete=Ring, **dict.fromkeys(CALLS, Call))


class Lost(Exception):
    """ftrace has lost events, so the trace cannot be compared with iospan."""


def parser(text):
    """Parses @text, the format file of an event. Returns the event's number, the names of the
    wanted fields, and a Struct that unpacks these fields."""
    number = int(re.search(r"^ID: (\d+)", text, re.M)[1])
    wanted = WANTED_OF[re.search(r"^name: (\w+)", text)[1]]
    code, at, names = "<", 0, []
    for kind, name, _, offset, size in FIELD.findall(text):
        offset, size = int(offset), int(size)
        if name not in wanted:
            continue
        code += f"{offset - at}x" + CODES.get(kind.strip(), f"{size}s")
        at = offset + size
        names.append((wanted[name], kind.startswith("__data_loc")))
    return number, names, struct.Struct(code)


def text_of(field):
    return field.split(b"\0", 1)[0].decode(errors="replace")


def event_of(ns, kind, names, values, page, data):
    fields = {}
    for (name, elsewhere), value in zip(names, values):
        # the field holds (offset in the event, length) of data elsewhere in the event
        if elsewhere:
            where, length = struct.unpack("<HH", value)
            value = page[data + where:data + where + length]
        fields[name] = text_of(value) if isinstance(value, bytes) else value
    return MADE[kind](ns, kind, **fields)


def page_events(page, kinds):
    """Yields the events in a page. The kernel's Documentation/trace/ring-buffer* and the file
    events/header_event of tracefs describe the format."""
    ns, commit = struct.unpack_from("<QQ", page)
    if commit & MISSED:
        raise Lost("the tracer's page says that events before it were lost")
    at, end, word = DATA, DATA + (commit & 0xFFFF), struct.Struct("<II")
    while at < end:
        head, first = word.unpack_from(page, at)
        length, delta = head & 31, head >> 5
        if length == PADDING:
            if not delta:
                return
            ns, at = ns + delta, at + 4 + first
            continue
        if length == TIME_EXTEND:
            ns, at = ns + delta + (first << 27), at + 8
            continue
        if length == TIME_STAMP:  # has 59 bits; the upper 5 are those of the page's time stamp
            ns, at = ns >> 59 << 59 | first << 27 | delta, at + 8
            continue
        ns += delta
        data, size = (at + 4, length * 4) if length else (at + 8, first - 4)
        known = kinds.get(page[data] | page[data + 1] << 8)
        if known:
            kind, names, fields = known
            yield event_of(ns, kind, names, fields.unpack_from(page, data), page, data)
        at = data + size


class Instance:
    """An ftrace instance: one observer of events. The kernel calls the observers of an event in the
    order in which they were enabled."""

    def __init__(self, path, events, kilobytes):
        self.path, self.events = path, events
        write(0, path, "tracing_on")
        write("mono", path, "trace_clock")
        write(0, path, "options/overwrite")
        write(kilobytes, path, "buffer_size_kb")

    def enable(self):
        for event in self.events:
            write(1, self.path, "events", event, "enable")

    def keep(self, group, which):
        """Records only those events of the subsystem @group that match the filter @which."""
        for event in self.events:
            if event.startswith(group + "/"):
                write(which, self.path, "events", event, "filter")

    def keep_own(self):
        """Records only events of this process and of the processes that it forks from now on."""
        write(1, self.path, "options/event-fork")
        write(os.getpid(), self.path, "set_event_pid")

    def start(self):
        write(1, self.path, "tracing_on")

    def stop(self):
        write(0, self.path, "tracing_on")

    def check_losses(self, cpu):
        stats = dict(line.split(": ") for line in read(cpu, "stats").splitlines())
        lost = {k: v for k, v in stats.items()
                if k in ("overrun", "commit overrun", "dropped events") and v != "0"}
        if lost:
            raise Lost(f"the tracer's buffer was too small: {lost}")

    def cpu_events(self, cpu, kinds):
        self.check_losses(cpu)
        raw = os.open(os.path.join(cpu, "trace_pipe_raw"), os.O_RDONLY | os.O_NONBLOCK)
        try:
            while page := os.read(raw, PAGE):
                yield from page_events(page, kinds)
        except BlockingIOError:
            pass
        finally:
            os.close(raw)

    def read(self):
        kinds = {}
        for event in self.events:
            number, *layout = parser(read(self.path, "events", event, "format"))
            kinds[number] = os.path.basename(event), *layout
        per_cpu = os.path.join(self.path, "per_cpu")
        return list(heapq.merge(*[self.cpu_events(os.path.join(per_cpu, cpu), kinds)
                                  for cpu in os.listdir(per_cpu)],
                                key=attrgetter("ns")))


@contextmanager
def instance(events, kilobytes, name="oracle", enable=True):
    """Yields an Instance with a buffer of @kilobytes per CPU, and removes it at the end."""
    with ExitStack() as stack:
        if not os.path.exists(os.path.join(TRACEFS, "instances")):
            kernel.mount("tracefs", TRACEFS)
            stack.callback(kernel.unmount, TRACEFS)
        path = os.path.join(TRACEFS, "instances", f"iospan-{name}-{os.getpid()}")
        stack.enter_context(kernel.undone(lambda: os.rmdir(path)))
        os.mkdir(path)
        made = Instance(path, events, kilobytes)
        if enable:
            made.enable()
        yield made
