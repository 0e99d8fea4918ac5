#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests output files of commands. A command must never overwrite its inputs or older results."""
import os
import re
import resource
import shutil
import subprocess

from lib import scales
from lib.beff import few_repetitions
from lib.foreign import new_path, write
from lib.ktap import *

COUNTERS = "time_s,read_bytes,write_bytes\n1,0,0\n2,5,5\n3,9,9\n"


def iospan(*args, **how):
    return subprocess.run([IOSPAN, *map(str, args)], capture_output=True, text=True,
                          check=False, stdin=subprocess.DEVNULL, **how)


def content(path):
    with open(path, "rb") as f:
        return f.read()


def trace(name="trace"):
    path = new_path(name)
    done = iospan("import", "--format=csv", "-o", path,
                  write("t.csv", "start_ns,end_ns,bytes\n1,2,512\n3,9,4096\n"))
    assert_eq((done.returncode, done.stderr), (0, ""))
    return path


def names_of(path):
    for name in "hard", "soft":
        if os.path.lexists(f"{path}.{name}"):
            os.remove(f"{path}.{name}")
    os.link(path, f"{path}.hard")
    os.symlink(path, f"{path}.soft")
    return path, f"{path}.hard", f"{path}.soft"


def expect_spared(path, *command):
    """Checks that @command refuses to write to its input @path, by any name of that file (path,
    hard link, symbolic link). None in @command stands for the name of the output."""
    before = content(path)
    for name in names_of(path):
        done = iospan(*(name if word is None else word for word in command))
        expect_eq((done.returncode, done.stdout), (1, ""), f"{command}")
        expect_true(f"cannot write '{name}': it is the input '" in done.stderr, done.stderr)
        expect_true(os.path.lexists(name) and content(path) == before, f"{command}: changed")


@test()
def a_trace_as_input():
    path = trace()
    for command in (("export", "--format=csv", "-o", None), ("export", "--format=chrome", "-o", None),
                    ("report", "-o", None), ("report", "--html", None),
                    ("characterize", "-o", None), ("characterize", "--html", None),
                    ("characterize", "--counters", None)):
        expect_spared(path, *command, path)
    second = write("trace.1", content(path))
    expect_spared(second, "report", "-o", None, path)
    jobs = write("jobs.csv", "job,t_start_s,t_end_s,span_s\na,1,2,1\n")
    expect_spared(second, "correlate", "--jobs", jobs, "--system", path, "--html", None)


@test()
def other_inputs():
    jobs = write("jobs.csv", "job,t_start_s,t_end_s,span_s\na,1,2,1\n")
    files = write("files.csv", "job,file,t_start_s,t_end_s\na,x,1,2\n")
    system = write("system.csv", COUNTERS)
    for path in jobs, files, system:
        expect_spared(path, "correlate", "--jobs", jobs, "--files", files, "--system", system,
                      "--html", None)
    for path in jobs, system:
        expect_spared(path, "characterize", "--jobs", jobs, "-o", None, system)
    result = scales.write(os.path.join(scratch_dir(), "result.json"), scales.result(
        scales.product(100e6, {"size_bytes": 0.4}, {}),
        [(4 << 20, {"unique_bytes": 128 << 20, "size_bytes": 65536, "read_fraction": 0.5, "sequential_fraction": 0.5,
                    "process_count": 4}, 4096 << 20)]))
    expect_spared(result, "predict", "--html", None, result)


@test()
def inputs_of_benchmarks():
    commands = write("commands", "a: true\n")
    expect_spared(commands, "bench", "sets", "--exec", commands, "--html", None)
    target = write("target", "")
    os.truncate(target, 16 << 20)
    expect_spared(target, "bench", "sets", "2", target, "-n", "1", "--html", None)
    hints = write("hints", "all write segmented all fallocate enable\n")
    expect_spared(hints, "bench", "beff", scratch_dir(), "--partitions", "2", "-t", "1", "--memory=1M",
                  "--hints", hints, "--html", None)
    second = write("hints.2", content(hints))
    expect_spared(second, "bench", "beff", scratch_dir(), "--partitions", "2", "-t", "1", "--memory=1M",
                  "--hints", f"none,{hints},{second}", "--html", None)
    repeat = few_repetitions(1)
    expect_spared(repeat.split("=", 1)[1], "bench", "beff", scratch_dir(), repeat, "--html", None)


