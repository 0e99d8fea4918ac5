# SPDX-License-Identifier: GPL-2.0-or-later
"""Functions for the kernel's files, mounts, cgroups and disks that Python does not have."""
import contextlib
import ctypes
import errno
import fcntl
import functools
import json
import operator
import os
import re
import signal
import struct
import subprocess
import time
from contextlib import contextmanager

libc = ctypes.CDLL(None, use_errno=True)

CLONE_NEWNS, CLONE_NEWNET = 0x20000, 0x40000000
PR_SET_NAME, PR_SET_CHILD_SUBREAPER = 15, 36
MS_RDONLY, MS_BIND, MS_REC, MS_PRIVATE, MNT_DETACH = 1, 4096, 16384, 1 << 18, 2
TMPFS_MAGIC, RAMFS_MAGIC = 0x01021994, 0x858458f6
FS_IOC_FIEMAP = 0xC020660B
LOOP_CONFIGURE, LO_FLAGS_AUTOCLEAR = 0x4C0A, 4
LOOP_CTL_ADD, LOOP_CTL_REMOVE, LOOP_CTL_GET_FREE = 0x4C80, 0x4C81, 0x4C82
LO_FLAGS_READ_ONLY, LO_FLAGS_PARTSCAN = 1, 8


def check(ret):
    if ret < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return ret


def stolen_ms():
    """Returns the steal time since boot, in ms: the time in which the host did not run this
    machine."""
    return int(read("/proc/stat").split(None, 9)[8]) * 1000 // os.sysconf("SC_CLK_TCK")


def soon_done(action):
    """Calls action() until it succeeds, for at most 10 s. It may fail at first, because the last
    user of an object releases it late."""
    for _ in range(1000):
        try:
            return action()
        except OSError:
            time.sleep(0.01)
    return None


def run_quietly(*argv):
    return subprocess.run(argv, check=False, capture_output=True).returncode


def read(*path):
    with open(os.path.join(*path), encoding="ascii") as f:
        return f.read().strip()


def capabilities_in(status):
    """Returns the capabilities that a process has, or can get again, as a bit mask. @status: the
    path of its file in /proc."""
    sets = re.findall(r"^Cap[^B]\w+:\s+(\w+)$", read(status), re.M)
    return functools.reduce(operator.or_, (int(one, 16) for one in sets))


def capabilities(pid):
    return capabilities_in(f"/proc/{pid}/status")


def write(value, *path):
    with open(os.path.join(*path), "w", encoding="ascii") as f:
        f.write(str(value))


def chosen(path):
    """Returns the content of a file. If the content is a list of options with the chosen one in
    brackets, returns only the chosen option."""
    return re.sub(r".*\[(.*)\].*", r"\1", read(path))


@contextmanager
def restored(path):
    before = chosen(path)
    try:
        yield
    finally:
        if chosen(path) != before:
            write(before, path)


def private_mounts():
    check(libc.unshare(CLONE_NEWNS))
    check(libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None))


def private_network():
    """Enters a new network namespace, in which no other process uses ports of the loopback
    address."""
    check(libc.unshare(CLONE_NEWNET))
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)


def mount(fstype, target, source="none", flags=0, options=""):
    check(libc.mount(source.encode(), target.encode(), fstype.encode(), flags,
                     options.encode()))


def unmount(target, flags=0):
    check(libc.umount2(target.encode(), flags))


def is_memory(path):
    buffer = ctypes.create_string_buffer(256)  # struct statfs, which starts with f_type
    check(libc.statfs(path.encode(), buffer))
    return struct.unpack_from("l", buffer)[0] in (TMPFS_MAGIC, RAMFS_MAGIC)


# names of the cleanup processes of the tests and of iospan
CLEANERS = ("iospan-undo", "iospan-cleanup")


def adopt_orphans():
    check(libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))


def stop(*pids):
    """Stops these processes, and waits until none of their threads runs. On a busy machine, a
    process may still run for some ms after the signal, or may have ended before it."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    while any(read(f"/proc/{pid}/task/{task}/stat").rpartition(")")[2].split()[0] not in "TZ"
              for pid in pids for task in os.listdir(f"/proc/{pid}/task")):
        time.sleep(0.001)


@contextmanager
def undone(action):
    """Calls action() at the end of the with block. Another process makes the call, so it happens
    even if this process is killed."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        libc.prctl(PR_SET_NAME, CLEANERS[0].encode(), 0, 0, 0)
        for number in range(1, signal.NSIG):
            # If SIGCHLD were ignored, the status of commands would be lost.
            if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD, 32, 33):
                signal.signal(number, signal.SIG_IGN)
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        os.close(writing)
        os.read(reading, 1)
        try:
            action()
        finally:
            os._exit(0)
    os.close(reading)
    try:
        yield
    finally:
        os.close(writing)
        os.waitpid(pid, 0)


