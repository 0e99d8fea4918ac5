#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What measuring costs, as ratios of values taken side by side in one run.

  bpf    time of our kernel programs per device access, against libbpf-tools
         biolatency attached to the same events at the same time
  shim   time that the preloaded library adds to a call
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

BUILD = os.environ.get("IOSPAN_BUILD", "build")
IOSPAN = os.environ.get("IOSPAN", f"{BUILD}/iospan")
STATS = "/proc/sys/kernel/bpf_stats_enabled"
ROUNDS = int(os.environ.get("ROUNDS", "5"))
SECONDS = int(os.environ.get("SECONDS_PER_ROUND", "3"))


def tool(name):
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def need():
    missing = [t for t in ("fio", "biolatency", "bpftool", "losetup") if not tool(t)]
    if missing:
        sys.exit(f"bench: missing {', '.join(missing)}; 'make deps' installs them")
    if os.geteuid():
        sys.exit("bench: needs root")


@contextlib.contextmanager
def loop_device():
    """A loop device on a file in memory: fast enough to show what tracing costs."""
    with tempfile.NamedTemporaryFile(dir="/dev/shm") as f:
        f.truncate(512 << 20)
        dev = subprocess.check_output([tool("losetup"), "-f", "--show", f.name],
                                      text=True).strip()
        try:
            yield dev
        finally:
            subprocess.run([tool("losetup"), "-d", dev], check=True)


@contextlib.contextmanager
def bpf_stats():
    with open(STATS) as f:
        before = f.read()
    with open(STATS, "w") as f:
        f.write("1")
    try:
        yield
    finally:
        with open(STATS, "w") as f:
            f.write(before)


@contextlib.contextmanager
def biolatency():
    p = subprocess.Popen([tool("biolatency"), "3600", "1"], stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL)
    time.sleep(1)
    try:
        yield
    finally:
        p.terminate()
        p.wait()


def fio(dev):
    return ["fio", "--name=bench", f"--filename={dev}", "--rw=randread", "--bs=4k",
            "--direct=1", "--ioengine=io_uring", "--iodepth=32",
            "--iodepth_batch_submit=16", "--iodepth_batch_complete_min=1",
            "--fixedbufs", "--registerfiles", "--norandommap", "--randrepeat=0",
            "--time_based", f"--runtime={SECONDS}", "--output-format=json"]


def programs():
    """(run time, runs) per BPF program name; identical names add up."""
    total = {}
    for p in json.loads(subprocess.check_output([tool("bpftool"), "prog", "-j"])):
        ns, runs = total.get(p.get("name"), (0, 0))
        total[p.get("name")] = (ns + p.get("run_time_ns", 0), runs + p.get("run_cnt", 0))
    return total


def traced(dev, layers, out):
    """One load under iospan; programs' times are read while it is still attached."""
    script = f'"$@" > {out}.fio && {tool("bpftool")} prog -j > {out}.prog'
    subprocess.run([IOSPAN, "run", "--json", "-o", out, f"--layers={layers}", "--",
                    "sh", "-c", script, "sh", *fio(dev)], check=True)
    with open(out) as f:
        accesses = json.load(f)["layers"]["device"]["accesses"]
    total = {}
    with open(out + ".prog") as f:
        for p in json.load(f):
            ns, runs = total.get(p.get("name"), (0, 0))
            total[p.get("name")] = (ns + p.get("run_time_ns", 0),
                                    runs + p.get("run_cnt", 0))
    return accesses, total


def iops(text):
    return json.loads(text)["jobs"][0]["read"]["iops"]


def line(name, values, unit="", digits=1):
    mid = statistics.median(values)
    spread = (max(values) - min(values)) / mid * 100 if mid else 0
    print(f"  {name:<44}{mid:>12.{digits}f} {unit:<10} spread {spread:5.1f} %", flush=True)


def cost_of(total, prefix):
    return sum(ns for name, (ns, _) in total.items() if name and name.startswith(prefix))


def bench_bpf(dev, scratch, layers, aim):
    ours, peer, ratio, each = [], [], [], {}
    with bpf_stats(), biolatency():
        before = programs()
        for i in range(ROUNDS):
            n, total = traced(dev, layers, f"{scratch}/{i}")
            theirs = cost_of(total, "block_rq_") - cost_of(before, "block_rq_")
            before = {k: v for k, v in total.items() if not (k or "").startswith("on_")}
            ours.append(cost_of(total, "on_") / n)
            peer.append(theirs / n)
            ratio.append(ours[-1] / peer[-1])
            for name, (ns, runs) in total.items():
                if name and name.startswith("on_") and runs > n // 100:
                    each.setdefault(name, []).append(ns / n)
    print(f"BPF time per device access, layers {layers} (loop device, 4 KiB random "
          f"reads, depth 32)")
    for name, values in sorted(each.items()):
        line(f"  {name}", values, "ns")
    line("iospan", ours, "ns")
    line("libbpf-tools biolatency", peer, "ns")
    line(f"ratio (reach: {aim})", ratio, "", 3)


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


def bench_shim():
    r = json.loads(subprocess.check_output([f"{BUILD}/tests/bench/shim-cost"]))
    print("Preloaded library, one thread, read of a cached file")
    for key, value in r.items():
        print(f"  {key:<44}{value:>12.1f}" if isinstance(value, float)
              else f"  {key:<44}{value:>12}")


def main():
    need()
    with tempfile.TemporaryDirectory() as scratch, loop_device() as dev:
        bench_bpf(dev, scratch, "device", "0.60, aim 0.40")
        bench_bpf(dev, scratch, "app,vfs,device", "1.0")
        bench_iops(dev, scratch)
    bench_shim()


if __name__ == "__main__":
    main()
