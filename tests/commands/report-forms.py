#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the text, JSON, CSV and HTML page of iospan run and iospan report. All of them must have
the same numbers."""
import json

from lib.accesses import *
from lib.forms import expect_same_numbers, expect_same_numbers_of_runs, run
from lib.ktap import *
from lib.measure import needs_run

READ_WRITE = "read+write"
TABLES = {"devices_accessed": "device", "cgroups": "cgroup", "processes": "process", "files_accessed": "file"}


def sums(layer, kind, name, row):
    """Yields a CSV row for reads and writes together, and then one row for each operation."""
    for op, seen in {READ_WRITE: row, **row.get("operations", {})}.items():
        yield {**seen, "layer": layer, "kind": kind, "name": name, "op": op}


def used(rows):
    return [row for row in rows if row["accesses"]]


def rows_of(document):
    """Computes the rows that the CSV must have, in their order, from the JSON document."""
    layers = [(layer, seen) for layer, seen in document["layers"].items() if seen]
    found = [row for layer, seen in layers for row in sums(layer, "layer", "", seen)]
    found.sort(key=lambda row: row["op"] != READ_WRITE)
    for source, seen in document["layers"]["vfs"]["sources"].items():
        found.append({**seen, "layer": "vfs", "kind": "source", "name": source, "op": "all"})
    devices = used(row for seen in document["devices"]
                   for row in sums("device", "device", seen["name"], seen))
    found += sorted(devices, key=lambda row: row["op"] != READ_WRITE)
    for key, kind in TABLES.items():
        for entity in document.get(key, []):
            rows = used(row for layer, seen in entity["layers"].items() if seen
                        for row in sums(layer, kind, entity["title"], seen))
            found += sorted(rows, key=lambda row: row["op"] != READ_WRITE)
    for piece in document.get("slices", []):
        for layer, seen in piece["layers"].items():
            found.append({**seen, "layer": layer, "kind": "slice", "name": str(piece["from_ns"]),
                          "op": READ_WRITE})
    return found


@test()
def all_forms_of_a_report_have_the_same_numbers():
    accesses = random_trace(7, 2000, longest=20000)
    path = write("forms", accesses)
    expect_same_numbers(rows_of, "report", "-q", "--exact", "--by=device,cgroup,process,file",
                        "--interval=100us", "--", path)
    head, row = run("report", "--csv", path).splitlines()[:2]
    expect_eq(len(head.split(",")), len(row.split(",")), "cells")


@test()
def csv_has_every_metric():
    path = write("metrics", random_trace(8, 100))
    [row] = [row for row in rows_of(json.loads(run("report", "--json", path)))
             if (row["layer"], row["kind"], row["op"]) == ("vfs", "layer", "read+write")]
    # Only rows of cgroups and processes have values for pressure and sharing.
    titles = [title for title in run("report", "--csv", path).splitlines()[0].split(",")
              if not title.startswith(("pressure.", "sharing."))]
    expect_eq(set(row) - {"operations", "sources"} ^ set(titles), set(), "titles")


@test()
def all_forms_of_a_run_have_the_same_numbers():
    needs_run("dd")
    expect_same_numbers_of_runs("run", "-o", "-", "--", "dd", "if=/dev/zero", "of=/dev/null",
                                "bs=4k", "count=7", "status=none")


main()
