#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the export of traces to other formats. A chunk is a block of accesses in a trace file. In
the Chrome trace, a slice is the bar of an access."""
import csv
import io
import json
import os
import random
import signal
import subprocess
from collections import defaultdict

from lib import accesses
from lib.accesses import OPS
from lib.foreign import expect_refused, iospan, new_path, rows, write
from lib.ktap import *

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
COLUMNS = ("layer,op,source,device,dev,stacked,cgroup,process,pid,file,inode,file_dev,start_ns,"
           "end_ns,bytes,offset_bytes,queued_ns,held_ns,error,part,untimed,unspanned").split(",")
NUMBERS = COLUMNS[12:18] + ["pid", "inode"]
TRUTHS = COLUMNS[18:] + ["stacked"]
NAMES = ["", "x", "a b", 'q"q', "c,c", "two\nlines", "cr\r", "'", "\\", "é", "\x01\x1b", " "]


def made_row(rng):
    """Returns a random row of the CSV that iospan export prints: {column: text}."""
    number = lambda: str(rng.choice([0, 1, 4096, rng.getrandbits(40), 2**64 - 2]))
    layer = rng.choice(["app", "vfs", "device"])
    start = rng.getrandbits(62)
    row = {"layer": layer, "start_ns": str(start), "end_ns": str(start + rng.getrandbits(60)),
           "op": rng.choice(OPS),
           "source": "" if layer == "device" else
                     rng.choice(["syscall", "io_uring", "libaio", "fault"]),
           "dev": rng.choice(["", "8:0", "254:17", "4095:1048575"]),
           "file_dev": rng.choice(["", "0:37"]), "cgroup": rng.choice(["", "/", "/a/b", "/a"]),
           "offset_bytes": rng.choice(["", number()])}
    for name in ("device", "process", "file"):
        row[name] = rng.choice(NAMES)
    for name in ("bytes", "queued_ns", "held_ns"):
        row[name] = number()
    for name in ("pid", "inode"):
        row[name] = str(rng.choice([0, 1, 4711, rng.getrandbits(63)]))
    for name in TRUTHS:
        row[name] = rng.choice("01")
    return row


def made_trace(table, name="trace", columns=COLUMNS):
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    trace = new_path(name)
    status, _, err = iospan("import", "--format=csv", "-o", trace,
                            write(name + ".csv", text.getvalue()))
    assert_eq((status, err), (0, ""), "import")
    return trace


def plain(table):
    """Makes the same changes to the table as export followed by import. A disk without name and
    number cannot be stacked. A file without name and inode has no device number."""
    for row in table:
        if not row["device"] and not row["dev"]:
            row["stacked"] = "0"
        if not row["file"] and row["inode"] == "0":
            row["file_dev"] = ""
    return table


def exported(form, *traces):
    status, out, err = iospan("export", "--format", form, *traces)
    assert_eq((status, err), (0, ""), f"export to {form}")
    return out.decode()


def some_accesses(n, processes=1, overlap=8):
    rng = random.Random(5)
    table = [{"start_ns": i * 1000, "end_ns": i * 1000 + rng.randrange(overlap * 1000),
              "bytes": 4096, "process": f"p{rng.randrange(processes)}", "layer": "vfs"}
             for i in range(n)]
    return sorted(table, key=lambda row: row["end_ns"])


SHORT = ["start_ns", "end_ns", "bytes", "process", "layer"]


@test()
def csv_is_imported_again():
    """If CSV is exported and imported again, all values and their order must be the same."""
    rng = random.Random(7)
    table = plain([made_row(rng) for _ in range(2000)])
    trace = made_trace(table)
    expect_eq(rows(trace), table)
    text = exported("csv", trace)
    again = new_path("again")
    status, _, err = iospan("import", "--format=csv", "-o", again, write("again.csv", text))
    expect_eq((status, err), (0, ""))
    expect_true(exported("csv", again) == text, "the second export equals the first")


@test()
def chrome_of_an_end_before_the_start():
    """The access of this faulty trace ends before it starts. Its event must not last for 2^64
    ns."""
    trace = accesses.write("early", [accesses.Access(1, 0, 500, 100)])
    events = json.loads(exported("chrome", trace))["traceEvents"]
    expect_eq([e["dur"] for e in events if e["ph"] == "X"], [0])


@test()
def json_lines():
    """JSON lines must have the same accesses as CSV, but their values have types: number, boolean,
    null."""
    rng = random.Random(8)
    table = plain([made_row(rng) for _ in range(500)])
    lines = exported("jsonl", made_trace(table)).splitlines()
    expect_eq(len(lines), len(table))
    for line, row in zip(lines, table):
        expected = {k: v or None for k, v in row.items()}
        expected |= {k: int(row[k]) for k in NUMBERS if row[k]}
        expected |= {k: row[k] == "1" for k in TRUTHS}
        if not row["process"] and row["pid"] != "0":
            expected["process"] = ""
        for name, number in (("device", row["dev"]), ("file", row["inode"] != "0")):
            if not row[name] and number:
                expected[name] = ""
        if not expect_eq(json.loads(line), expected):
            break


@test()
def names_that_are_not_utf8():
    """In CSV, bytes that are not UTF-8 are escaped; import restores them. JSON must stay valid."""
    path = write("x.csv", b"start_ns,end_ns,bytes,file\n1,2,3,/\xff\xfe\n")
    trace = new_path("t")
    expect_eq(iospan("import", "--format=csv", "-o", trace, path)[0], 0)
    text = exported("csv", trace)
    expect_true(",/\\xff\\xfe," in text, "escapes in CSV")
    again = new_path("again")
    expect_eq(iospan("import", "--format=csv", "-o", again, write("x.csv", text))[0], 0)
    with open(again, "rb") as f:
        expect_true(b"/\xff\xfe" in f.read(), "restored bytes")
    expect_eq(json.loads(exported("jsonl", trace))["file"], "/\ufffd\ufffd")
    expect_eq(len(json.loads(exported("chrome", trace))["traceEvents"]), 4)


@test()
def several_traces():
    one = made_trace(some_accesses(3), "one", SHORT)
    two = made_trace(some_accesses(2), "two", SHORT)
    expect_eq(len(rows(one, two)), 5)
    expect_eq(exported("csv", one, two).count("start_ns"), 1, "headers")


def chrome(*traces):
    document = json.loads(exported("chrome", *traces))
    expect_eq(sorted(document), ["displayTimeUnit", "otherData", "traceEvents"])
    by_phase = defaultdict(list)
    for event in document["traceEvents"]:
        by_phase[event["ph"]].append(event)
    return by_phase, int(document["otherData"]["first_ns"])


def thread_names(events):
    return {(e["pid"], e["tid"]): e["args"]["name"] for e in events["M"]
            if e["name"] == "thread_name"}


@test()
def chrome_events():
    """Compares the events with ones computed by hand. Times are in microseconds since the first
    access. An access without a start time is an instant event."""
    first = 1_700_000_000_123_456_789
    table = [{"start_ns": first, "end_ns": first + 1500, "bytes": 4096, "layer": "vfs",
              "process": 'd"d', "pid": 77, "file": "/x", "offset_bytes": 512},
             {"start_ns": first + 1001, "end_ns": first + 2001, "bytes": 512, "op": "write",
              "layer": "device", "device": "vda", "process": 'd"d', "pid": 77, "error": 1},
             {"start_ns": 0, "end_ns": first + 3000, "bytes": 1, "layer": "app",
              "unspanned": 1}]
    columns = ["start_ns", "end_ns", "bytes", "layer", "op", "process", "pid", "file", "offset_bytes",
               "device", "error", "unspanned"]
    events, base = chrome(made_trace(table, "t", columns))
    expect_eq(base, first)
    expect_eq([(e["name"], e["cat"], e["ts"], e["dur"], e["pid"]) for e in events["X"]],
              [("read", "vfs", 0, 1.5, 2), ("write", "device", 1.001, 1, 2)])
    expect_eq([{k: v for k, v in e["args"].items() if v is not None} for e in events["X"]],
              [{"source": "syscall", "file": "/x", "bytes": 4096, "offset_bytes": 512},
               {"device": "vda", "bytes": 512, "error": True}])
    expect_eq([(e["cat"], e["ts"], e["s"], e["pid"]) for e in events["i"]],
              [("app", 3, "t", 1)])
    expect_eq({e["pid"]: e["args"]["name"] for e in events["M"] if e["name"] == "process_name"},
              {2: 'd"d[77]', 1: "process unknown"})
    threads = thread_names(events)
    expect_eq([threads[e["pid"], e["tid"]] for e in events["X"] + events["i"]],
              ["vfs", "device", "app"])


@test()
def chrome_lanes():
    """In the Chrome trace, each process has several threads. Slices of a thread must not overlap.
    The number of threads is the largest number of accesses in flight."""
    table = some_accesses(5000, processes=3)
    events, _ = chrome(made_trace(table, "t", SHORT))
    expect_eq(len(events["X"]), len(table))
    lanes, depth = defaultdict(list), defaultdict(int)
    for e in events["X"]:
        start = round(e["ts"] * 1000)
        lanes[e["pid"], e["tid"]].append((start, start + round(e["dur"] * 1000)))
    for spans in lanes.values():
        spans.sort()
        expect_true(all(a[1] <= b[0] for a, b in zip(spans, spans[1:])), "no overlap")
    edges = sorted([(r["start_ns"], 1, r["process"]) for r in table] +
                   [(r["end_ns"], -1, r["process"]) for r in table], key=lambda e: e[:2])
    most = defaultdict(int)
    for _, change, process in edges:
        depth[process] += change
        most[process] = max(most[process], depth[process])
    expect_eq(len(lanes), sum(most.values()), "threads")
    expect_eq(len({tid for _, tid in lanes}), len(lanes), "numbers of threads")


@test()
def chrome_traces_are_separate():
    """Two traces have a process of the same name. In the output, these must be two processes, and
    each name must start with the path of its trace."""
    one = made_trace(some_accesses(50), "one", SHORT)
    two = made_trace(some_accesses(50), "two", SHORT)
    events, _ = chrome(one, two)
    names = [e["args"]["name"] for e in events["M"] if e["name"] == "process_name"]
    expect_eq(names, [f"{one}: p0", f"{two}: p0"])
    expect_eq(len({e["pid"] for e in events["X"]}), 2)


@test()
def chrome_of_an_empty_trace():
    trace = new_path("t")
    iospan("import", "--format=csv", "-o", trace, write("x.csv", "start_ns,end_ns,bytes\n"))
    events, _ = chrome(trace)
    expect_eq(dict(events), {})


@test()
def interrupted():
    """If a signal interrupts the export, the output must be valid. It is incomplete, so the status
    is 1."""
    trace = made_trace(some_accesses(200000), "t", SHORT)
    for form in "chrome", "jsonl":
        p = subprocess.Popen([IOSPAN, "export", "--format", form, trace], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, bufsize=0)
        begin = p.stdout.read(1)  # the export has started, and blocks when the pipe is full
        p.send_signal(signal.SIGTERM)
        out, err = p.communicate()
        text = (begin + out).decode()
        n = len([e for e in json.loads(text)["traceEvents"] if e["ph"] == "X"]) \
            if form == "chrome" else len([json.loads(line) for line in text.splitlines()])
        expect_eq((p.returncode, err.decode()), (1, f"iospan: interrupted after {n} accesses: "
                                                 "the output is valid, but not complete\n"))
        expect_true(0 < n < 200000, f"{n} of 200000 accesses")


@test()
def output_file():
    """The output file must appear only when it is complete, and must replace an older file of that
    name."""
    trace = made_trace(some_accesses(10), "t", SHORT)
    path = write("out", "old and longer than nothing")
    expect_eq(iospan("export", "--format=csv", "-o", path, trace), (0, b"", ""))
    with open(path, encoding="utf-8") as f:
        expect_eq(f.read(), exported("csv", trace))


def small_disk():
    needs(root(), "needs root to mount a small file system")
    path = os.path.join(scratch_dir(), "small")
    os.mkdir(path)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", path], check=True)
    return path


# The manual page shows a command that prints the slowest accesses. It must also work if names have
# commas and some accesses have no latency.
@test()
def the_slowest_accesses():
    rng = random.Random(3)
    table = [{"layer": rng.choice(["vfs", "device"]), "start_ns": 1000 * i, "end_ns": 1000 * i + rng.getrandbits(40),
              "bytes": 512, "process": "a,b", "untimed": int(i % 5 == 0)} for i in range(100)]
    trace = made_trace(table, "slow", SHORT + ["untimed"])
    with open(f"{TOP}/Documentation/iospan-export.rst", encoding="utf-8") as f:
        lines = f.read().partition("    $ iospan export --format csv job.trace |\n")[2].splitlines()
    rest = " ".join(line.strip().removeprefix(">") for line in lines[:2])
    done = subprocess.run(f"'{IOSPAN}' export --format csv '{trace}' | {rest}", shell=True, capture_output=True, text=True,
                          check=True)
    times = sorted((row["end_ns"] - row["start_ns"] for row in table if row["layer"] == "device" and not row["untimed"]),
                   reverse=True)
    expect_eq([int(line.split(",")[0]) for line in done.stdout.splitlines()], times[:10], done.stderr)


@test()
def full_disk():
    trace = made_trace(some_accesses(20000), "t", SHORT)
    with open("/dev/full", "wb") as full:
        p = subprocess.run([IOSPAN, "export", "--format=csv", trace], stdout=full,
                           stderr=subprocess.PIPE, check=False)
    expect_eq((p.returncode, p.stderr.decode()),
              (1, "iospan: cannot write to 'standard output': No space left on device\n"))
    path = os.path.join(small_disk(), "out")
    expect_eq(iospan("export", "--format=csv", "-o", path, trace),
              (1, b"", f"iospan: cannot write to '{path}': No space left on device\n"))
    expect_true(not os.path.exists(path), "no file is left")


@test()
def full_disk_of_import():
    """If the disk is full, import must remove the incomplete trace file. Otherwise the file would
    look like a recording that had ended early."""
    path = os.path.join(small_disk(), "trace")
    rng = random.Random(1)
    text = "start_ns,end_ns,bytes\n" + "".join(
        f"{i},{2**40 + rng.getrandbits(40)},{rng.getrandbits(30)}\n" for i in range(100000))
    status, out, err = iospan("import", "--format=csv", "-o", path, write("x.csv", text))
    expect_eq((status, out), (1, b""))
    expect_true("No space left on device" in err and err.count("\n") == 1, err)
    expect_true(not os.path.exists(path), "no file is left")


@test()
def a_trace_that_is_cut_off():
    """If the end of a trace is missing, export must write the accesses of its complete chunks, and
    warn that accesses are missing."""
    trace = made_trace(some_accesses(100000), "t", SHORT)
    whole = rows(trace)
    os.truncate(trace, os.path.getsize(trace) * 2 // 3)
    status, out, err = iospan("export", "--format=csv", trace)
    found = list(csv.DictReader(io.StringIO(out.decode())))
    expect_eq(status, 0)
    expect_true(f"'{trace}' is cut off" in err, err)
    expect_eq(found, whole[:len(found)])
    expect_true(0 < len(found) < len(whole), f"{len(found)} accesses")


@test()
def wrong_usage():
    trace = made_trace(some_accesses(1), "t", SHORT)
    see = "see 'iospan export --help'"
    for args, why in (((trace,), f"--format is missing; {see}"),
                      (("--format=xml", trace), "unknown format 'xml'; one of csv, jsonl, chrome"),
                      (("--format=csv",), f"no trace given; {see}")):
        expect_eq(iospan("export", *args), (2, b"", f"iospan: {why}\n"))
    out = new_path("out")
    status, _, err = iospan("export", "--format=csv", "-o", out, write("x", "no trace"))
    expect_eq((status, err.count("\n"), os.path.exists(out)), (1, 1, False))
    expect_refused("csv", [trace], f"{trace}:1: the header names no column 'start_ns'")


main()
