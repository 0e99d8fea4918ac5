# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the text, JSON, CSV and HTML page of one result with each other."""
import csv
import html.parser
import io
import json
import os
import re
import shutil
import subprocess

from lib import scales
from lib.ktap import IOSPAN, assert_eq, expect_eq, expect_true, scratch_dir

LOST = re.compile("iospan: warning: lost: ")  # a measurement on this machine may lose completions


class Page(html.parser.HTMLParser):
    """An HTML page. .rows: texts of table cells. .lines: paragraphs. .values: exact values of the
    cells, from their attribute data-v."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.lines, self.values, self.tag = [], [], set(), None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self.values |= {value for name, value in attrs if name == "data-v" and value}
        elif tag == "p":
            self.lines.append("")
        self.tag = tag

    def handle_endtag(self, tag):
        self.tag = None

    def handle_data(self, data):
        if self.tag in ("td", "th"):
            self.rows[-1][-1] += data
        elif self.tag == "p":
            self.lines[-1] += data


def member(row, path):
    for word in path.split("."):
        row = (row or {}).get(word)
    return row


def same_value(text, value):
    if value is None or isinstance(value, bool) or isinstance(value, str):
        return text == {None: "", True: "true", False: "false"}.get(value, value)
    return text != "" and float(text) == value


def iospan(*args):
    return subprocess.run([IOSPAN, *map(str, args)], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)


def document(*args):
    """Returns the JSON document of a command. Checks its hash."""
    done = iospan(*args, "--json")
    assert_eq(done.returncode, 0, done.stderr)
    doc = json.loads(done.stdout)
    expect_eq(scales.seal(doc)["hash"], doc["hash"])
    return doc


def expect_refused(status, said, *args):
    """Checks that a command prints nothing but one line on stderr, which contains @said."""
    done = iospan(*args)
    expect_eq((done.returncode, done.stdout), (status, ""), f"{said}: {done.stderr}")
    expect_true(said in done.stderr and done.stderr.count("\n") == 1, f"{said}: {done.stderr}")


def run(*args):
    done = iospan(*args)
    errors = [line for line in done.stderr.splitlines() if not LOST.match(line)]
    assert_eq((done.returncode, errors), (0, []), f"{args}")
    return done.stdout


def expect_page_is_in_text(page, text):
    """Checks that the text contains each row and line of the page, and that the page contains each
    row of the text. The text may leave rows out if it says so."""
    text = re.sub(r"(?m)  \|\**\s*\|$", "", text)  # removes the bars, which the page draws
    lines = {" ".join(line.split()).removeprefix("note: ") for line in text.splitlines()}
    expect_true(page.rows and page.lines, "the page has tables and lines")
    lacking = [row for row in [*map(" ".join, page.rows), *page.lines]
               if " ".join(row.split()) not in lines]
    hidden = sum(map(int, re.findall(r"note: --json shows (\d+) more row", text)))
    expect_eq(lacking[hidden:], [], f"rows of the page that the text lacks:\n{text}")
    rows = {" ".join(" ".join(row).split()) for row in page.rows}
    lacking = [line for line in text.splitlines()
               if line.startswith("  ") and not line.startswith("  note: ")
               and " ".join(line.split()) not in rows]
    expect_eq(lacking, [], "rows of the text that the page lacks")


def leaves(node):
    if isinstance(node, dict):
        return set().union(*map(leaves, node.values()))
    if isinstance(node, list):
        return set().union(*map(leaves, node))
    return {{True: "true", False: "false", None: ""}.get(node, node) if isinstance(node, bool)
            or node is None else node if isinstance(node, str) else float(node)}


def exact(values):
    found = set()
    for value in values:
        try:
            found.add(float(value))
        except ValueError:
            found.add(value)
    return found


def with_options(args, *options):
    words = 2 if args[0] == "bench" else 1
    return [*args[:words], *options, *args[words:]]


def with_page(*args):
    """Runs a command with --html. Returns (its output, its page)."""
    path = os.path.join(scratch_dir(), "page.html")
    out = run(*with_options(args, "--html", path))
    with open(path, encoding="utf-8") as f:
        return out, Page(f.read())


def expect_same_numbers(rows_of, *args):
    """Checks that text, JSON, CSV and page of a command agree. This function is for commands that
    print the same numbers in each run. rows_of(document) returns the expected rows of CSV."""
    text, page = with_page(*args)
    rows = rows_of(json.loads(run(*with_options(args, "--json"))))
    table = list(csv.DictReader(io.StringIO(run(*with_options(args, "--csv")))))
    expect_eq(len(table), len(rows), "rows of CSV")
    for cells, row in zip(table, rows):
        wrong = {path: (seen, member(row, path)) for path, seen in cells.items()
                 if not same_value(seen, member(row, path))}
        expect_eq(wrong, {}, "cells of CSV, against JSON")
    expect_page_is_in_text(page, text)


def expect_same_numbers_of_runs(*args):
    """Compares the page of a run with the text, JSON or CSV of the same run. This function is for
    commands that measure, because their numbers differ from run to run."""
    text, page = with_page(*args)
    expect_page_is_in_text(page, text)
    text, page = with_page(*with_options(args, "--json"))
    expect_eq(exact(page.values) - leaves(json.loads(text)), set(),
              "values of the page that JSON lacks")
    text, page = with_page(*with_options(args, "--csv"))
    table = list(csv.DictReader(io.StringIO(text)))
    cells = exact(value for row in table for value in row.values())
    expect_true(table and len(cells & exact(page.values)) > 1, "rows of CSV with values of the page")


def page_of_plots():
    """Returns the path of a page, and the options that write this page. Without gnuplot, there are
    no such options."""
    page = os.path.join(scratch_dir(), "page.html")
    return page, [f"--html={page}"] if shutil.which("gnuplot") else []
