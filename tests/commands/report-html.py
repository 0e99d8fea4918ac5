#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Shows the page of iospan report --html in a browser. If these tests fail, the page does not show
the trace. $IOSPAN_SHOTS gets screenshots."""
import base64
import os
import re
import subprocess

from lib.accesses import *
from lib.browser import *
from lib.ktap import *

PLOTS = 6


def make_page(name, accesses, *options):
    path = os.path.join(scratch_dir(), name + ".html")
    done = subprocess.run([IOSPAN, "report", "--html", path, *options, write(name, accesses)],
                          capture_output=True, text=True, errors="replace")
    assert_eq((done.returncode, done.stderr), (0, ""), name)
    return path


# ---- traces of all kinds ----

def many_processes(n):
    """Returns a trace of @n processes that are busy one after another, each for a while. Some have
    long names."""
    made = []
    for i in range(n):
        for k in range(10):
            start = 10 ** 9 + i * 3 * 10 ** 6 + k * 10 ** 6
            made.append(Access(1, k % 2, start, start + 900000 - i * 1000, 1 << (i % 24),
                               process=f"a-program-with-a-long-name-{i}={i + 1}",
                               file=f"/srv/{i % 12}={i}", offset=i << 33))
    return sorted(made, key=lambda a: a.end)


@test(long=True)
def pages_of_all_lengths():
    needs_browser()
    with browser() as on:
        for name, accesses, options in (
                ("one", [Access(2, 0, 10 ** 9, 10 ** 9 + 1, 0, disk=VDA)], ()),
                ("ten", random_trace(1, 10), ()),
                ("hours", random_trace(2, 300, longest=10 ** 12, step=10 ** 12), ()),
                ("many", random_trace(3, scaled(60000), longest=10 ** 6), ("-b", "cgroup,file")),
                ("processes", many_processes(60), ())):
            looks_right(on, name, make_page(name, accesses, *options), PLOTS)


@test()
def without_reads_and_writes_there_are_no_plots():
    needs_browser()
    with browser() as on:
        on.show(make_page("nothing", [Access(1, 5, 10, 20)]))
        expect_eq(on.console(), [])
        expect_true("no reads or writes" in on.run("return document.body.innerText"),
                    "text of the page")


@test()
def page_needs_no_other_file():
    needs_browser()
    needs_nothing_else(make_page("alone", random_trace(4, 500)))


def images(path):
    """Returns (columns, width on the screen) of each image in the page."""
    with open(path, encoding="utf-8") as f:
        found = re.findall(r"<image [^>]*?width='([^']+)'[^>]*?base64,([^'\"]+)", f.read())
    return [(int.from_bytes(base64.b64decode(png)[16:20], "big"), float(width))
            for width, png in found]


# The time axis of a plot may be much longer than the time in which a layer or process had accesses.
@test()
def idle_time_adds_no_columns():
    for name, end in ("short", 10 ** 10), ("day", 10 ** 14), ("centuries", 2 ** 63 - 10 ** 9):
        path = make_page(name, [Access(1, 0, 10 ** 9, 10 ** 9 + 1000, process="p=1", file="f=1"),
                                Access(1, 0, 10 ** 9 + 2000, 10 ** 9 + 3000, process="p=1", file="f=1"),
                                Access(2, 0, end, end + 1000, process="q=2", disk=VDA)])
        expect_eq(len(images(path)), 5, f"{name}: images of processes, latencies and offsets")
        for columns, width in images(path):
            expect_le(columns, 1026, f"{name}: columns")
            expect_ge(width / columns, 0.5, f"{name}: pixels of a column")
        expect_le(os.path.getsize(path), 1 << 20, f"{name}: bytes of the page")


# gnuplot and the browser must show a name of a trace, and must not execute it.
@test()
def names_are_not_executed():
    needs_browser()
    victim = os.path.join(scratch_dir(), "victim")
    names = (f"`touch {victim}`=1", f"$(touch {victim})=2", "<script>document.title='x'</script>=3",
             f"'; system('touch {victim}'); '=4", "\"\\ <b>&amp;=5", "\x1b[31m\x07=6",
             "\udcff\udcfe=7")
    accesses = [Access(1, 0, 10 ** 6 + i, 10 ** 6 + 10 * i + 20, process=name,
                       file=name.replace("=", "x="), offset=i) for i, name in enumerate(names)]
    path = make_page("hostile", accesses, "-b", "file")
    with browser() as on:
        looks_right(on, "hostile", path, PLOTS)
        expect_eq(on.run("return document.title"), "iospan report", "title")
        expect_true("<script>document" in on.run("return document.body.innerText"),
                    "the name is text")
    expect_eq(os.path.exists(victim), False, "the name was executed")


@test()
def names_that_are_no_utf8():
    name = "\udcff\udcfe\u00e9\udce9"
    path = make_page("utf8", [Access(1, 0, 10, 20, process=name + "=1", file=name + "=2")], "-b",
                     "process,file")
    with open(path, encoding="utf-8") as f:
        expect_ge(f.read().count("\ufffd\ufffd\u00e9\ufffd"), 2, "names")


# A program may write far beyond the end of a file, so the axis of offsets is long.
@test()
def offsets_far_from_zero():
    for far in (0, 10 ** 15, 2 ** 62, 2 ** 64 - 4096):
        accesses = [Access(1, 0, 1000 * i, 1000 * i + 999, file="/f=1", offset=far + 512 * i)
                    for i in range(3)]
        with open(make_page(f"far-{far}", accesses)) as f:
            title = "offsets on /f" + (f" from {far}" if far else "") + ", number of accesses"
            expect_true(title in f.read(), title)
        make_page(f"both-{far}", [Access(1, 0, 1, 2, file="/f=1")] + accesses)


@test()
def table_is_sorted_by_clicks():
    needs_browser()
    column = """const tables = [...document.querySelectorAll('table')];
        const table = tables.sort((a, b) => b.rows.length - a.rows.length)[0];
        const title = [...table.querySelectorAll('th')].find(th => th.textContent == 'accesses');
        title.click();
        return [...table.tBodies[0].rows].map(tr => Number(tr.cells[title.cellIndex].dataset.v))
    """
    with browser() as on:
        on.show(make_page("table", random_trace(5, 2000)))
        down = on.run(column)
        expect_ge(len(down), 10, "rows")
        expect_eq(down, sorted(down, reverse=True), "rows after a click")
        expect_eq(on.run(column), sorted(down), "rows after another click")


@test()
def without_gnuplot_there_is_an_error():
    trace = write("trace", random_trace(6, 10))
    page = trace + ".html"
    done = subprocess.run([IOSPAN, "report", "--html", page, trace], capture_output=True,
                          text=True, env={"PATH": scratch_dir()})
    expect_eq((done.returncode, done.stdout), (1, ""))
    expect_true("there is no gnuplot" in done.stderr, done.stderr)
    expect_eq(os.path.exists(page), False, "a page exists")


main()