def mounted(fstype, option=None):
    """Returns the mount point of a cgroup file system, or None if it is not mounted."""
    with open("/proc/self/mountinfo", encoding="utf-8") as f:
        for line in f:
            left, _, right = line.partition(" - ")
            kind, _, options = right.split()
            if kind == fstype and (not option or option in options.split(",")):
                return left.split()[4]
    return None


def version1():
    with open("/proc/self/mounts", encoding="utf-8") as f:
        return sorted({line.split()[1] for line in f if line.split()[2] == "cgroup"})


def own_line(key):
    """Returns (ID of the hierarchy, path) from the /proc/self/cgroup line that contains @key."""
    with open("/proc/self/cgroup", encoding="utf-8") as f:
        for line in f:
            if key in line:
                number, _, path = line.strip().split(":", 2)
                return int(number), path
    return 0, ""


def own_groups():
    """Returns the cgroups to which the kernel may charge the I/O of this process: one of version 2,
    and one in the blkio hierarchy of version 1."""
    found = []
    with open("/proc/self/cgroup", encoding="utf-8") as f:
        for line in f:
            _, controllers, path = line.rstrip("\n").split(":", 2)
            if not controllers:
                found.append((mounted("cgroup2") or "") + path)
            elif "blkio" in controllers.split(","):
                found.append((mounted("cgroup", "blkio") or "") + path)
    return found


def make_groups(above, name):
    """Makes a cgroup below each of @above. Returns the new directories, for enter_groups()."""
    groups = [os.path.join(group, name) for group in above]
    for group in groups:
        os.mkdir(group)
    return groups


def remove_groups(groups):
    for group in groups:
        # When the last process of a cgroup has exited, the kernel may still refuse to remove the
        # cgroup for a moment.
        soon_done(lambda: os.rmdir(group))


def enter_groups(groups):
    for group in groups:
        write(0, group, "cgroup.procs")


def disk_of(number):
    """Returns the name of the disk with this st_dev; None if it is not a whole disk."""
    path = os.path.realpath(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}")
    return os.path.basename(path) if os.path.exists(path + "/queue") else None


def dev(number):
    return os.major(number) << 20 | os.minor(number)


def has_requests(major, minor):
    return os.path.isdir(f"/sys/dev/block/{major}:{minor}/mq")


def of_disk(disk, file):
    return os.path.join("/sys/block", os.path.basename(disk), file)


def forbid_merges(disk):
    """Forbids the kernel to merge requests. Each process then has exactly the accesses that it
    makes."""
    write(2, of_disk(disk, "queue/nomerges"))


def schedulers(disk):
    path = of_disk(disk, "queue/scheduler")
    return re.findall(r"[\w-]+", read(path)) if os.path.exists(path) else []


def set_scheduler(disk, name):
    write(name, of_disk(disk, "queue/scheduler"))


def extents(path):
    """Returns [(first sector, end sector)] of the extents of a file on its disk."""
    head = struct.Struct("QQIIII")  # struct fiemap: start, length, flags, mapped, count, reserved
    # struct fiemap_extent: logical, physical, length, ..., flags, ...
    one = struct.Struct("QQQQQIIII")
    count = 2000
    buffer = bytearray(head.size + one.size * count)
    head.pack_into(buffer, 0, 0, 2 ** 64 - 1, 1, 0, count, 0)
    with open(path, "rb") as f:
        fcntl.ioctl(f, FS_IOC_FIEMAP, buffer)
    found = []
    for i in range(head.unpack_from(buffer)[3]):
        _, physical, length = one.unpack_from(buffer, head.size + i * one.size)[:3]
        found.append((physical >> 9, (physical + length) >> 9))
    return found


def loop_control(command, argument=0):
    with open("/dev/loop-control", "rb") as control:
        return fcntl.ioctl(control, command, argument)


# Before a benchmark overwrites a file, its guard looks for other users of the file. For this, the
# guard opens all loop devices for a moment. So the guard in another test can delay detach_loop()
# and attached().

def detach_loop(disk):
    """Detaches the file of loop device @disk, and waits until the file is detached."""
    path = of_disk(disk, "loop/backing_file")
    with contextlib.suppress(OSError):  # no file
        file = read(path)
        run_quietly("losetup", "--detach", disk)
        for _ in range(1000):
            if read(path) != file:  # another process has already attached another file
                break
            time.sleep(0.01)


