# SPDX-License-Identifier: GPL-2.0-or-later
"""Loads on unusual paths through the block layer, and commands that show whether accesses end. T is
the time in which any access is in flight."""
import multiprocessing
import time
from contextlib import contextmanager

# In seconds: the pause after the accesses. An access that never ends makes T longer by this pause.
IDLE_S = 0.2


def jobs(*parts):
    argv = []
    for number, (disk, *options) in enumerate(parts):
        argv += [f"--name=job{number}", f"--filename={disk}", *options]
    return ["fio", "--output-format=json", "--allow_file_create=0", *argv]


def idle_after(argv):
    """Returns a command that runs argv, then pauses. T includes the pause if an access never ends.
    """
    return ["sh", "-c", f'"$@"; status=$?; sleep {IDLE_S}; exit $status', "sh", *argv]


@contextmanager
def meanwhile(action, *args):
    """Runs the generator action() again and again in another process, with a pause of 30 ms after
    each step (yield). Yields a shared counter of the steps."""
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
