# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes loads that take unusual paths through the block layer, and commands that show whether
accesses end."""
import multiprocessing
import time
from contextlib import contextmanager

# In seconds. Commands pause this long after their accesses. If one seems to be in flight for ever,
# T is too long by the pause.
IDLE_S = 0.2


def jobs(*parts):
    """Returns a command that runs one fio for several disks. Each part is (disk, option, ...)."""
    argv = []
    for number, (disk, *options) in enumerate(parts):
        argv += [f"--name=job{number}", f"--filename={disk}", *options]
    return ["fio", "--output-format=json", "--allow_file_create=0", *argv]


def idle_after(argv):
    """Returns a command that runs argv and then pauses. An access that never ends would make T
    include the pause."""
    return ["sh", "-c", f'"$@"; status=$?; sleep {IDLE_S}; exit $status', "sh", *argv]


@contextmanager
def meanwhile(action, *args):
    """Runs action() in another process again and again. It yields after each step, and then waits
    for 30 ms. Yields the counter of the steps."""
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
