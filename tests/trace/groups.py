#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Groups that a command makes below its own: if these fail, --cgroups shows wrong
shares, or leaves groups behind."""
import os

from lib import kernel
from lib.ktap import *
from lib.measure import expect_complete, measure, needs_run

# Two groups and one in the second of them read the disk at the same time.
SCRIPT = r'''
set -e
disk=$1 top=$2$(sed -n "s/^$3//p" /proc/self/cgroup)
mkdir "$top/a" "$top/b" "$top/b/inner"
reader() {	# GROUP COUNT
	echo 0 >"$top/$1/cgroup.procs"
	exec dd if="$disk" of=/dev/null iflag=direct bs=64k count="$2" status=none
}
(reader a 401) & first=$!
(reader b 307) & second=$!
(reader b/inner 211)
wait $first && wait $second
'''
READS = {"/a": 401, "/b": 307, "/b/inner": 211}


def mounted(fstype, option=None):
    """Where a cgroup file system can be seen."""
    with open("/proc/self/mountinfo", encoding="utf-8") as f:
        for line in f:
            left, _, right = line.partition(" - ")
            kind, _, options = right.split()
            if kind == fstype and (not option or option in options.split(",")):
                return left.split()[4]
    return None


def shares(where, prefix, how):
    needs_run("dd")
    needs(where, "no such cgroup file system")
    with kernel.loop_disk(64 << 20) as disk:
        report, _ = measure(["sh", "-c", SCRIPT, "sh", disk, where, prefix],
                            "--cgroups", f"--attribution={how}")
    expect_complete(report)
    groups = report.document["cgroups"]
    total, spans, row = 0, [], report.disks[os.path.basename(disk)]
    elsewhere = report.layers["device"]["accesses"] - row["accesses"]
    for tail, count in READS.items():
        mine = [g for g in groups if g["path"] and g["path"].endswith(tail)
                and (tail != "/b" or not g["path"].endswith("/inner"))]
        if not expect_eq(len(mine), 1, f"groups like {tail} of "
                         f"{[g['path'] for g in groups]}"):
            continue
        seen = mine[0]["layers"]["device"]
        # a group's row is over all disks: a page of dd itself may have to be read
        expect_ge(seen["accesses"], count, tail)
        expect_le(seen["accesses"], count + elsewhere, tail)
        if elsewhere:
            diagnostic(f"{elsewhere} accesses to other disks")
        else:
            expect_eq(seen["bytes"], count << 16, tail)
            expect_le(seen["span_ns"], row["span_ns"], f"{tail}: T and the disk's")
        spans.append(seen["span_ns"])
        total += seen["accesses"]
        path = mine[0]["path"]
        expect_true(not os.path.exists(path) and not os.path.exists(where + path),
                    f"{path} is gone")
    reads = sum(READS.values())
    expect_eq((row["accesses"], row["bytes"]), (reads, reads << 16), "the disk")
    expect_le(total, reads + elsewhere, "the groups and all disks")
    expect_le(row["span_ns"], sum(spans), "T of all and the sum")
    if not elsewhere:
        expect_ge(row["span_ns"], max(spans, default=0), "T of all and of one")


@test()
def groups_of_version_2_by_task():
    shares(mounted("cgroup2"), "0::", "task")


@test()
def groups_of_version_1():
    needs_run()
    needs(mounted("cgroup", "blkio"), "blkio is not on version 1")
    shares(mounted("cgroup", "blkio"), "[0-9]*:blkio:", "kernel")


main()
