# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes disks of many kinds, which are removed at the end of a with block. Skips the test if the
machine cannot make such a disk."""
import glob
import os
import subprocess
import time
from contextlib import ExitStack, contextmanager

from lib import kernel
from lib.kernel import of_disk, read, write
from lib.ktap import needs

SCSI_DEBUG = "/sys/bus/pseudo/drivers/scsi_debug"
CONFIGFS = "/sys/kernel/config"


def tool(*argv):
    return subprocess.run(argv, check=True, text=True, capture_output=True).stdout


def name_of(disk):
    return os.path.basename(os.path.realpath(disk))


def wait_for(found, what):
    for _ in range(2000):
        if result := found():
            return result
        time.sleep(0.01)
    raise TimeoutError(f"{what} did not appear")


def needs_module(name):
    done = subprocess.run(["modprobe", "-n", name], check=False, capture_output=True)
    needs(done.returncode == 0, f"needs the kernel module {name}")


@contextmanager
def module(name, *parameters):
    needs_module(name)
    with kernel.undone(lambda: kernel.run_quietly("modprobe", "-r", name)):
        tool("modprobe", name, *parameters)
        yield


# ---- disks that the kernel simulates ----

@contextmanager
def null_disk(name, **settings):
    """Makes a disk of 64 MB that stores its data. @settings: attributes of the disk."""
    needs_module("null_blk")
    path = f"{CONFIGFS}/nullb/{name}"
    defaults = {"size": 64, "memory_backed": 1, "discard": 1, "irqmode": 2,
                "completion_nsec": 20000}

    def remove():
        write(0, path + "/power")
        os.rmdir(path)

    with ExitStack() as stack:
        if not os.path.isdir("/sys/module/null_blk"):
            stack.enter_context(module("null_blk", "nr_devices=0"))
        if not os.path.isdir(CONFIGFS + "/nullb"):
            kernel.mount("configfs", CONFIGFS)
            stack.callback(kernel.unmount, CONFIGFS)
        stack.enter_context(kernel.undone(remove))
        os.mkdir(path)
        for key, value in {**defaults, **settings}.items():
            needs(os.path.exists(f"{path}/{key}"), f"null_blk has no {key}")
            write(value, f"{path}/{key}")
        try:
            write(1, path + "/power")
        except OSError as error:
            needs(False, f"null_blk refuses {settings}: {error.strerror}")
        number = read(path + "/index")
        yield wait_for(lambda: existing(f"/dev/{name}", f"/dev/nullb{number}"), name)


def existing(*paths):
    return next((p for p in paths if os.path.exists(p)), None)


def scsi_disks():
    found = glob.glob(f"{SCSI_DEBUG}/adapter*/host*/target*/*/block/*")
    return sorted("/dev/" + os.path.basename(p) for p in found)


def scsi_set(**settings):
    for key, value in settings.items():
        write(value, f"{SCSI_DEBUG}/{key}")


@contextmanager
def scsi_debug(count=1, **parameters):
    settings = {"dev_size_mb": 64, "delay": 0, "ndelay": 20000, **parameters}
    with module("scsi_debug", *(f"{k}={v}" for k, v in settings.items())):
        yield wait_for(lambda: len(scsi_disks()) == count and
                       all(map(os.path.exists, scsi_disks())) and scsi_disks(),
                       "a disk of scsi_debug")
        scsi_set(every_nth=0, opts=0)


def scsi_file(disk, name):
    return glob.glob(of_disk(disk, f"device/scsi_disk/*/{name}"))[0]


@contextmanager
def ram_disk():
    with module("brd", "rd_nr=1", f"rd_size={32 << 10}"):
        yield wait_for(lambda: existing("/dev/ram0"), "ram0")


@contextmanager
def zram_disk(megabytes=32):
    with ExitStack() as stack:
        if not os.path.exists("/sys/class/zram-control/hot_add"):
            stack.enter_context(module("zram", "num_devices=0"))
        yield stack.enter_context(kernel.zram_disk(megabytes << 20))


def loop_over(path):
    return kernel.attached("--direct-io=off", path)


@contextmanager
def new_loop():
    """Yields a loop device with an unused number, which has no file yet."""
    with kernel.new_loop() as number:
        disk = f"/dev/loop{number}"
        with kernel.undone(lambda: kernel.detach_loop(disk)):
            yield wait_for(lambda: existing(disk), "a loop device")


def sectors(disk):
    return int(read(of_disk(disk, "size")))


@contextmanager
def mapped(name, *table):
    needs_module("dm-" + table[0].split()[2]
                 if table[0].split()[2] not in ("linear", "error", "zero") else "dm-mod")
    kernel.run_quietly("modprobe", "dm-mod")
    with kernel.undone(lambda: kernel.run_quietly("dmsetup", "remove", "--force", name)):
        subprocess.run(["dmsetup", "create", name], input="\n".join(table), text=True,
                       check=True, capture_output=True)
        minor = tool("dmsetup", "info", "-c", "--noheadings", "-o", "minor", name).strip()
        yield f"/dev/dm-{minor}"


@contextmanager
def array(name, level, members, chunk=65536):
    driver = {"raid4": "raid456", "raid5": "raid456", "raid6": "raid456"}.get(level, level)
    needs_module(driver)
    folder = f"/sys/block/{name}/md"

    def remove():
        write("clear", folder + "/array_state")
        kernel.run_quietly("modprobe", "-r", driver)

    for needed in ("md_mod", driver):
        tool("modprobe", needed)
    with kernel.undone(remove):
        write(name, "/sys/module/md_mod/parameters/new_array")
        write(level, folder + "/level")
        write(len(members), folder + "/raid_disks")
        if level != "raid1":
            write(chunk, folder + "/chunk_size")
        for place, member in enumerate(members):
            number = os.stat(member).st_rdev
            write(f"{os.major(number)}:{os.minor(number)}", folder + "/new_dev")
            write(sectors(member) // 2, f"{folder}/dev-{name_of(member)}/size")
            write(place, f"{folder}/dev-{name_of(member)}/slot")
        write(sectors(members[0]) // 2, folder + "/component_size")
        if os.path.exists(folder + "/resync_start"):
            # Without this write, the driver synchronises the members, and the test sees I/O that it
            # does not expect.
            write("none", folder + "/resync_start")
        write("active", folder + "/array_state")
        yield wait_for(lambda: existing(f"/dev/{name}"), name)


@contextmanager
def partition(disk, number, start, length):
    """Adds a partition to the disk while the with block runs. @start and @length are in sectors."""
    with kernel.undone(lambda: kernel.remove_partition(disk, number)):
        tool("addpart", disk, str(number), str(start), str(length))
        base = disk + ("p" if disk[-1].isdigit() else "")
        yield wait_for(lambda: existing(f"{base}{number}"), "the partition")
