#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares iospan's counts of reads and writes with those that fio and dd print."""
import ctypes
import mmap
import os
import re
from contextlib import contextmanager

from lib import kernel
from lib.ktap import *
from lib.measure import (drop_cache, expect_complete, feature, fio_command, fio_result,
                         make_file, measure, needs_oracle, needs_run)
from lib.oracle import recorder, with_others

SIZE = 32 << 20
RING = ("--ioengine=io_uring", "--direct=1", "--iodepth=32")
LOADS = {  # Options of fio for mixed reads and writes of an existing file.
    "io_uring": RING,
    "io_uring_fixed": (*RING, "--registerfiles=1", "--fixedbufs=1"),
    "io_uring_polled_by_kernel": (*RING, "--sqthread_poll=1", "--registerfiles=1"),
    "io_uring_workers": (*RING, "--force_async=1"),
    "io_uring_vectors": (*RING, "--nonvectored=0"),
    "io_uring_buffered": ("--ioengine=io_uring", "--iodepth=32"),
    "libaio": ("--ioengine=libaio", "--direct=1", "--iodepth=32"),
    "libaio_batches": ("--ioengine=libaio", "--direct=1", "--iodepth=32",
                       "--iodepth_batch_submit=16", "--iodepth_batch_complete_min=4"),
    "psync": ("--ioengine=psync", "--direct=1"),
    "pvsync2": ("--ioengine=pvsync2", "--direct=1"),
    "sync_buffered": ("--ioengine=sync", "--buffered=1", "--fsync=100"),
    "processes": ("--ioengine=psync", "--direct=1", "--numjobs=4"),
    "threads": (*RING, "--numjobs=4", "--thread"),
}


def hide_locales():
    """Hides the list of locales. If a locale is missing, libc reads this list. The vfs layer would
    count these reads, but fio does not count them."""
    if os.path.isdir("/usr/share/locale"):
        kernel.mount("tmpfs", "/usr/share/locale")


def mix(path, options):
    return fio_command(path, "--rw=randrw", "--bs=4k", f"--size={SIZE}",
                       "--number_ios=4999", *options)


def equals_fio(options):
    """Compares iospan with fio for a load with @options. fio does not count page faults on its own
    code. So the test uses tracepoints, which do not see page faults."""
    needs_run("fio")
    if "io_uring" in " ".join(options):
        needs(feature("io_uring") and feature("io_uring_req_events"), "needs io_uring")
    hide_locales()
    report, out = measure(mix(make_file("load", SIZE), options), "--backend=tracepoint")
    for name, seen in fio_result(out).items():
        expect_eq(report.operation("app", name), seen, f"app: {name}")
        expect_eq(report.operation("vfs", name), seen, f"vfs: {name}")
    expect_complete(report)
    for layer in ("app", "vfs", "device"):
        expect_le(report.span_ns(layer), report.document["elapsed_ns"], f"{layer}: T")
    return report


for load, load_options in LOADS.items():
    test(name=f"fio_{load}")(lambda o=load_options: equals_fio(o))


# fio reads and writes a mapped file. Without fentry, a note must say that iospan does not see
# the reads.
@test()
def fio_mmap():
    needs_run("fio")
    hide_locales()
    path = make_file("load", SIZE)
    drop_cache(path)
    report, out = measure(mix(path, ("--ioengine=mmap",)))
    expect_eq(fio_result(out)["read"][1] + fio_result(out)["write"][1], 4999 * 4096)
    expect_eq(report.operation("app", "read"), (0, 0), "app: reads")
    if feature("bpf_prog_fentry"):
        expect_ge(report.operation("vfs", "read")[0], 1, "vfs: page faults that read")
    else:
        expect_eq(report.operation("vfs", "read"), (0, 0), "vfs: reads")
        expect_true(report.noted("vfs: reads of mapped files are not seen"), "the note")


# The offset on the disk shows whether an access belongs to fio's file. The file system makes other
# accesses, and so does fio at its start.
@test()
def fio_down_to_the_disk():
    needs_oracle("fio")
    name = kernel.disk_of(os.stat(scratch_dir()).st_dev)
    needs(name, "the scratch directory is not right on a disk")
    hide_locales()
    path = make_file("load", SIZE)
    with recorder(disks=with_others([])) as run:
        report, out, oracle = measure(mix(path, RING), run=run)
    disk, where = oracle.disk_below(path), kernel.extents(path)
    for kind, (_, size) in fio_result(out).items():
        outside = disk.operations[kind].bytes_outside(where)
        seen = report.disks[name]["operations"][kind]["bytes"]
        diagnostic(f"{kind}: {size} bytes by fio, {outside} elsewhere on {name}")
        expect_eq(seen, size + outside, f"{kind}: bytes of {name}")


