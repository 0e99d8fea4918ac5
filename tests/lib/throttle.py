# SPDX-License-Identifier: GPL-2.0-or-later
"""Slows a command's reads down by a limit on its cgroup, below the speed of the disk."""
import glob
import os
import time

from lib import kernel
from lib.ktap import *


def needs_throttle():
    top = kernel.mounted("cgroup2") or ""
    needs(kernel.mounted("cgroup", "blkio") or
          "io" in kernel.read(top, "cgroup.subtree_control").split(),
          "needs the io or the blkio controller")


def limit_reads(child, dev, per_second, what):
    """Waits until iospan has made a cgroup for the command. Then limits the reads of this cgroup.
    @what: "iops" (reads/s) or "bps" (bytes/s)."""
    old, number = kernel.mounted("cgroup", "blkio"), f"{os.major(dev)}:{os.minor(dev)}"
    while not (groups := glob.glob(f"{old or kernel.mounted('cgroup2')}/**/"
                                   f"iospan-{child.pid}-*", recursive=True)):
        assert_eq(child.poll(), None, "ended")
        time.sleep(0.01)
    if old:
        kernel.write(f"{number} {per_second}", groups[0], f"blkio.throttle.read_{what}_device")
    else:
        kernel.write(f"{number} r{what}={per_second}", groups[0], "io.max")
