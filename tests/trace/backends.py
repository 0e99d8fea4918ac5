#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Both backends of the vfs layer on the same calls: if these fail, a call is missing in
one of them, or its bytes are."""
import json

from lib import kernel
from lib.ktap import *
from lib.ktap import EMULATED
from lib.measure import (drop_cache, expect_complete, feature, make_file, measure,
                         needs_run, needs_workload, only, workload)

CALLS, FAMILY = workload("calls"), workload("family")
BACKENDS = ("tracepoint", "fentry")


def needs_backend(backend, *programs):
    needs_workload(*programs)
    if backend == "fentry":
        # the VMs' kernels have it: that it is not found is no reason there
        needs(EMULATED or feature("bpf_prog_fentry"), "this kernel refuses fentry")


def operation(report, name):
    """[accesses, bytes, errors] without the page faults on the program's own data"""
    row = report.layers["vfs"]["operations"].get(name)
    faults = report.layers["vfs"]["sources"].get("fault") if name == "read" else None
    if not row:
        return [0, 0, 0]
    return [row[key] - (faults[key] if faults else 0)
            for key in ("accesses", "bytes", "errors")]


def every_call(backend):
    """What the kernel answered is what the report says."""
    needs_backend(backend, CALLS)
    kernel.mount("tmpfs", "/mnt")
    path = make_file("load", 1 << 20)
    drop_cache(path)
    report, out = measure([CALLS, path, path + ".new", "/mnt/elsewhere"],
                          f"--backend={backend}", *only("vfs"))
    expect_eq(report.document["backends"]["vfs"], backend)
    load = json.loads(out)
    diagnostic(out.strip())
    for name in ("read", "write", "sync"):
        expect_eq(operation(report, name), load[name], f"vfs: {name}s")
    if not load["again"]:
        diagnostic("none would have had to wait: its page came back into the cache")
    expect_complete(report)


def children_threads_execs(backend):
    needs_backend(backend, FAMILY)
    path = make_file("load", 1 << 20)
    report, out = measure([FAMILY, "tree", path], f"--backend={backend}", *only("vfs"))
    load = json.loads(out)
    expect_eq(operation(report, "read"), [load["reads"], load["bytes"], 0], "vfs: reads")
    expect_complete(report)


for one in BACKENDS:
    test(name=f"every_call_by_{one}")(lambda b=one: every_call(b))
    test(name=f"processes_by_{one}")(lambda b=one: children_threads_execs(b))


# Without the option: calls by tracepoints, faults by fentry where it works.
@test()
def automatic():
    needs_run("true")
    report, _ = measure(["true"])
    runs, has = report.document["missed_runs"], feature("bpf_prog_fentry")
    expect_eq(report.document["backends"]["vfs"],
              "tracepoint, fentry" if has else "tracepoint")
    expect_true("on_call" in runs, "the tracepoints have programs")
    expect_eq("on_fault" in runs, has, "page faults have one")


main()
