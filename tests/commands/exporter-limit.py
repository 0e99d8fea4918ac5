#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests exporter --cpu-limit, which limits the CPU time of iospan's BPF programs. Also tests that
the kernel stops counting this time when the exporter is killed."""
import contextlib
import glob
import mmap
import os
import re
import signal
import socket
import subprocess
import time

from lib import kernel
from lib.bpf import run_times
from lib.cgroups import Groups
from lib.ktap import *
from lib.measure import needs_features, needs_run
from lib.openmetrics import VERSION_NOTE, Exporter, needs_parser, refused

SIZE = 1 << 20  # more bytes than the buffers of a socket take
ENOUGH = f"{100 * os.cpu_count()}%"  # the time of all CPUs, so the limit is never exceeded
OFF = re.compile(r"iospan: warning: the kernel programs of the vfs layer used ([\d.]+)% of a CPU in the "
                 r"last (\d+) s, more than --cpu-limit 0\.01%; the vfs layer is off until the exporter "
                 r"is started again\n")
# beginnings of the names of the BPF programs that are not of the vfs layer
OTHERS = ("on_issue", "on_complete", "on_requeue", "scan_", "on_insert", "on_merge", "on_io_start",
          "on_bio", "on_cgroup", "on_dirty")


@test()
def other_limits_are_refused():
    cpus = "1 CPU" if os.cpu_count() == 1 else f"{os.cpu_count()} CPUs"
    for value in "1", "0%", "0.0%", "-1%", "1%%", "1.%", "% 1", "", f"{100 * os.cpu_count() + 1}%", \
            "1e30%":
        expect_eq(refused("--layers=vfs", f"--cpu-limit={value}"),
                  (2, "iospan: option '--cpu-limit' wants a percentage of one CPU, such as 1% or 0.5%: "
                          f"above 0% and up to {ENOUGH} ({cpus}), not '{value}'\n"))
    for layers in [], ["--layers=device"]:
        expect_eq(refused(*layers, "--cpu-limit=1%"),
                  (2, "iospan: option '--cpu-limit' has no effect without the vfs layer; add "
                          "'--layers vfs,device', or leave out '--cpu-limit'\n"))


def vfs_run_times(ids):
    return {name: n for name, n in run_times(ids).items() if not name.startswith(OTHERS)}


def read_direct(disk, count):
    fd, buffer = os.open(disk, os.O_RDONLY | os.O_DIRECT), mmap.mmap(-1, 4096)
    for _ in range(count):
        os.preadv(fd, [buffer], 0)
    os.close(fd)


def send_to_full_socket(disk):
    """Makes a call that reads the disk and does not end, because nobody reads the socket."""
    ours, theirs = socket.socketpair()
    os.sendfile(ours.fileno(), os.open(disk, os.O_RDONLY), 0, SIZE)
    theirs.close()


def counting_processes():
    """Returns the pids of processes that make the kernel count the runs of BPF programs."""
    found = set()
    for path in glob.iglob("/proc/[0-9]*/fd/*"):
        with contextlib.suppress(OSError):
            if "bpf-stats" in os.readlink(path):
                found.add(path.split("/")[2])
    return found


def read_on():
    fd = os.open(__file__, os.O_RDONLY)
    while True:
        os.pread(fd, 1, 0)
        time.sleep(0.001)


class Load:
    """Runs a function in a process in a new cgroup, until stop()."""

    def __init__(self, groups, path, function, *arguments):
        groups.make(path)
        self.group = groups.top + path
        self.pid = os.fork()
        if not self.pid:
            kernel.enter_groups([self.group])
            function(*arguments)
            os._exit(1)

    def stop(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        kernel.remove_groups([self.group])


def reads(seen, path, layer):
    return seen.sum("iospan_accesses_total", cgroup=path, layer=layer, op="read")


def measured(seen):
    return {labels["layer"]: n for labels, n in seen.all("iospan_layer_measured")}


def names_with(seen, layer):
    return {name for name, labels in seen.samples if ("layer", layer) in labels}


def losses(seen):
    """Returns the losses of the vfs layer. Excludes the device layer, which may lose accesses of
    other programs on this machine."""
    return {labels["kind"]: n for labels, n in seen.all("iospan_losses_total", layer="vfs")}


def states(seen):
    return tuple(seen.one("iospan_cgroups", state=state) for state in ("live", "removed"))


def scrape_in_flight(exporter, path):
    """Scrapes until the call of send_to_full_socket() is in flight at the vfs layer. The exporter
    stops measuring this layer 10 s after its start. On a busy machine, the loads may start too late
    for that."""
    while True:
        seen = exporter.scrape()
        needs(measured(seen)["vfs"], "the loads started after the first 10 s")
        if seen.all("iospan_cgroup_span_seconds_total", cgroup=path, layer="vfs"):
            expect_eq(reads(seen, path, "vfs"), 0, "reads that have ended")
            return seen


def vfs_run_ns(ids):
    return sum(ns for _, ns in vfs_run_times(ids).values())


def expect_off(exporter, ids, start_ns):
    """Waits until the exporter switches the vfs layer off. Compares the CPU time in its message
    with the times that bpftool shows: @start_ns after the exporter's start, a time before the
    switch, and a time after it."""
    before_ns = last_ns = start_ns
    while measured(exporter.scrape())["vfs"]:
        before_ns, last_ns = last_ns, vfs_run_ns(ids)
    while not (found := OFF.fullmatch(line := exporter.child.stderr.readline())):
        assert_true(VERSION_NOTE in line, line)
    reported = float(found[1]) / 100 * float(found[2]) * 1e9
    after_ns = vfs_run_ns(ids)
    times = (f"{reported:.0f} ns; by bpftool {start_ns} ns at the start, {before_ns} ns before, "
             f"{after_ns} ns after")
    diagnostic(f"{found[0].strip()}; {times}")
    # The message has the time in whole seconds, so the product may be 5 % off.
    expect_true(0.94 * (before_ns - start_ns) <= reported <= 1.06 * after_ns, f"CPU time: {times}")


def expect_device_alone(exporter, groups, disk, ids, before):
    first, programs = exporter.scrape(), vfs_run_times(ids)
    groups.call("/direct", read_direct, disk, 211)
    second = exporter.scrape()
    expect_eq((measured(before), measured(first)), ({"vfs": 1, "device": 1}, {"vfs": 0, "device": 1}))
    expect_eq(names_with(first, "vfs"),
              {"iospan_layer_measured", "iospan_losses_total", "iospan_missed_runs_total",
               "iospan_bpf_runs_total", "iospan_bpf_run_seconds_total"}, "metrics of the vfs layer")
    expect_eq({labels["program"][:15] for labels, _ in first.all("iospan_bpf_runs_total", layer="vfs")},
              set(programs), "programs of the vfs layer")
    expect_eq(names_with(before, "device") - names_with(first, "device"), set(), "metrics that ended")
    expect_eq(first.one("iospan_cpu_limit_ratio"), 0.0001, "limit")
    name = os.path.basename(disk)
    for metric, labels in (("iospan_device_accesses_total", {"device": name}),
                           ("iospan_accesses_total", {"device": name, "cgroup": "/", "op": "read"})):
        expect_eq(second.one(metric, **labels) - first.one(metric, **labels), 211, f"{metric}, later")
    assert_true(losses(first), "kinds of losses")
    expect_eq(losses(second), losses(first), "losses")
    expect_eq(vfs_run_times(ids), programs, "runs of programs of the vfs layer")


# In /held, a call is in flight when the exporter switches the vfs layer off. The exporter must end
# this call. Otherwise, it would keep the cgroup /held for ever, even after its removal.
def check_limit(*options):
    needs_run("bpftool")
    needs_parser()
    groups = Groups()
    with kernel.undone(groups.remove), kernel.loop_disk(SIZE) as disk, \
            Exporter("--layers=vfs,device", f"--cpu-limit={ENOUGH}", *options, *groups.options) as free, \
            Exporter("--layers=vfs,device", "--cpu-limit=0.01%", "--max-groups=4", "--keep-removed=1s",
                     *options, *groups.options) as limited:
        ids = kernel.bpf_ids(limited.child.pid, "prog")
        start_ns = vfs_run_ns(ids)
        held = Load(groups, "/held", send_to_full_socket, disk)
        busy = Load(groups, "/busy", read_on)
        groups.make("/direct")
        groups.call("/direct", read_direct, disk, 307)
        before = scrape_in_flight(limited, "/held")
        expect_off(limited, ids, start_ns)
        expect_device_alone(limited, groups, disk, ids, before)
        first = free.scrape()
        held.stop()
        while states(limited.scrape()) != (3, 0):  # /, /busy and /direct
            pass
        while reads(second := free.scrape(), "/busy", "vfs") == reads(first, "/busy", "vfs"):
            pass
        busy.stop()
    expect_eq(measured(second), {"vfs": 1, "device": 1}, "layers with a high limit")
    expect_ge(reads(second, "/busy", "vfs"), reads(first, "/busy", "vfs") + 1, "reads with a high limit")
    expect_eq(reads(before, "/direct", "device"), 307, "reads of the disk")


@test()
def the_vfs_layer_is_switched_off():
    check_limit()


@test(seconds=300)
def the_vfs_layer_is_switched_off_with_fentry():
    needs_features("bpf_prog_fentry")
    check_limit("--backend=fentry")


@test(seconds=300)
def the_vfs_layer_is_switched_off_with_kprobe():
    needs_features("kprobe_multi")
    check_limit("--backend=kprobe")


@test()
def a_killed_exporter_ends_the_counts():
    needs_run("bpftool")
    with kernel.loop_disk(SIZE) as disk, \
            subprocess.Popen([IOSPAN, "stat", "--layers=device", "100ms"], stdout=subprocess.PIPE) as probe:
        probe.stdout.readline()
        ids = kernel.bpf_ids(probe.pid, "prog")

        def counted():
            before = run_times(ids)["on_issue"]
            read_direct(disk, 101)
            return tuple(b - a for a, b in zip(before, run_times(ids)["on_issue"]))
        try:
            needs(counted() == (0, 0), "another program makes the kernel count the runs of BPF programs")
            with subprocess.Popen([IOSPAN, "exporter", "--listen=127.0.0.1:0", "--bpf-stats"],
                                  stdout=subprocess.PIPE) as exporter:
                exporter.stdout.readline()
                during = counted()
                exporter.kill()
            # Another program may make the kernel count the runs, too. A short one may end before
            # counting_processes() sees it.
            users, unexplained = counting_processes(), 0
            while (after := counted()) != (0, 0) and unexplained < 20:
                unexplained += not users | (users := counting_processes())
            with Exporter("--bpf-stats"):
                again = counted()
        finally:
            probe.kill()
    diagnostic(f"runs and ns of 101 reads: {during} before, {after} after the kill, {again} with another")
    for runs, ns in during, again:
        expect_ge(runs, 101, "runs while an exporter counts")
        expect_ge(ns, 101, "ns while an exporter counts")
    expect_eq(after, (0, 0), "runs and ns after the exporter was killed")


main()
