#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests iospan bench replay: which accesses it issues and in which order, and what it refuses."""
import csv
import json
import os
import random
import signal
import subprocess
import time
from collections import Counter
from dataclasses import replace

from lib import accesses, kernel
from lib.accesses import Access
from lib.foreign import write
from lib.ktap import *
from lib.measure import needs_run

SIZE = 64 << 20
FIO = ("fio", "--output=/dev/null", "--name=job", "--rw=randrw", "--bsrange=4k-64k", "--size=48m",
       "--io_size=6m", "--direct=1", "--ioengine=io_uring", "--iodepth=4", "--numjobs=2",
       "--thinktime=200", "--thinktime_blocks=10")


def iospan(*words):
    done = subprocess.run([IOSPAN, *map(str, words)], capture_output=True, text=True, check=False,
                          cwd=scratch_dir(), stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def replay(*words):
    status, out, err = iospan("bench", "replay", *words, "--json")
    return status, json.loads(out) if out else None, err


def record(name, *command):
    """Runs iospan record. Returns the pid of the recorded command. The shell writes its own pid to
    a file, and then becomes the command by exec."""
    path = os.path.join(scratch_dir(), name)
    status, _, err = iospan("record", "--force", "-o", path, "-l", "device", "--", "sh", "-c",
                            'echo $$ >pid; exec "$@"', "sh", *command)
    expect_eq(status, 0, err)
    return kernel.read(scratch_dir(), "pid")


def recorded(name, disk, without=None):
    """Returns the reads and writes of @disk in the trace @name, except those of process @without.
    Returns None if the trace lacks a time or an offset."""
    status, out, err = iospan("export", "--format=csv", os.path.join(scratch_dir(), name))
    expect_eq((status, err), (0, ""))
    rows = [row for row in csv.DictReader(out.splitlines())
            if row["device"] == os.path.basename(disk) and row["pid"] != without and
            row["op"] in ("read", "write")]
    lost = any(row["untimed"] == "1" or not row["offset_bytes"] for row in rows)
    return None if lost else rows


def what(rows):
    return Counter((row["op"], row["offset_bytes"], row["bytes"]) for row in rows)


def with_times(rows):
    return [(what([row]).popitem()[0], int(row["start_ns"]), int(row["end_ns"])) for row in rows]


def until_complete(name, disk, command, without_itself=False):
    """Records the command again and again, until a trace has all accesses of the disk. On a busy
    machine, a trace may lack some, because the kernel skips runs of the BPF programs."""
    for _ in range(20):
        pid = record(name, *command)
        rows = recorded(name, disk, pid if without_itself else None)
        if rows is not None:
            return rows
    needs(False, "no recording without losses")
    return None


def expect_order(before, after, exact):
    """Checks that no access starts too early in the replay. If n accesses of all processes ended
    before it in the recording, n accesses must end before it in the replay; with @exact, the same n
    accesses. All accesses must be different."""
    times = {key: (start, end) for key, start, end in after}
    ends = sorted(end for _, end in times.values())
    for key, start, _ in before:
        needed = [times[other][1] for other, _, end in before if end <= start]
        last = max(needed, default=0) if exact else ends[len(needed) - 1] if needed else 0
        if last > times[key][0]:
            return fail(f"{key} started before the accesses ended that it depends on")
    return True


# The replay on another disk must have the same accesses. Their order may differ only where accesses
# overlapped in the recording.
@test()
def a_job_of_fio_on_another_disk():
    needs_run()
    with kernel.loop_disk(SIZE) as one, kernel.loop_disk(SIZE) as other:
        for disk in one, other:
            kernel.forbid_merges(disk)
        first = until_complete("job", one, [*FIO, f"--filename={one}"])
        for options in (), ("--no-think",), ("--exact-order",):
            # --device selects the replayed disk, because the command may also have read its program
            # from another disk.
            command = (IOSPAN, "bench", "replay", "job", other, "--destroy", "-q", "--device",
                       os.path.basename(one), *options)
            second = until_complete("again", other, command, without_itself=True)
            expect_ge(len(first), 100, "accesses")
            expect_eq((what(first) - what(second), what(second) - what(first)),
                      (Counter(), Counter()), "accesses only in one trace")
            if expect_eq(max(what(first).values()), 1, "equal accesses"):
                expect_order(with_times(first), with_times(second), "--exact-order" in options)


def job(n=40, **other):
    """Returns accesses of two processes at the vfs layer, each with two in flight."""
    return [Access(**{**dict(layer=1, op=i % 2, start=i * 1000, end=i * 1000 + 1500, process=f"p={1 + i % 4 // 2}",
                             file=f"/srv/{i % 3}=1{i % 3}", offset=i * 4096), **other})
            for i in range(1, n + 1)]


def target(size, name="target"):
    path = os.path.join(scratch_dir(), name)
    with open(path, "wb") as f:
        f.truncate(size)
    return path


# Each recorded file gets a region of the target. The result must have all layers of the recording.
@test()
def files_have_regions():
    trace, path = accesses.write("trace", job()), target(4 << 20)
    status, found, err = replay(trace, path, "--destroy")
    expect_eq(status, 0, err)
    about, app = found["replay"], found["layers"]["app"]
    expect_eq((about["layer"], about["transfer_count"], about["process_count"], about["depth"]),
              ("vfs", 40, 2, 2))
    expect_eq([(r["name"], r["offset_bytes"], r["size_bytes"]) for r in about["regions"]],
              [("/srv/1", 0, 41 << 12), ("/srv/2", 1 << 20, 39 << 12), ("/srv/0", 2 << 20, 40 << 12)])
    expect_eq(about["target_bytes"], (2 << 20) + (40 << 12), "size of the target")
    expect_eq((app["recorded"], app["replayed"]["accesses"], app["replayed"]["bytes"]),
              (None, 40, 40 << 12))
    row = found["layers"]["vfs"]["recorded"]
    expect_eq((row["accesses"], row["bytes"], row["span_ns"]), (40, 40 << 12, 40500))


# bench replay uses the page cache for accesses of the layers app and vfs, unless --direct is given.
# For the device layer, it always uses direct I/O.
@test()
def the_page_cache():
    path = target(4 << 20)
    for layer, options, buffered in (1, (), True), (1, ["--direct"], False), (2, (), False):
        trace = accesses.write(f"trace{layer}{buffered}", job(4, op=0, layer=layer))
        status, found, err = replay(trace, path, *options)
        expect_eq((status, found and found["replay"]["buffered"]), (0, buffered), err)
    status, _, err = replay(trace, path, "--direct")
    expect_eq((status, "'--direct' has no effect with '--layers device'" in err), (2, True), err)
    odd = accesses.write("odd", job(4, op=0, bytes=4095))
    expect_refused(odd, path, "but the trace has multiples of 1 bytes only", "--direct")


# The page cache has the whole target, so a buffered replay reads nothing from the disk. Then a note
# must name --direct, if the recording read from a disk.
@test()
def a_replay_from_the_page_cache_has_a_note():
    needs_run()
    path = target(4 << 20)
    with open(path, "wb") as f:
        f.write(bytes(4 << 20))
    at_disk = job(10, op=0, layer=2, file="-", disk=accesses.VDA)
    for below, options, expected in (at_disk, (), True), (at_disk, ["--direct"], False), ([], (), False):
        made = sorted(job(10, op=0) + below, key=lambda a: a.end)
        trace = accesses.write(f"trace{len(made)}{expected}", made)
        status, found, err = replay(trace, path, "--layers=vfs", *options)
        expect_eq(status, 0, err)
        expect_eq(any("and 40.0 KiB in the recording; --direct bypasses" in note
                      for note in found["notes"]), expected, f"notes {found['notes']}")


# iospan must count the accesses that it cannot replay, and replay all others.
@test()
def accesses_that_are_left_out():
    made = job(4, op=0) + [Access(1, 0, 9000, 9100, 0, file="/srv/x=1"),
                           Access(1, 0, 9200, 9300, file="/srv/x=1", offset=(1 << 64) - 1),
                           Access(1, 0, 9400, 9500, 2 << 30, file="/srv/x=1"),
                           Access(1, 0, 9600, 9700, file="/srv/x=1", flags=accesses.UNTIMED),
                           Access(1, 5, 9800, 9900, 0, file="/srv/x=1")]
    status, found, err = replay(accesses.write("trace", made), target(4 << 20))
    expect_eq(status, 0, err)
    about = found["replay"]
    expect_eq((about["transfer_count"], about["sync_count"], about["left_out_count"]), (4, 1, 4))
    expect_eq(len([n for n in found["notes"] if "left out: " in n]), 4, f"notes {found['notes']}")
    expect_true(found["conclusion"].startswith("replayed 4 of 8 reads and writes of layer vfs: "), found["conclusion"])
    was, now = (found["layers"]["vfs"][run] for run in ("recorded", "replayed"))
    expect_eq(was["wait_span_ns"], was["span_ns"] + 100)
    expect_eq("; with 1 sync: W " in found["conclusion"], now is not None, found["conclusion"])
    expect_true(now is None or now["wait_span_ns"] > now["span_ns"], "W includes the sync")


# On a coarse clock, accesses have length 0, or start at the time at which another access ends. The
# replay must not make an access wait for itself, or two accesses wait for each other.
@test()
def accesses_on_a_coarse_clock():
    path = target(4 << 20)
    for name, times, depth in (("at_once", [(5000, 5000)] * 5, 5),
                               ("chain", [(i * 1000, i * 1000 + 1000) for i in range(1, 9)], 1),
                               ("mixed", [(1000, 2000), (2000, 2000), (2000, 3000), (2000, 2000)], 3)):
        made = [Access(1, 0, start, end, process="p=1", file="/srv/x=1") for start, end in times]
        status, found, err = replay(accesses.write(name, made), path)
        expect_eq(status, 0, err)
        expect_eq((found["replay"]["depth"], found["layers"]["app"]["replayed"]["accesses"]),
                  (depth, len(times)), name)


# bench replay leaves out accesses of stacked disks, because the disk below has the same accesses.
# If the trace has only stacked disks, it replays them.
@test()
def accesses_of_stacked_disks():
    plain, stacked = job(6, layer=2, file="-", disk=accesses.VDA), job(5, layer=2, file="-", disk=accesses.DM)
    for made, expected in (plain + stacked, ["vda"]), (stacked, ["dm-0*"]):
        trace = accesses.write(expected[0], sorted(made, key=lambda a: a.end))
        status, found, err = replay(trace, target(4 << 20), "--destroy")
        expect_eq(status, 0, err)
        expect_eq([r["name"] for r in found["replay"]["regions"]], expected)
        expect_eq(found["replay"]["transfer_count"], 6 if "vda" in expected else 5)
        expect_eq(any("5 accesses of stacked disks" in note for note in found["notes"]),
                  "vda" in expected, f"note in {found['notes']}")


def expect_refused(trace, path, text, *options, status=1):
    seen, out, err = iospan("bench", "replay", trace, path, *options)
    expect_eq((seen, out), (status, ""), f"status, output; {err}")
    expect_true(text in err, f"'{text}' in '{err}'")


@test()
def what_is_refused():
    trace, path = accesses.write("trace", job()), target(4 << 20)
    expect_refused(trace, path, "which would overwrite")
    small = target(1 << 20, "small")
    make = f"make a file of this size, such as a sparse file by 'truncate -s {(2 << 20) + (40 << 12)} FILE'"
    expect_refused(trace, small, f"has only 1.00 MiB, but the accesses of layer vfs need 2.16 MiB: {make}",
                   "--destroy")
    expect_refused(trace, path + "-", f"does not exist, but the accesses of layer vfs need 2.16 MiB: {make}")
    both = [Access(layer, 0, 1, 9, file=file, disk=disk, offset=1 << 40)
            for layer, file, disk in ((0, "/srv/x=1", "-"), (2, "-", accesses.VDA))]
    expect_refused(accesses.write("both", both), path, "use --layers app, or make a file")
    both += [replace(both[0], layer=1)]
    expect_refused(accesses.write("all", both), path, "use --layers vfs, or make a file")
    expect_refused(trace, scratch_dir(), "is neither a file nor a block device", "--destroy")
    expect_refused(trace, path, "use --layers vfs", "--layers", "device")
    expect_refused(trace, path, "unknown value of --layers 'disk'", "--layers", "disk", status=2)
    expect_refused(trace, path, "--layers takes one layer", "--layers", "vfs,device", status=2)
    expect_refused(path, path, "is no trace of iospan", "--destroy")
    expect_refused(trace, path, "a trace and a target are needed", path, status=2)
    unplaced = accesses.write("unplaced", job(offset=(1 << 64) - 1))
    expect_refused(unplaced, path, "has no offsets", "--destroy")
    expect_refused(accesses.write("empty", []), path, "has no reads or writes", "--destroy")


# 3000 accesses of 1 GiB, all in flight at once, would need buffers of 3 TB.
@test()
def buffers_that_are_too_large():
    made = [Access(1, 0, i, 10000 + i, 1 << 30, process="p=1", file="/srv/x=1") for i in range(3000)]
    expect_refused(accesses.write("trace", made), target(2 << 30), "the buffers need 2.93 TiB of memory")


@test()
def a_mounted_device_is_not_written():
    needs_run()
    trace = accesses.write("trace", job())
    with kernel.loop_disk(SIZE) as disk:
        subprocess.run(["mkfs.ext4", "-q", disk], check=True)
        expect_refused(trace, disk, "give --destroy; its data will be lost")
        expect_refused(trace, disk, "--signature", "--destroy")
        os.mkdir(os.path.join(scratch_dir(), "at"))
        kernel.mount("ext4", os.path.join(scratch_dir(), "at"), disk)
        expect_refused(trace, disk, "is mounted", "--destroy", "--signature=ext4")


# The last access is due after an hour, so only the signal ends the replay.
@test()
def a_signal_leaves_a_result():
    late = Access(1, 0, 3600 * 10 ** 9, 3601 * 10 ** 9, process="p=1", file="/srv/1=11")
    trace, path = accesses.write("trace", job(op=0) + [late]), target(4 << 20)
    for delay in 1, 2, 4, 8, 16, 32:  # on a busy machine, the start may take long
        with subprocess.Popen([IOSPAN, "bench", "replay", trace, path, "--json"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            time.sleep(delay)
            child.send_signal(signal.SIGTERM)
            out, err = child.communicate()
        if out:
            break
        expect_true("interrupted before anything was measured" in err, err)
    found = json.loads(out)
    expect_eq((child.returncode, found["complete"]), (0, False), err)
    text = found["conclusion"]
    expect_true(text.startswith("incomplete: ") and text.endswith(" for all") and "ratio" not in text, text)


def mixed(n, processes, sectors):
    """Returns accesses of several processes to few sectors of one file, so that many overlap."""
    rng = random.Random(7)
    return sorted((Access(layer=1, op=rng.choice((0, 1, 1)), start=(start := i * 10_000),
                          end=start + rng.randrange(1000, 80_000), bytes=rng.randrange(1, 9) * 512,
                          process=f"p={1 + i % processes}", file="/srv/x=1", offset=rng.randrange(sectors) * 512)
                   for i in range(1, n + 1)), key=lambda a: a.end)


# With --verify, several processes write the same sectors at the same time. No order is known for
# these writes, so they must not be reported as differences.
@test()
def overlapping_writes_are_no_differences():
    for processes, options in (1, ()), (3, ()), (4, ("--direct",)):
        trace = accesses.write(f"mixed{processes}", mixed(3000, processes, 64))
        status, found, err = replay(trace, target(1 << 20), "--destroy", "--verify", "--no-think", *options)
        expect_eq(status, 0, err)
        seen = found["verify"]
        diagnostic(f"{processes} processes: {seen}")
        expect_eq((seen["differences"], seen["complete"]), (0, True))
        expect_ge(seen["checked_bytes"], 1000, "bytes checked by reads")
        expect_ge(seen["read_back_bytes"], 1, "bytes read back")
    expect_ge(seen["unchecked_bytes"], 1, "bytes that are not known because of overlapping writes")
    odd = accesses.write("unaligned", job(4, bytes=4095))
    expect_refused(odd, target(4 << 20), "multiples of 512 bytes", "--destroy", "--verify")
    expect_refused(trace, target(1 << 20), "has no effect without '--destroy'", "--verify", status=2)


def change_during(child, path, at):
    """Changes a sector until the replay @child ends. Returns how late (s) the first change may be."""
    late, looked = None, time.monotonic()
    while child.poll() is None:
        # iospan refuses a file that another process has open, so this waits for the fill.
        if os.stat(path).st_blocks * 512 >= 64 << 10:
            with open(path, "r+b", 0) as f:
                os.pwrite(f.fileno(), b"changed!" * 64, at)
            late = late or time.monotonic() - looked
        looked = time.monotonic()
        time.sleep(0.01)
    return late


def changed_during_the_replay(last):
    """Replays writes, and a read at offset @last after 5 s. Another process changes a sector at 40
    KiB, which no access writes. If a pause makes the change late, starts again. Returns the
    difference that iospan finds."""
    at, made = 40 << 10, [
        Access(1, op, s * 10**9, s * 10**9 + 1000, process="p=1", file="/srv/x=1", offset=offset)
        for op, s, offset in (*((1, i, i * 4096) for i in range(1, 5)), (0, 5, last), (0, 5, 60 << 10))]
    for _ in range(5):
        path = target(1 << 20)
        with subprocess.Popen([IOSPAN, "bench", "replay", accesses.write(f"slow{last}", made), path,
                               "--destroy", "--verify", "--json"], stdout=subprocess.PIPE) as child:
            late, found = change_during(child, path, at), json.load(child.stdout)
        if late and late < 1:
            break
    expect_eq(child.returncode, 1, f"status; {late} s until the change")
    seen = found["verify"]
    expect_eq((seen["differences"], seen["corrupt"]), (1, 1), f"{seen}")
    expect_true("; 1 difference found" in found["conclusion"], found["conclusion"])
    first = seen["first_differences"][0]
    expect_eq((first["expected"]["offset_bytes"], first["bytes"]), (at, 512))
    return first


# Another process changes data during the replay. If the replay reads this data later, the read must
# find the change. Otherwise, the check at the end must find it.
@test()
def verify_finds_changed_data():
    expect_eq(changed_during_the_replay(60 << 10)["at_end"], True, "found by the final check")
    expect_eq(changed_during_the_replay(40 << 10)["at_end"], False, "found by the read")


# If the recording lost accesses, the replay must report their number.
@test()
def losses_of_the_recording():
    sums = write("sums", '{"losses": {"completions": 7}}')
    trace = accesses.write("trace", job(op=0), "-s", sums)
    status, found, err = replay(trace, target(4 << 20))
    expect_eq((status, found and found["replay"]["recorded_loss_count"]), (0, 7), err)
    expect_true("7 device completions never seen" in err, err)
    status, found, err = replay(trace, target(4 << 20), "--quiet")
    expect_eq((status, found["replay"]["recorded_loss_count"], err), (0, 7, ""), "with --quiet")
    with open(trace, "r+b") as f:
        f.truncate(os.path.getsize(trace) - 8)
    status, found, err = replay(trace, target(4 << 20))
    expect_eq((status, "is damaged or cut off, so accesses are missing" in err), (0, True), err)
    expect_true(any("the trace is damaged or cut off" in note for note in found["notes"]), found["notes"])
    with open(trace, "r+b") as f:
        f.truncate(100)
    expect_refused(trace, target(4 << 20), "is damaged or cut off, so accesses are missing")


main()