def dd(path, run):
    report, _, oracle = measure(["dd", f"if={path}", "of=/dev/null", "bs=1M"], run=run)
    inside = oracle.disk_below(path).operations["read"]
    return report, inside.bytes - inside.bytes_outside(kernel.extents(path)), inside


@contextmanager
def in_memory(path, locked):
    """Maps the file into memory. If @locked, also locks its pages by mlock(). Otherwise, the kernel
    may drop the pages at any time, for instance by DAMON."""
    with open(path, "r+b") as f, mmap.mmap(f.fileno(), 0) as pages:
        if locked:
            first = ctypes.c_char.from_buffer(pages)
            address = ctypes.c_void_p(ctypes.addressof(first))
            del first  # a reference would prevent the unmapping
            kernel.check(kernel.libc.mlock(address, ctypes.c_size_t(len(pages))))
        yield


def expect_joint(report, layer):
    """Each of two layers, @layer and the device layer, has a time with I/O in flight. The joint
    span is the time in which at least one of them has I/O in flight. It must be at least the longer
    time, and at most the sum of the two times. The time in which both layers have I/O in flight
    must be this sum minus the joint span."""
    one, device = (report.layers[name]["wait_span_ns"] for name in (layer, "device"))
    waiting = report.document["waiting"][layer]
    union, both = (waiting[f"wait_{k}_device_ns"] for k in ("or", "for"))
    noise = 1000 + (one + device) // 1000
    expect_ge(union, max(one, device) - noise, f"{layer} or device")
    expect_le(union, one + device + noise, f"{layer} or device")
    expect_near(both, max(0, one + device - union), noise, f"{layer} and device")
    expect_le(both, min(one, device) + noise, f"{layer} and device")


@test()
def dd_cold_then_warm():
    needs_oracle("dd")
    path = make_file("load", SIZE)
    needs(kernel.disk_of(os.stat(path).st_dev), "the scratch directory is not on a disk")
    # Runs dd once, so that its program is in the page cache and later runs do not read it.
    measure(["dd", "if=/dev/null", "of=/dev/null"])
    drop_cache(path)
    for temper, least, most in (("cold", SIZE, SIZE), ("warm", 0, SIZE // 20)):
        with recorder(disks=with_others([])) as run, in_memory(path, temper == "warm"):
            report, inside, reads = dd(path, run)
        expect_eq(report.operation("vfs", "read"), (SIZE // (1 << 20) + 1, SIZE), temper)
        expect_eq(report.operation("app", "read"), (SIZE // (1 << 20) + 1, SIZE), temper)
        expect_ge(inside, least, f"{temper}: bytes of the file from the disk")
        expect_le(inside, most, f"{temper}: bytes of the file from the disk")
        layer = report.layers["device"]
        diagnostic(f"{temper}: {inside} bytes of the file, {reads.bytes - inside} others")
        expect_eq(layer["bytes"], reads.bytes, f"{temper}: bytes at the device")
        amplification = report.document["amplification"]
        expect_near(amplification["device_per_vfs"], layer["bytes"] / SIZE, 1e-9, temper)
        expect_eq(amplification["vfs_per_app"], 1, temper)
        expect_joint(report, "app")
        expect_joint(report, "vfs")
        expect_complete(report)


@test()
def dd_writes():
    needs_run("dd")
    path = os.path.join(scratch_dir(), "written")
    report, out = measure(["sh", "-c", 'dd if=/dev/zero of="$0" bs=64k count=101 '
                           'conv=fsync 2>&1', path])
    said = int(re.search(r"^(\d+) bytes", out, re.M)[1])
    expect_eq(said, 101 << 16)
    for layer in ("app", "vfs"):
        expect_eq(report.operation(layer, "write"), (101, said), layer)
        expect_eq(report.operation(layer, "sync"), (1, 0), f"{layer}: fsync")
    expect_complete(report)


main()
