# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs `iospan correlate`, and makes its inputs: CSV files and logs of Darshan."""
import functools
import os

from lib import forms
from lib.ktap import *

START = 1769860800  # 2026-01-31T12:00:00+0000
JOB_TITLES = ("job", "t_start_s", "t_end_s")
FILE_TITLES = ("job", "first_io_s", "last_io_s", "op")


MEASURES = ("pearson", "spearman", "distance_correlation", "mutual_information")
FAST = ("--permutations", 0, "--granularity", 1, "--trees", 5)  # the measures only

iospan = functools.partial(forms.iospan, "correlate")
document = functools.partial(forms.document, "correlate")


def expect_refused(said, *args, status=1):
    forms.expect_refused(status, said, "correlate", *args)


def correlated(*args):
    return document(*args)["correlation"]


def by_column(doc, form):
    return {a["column"]: a for a in doc["associations"] if a["io_time"] == form}


def text(name, lines):
    path = os.path.join(scratch_dir(), name)
    with open(path, "w", encoding="utf-8") as f:
        f.write("".join(line + "\n" for line in lines))
    return path


def write(name, titles, rows):
    return text(name, [",".join(map(str, row)) for row in [titles, *rows]])


def darshan(job, start, records, old=False, mounts=None):
    """Returns the lines of a Darshan log with @records: (rank, file, {counter: value}). @mounts:
    {file: mount point}. Other files are on /scratch."""
    lines = [f"# darshan log version: {'2.06' if old else '3.41'}", f"# jobid: {job}",
             f"# start_time: {start}", "# start_time_asci: Sat Jan 31 12:00:00 2026",
             f"# end_time: {start + 100}", "# end_time_asci: Sat", "# nprocs: 4", ""]
    for rank, name, counters in records:
        for counter, value in counters.items():
            prefix = "CP_F_POSIX_" if counter in ("META_TIME", "READ_TIME") else "CP_F_"
            prefix = prefix if old else "POSIX_F_"
            if counter.startswith("BYTES"):
                prefix = "CP_" if old else "POSIX_"
            mount = (mounts or {}).get(name, "/scratch")
            lines.append("\t".join([*([] if old else ["POSIX"]), str(rank), name, prefix + counter,
                                    str(value), f"{mount}/a file", mount, "lustre"]))
    return [*lines, "MPI-IO\t0\t1\tMPIIO_F_META_TIME\t99\t/x\t/\text4"]
