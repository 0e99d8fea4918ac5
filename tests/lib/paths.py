# SPDX-License-Identifier: GPL-2.0-or-later
"""Loads for the paths of the block layer."""
import multiprocessing
import time
from contextlib import contextmanager

IDLE_S = 0.2  # long enough for a count that is off to show


def jobs(*parts):
    """One fio for several disks: (disk, option, ...) each."""
    argv = []
    for number, (disk, *options) in enumerate(parts):
        argv += [f"--name=job{number}", f"--filename={disk}", *options]
    return ["fio", "--output-format=json", "--allow_file_create=0", *argv]


def idle_after(argv):
    """The command, then nothing for a while: what stays busy then, was left behind."""
    return ["sh", "-c", f'"$@"; status=$?; sleep {IDLE_S}; exit $status', "sh", *argv]


@contextmanager
def meanwhile(action, *args):
    """Runs what action() yields from over and over, 30 ms apart, in a process of its
    own; gives the number of times."""
    done = multiprocessing.Value("i", 0)

    def repeat():
        while True:
            for _ in action(*args):
                done.value += 1
                time.sleep(0.03)

    child = multiprocessing.Process(target=repeat, daemon=True)
    child.start()
    try:
        yield done
    finally:
        child.terminate()
        child.join()
