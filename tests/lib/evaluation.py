# SPDX-License-Identifier: GPL-2.0-or-later
# Runs `iospan bench scale` for tests.
import glob
import json
import os
import subprocess
import time

from lib import kernel, schema
from lib.ktap import *


class Scale:
    """A running `bench scale`, which saves its results to a file again and again."""

    def __init__(self, *options, file="result.json", **how):
        self.dir = os.path.join(scratch_dir(), "data")
        os.makedirs(self.dir, exist_ok=True)
        os.chmod(self.dir, 0o777)
        self.file = os.path.join(scratch_dir(), file)
        target = [] if any(o.startswith("--resume") for o in options) else [self.dir]
        self.out, self.err = (open(os.path.join(scratch_dir(), name), "w+", encoding="utf-8")
                              for name in ("out", "err"))
        self.child = subprocess.Popen(
            [IOSPAN, "bench", "scale", *target, *options, "--json", "-o", self.file],
            stdout=self.out, stderr=self.err, **how)

    def points(self):
        if not os.path.exists(self.file):
            return 0
        with open(self.file, encoding="utf-8") as f:
            return len(schema.parse(f.read())["points"])

    def wait_for(self, n):
        while self.points() < n and self.child.poll() is None:
            time.sleep(0.02)
        return self

    def groups(self):
        trees = kernel.mounted("cgroup2"), kernel.mounted("cgroup", "blkio"), \
            kernel.mounted("cgroup", "memory")
        return [path for top in filter(None, trees)
                for path in glob.glob(f"{top}/**/iospan-{self.child.pid}-*", recursive=True)]

    def end(self):
        """Waits until the benchmark ends. Checks that no files or cgroups remain. Returns (status,
        document or None, stderr)."""
        self.child.wait()
        out, err = (f.seek(0) or f.read() for f in (self.out, self.err))
        expect_eq(os.listdir(self.dir), [], "files left")
        expect_eq(self.groups(), [], "groups left")
        return self.child.returncode, json.loads(out) if out else None, err


def has_memory_groups():
    _, path = kernel.own_line(":memory:")
    top = kernel.mounted("cgroup2") or ""
    return bool(path) or "memory" in kernel.read(top, "cgroup.subtree_control").split()
