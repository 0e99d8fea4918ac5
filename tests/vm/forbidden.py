#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs bench load on a machine that forbids io_uring."""
import os

from lib import kernel
from lib.ktap import *
from lib.loads import load

FORBIDDEN = "/proc/sys/kernel/io_uring_disabled"


@test()
def io_uring_is_disabled():
    needs(os.path.exists(FORBIDDEN), "needs kernel.io_uring_disabled, Linux 6.6")
    with kernel.restored(FORBIDDEN):
        kernel.write("2", FORBIDDEN)
        status, found, err = load(scratch_dir(), "--unique-bytes", "16M", "-n", "10", "--procs", "2")
        expect_eq((status, found, err.count("\n")), (1, None, 1), err)
        expect_true("kernel.io_uring_disabled" in err, err)
        expect_eq(load(scratch_dir(), "--unique-bytes", "16M", "-n", "10", "--engine", "psync")[0], 0, "psync")


main()
