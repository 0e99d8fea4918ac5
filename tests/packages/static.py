#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the static command in roots of other systems: one with only busybox, which has no libc, no
terminfo and no locales, and others of Debian."""
import json
import os
import shutil
import ssl
import subprocess
import urllib.request

from lib.credentials import certificate
from lib.ktap import *
from lib.measure import needs_run
from lib.openmetrics import Exporter
from lib.terminal import Terminal, needs_terminal

STATIC = os.path.join(BUILD, "iospan-static")
# Releases of Debian with other versions of glibc. bullseye has glibc 2.31, and is the oldest
# release in the main archive. trixie has glibc 2.41.
RELEASES = "bullseye", "trixie"
COPY = "dd", "if=/dev/zero", "of=/tmp/file", "bs=4096", "count=10", "conv=fsync"


def needs_static(*tools):
    needs_run("chroot", *tools)
    needs(os.path.exists(STATIC), "needs the static command; `make static` builds it")


class Root:
    """A directory as the root of another system, with the static command and libiospan.so."""

    def __init__(self, path):
        self.path = path
        for name in "proc", "sys", "dev":
            os.makedirs(f"{path}/{name}", exist_ok=True)
            subprocess.run(["mount", "--rbind", f"/{name}", f"{path}/{name}"], check=True)
        os.makedirs(f"{path}/tmp", exist_ok=True)
        shutil.copy(STATIC, f"{path}/iospan")
        shutil.copy(f"{BUILD}/libiospan.so", path)

    def argv(self, *words):
        return ["chroot", self.path, "/iospan", *words]

    def iospan(self, *words, status=0):
        done = subprocess.run(self.argv(*words), capture_output=True, text=True, check=False)
        expect_eq(done.returncode, status, done.stderr)
        return done

    def report(self, layers, *command):
        self.iospan("run", "-l", layers, "--json", "-o", "/tmp/report", "--", *command)
        with open(f"{self.path}/tmp/report", encoding="utf-8") as f:
            return json.load(f)


def busybox():
    path = os.path.join(scratch_dir(), "root")
    os.makedirs(f"{path}/bin")
    shutil.copy(shutil.which("busybox"), f"{path}/bin")
    return Root(path)


def writes(report, layer):
    row = report["layers"][layer]["operations"]["write"]
    return row["accesses"], row["bytes"]


@test()
def busybox_is_measured():
    needs_static("busybox")
    root = busybox()
    report = root.report("app,vfs,device", "/bin/busybox", *COPY)
    expect_eq(writes(report, "vfs"), (10, 40960), "writes")
    # busybox is linked statically, so it does not load the preloaded library. A note must say that
    # the app layer is not seen.
    expect_true(any("not seen" in note for note in report["notes"]), f"a note in {report['notes']}")
    expect_true("BPS" in root.iospan("stat", "-n", "1", "-i", "100ms").stdout, "a table of stat")
    root.iospan("record", "-q", "-o", "/tmp/trace", "--", "/bin/busybox", *COPY)
    expect_true("BPS" in root.iospan("report", "/tmp/trace").stdout, "a table of report")
    os.unlink(f"{root.path}/libiospan.so")
    done = root.iospan("run", "-l", "app", "--", "/bin/busybox", "true", status=1)
    expect_true("libiospan.so is not in the directory" in done.stderr, done.stderr)


@test()
def the_exporter_has_tls():
    needs_static("busybox", "openssl")
    root = busybox()
    paths = [shutil.copy(path, root.path) for path in certificate()]
    one = Exporter()
    names = [f"/{os.path.basename(path)}" for path in paths]
    one.argv = root.argv("exporter", "--listen=127.0.0.1:0", "--tls-cert", names[0], "--tls-key", names[1])
    with one as exporter:
        context = ssl.create_default_context(cafile=paths[0])
        with urllib.request.urlopen(exporter.url, context=context) as answer:
            expect_true(b"iospan_build_info{" in answer.read(), "metrics by TLS")


@test()
def top_needs_no_terminfo():
    needs_static("busybox")
    needs_terminal()
    root = busybox()
    with Terminal() as terminal:
        for term in "xterm-256color", "linux", "vt100":
            terminal.start(f"TERM={term} LC_ALL=C.UTF-8 {' '.join(root.argv('top'))}")
            terminal.wait_for("busy")
            terminal.press("q")
            expect_eq(terminal.ended(), 0, term)


# dlopen() in a static program would load another libc, so it must fail with a clear message.
@test()
def mpi_is_refused():
    needs_static("busybox")
    root = busybox()
    needs(os.path.exists(f"{BUILD}/libiospan-mpi.so"), "needs a build with MPI")
    shutil.copy(f"{BUILD}/libiospan-mpi.so", root.path)
    done = root.iospan("bench", "sets", "4", "/tmp", "--engine", "mpiio", status=1)
    expect_true("the static iospan loads no library" in done.stderr, done.stderr)


def debian(release):
    path = os.path.join(scratch_dir(), release)
    made = subprocess.run(["mmdebstrap", "--quiet", "--variant=extract", "--include=base-files,coreutils",
                           release, path], capture_output=True, text=True, check=False)
    needs(made.returncode == 0, f"needs the archive of Debian: {made.stderr[-100:]}")
    return Root(path)


@test(seconds=300)
def the_library_works_with_other_versions_of_glibc():
    needs_static("mmdebstrap")
    for release in RELEASES:
        root = debian(release)
        # The test covers programs with and without libpthread. In bullseye, sort is linked with
        # libpthread.so.0, and dd is not. timeout runs dd in a child.
        for command in COPY, ("timeout", "60", *COPY):
            report = root.report("app,vfs", *command)
            expect_eq([writes(report, layer) for layer in ("app", "vfs")], [(10, 40960)] * 2,
                      f"{command} in {release}")
        report = root.report("app,vfs", "sort", "--parallel=2", "-o", "/tmp/sorted", "/tmp/file")
        expect_eq([writes(report, layer)[1] for layer in ("app", "vfs")], [40961] * 2,
                  f"bytes that sort writes in {release}, with an end of line")


main()
