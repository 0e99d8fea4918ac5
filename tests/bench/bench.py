#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What measuring costs, as ratios of values taken side by side in one run.

  bpf    time of our kernel programs per device access, against libbpf-tools
         biolatency attached to the same events at the same time, and against two
         programs that do nothing but read the clock
  shim   time that the preloaded library adds to a call
  span   time that a span takes, when CPUs share it and when they do not
  iops   I/O rate of a load with and without `iospan run`, in turns

Values are medians over the rounds; the spread is (max - min) / median.
Needs root, fio, biolatency, bpftool and a free loop device.
"""
import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../trace"))

from lib import kernel  # noqa: E402

BUILD = os.environ.get("IOSPAN_BUILD", "build")
IOSPAN = os.environ.get("IOSPAN", f"{BUILD}/iospan")
STATS = "/proc/sys/kernel/bpf_stats_enabled"
ROUNDS = int(os.environ.get("ROUNDS", "5"))
SECONDS = int(os.environ.get("SECONDS_PER_ROUND", "3"))


def tool(name):
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def need():
    missing = [t for t in ("fio", "biolatency", "bpftool") if not tool(t)]
    if missing:
        sys.exit(f"bench: missing {', '.join(missing)}; 'make deps' installs them")
    if os.geteuid():
        sys.exit("bench: needs root")


@contextlib.contextmanager
def loop_disk():
    """A loop device on a file in memory: fast enough to show what tracing costs."""
    with kernel.loop_disk(512 << 20) as disk:  # which gives the scheduler back
        kernel.set_scheduler(disk, "none")
        yield disk


@contextlib.contextmanager
def attached(*argv):
    """The ids of a tracer's two programs, while it runs."""
    p = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while p.poll() is None and len(program_ids(p.pid)) < 2:
        time.sleep(0.1)
    try:
        yield program_ids(p.pid)
    finally:
        p.terminate()
        p.wait()


def fio(dev, batch=1):
    """Random reads; so many of them end before fio looks for more."""
    return ["fio", "--name=bench", f"--filename={dev}", "--rw=randread", "--bs=4k",
            "--direct=1", "--ioengine=io_uring", "--iodepth=32",
            "--iodepth_batch_submit=16", f"--iodepth_batch_complete_min={batch}",
            "--fixedbufs", "--registerfiles", "--norandommap", "--randrepeat=0",
            "--time_based", f"--runtime={SECONDS}", "--output-format=json"]


def program_ids(pid):
    """The BPF programs that a process holds."""
    ids = set()
    for name in os.listdir(f"/proc/{pid}/fdinfo"):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/fdinfo/{name}") as f:
            ids |= {int(line.split()[1]) for line in f if line.startswith("prog_id:")}
    return ids


def programs(ids):
    """(run time, runs) per name of these BPF programs; those of a name add up."""
    total = {}
    for p in json.loads(subprocess.check_output([tool("bpftool"), "prog", "-j"])):
        if p["id"] in ids:
            ns, runs = total.get(p["name"], (0, 0))
            total[p["name"]] = (ns + p.get("run_time_ns", 0), runs + p.get("run_cnt", 0))
    return total


def traced(dev, batch, layers, out):
    """(accesses, times of our programs) of one load under iospan, whose programs are
    looked at while it is still attached."""
    with subprocess.Popen([IOSPAN, "run", "--json", "-o", out, f"--layers={layers}", "--",
                           "sh", "-c", '"$@" >/dev/null && echo && read -r _', "sh",
                           *fio(dev, batch)], text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as p:
        p.stdout.readline()
        total = programs(program_ids(p.pid))
        p.stdin.write("\n")
        p.stdin.close()
        if p.wait():
            sys.exit("bench: the load failed")
    with open(out) as f:
        return json.load(f)["layers"]["device"]["accesses"], total


def iops(text):
    return json.loads(text)["jobs"][0]["read"]["iops"]


def line(name, values, unit="", digits=1):
    mid = statistics.median(values)
    spread = (max(values) - min(values)) / mid * 100 if mid else 0
    print(f"  {name:<44}{mid:>12.{digits}f} {unit:<10} spread {spread:5.1f} %", flush=True)


def cost_of(total):
    return sum(ns for ns, _ in total.values())


def bench_bpf(dev, scratch, batch, layers, aim):
    ours, peer, floor, each = [], [], [], {}
    with (kernel.restored(STATS), attached(tool("biolatency"), "3600", "1") as theirs,
          attached(f"{BUILD}/tests/bench/floor") as least):
        kernel.write(1, STATS)
        for i in range(ROUNDS):
            before, empty = cost_of(programs(theirs)), cost_of(programs(least))
            n, total = traced(dev, batch, layers, f"{scratch}/{i}")
            ours.append(cost_of(total) / n)
            peer.append((cost_of(programs(theirs)) - before) / n)
            floor.append((cost_of(programs(least)) - empty) / n)
            for name, (ns, runs) in total.items():
                if runs > n // 100:
                    each.setdefault(name, []).append(ns / n)
    print(f"BPF time per device access, layers {layers}: 4 KiB random reads, depth 32, "
          f"{batch} at a time")
    for name, values in sorted(each.items()):
        line(f"  {name}", values, "ns")
    line("iospan", ours, "ns")
    line("libbpf-tools biolatency", peer, "ns")
    line("two programs that read the clock", floor, "ns")
    line("the same / biolatency", [a / b for a, b in zip(floor, peer)], "", 3)
    line(f"iospan / biolatency (reach: {aim})", [a / b for a, b in zip(ours, peer)], "", 3)


def bench_iops(dev, scratch):
    bare, device, every = [], [], []
    for i in range(ROUNDS):
        bare.append(iops(subprocess.check_output(fio(dev))))
        for layers, to in (("device", device), ("app,vfs,device", every)):
            out = f"{scratch}/iops{i}"
            to.append(iops(subprocess.check_output(
                [IOSPAN, "run", "--json", "-o", out, f"--layers={layers}", "--",
                 *fio(dev)])))
    print("I/O rate of that load")
    line("bare", bare, "IOPS", 0)
    line("under iospan run --layers=device", device, "IOPS", 0)
    line("under iospan run", every, "IOPS", 0)
    line("device layer / bare", [a / b for a, b in zip(device, bare)], "", 3)
    line("three layers / bare", [a / b for a, b in zip(every, bare)], "", 3)


def bench_program(title, name):
    """A program that prints its medians as one line of JSON."""
    r = json.loads(subprocess.check_output([f"{BUILD}/tests/bench/{name}"]))
    print(title)
    for key, value in r.items():
        print(f"  {key:<44}{value:>12.1f}" if isinstance(value, float)
              else f"  {key:<44}{value:>12}")


def main():
    need()
    with tempfile.TemporaryDirectory() as scratch, loop_disk() as dev:
        for batch in (1, 16):
            bench_bpf(dev, scratch, batch, "device", "0.45, aim 0.40")
            bench_bpf(dev, scratch, batch, "app,vfs,device", "1.0")
        bench_iops(dev, scratch)
    bench_program("Preloaded library, one thread, read of a cached file", "shim-cost")
    bench_program("One access in its span, CPUs sharing the word or not", "span-contention")


if __name__ == "__main__":
    main()
