#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Records three cgroups: a reader and a writer on one disk, and a third one on another disk. The
writer writes in bursts. The report must name it as a neighbour of the reader, and not the third
cgroup."""
import contextlib
import csv
import json
import os
import subprocess

from lib import kernel
from lib.accesses import FAILED, OPS, PART, UNSPANNED, UNTIMED, Access, union
from lib.ktap import *
from lib.measure import needs_run
from lib.neighbours import expect_neighbours

# Arguments: mount point of the cgroup file system, shared disk, other disk, path of a file. The
# readers end when the file exists.
LOAD = r'''
set -e
cd "$1$(sed -n 's/^0:://p' /proc/self/cgroup)"
mkdir reader burst innocent
trap 'touch "$4"' EXIT
reads() {
	echo 0 >"$1/cgroup.procs"
	while [ ! -e "$3" ]; do
		dd if="$2" of=/dev/null bs=16k count=300 iflag=direct status=none
	done
}
(reads reader "$2" "$4") &
(reads innocent "$3" "$4") &
(
	echo 0 >burst/cgroup.procs
	for _ in 1 2 3 4 5; do
		sleep 0.1
		dd if=/dev/zero of="$2" bs=4M count=8 oflag=direct status=none
	done
)
touch "$4"
wait
'''


def accesses_of(path):
    done = subprocess.run([IOSPAN, "export", "--format", "csv", path], text=True, check=True, capture_output=True)
    flags = {"error": FAILED, "part": PART, "untimed": UNTIMED, "unspanned": UNSPANNED}
    return [Access(2, OPS.index(row["op"]), int(row["start_ns"]), int(row["end_ns"]), disk=row["device"],
                   group=row["cgroup"] or "-", held=int(row["held_ns"] or 0),
                   flags=sum(bit for key, bit in flags.items() if row[key] == "1"))
            for row in csv.DictReader(done.stdout.splitlines()) if row["layer"] == "device"]


def recorded(shared, other):
    path, stop = (os.path.join(scratch_dir(), name) for name in ("trace", "stop"))
    for old in path, stop:  # of an earlier recording
        with contextlib.suppress(FileNotFoundError):
            os.unlink(old)
    done = subprocess.run(
        [IOSPAN, "record", "-o", path, "--by=cgroup", "--attribution=task", "--layers=device", "--", "sh", "-c", LOAD, "sh",
         kernel.mounted("cgroup2"), shared, other, stop],
        capture_output=True, text=True, check=False)
    assert_eq(done.returncode, 0, done.stderr)
    return path


def reader_and_burst(accesses, disk):
    """Returns (time in which only the reader used the disk, time in which both used it)."""
    reader, burst = ([a for a in accesses if (a.disk, a.group) == (disk, group)]
                     for group in ("/reader", "/burst"))
    both = union(reader + burst)
    return both - union(burst), union(reader) + union(burst) - both


@test()
def a_burst_is_named():
    needs_run()
    needs(kernel.mounted("cgroup2"), "cgroup version 2 is not mounted")
    with kernel.loop_disk(64 << 20) as shared, kernel.loop_disk(64 << 20) as other:
        disks = [os.path.basename(disk) for disk in (shared, other)]
        # until the reader reads in a burst and between bursts, which a busy machine may prevent
        for _ in range(5):
            path = recorded(shared, other)
            if all(reader_and_burst(accesses_of(path), disks[0])):
                break
    text = subprocess.run([IOSPAN, "report", "--by=cgroup", "--neighbours", "--json",
                           f"--device={','.join(disks)}", path], capture_output=True, text=True, check=True).stdout
    seen = json.loads(text)
    diagnostic("; ".join(seen["summary"]))
    expect_neighbours(seen, [a for a in accesses_of(path) if a.disk in disks])
    rows = {(d["name"], row["path"]): row for d in seen["neighbours"] for row in d["cgroups"]}
    expect_eq(sorted(rows), sorted([(disks[0], "/burst"), (disks[0], "/reader"), (disks[1], "/innocent")]), "cgroups")
    for name, neighbour in (("/reader", "/burst"), ("/burst", "/reader")):
        expect_eq(rows[disks[0], name]["neighbour"]["path"], neighbour, f"neighbour of {name}")
    expect_true(rows[disks[0], "/reader"]["alone_ns"] > 0, "the reader is alone between the bursts")
    expect_eq((rows[disks[1], "/innocent"]["shared_ns"], rows[disks[1], "/innocent"]["neighbour"]), (0, None))
    [sentence] = [line for line in seen["summary"] if " shares " in line]
    expect_true("/reader" in sentence and "/burst" in sentence and "/innocent" not in sentence, sentence)


main()
