# SPDX-License-Identifier: GPL-2.0-or-later
"""Imports traces in formats of other tools, and reads the result through `iospan export`."""
import csv
import io
import json
import os
import re
import subprocess

from lib.ktap import BUILD, IOSPAN, assert_eq, expect_eq, expect_true, scratch_dir

DRIVER = os.path.join(BUILD, "tests/commands/objects-driver")


def iospan(*args, stdin=b""):
    p = subprocess.run([IOSPAN, *args], input=stdin, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, check=False)
    return p.returncode, p.stdout, p.stderr.decode(errors="replace")


def write(name, text):
    path = os.path.join(scratch_dir(), name)
    with open(path, "wb") as f:
        f.write(text if isinstance(text, bytes) else text.encode())
    return path


def new_path(name):
    path = os.path.join(scratch_dir(), name)
    if os.path.exists(path):
        os.remove(path)
    return path


def unescaped(text):
    """Returns a field of iospan's CSV without its escapes. The CSV shows control characters and
    some other bytes as a backslash, x and two hexadecimal digits."""
    def byte(found):
        value = bytes.fromhex(found[1].decode())
        return found[0] if b" " <= value < b"\x7f" and value != b"\\" else value
    return re.sub(rb"\\x([0-9a-f]{2})", byte, text.encode()).decode()


def rows(*traces):
    """Returns all accesses of the traces. Each is a dict of texts, as in the exported CSV, but
    without escapes."""
    status, out, err = iospan("export", "--format", "csv", *traces)
    assert_eq((status, err), (0, ""), "export")
    assert_eq({c for c in out.decode() if c < " "}, {"\n"}, "control characters")
    return [{name: unescaped(text) for name, text in row.items()}
            for row in csv.DictReader(io.StringIO(out.decode(), newline=""))]


def objects(trace):
    p = subprocess.run([DRIVER, trace], stdout=subprocess.PIPE, check=True)
    return json.loads(p.stdout)


class Imported:
    """A successful import, with the rows and the metadata of its trace."""

    def __init__(self, form, inputs, *options, warnings=""):
        trace = new_path("imported")
        status, out, err = iospan("import", "--format", form, "-o", trace, *options, *inputs)
        assert_eq((status, out), (0, b""), f"import: {err}")
        expect_eq(err, warnings, "messages")
        self.rows = rows(trace)
        self.meta, self.sums, self.groups = objects(trace).values()

    def columns(self, *names):
        return [tuple(int(r[n]) if r[n].isdigit() else r[n] for n in names)
                for r in self.rows]


def expect_refused(form, inputs, message, *options, stdin=b""):
    """Checks that the import fails with one line on stderr, and leaves no file."""
    trace = new_path("refused")
    status, out, err = iospan("import", "--format", form, "-o", trace, *options, *inputs,
                              stdin=stdin)
    expect_eq((status, out, err), (1, b"", f"iospan: {message}\n"))
    expect_true(not os.path.exists(trace), "no file is left")
