#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: trace
"""Tests more cgroups than --max-groups allows, and cgroups that are nested very deeply. The oracle
is an independent observer: it computes the accesses of each cgroup from ftrace events."""
import os
import re
import subprocess

from lib import kernel
from lib.compare import expect_row
from lib.ktap import *
from lib.measure import measure, needs_run
from lib.trees import COLD, WARM, blkio_v1, observe, on, task_v2


def expect_others(report, seen, oracle, max_groups, exact):
    """Checks that @max_groups cgroups have rows of their own. All other cgroups must share one row,
    and no access may be missing. With @exact, the rows must equal the oracle. Without @exact, rows
    may differ: if the kernel has no memory for a cgroup's I/O state, it charges the parent."""
    named = {path for path in seen if path}
    rest = {path for path in oracle.own if path} - named
    expect_eq(len(named), max_groups, "groups with a row")
    expect_true(report.noted(f"{len(rest)} cgroups without a row") or not exact,
                f"the note on {len(rest)} groups: {report.notes}")
    if exact:
        expect_row(seen[None], oracle.union(rest), report.untimed(), "other", WARM)
        for path in sorted(named - {"/"})[::max(max_groups // 16, 1)]:
            expect_row(seen[path], oracle.below(path), report.untimed(), path, COLD)
    top = report.layers["device"]["accesses"]
    own = sum(seen[path]["accesses"] for path in named - {"/"})
    diagnostic(f"{own} accesses in {len(named)} groups, {seen[None]['accesses']} in others,"
               f" {top} in all")
    expect_le(own + seen[None]["accesses"], top, "all groups, against the layer")
    expect_eq(top, oracle.total().accesses, "accesses")
    expect_eq(report.layers["device"]["bytes"], oracle.total().bytes, "bytes")


@on(blkio_v1, task_v2, seconds=180)
def thousands_of_groups(tree):
    report, seen, oracle, _ = observe(tree, ["many=4500"])
    expect_others(report, seen, oracle, 4096, tree.how == "task")


@on(blkio_v1, task_v2)
def few_rows_for_many_groups(tree):
    report, seen, oracle, _ = observe(tree, ["many=300"], "--max-groups=100")
    expect_others(report, seen, oracle, 100, tree.how == "task")


# Only cgroups up to depth 16 have rows of their own in the report. All deeper cgroups share one
# row. Their I/O is also in the row of the cgroup at depth 16 above them.
@on(task_v2)
def groups_too_deep(tree):
    deep = ["/".join("d" * (i + 1)) for i in range(20)]
    steps = [f"mkdir={path}" for path in deep]
    steps += [f"job={deep[i]}:{97 + i}:2" for i in (3, 15, 17, 19)]
    report, seen, oracle, _ = observe(tree, [*steps, "join"])
    lost = report.untimed()
    named = ["/" + path for path in deep[:16]]
    expect_eq(sorted(filter(None, seen)), sorted(["/", *named]), "groups")
    for path in named:
        expect_row(seen[path], oracle.below(path), lost, path, WARM)
    expect_row(seen[None], oracle.union("/" + deep[i] for i in (17, 19)), lost, "other",
               WARM)


DEEPER = """
top=$1$(sed -n 's/^0:://p' /proc/self/cgroup)
for level in 100 128 129 300; do
	path=$top
	i=0
	while [ $i -lt $level ]; do
		path=$path/d
		mkdir -p $path || exit
		i=$((i + 1))
	done
	echo $$ >$path/cgroup.procs || exit
	dd if=/dev/zero of=$2 bs=1k count=$level status=none || exit
done
"""


# The vfs layer must include all cgroups below the command's cgroup, however deep they are.
@test()
def groups_below_many_others():
    needs(kernel.mounted("cgroup2"), "cgroup version 2 is not mounted")
    needs(re.match(r"[1-5]\.|6\.0\b", os.uname().release) is None, "a cgroup does not list its ancestors")
    needs_run("dd")
    report, _ = measure(["sh", "-c", DEEPER, "sh", kernel.mounted("cgroup2"),
                         os.path.join(scratch_dir(), "f")], "--layers=vfs")
    expect_eq(report.operation("vfs", "write")[:2], (657, 657 << 10), "accesses, bytes")
    expect_true(not report.noted("left the cgroup"), f"notes {report.notes}")


def memory_of(pid):
    seen = {}
    for fd in os.listdir(f"/proc/{pid}/fdinfo"):
        try:
            text = kernel.read(f"/proc/{pid}/fdinfo/{fd}")
        except FileNotFoundError:  # the process has closed this descriptor
            continue
        found = re.search(r"^memlock:\s*(\d+)$", text, re.M)
        if found:
            seen[re.search(r"^map_id:\s*(\d+)$|^prog_id:\s*(\d+)$", text, re.M)[0]] = \
                int(found[1])
    return sum(seen.values())


@test()
def memory_is_bounded():
    needs_run()
    grown = {}
    for groups in (1, 4096, 8192):
        script = "cat /proc/$PPID/status; exec sleep 1000"
        run = subprocess.Popen([IOSPAN, "run", "--by=cgroup", f"--max-groups={groups}",
                                "--layers=device", "-o", "/dev/null", "--", "sh", "-c",
                                script], stdout=subprocess.PIPE, text=True)
        resident = next(l for l in run.stdout if l.startswith("VmRSS"))
        grown[groups] = memory_of(run.pid)
        diagnostic(f"--max-groups={groups}: {grown[groups] >> 10} kB of maps, "
                   f"{resident.split()[1]} kB resident")
        run.terminate()
        run.wait()
    per_group = (grown[4096] - grown[1]) / 4095
    diagnostic(f"{per_group:.0f} bytes for a group")
    expect_le(grown[4096], 96 << 20, "maps")
    expect_le(per_group, 16 << 10, "for a group")


main()
