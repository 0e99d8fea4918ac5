# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs iospan in tests, and makes loads for it to measure. An oracle is an independent observer of
the same load, with which tests compare iospan."""
import json
import os
import shlex
import shutil
import signal
import subprocess
import time
from functools import lru_cache

from lib import kernel
from lib.ktap import (BUILD, EMULATED, IOSPAN, assert_eq, beforehand, expect_eq, needs, root,
                      scratch_dir)

# With these variables, setlocale() and localtime() read no files. Such reads would make the layers
# differ: the vfs layer, in the kernel, counts them. The app layer, a preloaded library, does not
# see them, because libc makes them by an internal function.
QUIET = {"LC_ALL": "C", "TZ": "UTC0"}
# Kinds of losses (events that iospan missed) after which iospan still counts the access.
REPAIRED = ("completions", "requeues", "nested")
# iospan's BPF programs for completions. A completion may interrupt one of them on the same CPU,
# also if it is one of a disk that only other processes use. The kernel then skips a run of the
# program.
COMPLETING = ("on_complete", "on_bio_complete")


class Report:

    def __init__(self, document):
        self.document = document
        self.layers, self.losses = document["layers"], document["losses"]
        self.notes = document["notes"] + document["limits"]
        self.disks = {d["name"]: d for d in document["devices"]}

    def operation(self, layer, name):
        row = (self.layers[layer] or {}).get("operations", {}).get(name)
        return (row["accesses"], row["bytes"]) if row else (0, 0)

    def lost(self, *but):
        return {k: n for k, n in self.losses.items() if n and k not in but}

    def noted(self, *words):
        return any(all(word in note for word in words) for note in self.notes)

    def span_ns(self, layer):
        return self.layers[layer]["span_ns"]

    def untimed(self):
        """Returns the number of device accesses without a latency. Their completion was lost, or
        interrupted another one."""
        return self.losses["completions"] + self.losses["nested"]

    def missed_runs(self):
        """Returns {BPF program: skipped runs}, without the programs for completions."""
        return {name: n for name, n in self.document["missed_runs"].items()
                if n and name.removesuffix("_nested") not in COMPLETING}


@lru_cache(maxsize=None)
def features():
    """Returns ({feature: present}, required features that are missing)."""
    text = subprocess.run([IOSPAN, "version", "-v", "--json"], check=False,
                          capture_output=True).stdout or '{"features": []}'
    table = json.loads(text)["features"]
    missing = [f["name"] for f in table if f["required"] and not f["present"]]
    return {f["name"]: f["present"] for f in table}, missing


beforehand.append(features)


def feature(name):
    return features()[0].get(name, False)


def interrupt_at_start():
    """For preexec_fn: makes SIGINT pending before iospan starts. So iospan finds it at its first
    check for signals."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)


def needs_run(*tools):
    """Skips the test unless iospan can measure here and the tools are installed."""
    needs(root(), "needs root")
    needs(features()[0] and not features()[1],
          f"this machine lacks {', '.join(features()[1])}")
    for tool in tools:
        needs(shutil.which(tool), f"needs {tool}")


def needs_another_user():
    """Skips the test unless root runs it and user 65534 may execute the build."""
    needs(root(), "needs root, to run as another user")
    done = subprocess.run(["test", "-x", IOSPAN], user=65534, check=False)
    needs(done.returncode == 0, "other users may not execute the build")


def needs_oracle(*tools):
    needs_run(*tools)
    needs(feature("tracefs"), "needs tracefs")


def needs_workload(*programs):
    needs_run()
    for program in programs:
        needs(os.path.exists(program), "the workload is not built: make build-tests")


def needs_features(*names):
    for name in names:
        needs(feature(name), f"this kernel has no {name}")


# the backends of the vfs layer, and the features that they need
BACKENDS = {"tracepoint": (), "kprobe": ("kprobe_multi",), "fentry": ("bpf_prog_fentry",)}


def needs_backend(backend):
    needs_features(*BACKENDS[backend])


def best_backend():
    """Returns the backend that iospan chooses on this kernel."""
    return "kprobe" if feature("kprobe_multi") else "tracepoint"


def only(layers):
    """Returns an option for only these layers on an emulated machine, which loads BPF programs
    slowly. Returns no option on other machines."""
    return ("--layers=" + layers,) if EMULATED else ()


