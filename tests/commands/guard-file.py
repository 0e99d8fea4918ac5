#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the guard with directories and files as targets. The guard is the code that checks a target
before a benchmark writes to it. It refuses a file that is in use, because a benchmark would destroy
its data."""
import json
import os
import resource
import signal
import subprocess
import sys

from lib import kernel
from lib.guarding import *
from lib.kernel import attached
from lib.ktap import *


def files_in_directory(env):
    path = scratch_dir()
    expect_opened("-w", "-n", 8 * MIB, path, env=env, kind="directory", writable=True,
                  links=0, direct=False)
    expect_opened("-w", "-o", path, env=env, direct=True)
    with subprocess.Popen([DRIVER, "-w", path, "1000"], stdout=subprocess.PIPE, text=True,
                          env=dict(os.environ, **env)) as child:
        expect_eq(json.loads(child.stdout.readline())["links"], 0)
        expect_eq(os.listdir(path), [], "files while it works")
        child.send_signal(signal.SIGKILL)
    expect_eq(os.listdir(path), [], "files after it was killed")


@test()
def nothing_is_left_in_a_directory():
    files_in_directory({})


@test()
def nothing_is_left_without_unnamed_files():
    files_in_directory({"NO_TMPFILE": "1"})


@test()
def a_name_given_to_another_file_is_not_removed():
    path = scratch_dir()
    with open(f"{path}/precious", "w", encoding="ascii"):
        pass
    done = guard("-w", path, env={"NO_TMPFILE": "1", "STEAL": "precious"})
    expect_eq((done.returncode, done.stdout), (1, ""), "status, stdout")
    expect_true("another user renamed it" in done.stderr, done.stderr)
    expect_eq(os.stat(f"{path}/precious").st_nlink, 2, "links of the other file")


@test()
def a_name_that_another_file_has_is_not_used():
    path = scratch_dir()
    with open(f"{path}/precious", "wb") as f:
        f.write(bytes(8192))
    expect_opened("-w", path, env={"NO_TMPFILE": "1", "PLANT": "precious"}, links=0)
    expect_true(not is_written(f"{path}/precious"), "the other file is unchanged")
    expect_eq(os.stat(f"{path}/precious").st_nlink, 2, "links of the other file")


@test()
def a_link_to_a_directory_is_followed():
    os.makedirs(f"{scratch_dir()}/real")
    os.symlink("real", f"{scratch_dir()}/link")
    expect_opened("-w", f"{scratch_dir()}/link", kind="directory")
    os.symlink("nowhere", f"{scratch_dir()}/broken")
    expect_refused("-w", f"{scratch_dir()}/broken", why="No such file")


@test()
def free_space_is_not_exhausted():
    needs(root(), "needs root")
    path = scratch_dir()
    kernel.mount("tmpfs", path, options="size=16m")
    expect_opened("-w", "-n", 15 * MIB, path)
    expect_refused("-w", "-n", 16 * MIB - 4096, path, why=("16.0 MiB free", "too much"))
    expect_refused("-w", "-n", 1 << 60, path, why="too much")
    with open(f"{path}/others", "wb") as f:
        f.write(bytes(8 * MIB))
    expect_refused("-w", "-n", 15 * MIB, path, why=("8.00 MiB free", "too much"))


@test()
def holes_of_a_file_need_free_space():
    needs(root(), "needs root")
    path = f"{scratch_dir()}/file"
    kernel.mount("tmpfs", scratch_dir(), options="size=16m")
    with open(path, "wb") as f:
        f.truncate(1 << 30)
    expect_opened(*DESTROY, "-n", 15 * MIB, path)
    expect_refused(*DESTROY, "-n", 17 * MIB, path, why=("16.0 MiB free", "too much"))
    expect_opened("-n", 1 << 30, path)
    with open(path, "wb") as f:
        f.write(bytes(14 * MIB))
        f.truncate(15 * MIB)
    expect_opened(*DESTROY, "-n", 15 * MIB, path)


@test()
def files_above_the_size_limit():
    path = a_file(2 * MIB)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MIB, MIB))
    for target in ("-w", scratch_dir()), (*DESTROY, path):
        expect_opened("-n", MIB, *target)
        expect_refused("-n", MIB + 1, *target, why=("ulimit -f", "1.00 MiB"))
    expect_opened("-n", 2 * MIB, path)


@test()
def a_directory_that_refuses_files():
    needs(root(), "needs root")
    path = scratch_dir()
    kernel.mount("tmpfs", path, flags=kernel.MS_RDONLY)
    expect_refused("-w", path, why="Read-only file system")
    expect_refused("-w", "/proc/self", why="no storage", target=path)


def a_file(size=8 * MIB):
    path = f"{scratch_dir()}/file"
    with open(path, "wb") as f:
        f.write(os.urandom(size))
    return path


@test()
def a_file_is_only_read():
    path = a_file()
    expect_opened("-n", 8 * MIB, path, kind="file", bytes=8 * MIB, writable=False)
    expect_opened("-d", path, writable=False)
    expect_refused("-w", path, why=("--destroy", "directory"))
    link = f"{scratch_dir()}/link"
    os.symlink("file", link)
    expect_refused("-w", link, why="--destroy")


@test()
def a_file_is_written_with_permission():
    path = a_file()
    expect_opened(*DESTROY, "-n", 8 * MIB, path, kind="file", writable=True)
    expect_true(is_written(path), f"written to {path}")
    expect_eq(os.path.getsize(path), 8 * MIB)


@test()
def a_file_that_is_too_small():
    path = a_file()
    expect_refused("-n", 8 * MIB + 1, path, why=("8.00 MiB", "needed"))
    expect_refused(*DESTROY, "-n", 16 * MIB, path, why=("8.00 MiB", "16.0 MiB"))
    with open(path, "wb"):
        pass
    expect_refused(path, why="empty")


@test()
def a_file_that_another_process_has_open():
    path = a_file()
    with open(path, "rb"):
        expect_refused(*DESTROY, path, why="in use")
        expect_opened(path)
    with open(path, "r+b"):
        expect_refused(*DESTROY, path, why="in use")
    expect_opened(*DESTROY, path)


@test()
def a_file_below_a_loop_device_or_swap():
    needs_disks()
    path = a_file()
    with attached(path):
        expect_refused(*DESTROY, path, why="in use")
    os.chmod(path, 0o600)
    with swapping(path):
        expect_refused(*DESTROY, path, why="in use")


@test()
def a_file_that_is_mounted():
    needs(root(), "needs root")
    path, point = a_file(), f"{scratch_dir()}/point"
    with bound(path, point):
        for name in path, point:
            expect_refused(*DESTROY, name, why=f"is mounted on '{point}'")
        expect_opened(path)
    expect_opened(*DESTROY, path)


# In /proc/PID/mountinfo, the field of the source is empty for this mount. The guard must still
# parse the line.
@test()
def a_file_that_is_mounted_from_a_file_system_without_a_source():
    needs(root(), "needs root")
    kernel.mount("tmpfs", scratch_dir(), source="")
    path, point = a_file(), f"{scratch_dir()}/point"
    with bound(path, point):
        expect_refused(*DESTROY, path, why=f"is mounted on '{point}'")
    expect_opened(*DESTROY, path)


@test()
def a_file_in_a_directory_that_is_mounted():
    needs(root(), "needs root")
    path, above, point = a_file(), f"{scratch_dir()}/above", f"{scratch_dir()}/point"
    os.mkdir(above)
    kernel.mount("none", above, scratch_dir(), kernel.MS_BIND)
    seen = f"{above}/{os.path.basename(path)}"
    for name in path, seen:
        expect_opened(*DESTROY, name)
    os.link(path, f"{path}-link")
    with bound(f"{path}-link", point):
        for name in path, seen:
            expect_refused(*DESTROY, name, why=f"is mounted on '{point}'")
    kernel.unmount(above)


# A file is mounted from overlayfs. The device number of this mount in /proc/PID/mountinfo differs
# from the one that stat() of the file returns, but the guard must still find the mount.
@test()
def a_file_that_is_mounted_from_an_overlay():
    needs(root(), "needs root")
    path, point, memory = a_file(), f"{scratch_dir()}/point", f"{scratch_dir()}/memory"
    merged = f"{memory}/merged"
    os.mkdir(memory)
    kernel.mount("tmpfs", memory)
    for name in "upper", "work", "merged":
        os.mkdir(f"{memory}/{name}")
    options = f"lowerdir={scratch_dir()},upperdir={memory}/upper,workdir={memory}/work"
    done = subprocess.run(["mount", "-t", "overlay", "-o", options, "none", merged],
                          capture_output=True, text=True, check=False)
    needs(not done.returncode, f"needs overlay: {done.stderr}")
    path = f"{merged}/{os.path.basename(path)}"
    with bound(path, point):
        expect_refused(*DESTROY, path, why=f"is mounted on '{point}'")
    expect_opened(*DESTROY, path)
    kernel.unmount(merged)
    kernel.unmount(memory)


# A process sees only mounts below its root directory. The guard must therefore look at the mounts
# of all processes.
@test()
def a_file_that_is_mounted_where_the_guard_does_not_see_it():
    needs(root(), "needs root")
    path, point, cell = a_file(), f"{scratch_dir()}/point", f"{scratch_dir()}/cell"
    with open(point, "wb"):
        pass
    os.mkdir(cell)
    script = ("import os, sys, time\n"
              "os.system(f'mount --bind {sys.argv[1]} {sys.argv[2]}')\n"
              "if not os.fork():\n"
              "    while os.path.samefile(f'/proc/{os.getppid()}/root', '/'):\n"
              "        time.sleep(0.01)\n"
              "    print(flush=True)\n"
              "    sys.stdin.read()\n"
              "    os._exit(0)\n"
              "os.chroot(sys.argv[3])\n"
              "os.wait()\n")
    with subprocess.Popen(["unshare", "-m", sys.executable, "-c", script, path, point, cell],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        expect_refused(*DESTROY, path, why=f"is mounted on '{point}'")
        child.stdin.close()
    expect_opened(*DESTROY, path)


@test()
def special_files_are_no_targets():
    fifo = f"{scratch_dir()}/fifo"
    os.mkfifo(fifo)
    expect_refused(fifo, why="neither")
    for path in ("/dev/null", "/dev/tty"):
        expect_refused(*DESTROY, path, why="neither")
    expect_refused(*DESTROY, "/proc/version", why="no storage", target=scratch_dir())
    expect_refused(f"{scratch_dir()}/nosuch", why="No such file")


main()
