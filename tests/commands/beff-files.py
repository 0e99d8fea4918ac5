#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the files of iospan bench beff byte by byte with the definition of b_eff_io, the
effective I/O bandwidth benchmark. A pattern repeats calls that transfer chunks (contiguous data of
one process) of one size. A hint is an option for some patterns."""
import collections
import os
import re

from lib import tracefs
from lib.beff import TYPES, beff, expect_files, few_repetitions
from lib.forms import page_of_plots
from lib.ktap import *
from lib.measure import needs_run

SMALL = ("-t", 1, "--memory=1M")


def files_of(*options):
    status, found, err = beff(*options, "--keep")
    assert_eq((status, err, found["complete"]), (0, "", True), "status, stderr, complete")
    for index, part in enumerate(found["partitions"]):
        expect_eq(part["wrong_chunks"], 0, "wrong chunks")
        expect_files(found, index)
    return found


# A pattern repeats until its time is over. All processes must agree on the number of repetitions.
@test()
def files_and_rewrites_of_three_processes():
    found = files_of("--partitions", 3, *SMALL, "--rewrite")
    types = [t["type"] for t in found["partitions"][0]["access_methods"]["rewrite"]["types"]]
    expect_eq(len(types), 5, "types with rewrites")


@test(long=True)
def files_of_each_number_of_processes():
    found = files_of(few_repetitions(1, 2, 3, 4, 7))
    expect_eq([part["process_count"] for part in found["partitions"]], [1, 2, 3, 4, 7], "processes")


@test(long=True)
def files_without_an_exchange():
    found = files_of("--partitions", 2, *SMALL, "--no-collective-buffering", "--geometric")
    expect_eq((found["collective_buffering"], found["geometric"]), (False, True), "options")


# A chunk may be larger than the buffer of 12 KiB. Collective buffering must then cut the chunk into
# several parts.
@test(long=True)
def exchange_with_a_small_buffer():
    files_of(few_repetitions(4), "--agents=3", "--collective-buffer=12k")


def hints(*lines):
    """Writes @lines to a file of hints. Returns the option --hints=FILE for it."""
    path = os.path.join(scratch_dir(), f"hints{len(os.listdir(scratch_dir()))}")
    with open(path, "x", encoding="ascii") as f:
        f.write("".join(line + "\n" for line in lines))
    return f"--hints={path}"


# Hints change how the data reach the disk. They must not change the bytes of the files.
@test(long=True)
def hints_for_some_patterns_change_no_bytes():
    found = files_of(few_repetitions(3), hints("all all all on_open cb_nodes 2",
                              "all all scatter 1032 collective_buffering disable",
                              "all all all 1048576 direct enable",
                              "3 write all all direct enable",
                              "all read all 32776 cb_buffer_size 8k",
                              "all all all all fadvise random"))
    expect_eq([h["hint_key"] for h in found["hints"]], ["cb_nodes", "collective_buffering", "direct",
                                                   "direct", "cb_buffer_size", "fadvise"], "hints")


def scattered(found, chunk):
    """Returns the number of writes at the vfs layer for each collective call. Considers only the
    pattern of type scatter with the chunk size @chunk."""
    access = found["partitions"][0]["access_methods"]["write"]
    pattern = next(p for p in access["types"][0]["patterns"] if p["chunk"] == chunk)
    return pattern["layers"]["vfs"]["accesses"] / pattern["repetitions"]


@test(long=True)
def hints_change_the_writes():
    needs_run()
    few = few_repetitions(2)
    for expected, option in (((2, 2), "--agents=0"), ((1, 1), "--agents=1"),
                             ((1, 1), hints("all all all on_open cb_nodes 1")),
                             ((1, 2), hints("all write scatter 1024 cb_nodes 1")),
                             ((2048, 2),
                              hints("2 write scatter 1024 collective_buffering disable"))):
        _, found, err = beff(few, option)
        expect_eq((err, scattered(found, "1k"), scattered(found, "1k+8")), ("", *expected),
                  f"stderr, writes with {option}")
    _, found, _ = beff(few, hints("all read separated 1048576 direct enable"))
    for p in found["partitions"][0]["access_methods"]["read"]["types"][2]["patterns"]:
        if p["chunk"] in ("1M", "1M+8"):
            expect_eq(p["layers"]["device"]["bytes"], p["bytes"] if p["chunk"] == "1M" else 0,
                      f"read from the disk: {p['chunk']}")


def requests_of(*options):
    with tracefs.instance(["io_uring/io_uring_submit_req"], 4096) as seen:
        seen.keep_own()
        seen.start()
        status, found, err = beff(*options)
        seen.stop()
        expect_eq((status, err, found["partitions"][0]["wrong_chunks"]), (0, "", 0), "status")
        with open(os.path.join(seen.path, "trace"), encoding="ascii") as f:
            return collections.Counter(re.findall(r"iospan-.*opcode (\w+)", f.read()))


@test()
def registered_buffers_are_used():
    needs_run()
    few, option = few_repetitions(2), hints("all all all all registered enable")
    plain, registered = requests_of(few), requests_of(few, option)
    expect_true(plain["READ"] and plain["WRITE"], f"without registered buffers: {plain}")
    expect_eq((registered["WRITE_FIXED"], registered["WRITE"]), (plain["WRITE"], 0), "writes")
    # At the end of the run, the benchmark reads the files to check them, without hints. So these
    # reads use no registered buffers: they are READ, not READ_FIXED.
    expect_eq(registered["READ_FIXED"] + registered["READ"], plain["READ"], "reads")
    expect_le(registered["READ"] * 2, plain["READ"], "reads of the checking pass")


def reserved(*options):
    """Runs the benchmark and returns (bytes that it reserved by fallocate(), result)."""
    event = "syscalls/sys_enter_fallocate"
    with tracefs.instance([event], 1024) as seen:
        needs(os.path.exists(os.path.join(seen.path, "events", event)), f"needs the event {event}")
        seen.keep_own()
        seen.start()
        status, found, err = beff(*options)
        seen.stop()
        expect_eq((status, err), (0, ""), "status, stderr")
        with open(os.path.join(seen.path, "trace"), encoding="ascii") as f:
            lengths = re.findall(r"iospan-.*len: (?:0x)?(\w+)", f.read())
    return sum(int(n, 16) for n in lengths), found


@test()
def space_is_reserved_when_the_size_is_known():
    needs_run()
    few = few_repetitions(2)
    expect_eq(reserved(few)[0], 0, "bytes reserved without the hint")
    bytes_, found = reserved(few, hints("all write segmented all fallocate enable"))
    written = next(t["bytes"] for t in found["partitions"][0]["access_methods"]["write"]["types"]
                   if t["type"] == "segmented")
    expect_eq((bytes_, found["partitions"][0]["wrong_chunks"]), (written, 0),
              "bytes reserved with it, wrong chunks")


@test()
def sets_of_hints_side_by_side():
    option = hints("all all all on_open cb_nodes 1")
    name = option.split("=")[1]
    page, plots = page_of_plots()
    status, found, err = beff("--partitions", 2, *SMALL, f"--hints=none,{name}", *plots)
    assert_eq((status, err, [run["hints_file"] for run in found["runs"]]), (0, "", [None, name]), "status, hints")
    for run in found["runs"]:
        expect_eq((run["rewrite_all"], run["result_name"]), (True, "b_eff_io_uring"), "all rewritten, name")
        part = run["partitions"][0]
        of = [[kind["bandwidth_bytes_per_second"] for kind in access["types"]]
              for access in (*part["access_methods"].values(), part["average"])]
        for write, rewrite, read, average in zip(*of):
            expect_near(average / (((write + rewrite) / 2 + read) / 2), 1, 1e-12, "average of a type")
        expect_near(part["average"]["weighted_bytes_per_second"] / ((sum(of[3]) + of[3][0]) / 6), 1, 1e-12,
                    "weighted average")
    best = max(found["runs"], key=lambda run: run["b_eff_io_bytes_per_second"])
    expect_true(f"highest with the hints '{best['hints_file'] or 'none'}': " in found["conclusion"],
                found["conclusion"])
    needs(plots, "needs gnuplot")
    with open(page, encoding="utf-8") as f:
        titles = re.findall('aria-label="([a-z_]+, hints [^"]*)"', f.read())
    # The page has two diagrams for each pattern type: one without hints, and one with the file of
    # hints.
    expect_eq(titles[6:], [f"{kind}, hints {hint}" for kind in TYPES for hint in ("none", name)], "diagrams of types")


@test()
def wrong_hints_are_refused():
    for text, *lines in (("has no hint 'striping_unit'", "all all all on_open striping_unit 1"),
                         ("no value of direct", "all all all all direct perhaps"),
                         ("line 2: cannot understand '1k'", "# one",
                          "all all all 1k direct enable")):
        status, found, err = beff("--partitions", 1, *SMALL, hints(*lines))
        expect_eq((status, found), (1, None), text)
        expect_true(text in err, err)
    status, found, err = beff("--partitions", 1, *SMALL, hints("all wrong").replace("=", "=none,"))
    expect_eq((status, found, "a hint has 6 words" in err), (1, None, True), "second file of hints, before a run")


@test(long=True)
def files_without_a_shared_pointer():
    found = files_of(few_repetitions(3), "--no-shared-pointer")
    met = {c["name"]: c["met"] for c in found["criteria"]}
    expect_eq((found["valid"], met["shared_pointer"]), (False, False), "valid, shared pointer")


main()
