#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the guard, which must not let a benchmark destroy data in use. Here, another device or file
that is in use shares bytes with the target. A sibling of the target is another loop device over the
same file. An open with O_EXCL claims a device."""
import multiprocessing
import os
import stat
import struct
import subprocess
from contextlib import contextmanager

from lib import kernel, stalled
from lib.guarding import *
from lib.kernel import attached
from lib.ktap import *

HALF = SIZE // 2


def name_of(device):
    return os.path.basename(device)


def image(path=None):
    path = path or f"{scratch_dir()}/image"
    with open(path, "wb") as f:
        f.truncate(SIZE)
    return path


# A write to a loop device reaches the file or disk below it. So the guard must also check that file
# or disk.
@test()
def a_loop_device_over_a_target_in_use():
    needs_disks()
    path = image()
    with attached(path) as disk, attached(path) as second, attached("-o", MIB, disk) as above, \
            attached("-o", HALF, path) as upper, attached("--sizelimit", HALF, path) as lower:
        ext4(lower)
        with mounted(lower) as where:
            expect_refused(*DESTROY, "-s", "ext4", second,
                           why=f"has bytes of '{name_of(lower)}', which is mounted on '{where}'")
            expect_refused(*DESTROY, "-s", "ext4", above, why=name_of(lower))
            expect_opened(*DESTROY, upper)
        with mounted(disk) as where:
            expect_refused(*DESTROY, above, why=f"is made of '{disk}', which is mounted on "
                                                f"'{where}'")
        with open(disk, "rb+"):
            expect_refused(*DESTROY, above, why=f"is made of '{disk}', which is open for writing")
        expect_opened(*DESTROY, above)


@test()
def a_used_loop_device_over_a_sibling():
    needs_disks()
    path = image()
    with attached(path) as disk, attached(path) as second, attached("-o", MIB, second) as third, \
            attached("-o", MIB, "--sizelimit", MIB, third) as fourth:
        with swapping(third):
            why = f"has bytes of '{name_of(third)}', which is used as swap"
            expect_refused(*DESTROY, disk, why=why)
        with open(fourth, "rb+"):
            why = f"has bytes of '{name_of(fourth)}', which is open for writing"
            expect_refused(*DESTROY, disk, why=why)
            with attached("-o", 3 * MIB, path) as behind:
                expect_opened(*DESTROY, behind)
        expect_opened(*DESTROY, disk)


# A process has claimed a sibling of the target by O_EXCL. Neither /proc nor /sys shows such a
# claim.
@test()
def a_sibling_that_a_process_has_claimed():
    needs_disks()
    path = image()
    with attached(path) as disk, attached(path) as second, attached(second) as above:
        claim = os.open(second, os.O_RDONLY | os.O_EXCL)
        for target in disk, above:
            expect_refused(*DESTROY, target, why=f"{name_of(second)}', which a file system, swap, ")
        os.close(claim)
        expect_opened(*DESTROY, disk)


@test()
def siblings_over_a_file_with_another_name():
    needs_disks()
    path = image()
    os.link(path, f"{path}-link")
    with attached(path) as disk, attached(f"{path}-link") as second:
        os.rename(path, f"{path}-renamed")
        os.unlink(f"{path}-link")
        ext4(second)
        with mounted(second):
            expect_refused(*DESTROY, "-s", "ext4", disk, why=f"'{name_of(second)}'")


@contextmanager
def attached_elsewhere(script):
    """Yields the loop device that @script makes and prints in another mount namespace."""
    with kernel.loops_locked():
        child = subprocess.Popen(["unshare", "-m", "sh", "-c", script], text=True,
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        loop = child.stdout.readline().strip()
    with child, kernel.undone(lambda: kernel.detach_loop(loop)):
        yield loop


# The kernel names the sibling's file /sys/kernel/image, its path in another mount namespace. In the
# guard's namespace, this path is on sysfs, so the guard cannot find the file by its path.
@test()
def a_sibling_from_another_mount_namespace():
    needs_disks()
    path = image()
    script = (f"mount --bind {scratch_dir()} /sys/kernel && "
              "/usr/sbin/losetup -f --show /sys/kernel/image && read line")
    with attached(path) as disk, attached_elsewhere(script) as second:
        seen = kernel.read(kernel.of_disk(second, "loop/backing_file"))
        expect_eq(seen, "/sys/kernel/image", "path of the sibling's file")
        ext4(second)
        with mounted(second) as where:
            expect_refused(*DESTROY, "-s", "ext4", disk,
                           why=f"'{name_of(second)}', which is mounted on '{where}'")
        expect_opened(*DESTROY, "-s", "ext4", disk)


# The path of the loop device's file has more than 4096 bytes. The kernel does not show such a path
# in sysfs, so the guard must find the file in another way.
@test()
def a_sibling_over_a_file_with_a_long_path():
    needs_disks()
    path, name = image(), "l" * 250
    at = os.open(scratch_dir(), os.O_RDONLY)
    for _ in range(17):
        os.mkdir(name, dir_fd=at)
        at = os.open(name, os.O_RDONLY, dir_fd=at)
    os.link(path, "image", dst_dir_fd=at)
    deep = os.open("image", os.O_RDWR, dir_fd=at)
    number, second = kernel.free_loop(deep, 0)
    os.close(deep)
    os.dup2(os.open(f"/dev/loop{number}", os.O_RDONLY), second, False)
    with attached(path) as disk:
        ext4(disk)
        with mounted(f"/dev/loop{number}") as where:
            expect_refused(*DESTROY, "-s", "ext4", disk,
                           why=f"'loop{number}', which is mounted on '{where}'")
        os.unlink(path)
        with mounted(disk):
            expect_refused(*DESTROY, "-s", "ext4", f"/dev/loop{number}", why=f"'{name_of(disk)}'")
        expect_opened(*DESTROY, "-s", "ext4", disk)


# In a container, /dev may lack the sibling, or have another device under its name. Here, /dev/null
# is mounted over the sibling's node.
@test()
def a_sibling_without_a_node():
    needs_disks()
    path = image()
    os.link(path, f"{path}-link")
    with attached(path) as disk, attached(f"{path}-link") as second:
        os.rename(path, f"{path}-renamed")
        claim = os.open(second, os.O_RDONLY | os.O_EXCL)
        kernel.mount("none", second, "/dev/null", kernel.MS_BIND)
        expect_refused(*DESTROY, disk, why=f"{name_of(second)}', which a file system, swap, ")
        os.close(claim)
        expect_opened(*DESTROY, disk)
        kernel.unmount(second)


def erofs(path):
    """Writes an erofs file system to @path. Its root directory is empty, and is inode 0 in block
    1."""
    with open(path, "rb+") as f:
        f.seek(1024)
        # Superblock: magic, checksum, features, block size 2^12, extensions, root inode, number of
        # inodes, time, blocks, block of the inodes.
        f.write(struct.pack("<IIIBBHQQIII", 0xE0F5E1E2, 0, 0, 12, 0, 0, 1, 0, 0, 2, 1))
        f.seek(4096)
        # inode: format, extended attributes, mode, links, size
        f.write(struct.pack("<HHHHI", 0, 0, stat.S_IFDIR | 0o755, 2, 4096))


# Since Linux 6.12, erofs can mount a file without a loop device, so no device shows this use.
@test()
def a_loop_device_over_a_file_that_is_mounted():
    needs_disks()
    path, where = image(), f"{scratch_dir()}/mnt"
    os.mkdir(where)
    erofs(path)
    try:
        kernel.mount("erofs", where, path, kernel.MS_RDONLY)
    except OSError as error:
        needs(False, f"needs erofs without loop devices: {error}")
    with attached(path) as disk:
        expect_refused(*DESTROY, "-s", "erofs", disk,
                       why=f"is made of '{path}', which is mounted on '{where}'")
        kernel.unmount(where)
        expect_opened(*DESTROY, "-s", "erofs", disk)


@test()
def loop_devices_over_a_partition_and_its_disk():
    needs_disks()
    with kernel.loop_disk(SIZE, flags=kernel.LO_FLAGS_PARTSCAN) as disk, \
            partition(disk, 1, 2048, 65536) as first, partition(disk, 2, 67584, 32768) as second, \
            attached(disk) as whole, attached("-o", MIB, "--sizelimit", HALF, disk) as same, \
            attached(first) as over_first, attached(second) as over_second:
        ext4(same)
        for used, free in (same, over_first), (over_first, same):
            with mounted(used) as where:
                why = f"has bytes of '{name_of(used)}', which is mounted on '{where}'"
                for target in free, whole:
                    expect_refused(*DESTROY, "-s", "ext4", target, why=why)
                expect_opened(*DESTROY, over_second)
        with mounted(first) as where:
            why = f"has bytes of '{name_of(first)}', which is mounted on '{where}'"
            for target in same, whole:
                expect_refused(*DESTROY, "-s", "ext4", target, why=why)
            expect_opened(*DESTROY, over_second)


@test()
def partitions_beside_each_other():
    needs_disks()
    with kernel.loop_disk(SIZE, flags=kernel.LO_FLAGS_PARTSCAN) as disk, \
            partition(disk, 1, 2048, 32768) as first, partition(disk, 2, 34816, 32768) as second:
        with attached(first), attached("-o", MIB, "--sizelimit", MIB, disk):
            expect_opened(*DESTROY, second)
        with attached("-o", 18 * MIB, disk) as loop:
            expect_refused(*DESTROY, second, why=f"is a partition of '{name_of(disk)}', which is "
                                                 f"what '{name_of(loop)}' is made of")


ESCAPED = ",\\"  # characters that need a backslash in options of overlayfs


def escaped(path, characters):
    return "".join("\\" + c if c in characters else c for c in path)


@contextmanager
def overlay(relative=False, low="low", up="up", source="overlay"):
    """Yields a directory with an overlayfs "all", its lower layer @low and its upper layer @up."""
    needs_disks()
    where = f"{scratch_dir()}/over lay"
    os.makedirs(where, exist_ok=True)
    kernel.mount("tmpfs", where)
    for name in low, up, "work", "all":
        os.mkdir(f"{where}/{name}")
    base = "" if relative else where + "/"
    os.chdir(where)
    try:
        kernel.mount("overlay", f"{where}/all", source, options=(
            f"lowerdir={base}{escaped(low, ESCAPED + ':')},upperdir={base}{escaped(up, ESCAPED)},workdir={base}work"))
    except OSError as error:
        needs(False, f"needs overlay: {error}")
    yield where
    os.chdir("/")
    kernel.unmount(f"{where}/all")
    kernel.unmount(where)


@test()
def a_file_that_is_used_in_the_upper_layer():
    for relative in False, True:
        with overlay(relative) as where:
            real, target, point = f"{where}/up/file", image(f"{where}/all/file"), f"{scratch_dir()}/point"
            stored = f"is stored in '{real}', which is "
            with attached(real) as loop:
                expect_refused(*DESTROY, target, why=f"{stored}what '{name_of(loop)}' is made of")
            with open(real, "rb+"):
                who = f"for writing in process {os.getpid()}, "
                expect_refused(*DESTROY, target, why=f"{stored}open {who}")
            with bound(real, point):
                expect_refused(*DESTROY, target, why=f"{stored}mounted on '{point}'")
            expect_opened(*DESTROY, target)
            expect_true(is_written(real), "written to the upper layer")


@test()
def an_overlay_without_a_source():
    with overlay(source="") as where:
        target = image(f"{where}/all/file")
        with attached(f"{where}/up/file") as loop:
            expect_refused(*DESTROY, target, why=f"is what '{name_of(loop)}' is made of")
        expect_opened(*DESTROY, target)


@test()
def loop_devices_over_an_overlay_and_its_upper_layer():
    with overlay() as where:
        image(f"{where}/all/file")
        with attached(f"{where}/all/file") as over, attached(f"{where}/up/file") as under:
            ext4(over)
            for used, target in (over, under), (under, over):
                with mounted(used) as point:
                    expect_refused(*DESTROY, "-s", "ext4", target, why=f"has bytes of "
                                   f"'{name_of(used)}', which is mounted on '{point}'")
            expect_opened(*DESTROY, "-s", "ext4", under)


# overlayfs reads a file from the lower layer, until a process opens the file for writing.
def expect_found_below(where, low):
    """Mounts a file of the overlay by a read-only loop device. The same file is also in the lower
    layer @low. The guard must then refuse a loop device over the lower file. Returns the path of
    the lower file."""
    real = image(f"{where}/{low}/file")
    ext4(real)
    with attached("--read-only", f"{where}/all/file") as over, attached(real) as under:
        with mounted(over) as point:
            expect_refused(*DESTROY, "-s", "ext4", under, why=f"has bytes of "
                           f"'{name_of(over)}', which is mounted on '{point}'")
    return real


# /proc/PID/mountinfo shows the paths of an overlay's layers. Both overlayfs and the kernel escape
# special characters in these paths. The guard must undo both kinds of escapes.
@test()
def layers_with_special_characters():
    for name in "a:b", "a,b", "a\\b,:c", "a b":
        with overlay(up=name) as where:
            target = image(f"{where}/all/file")
            with attached(f"{where}/{name}/file") as loop:
                expect_refused(*DESTROY, target, why=f"is what '{name_of(loop)}' is made of")
        with overlay(low=name) as where:
            expect_found_below(where, name)


@test()
def a_file_of_the_lower_layer():
    with overlay() as where:
        real = expect_found_below(where, "low")
        before = contents(real)
        with open(real, "rb"):
            expect_opened(*DESTROY, f"{where}/all/file")
        expect_eq(contents(real), before, "content in the lower layer")


def for_others(opcode, request):
    """A FUSE server that answers all processes except the guard. So if the guard uses a name on
    this file system, it waits for ever. Cached names expire at once, so each use of a name is a
    request to the server."""
    pid = stalled.HEADER.unpack_from(request)[6]
    if opcode in (stalled.LOOKUP, stalled.GETATTR) and \
            kernel.read(f"/proc/{pid}/comm") == "guard-driver":
        return None
    answer = stalled.reply(opcode, request)
    return answer[:16] + bytes(8) + answer[24:] if opcode == stalled.LOOKUP else answer


# The guard must not access files of a server that does not answer. The access would never end, and
# no signal could end it.
@test()
def mounts_below_a_server_that_does_not_answer():
    needs_disks()
    free, used = image(), image(f"{scratch_dir()}/used")
    with stalled.mounted(for_others) as file:
        where = os.path.dirname(file)
        script = (f"mkdir {scratch_dir()}/dir && mount -t tmpfs /dev/foo {scratch_dir()}/dir && "
                  f"mount --bind {used} {file} && mount --bind {where} /dev && echo && read line")
        with subprocess.Popen(["unshare", "-m", "sh", "-c", script], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as child:
            assert_true(child.stdout.readline(), "the mounts exist")
            expect_opened(*DESTROY, free)
            expect_refused(*DESTROY, used, why=f"is mounted on '{file}' in the mount namespace of "
                                               f"process {child.pid}")
            with attached(free) as disk:
                expect_opened(*DESTROY, disk)
            child.kill()


def silent_to_the_guard(until):
    """Returns a function that answers like stalled.reply(), but answers the guard only after the
    event @until."""
    def reply(opcode, request):
        if opcode == stalled.GETATTR and stalled.caller(request) == "guard-driver":
            until.wait()
        return stalled.reply(opcode, request)
    return reply


# The file of the loop device is on a server that does not answer. In the guard's mount namespace,
# the server is not mounted, so the path of the file seems local.
@test()
def loop_device_with_a_server_elsewhere():
    needs_disks()
    free = image()
    end = multiprocessing.Event()
    with stalled.mounted(silent_to_the_guard(end)) as file, attached("-r", file):
        script = f"umount -l {os.path.dirname(file)} && exec {DRIVER} -w -d {free}"
        with subprocess.Popen(["unshare", "-m", "sh", "-c", script], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            try:
                expect_eq(child.communicate()[1], "", "messages of the guard")
            finally:  # also at the time limit of the test, if the guard waits for the server
                end.set()
        expect_eq(child.returncode, 0)


main()
