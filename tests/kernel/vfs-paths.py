#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests reads and writes through stacked file systems, libaio and mapped files. A vector is a
buffer (struct iovec) of a call."""
import json
import os
import subprocess
import sys

from lib import disks, kernel
from lib.ktap import *
from lib.measure import (added, best_backend, drop_cache, expect_complete, feature, in_turn,
                         json_lines, make_file, measure, needs_features, needs_run,
                         needs_workload, only, workload)

CALLS, AIOS, MAPS, FAMILY = map(workload, ("calls", "aios", "maps", "family"))
OPERATIONS = ("read", "write", "sync")
# A program that makes one failing preadv() with N vectors. Descriptor 3 is open only for writing.
FAILING = """import os, sys
try:
    os.preadv(3, [bytearray(10) for _ in range(int(sys.argv[1]))], 0)
except OSError:
    pass
"""


def expect_operations(report, load, layers=("vfs",)):
    for layer in layers:
        for name in OPERATIONS:
            row = report.layers[layer]["operations"].get(name)
            seen = [row["accesses"], row["bytes"], row["errors"]] if row else [0, 0, 0]
            expect_eq(seen, load[name], f"{layer}: {name}s")


def measure_load(program, *arguments, backend="tracepoint"):
    """Measures a program that prints its own counts. Returns (report, these counts). By default,
    uses tracepoints, which do not see page faults on the program's files."""
    report, out = measure([program, *arguments], f"--backend={backend}", *only("app,vfs"))
    diagnostic(out.strip())
    return report, json.loads(out)


@test()
def libaio_on_a_file_and_a_block_device():
    needs_workload(AIOS)
    needs_features("bpf_loop")
    with kernel.loop_disk(1 << 20) as disk:
        report, out = measure(in_turn([AIOS, make_file("load", 1 << 20)], [AIOS, disk]),
                              "--backend=tracepoint")
        diagnostic(out.strip())
        loads = json_lines(out)
        expect_eq(len(loads), 2, "loads")
        expect_operations(report, {name: added(load[name] for load in loads)
                                   for name in OPERATIONS}, ("app", "vfs"))
        expect_complete(report)
        row = report.disks[os.path.basename(disk)]["operations"]["read"]
        expect_ge(row["accesses"], 1, "reads at the device")


@test()
def libaio_with_more_requests_than_iospan_follows():
    """iospan follows at most 1024 requests of one io_submit(). Further requests must be counted as
    lost."""
    needs_workload(AIOS)
    needs_features("bpf_loop")
    report, load = measure_load(AIOS, make_file("load", 4096), "1500")
    expect_eq(load["read"], [1500, 1500, 0], "requests")
    for layer in "app", "vfs":
        expect_eq(report.operation(layer, "read"), (1024, 1024), f"{layer}: reads")
    expect_eq(report.losses["aio_batch"], 1500 - 1024, "requests not followed")
    expect_complete(report, "aio_batch")


@test()
def lost_requests_with_too_many_vectors():
    """iospan reads at most 64 vectors of a request, and at most 1024 vectors of a call. Unread
    vectors do not add to the bytes of a request. A request with unread vectors is also counted as a
    loss."""
    needs_workload(AIOS)
    needs_features("bpf_loop")
    path = make_file("load", 1 << 20)
    for requests, vectors, read, short in (20, 64, 1024, 4), (5, 70, 5 * 64, 5), (5, 64, 320, 0):
        report, _ = measure([AIOS, path, str(requests), str(vectors), "0"])
        case = f"{requests} requests of {vectors} vectors"
        expect_eq(report.operation("vfs", "read"), (requests, read), f"{case}: vfs")
        expect_eq(report.losses["vectors"], short, f"{case}: requests with unread vectors")
        expect_eq(report.losses["aio_events"], requests, f"{case}: lost")


@test()
def a_failed_call_with_too_many_vectors():
    for vectors, short in (64, 0), (65, 1):
        report, _ = measure(["sh", "-c", 'exec "$0" -c "$1" "$2" 3>>"$3"', sys.executable,
                             FAILING, str(vectors), make_file("load", 4096)],
                            "--backend=tracepoint", *only("vfs"))
        row = report.layers["vfs"]["operations"]["read"]
        expect_eq(row["errors"], 1, "failed calls")
        expect_eq(report.losses["vectors"], short, f"{vectors} vectors: calls with unread vectors")


