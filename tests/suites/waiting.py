#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the table "waiting" of iospan with a computation from the accesses in a trace. The load
is a database, which waits in fdatasync()."""
import csv
import json
import os
import subprocess
from collections import defaultdict

from lib.ktap import *
from lib.measure import Report, environment, expect_complete, needs_run
from lib.oracle import sweep
from lib.postgresql import Cluster

TRANSACTIONS = 500
# Permitted difference between a time in the table and the time computed from the trace, as a
# fraction. iospan reads the clock and then updates its counter of this time (span). If another CPU
# updates the span in between, the span differs slightly from the union of the accesses in the
# trace.
ERROR = 0.01
DEVICE = ("read", "write", "flush")


def span(*sets):
    return sweep([interval for one in sets for interval in one])[0]


def both(one, other):
    return span(one) + span(other) - span(one, other)


def iospan(*words):
    return subprocess.run([IOSPAN, *words], check=True, text=True, env=environment(),
                          stdout=subprocess.PIPE).stdout


def intervals_of(path):
    """Returns {(layer, operation): intervals of its accesses} of a trace, without stacked disks."""
    found = defaultdict(list)
    for row in csv.DictReader(iospan("export", "--format=csv", path).splitlines()):
        if row["stacked"] != "1":
            found[row["layer"], row["op"]].append((int(row["start_ns"]), int(row["end_ns"])))
    return found


def computed(path):
    """Returns values from a trace: (the row vfs of the table, the time in which the device was busy
    during syncs, the time in which it was busy during reads and writes)."""
    found = intervals_of(path)
    sync, data = found["vfs", "sync"], found["vfs", "read"] + found["vfs", "write"]
    device = [interval for op in DEVICE for interval in found["device", op]]
    wait, union, waited = span(sync, data), span(sync, data, device), both(sync + data, device)
    return ({"wait_span_ns": wait, "wait_or_device_ns": union, "wait_for_device_ns": waited,
             "wait_above_device_ns": wait - waited, "device_unwaited_ns": span(device) - waited},
            both(sync, device), both(data, device))


def expect_alike(seen, expected, error, what):
    for key, value in expected.items():
        diagnostic(f"{what}: {key} {seen[key]}, from the trace {value}")
        expect_true(abs(seen[key] - value) <= error, f"{what}: {key} {seen[key]}, expected {value}")


# The wait time of the vfs layer must include syncs. Otherwise nearly all busy time of the disk
# would be shown as time for which no program waits.
@test(seconds=300)
def postgresql_waits_for_the_device():
    needs_run()
    cluster, path = Cluster(), os.path.join(scratch_dir(), "trace")
    subprocess.run(["sh", cluster.script(cluster.make, cluster.start, cluster.fill, cluster.stop)],
                   check=True)
    script = cluster.script(cluster.start, cluster.load.format(TRANSACTIONS), cluster.stop)
    document = iospan("record", "--json", "-o", path, "--layers=vfs,device", "--", "sh", script)
    report = Report(json.loads(document))
    expect_complete(report)
    expected, by_sync, by_data = computed(path)
    diagnostic(f"device time in ns: during syncs {by_sync}, during reads and writes {by_data}")
    whole = expected["wait_or_device_ns"]
    expect_alike(json.loads(iospan("report", "--json", path))["waiting"]["vfs"], expected, 0, "report")
    seen = report.document["waiting"]["vfs"]
    expect_alike(seen, expected, ERROR * whole, "record")
    expect_ge(report.operation("vfs", "sync")[0], TRANSACTIONS, "syncs")
    expect_ge(seen["wait_for_device_ns"], by_sync - ERROR * whole, "device time during syncs, waited for")
    expect_ge(by_sync, by_data, "device time during syncs, against that during reads and writes")


main()
