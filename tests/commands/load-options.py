#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests each engine of bench load with each option. An engine issues the requests of a load, for
instance by io_uring. A batch is the requests of one system call."""
import re
import subprocess

from lib.ktap import *
from lib.loads import load

ALL = {"uring", "psync", "mmap", "null"}
DATA = ALL - {"null"}
# {options: (engines that accept them, what the result must show)}
OPTIONS = {
    ("--depth=4",): ({"uring"}, {"depth": 4}),
    ("--depth=1",): (ALL, {}),
    ("--batch=3",): ({"uring", "null"}, {"batch": 3}),
    ("--batch=1",): (ALL, {"batch": 1}),
    ("--class=hdd",): ({"uring", "null"}, {"class": "hdd", "class_given": True}),
    ("--buffered",): (DATA, {"buffered": True}),
    ("--verify",): (DATA, {}),
    ("--sqpoll",): ({"uring"}, {"sqpoll": True}),
    ("--destroy",): (DATA, {}),
    ("--processes", "--procs=2"): (ALL, {"threads": False, "process_count": 2}),
    ("--rate=100000", "--poisson"): (ALL, {"rate_per_second": 100000, "arrivals": "poisson"}),
    ("--think=1us",): (ALL, {"think_ns": 1000}),
    ("--read=0.5", "--seq=0.5"): (ALL, {"read_fraction": 0.5, "sequential_fraction": 0.5}),
    ("--zipf=1",): (ALL, {"zipf": 1}),
    ("--size=8k", "--size-dist=normal"): (ALL, {"size_bytes": 8192, "size_distribution": "normal"}),
    ("--size-dist=4k:1,8k:1",): (ALL, {"size_bytes": None, "size_distribution": "4k:1,8k:1"}),
    ("--seed=7", "--unique-bytes=2M"): (ALL, {"seed": 7, "unique_bytes": 2 << 20}),
}
# {engine: its defaults, as a result shows them}
PLAIN = {
    "uring": {"buffered": False, "depth": 8, "batch": 8},
    "psync": {"buffered": False, "depth": 1, "batch": 1},
    "mmap": {"buffered": True, "depth": 1, "batch": 1},
    "null": {"buffered": None, "depth": 16, "batch": 16},
}
IDLE = "option '{}' has no effect with '{}'"


def run(*options, count=("--count=40",)):
    data = [] if any(o.startswith("--unique-bytes") for o in options) else ["--unique-bytes=1M"]
    return load(scratch_dir(), *data, *count, *options)


def expect_refused(options, *names, **how):
    status, found, err = run(*options, **how)
    expect_eq((status, found, err.count("\n")), (2, None, 1), f"{options}: {err}")
    expect_true(IDLE.format(*names) in err, f"{options}: {err}")


def expect_load(options, expected):
    status, found, err = run(*options)
    if expect_eq((status, err), (0, ""), f"{options}: status, stderr"):
        seen = {key: found["load"][key] for key in expected}
        expect_eq(seen, expected, f"{options}: result")


@test(seconds=300)
def each_option_takes_effect_or_is_refused():
    for engine in sorted(ALL):
        for options, (engines, expected) in OPTIONS.items():
            if engine in engines:
                expect_load((f"--engine={engine}", *options), expected)
            else:
                expect_refused((f"--engine={engine}", *options), options[0].split("=")[0],
                               f"--engine {engine}")


# With --size-dist=normal, the standard deviation of the sizes is their mean. If sizes were rounded
# to a large alignment, the deviation would be smaller. So the default alignment must be small.
@test()
def sizes_vary_as_in_the_paper():
    for options, align in (("--buffered",), 1), (("--engine=psync", "--buffered", "--verify", "--read=0.5"), 512), \
            (("--engine=mmap",), 1), (("--buffered", "--align=1k"), 1024):
        status, found, err = run("--unique-bytes=4M", "--size=16k", "--size-dist=normal", *options,
                                 count=("--count=3000",))
        if not expect_eq((status, err), (0, ""), f"{options}: status, stderr"):
            continue
        app = found["layers"]["app"]
        expect_eq((found["load"]["align_bytes"], app["errors"], found["short_requests"]), (align, 0, 0), str(options))
        expect_near(found["load"]["size_cv"], 1, 0.1, f"{options}: variation")
        expect_near(app["bytes"] / app["accesses"] / 16384, 1, 0.1, f"{options}: mean size")
    for options, cv in (("--size=8k",), None), (("--size-dist=4k:1,12k:1",), 0.5), \
            (("--size-dist=normal", "--align=4k"), 0):
        expect_load(options, {"size_cv": cv, "align_bytes": 4096})
    status, found, err = run("--size=8k", "--size-dist=normal")
    expect_eq((status, err), (0, ""), "direct")
    align = found["load"]["align_bytes"]
    expect_true(align >= 512 and found["load"]["size_cv"] > (0.9 if align == 512 else 0.8), str(found["load"]))


# --help and the error message must describe exactly the engines that exist.
@test()
def help_names_all_engines():
    done = subprocess.run([IOSPAN, "bench", "load", "--help"], capture_output=True, text=True,
                          check=True)
    text = " ".join(done.stdout.partition("--engine NAME")[2].partition("--iopoll")[0].split())
    expect_eq(set(re.findall(r"(\w+) \(", text)), ALL, text)
    status, _, err = run("--engine=x")
    expect_true(status == 2 and err.startswith("iospan: unknown engine 'x'; one of uring, "), err)
    expect_true(err.partition(" are ")[2].strip() in text, err)


@test()
def settings_that_are_off_have_a_no():
    done = subprocess.run([IOSPAN, "bench", "load", scratch_dir(), "--unique-bytes=1M", "-n40", "--buffered"],
                          capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    at = next(i for i, line in enumerate(lines) if line.split()[:3] == ["class", "engine", "buffered"])
    expect_eq(lines[at + 1].split()[2:6], ["yes", "no", "no", "no"], lines[at + 1])


@test()
def options_of_the_ring_alone():
    for engine in sorted(ALL - {"uring"}):
        for option in "--iopoll", "--sqpoll", "--passthrough":
            expect_refused((f"--engine={engine}", option), option, f"--engine {engine}")
    for option in "--iopoll", "--passthrough":
        expect_refused(("--buffered", option), "--buffered", option)
    expect_refused(("--engine=null", "--layers=app,vfs,device"), "--layers", "--engine null")


@test()
def conditions_are_the_defaults_of_the_engine():
    direct = run("--engine=psync")[0] == 0
    for engine, expected in PLAIN.items():
        if expected["buffered"] is not False or direct:
            expect_load((f"--engine={engine}", *(("--depth=8",) if engine == "uring" else ())),
                        expected)


# The engine null completes a whole batch at once, so the number in flight is the size of a batch.
@test()
def the_depth_of_null_is_its_batch():
    for batch in 1, 8, 16:
        _, found, _ = run("--engine=null", f"--batch={batch}", count=("--count=16000",))
        app = found["layers"]["app"]
        expect_eq(found["load"]["depth"], batch, "depth")
        expect_near(app["concurrency"], batch, 0.01 * batch, "requests in flight")


@test()
def options_that_exclude_each_other():
    time = ()
    for options, idle, with_, count in (
            (("--duration=10s",), "--duration", "--count", ("-n", "5")),
            (("--warm-up=1s",), "--warm-up", "--count", ("-n", "5")),
            (("--duration=10s", "--steady"), "--duration", "--steady", time),
            (("--rate=5", "--think=1s"), "--think", "--rate", time),
            (("--size-dist=4k:1,8k:1", "--size=4k"), "--size", "--size-dist LIST", time),
            (("--zipf=1", "--seq=1"), "--zipf", "--seq 1", time),
            (("--class=hdd", "--depth=2", "--batch=2"), "--class", "--depth --batch", time)):
        expect_refused(options, idle, with_, count=count)
    for options, words in ((("--poisson",), ("'--poisson'", "'--rate'")),
                           (("--signature=ext4",), ("'--signature'", "'--destroy'"))):
        status, found, err = run(*options)
        expect_eq((status, found), (2, None), f"{options}")
        expect_true(all(word in err for word in words), err)
    expect_load(("--warm-up=0",), {"requests": 40, "duration_ns": None, "warm_up_ns": 0})


FIO = {
    "--rw=randread --direct=1 --ioengine=libaio --name=a": "--engine uring",
    "--rw randwrite --number_ios 9": "--read 0 --count 9",
    "--rwmixread=67 --bs=4k --rw=randrw --size=1G": "--read 67% --bs=4k --unique-bytes 1G",
    "--rw=rw --direct=0 --ioengine=sync --runtime=9": "--read 50% --seq 1 --buffered --engine psync "
                                                      "--runtime=9",
    "--direct --rate_iops=5 --ramp_time=2 --time_based": "--rate 5 --warm-up 2",
}


# For options of fio, the error message suggests a command. The test runs that command with --help,
# so iospan checks the options but runs no load.
@test()
def a_line_of_fio_has_a_suggestion():
    for line, wanted in FIO.items():
        for before, after in ((["--filename=f"], "f"), ([], "")):
            done = subprocess.run([IOSPAN, "bench", "load", *before, *line.split()], capture_output=True, text=True,
                                  check=False)
            expect_eq(done.returncode, 2, line)
            found = done.stderr.partition("try: iospan bench load")[2].split()
            expect_eq(" ".join(found), f"{after} {wanted}".strip(), line)
            done = subprocess.run([IOSPAN, "bench", "load", *found, "--help"], capture_output=True,
                                  text=True, check=False)
            expect_eq((done.returncode, done.stderr), (0, ""), f"{found}")


WRITES = "a file or device also needs --destroy, which destroys its content"
# Command lines that mix options of fio and of iospan. {line: (the notes about its arguments, the line
# that iospan suggests)}
MIXED = {
    "d --unique-bytes 256M --bs=4k --size=4k":
        ("'--size=4k' is left out, as --unique-bytes is given", "d --unique-bytes 256M --bs=4k"),
    "d --filename=x --rw=randread": ("'--filename=x' is left out, as a target is given", "d"),
    "--filename=x d": ("'--filename=x' is left out, as a target is given", "d"),
    "--filename=x -- d": ("'--filename=x' is left out, as a target is given", "-- d"),
    "--filename x --directory d": ("'--filename' is left out, as --directory is given", "d"),
    "d --rw=write --rwmixread=30 -s4k": (f"'--rw=write': {WRITES}; '--rwmixread=30' is left out, as --read is given",
                                         "d --read 0 --seq 1 -s4k"),
    "d --rw=randrw --rwmixread=70 --iodepth=4": (f"'--rwmixread=70': {WRITES}", "d --read 70% --iodepth=4"),
    "d --rw randwrite": (f"'--rw': {WRITES}", "d --read 0"),
    "d --rw=write --read 0": (f"'--rw=write': {WRITES}; '--rw=write' is left out, as --read is given",
                              "d --seq 1 --read 0"),
    "d --rw=randwrite --destroy": ("", "d --read 0 --destroy"),
    "d --fsync=1": ("'--fsync=1' is left out, as bench load makes no sync calls", "d"),
    "d --rw=randread --bs=4k --size=10%":
        ("'--size=10%' is left out, as --unique-bytes is no percentage", "d --bs=4k"),
    "d --ioengine=sync --iodepth=16":
        ("'--iodepth=16' is left out, as engines psync and mmap have one request in flight",
         "d --engine psync"),
    "d --rw=randread --ioengine mmap --iodepth 16":
        ("'--iodepth' is left out, as engines psync and mmap have one request in flight",
         "d --ioengine mmap"),
    "d --end_fsync 1": ("'--end_fsync' is left out, as bench load makes no sync calls", "d"),
}


@test()
def a_suggestion_repeats_nothing():
    for line, (why, wanted) in MIXED.items():
        done = subprocess.run([IOSPAN, "bench", "load", *line.split()], capture_output=True, text=True, check=False)
        notes = f"{why}; " if why else ""
        expect_eq((done.returncode, done.stderr.partition("; ")[2]), (2, f"{notes}try: iospan bench load {wanted}\n"),
                  line)
        done = subprocess.run([IOSPAN, "bench", "load", "--help", *wanted.split()], capture_output=True, check=False)
        expect_eq((done.returncode, done.stderr), (0, b""), wanted)


@test()
def a_name_of_fio_excludes_the_option():
    for options, words in ((("--bs=4k", "--size=1G"), "--bs and --size are the same option; '--size=1G' is left out, "),
                           (("--iodepth=4", "--depth=4"), "--depth are the same option; leave out")):
        status, found, err = run(*options)
        expect_eq((status, found), (2, None), f"{options}")
        expect_true(words in err, err)
    _, _, err = load(scratch_dir(), "--bs=4k", "--size=1G")
    expect_true(err.endswith(" --bs=4k --unique-bytes 1G --json\n"), err)


@test()
def arrivals_at_random_times_have_the_rate():
    for _ in range(4):  # on a busy machine, the load may start late
        status, found, err = load(scratch_dir(), "--unique-bytes", 4 << 20, "--engine=null",
                                  "--rate=2000", "--poisson", "-t", "2s", "--warm-up", "0s")
        assert_eq((status, err), (0, ""), "status, stderr")
        due = found["layers"]["app"]["accesses"] + found["late_requests"]
        wanted = found["elapsed_ns"] * 2000 / 1e9
        # The standard deviation of a number of Poisson arrivals is the square root of the mean. The
        # limit is six standard deviations, which chance exceeds once in 5e8 runs, plus the arrivals
        # of 10 ms.
        most = 6 * wanted ** 0.5 + 2000 / 100
        if due > wanted - most:
            break
    expect_near(due, wanted, most, "requests that were due")


main()
