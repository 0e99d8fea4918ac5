#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs random loads from two cgroups on an HDD, an SSD and an NVMe disk at the same time, with each
scheduler. Compares iospan with an oracle, which computes accesses from blktrace's records."""
import json
import os
import random
import subprocess

from lib import blktrace, kernel, tracefs
from lib.ktap import *
from lib.measure import expect_complete, measure, needs_run
from lib.oracle import Operation

DISKS = {name: os.environ.get("IOSPAN_" + name) for name in ("HDD", "SSD", "NVME")}
# Number of accesses to each disk in one test, before the kernel merges them. There are four tests
# with three disks. Together, they make more than 100,000 accesses.
ACCESSES = 10000
GROUPS, JOBS = ("a", "b"), 2  # number of jobs for each disk and cgroup
# Bytes of the part of a disk that one job uses. Jobs have separate parts, because the oracle cannot
# distinguish two accesses that are in flight at the same sector.
REGION = 256 << 20

# Runs fio in the cgroups a and b, and prints the kernel's counts of both. To enable the io
# controller for them, the cgroup above must contain no process. So the script first moves to the
# cgroup main.
SCRIPT = r'''
set -e
dir=$1
top=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)
mkdir "$top/main" "$top/a" "$top/b"
echo 0 >"$top/main/cgroup.procs"
echo +io >"$top/cgroup.subtree_control"
load() {	# GROUP
	echo 0 >"$top/$1/cgroup.procs"
	exec fio --output-format=json --output="$dir/$1.json" "$dir/$1.fio"
}
(load a) & first=$!
(load b)
wait $first
for group in a b; do
	stat -c "$group id %i" "$top/$group"
	sed "s/^/$group /" "$top/$group/io.stat"
done
'''


def job(dice, group, name, number):
    """Returns a section of fio's job file: random reads and writes on the disk @name."""
    lines = {
        "filename": DISKS[name],
        "offset": (GROUPS.index(group) * JOBS + number) * REGION,
        "size": REGION,
        "number_ios": ACCESSES // len(GROUPS) // JOBS,
        "ioengine": dice.choice(("io_uring", "libaio")),
        "iodepth": dice.choice((4, 8, 16, 32)),
        "rw": dice.choice(("randrw", "randrw", "randread", "randwrite", "rw")),
        "rwmixread": dice.choice((25, 50, 75)),
        "bsrange": dice.choice(("512-4k", "4k-4k", "512-16k", "4k-64k")),
        "blocksize_unaligned": 0,
        "norandommap": 1,
        "direct": 1,
        "thread": 1,
        "randseed": dice.randrange(1 << 31),
    }
    return f"[{name}-{number}]\n" + "".join(f"{k}={v}\n" for k, v in lines.items())


def write_jobs(dice):
    for group in GROUPS:
        with open(os.path.join(scratch_dir(), group + ".fio"), "w", encoding="utf-8") as f:
            for name in DISKS:
                for number in range(JOBS):
                    f.write(job(dice, group, name, number))


def use(scheduler):
    subprocess.run(["modprobe", "-q", scheduler + "-iosched"], check=False)
    subprocess.run(["modprobe", "-q", scheduler], check=False)
    for disk in DISKS.values():
        path = f"/sys/block/{os.path.basename(disk)}/queue/scheduler"
        needs(scheduler in tracefs.read(path).replace("[", " ").replace("]", " ").split(),
              f"this kernel has no {scheduler}")
        tracefs.write(scheduler, path)


def diskstats(disk):
    numbers = tracefs.read("/sys/block", os.path.basename(disk), "stat").split()
    return tuple(int(numbers[i]) << shift for i, shift in ((0, 0), (2, 9), (4, 0), (6, 9)))


def counted(done):
    read, write = done
    return read.accesses, read.bytes, write.accesses, write.bytes


def kernels_own(out):
    """Parses the output of SCRIPT. Returns {cgroup: id} and the kernel's counts in io.stat,
    {(cgroup, "major:minor"): {name: number}}."""
    ids, stats = {}, {}
    for line in out.splitlines():
        group, word, *rest = line.split()
        if word == "id":
            ids[group] = int(rest[0])
        else:
            stats[group, word] = {k: int(v) for k, v in (r.split("=") for r in rest)}
    return ids, stats


def fio_results(group):
    found = {}
    with open(os.path.join(scratch_dir(), group + ".json"), encoding="utf-8") as f:
        for done in json.load(f)["jobs"]:
            path = done["job options"]["filename"]
            old = found.get(path, (0, 0, 0, 0))
            new = [done[k][n] for k in ("read", "write") for n in ("total_ios", "io_bytes")]
            found[path] = tuple(a + b for a, b in zip(old, new))
    return found


def number_of(disk):
    device = os.stat(disk).st_rdev
    return f"{os.major(device)}:{os.minor(device)}"