# --hints and --log each accept an empty file. iospan must refuse the same file for both.
@test()
def files_of_hints_are_no_logs():
    first = write("hints", "all write segmented all fallocate enable\n")
    empty, new = write("empty", ""), new_path("new")
    for log in (*names_of(empty), new):
        hints = f"{first},{new if log == new else empty}"
        done = iospan("bench", "beff", scratch_dir(), "--partitions", "2", "-t", "1", "--memory=1M",
                      "--hints", hints, "--log", log)
        expect_eq((done.returncode, done.stdout), (1, ""), log)
        expect_true(f"cannot write '{log}': it is the input '" in done.stderr, done.stderr)
    expect_eq((os.path.getsize(empty), os.path.exists(new)), (0, False), "bytes, new file")


@test()
def measured_programs():
    program = write("program", "#!/bin/sh\n")
    os.chmod(program, 0o700)
    for command in (("run", "-o", None), ("characterize", "--live", "-o", None),
                    ("characterize", "--live", "--html", None),
                    ("neighbours", "--html", None)):
        expect_spared(program, *command, "--", program)


@test()
def redirected_output():
    """stdout is one of the inputs, opened without O_TRUNC. iospan must refuse to run, and must not
    change the file."""
    jobs = write("jobs.csv", "job,t_start_s,t_end_s,span_s\na,1,2,1\n")
    table = write("t.csv", "start_ns,end_ns,bytes\n1,2,512\n3,9,4096\n")
    result = scales.write(os.path.join(scratch_dir(), "result.json"), scales.result(
        scales.product(100e6, {"size_bytes": 0.4}, {}),
        [(4 << 20, {"unique_bytes": 128 << 20, "size_bytes": 65536, "read_fraction": 0.5, "sequential_fraction": 0.5,
                    "process_count": 4}, 4096 << 20)]))
    recorded, commands = trace(), write("commands", "a: true\n")
    hints = write("hints", "all write segmented all fallocate enable\n")
    system, new = write("system.csv", COUNTERS), new_path("new")
    for path, *command in (
            (recorded, "report", recorded), (recorded, "export", "--format=csv", recorded),
            (recorded, "export", "--format=jsonl", "-o", new, recorded),
            (recorded, "characterize", recorded), (recorded, "compare", result, recorded),
            (table, "import", "--format=csv", "-o", new, table), (result, "predict", result),
            (result, "compare", result, result), (system, "characterize", system),
            (jobs, "correlate", "--jobs", jobs, "--system", system),
            (system, "correlate", "--jobs", jobs, "--system", system),
            (commands, "bench", "sets", "--exec", commands),
            (hints, "bench", "beff", scratch_dir(), "--partitions", "2", "-t", "1", "--memory=1M",
             "--hints", hints), (result, "bench", "scale", "--resume", result)):
        before = content(path)
        with open(path, "r+b") as out:
            done = subprocess.run([IOSPAN, *command], stdin=subprocess.DEVNULL, stdout=out,
                                  stderr=subprocess.PIPE, text=True, check=False)
        expect_eq((done.returncode, done.stderr),
                  (1, f"iospan: cannot write standard output: it is the input '{path}'; redirect "
                   "it to another file\n"), f"{command}")
        expect_true(content(path) == before and not os.path.exists(new), f"{command}: changed")


@test()
def standard_input():
    path = write("counters.csv", COUNTERS)
    with open(path, encoding="ascii") as f:
        done = subprocess.run([IOSPAN, "characterize", "-o", path, "-"], stdin=f,
                              capture_output=True, text=True, check=False)
    expect_eq((done.returncode, done.stderr),
              (1, f"iospan: cannot write '{path}': it is the input '-'; give another name\n"))
    expect_eq(content(path).decode(), COUNTERS)


