#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: trace
"""Removes disks under load and adds them again. Compares their accesses with the oracle, which
computes accesses from ftrace events."""
import os
import sys
from contextlib import ExitStack

from lib import disks, kernel
from lib.compare import RING, compare
from lib.ktap import *
from lib.measure import expect_complete, measure, needs_oracle, needs_run, only
from lib.oracle import recorder
from lib.paths import idle_after

LOAD = ("fio --name=load --filename={} --output-format=terse --allow_file_create=0 "
        + " ".join(RING) + " --rw=randrw --size=16m --time_based --runtime={} "
        f"--thinktime=2000 --thinktime_blocks={scaled(48)}")


def load(disk, time):
    return LOAD.format(disk, time)


def script(*lines):
    return idle_after(["sh", "-c", "\n".join(lines) + "\nexit 0"])


def wait(path):
    return f"for i in $(seq 500); do test -b {path} && break; sleep 0.02; done; sleep 0.2"


def removed_and_back(disk, remove, back):
    """Removes and adds the disk twice, under load. Compares the accesses with the oracle."""
    again = (f"{load(disk, '4s')} >/dev/null 2>&1 & job=$!", "sleep 0.8", remove,
             "wait $job", "sleep 0.3", back, wait(disk))
    argv = script(*again, *again, f"{load(disk, '300ms')} >/dev/null 2>&1")
    # When the disk is back, another process reads its partition table. The oracle must not count
    # these reads, so compare() must not get ours=True (no other process uses the disk).
    report, oracle, _ = compare(argv, [disk], kinds=("read", "write"))
    name = disks.name_of(disk)
    expect_eq([d["name"] for d in report.document["devices"]].count(name), 1,
              f"rows of {name}")
    expect_ge(oracle.disk(disk).all().accesses, 100, "accesses")
    return report, oracle


@test(seconds=240)
def scsi_disk_deleted():
    needs_oracle("fio")
    with disks.scsi_debug() as (disk,):
        device = os.path.realpath(kernel.of_disk(disk, "device"))
        host = device.split("/host")[1].split("/")[0]
        removed_and_back(disk, f"echo 1 >{device}/delete",
                         f"echo '- - -' >/sys/class/scsi_host/host{host}/scan")


@test(seconds=240)
def null_disk_powered_off():
    needs_oracle("fio")
    with disks.null_disk("nullb-off") as disk:
        power = f"{disks.CONFIGFS}/nullb/nullb-off/power"
        removed_and_back(disk, f"echo 0 >{power}", f"echo 1 >{power}")


@test(seconds=240)
def nvme_disk_removed():
    needs_oracle("fio")
    disk = os.environ.get("IOSPAN_NVME")
    needs(disk, "needs an NVMe disk of its own, in $IOSPAN_NVME")
    bus = os.path.realpath(kernel.of_disk(disk, "device/device"))
    removed_and_back(disk, f"echo 1 >{bus}/remove", "echo 1 >/sys/bus/pci/rescan")


# "dmsetup remove --force" replaces the mapping of the upper disk by one that returns errors.
# Meanwhile, requests are in flight on the disk below.
@test(seconds=240)
def mapped_disk_removed_by_force():
    needs_oracle("fio", "dmsetup")
    with disks.scsi_debug(ndelay=500000) as (disk,):
        with disks.mapped("iospan-gone", f"0 {disks.sectors(disk)} linear {disk} 0") as top:
            argv = script(f"{load(top, '3s')} >/dev/null 2>&1 & job=$!", "sleep 0.8",
                          "dmsetup remove --force iospan-gone", "wait $job")
            report, oracle, _ = compare(argv, [top, disk], ours=True)
            expect_eq(report.layers["device"]["accesses"],
                      oracle.disk(disk).all().accesses, "the total is what is below")


def reads(disk, number):
    return f"dd if={disk} of=/dev/null bs=4k count={number} iflag=direct status=none"


