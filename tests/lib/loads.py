# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs `iospan bench load` for tests."""
import glob
import json
import os
import subprocess
import time

from lib import kernel
from lib.ktap import *
from lib.ktap import descendants
from lib.measure import warm


def load(*options, **how):
    warm(IOSPAN)
    done = subprocess.run([IOSPAN, "bench", "load", *map(str, options), "--json"],
                          capture_output=True, text=True, check=False, **how)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def lines(path):
    if not os.path.exists(path):
        return 0
    with open(path, encoding="ascii") as f:
        return f.read().count("\n")


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
        return [int(child) for child in f.read().split()]


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def terminate_while_filling(child, folder, size):
    """The process @child fills an unnamed file of @size bytes in @folder. This function terminates
    the process as soon as the file has data. Returns True if the file was incomplete after the
    signal was sent. Returns False if the signal may have come too late."""
    while child.poll() is None:
        for path in glob.glob(f"/proc/{child.pid}/fd/*"):
            try:
                if not os.readlink(path).startswith(folder + "/") or not os.stat(path).st_size:
                    continue
                fd = os.open(path, os.O_RDONLY)  # the file stays if the child closes it
            except OSError:
                continue
            child.terminate()
            filled = os.fstat(fd).st_size
            os.close(fd)
            return filled < size
        time.sleep(0.01)
    return child.returncode != 0  # after an error, the caller reports it


def needs_space(folder, size):
    left = os.statvfs(folder)
    needs(left.f_bavail * left.f_frsize >= size, f"needs {size >> 30} GiB of free space")


class Running:
    """A running load that has finished at least one interval."""

    def __init__(self, *options, **how):
        warm(IOSPAN)
        self.live = os.path.join(scratch_dir(), f"live{time.monotonic_ns()}")
        self.child = subprocess.Popen(
            [IOSPAN, "bench", "load", *map(str, options), "--json", "--warm-up", "0s",
             "--interval=100ms", "--log", self.live],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True, **how)
        self.rounds(1)

    def rounds(self, n):
        """Waits until @n more intervals have ended after this call."""
        n += lines(self.live)
        while lines(self.live) < n and self.child.poll() is None:
            time.sleep(0.01)
        return self

    def failing(self):
        """Waits until an interval with a failed request has ended. The test cannot wait for a
        number of intervals instead: after a pause of the load, many empty intervals end at once."""
        return self.until("errors", 1)

    def until(self, number, least):
        """Waits until the last interval in the log has at least @least in the field @number of the
        app layer, such as "accesses". On a busy machine, the first intervals may end before the
        first request."""
        while self.child.poll() is None:
            with open(self.live, encoding="ascii") as f:
                last = f.read().rpartition("\n")[0].rpartition("\n")[2]
            if json.loads(last)["app"][number] >= least:
                break
            time.sleep(0.01)
        return self

    def keeper(self):
        """Returns the pid of the supervisor process, the command's child that runs the load."""
        return next(pid for pid in children(self.child.pid)
                    if kernel.read(f"/proc/{pid}/comm") == "iospan")

    def signal(self, number):
        """Sends the signal to all processes of the load. Fails if the load has already ended."""
        if self.child.poll() is not None:
            status, _, err = self.end()
            raise OSError(f"the load has ended with status {status}: {err}")
        os.killpg(self.child.pid, number)
        return self

    def stop(self):
        kernel.stop(self.child.pid, *(pid for pid, _ in descendants(self.child.pid)))
        return self

    def end(self):
        out, err = self.child.communicate()
        os.unlink(self.live)
        return self.child.returncode, json.loads(out) if out else None, err
