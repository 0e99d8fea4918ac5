#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the names of processes and files in a trace, when pids and inode numbers are reused."""
import os
import signal
import subprocess
import sys
import time
from collections import Counter

from lib import disks, kernel, stalled
from lib.disks import loop_over
from lib.foreign import new_path, rows
from lib.ktap import *
from lib.measure import (make_file, measure, named_first, needs_features, needs_run, needs_workload,
                         workload)

CORNERS, RINGS = workload("corners"), workload("rings")


def record(argv, *options):
    trace = new_path("trace")
    done = subprocess.run([IOSPAN, "record", "-o", trace, *options, "--", *argv], text=True,
                          capture_output=True, check=False)
    assert_eq(done.returncode, 0, f"status of {argv[0]} ({done.stderr.strip()})")
    return rows(trace)


def directory():
    path = os.path.join(scratch_dir(), f"files{len(os.listdir(scratch_dir()))}")
    os.mkdir(path)
    return path


# A program that reuses numbers. A new file gets the inode number of a removed file, and a new
# process gets an old pid. exec changes the name of the process. The program writes each file on two
# CPUs, but iospan records the name of the file on only one of them.
REUSING = """
import ctypes, os, signal, sys
libc = ctypes.CDLL(None)

def fork(number):
    numbers = ctypes.c_int(number)
    at = ctypes.addressof(numbers) if number else 0
    clone_args = (ctypes.c_uint64 * 10)(0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, at, number > 0)
    return libc.syscall(435, clone_args, ctypes.sizeof(clone_args))	# clone3

number = 0
for name in "first", "second":
    number = fork(number)
    if number == 0:
        with open("/proc/self/comm", "w") as comm:
            comm.write(name)
        os.write(os.open(f"{sys.argv[1]}/{name}", os.O_CREAT | os.O_WRONLY), name.encode())
        os._exit(0)
    os.waitpid(number, 0)
cpus = sorted(os.sched_getaffinity(0))
for i in range(2000):
    path = f"{sys.argv[1]}/n{i}"
    file = os.open(path, os.O_CREAT | os.O_WRONLY)
    for bytes, cpu in (1000 + i, cpus[-1]), (5000 + i, cpus[0]):
        os.sched_setaffinity(0, [cpu])
        os.write(file, b"x" * bytes)
    os.close(file)
    os.unlink(path)
os.execvp("dd", ["dd", "if=/dev/zero", f"of={sys.argv[1]}/last", "bs=99", "count=1"])
"""


@test()
def a_reused_number_has_its_new_name():
    needs_run("dd")
    place = directory()
    mine = [r for r in record([sys.executable, "-B", "-c", REUSING, place])
            if r["op"] == "write" and r["file"].startswith(place)]
    for layer in "app", "vfs":
        named = {(int(r["bytes"]), r["file"].rpartition("/")[2], r["process"][:6])
                 for r in mine if r["layer"] == layer}
        wanted = {(size + i, f"n{i}", "python") for i in range(2000) for size in (1000, 5000)}
        wanted |= {(99, "last", "dd"), (5, "first", "first"), (6, "second", "second")}
        expect_eq(named ^ wanted, set(), f"{layer}: bytes, file, process, wrong or missing")
    children = {(r["process"], r["pid"]) for r in mine if r["process"] in ("first", "second")}
    expect_eq(len({number for _, number in children}), 1, "numbers of the two")


# With the app layer alone, no BPF program sees the processes. So the preloaded library must record
# their names.
@test()
def app_layer_alone():
    needs_run("dd")
    path = make_file("load", 8192)
    dd = ["dd", f"if={path}", f"of={path}.copy", "bs=4k", "status=none"]
    found = record(named_first(dd), "--layers=app")
    expect_eq({r["process"] for r in found if r["bytes"] == "4096"}, {"dd"},
              "processes that read and write")
    expect_eq({r["process"] for r in found if r["bytes"] != "4096"}, {"sh", "dd"},
              "processes of all accesses")


# iospan records at most 127 bytes of each component of a path, and at most 14 components. If a path
# is longer, its name must show that a part is missing.
@test()
def long_paths():
    needs_run("dd")
    place = directory()
    for length in 126, 127, 128, 255:
        path = os.path.join(place, "f" * length)
        found = {r["file"] for r in record(["dd", "if=/dev/zero", f"of={path}", "bs=99", "count=1"])
                 if r["layer"] == "vfs" and r["bytes"] == "99" and r["op"] == "write"}
        expect_eq(found, {path if length < 127 else f"{place}/{'f' * 127}..."}, f"{length} bytes")
    path = os.path.join(place, *(f"d{i}" for i in range(13)), "file")
    os.makedirs(os.path.dirname(path))
    found = {r["file"] for r in record(["dd", "if=/dev/zero", f"of={path}", "bs=99", "count=1"])
             if r["layer"] == "vfs" and r["bytes"] == "99" and r["op"] == "write"}
    expect_eq(found, {"..." + path.removeprefix(place)}, "a path of 14 components")