def command_line(argv, *options):
    report = os.path.join(scratch_dir(), "report.json")
    return [IOSPAN, "run", "--json", "-o", report, *options, "--", *argv]


def environment(**more):
    return {**os.environ, **QUIET, **more}


def start(argv, **options):
    """Runs the command argv without an oracle. For a run with an oracle, tests use the function
    that oracle.recorder() yields."""
    return subprocess.run(argv, text=True, capture_output=True, check=False, **options)


@lru_cache
def loaded(program):
    path = shutil.which(program)
    done = subprocess.run(["ldd", path], text=True, capture_output=True, check=False)
    return [path, os.path.join(BUILD, "libiospan.so"),
            *(word for word in done.stdout.split() if word.startswith("/"))]


def warm(program):
    """Reads a program's files into the page cache. Otherwise, page faults on them would be I/O of
    the command."""
    for path in loaded(program):
        with open(path, "rb") as f:
            while f.read(1 << 20):
                pass


def named_first(argv):
    """Returns a command in which sh reads a file, and then executes argv in the same process. So
    the process has the name sh when iospan records its first access."""
    return ["sh", "-c", 'read -r line <"$0"; exec "$@"', make_file("line", 100), *argv]


def measure(argv, *options, run=None, status=0):
    """Runs argv under iospan. Returns (Report, output). If @run is the function that
    oracle.recorder() yields, returns (Report, output, Oracle)."""
    line = command_line(argv, *options)
    # Reads the programs into the page cache first. Otherwise, iospan's child might read them before
    # it joins the measured cgroup. The oracle would count such reads, but iospan would not.
    warm(IOSPAN)
    warm(argv[0])
    done = (run or start)(line, env=environment())
    done, *oracle = done if run else (done,)
    assert_eq(done.returncode, status, f"status of {argv[0]} ({done.stderr.strip()})")
    path = os.path.join(scratch_dir(), "report.json")
    with open(path, encoding="utf-8") as f:
        report = Report(json.load(f))
    os.unlink(path)
    return (report, done.stdout, *oracle)


def make_file(name, size):
    """Creates a file, and writes all its data to the disk. Returns its path."""
    path = os.path.join(scratch_dir(), name)
    chunk = os.urandom(1 << 20)
    with open(path, "wb") as f:
        for _ in range(size >> 20):
            f.write(chunk)
        f.write(chunk[:size & 0xFFFFF])
        f.flush()
        os.fsync(f.fileno())
    return path


def wait_for_file(path, size=1):
    while not os.path.exists(path) or os.path.getsize(path) < size:
        time.sleep(0.05)


def needs_disk():
    """Skips the test unless the scratch directory is directly on a request-based disk. Returns the
    disk's name."""
    number = os.stat(scratch_dir()).st_dev
    name = kernel.disk_of(number)
    needs(name and kernel.has_requests(os.major(number), os.minor(number)),
          "the scratch directory is not right on a disk")
    return name


def drop_cache(path):
    with open(path, "rb") as f:
        os.fsync(f.fileno())
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def in_turn(*commands):
    """Returns one command that runs all @commands in order, so that the test starts iospan only
    once."""
    return ["sh", "-c", " && ".join(map(shlex.join, commands))]


def json_lines(text):
    return [json.loads(line) for line in text.splitlines()]


def added(rows):
    return [sum(column) for column in zip(*rows)]


def fio_command(path, *options):
    return ["fio", "--name=load", f"--filename={path}", "--output-format=json",
            "--allow_file_create=0", *options]


def fio_result(text):
    """Returns {"read": (accesses, bytes), "write": ...} from fio's output, summed over all jobs."""
    sums = {}
    for job in json.loads(text[text.index("{"):])["jobs"]:
        for name in ("read", "write"):
            old = sums.get(name, (0, 0))
            sums[name] = (old[0] + job[name]["total_ios"], old[1] + job[name]["io_bytes"])
    return sums


def expect_complete(report, *but):
    """Checks that the report has no losses but these:
    - the kinds in @but;
    - REPAIRED, because iospan still counts these accesses;
    - skipped runs of the programs for completions, which any disk of the machine may cause;
    - late_bios, because another process may create a bio-based disk."""
    expect_eq(report.lost(*REPAIRED, "missed_runs", "late_bios", *but), {}, "losses")
    if "missed_runs" not in but:
        expect_eq(report.missed_runs(), {}, "missed runs, without those of completions")


def workload(name):
    return os.path.join(BUILD, "tests", "kernel", name)
