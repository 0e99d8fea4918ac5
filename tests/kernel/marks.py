#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the mark * of stacked disks in text output. A stacked disk is, for instance, a loop disk
over another disk. Without the mark, a reader could add up both disks, and count the same bytes
twice."""
import re
import subprocess

from lib import disks, kernel
from lib.ktap import *
from lib.measure import needs_run

NOTE = "device: disks marked * are stacked and not in the total"


def iospan(*args):
    done = subprocess.run([IOSPAN, *args], capture_output=True, text=True, check=False)
    expect_eq(done.returncode, 0, done.stderr)
    return done.stdout + done.stderr


def has_row(text, name):
    return re.search(rf"^ *{re.escape(name)}\*? ", text, re.M)


def expect_mark(text, name, other):
    expect_eq(text.count(NOTE), 1, text)
    expect_true(re.search(rf"^ *{re.escape(name)}\* ", text, re.M), f"{name} has no mark: {text}")
    expect_true(not re.search(rf"^ *({re.escape(name)}|{re.escape(other)}\*) ", text, re.M), text)


@test(seconds=120)
def a_stacked_disk_has_the_same_mark_everywhere():
    needs_run()
    with kernel.loop_disk(8 << 20) as below, disks.loop_over(below) as top:
        names = disks.name_of(top), disks.name_of(below)
        read = ["dd", f"if={top}", "of=/dev/null", "bs=64k", "iflag=direct", "status=none"]
        expect_mark(iospan("run", "--", *read), *names)
        trace = f"{scratch_dir()}/trace"
        with subprocess.Popen(["sh", "-c", 'while "$@"; do sleep 0.01; done', "sh", *read]) as load:
            # on a busy machine, the load may stand still for the time of some intervals
            text = ""
            while not has_row(text, names[0]):
                text = iospan("stat", "-d", ",".join(names), "-i", "1s", "-n", "2")
            load.terminate()
        expect_mark(text, *names)
        iospan("record", "-o", trace, "-l", "device", "--", *read)
        expect_mark(iospan("report", "--by", "device", trace), *names)


main()
