# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes loads for the paths of the block layer."""
import multiprocessing
import time
from contextlib import contextmanager

# In seconds. T of an access that never ends includes this pause, so T is clearly too long.
IDLE_S = 0.2


def jobs(*parts):
    """Returns a command that runs one fio for several disks. Each part is (disk, option, ...)."""
    argv = []
    for number, (disk, *options) in enumerate(parts):
        argv += [f"--name=job{number}", f"--filename={disk}", *options]
    return ["fio", "--output-format=json", "--allow_file_create=0", *argv]


def idle_after(argv):
    """Returns a command that runs argv and then pauses. T of an access that never ends includes the
    pause."""
    return ["sh", "-c", f'"$@"; status=$?; sleep {IDLE_S}; exit $status', "sh", *argv]


@contextmanager
def meanwhile(action, *args):
    """Repeats action() in another process, and waits 30 ms after each step that it yields. Yields
    the counter of these steps."""
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
