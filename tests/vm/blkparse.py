#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Records a load by blktrace and by iospan at the same time. The trace that iospan imports from
blkparse's text must have the same accesses as the recorded one."""
import csv
import json
import os
import subprocess

from lib import blktrace
from lib.ktap import *
from lib.measure import Report, environment, fio_command, needs_run
from lib.oracle import sweep

SSD = os.environ.get("IOSPAN_SSD")
LIMIT = 1e-3
# Permitted difference of T (the time with an access in flight) in ns per access. iospan and
# blktrace read the clock about 40 instructions apart. In this VM, an instruction takes 1 ns.
STAMP_NS = 50


def report_of(trace):
    done = subprocess.run([IOSPAN, "report", "--json", trace], text=True, capture_output=True,
                          check=False)
    assert_eq(done.returncode, 0, f"status of report ({done.stderr.strip()})")
    return Report(json.loads(done.stdout))


def union(trace, disk):
    """Returns T, the time with at least one read or write of the disk in flight. sweep() shares no
    code with iospan."""
    done = subprocess.run([IOSPAN, "export", "--format", "csv", trace], text=True, check=True,
                          capture_output=True)
    rows = csv.DictReader(done.stdout.splitlines())
    return sweep([(int(r["start_ns"]), int(r["end_ns"])) for r in rows
                  if r["device"] == disk and r["op"] in ("read", "write")])[0]


@test(seconds=300)
def import_of_blkparse_equals_the_record():
    needs_run("fio", "blktrace", "blkparse")
    needs(SSD, "needs a disk of its own, in $IOSPAN_SSD")
    folder, name = scratch_dir(), os.path.basename(SSD)
    ours, theirs = os.path.join(folder, "ours"), os.path.join(folder, "theirs")
    argv = fio_command(SSD, "--rw=randrw", "--bsrange=4k-64k", "--ioengine=io_uring",
                       "--direct=1", "--iodepth=4", "--size=64m", "--number_ios=3000",
                       "--thinktime=200us", "--output=/dev/null")
    with blktrace.program(SSD, folder):
        done = subprocess.run([IOSPAN, "record", "-o", ours, "--layers=device", "--", *argv],
                              text=True, env=environment(), capture_output=True, check=False)
    assert_eq(done.returncode, 0, f"status of record ({done.stderr.strip()})")
    subprocess.run([IOSPAN, "import", "--format", "blkparse", "-o", theirs,
                    blktrace.parsed(folder)], check=True)
    one, other = report_of(ours), report_of(theirs)
    row = one.disks[name]
    [found] = other.disks.values()  # blkparse knows only the number of the disk, not its name
    expect_eq((found["accesses"], found["bytes"]), (row["accesses"], row["bytes"]),
              "accesses, bytes")
    off = found["span_ns"] - row["span_ns"]
    diagnostic(f"T {row['span_ns']} of {row['accesses']} accesses, imported {off:+d} ns")
    expect_le(abs(off), max(LIMIT * row["span_ns"], STAMP_NS * row["accesses"]),
              "T of the import, against iospan")
    expect_near(row["span_ns"], union(ours, name), row["span_ns"] // 10_000, "T of iospan")


main()
