#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: trace
"""Compares iospan's numbers for the cgroups that a command makes with the oracle. The oracle
computes the accesses of each cgroup from ftrace events."""
import contextlib
import os
import signal
import subprocess
import time

from lib import kernel
from lib.compare import expect_row, expect_span
from lib.ktap import *
from lib.measure import expect_complete, make_file, measure, needs_disk, needs_run, only
from lib.trees import (COLD, WARM, blkio_v1, expect_rows, io_v2, observe, on, rows,
                       task_v2)


def nested(tree, *groups):
    steps = []
    # The kernel enables a controller only in a cgroup without processes. So the process first moves
    # to the cgroup "self".
    if tree.controller:
        steps += ["mkdir=self", "enter=self", "io=."]
    made = set()
    for group, count, depth in groups:
        parts = group.split("/")
        for i in range(1, len(parts) + 1):
            path = "/".join(parts[:i])
            if path not in made:
                steps.append(f"mkdir={path}")
                made.add(path)
                if tree.controller and i < len(parts):
                    steps.append(f"io={path}")
    steps += [f"job={group}:{count}:{depth}" for group, count, depth in groups]
    return steps + ["join"]


def stats(text):
    found = {}
    for line in text.splitlines():
        group, _, *pairs = line.split()
        values = dict(pair.split("=") for pair in pairs)
        found[group] = found.get(group, 0) + sum(int(values.get(key, 0))
                                                 for key in ("rbytes", "wbytes"))
    return found


@on(blkio_v1, task_v2, io_v2)
def a_parent_is_the_union_of_its_subtree(tree):
    groups = [("a/b/c", 1009, 8), ("a/b/d", 701, 1), ("a/e", 503, 4), ("f", 401, 2)]
    if not tree.controller:
        groups += [("a", 307, 1), ("a/b", 211, 3)]
    counted = ["a", "a/b", "a/b/c", "a/b/d", "a/e", "f"] if tree.controller else []
    steps = nested(tree, *groups) + [f"stat={path}" for path in counted]
    report, seen, oracle, out = observe(tree, steps)
    # The bytes in the io.stat file of each cgroup must equal the bytes that iospan reports for the
    # cgroup.
    charged = stats(out)
    expect_eq({path: seen["/" + path]["bytes"] for path in counted}, charged, "bytes")
    # If the kernel has no memory for the I/O state of a cgroup, it charges the parent cgroup. The
    # oracle follows the tasks, so it would differ. Then the test ends here.
    if any(oracle.below("/" + path).bytes > charged[path] for path in counted):
        diagnostic("the kernel charged accesses to a parent cgroup")
        return
    expect_rows(report, seen, oracle)
    spans = [seen[path]["span_ns"] for path in ("/a/b/c", "/a/b/d")]
    expect_le(seen["/a/b"]["span_ns"], seen["/a"]["span_ns"], "T of a group, against its parent")
    expect_ge(sum(spans), max(spans) + 1, "sum of T of two groups, against one")
    expect_true(None not in seen, "each group has a row")


# The load uses the disk of the machine, which is a virtio disk. So the driver requeues requests,
# and other processes may do I/O. The numbers must still equal those of the oracle.
@on(blkio_v1, task_v2)
def groups_on_the_disk_of_the_machine(tree):
    needs_disk()
    path = make_file("load", 96 << 20)
    steps = nested(tree, ("a", 600, 8), ("b", 400, 2))
    for _ in range(5):  # until both groups use the disk at the same time
        report, seen, oracle, _ = observe(tree, steps, path=path)
        expect_rows(report, seen, oracle, COLD)
        shared = min(seen[group]["sharing"]["shared_fraction"] for group in ("/a", "/b"))
        if shared:
            break
    expect_ge(seen["/a"]["accesses"] + seen["/b"]["accesses"], 1000, "accesses")
    expect_ge(shared, 1e-6, "shared")


# The cgroup is removed while its last reads are in flight, and then made again with the same name.
# The report must have a row for each of the two: "/gone" and "/gone#2".
@on(blkio_v1, task_v2, io_v2)
def group_removed_in_flight(tree):
    first = ["mkdir=self", "enter=self", "io=."] if tree.controller else []
    home = "self" if tree.controller else "."
    for _ in range(5):  # until the cgroup is removed before its reads end
        report, seen, oracle, out = observe(tree, [
            *first, "mkdir=gone", "enter=gone", "size=1024", "read=32", f"enter={home}",
            "rmdir=gone", "flying", "wait", "size=32", "mkdir=gone", "enter=gone",
            "read=3", "wait"])
        if int(out.split()[1]):
            break
    expect_ge(int(out.split()[1]), 1, "reads in flight when the group was removed")
    expect_eq(min(seen["/gone" + n]["accesses"] for n in ("", "#2")), 3)
    both = oracle.below("/gone")
    for key, value in (("bytes", both.bytes), ("accesses", both.accesses)):
        expect_eq(seen["/gone"][key] + seen["/gone#2"][key], value, key)
    expect_span(seen["/gone"]["span_ns"] + seen["/gone#2"]["span_ns"], both,
                report.untimed(), "both", COLD)
    expect_rows(report, {k: v for k, v in seen.items() if k != "/gone#2"}, oracle,
                COLD, ["/gone"])


