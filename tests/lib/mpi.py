# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs benchmarks by processes of mpirun."""
import json
import os
import re
import shutil
import subprocess

from .ktap import *
from .ktap import TOP

# The build without sanitisers, because sanitisers would report errors of the MPI library.
PLAIN = IOSPAN.replace("/san/", "/")


def needs_mpi():
    needs(shutil.which("mpirun"), "no mpirun (package mpich)")
    needs(os.path.exists(os.path.join(os.path.dirname(PLAIN), "libiospan-mpi.so")),
          "built without mpicc (package libmpich-dev)")


def build_preload(name):
    """Returns the path of a library for LD_PRELOAD, built from tests/commands/mpi/NAME.c."""
    library = os.path.join(scratch_dir(), f"{name}.so")
    subprocess.run(["mpicc", "-shared", "-fPIC", "-o", library, f"{TOP}/tests/commands/mpi/{name}.c"], check=True)
    return library


def mpirun(ranks, *words):
    return ["mpirun", "-n", str(ranks), PLAIN, "bench", *map(str, words), "--engine=mpiio"]


def by_mpi(ranks, *words, **how):
    """Returns (status, document or None, stderr)."""
    done = subprocess.run([*mpirun(ranks, *words), "--json"], capture_output=True, text=True, check=False, **how)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read()
    except OSError:
        return ""


def ranks_at_work(command, path):
    """Returns the pids of the processes of `iospan bench COMMAND PATH`, without cleanup processes."""
    return sorted(int(pid) for pid in filter(str.isdigit, os.listdir("/proc"))
                  if re.match(rf"{PLAIN}\0bench\0{command}\0{path}\0", read(f"/proc/{pid}/cmdline")) and
                  read(f"/proc/{pid}/comm") == "iospan\n")
