# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures the recording of all accesses of a load on zram, at all layers, for $SECONDS_RECORDED
(60). Prints accesses per second, lost accesses, bytes per access and CPU time. Then measures the
reading of the trace, and compares it with btt if blktrace runs on this machine."""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

from rounds import (BATCH, DISK_BYTES, IOSPAN, ROUNDS, fio, line, loop_disk, need, ratio,
                    tool)

from lib import blktrace, kernel

SECONDS = int(os.environ.get("SECONDS_RECORDED", "60"))
LAYERS = ("app", "vfs", "device")


def own_cpu_s(pid):
    fields = kernel.read("/proc", str(pid), "stat").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def record(disk, trace):
    load = fio(disk, 16, f"--runtime={SECONDS}", "--output=/dev/null")
    begun, taken = time.monotonic(), 0
    with subprocess.Popen([IOSPAN, "record", "--json", "-o", trace, "--", *load], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        while child.poll() is None:
            taken, until = own_cpu_s(child.pid), time.monotonic()
            time.sleep(0.2)
        out, err = child.communicate()
    if child.returncode:
        sys.exit(f"bench: record failed: {err}")
    return json.loads(out), taken / (until - begun)


def show_record(report, cpus):
    layers = [report["layers"][name] for name in LAYERS]
    accesses = sum(layer["accesses"] for layer in layers)
    lost = sum(n for name, n in report["losses"].items() if name.endswith("_records"))
    seconds = report["elapsed_ns"] / 1e9
    print(f"Recording: 4 KiB random reads on zram, three layers, {seconds:.0f} s")
    line("accesses (reach: 300000)", [accesses / seconds], "per s", 0)
    line("lost (reach: 0)", [lost], "", 0)
    line("in the trace (reach: 12)", [report["file_bytes"] / accesses], "bytes each")
    line("the recorder (reach: 1)", [cpus], "CPUs", 2)
    return accesses


def cpu_s(*argv):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(argv, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def report_rate(trace, accesses):
    return accesses / cpu_s(IOSPAN, "report", "--json", trace) / 1e6


def blktraced(disk, folder):
    """Records reads of fio by blktrace. Returns (path of the records for btt, path of the trace
    that iospan imported from them, number of accesses)."""
    records, trace = os.path.join(folder, "records"), os.path.join(folder, "imported")
    with blktrace.program(disk, folder):
        subprocess.run(fio(disk, BATCH, "--output=/dev/null"), check=True)
    subprocess.run(["blkparse", "-O", "-D", folder, "-i", "out", "-d", records],
                   stdout=subprocess.DEVNULL, check=True)
    subprocess.run([IOSPAN, "import", "--format", "blkparse", "-o", trace,
                    blktrace.parsed(folder)], check=True)
    report = json.loads(subprocess.check_output([IOSPAN, "report", "--json", trace]))
    return records, trace, report["layers"]["device"]["accesses"]


def beside_btt(folder):
    if not os.path.isdir("/sys/kernel/debug/block") or not tool("btt"):
        print("Report beside btt: blktrace does not run here, left out")
        return
    with loop_disk() as disk:
        records, trace, accesses = blktraced(disk, folder)
    print(f"Report beside btt: {accesses} accesses that blktrace saw, per second of processor"
          " time")
    ours, theirs = [], []
    for _ in range(ROUNDS):
        theirs.append(accesses / cpu_s("btt", "-i", records) / 1e6)
        ours.append(report_rate(trace, accesses))
    line("btt", theirs, "M", 2)
    line("iospan report", ours, "M", 2)
    ratio("iospan report / btt", ours, theirs)


def bench():
    need("fio")
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace")
        with kernel.zram_disk(DISK_BYTES) as disk:
            accesses = show_record(*record(disk, trace))
        print("Report of that trace, per second of processor time")
        line("accesses (reach: 20)", [report_rate(trace, accesses) for _ in range(ROUNDS)], "M")
        beside_btt(folder)