# At the device layer, iospan knows only the path within the file system. It must put the mount
# point before the path, even if the mount point is long or has special characters.
@test()
def mount_points_of_all_kinds():
    needs_run("mkfs.ext4")
    with kernel.new_loop_disk(32 << 20) as disk:
        disks.tool("mkfs.ext4", "-q", disk)
        for point in "plain", "m nt\tx", "back\\slash#", "q" * 180:
            place = os.path.join(scratch_dir(), point)
            os.mkdir(place)
            kernel.mount("ext4", place, disk)
            with kernel.undone(lambda path=place: kernel.unmount(path)):
                # iospan finds the file at the completion. One completion may be lost, so there
                # are several writes.
                found = record(["dd", "if=/dev/zero", f"of={place}/zz", "bs=4k", "count=31",
                                "oflag=dsync"], "--layers=device")
            expect_eq({r["file"] for r in found if r["file"].endswith("/zz")}, {f"{place}/zz"}, point)


# A program that syncs two directories. The path of the root directory has no components, but must
# be shown as "/".
SYNCING = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
for path in "/", sys.argv[1]:
    file = os.open(path, os.O_RDONLY)
    os.fsync(file)
    os.fdatasync(file)
    libc.sync_file_range(file, ctypes.c_long(0), ctypes.c_long(0), 2)
    libc.syncfs(file)
"""


@test()
def synced_directories():
    needs_run()
    place = directory()
    found = Counter((r["layer"], r["file"]) for r in
                    record([sys.executable, "-B", "-c", SYNCING, place]) if r["op"] == "sync")
    expect_eq(found, {(layer, path): 4 for layer in ("app", "vfs") for path in ("/", place)})


@test()
def synced_directories_by_io_uring():
    needs_workload(RINGS)
    needs_features("io_uring_req_events", "io_uring")
    path = make_file("load", 1 << 20)
    found = Counter((r["layer"], r["file"]) for r in record([RINGS, "sync", path])
                    if r["op"] == "sync")
    wanted = {(path, 8), (os.getcwd(), 16)}
    expect_eq(found, {(layer, name): n for layer in ("app", "vfs") for name, n in wanted})


@test()
def without_an_end():
    """io_uring reads without a completion event (IOSQE_CQE_SKIP_SUCCESS) must also have names."""
    needs_workload(CORNERS)
    needs_features("io_uring_req_events", "io_uring")
    path = make_file("load", 1 << 20)
    found = [r for r in record(named_first([CORNERS, "skip", path])) if r["unspanned"] == "1"]
    expect_ge(len(found), 1, "accesses")
    expect_eq({(r["process"], r["file"]) for r in found}, {("corners", path)})


@test()
def names_without_room_are_counted():
    place, trace = directory(), new_path("trace")
    script = ('cd "$0"; echo >ready; while [ ! -e go ]; do sleep .01; done; i=0; '
              'while [ $((i += 1)) -le 2000 ]; do echo >made$i; done')
    with subprocess.Popen([IOSPAN, "record", "-o", trace, "--buffer=1M", "--layers=vfs", "--",
                           "sh", "-c", script, place], text=True,
                          stderr=subprocess.PIPE) as child:
        while not os.path.exists(os.path.join(place, "ready")):
            time.sleep(0.01)
        kernel.stop(child.pid)
        with open(os.path.join(place, "go"), "wb"):
            pass
        while not os.path.exists(os.path.join(place, "made2000")):
            time.sleep(0.01)
        child.send_signal(signal.SIGCONT)
        text = child.communicate()[1]
    expect_eq(child.returncode, 0, "status")
    expect_true("names of processes or files not recorded" in text, text)


READING = """
import os, sys, time
file = os.open(sys.argv[1], os.O_RDONLY)
for i in range(200):
    os.read(file, 4096)
    time.sleep(0.01)
"""


# The file is on a server that does not answer. iospan must read the path from /proc, which does not
# ask the server.
@test()
def a_server_that_does_not_answer_delays_no_reads():
    needs_run("python3")
    for layers in "app", "vfs":
        with stalled.mounted() as path:
            found = record([sys.executable, "-c", READING, path], "-l", layers, "--file", path)
            expect_eq(sum(row["bytes"] == "4096" for row in found), 200, f"{layers}: reads")


@test()
def a_server_that_gives_no_attributes_delays_no_reads():
    """The server answers all requests except those for attributes. The preloaded library must not
    ask for attributes, because the program's reads would then wait."""
    needs_run("python3")
    with stalled.mounted(stalled.without_attributes) as path:
        found = record([sys.executable, "-c", READING, path], "-l", "app", "--file", path)
        expect_eq(sum(row["bytes"] == "4096" for row in found), 200)


@test()
def report_of_a_loop_device_needs_no_answer_of_its_server():
    """A loop device is over a file on a server that does not answer. The report must show the
    device without asking the server for the disk below."""
    needs_run("losetup", "dd")
    with stalled.mounted() as path, loop_over(path) as disk:
        dd = ["dd", f"if={disk}", "of=/dev/null", "bs=4k", "count=16", "iflag=direct"]
        report, _ = measure(dd)
        devices = report.document["environment"]["devices"]
        expect_eq([d["lower_devices"] for d in devices if d["name"] == os.path.basename(disk)], [[]])


main()
