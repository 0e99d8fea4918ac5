#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests iospan predict --job. The results of disks come from formulas, and the traces of jobs from
lists of accesses, so the expected values are known."""
import csv
import io
import json
import os
import subprocess
from fnmatch import fnmatchcase as fnmatch
from math import exp, hypot, log

from lib import character, scales
from lib.accesses import *
from lib.ktap import *

MB = scales.MB
SLOW = scales.product(50e6, {"unique_bytes": -0.1, "size_bytes": 0.4, "process_count": 0.2},
                      {"read_fraction": 0.5, "sequential_fraction": 0.3})
FAST = scales.product(300e6, {"unique_bytes": -0.2, "size_bytes": 0.3, "process_count": 0.5},
                      {"read_fraction": 0.1, "sequential_fraction": 0.2})
FOCAL = {"unique_bytes": 128 * MB, "size_bytes": 65536, "read_fraction": 0.5,
         "sequential_fraction": 0.5, "process_count": 4}
SECOND = 10 ** 9


def disk(name, system, direct=True, stacked=None, **how):
    doc = scales.result(system, [(4 * MB, FOCAL, 4096 * MB)], half_width=0.02, **how)
    return scales.write(os.path.join(scratch_dir(), name), {**doc, "direct": direct, "stacked_disk": stacked})


def iospan(*args):
    return subprocess.run([IOSPAN, "predict", *map(str, args)], capture_output=True, text=True,
                          check=False, stdin=subprocess.DEVNULL)


def expect_match(text, pattern):
    expect_true(fnmatch(text, pattern), f"{text!r} is like {pattern!r}")


def predicted(*args):
    run = iospan("--json", *args)
    assert_eq(run.returncode, 0, run.stderr)
    return json.loads(run.stdout)


def random_reads(start, n=512):
    """Reads of 64 KiB of one process, each in flight for 700 us."""
    return [Access(2, 0, start + i * 1000000, start + i * 1000000 + 700000, 65536, disk=VDA,
                   process="a=1", offset=(i * 7919 % n) * 2 * 65536) for i in range(n)]


def sequential_writes(start, n=512):
    """Writes of 256 KiB by two processes. Each write is in flight for 900 us, and one process
    starts 450 us after the other. So two writes are in flight at a time."""
    return [Access(2, 1, start + i * 450000, start + i * 450000 + 900000, 262144, disk=VDA,
                   process=f"b={2 + i % 2}", offset=(1 + i % 2) * 1000 * MB + i // 2 * 262144)
            for i in range(n)]


def calls(accesses):
    """Returns calls at the vfs layer: one for each access, which starts 50 us earlier and ends with
    the access."""
    return [replace(a, layer=1, start=a.start - 50000, disk="-", file="/f=1") for a in accesses]


def workload(accesses):
    """Returns the parameters of the workload. The accesses must overlap completely or not at
    all."""
    ends, sequential, n = {}, 0, len(accesses)
    for a in accesses:
        sequential += ends.get(a.process) == a.offset
        ends[a.process] = a.offset + a.bytes
    runs = [run for name in {a.process for a in accesses} for run in
            character.runs_of([a for a in accesses if a.process == name], SECOND)]
    together = character.union([Access(0, 0, *run) for run in runs])
    return {"unique_bytes": sum(dict(((a.offset, a.bytes) for a in accesses)).values()),
            "size_bytes": sum(a.bytes for a in accesses) / n,
            "read_fraction": sum(a.op == 0 for a in accesses) / n,
            "sequential_fraction": sequential / n,
            "process_count": sum(end - start for start, end in runs) / together}


def span_ns(accesses, system):
    """Returns T (the time with I/O in flight) of the accesses on a disk, from the definition of
    BPS: blocks of 512 bytes per second of T. In the results of lib/scales.py, BPS of the device
    layer is the bandwidth divided by 256."""
    return SECOND * sum(a.bytes for a in accesses) / 512 / (system(workload(accesses)) / 256)


READS, WRITES = random_reads(SECOND), sequential_writes(2 * SECOND)


@test()
def each_behaviour_is_predicted():
    """A behaviour is a group of similar accesses of a job. Here, the job makes random reads,
    then writes, and then random reads again. So the first behaviour, the reads, has two periods
    of time."""
    again = [replace(a, offset=a.offset + 512 * MB) for a in random_reads(3 * SECOND)]
    trace = write("job", READS + WRITES + again)
    doc = predicted(disk("slow", SLOW), "--job", trace)
    parts = doc["disks"][0]["behaviours"]
    expect_eq([(p["accesses"], p["stretch_count"]) for p in parts], [(1024, 2), (512, 1)])
    for part, accesses in zip(parts, (READS + again, WRITES)):
        for key, value in workload(accesses).items():
            expect_near(part["workload"][key], value, 1e-9 * value, key)
        expect_near(part["recorded_span_ns"], character.union(accesses), 1, "recorded T")
        expect_near(part["span_ns"]["value"] / span_ns(accesses, SLOW), 1, 1e-3, "T")
        expect_true(part["span_ns"]["low"] < span_ns(accesses, SLOW) < part["span_ns"]["high"], "band")
        expect_eq((part["outside"], part["at_border"]), ([], False))
    for key in "value", "low", "high":
        expect_near(doc["disks"][0]["predicted"]["span_ns"][key],
                    sum(p["span_ns"][key] for p in parts), 1, key)


@test()
def waits_and_rates_follow():
    accesses = READS + WRITES
    trace = write("job", calls(accesses) + accesses)
    doc = predicted(disk("slow", SLOW), "--job", trace)
    totals, recorded = doc["disks"][0]["predicted"], doc["job"]["recorded"]
    t, w = character.union(accesses), character.union(calls(accesses))
    expected = span_ns(READS, SLOW) + span_ns(WRITES, SLOW)
    expect_eq((recorded["span_ns"]["value"], recorded["wait_ns"]["value"]), (t, w))
    # T is the time in which the device layer has I/O in flight. Each access is part of a call, so
    # the program waits during all of T. If T becomes longer, its wait time W grows by the same
    # amount.
    expect_near(totals["wait_ns"]["value"] / (w - t + expected), 1, 1e-3, "W")
    elapsed = recorded["elapsed_ns"]["value"] - t + expected
    expect_near(totals["elapsed_ns"]["value"] / elapsed, 1, 1e-3, "elapsed")
    size = sum(a.bytes for a in accesses)
    expect_near(totals["bps"]["value"] / (SECOND * size / 512 / expected), 1, 1e-3, "BPS")
    expect_near(totals["bytes_per_second"]["value"] / (SECOND * size / elapsed), 1, 1e-3, "bandwidth")


@test()
def background_accesses_cost_the_program_nothing():
    trace = write("job", calls(READS) + READS + WRITES)
    doc = predicted(disk("slow", SLOW), "--job", trace)
    t, part = character.union(READS + WRITES), character.union(READS)
    change = span_ns(READS, SLOW) + span_ns(WRITES, SLOW) - t
    expect_near(doc["disks"][0]["predicted"]["wait_ns"]["value"] /
                (character.union(calls(READS)) + change * part / t), 1, 1e-3, "W")


@test()
def the_disk_of_the_recording_is_known():
    """A behaviour is a group of similar accesses of the job. This job has two: reads and writes. T
    is the time with I/O in flight. To predict T of a behaviour, iospan multiplies the recorded T by
    a ratio: T computed for the new disk, divided by T computed for the recorded disk."""
    trace, slow, fast = write("job", READS + WRITES), disk("slow", SLOW), disk("fast", FAST)
    plain = predicted(fast, slow, "--job", trace)
    doc = predicted(fast, "--job", trace, "--recorded-on", slow)
    expect_eq(doc["job"]["recorded_on"], slow)
    off = [log(d["behaviours"][0]["span_ns"]["high"] / d["behaviours"][0]["span_ns"]["value"])
           for d in plain["disks"]]
    for part, accesses in zip(doc["disks"][0]["behaviours"], (READS, WRITES)):
        ratio = span_ns(accesses, FAST) / span_ns(accesses, SLOW)
        expect_near(part["span_ns"]["value"] / (character.union(accesses) * ratio), 1, 2e-3, "T")
    part = doc["disks"][0]["behaviours"][0]["span_ns"]
    expect_near(part["high"] / part["value"], exp(hypot(*off)), 1e-3, "band")


@test()
def several_disks_are_compared():
    trace, slow, fast = write("job", READS + WRITES), disk("slow", SLOW), disk("fast", FAST)
    doc = predicted(slow, fast, "--job", trace)
    times = [d["predicted"]["span_ns"]["value"] for d in doc["disks"]]
    expect_eq([d["result"] for d in doc["disks"]], [slow, fast])
    expect_match(doc["conclusion"], f"'{fast}' is predicted to be the fastest: T on '{slow}', the "
                 f"next one, is {times[0] / times[1]:.2f} times as long; the expected ranges do not overlap")
    rows = list(csv.DictReader(io.StringIO(iospan(slow, fast, "--job", trace, "--csv").stdout)))
    expect_eq([float(r["predicted.span_ns.value"]) for r in rows], times)
    expect_match(iospan(slow, fast, "--job", trace).stdout, "*recorded*slow*fast*behaviours*")


@test()
def a_job_outside_of_the_measured_region():
    """If the job lies outside the measured region, the range of the predicted T (time with I/O in
    flight) must be unknown."""
    trace = write("job", [replace(a, bytes=2 * MB, offset=32 * a.offset) for a in READS * 2])
    slow = disk("slow", SLOW)
    doc = predicted(slow, "--job", trace)
    expect_eq(doc["disks"][0]["behaviours"][0]["outside"], ["size", "depth"])
    expect_match(iospan(slow, "--job", trace).stdout, "*  size, depth\n*note: the error is unknown*'outside'*")
    expect_eq(doc["disks"][0]["predicted"]["span_ns"]["low"], None)
    expect_match(doc["conclusion"], "*with an unknown error*")


@test()
def the_disk_of_the_recording_itself():
    """The job was recorded on the disk for which iospan predicts. So the predicted T (the time with
    I/O in flight) must be the recorded T. The reads and the writes of the job overlap."""
    writes = [Access(2, 1, SECOND + i * 10 ** 6, SECOND + i * 10 ** 6 + 3 * 10 ** 8, 262144, disk=VDA,
                     process="b=2", offset=1000 * MB + i * 262144) for i in range(256)]
    slow = disk("slow", SLOW)
    doc = predicted(slow, "--job", write("job", READS + writes), "--recorded-on", slow)
    expect_near(doc["disks"][0]["span_ratio"], 1, 1e-9, "ratio")


@test()
def flushes_are_no_part_of_the_change():
    flush = Access(2, 2, 5 * SECOND, 6 * SECOND, 0, disk=VDA, process="a=1")
    sync = Access(1, 5, 5 * SECOND, 6 * SECOND, 0, process="a=1", file="/f=1")
    doc = predicted(disk("slow", SLOW), "--job", write("job", calls(READS) + READS + [flush, sync]))
    change = span_ns(READS, SLOW) - character.union(READS)
    for key, value in (("wait_ns", character.union(calls(READS)) + SECOND),
                       ("elapsed_ns", doc["job"]["recorded"]["elapsed_ns"]["value"])):
        expect_near(doc["disks"][0]["predicted"][key]["value"] / (value + change), 1, 1e-3, key)
    part = 100 * SECOND / (character.union(calls(READS)) + SECOND)
    expect_match(doc["notes"][0], f"{part:.0f} % of W, 1.00 s, are syncs without * of layer device in flight; *")
    doc = predicted(disk("slow", SLOW), "--layers", "vfs", "--job", write("calls", calls(READS) + [sync]))
    expect_match(doc["notes"][0], f"{part:.0f} % of W, 1.00 s, are syncs without * of layer vfs in flight; *")


@test()
def waits_that_are_unknown():
    slow = disk("slow", SLOW)
    app = [replace(a, layer=0, end=a.end + 10 ** 8) for a in calls(READS)]
    for layer, accesses in (("app", app + calls(READS)), ("device", READS)):
        doc = predicted(slow, "--job", write(layer, accesses), "-l", layer)
        times = doc["disks"][0]["predicted"]
        expect_eq(times["wait_ns"]["value"], None, layer)
        more = times["span_ns"]["value"] - doc["job"]["recorded"]["span_ns"]["value"]
        expect_near(times["elapsed_ns"]["value"],
                    doc["job"]["recorded"]["elapsed_ns"]["value"] + more, 1, layer)
        expect_true(any("W is unknown" in note for note in doc["notes"]), doc["notes"])


def without_device(path):
    """Returns the result with the metrics of the vfs layer instead of those of the device layer."""
    without = scales.read(path)
    for points in [without["sweep"], *without["regions"][0]["curves"].values()]:
        for point in points:
            point["layers"].update(vfs=point["layers"]["device"], device=None)
    return without


@test()
def a_result_of_the_page_cache():
    """In the benchmark, the page cache served the workloads of the job. If disks moved bytes for the
    job, a note must say so."""
    cached = scales.write(os.path.join(scratch_dir(), "cached"), without_device(disk("disk", SLOW, direct=False)))
    for result, made, expected in ((cached, calls(READS) + READS, True),
                                   (cached, calls(READS), False)):
        notes = predicted(result, "--job", write(f"{os.path.basename(result)}{len(made)}", made))["notes"]
        expect_eq(any("but disks moved 32.0 MiB for the job" in note for note in notes), expected, str(notes))


@test()
def one_quantity_is_used_for_all_results():
    """In the results, BPS of the device layer is twice the bandwidth in blocks of 512 bytes per
    second. So predictions from BPS and from the bandwidth differ. One result lacks BPS, so iospan
    must use the bandwidth of all results."""
    trace, slow = write("job", READS), disk("slow", SLOW)
    without = without_device(slow)
    home = scales.write(os.path.join(scratch_dir(), "home"), without)
    doc = predicted(slow, "--job", trace, "--recorded-on", home)
    expect_near(doc["disks"][0]["span_ratio"], 1, 1e-9, "ratio")
    expect_true(any(f"'{home}' has no BPS of layer device" in note for note in doc["notes"]), doc["notes"])
    for points in without["regions"][0]["curves"].values():
        points.clear()
    run = iospan(slow, scales.write(os.path.join(scratch_dir(), "none"), without), "--job", trace)
    expect_eq(run.returncode, 1, run.stdout)
    expect_match(run.stderr, "*none' predicts nothing for this job*--resume*")


@test()
def stacked_disks():
    """If the job has a stacked disk and the result does not, or the reverse, a note must say so."""
    both = sorted(READS + [replace(a, disk=DM) for a in READS], key=lambda a: a.end)
    trace, plain, stacked = write("job", both), disk("plain", SLOW), disk("stacked", SLOW, stacked="dm-0")
    for result, options, expected in ((plain, (), None), (stacked, ("-d", "dm-0"), None),
                                      (plain, ("-d", "dm-0"), "the job has a stacked disk, but '*plain' has "),
                                      (stacked, (), "the device layer of '*stacked' is that of the stacked disk dm-0, ")):
        notes = predicted(result, "--job", trace, *options)["notes"]
        expect_eq([note for note in notes if "stacked" in note and not fnmatch(note, f"{expected}*")], [], options)
        expect_eq(any(fnmatch(note, f"{expected}*") for note in notes), expected is not None, notes)


@test()
def a_depth_of_nearly_one():
    """bench scale did not vary the depth (number of requests in flight). The depth of this job is
    slightly above 1. The error of the prediction must still be known."""
    longer = [replace(READS[0], end=READS[0].end + 500000)] + READS[1:]
    doc = predicted(disk("slow", SLOW), "--job", write("job", longer))
    part = doc["disks"][0]["behaviours"][0]
    expect_true(1 < part["workload"]["depth"] < 1.1, part["workload"])
    expect_eq(part["outside"], [])
    expect_near(part["span_ns"]["value"] / span_ns(READS, SLOW), 1, 1e-3, "T")


@test()
def inputs_are_not_overwritten():
    trace, slow, fast, home = write("job", READS), disk("a", SLOW), disk("b", FAST), disk("c", SLOW)
    for path in trace, slow, fast, home:
        with open(path, "rb") as f:
            before = f.read()
        run = iospan(slow, fast, "--job", trace, "--recorded-on", home, "--html", path)
        expect_eq(run.returncode, 1, path)
        with open(path, "rb") as f:
            expect_true(f.read() == before, path)


@test()
def refusals():
    trace, slow = write("job", READS), disk("slow", SLOW)
    text = os.path.join(scratch_dir(), "log.csv")
    with open(text, "w", encoding="ascii") as f:
        f.write("server,time_s,read_bytes,reads,write_bytes,writes\na,0,1,1,0,0\na,1,2,1,0,0\n")
    lost = write("lost", [replace(a, offset=character.NOWHERE) for a in READS])
    for status, message, args in (
            (2, "*one result is wanted*", (slow, slow)),
            (2, "*at least one result is wanted*", ("--job", trace)),
            (2, "*--size has no effect, because --job takes the workloads from the trace*", (slow, "--job", trace, "--size=4k")),
            (2, "*--recorded-on*--job*", (slow, "--recorded-on", slow)),
            (2, "*--device*--job*", (slow, "-d", "vda")),
            (2, "*--layers takes one layer*", (slow, "--job", trace, "-l", "vfs,device")),
            (1, "*has no accesses of layer vfs*", (slow, "--job", trace, "-l", "vfs")),
            (1, "*is no trace*", (slow, "--job", text)),
            (1, "*is no trace*", (slow, "--job", slow)),
            (1, "*no accesses of layer device in the selected time*", (slow, "--job", trace, "--from", "1h")),
            (1, "*without a known file and offset*", (slow, "--job", lost)),
            (1, "*was measured with --direct, *was not; measure both in one way*", (slow, disk("cached", SLOW, direct=False), "--job", trace)),
            (1, "*cannot read '/missing'*", (slow, "--job", "/missing"))):
        run = iospan(*args)
        expect_eq(run.returncode, status, args)
        expect_match(run.stderr, message)


main()
