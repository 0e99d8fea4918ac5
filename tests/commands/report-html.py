#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Shows the page of iospan report --html in a browser. If $IOSPAN_SHOTS names a directory, the test
saves screenshots there. A slice is a part of the time in a plot."""
import base64
import json
import os
import re
import subprocess

from lib import kernel
from lib.accesses import *
from lib.browser import *
from lib.forms import Page
from lib.ktap import *

PLOTS = 6


def make_page(name, accesses, *options):
    path = os.path.join(scratch_dir(), name + ".html")
    done = subprocess.run([IOSPAN, "report", "--html", path, *options, write(name, accesses)],
                          capture_output=True, text=True, errors="replace")
    assert_eq((done.returncode, done.stderr), (0, ""), name)
    return path


def many_processes(n):
    """Makes a trace of @n processes, busy one after another. Some have long names."""
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
def a_page_does_not_change_the_text():
    path = write("both", random_trace(4, 50))
    page = ["--html", os.path.join(scratch_dir(), "page.html")]
    for form in [], ["--csv"]:
        texts = [subprocess.check_output([IOSPAN, "report", *form, *more, path]) for more in ([], page)]
        expect_true(texts[1] == texts[0], f"a page changes the text, {form}")


@test()
def a_page_always_has_the_processes():
    path = make_page("processes", random_trace(5, 400))
    document = json.loads(subprocess.check_output([IOSPAN, "report", "--json", "--by=process",
                                                   os.path.join(scratch_dir(), "processes")]))
    with open(path, encoding="utf-8") as f:
        rows = [row for row in Page(f.read()).rows if row[0] != "process"]
    names = {process["title"] for process in document["processes"]}
    expect_eq(names - {row[0] for row in rows}, set(), "processes without a row")


@test()
def a_plot_of_some_processes_names_their_order():
    for key, title in ("bytes", "bytes"), ("span_ns", "T"), ("name", "name"):
        with open(make_page(key, many_processes(60), "--by=process", f"--sort={key}"),
                  encoding="utf-8") as f:
            expect_true(f" (the first 40 by {title})" in f.read(), f"order by {key}")


# The options --from and --to select a time in which accesses are in flight, but no access ends. The
# page must still have its plots.
@test()
def without_an_end_there_is_a_page():
    accesses = [Access(1, 0, 0, 10 ** 10, process="p=1", file="f=1"), Access(2, 1, 0, 10 ** 10, disk=VDA)]
    for name, options in ("hanging", ("--from", "2s", "--to", "3s")), ("start", ("--to", "3s")):
        with open(make_page(name, accesses, *options), encoding="utf-8") as f:
            expect_ge(f.read().count("</svg>"), 4, f"{name}: plots")
    make_page("part", [Access(1, 0, 0, 10, flags=PART)])


@test()
def names_are_no_formats():
    names = ["50%", "x%", "job 50%d", "%s", "%%", "a%20b", "%.0s %c"]
    accesses = [Access(1, 0, 10 ** 6, 10 ** 6 + 10 * i + 20, process=f"{name}={i}", file=f"/{name}={i}",
                       offset=i) for i, name in enumerate(names, 1)]
    shows_in_plots(make_page("formats", accesses),
                   [f"{name}[{i}]" for i, name in enumerate(names, 1)] +
                   [f"vfs: offsets on /{name}, number of accesses" for name in names])


@test()
def a_page_needs_no_room_in_tmp():
    needs(root(), "needs root")
    plots = []
    for full in False, True:
        if full:
            kernel.mount("tmpfs", "/tmp", options="size=4k,nr_inodes=1")
        with open(make_page(f"full-{full}", random_trace(8, 500)), encoding="utf-8") as f:
            plots.append(f.read().count("</svg>"))
    expect_ge(plots[0], PLOTS, "plots")
    expect_eq(plots[1], plots[0], "plots, if /tmp has no room")


@test()
def page_needs_no_other_file():
    needs_browser()
    needs_nothing_else(make_page("alone", random_trace(4, 500)))


def images(path):
    with open(path, encoding="utf-8") as f:
        found = re.findall(r"<image [^>]*?width='([^']+)'[^>]*?base64,([^'\"]+)", f.read())
    return [(int.from_bytes(base64.b64decode(png)[16:20], "big"), float(width))
            for width, png in found]


# The whole trace may be much longer than the time in which a layer or process had accesses. The
# pictures and the page must not grow with the idle time.
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


def has_no_plots_without_reads_and_writes(on):
    on.show(make_page("nothing", [Access(1, 5, 10, 20)]))
    expect_eq(on.console(), [])
    expect_true("no reads or writes" in on.run("return document.body.innerText"),
                "text of the page")


# gnuplot and the browser must show a name of a trace, and must not execute it.
def executes_no_names(on):
    victim = os.path.join(scratch_dir(), "victim")
    names = (f"`touch {victim}`=1", f"$(touch {victim})=2", "<script>document.title='x'</script>=3",
             f"'; system('touch {victim}'); '=4", "\"\\ <b>&amp;=5", "\x1b[31m\x07=6",
             "\udcff\udcfe=7")
    accesses = [Access(1, 0, 10 ** 6 + i, 10 ** 6 + 10 * i + 20, process=name,
                       file=name.replace("=", "x="), offset=i) for i, name in enumerate(names)]
    path = make_page("hostile", accesses, "-b", "file")
    shows_names_as_text(on, path, PLOTS, "iospan report", victim)


@test()
def names_that_are_no_utf8():
    name = "\udcff\udcfe\u00e9\udce9"
    path = make_page("utf8", [Access(1, 0, 10, 20, process=name + "=1", file=name + "=2")], "-b",
                     "process,file")
    with open(path, encoding="utf-8") as f:
        expect_ge(f.read().count("\ufffd\ufffd\u00e9\ufffd"), 2, "names")


# A program may write far beyond the end of a file. If all offsets are large, the plot starts at the
# first offset, and its title must say so.
@test()
def offsets_far_from_zero():
    for far in (0, 10 ** 15, 2 ** 62, 2 ** 64 - 4096):
        accesses = [Access(1, 0, 1000 * i, 1000 * i + 999, file="/f=1", offset=far + 512 * i)
                    for i in range(3)]
        with open(make_page(f"far-{far}", accesses)) as f:
            title = "offsets on /f" + (f" from {far}" if far else "") + ", number of accesses"
            expect_true(title in f.read(), title)
        make_page(f"both-{far}", [Access(1, 0, 1, 2, file="/f=1")] + accesses)


def sorts_a_table_by_clicks(on):
    column = """const tables = [...document.querySelectorAll('table')];
        const table = tables.sort((a, b) => b.rows.length - a.rows.length)[0];
        const title = [...table.querySelectorAll('th')].find(th => th.textContent == 'accesses');
        title.querySelector('button').click();
        return [...table.tBodies[0].rows].map(tr => Number(tr.cells[title.cellIndex].dataset.v))
    """
    on.show(make_page("table", random_trace(5, 2000)))
    down = on.run(column)
    expect_ge(len(down), 10, "rows")
    expect_eq(down, sorted(down, reverse=True), "rows after a click")
    expect_eq(on.run(column), sorted(down), "rows after another click")


# One access of 1 MiB starts in each ms, from 1 s on. So 10,000 accesses make an observation of 10
# s.
STEADY = [Access(1, 0, 10 ** 9 + i * 10 ** 6, 10 ** 9 + i * 10 ** 6 + 500000, 1 << 20, process="p=1",
                 file="f=1") for i in range(10000)]

# A script for the browser. It sends pointer events to a plot, at fractions of the time axis, and
# returns the text that the page shows at the pointer.
POINT = """
const svg = document.querySelector(`svg[aria-label^="${arguments[0]}"]`);
const [left, right, , , , bottom, top] = svg.dataset.axes.split(' ').map(Number);
svg.setPointerCapture = () => {};
const move = (type, part) => {
  const at = new DOMPoint(left + (right - left) * part, (top + bottom) / 2)
    .matrixTransform(svg.getScreenCTM());
  svg.dispatchEvent(new PointerEvent(type, {clientX: at.x, clientY: at.y}));
};
for (const [type, part] of arguments[1])
  move(type, part);
