#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the histograms of `iospan run`, `stat` and `report` with the numbers of accesses and the
percentiles. If these tests fail, a histogram lacks accesses, or counts them in the wrong row (a
range of latencies)."""
import csv
import io
import json
import os
import re
import subprocess
from collections import Counter

from lib import kernel
from lib.accesses import Access, random_trace, write
from lib.cgroups import Groups
from lib.forms import Page, run
from lib.ktap import *
from lib.measure import make_file, needs_run
from lib.syncs import sync_command, write_and_sync

COUNT = 211
UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
TITLE = re.compile(r"(\S.*): (p50 .*, max .*)")
ROW = re.compile(r" +([\d.]+ \w+) +([\d.]+ \w+) +(\d+)  \|(\**) *\|")


def time_of(text):
    number, unit = text.split()
    return float(number) * UNITS[unit]


class Histogram:
    def __init__(self, percentiles):
        self.percentiles = {name: time_of(text) for name, text in
                            re.findall(r"(p\d+) ([\d.]+ \w+)", percentiles)}
        self.rows = []  # [(latency from, latency to, accesses, length of the bar in characters)]

    def accesses(self):
        return sum(row[2] for row in self.rows)


def histograms(text):
    found, last = {}, None
    for line in text.splitlines():
        if title := TITLE.fullmatch(line):
            last = found[title[1]] = Histogram(title[2])
        elif row := ROW.fullmatch(line):
            last.rows.append((time_of(row[1]), time_of(row[2]), int(row[3]), len(row[4])))
    return found


def expect_right(histogram, what):
    counts = [row[2] for row in histogram.rows]
    expect_eq(list(histogram.percentiles), ["p50", "p90", "p95", "p99"], what)
    for name, ns in histogram.percentiles.items():
        rank, below = int(name[1:]) / 100 * sum(counts), 0
        for least, most, count, _ in histogram.rows:
            below += count
            if below >= rank:
                # The text rounds to three digits, so limits and percentiles may be off by 1 %.
                expect_true(least * 0.99 <= ns <= most * 1.01, f"{what}: {name} in its row")
                break
    for _, _, count, bar in histogram.rows:
        expect_eq(bar, -(-count * 40 // max(counts)), f"{what}: a bar")


def expect_json(of, what, lost=0, torn=0):
    """Checks a histogram. @lost: number of accesses that may lack a latency, because their
    completion was lost. @torn: number of accesses that may be missing or too many, because they
    ended while iospan read the numbers."""
    buckets = of["latency_histogram"]
    expect_true(of["accesses"] - lost - torn <= timed(of) <= of["accesses"] + torn,
                f"{what}: {timed(of)} of {of['accesses']} accesses, {lost} completions lost")
    if not buckets:
        return
    ends = [b["latency_to_ns"] for b in buckets]
    expect_eq(sorted(ends), ends, f"{what}: order")
    expect_true(all(b["latency_from_ns"] < b["latency_to_ns"] for b in buckets), f"{what}: bounds")
    expect_true(buckets[-1]["latency_from_ns"] <= of["latency_max_ns"] < ends[-1], f"{what}: max")


def dd(disk):
    return ("dd", f"if={disk}", "of=/dev/null", "iflag=direct", "bs=4k", f"count={COUNT}",
            "status=none")


@test()
def of_a_command():
    needs_run()
    with kernel.loop_disk(4 << 20) as disk:
        name = f"device {os.path.basename(disk)}"
        report = os.path.join(scratch_dir(), "report")
        command = IOSPAN, "run", "--histogram", "--by=cgroup", "-o", report
        subprocess.run([*command, "--", *dd(disk)], check=True)
        seen = histograms(kernel.read(report))
        subprocess.run([*command, "--json", "--", *dd(disk)], check=True)
        document = json.loads(kernel.read(report))
    for title in "app read", "vfs read", f"{name} read", "cgroup / vfs", "cgroup / device":
        expect_true(title in seen, f"{title} in {list(seen)}")
        expect_right(seen[title], title)
    expect_eq(seen["app read"].accesses(), COUNT, "reads")
    for layer in "app", "vfs":
        for op, of in document["layers"][layer]["operations"].items():
            expect_json(of, f"{layer} {op}")
    lost = untimed(document)
    for layers in document["layers"], document["cgroups"][0]["layers"]:
        for layer, of in layers.items():
            if of:
                expect_json(of, layer, lost if layer == "device" else 0)
    [device] = (d for d in document["devices"] if d["name"] == os.path.basename(disk))
    expect_json(device["operations"]["read"], name, lost)


def is_idle(line):
    return line.startswith("no device that matches") or '"devices": []' in line


def count_histograms(lines):
    """Returns {title: number of accesses in all histograms with this title}."""
    found = Counter()
    for interval in re.split("(?m)^(?:device|cgroup) ", "".join(lines)):
        for title, histogram in histograms(interval).items():
            found[title] += histogram.accesses()
    return found


def histograms_of_intervals(lines):
    return [pair for interval in re.split("(?m)^device ", "".join(lines))
            for pair in histograms(interval).items()]


# Device accesses without a latency are in no histogram.
UNTIMED = {
    "completions": "device completions? never seen",
    "issues": "device access(?:es)? with an unseen start",
    "nested": "device completions? during another one's interrupt",
}


def untimed(document):
    return sum(document["losses"][kind] for kind in UNTIMED)


def lost_in(lines):
    return sum(map(int, re.findall(rf"(\d+) (?:{'|'.join(UNTIMED.values())})", "".join(lines))))


def count_in_text(lines):
    return sum(of.accesses() for _, of in histograms_of_intervals(lines)) + lost_in(lines)


def count_in_json(lines):
    return sum(d["accesses"] for line in lines for d in json.loads(line)["devices"])


def watched(disk, count, *form):
    """Runs dd while `iospan stat` watches the disk. Returns the lines of all intervals with reads.
    dd may pause, so there may be idle intervals between others. @count: function that returns the
    number of reads in lines."""
    child = subprocess.Popen([IOSPAN, "stat", "--histogram", "-d", os.path.basename(disk), *form,
                              "200ms"], stdout=subprocess.PIPE, text=True)
    child.stdout.readline()
    subprocess.run(dd(disk), check=True)
    lines = [child.stdout.readline()]
    while lines[-1] and not (is_idle(lines[-1]) and count(lines) >= COUNT):
        lines.append(child.stdout.readline())
    child.terminate()
    child.communicate()
    return lines


def expect_reads(histogram, lost, what):
    expect_true(COUNT - lost <= histogram <= COUNT, f"{what}: {histogram} reads, {lost} lost")


@test()
def of_intervals():
    needs_run()
    with kernel.loop_disk(4 << 20) as disk:
        name = os.path.basename(disk)
        kernel.forbid_merges(disk)
        text = watched(disk, count_in_text)
        lines = watched(disk, count_in_json, "--json")
    seen = histograms_of_intervals(text)
    for title, histogram in seen:
        expect_eq(title, name)
        expect_right(histogram, title)
    expect_reads(sum(histogram.accesses() for _, histogram in seen), lost_in(text), "text")
    intervals = list(map(json.loads, lines))
    lost = sum(map(untimed, intervals))
    devices = [d for i in intervals for d in i["devices"]]
    expect_eq(sum(d["accesses"] for d in devices), COUNT, "reads")
    expect_reads(sum(map(timed, devices)), lost, "JSON")
    # A request in flight during a whole interval has no read there.
    for device in filter(lambda d: d["accesses"], devices):
        expect_json(device["operations"]["read"], name, lost, torn=2)


@test()
def of_the_rows_of_the_table():
    needs_run()
    for by in "device", "cgroup":
        # Without reads, an interval would have no histograms. So a child reads all the time.
        child = subprocess.Popen(["sh", "-c", 'while cat "$0"; do :; done', make_file("read", 4096)],
                                 stdout=subprocess.DEVNULL)
        rows = ()
        while "(vfs)" not in rows:  # on a busy machine, the child may have no read in an interval
            text = subprocess.run([IOSPAN, "stat", "--histogram", "--top=1", "-l", "vfs,device",
                                   "--by", by, "300ms", "1"], text=True, capture_output=True,
                                  check=True).stdout
            table, *_ = text.split("\n\n")
            rows = {re.split(r"\s{2,}", line)[0] for line in table.splitlines()[1:]}
        child.terminate()
        child.wait()
        expect_eq(set(histograms(text)) - rows, set(), f"titles that are no rows of {table}")
        expect_true({"(vfs)"} <= set(histograms(text)), text)


SYNCS = 37


def rows_of(text):
    """Returns {first column: [other columns]} of the latency table in @text."""
    lines = text[text.index("  latency "):].split("\n\n")[0].splitlines()
    return {row[0]: row[1:] for row in (re.split(r"\s{2,}", line.strip()) for line in lines)}


@test()
def of_the_syncs_of_a_command():
    needs_run()
    report, page = (os.path.join(scratch_dir(), name) for name in ("report", "page"))
    subprocess.run([IOSPAN, "run", "--histogram", "--by=cgroup", "-o", report, "--html", page, "--",
                    *sync_command(os.path.join(scratch_dir(), "synced"), SYNCS)], check=True)
    text = kernel.read(report)
    seen, rows = histograms(text), rows_of(text)
    for title in "app sync", "vfs sync", "cgroup / vfs sync":
        expect_eq(seen[title].accesses(), SYNCS, title)
        expect_right(seen[title], title)
    with open(page, encoding="utf-8") as f:
        shown = {row[0]: row[1:] for row in Page(f.read()).rows if row}
    for layer in "app", "vfs":
        row = dict(zip(rows["latency"], rows[f"{layer} sync"]))
        expect_eq({name: time_of(row[name]) for name in seen[f"{layer} sync"].percentiles},
                  seen[f"{layer} sync"].percentiles, f"{layer}: row of the latency table")
        expect_eq(shown[f"{layer} sync"], list(row.values()), f"{layer}: row of the page")


@test()
def of_the_syncs_of_an_interval():
    needs_run()
    groups = Groups()
    with kernel.undone(groups.remove):
        groups.make("/a")
        child = subprocess.Popen([IOSPAN, "stat", "--histogram", "--extended", "--by=cgroup", "-l",
                                  "vfs,device", *groups.options, "200ms"], text=True,
                                 stdout=subprocess.PIPE)
        child.stdout.readline()
        groups.call("/a", write_and_sync, os.path.join(scratch_dir(), "synced"), SYNCS)
        lines, seen = [], Counter()
        while seen["/a (vfs) sync"] < SYNCS:
            lines.append(child.stdout.readline())
            if lines[-1].startswith("cgroup "):
                seen = count_histograms(lines)
        child.terminate()
        child.communicate()
    for name in "(vfs) sync", "/ (vfs) sync", "/a (vfs) sync":
        expect_eq(seen[name], SYNCS, f"syncs in the histograms of {name}")
        rows = [re.split(r"\s{2,}", line.strip()) for line in lines if line.startswith(name + "  ")]
        expect_eq(sum(int(row[1]) for row in rows), SYNCS, f"syncs in the rows {name}")


def timed(of):
    """Returns the number of accesses that have a latency."""
    return sum(bucket["accesses"] for bucket in of["latency_histogram"])


@test()
def of_a_trace():
    """The text, CSV, JSON and HTML page of a trace must have the same numbers of accesses."""
    path, page = write("histogram", random_trace(9, 3000)), os.path.join(scratch_dir(), "page")
    options = "--histogram", "--by=process", "--html", page, path
    text = histograms(run("report", *options))
    with open(page, encoding="utf-8") as f:
        rows = Page(f.read()).rows
    found = list(csv.DictReader(io.StringIO(run("report", "--csv", *options))))
    document = json.loads(run("report", "--json", *options))
    for op, of in document["layers"]["vfs"]["operations"].items():
        expect_right(text[f"vfs {op}"], op)
        expect_eq(text[f"vfs {op}"].accesses(), timed(of), f"{op}: text")
        expect_eq(sum(int(row["accesses"]) for row in found if (row["layer"], row["kind"],
                  row["op"]) == ("vfs", "layer", op)), timed(of), f"{op}: CSV")
    for process in document["processes"]:
        title = f"process {process['title']} vfs"
        if process["layers"]["vfs"] and title in text:
            expect_eq(text[title].accesses(), timed(process["layers"]["vfs"]), title)
    expect_true(any(title.startswith("process ") for title in text), list(text))
    expect_ge(sum(row[:2] == ["latency from", "to"] for row in rows), len(text), "tables of the page")


# The page has a table of all processes. Hundreds of histograms would make it unreadable, so only
# the first processes have one.
@test()
def of_the_first_processes_of_a_page():
    path = write("many", [Access(1, 0, n, n + 9, process=f"p{n}={n}") for n in range(1, 31)])
    page = os.path.join(scratch_dir(), "page")
    for options, shown in ([], 20), (["--top=2"], 2), (["--top=29"], 29), (["--top=0"], 30), (["--json"], 20), \
            (["-q"], 20):
        run("report", "--histogram", "--html", page, *options, path)
        with open(page, encoding="utf-8") as f:
            seen = Page(f.read())
        # The layer's reads have a histogram, too, so the number of histograms is 1 + shown.
        expect_eq(sum(row[:2] == ["latency from", "to"] for row in seen.rows), 1 + shown, str(options))
        processes = "processes have" if shown < 29 else "process has"
        left = f"{30 - shown} more {processes} no histogram here; see --json"
        expect_eq([line for line in seen.lines if "no histogram" in line],
                  [left] if shown < 30 and "-q" not in options else [], f"{options}: {seen.lines}")


@test()
def of_the_first_disks_of_a_trace():
    path = write("disks", [Access(2, 0, n, n + 9, disk=f"sd{n}={8 << 20 | n}") for n in range(1, 31)])
    for options, shown in ([], 20), (["--top=29"], 29), (["--top=0"], 30):
        text = run("report", "--histogram", *options, path)
        expect_eq([title for title in histograms(text) if title.startswith("device sd")],
                  [f"device sd{n} read" for n in range(1, shown + 1)], str(options))


main()
