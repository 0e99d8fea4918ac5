# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes cgroups below one new cgroup, for tests of commands that measure the whole machine. In
these tests, iospan assigns I/O to the cgroup of the submitting task, because that works in every
hierarchy."""
import os
import subprocess

from lib import kernel
from lib.ktap import needs


class Groups:
    def __init__(self):
        needs(kernel.mounted("cgroup2"), "cgroup version 2 is not mounted")
        version2 = [g for g in kernel.own_groups() if g.startswith(kernel.mounted("cgroup2"))]
        [self.top] = kernel.make_groups(version2, f"iospan-test-{os.getpid()}")
        self.options = "--within", self.top, "--attribution=task"

    def make(self, path):
        os.mkdir(self.top + path)

    def remove(self):
        kernel.remove_groups([g for g, *_ in os.walk(os.fsencode(self.top), topdown=False)])

    def start(self, path, argv):
        return subprocess.Popen(argv, text=True, stdout=subprocess.PIPE,
                                preexec_fn=lambda: kernel.enter_groups([self.top + path]))

    def call(self, path, function, *arguments):
        """Runs @function in a new process in this cgroup, and waits for its end."""
        if (pid := os.fork()) == 0:
            kernel.enter_groups([self.top + path])
            function(*arguments)
            os._exit(0)
        os.waitpid(pid, 0)
