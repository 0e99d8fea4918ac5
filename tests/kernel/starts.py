#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Starts and stops iospan many times, while another iospan measures a load. No BPF program, cgroup
or file may remain. IOSPAN_STARTS sets the number of starts; `make soak` makes 1,000. The oracle
computes the accesses of the load from ftrace events."""
import errno
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from contextlib import contextmanager

from lib import kernel
from lib.compare import expect_row
from lib.ktap import *
from lib.ktap import TOP, descendants
from lib.measure import environment, expect_complete, measure, needs_oracle
from lib.oracle import recorder

STARTS = int(os.environ.get("IOSPAN_STARTS", 12))
STARTERS = 4  # number of threads that start iospan
SIZE = 64 << 20
# Permitted growth of the kernel's memory in bytes, checked after at least MANY_STARTS starts. Each
# start makes BPF maps of several MB. After fewer starts, changes of other processes' memory could
# hide a leak.
GROWTH = 64 << 20
MANY_STARTS = 100
LOOKS = 100  # a number, not a time, because the machine may stand still
BPFTOOL = shutil.which("bpftool", path=os.environ["PATH"] + ":/usr/sbin:/sbin")
KOBJECT_UEVENT = 15  # the netlink protocol for device events of the kernel
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
# A shell script that runs fio again and again, until the file $1 exists.
LOAD = 'until [ -e "$1" ]; do shift; fio "$@" || exit; set -- "$stop" "$@"; done'


def until_empty(look):
    """Repeats look() until it finds nothing, at most LOOKS times. Returns its last findings."""
    for _ in range(LOOKS):
        if not (found := look()):
            break
        time.sleep(0.2)
    return found


def held_objects(pids):
    held = set()
    for pid in pids:
        try:
            for fd in os.listdir(f"/proc/{pid}/fdinfo"):
                with open(f"/proc/{pid}/fdinfo/{fd}", encoding="ascii",
                          errors="replace") as f:
                    held |= {(line.split("_id:")[0], int(line.split()[1])) for line in f
                             if line.startswith(("prog_id:", "map_id:", "link_id:"))}
        except OSError:
            pass  # the process has exited
    return held


def objects_of(kind):
    """Returns the output of bpftool for all objects of this kind. bpftool fails with EAGAIN if a
    process attaches a link at this moment. Then it is run again."""
    for _ in range(LOOKS):
        done = subprocess.run([BPFTOOL, "-j", kind, "show"], stdout=subprocess.PIPE, text=True)
        if done.returncode == 0:
            return json.loads(done.stdout or "[]")
        if os.strerror(errno.EAGAIN) not in done.stdout:
            break
        time.sleep(0.2)
    raise OSError(f"bpftool does not list each {kind}: {done.stdout}")


def objects():
    """Returns {("prog", id): name, ...} of all BPF programs, maps and links of the machine."""
    return {(kind, o["id"]): o.get("name", "") if kind != "link" else "link"
            for kind in ("prog", "map", "link") for o in objects_of(kind)}


def nobodys(names):
    """Returns the BPF programs and links that no process holds. Maps are left out, because the
    kernel may free them minutes later, after an RCU grace period."""
    there = {o: name for o, name in objects().items() if o[0] != "map"}
    held = held_objects(filter(str.isdigit, os.listdir("/proc")))
    return {o: name for o, name in there.items() if name in names and o not in held}


def groups_of(pids):
    return [os.path.join(above, name) for above in kernel.own_groups()
            for name in os.listdir(above)
            if (own := re.match(r"iospan-(\d+)", name)) and int(own[1]) in pids]


def kernel_bytes():
    with open("/proc/meminfo", encoding="ascii") as f:
        sizes = {line.split(":")[0]: int(line.split()[1]) for line in f}
    return (sizes["Percpu"] + sizes["VmallocUsed"]) << 10


def own_temporary_files():
    """Mounts an empty file system over each directory for temporary files, unless the test uses
    files there. Only this process and its children see the mounts. Returns the paths of the
    directories."""
    here = [d for d in ("/tmp", "/dev/shm") if os.path.isdir(d)
            and not any(p.startswith(d + "/") for p in (TOP, BUILD, IOSPAN, scratch_dir()))]
    for path in here:
        kernel.mount("tmpfs", path)
    return here


class Starts:
    """Threads that start and stop iospan again and again."""

    def __init__(self, seed, disk):
        self.dice, self.disk = random.Random(seed), disk
        self.pids, self.wrong, self.started, self.killed = set(), [], 0, 0
        self.ways = [(["true"], 0), (["false"], 1), (["/nonexistent"], 127),
                     (["dd", f"if={disk}", "of=/dev/null", "bs=4k", "count=500",
                       "iflag=direct", "status=none"], 0),
                     (["sleep", "2"], None), (["sleep", "2"], None)]

    def one(self, report):
        argv, status = self.dice.choice(self.ways)
        options = self.dice.choice(([], ["--by=cgroup"], ["--layers=device"]))
        child = subprocess.Popen([IOSPAN, "run", "--json", "-o", report, *options, "--",
                                  *argv], env=environment(), stderr=subprocess.PIPE,
                                 stdout=subprocess.DEVNULL, text=True)
        self.pids.add(child.pid)
        self.started += 1
        if status is None:
            time.sleep(self.dice.random() * 1.5)
            child.send_signal(self.dice.choice(SIGNALS))
            self.killed += 1
        err = child.communicate()[1]
        if status is not None and child.returncode != status:
            self.wrong.append(f"{argv[0]}: status {child.returncode}: {err}")
        if os.path.exists(report):
            with open(report, encoding="utf-8") as f:
                json.load(f)  # a report that exists must be complete
            os.unlink(report)
        elif status in (0, 1):
            self.wrong.append(f"{argv[0]}: no report")

    def some(self, number):
        try:
            for _ in range(number, STARTS, STARTERS):
                self.one(os.path.join(scratch_dir(), f"{number}.json"))
        except Exception as error:
            self.wrong.append(repr(error))

    def all(self, stop):
        threads = [threading.Thread(target=self.some, args=(n,)) for n in range(STARTERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with open(stop, "w", encoding="ascii"):
            pass


def names_of_objects():
    argv = [IOSPAN, "run", "-o", "/dev/null", "--", "sh", "-c", "echo; read -r line"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdout.readline()  # iospan starts the command after it has attached its programs
        held, there = held_objects([child.pid]), objects()
    return {there[o] for o in held if o in there} - {"", "link"}


def expect_nothing_left(names, starts, directories, before):
    mounts, memory, objects_before = before
    expect_eq(until_empty(lambda: descendants(os.getpid())), [], "processes")
    expect_eq(until_empty(lambda: groups_of(starts.pids)), [], "cgroups")
    # Objects from before this test may be leaks of earlier runs. Objects that appear from now on
    # belong to other tests. The test must count neither as its own leaks.
    left = {o: name for o, name in nobodys(names).items() if o not in objects_before}
    expect_eq(until_empty(lambda: {o: left[o] for o in left.keys() & nobodys(names).keys()}),
              {}, "BPF objects without a holder")
    for path in directories:
        expect_eq(os.listdir(path), [], f"files in {path}")
    with open("/proc/self/mountinfo", encoding="utf-8") as f:
        expect_eq(f.read(), mounts, "mounts")
    grown = kernel_bytes() - memory
    diagnostic(f"the kernel's memory, of all users: {grown:+d} bytes")
    if STARTS >= MANY_STARTS:
        until_empty(lambda: kernel_bytes() - memory > GROWTH)
        expect_le(kernel_bytes() - memory, GROWTH, "the kernel's memory")


@contextmanager
def told_of_disks():
    """Yields a function. It returns true if the kernel has reported a new or changed disk since the
    start of the with block."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK,
                       KOBJECT_UEVENT) as events:
        events.bind((0, 1))  # group 1 has the events of the kernel itself

        def any_came():
            try:
                while words := events.recv(1 << 16).split(b"\0"):
                    if words[0].startswith((b"add@", b"change@")) and b"DEVTYPE=disk" in words:
                        return True
            except OSError as error:
                # ENOBUFS: the kernel dropped events. One of them may have reported a new disk.
                return error.errno == errno.ENOBUFS

        yield any_came


