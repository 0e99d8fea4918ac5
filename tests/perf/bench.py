#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the benchmarks named by the arguments: cost, overhead, generator, recording, exporter, jobs.
Without arguments, runs all but jobs, which needs more packages.

Prints medians over $ROUNDS rounds of $SECONDS_PER_ROUND seconds. The spread is (max - min) /
median. $T_IO_URING is the path of t/io_uring, a load generator in fio's source.
$BEFORE is the path of another iospan, such as a build without a feature, to compare with."""
import signal
import sys

import cost
import exporter
import generator
import jobs
import overhead
import recording

ALL = {"cost": cost.bench, "overhead": overhead.bench, "generator": generator.bench,
       "recording": recording.bench, "exporter": exporter.bench, "jobs": jobs.bench}

# On a signal, calls sys.exit(), so that each benchmark restores the settings of the machine.
for number in signal.SIGTERM, signal.SIGHUP:
    signal.signal(number, lambda number, _: sys.exit(128 + number))
for name in sys.argv[1:] or [name for name in ALL if name != "jobs"]:
    if name not in ALL:
        sys.exit(f"bench: unknown benchmark '{name}'; one of {', '.join(ALL)}")
    ALL[name]()