def expect_oracle(oracle, ids, stats, before):
    for path, disk in oracle.items():
        expect_eq((disk.unmatched, disk.unfinished()), (0, 0), f"{path}: unpaired records")
        expect_eq(set(group for group, _ in disk.found) - set(ids.values()), set(),
                  f"{path}: strangers")
        after = tuple(n - o for n, o in zip(diskstats(path), before[path]))
        all_of_it = [disk.of(ids.values(), [name]) for name in ("read", "write")]
        expect_eq(counted(all_of_it), after, f"{path}: the oracle, against diskstats")
    for group, identity in ids.items():
        for path, fio in fio_results(group).items():
            own = stats[group, number_of(path)]
            again = [*oracle[path].refused[identity, "read"],
                     *oracle[path].refused[identity, "write"]]
            expect_eq([n + m for n, m in zip(fio, again)],
                      [own[k] for k in ("rios", "rbytes", "wios", "wbytes")],
                      f"{group} {path}: fio, with what came again, and io.stat")
            seen = [oracle[path].of([identity], [name]).bytes for name in ("read", "write")]
            expect_eq(seen, [fio[1], fio[3]], f"{group} {path}: the oracle's bytes, against fio")


HOST_SLICE_NS = 4_000_000  # time slice for which the host may run another process than the VM

NOTHING = {"accesses": 0, "bytes": 0, "span_ns": 0}


def expect_time(seen, expected, periods, what):
    # An interrupt may occur after blktrace and before iospan has read the clock. It takes long in
    # the emulator, so 200 ns per busy period are allowed. The host may also run another process
    # instead of the VM, for up to HOST_SLICE_NS.
    allowed = max(expected // 1000, 200 * periods, 500_000) + HOST_SLICE_NS
    diagnostic(f"{what} {expected} in {periods} busy periods, "
               f"iospan's {seen - expected:+d} (allowed {allowed}) ns")
    expect_near(seen, expected, allowed, what)


def expect_row(row, done, what):
    expect_eq((row["accesses"], row["bytes"]), (done.accesses, done.bytes),
              f"{what}: accesses, bytes")
    expect_time(row["span_ns"], done.span_ns(), done.periods(), f"{what}: {done.accesses} accesses, T")


def expect_sharing(sharing, oracle, mine, other, what):
    """Checks two times on each disk: the time in which the cgroup @mine used the disk (T), and the
    part of T in which the only other cgroup also used it (shared T)."""
    disks = {disk["dev"]: disk for disk in sharing["disks"]}
    for path, disk in oracle.items():
        a, b, both = (disk.of(ids) for ids in ([mine], [other], [mine, other]))
        seen = disks[number_of(path)]
        expect_time(seen["span_ns"], a.span_ns(), a.periods(), f"{what} on {path}: T")
        expect_time(seen["shared_ns"], a.span_ns() + b.span_ns() - both.span_ns(),
                    a.periods() + b.periods(), f"{what} on {path}: shared T")


def disks_with(scheduler):
    needs_run("fio")
    needs(all(DISKS.values()), "needs the disks of a VM: tests/vm/boot")
    use(scheduler)
    # fio writes its results to memory, so they cause no I/O on the tested disks.
    kernel.mount("tmpfs", scratch_dir())
    seed = random.SystemRandom().randrange(1 << 31)
    diagnostic(f"seed {seed}")
    write_jobs(random.Random(seed))
    before = {path: diskstats(path) for path in DISKS.values()}
    with blktrace.recorded(DISKS.values()) as read:
        report, out = measure(["sh", "-c", SCRIPT, "sh", scratch_dir()],
                              "--by=cgroup", "--layers=device")
        oracle = read()
    ids, stats = kernels_own(out)
    expect_oracle(oracle, ids, stats, before)
    expect_complete(report)
    expect_eq(report.document["attribution"], "io v2")
    total = Operation()
    for name, path in DISKS.items():
        row = report.disks[os.path.basename(path)]
        expect_row(row, oracle[path].of(ids.values()), name)
        for kind in ("read", "write"):
            # If, by chance, all jobs of a disk only read, there is no row of writes.
            expect_row(row["operations"].get(kind, NOTHING),
                       oracle[path].of(ids.values(), [kind]), f"{name} {kind}")
        total.add(oracle[path].of(ids.values()))
    for group, identity in ids.items():
        mine = Operation()
        for disk in oracle.values():
            mine.add(disk.of([identity]))
        row = next(g for g in report.document["cgroups"] if g["path"].endswith("/" + group))
        expect_row(row["layers"]["device"], mine, f"group {group}")
        [other] = set(ids.values()) - {identity}
        expect_sharing(row["sharing"], oracle, identity, other, f"group {group}")
    expect_row(report.layers["device"], total, "all disks")


for chosen in ("none", "mq-deadline", "kyber", "bfq"):
    test(seconds=120, name="disks_with_" + chosen)(lambda s=chosen: disks_with(s))

main()
