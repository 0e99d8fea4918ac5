# SPDX-License-Identifier: GPL-2.0-or-later
"""Loads that write to a file and sync it, one call after another."""
import inspect
import os
import sys


def write_and_sync(path, count):
    fd = os.open(path, os.O_CREAT | os.O_WRONLY)
    for i in range(count):
        os.pwrite(fd, b"text", i)
        os.fsync(fd)


def sync_command(path, count):
    code = inspect.getsource(write_and_sync)
    return [sys.executable, "-c", f"import os\n{code}write_and_sync({path!r}, {count})"]
