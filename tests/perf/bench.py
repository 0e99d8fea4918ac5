#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs all benchmarks, or those that the arguments name: overhead, generator, recording, exporter.

Values are medians over the rounds. The spread is (max - min) / median. $ROUNDS is the number of
rounds, $SECONDS_PER_ROUND their duration, $T_IO_URING the path of t/io_uring, if it is available.
"""
import signal
import sys

import exporter
import generator
import overhead
import recording

ALL = {"overhead": overhead.bench, "generator": generator.bench, "recording": recording.bench,
       "exporter": exporter.bench}

# After such a signal, the settings of the machine are restored, as after Ctrl-C.
for number in signal.SIGTERM, signal.SIGHUP:
    signal.signal(number, lambda number, _: sys.exit(128 + number))
for name in sys.argv[1:] or ALL:
    if name not in ALL:
        sys.exit(f"bench: unknown benchmark '{name}'; one of {', '.join(ALL)}")
    ALL[name]()
