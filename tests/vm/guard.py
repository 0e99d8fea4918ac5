#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the guard with stacked disks. The guard refuses a benchmark's target that is in use."""
import os
import subprocess
from contextlib import contextmanager

from lib import disks
from lib.guarding import *
from lib.kernel import attached
from lib.ktap import *

SSD = os.environ.get("IOSPAN_SSD")
SECTORS = 65536


def linear(disk, first=0):
    return f"0 {SECTORS} linear {disk} {first}"


def name_of(disk):
    return os.path.basename(disk)


@contextmanager
def image():
    path = f"{scratch_dir()}/image"
    with open(path, "wb") as f:
        f.truncate(SIZE)
    with attached(path) as disk:
        yield path, disk


@test(seconds=600)
def a_disk_below_that_a_process_has_open():
    with disks.mapped("d0", linear(SSD)) as disk:
        who = f"is made of '{name_of(SSD)}', which is open for writing in process {os.getpid()}"
        with open(SSD, "rb+"):
            expect_refused(*DESTROY, disk, why=who)
        with attached(disk) as loop:
            with open(SSD, "rb+"):
                expect_refused(*DESTROY, loop, why=who)
            expect_opened(*DESTROY, loop)
            with disks.mapped("d1", linear(disk)) as second:
                expect_refused(*DESTROY, disk, why=f"is part of '{name_of(second)}'")
                expect_refused(*DESTROY, loop, why=f"is made of '{disk}', which is part of ")


@test(seconds=600)
def a_loop_device_over_a_disk_below():
    with attached("-o", MIB, "--sizelimit", 16 * MIB, SSD) as loop:
        ext4(loop)
        with disks.mapped("d0", linear(SSD)) as disk, disks.mapped("d1", linear(disk)) as second:
            why = f"has bytes of '{name_of(loop)}', which is mounted on "
            with mounted(loop):
                expect_refused(*DESTROY, "-s", "ext4", second, why=why)
            expect_opened(*DESTROY, second)


@test(seconds=600)
def a_file_below_a_disk_below():
    with image() as (path, below), attached("-o", MIB, path) as used, \
            disks.mapped("d0", linear(below)) as disk:
        ext4(used)
        why = f"has bytes of '{name_of(used)}', which is mounted on "
        with mounted(used):
            expect_refused(*DESTROY, disk, why=why)
        with disks.mapped("d1", linear(used)) as second:
            expect_refused(*DESTROY, disk, why=f"which is part of '{name_of(second)}'")
        expect_opened(*DESTROY, disk)


@test(seconds=600)
def a_partition_below_a_mapped_disk():
    with image() as (_, below), partition(below, 1, 2048, SECTORS) as first, \
            partition(below, 2, 2048 + SECTORS, 2048) as second, \
            disks.mapped("d0", linear(first)) as disk:
        ext4(second)
        with mounted(second):
            expect_opened(*DESTROY, disk)
        with open(below, "rb+"):
            expect_refused(*DESTROY, disk, why=f"has bytes of '{name_of(below)}', which is open")


# Two mapped disks over one disk, like two logical volumes, usually share no bytes. If one of them
# is in use, a benchmark may still write to the other one.
@test(seconds=600)
def mapped_disks_over_one_disk():
    with disks.mapped("d0", linear(SSD)) as disk:
        with disks.mapped("d1", linear(SSD, SECTORS)) as used, \
                attached("-o", SECTORS * 512, SSD) as loop, open(loop, "rb+"):
            ext4(used)
            with mounted(used):
                expect_opened(*DESTROY, disk)
        table = f"0 8 linear {SSD} {2 * SECTORS}", f"8 {SECTORS} linear {SSD} {SECTORS - 8}"
        with disks.mapped("d1", *table) as used, attached("-o", 512 * 8, used) as over:
            why = f"has bytes of '{name_of(used)}', which is open for writing "
            with open(used, "rb+"):
                expect_refused(*DESTROY, disk, why=why)
            with open(over, "rb+"):
                expect_refused(*DESTROY, disk, why=why.replace(name_of(used), name_of(over)))
        with disks.mapped("d1", *table) as used, attached("-o", 512 * 16, used) as over, \
                open(over, "rb+"):
            expect_opened(*DESTROY, disk)


# The table of this mapped disk has 20,000 segments and more than 1 MiB of text. The guard must read
# all of it.
@test(seconds=600)
def a_disk_of_many_segments():
    count = 20000
    table = [f"{i * 8} 8 linear {SSD} {(count - i) * 8}" for i in range(count)]
    with disks.mapped("d0", linear(SSD)) as disk, disks.mapped("d1", *table) as used:
        with open(used, "rb+"):
            expect_refused(*DESTROY, disk, why=f"has bytes of '{name_of(used)}', which is open for "
                                               "writing ")
        with open(disk, "rb+"):
            expect_refused(*DESTROY, used, why=f"has bytes of '{name_of(disk)}', which is open for "
                                               "writing ")
        with open(SSD, "rb+"):
            expect_refused(*DESTROY, used, why=f"is made of '{name_of(SSD)}', which is open")
        expect_opened(*DESTROY, disk)


def wipe(disk):
    with open(disk, "rb+", buffering=0) as f:
        f.write(bytes(MIB))


def expect_passed_on(target, passes):
    """@passes is a character device that passes commands to the disk @target. While a program has
    @passes open for writing, the guard must refuse a mapped disk over @target."""
    wipe(target)
    with disks.mapped("d0", linear(target)) as disk:
        with open(passes, "rb+", buffering=0):
            expect_refused(*DESTROY, disk, why=f"is made of '{name_of(target)}', which is open")
        with open(passes, "rb", buffering=0):
            expect_opened(*DESTROY, disk)
        expect_opened(*DESTROY, disk)


def scsi_node(kind):
    """Returns the name of the SSD's character device of @kind: scsi_generic or bsg."""
    names = os.listdir(f"/sys/block/{name_of(SSD)}/device/{kind}")
    expect_eq(len(names), 1, f"{kind}: {names}")
    return names[0]


@test(seconds=600)
def character_devices_that_pass_commands():
    subprocess.run(["modprobe", "-q", "sg"], check=False)
    nvme = os.environ["IOSPAN_NVME"]
    for target, passes in ((SSD, f"/dev/{scsi_node('scsi_generic')}"),
                           (SSD, f"/dev/bsg/{scsi_node('bsg')}"),
                           (nvme, nvme.replace("nvme", "ng"))):
        expect_passed_on(target, passes)


@test(seconds=600)
def an_array():
    with image() as (path, below), attached("-o", MIB, path) as used, \
            disks.array("md_guard", "raid0", [below]) as disk:
        with open(below, "rb+"):
            expect_refused(*DESTROY, disk, why=f"is made of '{name_of(below)}', which is open ")
        with open(used, "rb+"):
            expect_refused(*DESTROY, disk, why=f"has bytes of '{name_of(used)}', which is open ")
        expect_opened(*DESTROY, disk)


main()
