#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the output of iospan exporter with the I/O of the loads, and with the kernel's counts. A
series is a counter or gauge with its labels, as Prometheus stores it."""
import contextlib
import json
import mmap
import os
import re
import subprocess
import time

from lib import kernel
from lib.bpf import run_times
from lib.cgroups import Groups
from lib.compare import LOOK_NS
from lib.ktap import *
from lib.measure import REPAIRED, fio_command, fio_result, needs_run
from lib.openmetrics import OTHERS_NOTE, Exporter, Scrape, needs_parser
from lib.syncs import write_and_sync

SIZE = 64 << 20
SECTOR = 512
CONTAINER = "3f4e1a9c0b7d5e6f8a9b0c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f4051"


def needs_exporter(*tools):
    needs_run(*tools)
    needs_parser()


def one_by_one(disk, kind, count, size):
    return fio_command(disk, "--ioengine=psync", "--direct=1", f"--rw={kind}", f"--bs={size}",
                       f"--number_ios={count}", "--norandommap=1", f"--size={SIZE}")


def diskstats(disk):
    f = kernel.read("/sys/block", os.path.basename(disk), "stat").split()
    return {"read": (int(f[0]), int(f[2]) * SECTOR), "write": (int(f[4]), int(f[6]) * SECTOR)}


def more(after, before):
    return tuple(a - b for a, b in zip(after, before))


def part(scrape, **labels):
    return (scrape.sum("iospan_accesses_total", **labels),
            scrape.sum("iospan_bytes_total", **labels))


LOADS = {"/a": ("randread", 701, 4096), "/b": ("randwrite", 503, 8192),
         "/b/c": ("randread", 307, 16384), f"/docker-{CONTAINER}.scope": ("randrw", 401, 4096)}


@test()
def groups_equal_their_loads_and_the_kernel():
    needs_exporter("fio")
    groups = Groups()
    with kernel.undone(groups.remove), kernel.loop_disk(SIZE) as one, \
            kernel.loop_disk(SIZE) as two:
        for path in LOADS:
            groups.make(path)
        with Exporter("--layers=vfs,device", *groups.options) as exporter:
            before = {disk: diskstats(disk) for disk in (one, two)}
            runs = {(path, disk): groups.start(path, one_by_one(disk, *load))
                    for path, load in LOADS.items() for disk in (one, two)}
            said = {run: fio_result(child.communicate()[0]) for run, child in runs.items()}
            seen = exporter.scrape()
            after = {disk: diskstats(disk) for disk in (one, two)}
    for disk in one, two:
        name = os.path.basename(disk)
        for op in "read", "write":
            expect_eq(part(seen, cgroup="/", layer="device", device=name, op=op),
                      more(after[disk][op], before[disk][op]), f"{name} {op}, by the kernel")
            for path in LOADS:
                below = [result[op] for (p, d), result in said.items()
                         if d == disk and f"{p}/".startswith(f"{path}/")]
                expect_eq(part(seen, cgroup=path, layer="device", device=name, op=op),
                          tuple(map(sum, zip(*below))), f"{path} {name} {op}, by fio")
        both = [sum(column) for column in zip(*(more(after[disk][op], before[disk][op])
                                                for op in ("read", "write")))]
        expect_eq([seen.one(f"iospan_device_{what}_total", device=name, stacked="no")
                   for what in ("accesses", "bytes")], both, f"{name}, all")
        timed = seen.one("iospan_device_latency_seconds_count", device=name)
        expect_true(both[0] - untimed(seen) <= timed <= both[0],
                    f"{name}, the histogram: {timed} of {both[0]}, {untimed(seen)} not timed")
    expect_sums(seen, os.path.basename(one))
    expect_names(seen)
    expect_series(seen, "/", *LOADS)
    expect_shares(seen, [os.path.basename(disk) for disk in (one, two)])


# Checks bounds of the shared time, in which several cgroups use a disk. The loads may be too short
# to overlap, so there is no exact value.
def expect_shares(seen, disks):
    for disk in disks:
        whole = seen.one("iospan_device_shared_seconds_total", device=disk, stacked="no")
        span = seen.one("iospan_device_span_seconds_total", device=disk, stacked="no")
        expect_true(whole <= span, f"{disk}: shared {whole} of {span}")
        for path in ("/a", "/b/c"):
            alone, shared = (seen.one(f"iospan_cgroup_{what}_seconds_total", cgroup=path, device=disk)
                             for what in ("alone", "shared"))
            # The cgroup makes only reads. So the time with reads in flight must be the time alone
            # plus the time that it shares with neighbours.
            span = seen.one("iospan_span_seconds_total", cgroup=path, device=disk, op="read")
            expect_true(abs(alone + shared - span) < span / 1000,
                        f"{path} on {disk}: {alone} alone and {shared} shared of {span}")
            expect_true(shared <= whole, f"{path} on {disk}: shared {shared} of {whole}")
    for path in ("/a", "/b/c"):
        count, shared = (seen.one(f"iospan_cgroup_{what}latency_seconds_count", cgroup=path,
                                  **labels) for what, labels in (("", {"layer": "device"}), ("shared_", {})))
        expect_true(shared <= count, f"{path}: {shared} of {count} accesses in shared time")
    for path in "/", "/b":
        expect_eq(seen.all("iospan_cgroup_shared_seconds_total", cgroup=path), [],
                  f"{path}: several cgroups use the disks")


# Checks the number of series of each cgroup against the formula in iospan-exporter(1).
def expect_series(seen, *paths):
    for path in paths:
        layers = len(seen.all("iospan_cgroup_accesses_total", cgroup=path))
        pairs = len(seen.all("iospan_accesses_total", cgroup=path))
        synced = len(seen.all("iospan_accesses_total", cgroup=path, op="sync"))
        waits = sum(len(seen.all(f"iospan_cgroup_{what}_seconds_total", cgroup=path))
                    for what in ("psi_some", "psi_full", "dirty_throttled", "wait_span"))
        shares = len(seen.all("iospan_cgroup_shared_seconds_total", cgroup=path))
        found = sum(("cgroup", path) in labels for _, labels in seen.samples)
        expect_eq(found, waits + 32 * layers + 5 * pairs + 28 * synced
                  + (2 * shares + 28 if shares else 0),
                  f"series of {path}: {layers} layers, {pairs} pairs, {waits} of waiting, {synced} of syncs")


def read_synced(path):
    with open(path, "rb", buffering=0) as f:
        f.read(4096)


def expect_waits(seen, labels):
    """W of a cgroup is the time with reads, writes or syncs in flight. The calls of this cgroup
    follow one another, so W must be the sum of their latencies."""
    calls = seen.sum("iospan_latency_sum_seconds_total", **labels)
    expect_ge(calls, 1e-9, f"{labels}: latencies")
    expect_near(seen.one("iospan_cgroup_wait_span_seconds_total", **labels), calls, 1e-6 * calls,
                f"{labels}: W")


# The histogram of a cgroup's syncs must include the syncs of the cgroups below it. It must include
# no other accesses, because many fast accesses would hide a slow disk.
@test()
def syncs_of_groups_equal_their_loads():
    needs_exporter()
    groups, of = Groups(), "iospan_cgroup_sync_latency_seconds_"
    file = os.path.join(scratch_dir(), "synced")
    with kernel.undone(groups.remove):
        for path in "/a", "/a/b", "/c":
            groups.make(path)
        with Exporter("--layers=vfs,device", *groups.options) as exporter:
            groups.call("/a", write_and_sync, file, 31)
            groups.call("/a/b", write_and_sync, file, 17)
            groups.call("/c", read_synced, file)
            seen = exporter.scrape()
    for path, count in (("/", 48), ("/a", 48), ("/a/b", 17)):
        labels = {"cgroup": path, "layer": "vfs"}
        expect_eq((seen.one(of + "count", **labels), seen.one(of + "bucket", le="+Inf", **labels)),
                  (count, count), f"{path}: syncs")
        expect_eq(seen.one(of + "sum", **labels),
                  seen.one("iospan_latency_sum_seconds_total", op="sync", **labels), "sum of latencies")
        expect_waits(seen, labels)
    expect_waits(seen, {"cgroup": "/c", "layer": "vfs"})
    expect_eq(seen.all(of + "count", cgroup="/c"), [], "a cgroup without syncs")
    expect_series(seen, "/", "/a", "/a/b")


def read_at_once(disks):
    """Two processes on two CPUs read each disk at the same time."""
    buffer, ready = mmap.mmap(-1, 4096), mmap.mmap(-1, 4096)
    fds = [os.open(disk, os.O_RDONLY | os.O_DIRECT) for disk in disks]
    pids = []
    for n in range(2):
        if not (pid := os.fork()):
            os.sched_setaffinity(0, {n})
            for i, fd in enumerate(fds):
                ready[n] = i + 1
                while ready[1 - n] < i + 1:
                    pass
                os.preadv(fd, [buffer], 0)
            os._exit(0)
        pids.append(pid)
    for pid in pids:
        assert_eq(os.waitpid(pid, 0)[1], 0, "a reader")
    for fd in fds:
        os.close(fd)


# The latency of a disk starts when the driver gets a request. So it excludes the wait in the I/O
# scheduler, which has a metric of its own.
@test()
def waits_in_the_scheduler():
    needs_exporter("fio")
    with kernel.new_loop_disk(SIZE) as disk, Exporter("--layers=device") as exporter:
        needs("mq-deadline" in kernel.schedulers(disk), "needs the scheduler mq-deadline")
        kernel.set_scheduler(disk, "mq-deadline")
        before = exporter.scrape()
        done = subprocess.run(one_by_one(disk, "randread", 307, 4096), capture_output=True, text=True, check=True)
        seen = exporter.scrape()
    text = done.stdout
    latency = json.loads(text[text.index("{"):])["jobs"][0]["read"]["lat_ns"]
    of = "iospan_device_"
    accesses, queued, wait, served = (
        seen.one(of + what, device=os.path.basename(disk)) - before.sum(of + what, device=os.path.basename(disk))
        for what in ("accesses_total", "queued_accesses_total", "queue_sum_seconds_total", "latency_seconds_sum"))
    expect_ge(accesses, 307, "accesses")
    expect_true(accesses - untimed(seen) <= queued <= accesses, f"{queued} of {accesses} waited")
    if accesses == 307:
        expect_true(0 < wait <= latency["mean"] * latency["N"] / 1e9 - served,
                    f"waits {wait} s, latencies {served} s, by fio {latency}")


DISKS = 60


# The exporter numbers a disk at its first access. Here, two CPUs make that access at the same time.
# The disk must get only one number. With two numbers, it would have two series.
@test()
def a_disk_of_two_cpus_has_one_series():
    needs_exporter()
    needs(os.cpu_count() > 1, "needs two CPUs")
    with contextlib.ExitStack() as stack:
        disks = [stack.enter_context(kernel.new_loop_disk(1 << 20)) for _ in range(DISKS)]
        exporter = stack.enter_context(Exporter("--layers=device"))
        read_at_once(disks)
        seen = exporter.scrape()
        for disk in disks:
            expect_eq(seen.one("iospan_device_accesses_total", device=os.path.basename(disk)),
                      diskstats(disk)["read"][0], f"{disk}, by the kernel")


def read_once(disk):
    fd, buffer = os.open(disk, os.O_RDONLY | os.O_DIRECT), mmap.mmap(-1, 4096)
    os.preadv(fd, [buffer], 0)
    os.close(fd)


# A loop disk that loses its file counts as removed, though its device remains.
@test()
def series_of_a_disk_end_after_it_was_removed():
    needs_exporter()
    with kernel.new_loop() as number, kernel.loop_disk(SIZE) as kept, \
            Exporter("--layers=device", "--keep-removed=2s") as exporter:
        name = f"loop{number}"
        with kernel.loop_disk(SIZE, number) as disk:
            for one in disk, kept:
                read_once(one)
            seen = exporter.scrape()
        for _ in range(400):
            later = exporter.scrape()
            if not any(("device", name) in labels for _, labels in later.samples):
                break
            time.sleep(0.1)
        with kernel.loop_disk(SIZE, number) as disk:
            read_once(disk)
            again = exporter.scrape()
    first = seen.one("iospan_device_accesses_total", device=name)
    expect_ge(first, 1, "accesses of the disk")
    expect_ge(part(seen, cgroup="/", device=name)[0], 1, "accesses of / on the disk")
    expect_eq({metric for metric, labels in later.samples if ("device", name) in labels}, set(), "later")
    expect_ge(later.one("iospan_device_accesses_total", device=os.path.basename(kept)), 1, "the other disk")
    expect_forward(seen, later)
    expect_ge(again.one("iospan_device_accesses_total", device=name), first + 1, "with a file again")


# The exporter does not measure all layers, and makes no recordings. So it must have no series for
# losses of other layers or of recordings.
@test()
def losses_are_those_that_can_occur():
    needs_exporter()
    for layers in ("device",), ("vfs", "device"):
        with Exporter(f"--layers={','.join(layers)}") as exporter:
            seen = exporter.scrape()
        expect_eq(seen.labels("iospan_losses_total", "layer"), {None, *layers}, "layers")
        kinds = seen.labels("iospan_losses_total", "kind")
        expect_eq({kind for kind in kinds if kind.endswith("_records") or kind == "names"}, set(), "of recordings")


def untimed(seen):
    """Returns the number of accesses without a latency. iospan missed the issue or the completion
    of such an access, or the completion interrupted the handling of another one on the same CPU
    (nested)."""
    return sum(seen.one("iospan_losses_total", kind=kind)
               for kind in ("completions", "issues", "nested"))


def expect_sums(seen, disk):
    """Checks T, the time with I/O in flight. The process in /a makes one access after another. So T
    of /a is the sum of the latencies. If a completion is lost, T also includes the time until
    iospan finds the loss."""
    lost = untimed(seen)
    late = lost * LOOK_NS / 1e9
    for labels, response in seen.all("iospan_latency_sum_seconds_total", cgroup="/a", device=disk):
        del labels["id"]
        span = seen.one("iospan_span_seconds_total", **labels)
        expect_true(0.98 * response <= span <= 1.02 * response + late,
                    f"T of separate accesses: {labels}: {span} s, responses {response} s, "
                    f"{lost} accesses without a latency")
    for group in LOADS:
        for layer in "vfs", "device":
            labels = {"cgroup": group, "layer": layer}
            bucket = seen.one("iospan_cgroup_latency_seconds_bucket", le="+Inf", **labels)
            expect_eq(seen.one("iospan_cgroup_latency_seconds_count", **labels), bucket,
                      f"{labels}: all are in a bucket")
            response = seen.one("iospan_cgroup_latency_seconds_sum", **labels)
            expect_near(sum(seen.sum("iospan_latency_sum_seconds_total", op=op, **labels) for op in ("read", "write")),
                        response, 1e-6 * response, f"{labels}: sum of latencies by operation")
            expect_ge(response * 1.001 + late,
                      seen.one("iospan_cgroup_span_seconds_total", **labels), "T is a union")
            expect_ge(seen.one("iospan_cgroup_accesses_total", **labels),
                      seen.sum("iospan_accesses_total", op="read", **labels), "reads are a part")
        read = seen.sum("iospan_accesses_total", cgroup=group, layer="vfs", op="read")
        expect_ge(read, LOADS[group][1] if "read" in LOADS[group][0] else 0, "reads at the vfs")
    expect_eq(seen.one("iospan_cgroups", state="folded"), 0, "folded groups")
    lost = {labels["kind"]: n for labels, n in seen.all("iospan_losses_total") if n}
    # Other programs' completions may interrupt iospan's programs. Such accesses count.
    harmless = (*REPAIRED, "late_bios", "missed_runs")
    expect_eq({k: n for k, n in lost.items() if k not in harmless}, {}, "lost")


def expect_names(seen):
    names = {labels["cgroup"]: (labels.get("name"), labels["container"])
             for labels, _ in seen.all("iospan_cgroup_accesses_total")}
    expect_eq(names[f"/docker-{CONTAINER}.scope"], ("docker:3f4e1a9c0b7d", "3f4e1a9c0b7d"),
              "a container without a name")
    expect_eq(names["/a"], (None, ""), "no container")


# The series of many cgroups cost memory of Prometheus, so a user may select some cgroups by -g. All
# other cgroups must have no series. The numbers of the disks must still include their I/O.
@test()
def a_filter_selects_cgroups():
    needs_exporter()
    groups = Groups()
    with kernel.undone(groups.remove), kernel.loop_disk(SIZE) as disk:
        with Exporter("-g", "web*,pod=shop", *groups.options) as exporter:
            for path in "/web1", "/other", "/web2":
                groups.make(path)
                groups.start(path, ["dd", f"if={disk}", "of=/dev/null", "iflag=direct", "bs=4k", "count=16",
                                    "status=none"]).communicate()
            seen = exporter.scrape()
    labeled = {dict(labels)["cgroup"] for _, labels in seen.samples if "cgroup" in dict(labels)}
    expect_eq(labeled, {"/web1", "/web2"}, "cgroups")
    # The kernel may read the program dd from a disk, too. So the numbers are minimums.
    expect_ge(seen.sum("iospan_cgroup_accesses_total", layer="device"), 32, "accesses of these")
    expect_ge(seen.one("iospan_device_accesses_total", device=os.path.basename(disk)), 48, "of the disk")
    expect_eq(seen.one("iospan_cgroups", state="live"), 2, "live cgroups")


def throttled(group, file):
    lines = kernel.read(group, file).splitlines()
    return {(number, op.lower()): int(n) for number, op, n in
            (line.split() for line in lines if line.count(" ") == 2)}


# The kernel counts the I/O that it charges to a cgroup. The exporter must have the same counts.
@test()
def a_group_equals_the_charges_of_the_kernel():
    needs_exporter("fio")
    where = kernel.mounted("cgroup", "blkio")
    needs(where, "blkio is not on version 1")
    above = [g for g in kernel.own_groups() if g.startswith(where)]
    [group] = kernel.make_groups(above, f"iospan-test-{os.getpid()}")
    with kernel.undone(lambda: kernel.remove_groups([group])), kernel.loop_disk(SIZE) as disk, \
            Exporter() as exporter:
        number = kernel.read("/sys/block", os.path.basename(disk), "dev")
        # The blkio controller counts only I/O that has a limit. So the test sets limits that the
        # load never reaches.
        for kind in "read", "write":
            kernel.write(f"{number} {1 << 50}", group, f"blkio.throttle.{kind}_bps_device")
        subprocess.run(one_by_one(disk, "randrw", 809, 8192), stdout=subprocess.DEVNULL,
                       preexec_fn=lambda: kernel.enter_groups([group]), check=True)
        seen = exporter.scrape()
        charged = [throttled(group, f"blkio.throttle.io_{what}")
                   for what in ("serviced", "service_bytes")]
    for op in "read", "write":
        rows = part(seen, cgroup=group[len(where):], layer="device", op=op,
                    device=os.path.basename(disk))
        expect_eq(rows, tuple(c[number, op] for c in charged), f"{op}s")
        expect_ge(rows[0], 300, f"{op}s")


def expect_forward(one, next_one):
    """Checks that no counter decreases while it exists."""
    for key, value in one.counters.items():
        if key in next_one.counters:
            expect_ge(next_one.counters[key], value, f"{key}, later")


def transfer(disk, n, count):
    """Returns a load that starts faster than fio: @count reads if @n is even, otherwise writes."""
    ends = (f"if={disk}", "of=/dev/null", "iflag=direct") if n % 2 == 0 else \
        ("if=/dev/zero", f"of={disk}", "oflag=direct")
    return ["dd", *ends, "bs=4k", f"count={count}", "status=none"]


@test()
def counters_never_decrease():
    needs_exporter("dd")
    groups, accesses = Groups(), 1009
    with kernel.undone(groups.remove), kernel.loop_disk(SIZE) as disk:
        paths = [f"/g{i}" for i in range(40)]
        with Exporter("--max-series=1000", *groups.options) as exporter:
            runs = []
            for n, path in enumerate(paths):
                groups.make(path)
                runs.append(groups.start(path, transfer(disk, n, accesses)))
            seen = [exporter.scrape() for _ in range(3)]
            for run in runs:
                assert_eq(run.wait(), 0, "status of dd")
            seen.append(exporter.scrape())
    for one, next_one in zip(seen, seen[1:]):
        expect_forward(one, next_one)
    for one in seen:
        series = sum("id" in dict(labels) for _, labels in one.samples)
        expect_le(series, 1000, "series")
    last, name = seen[-1], os.path.basename(disk)
    folded = last.one("iospan_cgroups", state="folded")
    expect_ge(folded, 10, "folded groups")
    expect_eq(last.one("iospan_folded_cgroups_total"), folded, "counter of folded groups")
    expect_eq(folded + last.one("iospan_cgroups", state="live"), len(paths) + 1, "groups")
    expect_eq(part(last, cgroup="/", device=name)[0], len(paths) * accesses, "accesses of the parent")
    mine = sum(v for labels, v in last.all("iospan_accesses_total", device=name)
               if labels["cgroup"] != "/")
    expect_le(mine + last.one("iospan_folded_accesses_total", layer="device"),
              last.one("iospan_cgroup_accesses_total", cgroup="/"), "shown and folded")
    expect_true(last.one("iospan_folded_accesses_total", layer="device") > 0, "folded accesses")


@test()
def removed_groups_stay_for_a_time():
    needs_exporter("fio")
    groups = Groups()
    with kernel.undone(groups.remove), kernel.loop_disk(SIZE) as disk:
        # With more than half of --max-groups in use, the exporter drops removed cgroups sooner.
        with Exporter("--keep-removed=4s", "--max-groups=4", *groups.options) as exporter:
            removed = []
            for _ in range(2):  # the second cgroup has the same path as the first one
                groups.make("/short")
                groups.start("/short", one_by_one(disk, "randread", 101, 4096)).communicate()
                removed.append(time.monotonic())
                kernel.remove_groups([groups.top + "/short"])
            seen = exporter.scrape()
            took = time.monotonic() - removed[0]
            gone = 0
            for _ in range(400):  # not by the clock, so that a pause of the machine takes one round
                time.sleep(0.1)
                later = exporter.scrape()
                gone = max(gone, later.one("iospan_cgroups", state="removed"))
                if not later.all("iospan_cgroup_accesses_total", cgroup="/short"):
                    break
    name = os.path.basename(disk)
    needs(took < 4, "this machine is too busy to look in time")
    expect_eq(sorted(n for _, n in seen.all("iospan_accesses_total", cgroup="/short",
                                            device=name)), [101, 101], "both are there")
    expect_ge(gone, 1, "groups that are removed and still shown")
    expect_eq(later.all("iospan_accesses_total", cgroup="/short"), [],
              "accesses after they are dropped")
    expect_eq(part(later, cgroup="/", device=name)[0], 202, "accesses of the parent")


MANY = 100


# The exporter runs as root, but without CAP_DAC_READ_SEARCH. So it cannot look into a cgroup
# directory of another user with mode 0700. It must still notice that the cgroup below this
# directory was removed.
@test()
def removed_groups_are_detected_within_two_readings():
    needs_exporter()
    groups = Groups()
    with kernel.undone(groups.remove), open(__file__, "rb") as file:
        groups.make("/private")
        os.chown(f"{groups.top}/private", 65534, 65534)
        os.chmod(f"{groups.top}/private", 0o700)
        with Exporter("--layers=vfs", *groups.options) as exporter:
            paths = [f"/g{n}" for n in range(MANY)] + ["/private/below"]
            for path in paths:
                groups.make(path)
                groups.call(path, os.pread, file.fileno(), 1, 0)
            live = exporter.scrape().one("iospan_cgroups", state="live")
            kernel.remove_groups([groups.top + path for path in paths])
            exporter.fetch()
            seen = exporter.scrape()
    expect_eq(live, len(paths) + 2, "live before")
    expect_eq((seen.one("iospan_cgroups", state="live"), seen.one("iospan_cgroups", state="removed")),
              (2, len(paths)), "live and gone after")
    expect_eq(seen.sum("iospan_accesses_total", cgroup="/private/below", op="read"), 1,
              "its read is still shown")


# The exporter gives each cgroup a number, which selects its counters. After the removal of /old,
# the new cgroup /new gets the number of /old, and its counters must start at zero. --max-groups
# limits the numbers. The reads of a cgroup without a number must be in iospan_other_accesses_total.
@test()
def a_removed_group_drops_those_below_without_a_row():
    needs_exporter()
    groups, reads, row = Groups(), 0, []
    with kernel.undone(groups.remove), open(__file__, "rb") as file:
        groups.make("/old")
        groups.make("/old/below")
        with Exporter("--layers=vfs", "--max-groups=2", *groups.options) as exporter:
            for _ in range(5):
                groups.call("/old/below", os.pread, file.fileno(), 1, 0)
            before = exporter.scrape()
            kernel.remove_groups([groups.top + "/old/below", groups.top + "/old"])
            groups.make("/new")
            while not row:  # until the exporter gives /new the number of the removed cgroup
                groups.call("/new", os.pread, file.fileno(), 1, 0)
                reads += 1
                seen = exporter.scrape()
                row = seen.all("iospan_accesses_total", cgroup="/new", op="read")
                time.sleep(0.1)
    expect_eq(sum(n for _, n in row), 1, "/new: reads")
    expect_eq(part(seen, cgroup="/", op="read")[0], 5 + reads, "/: reads")
    expect_eq((before.one("iospan_cgroups", state="other"), before.one("iospan_cgroups", state="live")), (1, 2),
              "cgroups without series and with series")
    expect_eq([s.one("iospan_other_accesses_total", layer="vfs") for s in (before, seen)], [5, 5 + reads - 1],
              "reads of cgroups without series")
    expect_eq((seen.one("iospan_other_bytes_total", layer="vfs"), exporter.err.count(OTHERS_NOTE)),
              (5 + reads - 1, 1), "their bytes, and warnings")


@test()
def runs_of_programs_equal_those_of_bpftool():
    needs_exporter("fio", "bpftool")
    with kernel.loop_disk(SIZE) as disk:
        with Exporter("--bpf-stats") as exporter:
            ids = kernel.bpf_ids(exporter.child.pid, "prog")
            subprocess.run(one_by_one(disk, "randread", 997, 4096), check=True, capture_output=True)
            before, seen, after = run_times(ids), exporter.scrape(), run_times(ids)
        with Exporter() as exporter:
            other = exporter.scrape()
    scraped = {}
    for i, (metric, unit) in enumerate((("runs", 1), ("run_seconds", 1e9))):
        for labels, value in seen.all(f"iospan_bpf_{metric}_total"):
            sums = scraped.setdefault(labels["program"][:15], [0, 0])
            sums[i] += round(value * unit)
    expect_eq(set(scraped), set(before), "programs")
    for name, (runs, ns) in scraped.items():
        expect_true(before[name][0] <= runs <= after[name][0],
                    f"{name}: {runs} runs, from {before[name]} to {after[name]}")
        expect_true(before[name][1] <= ns <= after[name][1],
                    f"{name}: {ns} ns, from {before[name]} to {after[name]}")
    expect_ge(scraped["on_issue"][0], 997, "runs at the issue of a request")
    expect_eq(other.all("iospan_bpf_runs_total"), [], "runs without --bpf-stats")


NAMES = ['"quoted"', "back\\slash", "\\n", "\\", "é世界😀", "x" * 255, "tab\t", "cr\r",
         '{a="b"}',
         "# EOF", " ", "a,b=\"c\"", "\u2028", "\x01\x7f", b"\xff", b"\xfe", b"\xed\xa0\x80"]


@test()
def names_of_any_bytes():
    needs_exporter("dd")
    groups = Groups()
    top = os.fsencode(groups.top)
    names = [name if isinstance(name, bytes) else name.encode() for name in NAMES]
    with kernel.undone(groups.remove), kernel.loop_disk(SIZE) as disk:
        try:
            os.mkdir(top + b"/new\nline")
            names.append(b"new\nline")
        except OSError:
            diagnostic("the kernel takes no newline in a name")
        with Exporter(*groups.options) as exporter:
            for name in names:
                path = os.path.join(top, name)
                os.makedirs(path, exist_ok=True)
                groups.start(f"/{os.fsdecode(name)}",
                             ["dd", f"if={disk}", "of=/dev/null", "bs=4096", "count=1",
                              "iflag=direct", "status=none"]).communicate()
            seen = exporter.scrape()
            _, _, classic = exporter.get(Accept="text/plain")
            Scrape(classic, classic=True)
    found = sorted(labels["cgroup"] for labels, _ in seen.all("iospan_cgroup_accesses_total")
                   if labels["cgroup"] != "/")
    # In the output, each byte that is not part of a UTF-8 character becomes U+FFFD.
    wanted = sorted("/" + re.sub("[\udc80-\udcff]", "\ufffd", os.fsdecode(name))
                    for name in names)
    expect_eq(found, wanted, "groups")


main()
