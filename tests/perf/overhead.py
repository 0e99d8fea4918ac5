# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures the costs of iospan. Values that are compared with each other are measured in turns.

bpf: time of iospan's BPF programs per device access, compared with libbpf-tools biolatency and with
minimal programs (floor.bpf.c), which are lower bounds. Each tracer runs alone. If two BPF programs
ran at one event, the second one would find the event's data in the cache.
shim: time that the preloaded library adds to a call.
span: time that an access needs to update its span (the word that measures the busy time T), with
and without contention between CPUs.
before: time of the BPF programs under `stat --by cgroup`, of this iospan and of $BEFORE, another
iospan such as a build without a feature. Left out without $BEFORE.
iops: I/O rate of a load with and without `iospan run`, in turns."""
import json
import os
import subprocess
import sys
import tempfile

from rounds import (BATCH, BUILD, IOSPAN, ROUNDS, attached, fio, fio_iops, fio_reads, line,
                    loop_disk, need, ratio, tool)

from lib import kernel
from lib.cgroups import Groups

STATS = "/proc/sys/kernel/bpf_stats_enabled"
CLOCKS = {"device": ["clock_issue", "clock_complete"],
          "app,vfs,device": ["clock_issue", "clock_complete", "clock_enter", "clock_exit",
                             "clock_submit", "clock_end"]}
UNION = {"device": ["union_issue", "union_complete"],
         "app,vfs,device": ["union_issue", "union_complete", "empty_enter", "empty_exit",
                            "union_submit", "union_end"]}

GROUPS = "/a", "/b"


def programs(ids):
    """Returns {name: (run time in ns, number of runs)} of the BPF programs @ids. Programs with the
    same name are summed up."""
    total = {}
    for p in json.loads(subprocess.check_output([tool("bpftool"), "prog", "-j"])):
        if p["id"] in ids:
            ns, runs = total.get(p["name"], (0, 0))
            total[p["name"]] = (ns + p.get("run_time_ns", 0), runs + p.get("run_cnt", 0))
    return total


def traced(dev, batch, layers, out):
    """Measures a load with iospan. Returns (accesses, result of programs()). The load waits at its
    end, so that the run times are read while iospan is still attached."""
    with subprocess.Popen([IOSPAN, "run", "--json", "-o", out, f"--layers={layers}", "--",
                           "sh", "-c", '"$@" >/dev/null && echo && read -r _', "sh",
                           *fio(dev, batch)], text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as p:
        p.stdout.readline()
        total = programs(kernel.bpf_ids(p.pid, "prog"))
        p.stdin.write("\n")
        p.stdin.close()
        if p.wait():
            sys.exit("bench: the load failed")
    with open(out) as f:
        return json.load(f)["layers"]["device"]["accesses"], total


def cost_of(total):
    return sum(ns for ns, _ in total.values())


def biolatency():
    return attached(2, tool("biolatency"), "3600", "1")


def least(programs):
    return attached(len(programs), f"{BUILD}/tests/perf/floor", *programs)


def cost_alone(tracer, dev, batch):
    with tracer as ids:
        n = fio_reads(fio(dev, batch))["total_ios"]
        return cost_of(programs(ids)) / n


def bench_bpf(dev, scratch, batch, layers, aim):
    """Measures iospan, biolatency and the lower bounds, one at a time, and compares them. Then
    measures iospan and biolatency while both are attached."""
    others = {"libbpf-tools biolatency": biolatency,
              "programs that read the clock": lambda: least(CLOCKS[layers]),
              "the least union of all requests": lambda: least(UNION[layers])}
    times, each, both = {name: [] for name in ("iospan", *others)}, {}, ([], [])
    with kernel.restored(STATS):
        kernel.write(1, STATS)
        for i in range(ROUNDS):
            n, total = traced(dev, batch, layers, f"{scratch}/{i}")
            times["iospan"].append(cost_of(total) / n)
            for name, (ns, runs) in total.items():
                if runs > n // 100:
                    each.setdefault(name, []).append(ns / n)
            for name, tracer in others.items():
                times[name].append(cost_alone(tracer(), dev, batch))
            with biolatency() as ids:
                n, total = traced(dev, batch, layers, f"{scratch}/{i}")
                both[0].append(cost_of(total) / n)
                both[1].append(cost_of(programs(ids)) / n)
    print(f"BPF time per device access, layers {layers}: 4 KiB random reads, depth 32, "
          f"{batch} at a time")
    for name, values in sorted(each.items()):
        line(f"  {name}", values, "ns")
    for name, values in times.items():
        line(name, values, "ns")
    ours, peer, *floors = times.values()
    for name, values in zip(list(times)[2:], floors):
        ratio(f"{name} / biolatency", values, peer)
    ratio(f"iospan / biolatency (reach: {aim})", ours, peer)
    ratio("the same, attached at the same time", *both)


def reading(program, dev, depth):
    """Runs `stat --by cgroup` while two cgroups read the disk. Returns the run time of its BPF
    programs per read, in ns."""
    groups = Groups()
    load = [*fio(dev, 1), f"--iodepth={depth}"]
    with kernel.undone(groups.remove), subprocess.Popen(
            [program, "stat", "--by=cgroup", "--layers=device", *groups.options, "1"], stdout=subprocess.PIPE) as child:
        child.stdout.readline()  # iospan prints its first line when it is ready
        for path in GROUPS:
            groups.make(path)
        loads = [groups.start(path, load) for path in GROUPS]
        reads = sum(json.loads(one.communicate()[0])["jobs"][0]["read"]["total_ios"] for one in loads)
        cost = cost_of(programs(kernel.bpf_ids(child.pid, "prog")))
        child.terminate()
    return cost / reads


def bench_before(dev, other):
    """Compares this iospan with the iospan @other, in turns, while two cgroups read from one
    disk."""
    print("BPF time per device access, stat --by=cgroup: 4 KiB random reads of two cgroups")
    with kernel.restored(STATS):
        kernel.write(1, STATS)
        for depth in (1, 8):
            ours, theirs = zip(*((reading(IOSPAN, dev, depth), reading(other, dev, depth))
                                 for _ in range(ROUNDS)))
            line(f"iospan, {depth} in flight each", ours, "ns")
            line(f"the other one, {depth} in flight each", theirs, "ns")
            ratio("iospan / the other one", ours, theirs)


def bench_iops(dev, scratch):
    bare, device, every = [], [], []
    for i in range(ROUNDS):
        bare.append(fio_iops(fio(dev, 1)))
        for layers, to in (("device", device), ("app,vfs,device", every)):
            out = f"{scratch}/iops{i}"
            to.append(fio_iops([IOSPAN, "run", "--json", "-o", out, f"--layers={layers}",
                                "--", *fio(dev, 1)]))
    print("I/O rate of that load")
    line("bare", bare, "IOPS", 0)
    line("under iospan run --layers=device", device, "IOPS", 0)
    line("under iospan run", every, "IOPS", 0)
    ratio("device layer / bare", device, bare)
    ratio("three layers / bare", every, bare)


def bench_program(title, name):
    r = json.loads(subprocess.check_output([f"{BUILD}/tests/perf/{name}"]))
    print(title)
    for key, value in r.items():
        print(f"  {key:<44}{value:>12.1f}" if isinstance(value, float)
              else f"  {key:<44}{value:>12}")


def bench():
    need("fio", "biolatency", "bpftool")
    with tempfile.TemporaryDirectory() as scratch, loop_disk() as dev:
        for batch in (1, BATCH):
            bench_bpf(dev, scratch, batch, "device", "0.45, aim 0.40")
            bench_bpf(dev, scratch, batch, "app,vfs,device", "1.0")
        if other := os.environ.get("BEFORE"):
            bench_before(dev, other)
        bench_iops(dev, scratch)
    bench_program("Preloaded library, one thread, read of a cached file", "shim-cost")
    bench_program("One access in its span, CPUs sharing the word or not", "span-contention")
