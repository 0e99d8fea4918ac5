#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests `iospan run -g` and `-p`, which measure a cgroup or process that already runs."""
import json
import os
import re
import signal
import subprocess
import sys
import time

from lib import kernel
from lib.cgroups import Groups
from lib.foreign import iospan
from lib.ktap import *
from lib.measure import needs_run, wait_for_file

CAP_SYS_ADMIN = 1 << 21
# A Python program with the arguments PATH and SIZE. Every 2 ms, it writes SIZE bytes at the start
# of the file PATH, until it is killed.
WRITER = """import os, sys, time
fd = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT)
while True:
    os.pwrite(fd, bytes(int(sys.argv[2])), 0)
    time.sleep(0.002)
"""


def writer(size, group=None):
    """Starts WRITER, in @group if one is given. Returns the process after its first write."""
    enter = (lambda: kernel.enter_groups([group])) if group else None
    path = f"{scratch_dir()}/{size}"
    process = subprocess.Popen([sys.executable, "-c", WRITER, path, str(size)], preexec_fn=enter)
    wait_for_file(path)
    return process


def attaching(pid):
    """Starts iospan on the process @pid. Returns (iospan, path of its report) as soon as iospan has
    attached its first BPF program."""
    out = f"{scratch_dir()}/report"
    seen = subprocess.Popen([IOSPAN, "run", "-q", "--json", "-l", "vfs", "-o", out, "-p", str(pid)])
    while seen.poll() is None and not kernel.bpf_ids(seen.pid, "link"):
        time.sleep(0.01)
    return seen, out


def run(*args):
    status, out, err = iospan("run", "-q", "--json", "-l", "vfs", "-o", "/dev/stdout", *args)
    assert_eq((status, err), (0, ""), str(args))
    return json.loads(out)


def writes_of(process):
    return int(re.search(r"^syscw: (\d+)", kernel.read(f"/proc/{process.pid}/io"), re.M)[1])


def wait_for_writes(processes, seen):
    """Waits until each of @processes has made a write from its start to its end while iospan, the
    process @seen, measures. On a busy machine, a write may take seconds."""
    # iospan gives up CAP_SYS_ADMIN when it has attached all BPF programs.
    while seen.poll() is None and kernel.capabilities(seen.pid) & CAP_SYS_ADMIN:
        time.sleep(0.01)
    for process in processes:
        until = writes_of(process) + 3  # the first write may have started earlier
        while seen.poll() is None and writes_of(process) < until:
            time.sleep(0.01)


def run_during_writes(processes, *args):
    """Measures until all of @processes have written. Returns iospan's report."""
    argv = [IOSPAN, "run", "-q", "--json", "-l", "vfs", "-o", "/dev/stdout", *args]
    seen = subprocess.Popen(argv, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for_writes(processes, seen)
    seen.send_signal(signal.SIGTERM)
    out, err = seen.communicate()
    assert_eq((seen.returncode, err), (0, ""), str(args))
    return json.loads(out)


def expect_writes(document, size):
    row = document["layers"]["vfs"]["operations"]["write"]
    expect_ge(row["accesses"], 1, f"writes of {size} bytes")
    expect_eq(row["bytes"], size * row["accesses"], f"writes of {size} bytes")


@test()
def one_process_is_measured():
    needs_run()
    one, other = writer(701), writer(809)
    document = run_during_writes((one, other), "-p", str(one.pid))
    expect_writes(document, 701)
    expect_eq(document["exit_status"], None, "exit status")
    expect_eq(document["argv"], [], "argv")
    expect_eq(document["title"].split("[")[1].split("]")[0], str(one.pid), "title")
    one.kill()
    other.kill()


# "-p 1" must select the process with id 1, although 1 also occurs in process names such as
# "cpuhp/1".
@test()
def a_number_is_the_id_of_a_process():
    needs_run()
    title = run("-p", "1", "-t", "1s")["title"]
    expect_true("[1]: " in title, title)


@test()
def one_cgroup_is_measured_with_those_below_it():
    needs_run()
    groups = Groups()
    with kernel.undone(groups.remove):
        for path in "/attach-a", "/attach-a/below", "/attach-b":
            groups.make(path)
        one = writer(701, groups.top + "/attach-a/below")
        other = writer(809, groups.top + "/attach-b")
        pattern = f"*{os.path.basename(groups.top)}/attach-a"
        expect_writes(run_during_writes((one, other), "-g", pattern), 701)
        status, _, err = iospan("run", "-g", f"*{os.path.basename(groups.top)}/attach-?",
                                "-t", "1s")
        expect_eq(status, 1, "two cgroups match")
        expect_true(re.match(r"iospan: '.*' matches several: .*attach-.* .*attach-.*; specify one",
                             err), err)
        for process in one, other:
            process.kill()
            process.wait()


@test()
def its_end_and_a_signal_end_the_measurement_with_a_report():
    needs_run()
    for what in "end", "signal":
        process = writer(701)
        seen, out = attaching(process.pid)
        if what == "end":
            process.kill()
            process.wait()
        else:
            seen.send_signal(signal.SIGTERM)
        expect_eq(seen.wait(), 0, f"status after the {what}")
        process.kill()
        process.wait()
        with open(out, encoding="utf-8") as file:
            row = json.load(file)["layers"]["vfs"]["operations"].get("write")
        if row:
            expect_eq(row["bytes"], 701 * row["accesses"], f"bytes, {what}")
        os.unlink(out)
        os.unlink(f"{scratch_dir()}/701")


@test()
def wrong_usage_is_refused():
    for args, message in (
            (("-p", "1", "--", "true"), "'true' is one argument too many; a command and "
             "'--cgroup' or '--process' exclude each other"),
            (("-p", "1", "-g", "a"), "option '--cgroup' has no effect with '--process'; "
             "leave out one of them"),
            (("-p", "1", "--attribution=kernel"),
             "the kernel charges no processes; leave out '--attribution=kernel'"),
            (("-p", "1", "--parent=/x"), "option '--parent' has no effect with '--process'; "
             "leave out one of them"),
            (("-t", "1s", "--", "true"), "option '--duration' has no effect with a command")):
        expect_eq(iospan("run", *args), (2, b"", f"iospan: {message}\n"), str(args))
    needs_run()
    status, _, err = iospan("run", "-p", "no such process", "-t", "1s")
    expect_eq(status, 1, "status")
    expect_true(re.match(r"iospan: no process matches 'no such process'; ", err), err)


main()
