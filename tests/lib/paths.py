# SPDX-License-Identifier: GPL-2.0-or-later
"""Loads on unusual paths through the block layer, and commands that show whether accesses end."""
import multiprocessing
import time
from contextlib import contextmanager

# In seconds: the pause after the accesses, by which one that never ends would make T longer.
IDLE_S = 0.2


def jobs(*parts):
    argv = []
    for number, (disk, *options) in enumerate(parts):
        argv += [f"--name=job{number}", f"--filename={disk}", *options]
    return ["fio", "--output-format=json", "--allow_file_create=0", *argv]


def idle_after(argv):
    """An access that never ends would make T include the pause."""
    return ["sh", "-c", f'"$@"; status=$?; sleep {IDLE_S}; exit $status', "sh", *argv]


@contextmanager
def meanwhile(action, *args):
    """Runs action() in another process, again and again; it yields after each step, and waits 30
    ms. Yields the counter of steps."""
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
