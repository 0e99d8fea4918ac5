# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs Podman in a mount namespace. There, Podman has a state of its own, and only cgroups of
version 2 are mounted."""
import subprocess

from lib.ktap import IOSPAN, assert_eq

# Podman keeps its state below the directories that become tmpfs. crun needs cgroup version 2.
PREPARE = """mount --make-rprivate / && umount -R /sys/fs/cgroup &&
mount -t cgroup2 none /sys/fs/cgroup && mkdir -p /var/lib/containers &&
mount -t tmpfs none /var/lib/containers && mount -t tmpfs none /run &&
mount -t tmpfs none /dev/shm && echo ready && exec sleep 1000"""
# crun can set these limits without CAP_SYS_RESOURCE and without cgroup controllers.
LIMITS = ("--pids-limit=-1 --oom-score-adj=0 --log-driver=none --ulimit=nofile=1024:1024 "
          "--ulimit=nproc=1024:1024").split()
TOOLS = "podman", "crun", "unshare", "nsenter"


class Podman:
    def __init__(self, *options):
        self.options = options
        self.host = subprocess.Popen(["unshare", "-m", "sh", "-c", PREPARE], text=True,
                                     stdout=subprocess.PIPE)
        assert_eq(self.host.stdout.readline(), "ready\n", "the mount namespace")
        self.inside = ["nsenter", "-m", "-t", str(self.host.pid)]

    def argv(self, *args):
        return [*self.inside, "podman", "--cgroup-manager=cgroupfs", "--runtime=crun",
                "--events-backend=file", *self.options, *args]

    def podman(self, *args):
        return self.run(*self.argv(*args)).stdout

    def iospan(self, *args):
        return self.run(*self.inside, IOSPAN, *args)

    @staticmethod
    def run(*argv):
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        assert_eq(done.returncode, 0, done.stderr)
        return done
