# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the guard, which decides whether a benchmark may overwrite a device, on many disks."""
import errno
import fcntl
import hashlib
import json
import os
import shutil
import stat
import subprocess
import time
from contextlib import contextmanager

from lib import kernel
from lib.ktap import *

MIB = 1 << 20
SIZE = 64 * MIB
DRIVER = f"{BUILD}/tests/commands/guard-driver"
DESTROY = ("-w", "-d")


def guard(*arguments, env=None):
    with kernel.loops_locked(fcntl.LOCK_SH):
        return subprocess.run([DRIVER, *map(str, arguments)], capture_output=True, text=True,
                              check=False, env=dict(os.environ, **(env or {})))


def contents(path):
    if os.path.isdir(path):
        return os.listdir(path)
    if not os.path.isfile(path) and not is_block(path):
        return None
    with open(path, "rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()


def expect_opened(*arguments, env=None, **expected):
    """Checks that the guard accepts the target, and reports the fields @expected about the
    target."""
    done = guard(*arguments, env=env)
    if expect_eq((done.returncode, done.stderr), (0, ""), f"{arguments}"):
        seen = json.loads(done.stdout)
        for key, value in expected.items():
            expect_eq(seen[key], value, f"{key} of {arguments}")


def expect_refused(*arguments, why, target=None, env=None):
    """Checks that the guard refuses the target, prints one line with @why, and writes nothing."""
    target = target or arguments[-1]
    before = contents(target)
    done = guard(*arguments, env=env)
    expect_eq((done.returncode, done.stdout), (1, ""), f"{arguments}")
    expect_eq(done.stderr.count("\n"), 1, f"lines of {done.stderr!r}")
    for word in [why] if isinstance(why, str) else why:
        expect_true(word in done.stderr, f"{word!r} in {done.stderr!r}")
    expect_eq(contents(target), before, f"content of {target}")


@contextmanager
def bound(path, point):
    """Mounts the file @path a second time, at @point, which it creates."""
    with open(point, "wb"):
        pass
    kernel.mount("none", point, path, kernel.MS_BIND)
    yield
    kernel.unmount(point)


def is_block(path):
    return os.path.exists(path) and stat.S_ISBLK(os.stat(path).st_mode)


def is_written(path):
    with open(path, "rb") as f:
        return f.read(4096) == b"X" * 4096


def run(*arguments):
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert_true(done.returncode == 0, f"{arguments}: {done.stderr}")


def needs_disks():
    needs(root(), "needs root")
    for tool in ("mkfs.ext4", "mkswap", "addpart"):
        needs(shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin:/sbin"),
              f"no {tool}")


def ext4(disk):
    run("/usr/sbin/mkfs.ext4", "-q", "-F", disk)


@contextmanager
def mounted(disk):
    """Mounts the disk read-only, because the mount itself could otherwise write to the disk."""
    where = os.path.join(scratch_dir(), "mnt")
    os.makedirs(where, exist_ok=True)
    kernel.mount("ext4", where, disk, kernel.MS_RDONLY)
    try:
        yield where
    finally:
        kernel.unmount(where)


def wait_until_free(disk):
    """Waits until no mount uses the disk. The last process of a mount namespace may have ended, but
    the mounts stay while another process, such as a guard, reads the list of them."""
    while True:
        try:
            os.close(os.open(disk, os.O_RDONLY | os.O_EXCL))
            return
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            time.sleep(0.01)


@contextmanager
def swapping(path):
    def off():
        kernel.libc.swapoff(path.encode())

    run("/usr/sbin/mkswap", "-q", path)
    with kernel.undone(off):
        kernel.check(kernel.libc.swapon(path.encode(), 0))
        yield


@contextmanager
def partition(disk, number, first_sector, sectors):
    """Yields a partition that the kernel knows, but that is in no partition table on the disk."""
    run("/usr/bin/addpart", disk, str(number), str(first_sector), str(sectors))
    name = f"{disk}p{number}"
    with kernel.undone(lambda: kernel.remove_partition(disk, number)):
        if not os.path.exists(name):  # without udev, nobody creates the device node
            found = f"/sys/class/block/{os.path.basename(name)}/dev"
            device = os.makedev(*map(int, kernel.read(found).split(":")))
            os.mknod(name, 0o600 | stat.S_IFBLK, device)
        yield name