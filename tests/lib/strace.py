# SPDX-License-Identifier: GPL-2.0-or-later
"""An oracle (independent observer) for the vfs layer, without code of iospan. It counts a command's
system calls on regular files and block devices, as strace prints them."""
import json
import math
import os
import re
import shutil
import subprocess

from lib.ktap import IOSPAN, assert_eq, diagnostic, expect_true, needs, scratch_dir
from lib.measure import Report, environment, needs_run

# calls with the arguments (descriptor, buffer, size, ...)
PLAIN = ("read", "pread64", "write", "pwrite64")
READS = ("read", "pread64", "readv", "preadv", "preadv2")
WRITES = ("write", "pwrite64", "writev", "pwritev", "pwritev2")
SYNCS = ("fsync", "fdatasync", "sync_file_range", "syncfs")
WHOLE = ("sync", "msync")  # sync calls that have no descriptor
# {call: (index of the argument with the source descriptor, index of the argument with the
# destination descriptor)}
COPIES = {"sendfile": (1, 0), "copy_file_range": (0, 2), "splice": (0, 2)}
SIZES = {**dict.fromkeys(PLAIN, 2), "sendfile": 3, "copy_file_range": 4, "splice": 4}
FORKS = ("clone", "clone3", "fork", "vfork")
CALLS = (*READS, *WRITES, *SYNCS, *WHOLE, *COPIES, *FORKS, "execve")

LINE = re.compile(r"(\d+) +(.*)$")
RESUMED = re.compile(r"<\.\.\. (\w+) resumed>(.*)$")
CALL = re.compile(r"(\w+)\((.*)\) += (-?\d+|\?)(?: (\w+))?")
# A descriptor of a regular file in the output of strace, such as 3</etc/passwd>. For other files,
# strace adds the type.
FILE = re.compile(r"\d+<(/[^<>]*)>")
BLOCK = re.compile(r"\d+<(/[^<>]*)<block [^>]*>>")
LIBRARY = re.compile(r"\.so(\.\d+)*$")
PSEUDO = ("/proc/", "/sys/", "/dev/pts/")


def joined(text):
    """Yields (pid, call) in the order in which the calls end. strace prints an interrupted call in
    two parts."""
    started = {}
    for line in text.splitlines():
        match = LINE.match(line)
        if not match:
            continue
        pid, rest = int(match[1]), match[2]
        resumed = RESUMED.match(rest)
        if rest.endswith("<unfinished ...>"):
            started[pid] = rest[:-len("<unfinished ...>")].rstrip()
        elif resumed:
            yield pid, started.pop(pid, resumed[1] + "(") + resumed[2]
        else:
            yield pid, rest
    yield from ((pid, start + ") = ?") for pid, start in started.items())


def file_of(argument):
    match = FILE.match(argument) or BLOCK.match(argument)
    return match[1] if match and not match[1].startswith(PSEUDO) else None


def descendants(pid, calls):
    """Returns the pids of @pid and its descendants. It looks through all @calls first, because a
    child may make calls before strace shows the end of its fork."""
    children = {}
    for parent, name, _, result, _ in calls:
        if name in FORKS and result != "?" and int(result) > 0:
            children.setdefault(parent, []).append(int(result))
    found, new = set(), [pid]
    while new:
        found.update(new)
        new = [child for parent in new for child in children.get(parent, ())
               if child not in found]
    return found