# A task submits reads and changes its cgroup while they are in flight. Each read must count for the
# cgroup in which it was submitted.
@on(blkio_v1, task_v2, io_v2)
def task_moved_between_groups(tree):
    first = ["mkdir=self", "enter=self", "io=."] if tree.controller else []
    report, seen, oracle, _ = observe(tree, [
        *first, "mkdir=a", "mkdir=b", "enter=a", "read=101", "enter=b", "read=53",
        "enter=a", "read=7", "enter=b", "read=11", "wait"])
    expect_rows(report, seen, oracle, COLD)
    expect_eq([seen[path]["accesses"] for path in ("/a", "/b")], [108, 64])


# ---- tests that run only if the kernel charges cgroups of version 2 ----

# If the io controller is not enabled for a cgroup, the kernel charges its parent. Only the parent
# has a row, and a note in the report says so.
@on(io_v2)
def controller_not_enabled_at_the_leaf(tree):
    steps = ["mkdir=self", "enter=self", "io=.", "mkdir=a", "mkdir=a/leaf", "mkdir=b",
             "job=a/leaf:499:4", "job=b:211:1", "join"]
    report, seen, oracle, _ = observe(tree, steps)
    expect_true("/a/leaf" not in seen, "no row for a group that the kernel does not charge")
    expect_row(seen["/a"], oracle.below("/a"), report.untimed(), "/a", WARM)
    expect_true(report.noted("1 cgroup", "io controller", "--attribution=task"),
                f"the note on it: {report.notes}")
    expect_true(seen["/b"]["accesses"] == 211, "the other one")


# The cgroup "writer" writes into the page cache. The cgroup "syncer" syncs the file, which causes
# the writeback.
WRITEBACK = r'''
set -e
cd "$1$(sed -n 's/^0:://p' /proc/self/cgroup)"
mkdir self writer syncer
echo 0 >self/cgroup.procs
echo "+io +memory" >cgroup.subtree_control
(echo 0 >writer/cgroup.procs; exec dd if=/dev/zero of="$2" bs=1M count=24 status=none)
(echo 0 >syncer/cgroup.procs; exec sync "$2")
cat writer/io.stat | sed 's/^/writer /'
cat syncer/io.stat | sed 's/^/syncer /'
'''


@on(io_v2)
def writeback_is_charged_to_the_writer(tree):
    path = os.path.join(scratch_dir(), "written")
    report, out = measure(["sh", "-c", WRITEBACK, "sh", tree.where, path], "--by=cgroup",
                          "--attribution=kernel", *only("device"))
    expect_complete(report)
    seen, counted = rows(report), stats(out)
    diagnostic(f"io.stat: {counted}")
    needs(counted.get("writer", 0) >= 24 << 20,
          "this file system charges no group for what it writes back")
    for group, size in counted.items():
        expect_eq(seen.get("/" + group, {"bytes": 0})["bytes"], size, f"{group}: bytes")
    expect_le(counted.get("syncer", 0), 4 << 20, "bytes of the group that only syncs")


def leave_a_process(parent, killed):
    """Measures a command that leaves a process behind. If @killed, kills iospan during the command.
    Waits until iospan's cgroup is removed. Returns the pid of the process left behind."""
    command = "echo $$; exec sleep 300 >&2" if killed else "sleep 300 >&2 & echo $!"
    path = os.path.join(scratch_dir(), "messages")
    with open(path, "w+", encoding="utf-8") as messages:
        run = subprocess.Popen([IOSPAN, "run", "--parent", parent, "--attribution=task", "-o",
                                path + ".out", "--", "sh", "-c", command],
                               text=True, stdout=subprocess.PIPE, stderr=messages)
        pid = int(run.stdout.readline())
        if killed:
            run.kill()
        expect_eq(run.wait(), -signal.SIGKILL if killed else 0, "status")
        messages.seek(0)
        expect_eq(messages.read(), "", "messages")
    while [entry for entry in os.scandir(parent) if entry.is_dir()]:
        time.sleep(0.01)
    return pid


