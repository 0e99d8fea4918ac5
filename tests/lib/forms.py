# SPDX-License-Identifier: GPL-2.0-or-later
"""The same result as text, JSON, CSV and HTML."""
import csv
import html.parser
import io
import json
import os
import re
import subprocess

from lib.ktap import IOSPAN, assert_eq, expect_eq, expect_true, scratch_dir


class Page(html.parser.HTMLParser):
    """The texts of a page: rows of cells, and paragraphs."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.lines, self.tag = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
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


def run(*args):
    done = subprocess.run([IOSPAN, *map(str, args)], capture_output=True, text=True, check=False)
    assert_eq((done.returncode, done.stderr), (0, ""), f"{args}")
    return done.stdout


def expect_page_like(text, page):
    """The text has each row and line of the page, or counts the rows that it leaves out."""
    with open(page, encoding="utf-8") as f:
        shown = Page(f.read())
    lines = {" ".join(line.split()).removeprefix("note: ") for line in text.splitlines()}
    expect_true(shown.rows and shown.lines, "the page has tables and lines")
    lacking = [row for row in [*map(" ".join, shown.rows), *shown.lines]
               if " ".join(row.split()) not in lines]
    hidden = sum(map(int, re.findall(r"note: --json shows (\d+) more row", text)))
    expect_eq(lacking[hidden:], [], f"rows of the page that the text lacks:\n{text}")


def expect_same_numbers(rows_of, *args):
    """Runs a command that reads files. rows_of(document) gives the rows of the CSV."""
    page = os.path.join(scratch_dir(), "page.html")
    text = run(*args, "--html", page)
    rows = rows_of(json.loads(run(*args, "--json")))
    table = list(csv.DictReader(io.StringIO(run(*args, "--csv"))))
    expect_eq(len(table), len(rows), "rows of CSV")
    for cells, row in zip(table, rows):
        wrong = {path: (seen, member(row, path)) for path, seen in cells.items()
                 if not same_value(seen, member(row, path))}
        expect_eq(wrong, {}, "cells of CSV, against JSON")
    expect_page_like(text, page)
