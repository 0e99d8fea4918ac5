#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Shows the page of iospan characterize --html in a browser. If $IOSPAN_SHOTS names a directory,
the test saves screenshots there."""
import os
import random
import subprocess

from lib.accesses import *
from lib.browser import *
from lib.ktap import *


def make_page(name, *args):
    path = os.path.join(scratch_dir(), name + ".html")
    done = subprocess.run([IOSPAN, "characterize", "--html", path, *args], capture_output=True,
                          text=True, errors="replace", check=False)
    assert_eq((done.returncode, done.stderr), (0, ""), name)
    return path


def file(name, lines):
    path = os.path.join(scratch_dir(), name)
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
        f.write("".join(line + "\n" for line in lines))
    return path


def log(intervals, servers):
    rng = random.Random(3)
    return file("log.csv", ["time_s,server,read_bytes,reads,write_bytes,writes"] + [
        f'{i},"{s}",{rng.randrange(1 << 20) * (rng.random() < 0.3)},1,{i % 7 * 99999},{i % 7}'
        for i in range(intervals) for s in servers])


def pages_look_right(on):
    jobs = file("jobs.csv", ["job,start_s,end_s"] + [f"j{i},{i},{3 * i + 2}" for i in range(99)])
    trace = write("trace", random_trace(1, 2000))
    looks_right(on, "trace", make_page("trace", "-i", "20us", trace), 8)
    looks_right(on, "long", make_page("long", log(5000, ["a", "b", "c"])), 3)
    looks_right(on, "servers", make_page("servers", log(20, [f"s{i}" for i in range(60)])), 3)
    looks_right(on, "jobs", make_page("jobs", "--jobs", jobs, log(300, ["a", "b"])), 15)
    looks_right(on, "one", make_page("one", log(1, ["a"])), 1)
    for name, path in (("empty", write("empty", [])), ("header", log(0, [])),
                       ("idle", write("idle", [Access(1, 5, 10, 20)]))):
        looks_right(on, name, make_page(name, path), 0)


@test()
def page_needs_no_other_file():
    needs_browser()
    needs_nothing_else(make_page("alone", "-i", "20us", write("trace", random_trace(4, 500))))


# gnuplot and the browser must show the name of a server, and must not execute it.
def executes_no_names(on):
    victim = os.path.join(scratch_dir(), "victim")
    path = make_page("hostile", log(9, [
        f"`touch {victim}`", f"$(touch {victim})", "<script>document.title='x'</script>",
        f"'; system('touch {victim}'); '", "\\\\ <b>&amp;", "\x1b[31m\x07", "\udcff\udcfe"]))
    shows_names_as_text(on, path, 2, "iospan characterize", victim)


# One browser shows all pages, because its start takes seconds.
@test()
def pages_in_a_browser():
    needs_browser()
    with browser() as on:
        pages_look_right(on)
        executes_no_names(on)


@test()
def names_are_no_formats():
    names = ["50%", "x%", "job 50%d", "%s", "%%", "a%20b"]
    shows_in_plots(make_page("formats", log(9, names)), names)


@test()
def without_gnuplot_there_is_an_error():
    page = os.path.join(scratch_dir(), "page.html")
    done = subprocess.run([IOSPAN, "characterize", "--html", page, log(3, ["a"])],
                          capture_output=True, text=True, env={"PATH": scratch_dir()},
                          check=False)
    expect_eq((done.returncode, done.stdout), (1, ""))
    expect_true("there is no gnuplot" in done.stderr, done.stderr)
    expect_eq(os.path.exists(page), False, "a page exists")


main()