@test()
def append_only_directory():
    """In an append-only directory, no file can be removed or renamed. So iospan must not leave a
    temporary file there."""
    needs(root() and shutil.which("chattr"), "needs root and chattr")
    path, place = trace(), new_path("append")
    os.mkdir(place)
    old, new = os.path.join(place, "old"), os.path.join(place, "new")
    write(old, "old")
    done = subprocess.run(["chattr", "+a", place], capture_output=True, text=True, check=False)
    needs(done.returncode == 0, f"no append-only directories here: {done.stderr.strip()}")
    try:
        done = iospan("export", "--format=csv", "-o", new, path)
        expect_eq((done.returncode, done.stderr), (0, ""))
        done = iospan("export", "--format=csv", "-o", old, path)
        expect_eq((done.returncode, done.stderr),
                  (1, f"iospan: cannot write '{old}': its directory is immutable or append-only "
                   "(lsattr); give another name\n"))
        expect_eq(sorted(os.listdir(place)), ["new", "old"])
    finally:
        subprocess.run(["chattr", "-a", place], check=True)


@test()
def two_outputs_of_one_name():
    path, out = trace(), new_path("out")
    done = iospan("report", "-o", out, "--html", f"{scratch_dir()}/./out", path)
    expect_eq(done.returncode, 1)
    expect_true("it is given for another output as well" in done.stderr, done.stderr)
    expect_true(not os.path.exists(out), "no output is left")


# In text and in pages, each harmful character of a path becomes a question mark.
@test()
def paths_do_not_change_the_terminal():
    folder = new_path("evil\x1b[2J\u202e\u0085\udcff")
    os.mkdir(folder)
    result, recorded, jobs, system, hints, page = (
        os.path.join(folder, name) for name in ("result", "trace", "jobs", "system", "hints", "page"))
    scales.write(result, scales.result(
        scales.product(100e6, {"size_bytes": 0.4}, {}),
        [(4 << 20, {"unique_bytes": 128 << 20, "size_bytes": 65536, "read_fraction": 0.5,
                    "sequential_fraction": 0.5, "process_count": 4}, 4096 << 20)]))
    os.rename(trace(), recorded)
    write(jobs, "job,t_start_s,t_end_s,span_s\na,1,2,1\n")
    write(system, COUNTERS)
    write(hints, "all write segmented all fallocate enable\n")
    for command in (("report", recorded), ("report", "--html", page, recorded),
                    ("characterize", recorded), ("characterize", "--html", page, recorded),
                    ("compare", result, result), ("predict", "--html", page, result),
                    ("correlate", "--jobs", jobs, "--system", system), ("report", jobs),
                    ("bench", "load", folder, "--unique-bytes=1M", "-n", "10", "--layers=app"),
                    ("bench", "beff", folder, few_repetitions(1), "--hints", hints, "--no-check"),
                    ("bench", folder), (folder,)):
        done = subprocess.run([IOSPAN, *command], capture_output=True, stdin=subprocess.DEVNULL,
                              check=False)
        text = (done.stdout + done.stderr).decode(errors="surrogateescape")
        expect_true("evil?[2J" in text or page in command, f"{command}: {text}")
        expect_eq({c for c in text if c < " " and c != "\n" or c in "\u202e\u0085\udcff"}, set(),
                  f"{command}")
        if page in command:
            text = content(page).decode(errors="replace")
            expect_true("evil?[2J" in text, f"{command}: {text}")
            expect_eq({c for c in text if c in "\x1b\u202e\u0085"}, set(), f"{command}: the page")


# A limit of the file size acts like a full disk, but needs no file system of its own.
@test()
def full_disk():
    path = trace()
    for command in (("export", "--format=csv", "-o"), ("report", "-o"), ("report", "--html"),
                    ("characterize", "--json", "-o")):
        folder = os.path.join(scratch_dir(), f"{command[0]}{command[1]}")
        os.mkdir(folder)
        out = write(os.path.join(folder, "out"), "old")
        done = iospan(*command, out, path,
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
        expect_eq(done.returncode, 1, f"{command}")
        expect_true(re.search(f"cannot write (to '{out}'|the commands for gnuplot): File too large",
                              done.stderr), done.stderr)
        expect_eq(content(out), b"old", f"{command}")
        expect_eq(os.listdir(folder), ["out"], f"{command}: files")


main()
