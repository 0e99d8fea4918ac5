#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: cpu
"""Gives two cgroups of different hierarchies the same id, and removes one of them while iospan
exporter runs. The test runs alone, because another program that makes cgroups could take the ids
that the test needs."""
import math
import os

from lib import kernel
from lib.cgroups import Groups
from lib.ktap import *
from lib.measure import needs_run
from lib.openmetrics import Exporter, needs_parser


def ids(directory):
    """Yields ids of new cgroups. For each id, makes a cgroup in @directory and removes it."""
    path = os.path.join(directory, f"iospan-ids-{os.getpid()}")
    while True:
        os.mkdir(path)
        found = os.stat(path).st_ino
        os.rmdir(path)
        yield found


def step(directory):
    found = ids(directory)
    return -next(found) + next(found)


# Each cgroup hierarchy counts its ids from 1, so cgroups of two hierarchies can have the same id.
# If one of two such cgroups is removed, the exporter must keep the other cgroup.
@test()
def a_removed_group_of_another_hierarchy_changes_nothing():
    needs_run()
    needs_parser()
    groups = Groups()
    with kernel.undone(groups.remove), open(__file__, "rb") as file:
        others = [(abs(next(ids(other)) - next(ids(groups.top))) // step(other), other)
                  for other in kernel.version1()
                  if math.gcd(step(other), step(groups.top)) == 1]
        needs(others and min(others)[0] < 50000, "needs a hierarchy of version 1 with like ids")
        other = min(others)[1]
        made, n = ids(groups.top), next(ids(other))
        while next(made) < n:
            pass
        with Exporter("--layers=vfs", *groups.options) as exporter:
            paths = [f"/g{i}" for i in range(step(other) + 1)]
            for path in paths:
                groups.make(path)
                groups.call(path, os.pread, file.fileno(), 1, 0)
            ours = [os.stat(groups.top + path).st_ino for path in paths]
            twin = next(n for n in ids(other) if n in ours or n > ours[-1])
            expect_true(twin in ours, f"id {twin} is one of {ours}")
            exporter.scrape()
            seen = exporter.scrape()
    expect_eq((seen.one("iospan_cgroups", state="live"), seen.one("iospan_cgroups", state="removed")),
              (1 + len(paths), 0), "live and gone")


main()
