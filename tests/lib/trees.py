# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures loads in this machine's cgroup hierarchies (trees), and compares each cgroup's numbers
with the oracle, an independent observer. The steps of a load are arguments of the program groups.c,
which makes cgroups and reads. T is the time in which any access is in flight."""
from contextlib import nullcontext
from functools import partial

from lib import kernel
from lib.compare import by_losses, expect_between, expect_row, expect_span
from lib.groups import GroupOracle
from lib.ktap import EMULATED, diagnostic, expect_eq, expect_le, expect_true, needs, test
from lib.measure import expect_complete, feature, measure, needs_workload, workload
from lib.oracle import recorder, with_others

LOAD = workload("groups")


class Tree:
    """A cgroup hierarchy, and the way in which iospan attributes I/O there: to the cgroup that the
    kernel charges, or to the cgroup of the submitting task."""

    def __init__(self, how, where, key):
        self.how, self.where, self.key = how, where, key
        self.controller = how == "kernel" and key == "0::"

    def command(self, disk, *steps):
        return [LOAD, self.where, self.key, disk, *steps]

    def oracle(self):
        return type("GroupOracle", (GroupOracle,),
                    {"hierarchy": kernel.own_line(self.key)[0]})


def has_io_controller():
    where, (_, path) = kernel.mounted("cgroup2"), kernel.own_line("0::")
    if not where:
        return False
    return "io" in kernel.read(f"{where}{path}/cgroup.subtree_control").split()


def task_v2():
    needs(kernel.mounted("cgroup2"), "cgroup version 2 is not mounted")
    # With the tracepoint block_io_start, attribution by task runs the same code on each kernel.
    # Then a test on the real machine suffices. The VMs skip the test, because they are slow.
    needs(not EMULATED or not feature("block_io_start"), "shown outside of the VMs")
    return Tree("task", kernel.mounted("cgroup2"), "0::")


def blkio_v1():
    needs(kernel.mounted("cgroup", "blkio"), "blkio is not on version 1")
    return Tree("kernel", kernel.mounted("cgroup", "blkio"), ":blkio:")


def io_v2():
    needs(has_io_controller(), "the io controller of version 2 is not enabled here")
    return Tree("kernel", kernel.mounted("cgroup2"), "0::")


def on(*trees, seconds=180):
    """Returns a decorator for a function with a test. The decorator makes one test of it for each
    of the hierarchies @trees."""
    def add(function):
        def one(tree):
            needs_workload(LOAD)
            function(tree())

        for tree in trees:
            test(seconds, f"{function.__name__}_{tree.__name__}")(partial(one, tree))
    return add


def rows(report):
    """Returns {path: row} of the device layer. The key None stands for all cgroups without a row of
    their own. If two cgroups had the path /a, the second one has the key "/a#2"."""
    found = {}
    for group in report.document["cgroups"]:
        expect_eq(group["other"], group["path"] is None, "other")
        path, n = group["path"], 1
        while path in found:
            n += 1
            path = f"{group['path']}#{n}"
        found[path] = {**group["layers"]["device"], "sharing": group["sharing"]}
    return found


def observe(tree, steps, *options, size=256, path=None):
    """Runs the steps with the oracle, on the file @path or on a loop device of @size MiB. Returns
    (Report, rows, oracle, output)."""
    with (nullcontext(path) if path else kernel.loop_disk(size << 20) as disk,
          recorder(disks=with_others([] if path else [disk]), make=tree.oracle()) as run):
        report, out, oracle = measure(tree.command(disk, *steps), "--by=cgroup",
                                      "--layers=device", f"--attribution={tree.how}",
                                      *options, run=run)
    expect_complete(report)
    expect_eq(oracle.unmatched, 0, "ends that the oracle could not pair")
    # A read-ahead may still be in flight at the end. Neither iospan nor the oracle has it in its
    # numbers.
    expect_le(oracle.unfinished(), 2, "accesses in flight at the end")
    return report, rows(report), oracle, out


# In ns, the allowed difference of T for each busy period (a part of T without idle time). WARM is
# for loads that make accesses in a loop. COLD is for single accesses: iospan's code is not in the
# CPU's cache then, so iospan reads the clock later.
WARM, COLD = 1000, 20000


def expect_sharing(sharing, expected, lost, path, per_period=WARM):
    """Checks two times of a cgroup on each of its disks: T, and the part of T in which another
    cgroup also had an access in flight."""
    disks = {disk["dev"]: disk for disk in sharing["disks"]}
    expect_eq(sorted(disks), sorted(f"{dev >> 20}:{dev & 0xFFFFF}" for dev in expected),
              f"{path}: disks")
    for dev, one in expected.items():
        disk = disks.get(f"{dev >> 20}:{dev & 0xFFFFF}")
        if not disk:
            continue
        if not one:
            expect_eq([disk["span_ns"], disk["alone_ns"], disk["shared_ns"]], [None] * 3,
                      f"{path}: several cgroups use {disk['dev']}")
            continue
        mine, others, (least, seen, most), started = one
        what = f"{path} on {disk['dev']}"
        expect_span(disk["span_ns"], mine, lost, what, per_period)
        early, late = map(sum, zip(by_losses(mine, lost), by_losses(others, lost)))
        diagnostic(f"{what}: shared {seen}, iospan's {disk['shared_ns'] - seen:+d} "
                   f"(from {least - seen} to {most - seen:+d}) ns")
        expect_between(disk["shared_ns"], (least - early, most + late),
                       mine.seen_once() + others.seen_once(), per_period, f"{what}: shared")
        expect_eq(disk["alone_ns"], disk["span_ns"] - disk["shared_ns"], f"{what}: alone")
        if len(expected) == 1 and not (lost or mine.seen_once() or others.seen_once()):
            diagnostic(f"{what}: accesses that started in shared time: {sharing['shared']['accesses']}, "
                       f"expected {started}")
            expect_true(started[0] <= sharing["shared"]["accesses"] <= started[1],
                        f"{what}: accesses that started in shared time")
            expect_eq(sharing["alone"]["accesses"] + sharing["shared"]["accesses"],
                      mine.accesses, f"{what}: accesses")


def expect_rows(report, seen, oracle, per_period=WARM, but=()):
    """Checks the report's row for each cgroup. A row must include the I/O of the cgroup's
    descendants."""
    expect_eq(sorted(filter(None, seen)), sorted(oracle.paths()), "groups")
    lost = report.untimed()
    for path in oracle.paths() & set(seen) - set(but):
        expect_row(seen[path], oracle.below(path), lost, path, per_period)
        # @but has paths that two cgroups had, one after the other. The oracle cannot distinguish
        # these cgroups. So the test does not compare the times in which they and other cgroups used
        # a disk.
        if not but:
            expect_sharing(seen[path]["sharing"], oracle.sharing(path), lost, path, per_period)
    top = {k: v for k, v in seen["/"].items() if k not in ("operations", "sharing")}
    whole = {k: v for k, v in report.layers["device"].items() if k in top}
    whole["span_repaired_fraction"] = None  # only rows of disks have this field
    whole["wait_span_ns"] = None  # only rows of layers have this field
    # The layer's concurrency includes estimated latencies of lost accesses. The concurrency of a
    # cgroup does not.
    if lost:
        whole["concurrency"] = top["concurrency"]
    expect_eq(top, whole, "the command's cgroup, against the layer")