def mount_or_skip(*arguments):
    done = subprocess.run(["mount", *arguments], check=False, text=True,
                          capture_output=True)
    needs(done.returncode == 0, f"cannot mount: {done.stderr.strip()}")


# A call to a file of overlayfs also causes a call to the file in the layer below. The call must
# count only once.
@test()
def overlayfs():
    needs_run("mount")
    needs_workload(CALLS)
    kernel.mount("tmpfs", "/mnt")
    parts = [os.path.join(scratch_dir(), name) for name in ("lower", "upper", "work", "on")]
    for part in parts:
        os.mkdir(part)
    make_file("lower/load", 1 << 20)
    mount_or_skip("-t", "overlay", "none", "-o",
                  "lowerdir={},upperdir={},workdir={}".format(*parts), parts[3])
    path = os.path.join(parts[3], "load")
    drop_cache(path)
    try:
        report, load = measure_load(CALLS, path, path + ".new", "/mnt/elsewhere")
        expect_operations(report, load)
        expect_complete(report)
    finally:
        kernel.unmount(parts[3])


# A kernel thread accesses the file below the loop device. These accesses must not count, because
# the command reads only the loop device.
@test()
def loop_over_a_file():
    needs_workload(FAMILY)
    path = make_file("load", 1 << 20)
    needs(os.access("/dev/loop-control", os.R_OK), "no loop disks")
    with kernel.attached(path) as disk:
        drop_cache(path)
        report, _ = measure([FAMILY, "calls", disk, "23", "4096"],
                            "--backend=tracepoint", *only("app,vfs"))
    expect_eq(report.operation("vfs", "read"), (23, 23 * 4096), "vfs: reads")
    expect_eq(report.operation("app", "read"), (23, 23 * 4096), "app: reads")
    expect_complete(report)


# Touches each page of a mapped disk, and prints the time of the touches that took longer than 20 ms.
TOUCHING = """
import mmap, os, sys, time
pages = mmap.mmap(os.open(sys.argv[1], os.O_RDONLY), 8 << 20, prot=mmap.PROT_READ)
waited = 0
for at in range(0, 8 << 20, 4096):
    before = time.monotonic_ns()
    pages[at]
    took = time.monotonic_ns() - before
    waited += took if took > 20000000 else 0
print(waited)
"""


# Each read of the disk takes 50 ms. The kernel reads ahead, so at most page faults, the page is
# already being read. The kernel counts these faults as minor, but the process waits for the disk.
# So iospan must count this time.
@test(seconds=240)
def page_faults_that_wait_for_read_ahead():
    needs_run("dmsetup")
    needs(feature("bpf_prog_fentry"), "needs fentry")
    with disks.scsi_debug() as (below,), \
         disks.mapped("iospan-slow", f"0 {disks.sectors(below)} delay {below} 0 50") as top:
        report, out = measure([sys.executable, "-c", TOUCHING, top], "--layers=vfs,device", "--backend=fentry")
        span, waited = report.layers["vfs"]["span_ns"], int(out)
        diagnostic(f"touches that waited {waited} ns, T {span} ns")
        expect_ge(waited, 100_000_000, "the touches wait")
        expect_ge(span, waited * 8 // 10, "T")


# The load reads a mapped file page by page, without read-ahead. iospan sees page faults only by
# fentry.
@test()
def mapped_file():
    needs_workload(MAPS)
    path = make_file("load", 1 << 20)
    drop_cache(path)
    report, load = measure_load(MAPS, path, backend="auto")
    runs, has = report.document["missed_runs"], feature("bpf_prog_fentry")
    expect_eq(report.document["backends"]["vfs"], best_backend() + (", fentry" if has else ""))
    expect_true("on_call_end" not in runs or best_backend() == "tracepoint", "one backend")
    expect_eq("on_fault" in runs, has, "page faults are traced")
    if has:
        expect_operations(report, load)
        expect_eq(report.layers["vfs"]["sources"]["fault"]["accesses"], load["read"][0])
    else:
        expect_eq(report.operation("vfs", "read"), (0, 0), "vfs: reads")
        expect_true(report.noted("reads of mapped files are not seen"), "the note")
    expect_complete(report)


main()
