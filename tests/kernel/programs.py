#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures programs with many processes and threads, programs that execute others, killed programs,
and programs without the preloaded library."""
import json
import os
import shutil
import subprocess

from lib import kernel
from lib.ktap import *
from lib.measure import (expect_complete, feature, fio_command, make_file, measure,
                         needs_run, needs_workload, workload)

FAMILY, STDIO = workload("family"), workload("stdio")
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "family.c")


def needs_workloads(*tools):
    needs_run(*tools)
    needs_workload(FAMILY, STDIO)


def expect_reads(report, layer, accesses, size):
    expect_eq(report.operation(layer, "read"), (accesses, size), f"{layer}: reads")


# The app layer counts calls to stdio. The vfs layer counts the system calls that transfer the
# buffer of stdio. One stdio call may cause no system call, or several.
@test()
def stdio_on_small_records():
    needs_workloads()
    report, out = measure([STDIO, os.path.join(scratch_dir(), "records")])
    load = json.loads(out)
    for i, name in enumerate(("read", "write")):
        asked, size, buffers = (load[k][i] for k in ("calls", "bytes", "buffers"))
        diagnostic(f"{asked} calls to {name} {size} bytes, {buffers} buffers")
        expect_eq(report.operation("app", name), (asked, size), f"app: {name}")
        expect_eq(report.operation("vfs", name), (buffers, size), f"vfs: {name}")
    expect_eq(report.document["amplification"]["vfs_per_app"], 1)
    expect_complete(report)


@test()
def children_threads_execs_orphans():
    needs_workloads()
    path = make_file("load", 1 << 20)
    report, out = measure([FAMILY, "tree", path])
    load = json.loads(out)
    expect_reads(report, "app", load["reads"], load["bytes"])
    expect_reads(report, "vfs", load["reads"], load["bytes"])
    expect_complete(report)


def expect_bracket(report, out, layers):
    """T is the time with I/O in flight. Checks that T did not grow after the load was killed.
    Returns the bounds for T that the load printed."""
    load = json.loads(out[out.index("{"):].splitlines()[0])
    for layer in layers:
        expect_le(report.span_ns(layer), load["at_most_ns"], f"{layer}: T")
    return load


@test()
def killed_in_a_call():
    needs_workloads()
    path = make_file("load", 1 << 20)
    status = subprocess.run([FAMILY, "stuck", path], check=False,
                            stdout=subprocess.DEVNULL).returncode
    needs(status != 4, "needs userfaultfd")
    report, out = measure([FAMILY, "stuck", path])
    load = expect_bracket(report, out, ("app", "vfs"))
    expect_ge(report.span_ns("app"), load["at_least_ns"], "app: T")
    expect_ge(report.span_ns("vfs"), load["at_least_ns"], "vfs: T")
    expect_eq(report.losses["app_killed"], 1, "interrupted calls")
    expect_eq(report.operation("app", "read"), (0, 0), "accesses of interrupted calls")
    expect_complete(report, "app_killed")


@test()
def killed_anywhere():
    needs_workloads()
    report, out = measure([FAMILY, "killed", make_file("load", 1 << 20)], "--layers=app")
    load = expect_bracket(report, out, ("app",))
    diagnostic(f"T {report.span_ns('app')} ns, killed after {load['at_most_ns']} ns")
    expect_ge(report.losses["app_killed"], 1, "interrupted calls")


@test()
def killed_with_requests_in_flight():
    needs_workloads("fio")
    needs(feature("io_uring"), "needs io_uring")
    for engine in ("io_uring", "libaio"):
        with kernel.loop_disk(64 << 20) as disk:
            report, out = measure([FAMILY, "after", str(100 << 20), *fio_command(
                disk, f"--ioengine={engine}", "--direct=1", "--bs=64k", "--iodepth=64",
                "--rw=randread", "--size=64m", "--time_based", "--runtime=1h",
                "--thread")], "--by=cgroup")
            expect_bracket(report, out, ("app", "vfs", "device"))
            expect_ge(report.operation("vfs", "read")[0], 1, f"{engine}: reads")
            expect_complete(report, "ring_killed", "aio_events", "ring_completions")
            diagnostic(f"{engine}: {report.lost()}")


def static_family():
    """Builds family.c as a static program. It has no dynamic loader, so no library is preloaded."""
    path = os.path.join(scratch_dir(), "family-static")
    made = subprocess.run(["cc", "-static", "-D_GNU_SOURCE", "-o", path, SOURCE],
                          check=False, capture_output=True)
    needs(made.returncode == 0, "needs cc and a static libc")
    return path


def setgid_family():
    """Makes a setgid copy of the program. The dynamic loader preloads no library into it."""
    path = os.path.join(scratch_dir(), "family-setgid")
    shutil.copy(FAMILY, path)
    os.chown(path, 0, 65534)
    os.chmod(path, 0o2755)
    needs(not os.statvfs(path).f_flag & os.ST_NOSUID, "the disk is mounted nosuid")
    return path


def not_preloaded(program, *words):
    """Measures a program into which no library is preloaded, alone and together with other
    programs. Only the layers vfs and device see its I/O, and the report must have a note."""
    path = make_file("load", 1 << 20)
    calls = ["calls", path, "23", "4096"]
    report, _ = measure([program, *calls])
    expect_eq(report.layers["app"], None, "app")
    expect_true(report.noted("1 of 1 program ", *words), f"the note: {report.notes}")
    expect_reads(report, "vfs", 23, 23 * 4096)
    expect_eq(report.document["waiting"]["app"], None, "W of the app layer")
    report, _ = measure(["sh", "-c", f'"$0" "$@" && exec {FAMILY} "$@"', program, *calls])
    expect_true(report.noted("1 of 3 programs", *words), f"the note: {report.notes}")
    expect_reads(report, "app", 23, 23 * 4096)
    expect_reads(report, "vfs", 46, 46 * 4096)
    expect_complete(report)


@test()
def statically_linked():
    needs_workloads("cc")
    not_preloaded(static_family(), "statically linked")


@test()
def set_group_id():
    needs_workloads()
    not_preloaded(setgid_family(), "set-gid")


@test()
def chosen_layers():
    needs_workloads()
    path = make_file("load", 1 << 20)
    for layers in ("app", "vfs", "device", "app,device"):
        report, _ = measure([FAMILY, "calls", path, "23", "4096"], "--layers", layers)
        seen = {name for name, row in report.layers.items() if row}
        expect_eq(seen, set(layers.split(",")), f"layers of {layers}")
        if "app" in seen:
            expect_reads(report, "app", 23, 23 * 4096)


main()