def beside(starts, disk):
    """Measures a load with one iospan. Meanwhile, a thread starts and stops other instances of
    iospan. Returns (report, oracle)."""
    stop = os.path.join(scratch_dir(), "stop")
    load = ["fio", "--name=load", f"--filename={disk}", "--ioengine=io_uring", "--direct=1",
            "--rw=randrw", "--bs=4k", "--iodepth=8", "--norandommap=1", f"--size={SIZE}",
            "--io_size=16m", "--rate_iops=400", "--output=/dev/null"]
    thread = threading.Thread(target=starts.all, args=(stop,))
    with recorder(32 + STARTS // 5, [disk]) as run:
        thread.start()
        report, _, oracle = measure(["sh", "-c", f'stop=$1; {LOAD}', "sh", stop, *load[1:]],
                                    run=run)
        thread.join()
    return report, oracle


@test(seconds=120 + 5 * STARTS)
def starts_leave_nothing_and_disturb_nobody():
    needs_oracle("fio")
    needs(BPFTOOL, "needs bpftool")
    seed = int(os.environ.get("IOSPAN_STARTS_SEED", random.randrange(1 << 30)))
    kernel.adopt_orphans()
    directories = own_temporary_files()
    objects_before = objects()
    names = names_of_objects()
    expect_ge(len(names), 20, "names of BPF objects")
    with open("/proc/self/mountinfo", encoding="utf-8") as f:
        before = f.read(), kernel_bytes(), objects_before
    began = time.monotonic()
    with kernel.loop_disk(SIZE) as disk, told_of_disks() as any_came:
        starts = Starts(seed, disk)
        report, oracle = beside(starts, disk)
        diagnostic(f"seed {seed}: {starts.started} starts, {starts.killed} of them killed, "
                   f"in {time.monotonic() - began:.0f} s; losses {report.lost()}")
        expect_eq(starts.wrong, [], "errors of the starts")
        # Accesses may be missing only if a disk appeared during the run, and this disk has bios but
        # no requests. The loss late_bios shows this.
        expect_complete(report)
        expect_true(any_came() or not report.losses["late_bios"],
                    "late_bios occur only with a new disk")
        expect_eq((oracle.unmatched, oracle.unfinished()), (0, 0),
                  "events that the oracle could not pair")
        row = report.disks[os.path.basename(disk)]
        # Other programs run between two accesses, so the CPU's cache often lacks the code of iospan
        # and of the oracle. The tolerance of 1000 ns allows for this.
        expect_row(row, oracle.disk(disk).all(), report.untimed(),
                   "the instance beside them", 1000)
    expect_nothing_left(names, starts, directories, before)


main()
