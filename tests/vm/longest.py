#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""The longest single run of each kernel program under loads that make it long: if this fails, one
system call holds a processor far longer than the work that it asks for. A nanosecond of the VM is
an instruction of its one processor, so that the figures do not depend on this machine."""
import contextlib
import json
import subprocess

from lib import disks, kernel
from lib.ktap import *
from lib.measure import (IOSPAN, make_file, needs_features, needs_workload,
                         workload)

AIOS, RINGS, LONGEST = map(workload, ("aios", "rings", "../vm/longest"))
PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}


def tell(process, line=""):
    """Sends the process a line, and returns its answer."""
    process.stdin.write(line + "\n")
    process.stdin.flush()
    return process.stdout.readline()


@contextlib.contextmanager
def ended(*argv):
    """A process that has said an empty line. It ends with its input."""
    with subprocess.Popen(argv, **PIPES) as p:
        assert_eq(p.stdout.readline(), "\n", argv[0])
        try:
            yield p
        finally:
            p.stdin.close()
            p.wait()


@contextlib.contextmanager
def watched():
    """A function that runs a shell command as part of a measured one, and returns the longest run
    of each kernel program in ns."""
    shell = 'echo; while read -r line; do eval "$line" >&2; echo done; done'
    with ended(IOSPAN, "run", "-o", "/dev/null", "--backend=tracepoint", "--",
               "sh", "-c", shell) as tracer, \
         ended(LONGEST, *map(str, sorted(kernel.program_ids(tracer.pid)))) as longest:
        def times(command):
            tell(longest)
            assert_eq(tell(tracer, command), "done\n", command)
            found = json.loads(tell(longest))
            diagnostic(command)
            for name, (runs, total, most) in sorted(found.items()):
                if runs:
                    diagnostic(f"  {name}: {runs} runs, mean {total / runs:.0f} ns, "
                               f"longest {most} ns")
            return {name: most for name, (_, _, most) in found.items()}
        yield times


@test()
def each_program():
    needs(EMULATED, "shown in a VM")
    needs_features("bpf_prog_fentry", "io_uring_req_events")
    needs_workload(AIOS, RINGS, LONGEST)
    path = make_file("load", 1 << 20)
    direct = f"dd if={path} bs=4k oflag=direct of="
    with disks.zram_disk() as bios, watched() as times:
        single = {n: times(f"{AIOS} {path} {n} 1")["on_call"] for n in (256, 1024)}
        vectors = {n: times(f"{AIOS} {path} {n} 64")["on_call"] for n in (256, 1024)}
        times(f"{AIOS} {path} 1024 1 0")
        times(f"echo | {RINGS} storm {path}")
        times(f"{direct}{path}.copy; sync; {direct}{bios}")
        times("i=0; while [ $i -lt 50 ]; do /bin/true; i=$((i + 1)); done")
    for n in single:
        expect_le(vectors[n], 4 * single[n], f"{n} requests of 64 vectors against one")
    for found in single, vectors:
        expect_le(found[1024], 6 * found[256], "1,024 requests against 256")


main()