# A cgroup given by --parent often enables a controller for the cgroups below. Then it cannot
# contain processes. If processes outlive the command, iospan must move them to the cgroup in which
# iospan itself runs.
@test()
def processes_that_remain_leave_such_a_parent():
    needs(kernel.mounted("cgroup2"), "cgroup version 2 is not mounted")
    own = kernel.mounted("cgroup2") + kernel.own_line("0::")[1]
    [parent] = kernel.make_groups([own], f"iospan-test-{os.getpid()}")
    try:
        controllers = kernel.read(parent, "cgroup.controllers").split()
        needs(controllers, "no controller is enabled for cgroups here")
        kernel.write("+" + controllers[0], parent, "cgroup.subtree_control")
        for killed in (False, True):
            pid = leave_a_process(parent, killed)
            here = kernel.read(own, "cgroup.procs").split()
            expect_true(str(pid) in here, f"{pid} is in {own}")
            os.kill(pid, signal.SIGKILL)
    finally:
        kernel.remove_groups([parent])


# ---- tests for machines with cgroups of both versions ----

NOTE = "device: I/O is attributed to cgroups of version 1 (blkio), because the kernel charges them; " \
    "they have no PSI; --attribution=task selects the cgroups of version 2, without their writeback"


def has_both_versions():
    """Returns true if the kernel charges I/O to cgroups of version 1, and version 2 is mounted."""
    version2 = kernel.mounted("cgroup2")
    return kernel.mounted("cgroup", "blkio") and version2 and \
        "io" not in kernel.read(version2, "cgroup.controllers").split()


@contextlib.contextmanager
def group_in_use(where):
    """Makes a cgroup with a process in the hierarchy at @where."""
    [group] = kernel.make_groups([where], f"iospan-test-{os.getpid()}")
    with kernel.undone(lambda: kernel.remove_groups([group])), \
            subprocess.Popen(["sleep", "300"],
                             preexec_fn=lambda: kernel.enter_groups([group])) as child:
        try:
            yield
        finally:
            child.kill()


def exporter_messages(*options):
    with subprocess.Popen([IOSPAN, "exporter", "--listen=127.0.0.1:0", *options], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        child.stdout.readline()
        child.terminate()
        return child.stderr.read()


# With --within, the exporter shows only cgroups of version 2. So it must not print the note on the
# version.
@test()
def a_selected_cgroup_has_no_note_on_the_version():
    needs_run()
    needs(has_both_versions(), "needs blkio of version 1, and version 2")
    [group] = kernel.make_groups([kernel.mounted("cgroup2")], f"iospan-test-{os.getpid()}")
    with kernel.undone(lambda: kernel.remove_groups([group])):
        expect_eq(exporter_messages(f"--within={group}"), "", "messages")


# If both cgroup versions are in use, iospan reports the cgroups of version 1. A user may look in
# the report for a cgroup of version 2. So a note must name the version.
@test()
def the_version_of_the_cgroups_has_a_note():
    needs_run()
    needs(has_both_versions(), "needs blkio of version 1, and version 2")
    leave_group = 'mkdir "$0$(sed -n s/^0:://p /proc/self/cgroup)/left"'
    with group_in_use(kernel.mounted("cgroup2")), group_in_use(kernel.mounted("cgroup", "blkio")):
        for notes, *args in ((1, "stat", "--by=cgroup", "-i100ms", "-n1", "-ldevice"),
                             (0, "stat", "-i100ms", "-n1", "-ldevice"),
                             (0, "stat", "--by=cgroup", "-i100ms", "-n1", "--attribution=task"),
                             (1, "run", "--by=cgroup", "-ldevice", "--", "sh", "-c", leave_group,
                              kernel.mounted("cgroup2")),
                             (0, "run", "--by=cgroup", "-ldevice", "--", "true"),
                             (0, "run", "-ldevice", "--", "true")):
            done = subprocess.run([IOSPAN, *args], capture_output=True, text=True, check=False)
            expect_eq((done.returncode, done.stderr.count(NOTE)), (0, notes), f"{args}: {done.stderr}")
        expect_eq(exporter_messages().count(NOTE), 1, "the exporter")


@test()
def a_filter_for_a_cgroup_of_version_2_has_a_hint():
    needs_run()
    needs(has_both_versions(), "needs blkio of version 1, and version 2")
    name, hint = f"iospan-test-{os.getpid()}", "; a cgroup of version 2 matches, see --attribution=task"
    with group_in_use(kernel.mounted("cgroup2")):
        for pattern, hints in ((name, 1), ("nosuch", 0)):
            done = subprocess.run([IOSPAN, "stat", "--by=cgroup", "-g", pattern, "-i100ms", "-n1"],
                                  capture_output=True, text=True, check=False)
            expect_eq((done.returncode, done.stdout.count(hint), done.stderr.count(hint)),
                      (1, hints, hints), done.stdout + done.stderr)


main()
