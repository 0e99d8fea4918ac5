#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures the same calls by each backend of the vfs layer. A backend is the way in which iospan
traces system calls: tracepoints, fentry or kprobes."""
import os
import subprocess

from lib import kernel
from lib.ktap import *
from lib.ktap import EMULATED
from lib.measure import (BACKENDS, added, drop_cache, expect_complete, feature, in_turn,
                         json_lines, make_file, measure, needs_backend, needs_run, needs_workload,
                         only, workload)

WRITES = 200
CALLS, FAMILY = workload("calls"), workload("family")


def operation(report, name):
    row = report.layers["vfs"]["operations"].get(name)
    faults = report.layers["vfs"]["sources"].get("fault") if name == "read" else None
    if not row:
        return [0, 0, 0]
    return [row[key] - (faults[key] if faults else 0)
            for key in ("accesses", "bytes", "errors")]


def every_call_and_many_processes(backend):
    """Compares iospan's counts with those of two programs. The program "calls" makes every system
    call that moves bytes of a file. The program "family" reads in children, threads and executed
    programs."""
    needs_workload(CALLS, FAMILY)
    needs_backend(backend)
    kernel.mount("tmpfs", "/mnt")
    path = make_file("load", 1 << 20)
    drop_cache(path)
    report, out = measure(in_turn([CALLS, path, path + ".new", "/mnt/elsewhere"],
                                  [FAMILY, "tree", path]),
                          f"--backend={backend}", *only("vfs"))
    expect_eq(report.document["backends"]["vfs"].split(",")[0], backend)
    calls, family = json_lines(out)
    diagnostic(out.strip())
    reads = added([calls["read"], [family["reads"], family["bytes"], 0]])
    for name, seen in (("read", reads), ("write", calls["write"]), ("sync", calls["sync"])):
        expect_eq(operation(report, name), seen, f"vfs: {name}s")
    if not calls["again"]:
        diagnostic("no read would have waited: its page was read again before")
    expect_complete(report)


@test()
def backends_of_a_whole_kernel():
    """Debian's kernels support fentry on x86-64, and since Linux 6.4 also on arm64. They support
    multi-kprobes since Linux 6.14."""
    needs(EMULATED, "shown in a VM")
    release = tuple(int(n) for n in os.uname().release.split(".")[:2])
    expect_eq(feature("bpf_prog_fentry"), os.uname().machine == "x86_64" or release >= (6, 4),
              "fentry")
    expect_eq(feature("kprobe_multi"), release >= (6, 14), "kprobes")


# While the file system is frozen, the writes of all these processes wait in their system calls.
CROWD = """fsfreeze -f "$0"
for i in $(seq $1); do
	dd if=/dev/zero of="$0/file" bs=4k count=1 conv=notrunc status=none &
done
while [ "$(ps -C dd -o stat= | grep -c ^D)" -lt $1 ]; do sleep 0.1; done
fsfreeze -u "$0"
wait"""


@test(seconds=200)
def many_calls_in_flight():
    needs(EMULATED, "shown in a VM")
    needs_run("mkfs.ext4", "fsfreeze")
    with kernel.loop_disk(32 << 20) as disk, kernel.undone(lambda: kernel.unmount("/mnt")):
        subprocess.run(["mkfs.ext4", "-q", disk], check=True)
        kernel.mount("ext4", "/mnt", disk)
        make_file("/mnt/file", 4096)
        report, _ = measure(["sh", "-c", CROWD, "/mnt", str(WRITES)], "--layers=vfs")
    expect_eq(report.operation("vfs", "write"), (WRITES, 4096 * WRITES), "writes")
    expect_complete(report)


for one in BACKENDS:
    test(name=f"by_{one}")(lambda b=one: every_call_and_many_processes(b))

main()
