#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Starts iospan exporter by its systemd unit. systemd is process 1 of a pid namespace."""
import contextlib
import os
import re
import shutil
import subprocess
import time
import urllib.request

from lib import disks, kernel
from lib.ktap import *
from lib.openmetrics import Exporter, Scrape, needs_parser, without_notes

SSD = os.environ.get("IOSPAN_SSD")
UNIT = "iospan-exporter.service"
SYSTEMD = "/lib/systemd/systemd"
PROGRAM, URL = "/usr/local/bin/iospan", "http://127.0.0.1:9715/metrics"
CAPABILITIES = 1 << 38 | 1 << 39  # CAP_PERFMON, CAP_BPF
DYNAMIC_USERS = range(61184, 65520)


def make_units():
    """Makes a directory of systemd units: the unit of the exporter, and the targets that every
    service needs. The machine's own targets would start more services."""
    units = f"{scratch_dir()}/units"
    os.makedirs(f"{units}/{UNIT}.d")
    shutil.copy(f"Documentation/prometheus/{UNIT}", units)
    for target in "sysinit", "basic", "shutdown":
        with open(f"{units}/{target}.target", "w", encoding="ascii") as f:
            f.write("[Unit]\nDefaultDependencies=no\n")
    with open(f"{units}/{UNIT}.d/log.conf", "w", encoding="ascii") as f:
        f.write(f"[Service]\nStandardOutput=append:{scratch_dir()}/log\nStandardError=inherit\n")
    return units


@contextlib.contextmanager
def systemd():
    units = make_units()
    argv = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", SYSTEMD,
            f"--unit={UNIT}"]
    env = {"PATH": os.environ["PATH"], "container": "test", "SYSTEMD_UNIT_PATH": units,
           "SYSTEMD_GENERATOR_PATH": units}
    child = subprocess.Popen(argv, env=env, stdin=subprocess.DEVNULL)
    try:
        yield
    finally:
        child.kill()
        child.wait()


def log():
    """Returns what the exporter has printed, without notes on the machine."""
    with contextlib.suppress(FileNotFoundError), open(f"{scratch_dir()}/log", encoding="ascii") as f:
        return without_notes(f.read())
    return ""


def scrape():
    with urllib.request.urlopen(URL) as answer:
        return Scrape(answer.read(), classic=True)


def wait_for_exporter():
    while not (text := log()):
        time.sleep(0.2)
    assert_eq(text, f"{URL}\n")
    return int(subprocess.check_output(["pidof", PROGRAM]))


def expect_no_privileges(pid):
    status = dict(re.findall(r"^(\w+):\s+(\S+)", kernel.read(f"/proc/{pid}/status"), re.M))
    expect_eq(kernel.capabilities(pid), 0, "capabilities")
    expect_eq(int(status["CapBnd"], 16), CAPABILITIES, "CapabilityBoundingSet=")
    expect_eq((status["NoNewPrivs"], status["Seccomp"]), ("1", "2"))
    expect_true(int(status["Uid"]) in DYNAMIC_USERS, f"dynamic user {status['Uid']}")


def writes_after_9_more(disk):
    """Writes to @disk 9 times, and returns the number of writes that the exporter has counted."""
    subprocess.run(["dd", "if=/dev/zero", f"of={disk}", "bs=4k", "count=9", "oflag=direct",
                    "status=none"], check=True)
    time.sleep(Exporter.FRESH_S)
    return scrape().sum("iospan_accesses_total", cgroup="/", device=os.path.basename(disk), op="write")


# The new disk appears after the exporter has dropped its capabilities. The disk takes bios without
# making requests, so the exporter must attach more BPF programs.
@test(seconds=1500)
def systemd_runs_the_exporter_as_a_dynamic_user():
    needs(SSD, "runs only in a VM")
    needs(os.path.exists(SYSTEMD), "needs systemd")
    needs_parser()
    shutil.copy(IOSPAN, PROGRAM)
    with systemd():
        expect_no_privileges(wait_for_exporter())
        scrape()
        with disks.zram_disk() as disk:
            while not (before := writes_after_9_more(disk)):
                pass
            expect_eq(writes_after_9_more(disk) - before, 9, "writes")
        expect_eq(log(), f"{URL}\n")


main()
