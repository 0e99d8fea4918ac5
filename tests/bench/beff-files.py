#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""The files of iospan bench beff, byte by byte against its definition: if these fail, it
measures other accesses than b_eff_io has."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../trace"))

from lib.beff import beff, expect_files  # noqa: E402
from lib.ktap import *  # noqa: E402

SMALL = ("-T", 1, "--memory=1M", "--keep")


def files_of(ranks, *options):
    status, found, err = beff("-n", ranks, *SMALL, *options)
    expect_eq((status, err, found["complete"]), (0, "", True), "status, stderr, complete")
    part = found["partitions"][0]
    expect_eq((part["processes"], part["wrong_chunks"]), (ranks, 0), "ranks, wrong chunks")
    expect_files(found)
    return found


@test(seconds=120)
def of_one_process():
    files_of(1)


@test(seconds=120)
def of_two():
    files_of(2)


@test(seconds=180)
def of_three():
    files_of(3)


@test(seconds=180)
def of_four():
    files_of(4)


@test(seconds=300)
def of_seven():
    files_of(7)


@test(seconds=180)
def without_an_exchange():
    found = files_of(3, "--no-collective-buffering", "--geometric")
    expect_eq((found["collective_buffering"], found["geometric"]), (False, True), "options")


# The exchange goes on over many windows, whose ends cut chunks in two.
@test(seconds=180)
def with_little_room_for_the_exchange():
    files_of(4, "--agents=3", "--collective-buffer=12k")


@test(seconds=180)
def without_a_shared_pointer():
    found = files_of(3, "--no-shared-pointer")
    met = {c["name"]: c["met"] for c in found["criteria"]}
    expect_eq((found["valid"], met["shared_pointer"]), (False, False), "valid, shared pointer")


@test(seconds=180)
def all_rewritten():
    found = files_of(2, "--rewrite")
    types = [t["type"] for t in found["partitions"][0]["accesses"]["rewrite"]["types"]]
    expect_eq(len(types), 5, "types rewritten")


@test(seconds=180)
def several_partitions():
    status, found, _ = beff("-n", "2,1,3", "-T", 3, "--memory=1M", "--keep")
    expect_eq((status, [p["processes"] for p in found["partitions"]]), (0, [2, 1, 3]), "ranks")
    for index in range(3):
        expect_files(found, index)


main()
