#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the benchmarks, or those that are named: overhead, generator, recording,
exporter.

Values are medians over the rounds; the spread is (max - min) / median. $ROUNDS and
$SECONDS_PER_ROUND say how many and how long, $T_IO_URING where t/io_uring is, if it is.
"""
import signal
import sys

import exporter
import generator
import overhead
import recording

ALL = {"overhead": overhead.bench, "generator": generator.bench, "recording": recording.bench,
       "exporter": exporter.bench}

# what was changed of the machine is put back, as after Ctrl-C
for number in signal.SIGTERM, signal.SIGHUP:
    signal.signal(number, lambda number, _: sys.exit(128 + number))
for name in sys.argv[1:] or ALL:
    if name not in ALL:
        sys.exit(f"bench: unknown benchmark '{name}'; one of {', '.join(ALL)}")
    ALL[name]()
