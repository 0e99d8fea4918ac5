#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the name of the file that iospan record writes, and what happens to an older file."""
import os
import subprocess
import time

from lib.foreign import iospan
from lib.ktap import *
from lib.measure import needs_run
from lib.terminal import terminated_on_terminal


def record(*args, **how):
    return subprocess.run([IOSPAN, "record", *args], cwd=scratch_dir(), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False, **how)


def path(name):
    return os.path.join(scratch_dir(), name)


def content(name):
    with open(path(name), "rb") as f:
        return f.read()


def write(name, text):
    with open(path(name), "w", encoding="utf-8") as f:
        f.write(text)


def without_losses(err):
    return "".join(line for line in err.splitlines(True)
                   if not line.startswith("iospan: warning: lost"))


@test()
def a_trace_has_a_default_name():
    needs_run()
    done = record("--", "true")
    expect_eq((done.returncode, done.stdout), (0, ""))
    expect_true(without_losses(done.stderr).startswith("iospan.trace: "), f"name in {done.stderr}")
    expect_eq(os.listdir(scratch_dir()), ["iospan.trace"])
    expect_eq(iospan("report", path("iospan.trace"))[0], 0)


@test()
def an_older_trace_is_kept_beside_the_new_one():
    needs_run()
    kept, now = [], "iospan: warning: 'iospan.trace' exists: it is now 'iospan.trace.old'"
    for said in "", now + "\n", now + ", which is replaced\n":
        done = record("--", "true")
        before = done.stderr[:done.stderr.index("iospan.trace: ")]
        expect_eq((done.returncode, without_losses(before)), (0, said))
        kept.append(content("iospan.trace"))
    expect_true(kept[1] != kept[2], "two recordings are equal")
    expect_eq(content("iospan.trace.old"), kept[1])
    expect_eq(sorted(os.listdir(scratch_dir())), ["iospan.trace", "iospan.trace.old"])


@test()
def another_file_is_replaced_by_force_only():
    needs_run()
    write("notes", "precious")
    done = record("-o", "notes", "--", "true")
    expect_eq((done.returncode, done.stderr),
              (1, "iospan: 'notes' exists and is no trace; --force replaces it\n"))
    expect_eq((content("notes"), os.listdir(scratch_dir())), (b"precious", ["notes"]))
    expect_eq(record("-o", "notes", "--force", "--", "true").returncode, 0)
    expect_eq(content("notes.old"), b"precious")
    write("notes.old", "more precious")
    done = record("-o", "notes", "--", "true")
    expect_eq((done.returncode, content("notes.old")), (1, b"more precious"), done.stderr)
    os.symlink("notes", path("link"))
    expect_eq(record("-o", "link", "--force", "--", "true").returncode, 1, "a symbolic link")


@test()
def an_old_file_of_another_kind_stays():
    """A recording renames an older FILE to FILE.old. If FILE.old already exists, iospan may replace
    only a regular file of its own user. It must refuse, and change nothing, for another user's
    file, a symbolic link, a fifo, a directory, or the standard output."""
    needs_run()
    needs(root(), "needs root, to give a file to another user")
    expect_eq(record("--", "true").returncode, 0)
    before, old = content("iospan.trace"), path("iospan.trace.old")
    write("precious", "precious")

    def anothers_file():
        write("iospan.trace.old", "precious")
        os.chown(old, 65534, 65534)
    for make in (anothers_file, lambda: os.symlink("precious", old), lambda: os.mkfifo(old),
                 lambda: os.mkdir(old)):
        make()
        kind = os.lstat(old)
        done = record("--force", "--", "touch", path("ran"))
        expect_eq((done.returncode, done.stderr[:41]),
                  (1, "iospan: cannot replace 'iospan.trace.old'"))
        expect_eq((os.lstat(old).st_ino, content("iospan.trace"), os.path.exists(path("ran"))),
                  (kind.st_ino, before, False))
        os.rmdir(old) if os.path.isdir(old) else os.remove(old)
    with open(old, "w", encoding="utf-8") as out:
        done = subprocess.run([IOSPAN, "record", "--json", "--", "true"], cwd=scratch_dir(),
                              stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE,
                              text=True, check=False)
    expect_eq((done.returncode, content("iospan.trace.old"), content("iospan.trace")),
              (1, b"", before), done.stderr)


@test()
def a_command_that_cannot_run_leaves_the_old_trace():
    needs_run()
    expect_eq((record("--", "./missing").returncode, os.listdir(scratch_dir())), (127, []))
    expect_eq(record("--", "true").returncode, 0)
    before = content("iospan.trace")
    expect_eq(record("--", "./missing").returncode, 127)
    expect_eq((content("iospan.trace"), os.listdir(scratch_dir())), (before, ["iospan.trace"]))


# --attribution decides which accesses belong to a command or cgroup. A recording of the whole
# machine without cgroups needs no such decision, so iospan must refuse the option.
@test()
def attribution_needs_cgroups():
    needs_run()
    done = record("--attribution=task", "-t", "1ms")
    expect_eq((done.returncode, done.stderr, os.listdir(scratch_dir())),
              (2, "iospan: option '--attribution' has no effect without '--by cgroup'\n", []))
    for args in ("--by=cgroup", "-t", "1ms"), ("--", "true"):
        expect_eq(record("--attribution=task", *args).returncode, 0, str(args))


# Without a command and a duration, the recording could fill the disk. So the number and size of the
# files must be limited.
@test()
def the_last_files_are_kept_until_a_signal():
    needs_run()
    for limits in (), ("--max-size=64k",):
        done = record(*limits)
        expect_eq((done.returncode, done.stderr), (
            2, "iospan: no command, no --duration and no --max-files given; usage: iospan record "
            "[options] {-t TIME | --max-size BYTES --max-files N | -- COMMAND [ARGUMENT...]}\n"),
                  str(limits))
    reader = subprocess.Popen(["sh", "-c", "while cat /proc/self/exe >/dev/null; do :; done"])
    try:
        with subprocess.Popen([IOSPAN, "record", "-q", "-o", path("last"), "--max-size=64k",
                               "--max-files=2"], stderr=subprocess.PIPE, text=True) as child:
            while not os.path.exists(path("last.2")) and child.poll() is None:
                time.sleep(0.01)
            child.terminate()
            _, err = child.communicate()
    finally:
        reader.kill()
        reader.wait()
    expect_eq((child.returncode, "no command" in err), (0, False), err)
    files = [path(name) for name in os.listdir(scratch_dir())]
    expect_eq((len(files), "last" in os.listdir(scratch_dir())), (2, False), str(files))
    expect_eq(iospan("report", *files)[0], 0)


@test()
def progress_is_shown_on_a_terminal():
    needs_run()
    for what in ("-t", "1h"), ("--", "sleep", "1000"):
        lines = terminated_on_terminal([IOSPAN, "record", "-o", path("progress"), *what],
                                       r"s  .* accesses  .*B\x1b").split("\r")
        expect_true(" written" in lines[-2], f"the summary is the last line: {lines}")


main()
