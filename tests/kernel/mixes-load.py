#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""mixes-load.py JOB...: runs the jobs, which are command lines of fio, at the same time. Each job
has its own cgroup, named after the number of the job. The cgroups remain, so that iospan can read
their names."""
import subprocess
import sys

from lib import kernel


def start(job, groups):
    return subprocess.Popen(job.split(), preexec_fn=lambda: kernel.enter_groups(groups))


def main(jobs):
    above = kernel.own_groups()
    children = [start(job, kernel.make_groups(above, str(number)))
                for number, job in enumerate(jobs)]
    return max(child.wait() for child in children)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