class Counts:
    """Accesses and bytes by operation.
    .loader: reads of shared libraries.
    .cut: calls without a result, because a signal killed the process. Their bytes are the maximum
    possible."""

    def __init__(self, text, program):
        self.operations = {"read": [0, 0], "write": [0, 0], "sync": [0, 0]}
        self.loader = [0, 0]
        self.failed = []
        self.cut = {"read": [0, 0], "write": [0, 0], "sync": [0, 0]}
        calls = [(pid, *match.groups()) for pid, line in joined(text)
                 for match in [CALL.match(line)] if match]
        first = next(i for i, (_, name, arguments, result, _) in enumerate(calls)
                     if name == "execve" and result == "0" and f'"{program}"' in arguments)
        members = descendants(calls[first][0], calls[first:])
        for pid, name, arguments, result, error in calls[first:]:
            if pid in members and result == "?" and not error:
                self.cut_off(name, arguments.split(", "))
            elif pid in members and result != "?":  # the kernel restarts a call that has no result
                self.call(name, arguments.split(", "), int(result), error)

    def cut_off(self, name, arguments):
        kinds = (("read", "write") if name in COPIES else ("read",) if name in READS else
                 ("write",) if name in WRITES else ())
        for kind, place in zip(kinds, COPIES.get(name, (0,))):
            if file_of(arguments[place]):
                self.cut[kind][0] += 1
                self.cut[kind][1] += self.size(name, arguments)
        self.cut["sync"][0] += name in SYNCS + WHOLE

    @staticmethod
    def size(name, arguments):
        """Returns the bytes requested. Returns infinity if strace prints no size, as for readv()
        and for a read that did not end."""
        place = SIZES.get(name, len(arguments))
        return int(arguments[place]) if len(arguments) > place else math.inf

    def call(self, name, arguments, result, error):
        if name in COPIES:
            self.copy(name, arguments, result)
        elif name in WHOLE:
            self.operations["sync"][0] += 1
        else:
            self.simple(name, arguments, result, error)

    def simple(self, name, arguments, result, error):
        path = file_of(arguments[0])
        kind = ("read" if name in READS else "write" if name in WRITES else
                "sync" if name in SYNCS else None)
        if not path or not kind or error == "EISDIR":
            return
        if result < 0:
            result = self.asked(name, arguments, path, error)
        loaded = kind == "read" and LIBRARY.search(path)
        row = self.loader if loaded else self.operations[kind]
        row[0] += 1
        row[1] += result if kind != "sync" else 0

    def asked(self, name, arguments, path, error):
        """Returns the bytes that a failed call requested, or 0 if strace prints no size."""
        self.failed += [] if name in PLAIN + SYNCS else [(name, path, error)]
        return int(arguments[2]) if name in PLAIN else 0

    def copy(self, name, arguments, result):
        for kind, place in zip(("read", "write"), COPIES[name]):
            if file_of(arguments[place]):
                self.operations[kind][0] += 1
                self.operations[kind][1] += max(result, 0)


def strace_measure(argv, **options):
    """Runs argv under iospan and strace. Returns (Report, Counts). argv[0] is absolute."""
    log = os.path.join(scratch_dir(), "strace.log")
    path = os.path.join(scratch_dir(), "report.json")
    done = subprocess.run(
        ["strace", "-f", "--seccomp-bpf", "-yy", "-s0", "-qq", "-o", log,
         "-e", "signal=none", "-e", "trace=" + ",".join(CALLS),
         IOSPAN, "run", "--json", "-l", "vfs", "-o", path, "--", *argv],
        check=False, text=True, errors="replace", capture_output=True, env=environment(),
        cwd=scratch_dir(), **options)
    assert_eq(done.returncode, 0, f"status of {argv[0]}: {done.stderr[-2000:]}")
    with open(path, encoding="utf-8") as f:
        report = Report(json.load(f))
    with open(log, encoding="utf-8", errors="replace") as f:
        counts = Counts(f.read(), argv[0])
    os.unlink(log)
    return report, counts


def loader_reads(report):
    """Returns the number of reads by the dynamic loader. The report excludes them, and has their
    number in a note."""
    for note in report.notes:
        match = re.match(r"vfs: (\d+) reads? of the dynamic loader", note)
        if match:
            return int(match[1])
    return 0


def equals_strace(argv):
    needs_run("strace")
    needs(shutil.which(argv[0]), f"needs {argv[0]}")
    report, counts = strace_measure([shutil.which(argv[0]), *argv[1:]])
    seen = {name: report.operation("vfs", name) for name in counts.operations}
    diagnostic(f"{seen}, strace {counts.operations}, loader {loader_reads(report)} "
               f"{counts.loader}, not sized {counts.failed}, cut {counts.cut}, lost {report.lost()}")
    for name, (accesses, size) in counts.operations.items():
        more = (loader_reads(report), counts.loader[0]) if name == "read" else (0, 0)
        over = seen[name][0] + more[0] - accesses - more[1]
        cut, cut_bytes = counts.cut[name]
        expect_true(0 <= over <= cut, f"accesses: {name}: {over} more than strace")
        if name != "sync" and not counts.failed:
            expect_true(size <= seen[name][1] <= size + cut_bytes,
                        f"bytes: {name}: {seen[name][1]}, expected {size} to {size + cut_bytes}")
    return report, counts
