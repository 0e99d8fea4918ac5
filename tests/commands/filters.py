#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests filters that match nothing. A message must say so, because a misspelt name would otherwise
look like a machine without I/O."""
import contextlib
import json
import os
import re
import subprocess

from lib import kernel
from lib.cgroups import Groups
from lib.foreign import iospan, new_path, write
from lib.ktap import *
from lib.measure import interrupt_at_start, needs_run
from lib.openmetrics import without_notes

ROWS = """start_ns,end_ns,bytes,layer,device,pid,process,file,cgroup
1,2,512,device,sda,7,dd,,/a
3,9,4096,vfs,,8,cat,/data/x,/b
"""


def trace():
    path = new_path("trace")
    status, _, err = iospan("import", "--format=csv", "-o", path, write("t.csv", ROWS))
    assert_eq((status, err), (0, ""), "import")
    return path


@test()
def a_trace_without_a_match_is_an_error():
    path = trace()
    for command in ("report",), ("report", "--csv"), ("report", "--json"), ("characterize",):
        for option, message in (
                ("--device=vd*", "no device matches 'vd*'; present: sda"),
                ("--cgroup=/other", "no cgroup matches '/other'; present: /, /a, /b"),
                ("--process=vi", "no process matches 'vi'; present: dd, cat"),
                ("--process=da", "no process matches 'da'; did you mean 'dd'? present: dd, cat"),
                ("--file=data/x", "no file matches 'data/x'; did you mean '*/data/x'? "
                                  "present: /data/x"),
                ("--file=*.c", "no file matches '*.c'; present: /data/x")):
            seen = iospan(*command, option, path)
            expect_eq(seen, (1, b"", f"iospan: {message}\n"), f"{command} {option}")
        seen = iospan(*command, "--process=cat", "--cgroup=/a", path)
        expect_eq(seen, (1, b"", "iospan: no access matches all filters\n"), f"{command}: both")
        expect_eq(iospan(*command, "--process=cat", "--cgroup=/b", path)[0], 0, f"{command}: one")


@test()
def a_pattern_matches_the_last_component_or_the_whole():
    path = trace()
    for options, accesses in ((["-f", "x"], 1), (["-f", "/data/x"], 1), (["-f", "[x-z]"], 1),
                              (["-g", "b"], 1), (["-g", "a,b"], 2), (["-g", "a", "-g", "/b"], 2),
                              (["-p", "7,cat"], 2), (["-d", "/dev/sda"], 1)):
        status, out, err = iospan("report", "--json", *options, path)
        assert_eq((status, err), (0, ""), options)
        layers = json.loads(out)["layers"]
        expect_eq(sum(layers[name]["accesses"] for name in ("vfs", "device") if layers[name]),
                  accesses, options)


@test()
def one_pattern_of_a_list_without_a_match_is_a_warning():
    status, _, err = iospan("report", "--device=sda,sdx", trace())
    expect_eq((status, err), (0, "iospan: warning: no device matches 'sdx'; did you mean 'sda'? "
                                 "present: sda\n"))


# iospan checks the options first, so these commands need neither a trace nor BPF programs.
@test()
def an_unknown_key_is_an_error():
    keys = "one of namespace, pod, container; write \\= for a '=' in a name\n"
    for command in ("report", "x"), ("characterize", "x"), ("stat", "-bcgroup"), ("top", "-bcgroup"), \
            ("record", "-bcgroup", "--", "true"), ("run",):
        for option, message in ("unit=cron.service", "unit'; "), ("title=a", "title'; "), ("=a", "'; "), \
                ("a,pod=b,pods=c", "pods'; did you mean 'pod'? "):
            seen = iospan(command[0], "-g", option, *command[1:])
            expect_eq(seen, (2, b"", f"iospan: unknown key of --cgroup '{message}{keys}"), str(command))
    path = new_path("trace")
    iospan("import", "--format=csv", "-o", path, write("t.csv", ROWS + "1,2,512,vfs,,7,dd,,/x/u=1\n"))
    for name in "u\\=1", "u?1", "/x/u=1", "*=1":
        expect_eq(iospan("report", "-g", name, path)[0], 0, name)
    expect_eq(iospan("report", "-g", "pod=a", path)[2], "iospan: no cgroup matches 'pod=a'; "
                                                        "present: /, /a, /b, /x, /x/u=1\n")


@test()
def many_names_are_not_all_printed():
    path = new_path("trace")
    rows = "".join(f"{n},{n + 1},512,device,disk{n}\n" for n in range(1, 21))
    iospan("import", "--format=csv", "-o", path,
           write("t.csv", "start_ns,end_ns,bytes,layer,device\n" + rows))
    names = ", ".join(f"disk{n}" for n in range(1, 9))
    expect_eq(iospan("report", "-d", "x", path)[2],
              f"iospan: no device matches 'x'; present: {names} and 12 more\n")


def stat(*options, status=0):
    done = subprocess.run([IOSPAN, "stat", "-i", "100ms", "-n", "1", *options],
                          capture_output=True, text=True, check=False)
    expect_eq(done.returncode, status, done.stderr)
    # an interval has the losses of the whole machine
    return re.sub("(?m)^lost: .*\n", "", done.stdout), done.stderr


def disks():
    found = set()
    for name in os.listdir("/sys/block"):
        with contextlib.suppress(OSError):
            if kernel.read("/sys/block", name, "size") != "0":
                found.add(name)
    return found


@test()
def an_interval_without_a_match_has_a_line():
    needs_run()
    before = disks()
    out, err = stat("-d", "nosuch*", status=1)
    start, _, names = out.partition("; present: ")
    expect_eq(start, "no device matches 'nosuch*'")
    # Other tests make and remove disks at the same time, so only some names can be expected.
    expect_true(set(re.findall(r"[^ ,\n]+", names)) & (before | disks()), out)
    never = "iospan: no device matched 'nosuch*' during the measurement\n"
    expect_eq((out.count("\n"), err), (2, never), out)
    for by, option in (("cgroup", "-g"), ("process", "-p")):
        out, err = stat("-b", by, option, "nosuch", status=1)
        expect_true(out.startswith(f"no {by} with I/O matches 'nosuch'; present: "), out)
        expect_eq(without_notes(err), f"iospan: no {by} with I/O matched 'nosuch' during the measurement\n")
    for option in ("--json", "--csv", "--timestamp"):
        err = stat(option, "-d", "*,nosuch")[1]
        expect_true("no device matches 'nosuch'" in err, option + err)
    out, err = stat("--json", "-d", "nosuch", status=1)
    expect_true(out.startswith("{") and "no device matches 'nosuch'" in err, out + err)


@test()
def a_terminal_has_one_message_without_a_match():
    needs_run()
    reader, writer = os.openpty()
    with os.fdopen(reader), os.fdopen(writer) as terminal:
        done = subprocess.run([IOSPAN, "stat", "-d", "nosuch*", "10ms", "1"], text=True, check=False,
                              stdout=terminal, stderr=subprocess.PIPE)
        expect_eq((done.returncode, done.stderr), (1, ""))
        expect_true(os.read(reader, 4096).startswith(b"no device matches 'nosuch*'; "), "the line")
        done = subprocess.run([IOSPAN, "stat", "-d", "nosuch*", "1h"], text=True, check=False, stdout=terminal,
                              stderr=subprocess.PIPE, preexec_fn=interrupt_at_start)
        expect_eq((done.returncode, done.stderr),
                  (1, "iospan: no device matched 'nosuch*' during the measurement\n"), "Ctrl-C at the start")


# A monitored service may have no I/O for a while, which is no error.
@test()
def a_match_without_io_is_no_error():
    needs_run()
    groups = Groups()
    with kernel.undone(groups.remove):
        groups.make("/idle")
        out, err = stat("-b", "cgroup", "-g", "idle", *groups.options)
        expect_eq((out, err), ("no cgroup that matches 'idle' has I/O\n\n", ""))
    # The process has started completely, so it reads no more of its libraries.
    with subprocess.Popen(["sh", "-c", "echo; read line"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        for pattern in str(child.pid), f"sh[{child.pid}]":
            out, err = stat("-b", "process", "-p", pattern)
            expect_eq((out, err), (f"no process that matches '{pattern}' has I/O\n\n", ""))
        child.kill()


# If no disk matches, iospan prints a line with the disks that are present. It prints the line again
# only after these disks have changed.
@test()
def a_line_on_disks_is_not_repeated():
    needs_run()
    out = subprocess.run([IOSPAN, "stat", "-d", "nosuch*", "10ms", "30"], text=True, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    lines = list(filter(None, out.split("\n")))
    expect_true(lines and lines[0].startswith("no device matches 'nosuch*'"), out)
    # Other tests make and remove disks meanwhile, so there may be several lines. Two equal lines
    # must not follow each other.
    expect_true(all(a != b for a, b in zip(lines, lines[1:])), out)
    with subprocess.Popen([IOSPAN, "stat", "-d", "nosuch*", "10ms"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        child.stdout.readline()
        with kernel.new_loop_disk(1 << 20) as disk:
            while not re.search(rf"present: .*(\b{os.path.basename(disk)}\b|more$)", child.stdout.readline()):
                pass
        child.terminate()


# The vfs layer has the I/O of all disks, the device layer only that of the selected disk. The loop
# devices are in memory, so they are not stacked on another disk.
@test()
def run_measures_only_some_disks():
    needs_run()
    with kernel.loop_disk(4 << 20) as one, kernel.loop_disk(4 << 20) as other:
        script = " && ".join(f"dd if={disk} of=/dev/null bs=64k count=16 iflag=direct status=none"
                             for disk in (one, other, other))
        name = os.path.basename(one)
        for wanted, reads in ((name, 16), ("nosuch", 0)):
            path = new_path("report")
            run = subprocess.run([IOSPAN, "run", "-j", "-o", path, "-l", "vfs,device", "-d", wanted, "--", "sh", "-c",
                                  script], text=True, check=False, stderr=subprocess.PIPE)
            assert_eq(run.returncode, 0, run.stderr)
            with open(path, encoding="utf-8") as f:
                doc = json.load(f)
            expect_eq({d["name"]: d["accesses"] for d in doc["devices"]}, {name: reads} if reads else {})
            expect_eq(doc["layers"]["device"]["bytes"], reads << 16)
            expect_true(f"device: only the disks that match '{wanted}' are measured" in doc["notes"], doc["notes"])
            expect_ge(doc["layers"]["vfs"]["bytes"], 48 << 16)
            expect_eq("no device matches 'nosuch'" in run.stderr, not reads, run.stderr)


def unused_loop():
    """Returns the number of a loop device that no other test uses. Other tests take the free loop
    device with the lowest number."""
    return 1000 + os.getpid() % 100000


# If a disk matches --device at any time during the measurement, the status is 0. If no disk ever
# matches, the status is 1.
@test()
def a_device_may_appear_later():
    needs_run()
    number = unused_loop()
    for appears in False, True:
        with subprocess.Popen([IOSPAN, "stat", "-d", f"loop{number}", "50ms"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            line = child.stdout.readline()
            expect_true(line.startswith(f"no device matches 'loop{number}'; "), line)
            expect_true("present: " in line, line)
            with kernel.new_loop(number) if appears else contextlib.nullcontext():
                while appears and line and not line.startswith("no device that matches"):
                    line = child.stdout.readline()
            expect_true(line, "iospan ended early")
            child.terminate()
            _, err = child.communicate()
        expect_eq((child.returncode, err), (0, "") if appears else (
            1, f"iospan: no device matched 'loop{number}' during the measurement\n"))


@test()
def an_idle_device_has_a_line():
    needs_run()
    with kernel.new_loop(unused_loop()) as number:
        out = stat("-d", f"loop{number}")[0]
    expect_eq(out, f"no device that matches 'loop{number}' has I/O\n\n")


@test()
def a_recording_without_a_match_has_a_warning():
    needs_run()
    for option, warnings in (("-d", ["no device matches 'nosuch'; present: ",
                                     "no access matches the filters: device 'nosuch'\n"]),
                             ("-f", ["no access matches the filters: file 'nosuch'\n"])):
        done = subprocess.run([IOSPAN, "record", "-o", new_path("trace"), option, "nosuch", "--",
                               "true"], capture_output=True, text=True, check=False)
        expect_eq(done.returncode, 0, done.stderr)
        for text in warnings:
            expect_true(f"iospan: warning: {text}" in done.stderr, f"{option}: {done.stderr}")


main()
