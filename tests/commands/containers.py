#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests names, filters and `run -g` with a container of Podman. The container's cgroup is below a
cgroup that the test makes."""
import contextlib
import json
import os
import shutil
import subprocess

from lib import kernel
from lib.cgroups import Groups
from lib.ktap import *
from lib.measure import needs_run
from lib.podman import LIMITS, TOOLS, Podman

NAME = f"iospan-test-{os.getpid()}-web"
# In the container, the first process (a shell) writes 2 bytes at a time. Its child writes 3 bytes
# at a time. The files are in memory, so that no write waits for a busy disk.
LOOPS = """while :; do printf 123 >/data/g; usleep 2000; done &
while :; do echo x >/data/f; usleep 2000; done"""


class Container(Podman):
    def __init__(self, groups):
        super().__init__()
        self.top = groups.top
        parent = self.top[len(kernel.mounted("cgroup2")):]
        self.group = f"/sys/fs/cgroup{parent}"
        self.podman("import", self.image(), "web:1")
        self.id = self.podman("run", "-d", f"--name={NAME}", f"--cgroup-parent={parent}",
                              *LIMITS, "--network=none", "--privileged",
                              "--tmpfs=/data", "localhost/web:1",
                              "/bin/sh", "-c", LOOPS).strip()
        self.pid = self.podman("inspect", "-f", "{{.State.Pid}}", NAME).strip()
        self.path = f"/libpod-{self.id}"

    def image(self):
        tree, tar = f"{scratch_dir()}/image", f"{scratch_dir()}/image.tar"
        os.makedirs(f"{tree}/bin")
        shutil.copy(shutil.which("busybox"), f"{tree}/bin")
        for name in "sh", "usleep":
            os.symlink("busybox", f"{tree}/bin/{name}")
        subprocess.run(["tar", "-C", tree, "-cf", tar, "."], check=True)
        return tar

    def document(self, *args):
        return json.loads(self.iospan(*args, "--json", "-o", "/dev/stdout").stdout)


def end(groups):
    """Ends the processes of the container, and removes its cgroup."""
    kernel.write("1", groups.top, "cgroup.kill")
    groups.remove()


@contextlib.contextmanager
def container():
    needs_run("busybox", *TOOLS)
    groups = Groups()
    with kernel.undone(lambda: end(groups)):
        yield Container(groups)


def writes(document):
    row = document["layers"]["vfs"]["operations"]["write"]
    assert_true(row["accesses"], "there are writes")
    return row["bytes"] / row["accesses"]


@test(seconds=240, long=True)
def a_container_has_its_name_everywhere():
    with container() as c:
        within = "--within", c.group, "-l", "vfs", "--by", "cgroup"
        for pattern in NAME, f"container={NAME[:-2]}*", f"podman:{NAME}":
            text = c.iospan("stat", "-i", "1s", "-n", "1", *within, "-g", pattern).stdout
            rows = [line.split()[0] for line in text.splitlines()[1:] if "vfs" in line]
            expect_eq(set(rows), {f"podman:{NAME}"}, pattern)
        rows = json.loads(c.iospan("stat", "--json", "-i", "1s", "-n", "1", *within).stdout)
        row, = [g for g in rows["cgroups"] if g["path"] == c.path]
        expect_eq([row[k] for k in ("name", "namespace", "pod", "container")],
                  [f"podman:{NAME}", None, None, NAME], "stat --json")
        trace = f"{scratch_dir()}/trace"
        c.iospan("record", "-q", "-o", trace, "-t", "1s", *within, "-g", f"container={NAME}")
        # iospan report runs outside the mount namespace. It cannot ask Podman, so the trace must
        # contain the container's name.
        done = subprocess.run([IOSPAN, "report", "--json", "--by", "cgroup", "-g",
                               f"container={NAME}", trace], capture_output=True, check=True)
        row, = [g for g in json.loads(done.stdout)["cgroups"] if g["path"] == c.path]
        expect_eq([row["name"], row["container"]], [f"podman:{NAME}", NAME], "report")


@test(seconds=240, long=True)
def run_attaches_to_a_container_and_to_a_process():
    with container() as c:
        both = c.document("run", "-g", NAME, "-t", "1s", "-l", "vfs")
        expect_eq(both["title"].split(": ")[0], f"podman:{NAME}", "title")
        expect_true(2 < writes(both) < 3, f"the writes of both processes: {writes(both)}")
        expect_eq(writes(c.document("run", "-p", c.pid, "-t", "1s", "-l", "vfs")), 2,
                  "the writes of one process")


main()
