#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the guard with block devices: the checks before a benchmark writes to its target. It
refuses a device if a benchmark would destroy data there. An open with O_EXCL claims a device."""
import json
import os
import shutil
import stat
import subprocess
import sys
import time

from lib import kernel, signatures
from lib.guarding import *
from lib.kernel import attached
from lib.ktap import *

@test()
def a_device_is_only_read():
    needs_disks()
    with kernel.loop_disk(SIZE) as disk:
        expect_opened("-o", disk, kind="device", bytes=SIZE, writable=False, direct=True)
        expect_opened("-d", disk, writable=False)
        expect_refused("-w", disk, why="--destroy")
        ext4(disk)
        with mounted(disk):
            expect_opened(disk, writable=False)
            expect_refused("-w", disk, why="--destroy")


@test()
def a_free_device_is_written_with_permission():
    needs_disks()
    with kernel.loop_disk(SIZE) as disk:
        expect_opened(*DESTROY, "-o", "-n", SIZE, disk, kind="device", bytes=SIZE,
                      writable=True, direct=True)
        expect_true(is_written(disk), f"written to {disk}")
        with open(disk, "rb") as f:
            f.seek(4096)
            expect_true(not any(f.read(MIB)), "later blocks are unchanged")


@test()
def a_mounted_device_by_any_name():
    needs_disks()
    with kernel.loop_disk(SIZE) as disk:
        ext4(disk)
        link, node = f"{scratch_dir()}/link", f"{scratch_dir()}/node"
        os.symlink(disk, f"{scratch_dir()}/first")
        os.symlink("first", link)
        os.mknod(node, 0o600 | stat.S_IFBLK, os.stat(disk).st_rdev)
        with mounted(disk) as where:
            for name in (disk, link, node):
                expect_refused(*DESTROY, "-s", "ext4", name, why=f"mounted on '{where}'")
        expect_opened(*DESTROY, "-s", "ext4", node)


@test()
def a_device_with_a_mounted_partition():
    needs_disks()
    with kernel.loop_disk(SIZE, flags=kernel.LO_FLAGS_PARTSCAN) as disk, \
            partition(disk, 1, 2048, 40960) as first, \
            partition(disk, 2, 45056, 2048) as second:
        ext4(first)
        name = os.path.basename(first)
        with mounted(first):
            expect_refused(*DESTROY, "-s", "partitions", disk,
                           why=(f"partition '{name}'", "mounted on"))
            expect_refused(*DESTROY, "-s", "ext4", first, why="mounted on")
            expect_opened(*DESTROY, second, bytes=MIB)
        expect_refused(*DESTROY, disk, why=("'partitions'", "--signature"))
        expect_opened(*DESTROY, "-s", "partitions", disk)


@test()
def a_partition_of_a_device_mounted_as_a_whole():
    needs_disks()
    with kernel.loop_disk(SIZE, flags=kernel.LO_FLAGS_PARTSCAN) as disk:
        ext4(disk)
        with mounted(disk), partition(disk, 1, 40960, 2048) as part:
            expect_refused(*DESTROY, part, why=(f"of '{os.path.basename(disk)}'",
                                                "mounted on"))


@test()
def swap():
    needs_disks()
    with kernel.loop_disk(SIZE, flags=kernel.LO_FLAGS_PARTSCAN) as disk, \
            partition(disk, 1, 2048, 40960) as part:
        with swapping(part):
            expect_refused(*DESTROY, "-s", "swap", part, why="used as swap")
            expect_refused(*DESTROY, "-s", "partitions", disk, why="used as swap")
        expect_refused(*DESTROY, part, why="'swap'")
        expect_opened(*DESTROY, "-s", "swap", part)


def own_proc(**files):
    path = f"{scratch_dir()}/proc"
    os.makedirs(f"{path}/self", exist_ok=True)
    for name, text in files.items():
        with open(f"{path}/{name.replace('__', '/')}", "w", encoding="utf-8") as f:
            f.write(text)
    if not os.path.lexists(f"{path}/self/root"):
        os.symlink("/", f"{path}/self/root")
    return path


@test()
def a_device_mounted_in_another_namespace():
    needs_disks()
    with kernel.loop_disk(SIZE) as disk:
        ext4(disk)
        where = f"{scratch_dir()}/elsewhere"
        os.makedirs(where)
        script = f"mount -t ext4 -o ro {disk} {where} && echo ready && exec sleep 1000"
        with subprocess.Popen(["unshare", "-m", "sh", "-c", script], text=True,
                              stdout=subprocess.PIPE) as child:
            assert_true(child.stdout.readline() == "ready\n",
                        "the device is mounted in another namespace")
            expect_true(not os.path.ismount(where), "the device is not mounted in this namespace")
            expect_refused(*DESTROY, "-s", "ext4", disk,
                           why=(f"mounted on '{where}'", f"of process {child.pid}"))
            expect_refused(*DESTROY, "-s", "ext4", "-P", own_proc(), disk,
                           why=("busy", "cannot see"))
            child.kill()
        wait_until_free(disk)
        expect_opened(*DESTROY, "-s", "ext4", disk)


@test()
def a_file_system_that_no_namespace_shows():
    needs_disks()
    with kernel.loop_disk(SIZE) as disk:
        ext4(disk)
        kernel.mount("ext4", scratch_dir(), disk, kernel.MS_RDONLY)
        used = os.open(scratch_dir(), os.O_RDONLY)
        kernel.unmount(scratch_dir(), kernel.MNT_DETACH)
        expect_refused(*DESTROY, "-s", "ext4", disk, why="busy")
        os.close(used)


@test()
def a_device_that_another_process_has_claimed():
    needs_disks()
    with kernel.loop_disk(SIZE) as disk:
        claim = os.open(disk, os.O_RDONLY | os.O_EXCL)
        expect_refused(*DESTROY, disk, why="busy")
        os.close(claim)
        with subprocess.Popen([DRIVER, *DESTROY, disk, "1000"], stdout=subprocess.PIPE,
                              text=True) as child:
            expect_eq(json.loads(child.stdout.readline())["writable"], True)
            expect_refused(*DESTROY, disk, why=f"process {child.pid}, 'guard-driver'")
            expect_refused(*DESTROY, "-P", own_proc(), disk, why="busy")
            child.kill()


@test()
def a_device_that_another_process_has_open():
    needs_disks()
    with kernel.loop_disk(SIZE, flags=kernel.LO_FLAGS_PARTSCAN) as disk, \
            partition(disk, 1, 2048, 2048) as part:
        script = f"exec 3<>{part}; echo; read line"
        with subprocess.Popen(["sh", "-c", script], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as child:
            child.stdout.readline()
            who = f"for writing in process {child.pid}, 'sh'"
            expect_refused(*DESTROY, part, why=who)
            expect_refused(*DESTROY, "-s", "partitions", disk,
                           why=(f"partition '{os.path.basename(part)}'", who))
            child.kill()
        with open(part, "rb"):
            expect_opened(*DESTROY, part)


# A process has mapped the device and closed its descriptor. Writes to the mapping would still reach
# the device.
@test()
def a_device_that_a_process_has_mapped():
    needs_disks()
    script = ("import mmap, os, sys\n"
              "fd = os.open(sys.argv[1], os.O_RDWR)\n"
              "at = mmap.mmap(fd, 4096, prot=mmap.PROT_READ)\n"
              # closes the descriptor of the device; the mapping stays
              "os.closerange(3, 100)\n"
              "print(flush=True)\n"
              "sys.stdin.read()\n")
    with kernel.loop_disk(SIZE) as disk:
        with subprocess.Popen([sys.executable, "-c", script, disk], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as child:
            child.stdout.readline()
            expect_refused(*DESTROY, disk, why=f"is mapped for writing in process {child.pid}, ")
            child.kill()
        expect_opened(*DESTROY, disk)


HOLDS = """
import ctypes, mmap, os, platform, sys, threading
libc = ctypes.CDLL(None)
disk, ended, own, mapped = sys.argv[1], *map(int, sys.argv[2:])
def hold():
    if own:
        libc.unshare(0x400)  # CLONE_FILES
    fd = os.open(disk, os.O_RDWR)
    if mapped:
        global at
        at = mmap.mmap(fd, 4096)
        os.closerange(3, 100)
    print(flush=True)
    sys.stdin.read()
