#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs bench load while its disk fails or is removed."""
import glob
import os
import subprocess

from lib import disks, kernel
from lib.ktap import *
from lib.loads import Running

SSD = os.environ.get("IOSPAN_SSD")


def expect_partial(result):
    status, found, err = result
    app = found["layers"]["app"]
    expect_eq((status, found["complete"], found["ended_by"]), (1, False, "error"), err)
    expect_true("no request succeeds any more: " in err and err.count("\n") == 1, err)
    # A removed disk has size 0, so a read returns 0 bytes without an error. iospan must count this
    # as an error, not as a short request.
    expect_eq(found["short_requests"], 0, "requests without an error")
    expect_ge(app["errors"], 1, "failed requests")
    expect_ge(app["accesses"] - app["errors"], 1, "other requests")


def dmsetup(*arguments):
    subprocess.run(["dmsetup", *arguments], check=True)


@test(seconds=600)
def a_mapped_disk_starts_to_fail():
    for options in ((), ("--engine", "psync", "--procs", "2"), ("--read", "0.5", "--destroy", "--processes")):
        with disks.mapped("bad", f"0 65536 linear {SSD} 0") as disk:
            run = Running(disk, "--unique-bytes", "16M", "-t", "500s", *options)
            run.until("accesses", 1)
            dmsetup("suspend", "bad")
            dmsetup("load", "bad", "--table", "0 65536 error")
            dmsetup("resume", "bad")
            expect_partial(run.end())


@test(seconds=600)
def data_of_a_failing_disk_are_unreadable():
    with disks.mapped("bad", f"0 65536 linear {SSD} 0") as disk:
        run = Running(disk, "--unique-bytes", "16M", "-n", "20000", "--read", "0.5", "--destroy", "--verify")
        dmsetup("suspend", "bad")
        dmsetup("load", "bad", "--table", f"0 32760 linear {SSD} 0\n32760 8 error\n"
                f"32768 32768 linear {SSD} 32768")
        dmsetup("resume", "bad")
        status, found, err = run.end()
        expect_eq((status, found["verify"]["differences"], found["verify"]["unreadable"]),
                  (1, 1, 1), err)
        expect_eq(found["verify"]["first_differences"][0]["expected"]["offset_bytes"], 32760 << 9, "sector")


def ssds():
    return ["/dev/" + path.split("/")[3] for path in glob.glob("/sys/block/sd*/queue/rotational")
            if kernel.read(path) == "0"]


@test(seconds=600)
def a_disk_is_removed():
    for options in ((), ("--engine", "psync", "--read", "0.5", "--destroy")):
        disk = disks.wait_for(ssds, "an SSD")[0]
        device = os.path.realpath(kernel.of_disk(disk, "device"))
        host = next(part for part in device.split("/") if part.startswith("host"))
        run = Running(disk, "--unique-bytes", "16M", "-t", "500s", *options)
        run.until("accesses", 1)
        kernel.write("1", device, "delete")
        expect_partial(run.end())
        kernel.write("- - -", f"/sys/class/scsi_host/{host}/scan")


main()