# A new disk gets the device number of a removed disk, but another name. Each must have its own row.
@test(seconds=240)
def successor_with_another_name():
    needs_oracle("dd")
    with disks.null_disk("nullb-one") as one:
        number = os.stat(one).st_rdev
        folder = f"{disks.CONFIGFS}/nullb"
        argv = script(reads(one, 17), f"echo 0 >{folder}/nullb-one/power",
                      f"mkdir {folder}/nullb-two", f"cd {folder}/nullb-two",
                      "echo 64 >size; echo 1 >memory_backed; echo 1 >power",
                      wait("/dev/nullb-two"), reads("/dev/nullb-two", 23))

        def remove():
            kernel.write(0, f"{folder}/nullb-two/power")
            os.rmdir(f"{folder}/nullb-two")

        with kernel.undone(remove), recorder() as run:
            report, _, oracle = measure(argv, *only("device"), run=run)
            needs(os.path.exists("/dev/nullb-two"), "null_blk gives disks other names")
            expect_eq(os.stat("/dev/nullb-two").st_rdev, number, "device number of the successor")
        seen = {n: d["accesses"] for n, d in report.disks.items() if n.startswith("nullb")}
        expect_eq((set(seen), seen["nullb-one"]), ({"nullb-one", "nullb-two"}, 17), "rows")
        expect_eq(sum(seen.values()), oracle.disks[kernel.dev(number)].all().accesses,
                  "accesses")  # the sum includes reads of the partition table


# A loop device first has a file in memory. When it gets a file on a disk, it becomes a stacked
# disk. The report must have one row for the time before this change, and one for the time after.
@test(seconds=240)
def loop_that_is_stacked_later():
    needs_oracle("dd", "losetup")
    path = os.path.join(scratch_dir(), "file")
    with open(path, "wb") as f:
        os.posix_fallocate(f.fileno(), 0, 4 << 20)
    needs(kernel.disk_of(os.stat(path).st_dev), "the scratch directory is not on a disk")
    with disks.new_loop() as disk:
        memory = os.memfd_create("loop")
        os.posix_fallocate(memory, 0, 4 << 20)
        # Another test may have the device open for a moment. Then losetup -d takes effect later, so
        # the script waits until the file is detached. If that test has the device open exclusively,
        # losetup fails, so the script tries again.
        file = kernel.of_disk(disk, "loop/backing_file")
        attach = "i=0; until losetup {} {}; do [ $((i += 1)) -lt 6000 ]; sleep 0.01; done"
        argv = script(attach.format(disk, f"/proc/{os.getpid()}/fd/{memory}"), reads(disk, 17),
                      f"losetup -d {disk}", f"while test -e {file}; do sleep 0.01; done",
                      attach.format(disk, path), reads(disk, 23),
                      f"losetup -d {disk}")
        report, _ = measure(argv, *only("device"))
    rows = [(d["stacked"], d["accesses"]) for d in report.document["devices"]
            if d["name"] == disks.name_of(disk)]
    diagnostic(f"{rows}")
    expect_eq([stacked for stacked, _ in rows], [False, True], "rows")
    bottom = sum(d["accesses"] for d in report.document["devices"] if not d["stacked"])
    expect_eq(report.layers["device"]["accesses"], bottom, "the total")


# A program that changes the files of loop devices often. After each change, iospan treats the loop
# device as another disk with the same name.
CHANGING = """
import errno, fcntl, mmap, os, sys, threading, time
SET_FD, CLEAR_FD, CHANGE_FD = 0x4C00, 0x4C01, 0x4C06

def attached(disk):
    try:
        return fcntl.ioctl(disk, SET_FD, files[0]) == 0
    except OSError as error:
        if error.errno != errno.EBUSY:  # another process has the disk open exclusively
            raise
        return False

def change(path):
    disk, page = os.open(path, os.O_RDONLY | os.O_DIRECT), mmap.mmap(-1, 4096)
    while not attached(disk):
        time.sleep(0.01)
    for number in range(times):
        os.preadv(disk, [page], 0)
        fcntl.ioctl(disk, CHANGE_FD, files[number % 2])
    fcntl.ioctl(disk, CLEAR_FD)

times, paths = int(sys.argv[1]), sys.argv[2:]
memory = [os.memfd_create("loop") for _ in range(2)]
for m in memory:
    os.posix_fallocate(m, 0, 4096)
files = [os.open(f"/proc/self/fd/{m}", os.O_RDONLY) for m in memory]
for thread in [threading.Thread(target=change, args=[p]) for p in paths]:
    thread.start()
"""


# iospan treats each changed loop device as a new disk. There are more changes than iospan has
# entries for disks, so iospan must reuse entries. Each loop device must still have a single row.
@test(seconds=240)
def disks_that_come_back_often():
    needs_run()
    times = 131
    with ExitStack() as stack:
        made = [stack.enter_context(disks.new_loop()) for _ in range(8)]
        report, _ = measure([sys.executable, "-B", "-c", CHANGING, str(times), *made],
                            *only("device"))
    expect_complete(report)
    seen = [(d["name"], d["accesses"]) for d in report.document["devices"]]
    for disk in map(disks.name_of, made):
        expect_eq([n for name, n in seen if name == disk], [times], f"accesses, {disk}")


main()