threading.Thread(target=hold).start()
if ended:
    libc.syscall(60 if platform.machine() == "x86_64" else 93, 0)  # exit(2) ends this thread
"""


@test()
def a_device_that_only_another_thread_has():
    needs_disks()
    with kernel.loop_disk(SIZE) as disk:
        for ended, own, mapped in (1, 0, 0), (0, 1, 0), (1, 0, 1):
            argv = [sys.executable, "-c", HOLDS, disk, *map(str, (ended, own, mapped))]
            with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
                child.stdout.readline()
                expect_refused(*DESTROY, disk, why=f"for writing in process {child.pid}, ")
                child.kill()
        expect_opened(*DESTROY, disk)


@test()
def a_device_below_a_loop_device():
    needs_disks()
    with kernel.loop_disk(SIZE) as disk:
        with attached("-o", MIB, disk) as loop:
            expect_refused(*DESTROY, disk,
                           why=f"what '{os.path.basename(loop)}' is made of")
        expect_opened(*DESTROY, disk)


# While the guard checks the target, the test changes the device to which the target's name leads.
# First it is a free device, and then a mounted one, or the reverse. The guard must open the device
# that it has checked.
@test()
def a_name_that_changes_during_the_check():
    needs_disks()
    target, other = f"{scratch_dir()}/target", f"{scratch_dir()}/other"
    with kernel.loop_disk(SIZE) as free, kernel.loop_disk(SIZE) as used:
        ext4(used)
        with mounted(used):
            for first, second in ((free, used), (used, free)):
                for link, disk in ((target, first), (other, second)):
                    if os.path.lexists(link):
                        os.unlink(link)
                    os.symlink(disk, link)
                names = {"RENAME": f"{other}:{target}"}
                if first == free:
                    before = contents(used)
                    expect_opened(*DESTROY, target, env=names, kind="device")
                    expect_eq(contents(used), before, "content of the mounted device")
                    expect_true(is_written(free), f"written to {free}")
                else:
                    expect_refused(*DESTROY, "-s", "ext4", target, env=names,
                                   why="mounted on", target=used)
                expect_eq(os.readlink(target), second, "target of the name")


# Some programs use a device without a claim by O_EXCL. The guard finds such a use only in /proc and
# /sys.
@test()
def users_without_a_claim():
    needs_disks()
    with kernel.loop_disk(SIZE) as disk:
        number = os.stat(disk).st_rdev
        for line in (f"30 1 {os.major(number)}:{os.minor(number)} / /a\\040b rw - x y rw",
                     f"30 1 0:99 / /a\\040b rw - btrfs {disk} rw"):
            expect_refused(*DESTROY, "-P", own_proc(self__mountinfo=line + "\n"), disk,
                           why="mounted on '/a b'")
        swaps = f"Filename Type\n{disk} partition 1 0\n"
        proc = own_proc(self__mountinfo="", swaps=swaps)
        expect_refused(*DESTROY, "-P", proc, disk, why="used as swap")
        expect_opened(*DESTROY, "-P", own_proc(swaps=""), disk)


def own_sys(disk, holders, where=""):
    """Makes a directory that the guard uses as /sys. It describes the disk, one partition, and
    @holders: the devices that use the disk. If @where names the partition, the holders use the
    partition instead."""
    number, name = os.stat(disk).st_rdev, os.path.basename(disk)
    path = f"{scratch_dir()}/sys"
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(f"{path}/dev/block")
    home = f"{path}/devices/{name}"
    for directory in ("holders", f"{name}p1/holders"):
        os.makedirs(f"{home}/{directory}")
    for file, text in ((f"{name}p1/partition", "1"), (f"{name}p1/dev", "259:77"),
                       ("dev", f"{os.major(number)}:{os.minor(number)}")):
        with open(f"{home}/{file}", "w", encoding="ascii") as f:
            f.write(text + "\n")
    os.symlink(f"../../devices/{name}",
               f"{path}/dev/block/{os.major(number)}:{os.minor(number)}")
    os.symlink(f"../../devices/{name}/{name}p1", f"{path}/dev/block/259:77")
    for holder in holders:
        os.makedirs(f"{home}/{where}holders/{holder}")
    return path


@test()
def holders():
    needs_disks()
    with kernel.loop_disk(SIZE) as disk:
        part = os.path.basename(disk) + "p1"
        expect_refused(*DESTROY, "-S", own_sys(disk, ["dm-3"]), disk,
                       why="part of 'dm-3'")
        expect_refused(*DESTROY, "-s", "partitions", "-S",
                       own_sys(disk, ["md127"], part + "/"), disk,
                       why=(f"partition '{part}'", "part of 'md127'"))
        expect_opened(*DESTROY, "-s", "partitions", "-S", own_sys(disk, []), disk)


def remove_mapped(name):
    # another process may have the device open for a moment
    for _ in range(1000):
        if not kernel.run_quietly("/usr/sbin/dmsetup", "remove", "--noudevsync", name):
            break
        time.sleep(0.01)


@test()
def a_device_below_a_mapped_one():
    needs_disks()
    needs(os.path.exists("/sys/class/misc/device-mapper"), "no device mapper here")
    with kernel.loop_disk(SIZE) as disk:
        name = f"iospan-test-{os.getpid()}"
        run("/usr/sbin/dmsetup", "create", "--noudevsync", name, "--table",
            f"0 2048 linear {disk} 0")
        with kernel.undone(lambda: remove_mapped(name)):
            expect_refused(*DESTROY, disk, why="part of 'dm-")
            expect_refused(*DESTROY, "-S", "/nosuch", disk, why="busy")
        expect_opened(*DESTROY, disk)


@test()
def known_signatures():
    needs_disks()
    for n, name in enumerate(signatures.BY_NAME):
        with kernel.loop_disk(128 * MIB) as disk:
            signatures.write(disk, name, 128 * MIB)
            expect_refused(*DESTROY, disk, why=(f"'{name}'", "--signature"))
            for wrong in ("nosuch", name[:-1], name + "x", f"x{name}", "") if n == 0 else (name[:-1],):
                expect_refused(*DESTROY, "-s", wrong, disk, why=f"'{name}'")
            expect_opened(*DESTROY, "-s", f"xfs,{name}", disk)


@test()
def signatures_of_their_own_tools():
    needs_disks()
    for tool, name in ((("mkfs.ext4", "-q", "-F"), "ext4"), (("mkswap", "-q"), "swap")):
        with kernel.loop_disk(SIZE) as disk:
            run(f"/usr/sbin/{tool[0]}", *tool[1:], disk)
            expect_refused(*DESTROY, disk, why=f"'{name}'")
            expect_opened(*DESTROY, "-s", name, disk)


@test()
def one_signature_below_another():
    needs_disks()
    with kernel.loop_disk(128 * MIB) as disk:
        ext4(disk)
        signatures.write(disk, "LVM2_member", 128 * MIB)
        signatures.write(disk, "dos", 128 * MIB)
        names = ["ext4", "LVM2_member", "dos"]
        for name in names:
            others = ",".join(n for n in names if n != name)
            expect_refused(*DESTROY, "-s", others, disk, why=f"'{name}'")
        expect_opened(*DESTROY, "-s", ",".join(names), disk)


@test()
def a_device_of_the_wrong_size():
    needs_disks()
    with kernel.loop_disk(SIZE) as disk:
        expect_refused(*DESTROY, "-n", SIZE + 512, disk, why=("64.0 MiB", "needed"))
        expect_refused("-n", SIZE + 512, disk, why="needed")


@test()
def a_device_without_a_medium():
    needs_disks()
    # The lock keeps other tests from taking the loop device, of which the guard would destroy data.
    with kernel.loops_locked(), kernel.new_loop() as number:
        done = subprocess.run([DRIVER, *DESTROY, f"/dev/loop{number}"], capture_output=True,
                              text=True, check=False)
    expect_eq(done.returncode, 1)
    expect_true("no medium" in done.stderr or "cannot open" in done.stderr, done.stderr)


@test()
def a_read_only_device():
    needs_disks()
    with kernel.loop_disk(SIZE, flags=kernel.LO_FLAGS_READ_ONLY) as disk:
        expect_refused(*DESTROY, disk, why="read-only")
        expect_opened(disk)


main()
