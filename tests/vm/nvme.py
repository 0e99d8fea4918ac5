#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests how bench load and bench beff access an NVMe disk by polling, and bench load by passthrough
commands."""
import json
import os
import subprocess

from lib import disks
from lib.beff import beff, few_repetitions
from lib.ktap import *
from lib.loads import load

NVME = os.environ.get("IOSPAN_NVME")
NAME = os.path.basename(NVME or "")
GENERIC = f"/dev/ng{NAME[4:]}"
INTERRUPTS = "/proc/interrupts"


def driver(*parameters):
    subprocess.run(["modprobe", "-r", "nvme"], check=True)
    subprocess.run(["modprobe", "nvme", *parameters], check=True)
    disks.wait_for(lambda: os.path.exists(NVME) and os.path.exists(GENERIC), NVME)


def interrupts():
    with open(INTERRUPTS, encoding="ascii") as f:
        return sum(int(line.split()[1]) for line in f
                   if "nvme0q" in line and "nvme0q0" not in line)


def sectors():
    """Returns (read, written) sectors of the disk, as the block layer counts them."""
    fields = disks.read(disks.of_disk(NVME, "stat")).split()
    return int(fields[2]), int(fields[6])


def expect_load(*options, accesses=1009):
    status, found, err = load(*options, "-n", accesses, "--unique-bytes", "16M")
    if expect_eq((status, err), (0, ""), f"{options}"):
        app = found["layers"]["app"]
        expect_eq((app["accesses"], app["errors"], found["short_requests"]), (accesses, 0, 0),
                  f"{options}")
    return found


def expect_refused(*options, words):
    before = sectors()[1]
    status, found, err = load(*options, "--unique-bytes", "16M", "-n", "10")
    expect_eq((status, bool(found), err.count("\n")), (1, False, 1), f"{options}: {err}")
    expect_true(words in err, f"{words!r} in {err}")
    expect_eq(sectors()[1], before, f"{options}: sectors written")


@test()
def polling_needs_poll_queues():
    driver("poll_queues=0")
    expect_refused(NVME, "--iopoll", words="no queues to poll")
    driver("poll_queues=1")
    before = interrupts()
    for options in ((), ("--sqpoll",), ("--passthrough",), ("--rate=2000", "--batch=4")):
        expect_load(NVME, "--iopoll", *options)
    expect_le(interrupts() - before, 100, "interrupts of polled requests")
    expect_load(NVME, "--sqpoll", accesses=10007)
    expect_ge(interrupts() - before, 200, "interrupts of other requests")


@test()
def polling_a_file():
    driver("poll_queues=1")
    subprocess.run(["mkfs.ext4", "-q", "-F", NVME], check=True)
    disks.kernel.mount("ext4", scratch_dir(), NVME)
    expect_load(scratch_dir(), "--iopoll", "--read", "0.5", "--verify")
    disks.kernel.unmount(scratch_dir())


def many_reads(n):
    """Returns an option of bench beff that limits its accesses: each of two processes makes @n
    reads of 32 KiB, and few other accesses."""
    option = few_repetitions(2)
    path = option.split("=")[1]
    with open(path, encoding="ascii") as f:
        found = json.load(f)
    for access in found["partitions"][0]["access_methods"].values():
        for p in (p for t in access["types"] if t["type"] == "separated" for p in t["patterns"]):
            if p["chunk"] == "32k":
                p["repetitions"] = n
    with open(path, "w", encoding="ascii") as f:
        json.dump(found, f)
    return option


def beff_with(option, hint):
    path = os.path.join(scratch_dir(), "hints")
    with open(path, "w", encoding="ascii") as f:
        f.write(f"all read separated 32768 {hint} enable\n")
    before = interrupts()
    status, found, err = beff(option, f"--hints={path}")
    return status, found, err, interrupts() - before


@test()
def ranks_that_poll():
    driver("poll_queues=1")
    subprocess.run(["mkfs.ext4", "-q", "-F", NVME], check=True)
    disks.kernel.mount("ext4", scratch_dir(), NVME)
    repeat, counts = many_reads(1009), {}
    for hint in "direct", "iopoll":
        status, found, err, counts[hint] = beff_with(repeat, hint)
        part = found["partitions"][0]
        device = next(p["layers"]["device"] for p in part["access_methods"]["read"]["types"][2]["patterns"]
                      if p["chunk"] == "32k")
        expect_eq((status, err, part["wrong_chunks"], device["accesses"]),
                  (0, "", 0, 2 * 1009), f"{hint}: status, stderr, wrong chunks, reads")
    diagnostic(f"interrupts: {counts}")
    # Without polling, one interrupt may complete two requests. So there is at least one interrupt
    # for every two requests.
    expect_ge(counts["direct"] - counts["iopoll"], 1009, "interrupts avoided by polling")
    disks.kernel.unmount(scratch_dir())
    driver("poll_queues=0")
    disks.kernel.mount("ext4", scratch_dir(), NVME)
    status, found, err, _ = beff_with("--duration=1", "iopoll")
    expect_eq((status, found), (1, None), "status, result")
    expect_true("has no queues to poll" in err, err)
    disks.kernel.unmount(scratch_dir())


# The block layer must not count passthrough commands. Data that a passthrough command writes must
# be readable through the block layer, and the reverse.
@test()
def passthrough_bypasses_the_block_layer():
    driver("poll_queues=0")
    before = sectors()
    for target in (NVME, GENERIC):
        expect_load(target, "--passthrough")
    expect_load(NVME, "--passthrough", "--sqpoll")
    expect_le(sectors()[0] - before[0], 100 * 8, "sectors read through the block layer")
    expect_eq(sectors()[1], before[1], "written")
    status, found, err = load(NVME, "--passthrough", "--verify", "--destroy", "--read", "0.5", "-n",
                              "2003", "--unique-bytes", "8M", "--size-dist", "512:1,4k:1,64k:1", "--align", "512",
                              "--procs", "2", "--signature=ext4")
    assert_eq(err, "", "stderr")
    expect_eq((status, found["verify"]["differences"], found["verify"]["read_back_bytes"]),
              (0, 0, 8 << 20), "status, places that differ, read back")
    expect_eq(sectors()[1] - before[1], (8 << 20) // 512,
              "sectors written through the block layer, by the fill")


@test()
def passthrough_is_guarded():
    driver("poll_queues=0")
    for target in (NVME, GENERIC):
        expect_refused(target, "--passthrough", "--read", "0.5", words="--destroy")
    subprocess.run(["mkfs.ext4", "-q", "-F", NVME], check=True)
    for target in (NVME, GENERIC):
        expect_refused(target, "--passthrough", "--read", "0", "--destroy", words="ext4")
    disks.kernel.mount("ext4", scratch_dir(), NVME)
    expect_refused(GENERIC, "--passthrough", "--read", "0", "--destroy", "--signature=ext4",
                   words="mounted")
    disks.kernel.unmount(scratch_dir())


@test()
def passthrough_refuses_unsupported_targets():
    driver("poll_queues=0")
    expect_refused(os.environ["IOSPAN_SSD"], "--passthrough", words="NVMe disks only")
    expect_refused(scratch_dir(), "--passthrough", words="NVMe disks only")
    expect_refused(NVME, "--passthrough", "-s", "8M", words="at most")
    with disks.partition(NVME, 1, 2048, 65536) as part:
        expect_refused(part, "--passthrough", words="whole disks")
    expect_refused(GENERIC, words="neither")


main()
