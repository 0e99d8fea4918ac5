#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests iospan bench load: its counts, compared with those of the kernel, its options and its
output files."""
import glob
import json
import os
import signal
import subprocess

from lib import kernel
from lib.forms import expect_same_numbers_of_runs
from lib.ktap import *
from lib.loads import Running, load
from lib.measure import expect_complete, measure, needs_run

# The build without sanitisers, because a program with sanitisers cannot load the preloaded library.
PLAIN = IOSPAN.replace("/san/", "/")


# With direct I/O, all layers must have the same counts. At the vfs layer, the test compares only
# writes, because there iospan also reads signatures of file systems.
def same_at_all_layers(engine, name, *options):
    needs_run()
    with kernel.loop_disk(32 << 20) as disk:
        report, out = measure([PLAIN, "bench", "load", disk, "--json", "--unique-bytes", "32M",
                               "-n", "5003", "--engine", engine, *options])
        own = json.loads(out)["layers"]["app"]
        one, row = own["operations"][name], report.disks[os.path.basename(disk)]
        expect_eq((own["errors"], own["accesses"], one["bytes"]), (0, 5003, 5003 << 12),
                  "requests")
        if name == "write":
            expect_eq(report.operation("vfs", name), (5003, 5003 << 12), "vfs")
        expect_eq(row["operations"][name]["bytes"], 5003 << 12, "disk: bytes")
        expect_le(row["operations"][name]["accesses"], 5003, "disk: accesses")
        expect_complete(report)


@test()
def uring_equals_the_kernel():
    same_at_all_layers("uring", "read")
    same_at_all_layers("uring", "write", "--destroy", "--read=0")


@test()
def psync_equals_the_kernel():
    same_at_all_layers("psync", "read", "--seq=0.5")
    same_at_all_layers("psync", "write", "--destroy", "--read=0")


# All layers must count the same requests. They must also agree on the requests that are in flight
# at the end of the warm-up. The kernel merges no requests on zram.
def layers_count_the_same(engine, *options):
    needs_run()
    with kernel.zram_disk(32 << 20) as disk:
        status, found, err = load(disk, "--layers=app,vfs,device", "--unique-bytes", "32M", "--engine", engine, "--warm-up", "200ms",
                                  "-t", "500ms", "--procs", "2", *options)
    expect_eq((status, err), (0, ""), "status, stderr")
    layers, lost = found["layers"], found["losses"]["completions"]
    # after a pause of the machine, the time of the load may be over after few requests
    expect_ge(layers["app"]["accesses"], 1, "requests")
    for layer in ("vfs", "device"):
        expect_eq((layers[layer]["accesses"], layers[layer]["bytes"]),
                  (layers["app"]["accesses"], layers["app"]["bytes"]), f"{engine}: {layer}")
    expect_le(layers["vfs"]["span_ns"], layers["app"]["span_ns"], "T of vfs, against app")
    if not lost:
        expect_le(layers["device"]["span_ns"], layers["vfs"]["span_ns"],
                  "T of device, against vfs")
    expect_eq([d["name"] for d in found["devices"]], [os.path.basename(disk)], "disks")


@test()
def layers_of_uring():
    layers_count_the_same("uring")
    layers_count_the_same("uring", "--read=0.3", "--destroy", "--processes")


@test()
def layers_of_psync():
    layers_count_the_same("psync", "--read=0.3", "--destroy")


@test()
def processes_exit_by_themselves():
    for _ in range(5):
        status, _, err = load(scratch_dir(), "--unique-bytes", "1M", "-n", "100", "--procs", "4", "--processes",
                              "--buffered")
        expect_eq((status, err), (0, ""), "status, stderr")


@test()
def a_directory_is_left_empty():
    folder = scratch_dir()
    status, found, err = load(folder, "--unique-bytes", "4M", "--read", "0.5", "-n", "1000", "--procs=2",
                              "--buffered")
    expect_eq((status, err), (0, ""), "status, stderr")
    expect_eq(found["layers"]["app"]["accesses"], 2000, "requests of two processes")
    expect_eq(found["complete"], True, "complete")
    expect_eq(os.listdir(folder), [], "files left")


@test()
def a_line_for_each_interval():
    run = Running(scratch_dir(), "--unique-bytes=4M", "--buffered", "-t", "600s")
    run.until("accesses", 1).rounds(2).signal(signal.SIGTERM).child.wait()
    with open(run.live, encoding="ascii") as f:
        rounds = [json.loads(line) for line in f]
    status, found, _ = run.end()
    expect_eq((status, len(rounds)), (0, len(found["interval_iops"])), "status, lines")
    counts = [line["app"]["accesses"] for line in rounds]
    expect_true(counts == sorted(counts) and 1 <= counts[-1] <= found["layers"]["app"]["accesses"],
                f"requests until the end of each interval: {counts}")


@test()
def all_forms_have_the_same_numbers():
    needs_run()
    expect_same_numbers_of_runs("bench", "load", scratch_dir(), "--unique-bytes=4M", "--read=0.5", "--buffered",
                                "--verify", "--layers=app,vfs,device", "-t", "1s", "--interval=50ms", "--warm-up=0")


@test()
def live_lines_destroy_nothing():
    """--log must be refused before the load, if it names the target or an older file."""
    data, old = (os.path.join(scratch_dir(), name) for name in ("data", "old"))
    with open(data, "wb") as f:
        f.truncate(4 << 20)
    kernel.write("old", old)
    os.link(data, data + ".hard")
    os.symlink(data, data + ".soft")
    for name in data, data + ".hard", data + ".soft":
        status, found, err = load(data, "--unique-bytes", "4M", "-n", "10", "--buffered", "--log", name)
        expect_eq((status, found), (1, None), name)
        expect_eq(err, f"iospan: cannot write '{name}': it is the input '{data}'; give another "
                  "name\n")
        expect_eq(os.path.getsize(data), 4 << 20, "bytes of the data")
    status, found, err = load(data, "--unique-bytes", "4M", "-n", "10", "--buffered", "--log", old)
    expect_eq((status, found, err), (1, None, f"iospan: '{old}' exists; remove it first\n"))
    expect_eq(kernel.read(old), "old")
    new = os.path.join(scratch_dir(), "new")
    for target, why in ((new, f"cannot write '{new}': it is the input '{new}'"),
                        (f"{new}er", f"cannot open '{new}er'")):
        status, found, err = load(target, "--unique-bytes", "4M", "-n", "10", "--log", new)
        expect_eq((status, found, why in err), (1, None, True), err)
        expect_true(not os.path.lexists(new), f"{target}: an empty file is left")


def threads(pids):
    for pid in pids:
        for path in glob.glob(f"/proc/{pid}/task/*/comm"):
            with open(path, encoding="utf-8") as f:
                yield f.read()


@test()
def a_kernel_thread_polls():
    for options, expected in (((), False), (("--sqpoll",), True)):
        run = Running(scratch_dir(), "--unique-bytes=4M", "--buffered", "-t", "600s", *options)
        seen = list(threads([run.until("accesses", 1).keeper()]))
        expect_eq(any("iou-sqp" in name for name in seen), expected, f"{options}: {seen}")
        expect_eq(run.signal(signal.SIGTERM).end()[0], 0, "status")


def expect_fitted(targets, size):
    status, found, err = load(*targets, "-n10", "--buffered")
    if expect_eq((status, err), (0, ""), f"{targets}: status, stderr"):
        asked = found["load"]
        expect_eq((asked["unique_bytes"], asked["unique_bytes_by_target"]), (size, True), f"{targets}")


# Without --unique-bytes, a load uses a default amount of data. If the target is smaller, the load
# must use the size of the target.
@test()
def the_size_of_a_smaller_target_is_the_default():
    path = f"{scratch_dir()}/data"
    with open(path, "wb") as f:
        f.write(os.urandom((1 << 20) + 4097))
    targets = [([path], (1 << 20) + 4096), ([path, "--procs=2"], 1 << 20),
               ([path, path, "--procs=3"], 3 << 19)]
    for names, size in targets:
        expect_fitted(names, size)
    if root():
        with kernel.attached("--direct-io=off", path) as disk:
            expect_fitted([disk], (1 << 20) + 4096)
    _, found, _ = load(path, "--unique-bytes=1M", "-n10", "--buffered")
    expect_eq((found["load"]["unique_bytes"], found["load"]["unique_bytes_by_target"]), (1 << 20, False), "given")
    status, found, err = load(path, "--unique-bytes=2M", "-n10", "--buffered")
    expect_eq((status, found), (1, None), "too much is given")
    expect_true("use --unique-bytes 1028k or less" in err, err)


@test()
def the_class_sets_the_defaults():
    for options, depth, batch in (
            (("--class=hdd",), (4, True), (1, True)),
            (("--class=nvme",), (64, True), (16, True)),
            (("--class=hdd", "--depth=8"), (8, False), (1, True)),
            (("--class=nvme", "--depth=3"), (3, False), (3, False)),
            (("--class=hdd", "--batch=6"), (6, False), (6, False))):
        status, found, _ = load(scratch_dir(), "--unique-bytes", "1M", "-n", "10", "--buffered", *options)
        asked = found["load"]
        expect_eq((status, asked["depth"], asked["depth_by_class"], asked["batch"],
                   asked["batch_by_class"]), (0, *depth, *batch), f"{options}")
        expect_eq((asked["class"], asked["class_given"]), (options[0][8:], True), "class")
    status, found, _ = load(scratch_dir(), "--unique-bytes", "1M", "-n", "10", "--buffered")
    devices = [device["class"] for device in found["environment"]["devices"]]
    expect_eq(found["load"]["class"], devices[0] if devices else "unknown", "detected class")
    expect_eq(found["load"]["class_given"], False, "class was specified")
    told = subprocess.run([IOSPAN, "bench", "load", "--help"], capture_output=True, text=True,
                          check=False).stdout
    expect_eq(told.count("[by class]"), 2, "options of --help with a default by class")


# Loop devices support neither polling nor passthrough, so the load must be refused.
# tests/vm/nvme.py tests both with an NVMe disk.
@test()
def polling_and_passthrough_are_refused():
    needs(root(), "needs root")
    with kernel.loop_disk(32 << 20) as disk:
        for option, words in (("--iopoll", "no queues to poll"), ("--passthrough", "NVMe disks")):
            status, found, err = load(disk, "--unique-bytes", "4M", option)
            expect_eq((status, found), (1, None), f"{option}: status, result")
            expect_true(words in err, err)


@test()
def reads_do_not_change_the_access_time():
    path = os.path.join(scratch_dir(), "file")

    def read_by(action):
        # The kernel updates an access time only if it is older than the modification time.
        os.utime(path, (1, 2))
        action()
        return os.stat(path).st_atime

    with open(path, "wb") as f:
        f.write(bytes(1 << 20))
    with open(path, "rb") as f:
        needs(read_by(f.read) != 1, "this file system keeps no access times")
    for engine in "uring", "psync", "mmap":
        expect_eq(read_by(lambda: load(path, "--unique-bytes=1M", "-n100", "--buffered", f"--engine={engine}")), 1,
                  engine)


@test()
def wrong_usage():
    for options, words in (((), "no target"), (("/tmp", "--engine=foo"), "unknown engine"),
                           (("/tmp", "--read", "2"), "fractions from 0 to 1"),
                           (("/tmp", "--class", "tape"), "class"),
                           (("/tmp", "-s", "5000"), "multiple"),
                           (("/tmp", "-s", "600M", "--size-dist", "exponential"), "more than 1G"),
                           (("/tmp", "--duration=0"), "--duration"),
                           (("/tmp", "--interval=5124095h"), "--interval"),
                           (("/tmp", "--batch=64", "--depth=32"), "--depth"),
                           (("/tmp", "-s", "0"), "iospan: --size cannot be 0\n"),
                           (("/tmp", "--procs", "0"), "iospan: --procs cannot be 0\n"),
                           (("/tmp", "--align", "0"), "iospan: --align cannot be 0\n"),
                           (("/tmp", "--unique-bytes", "1k"), "--unique-bytes")):
        status, found, err = load(*options)
        expect_eq((status, found), (2, None), f"{options}: status, result")
        expect_true(words in err and err.count("\n") == 1, f"{options}: {err}")


main()