@contextmanager
def loops_locked(how=fcntl.LOCK_EX):
    """Holds a lock against the tests of other processes. A search for a free loop device may open
    the device of another test for a moment, so it holds the lock exclusively. A test that looks for
    processes that have a device open holds the lock shared."""
    if not os.access("/dev/loop-control", os.R_OK):
        yield
        return
    with open("/dev/loop-control", "rb") as control:
        fcntl.flock(control, how)
        yield


@contextmanager
def attached(*options):
    """Yields a loop device that losetup makes. @options: the options of losetup, and the file."""
    with loops_locked():
        loop = subprocess.check_output(["losetup", "--find", "--show", *map(str, options)],
                                       text=True).strip()
    with undone(lambda: detach_loop(loop)):
        yield loop


def remove_partition(disk, number):
    def remove():
        if run_quietly("delpart", disk, str(number)):
            raise OSError(errno.EBUSY, f"partition {number} of {disk} is in use")
    soon_done(remove)


@contextmanager
def new_loop(number=-1):
    """Yields the number of a new loop device: @number, or a free one. The device is removed at the
    end, with all state that the kernel has about it."""
    number = loop_control(LOOP_CTL_ADD, number)
    with undone(lambda: soon_done(lambda: loop_control(LOOP_CTL_REMOVE, number))):
        yield number


def loop_over_memory(memory, number, flags):
    """Attaches the file @memory to loop device @number. Returns a descriptor of the device. None:
    another process uses the device."""
    disk = os.open(f"/dev/loop{number}", os.O_RDWR)
    config = bytearray(304)  # struct loop_config: fd, block size, loop_info64
    struct.pack_into("II", config, 0, memory, 0)
    struct.pack_into("I", config, 8 + 52, LO_FLAGS_AUTOCLEAR | flags)
    try:
        fcntl.ioctl(disk, LOOP_CONFIGURE, config)
        return disk
    except OSError as error:
        os.close(disk)
        if error.errno != errno.EBUSY:
            raise
        return None


def free_loop(memory, flags):
    """Attaches the file @memory to a free loop device. Returns (number, descriptor). Tries again if
    another process takes the device first, or has it open exclusively for a moment, as a guard
    does."""
    for _ in range(1000):
        with loops_locked():
            number = loop_control(LOOP_CTL_GET_FREE)
            disk = loop_over_memory(memory, number, flags)
        if disk is not None:
            return number, disk
        time.sleep(0.01)
    raise OSError(errno.EBUSY, "no loop device is free for long enough")


@contextmanager
def loop_disk(size, number=None, flags=0):
    """Attaches a loop device to a new file in memory. When the last user closes the device, the
    kernel detaches and frees the file."""
    memory = os.memfd_create("loop")
    os.truncate(memory, size)
    if number is None:
        number, disk = free_loop(memory, flags)
    elif (disk := loop_over_memory(memory, number, flags)) is None:
        raise OSError(errno.EBUSY, f"loop{number} is taken")
    try:
        # This descriptor keeps the device alive. It is read-only, because a writable descriptor
        # would let this process write to the device.
        os.dup2(reader := os.open(f"/dev/loop{number}", os.O_RDONLY), disk, False)
        os.close(reader)
        # A test may change the scheduler. The loop device outlives the test, so the scheduler is
        # restored at the end.
        with restored(of_disk(f"loop{number}", "queue/scheduler")):
            yield f"/dev/loop{number}"
    finally:
        os.close(disk)
        os.close(memory)


@contextmanager
def new_loop_disk(size):
    with new_loop() as number, loop_disk(size, number) as disk:
        yield disk


@contextmanager
def zram_disk(size):
    number, remove = read("/sys/class/zram-control/hot_add"), "/sys/class/zram-control/hot_remove"
    with undone(lambda: soon_done(lambda: write(number, remove))):
        write(size, of_disk(f"zram{number}", "disksize"))
        yield f"/dev/zram{number}"


def attached_programs(pid):
    ids = set()
    for name in os.listdir(f"/proc/{pid}/fdinfo"):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/fdinfo/{name}") as f:
            rows = dict(line.split(None, 1) for line in f)
            ids |= {int(rows["prog_id:"])} if "link_id:" in rows else set()
    show = ["bpftool", "--json", "prog", "show", "id"]
    return {json.loads(subprocess.check_output([*show, str(id)]))["name"] for id in ids}


def bpf_ids(pid, kind):
    """Returns the ids of a process's BPF programs (@kind "prog") or maps ("map"). The process may
    close descriptors meanwhile."""
    ids = set()
    for name in os.listdir(f"/proc/{pid}/fdinfo"):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/fdinfo/{name}") as f:
            ids |= {int(line.split()[1]) for line in f if line.startswith(f"{kind}_id:")}
    return ids