return document.getElementById('values').textContent;
"""


def seconds_and_rate(text):
    found = re.fullmatch(r"([\d.]+) ms\nvfs ([\d.]+ ?[KMG]?i?)(?:\n.*)?", text)
    assert_true(found, text)
    value, unit = found[2].split()
    return float(found[1]) / 1000, float(value) * {"Ki": 2 ** 10, "Mi": 2 ** 20, "Gi": 2 ** 30}[unit]


def shows_values_at_the_pointer_and_magnifies(on):
    on.show(make_page("steady", STEADY))
    seconds, rate = seconds_and_rate(on.run(POINT, "bandwidth", [("pointermove", 0.5)]))
    expect_near(seconds, 5, 0.02, "time in the middle, s")
    # A slice of the plot is 10.5 ms long, and one access of 1 MiB ends in each ms. So a slice has
    # 10 or 11 accesses, and its rate may be off by 5 %.
    expect_near(rate, 1000 * 2 ** 20, 55 * 2 ** 20, "bytes per second there")
    on.run(POINT, "BPS", [("pointerdown", 0.2), ("pointermove", 0.3), ("pointerup", 0.4)])
    seconds, rate = seconds_and_rate(on.run(POINT, "bandwidth", [("pointermove", 0.5)]))
    expect_near(seconds, 3, 0.02, "time in the middle of the magnified part, s")
    expect_near(rate, 1000 * 2 ** 20, 55 * 2 ** 20, "bytes per second there")
    on.run("dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}))")
    seconds, _ = seconds_and_rate(on.run(POINT, "bandwidth", [("pointermove", 0.5)]))
    expect_near(seconds, 5, 0.02, "time after Escape, s")


# A table or plot that is too wide must scroll within the page. The page itself must fit the screen.
def fits_a_narrow_screen(on):
    on.show(make_page("narrow", random_trace(7, 500)))
    for width in 400, 1400:
        on.resize(width)
        expect_le(on.run("return document.documentElement.scrollWidth"), width, "width")


# One browser shows all pages, because its start takes seconds.
@test()
def a_page_in_a_browser():
    needs_browser()
    with browser() as on:
        for check in (has_no_plots_without_reads_and_writes, executes_no_names,
                      sorts_a_table_by_clicks, shows_values_at_the_pointer_and_magnifies,
                      fits_a_narrow_screen):
            check(on)


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
