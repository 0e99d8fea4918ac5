#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the JSON schemas, and the CSV of each command. The harness compares the JSON documents of
all tests with the schemas."""
import csv
import importlib.util
import io
import json
import math
import subprocess
from copy import deepcopy

from lib import accesses, samples, schema
from lib.forms import with_options
from lib.ktap import *
from lib.measure import needs_run

CLOSED = "additionalProperties", "unevaluatedProperties"
DESCRIBED = {"description", "const", "$ref", "anyOf"}
UNITS = ("_ns", "_seconds", "_bytes", "_fraction", "_per_second", "_count", "_iops", "_bps")
# Texts that no cell may have, because a program would have to recognise them as a missing number.
NOT_NUMBERS = {"-", "nan", "-nan", "inf", "-inf"}


def iospan(*words, status=0):
    done = subprocess.run([IOSPAN, *words], capture_output=True, text=True, check=False,
                          cwd=scratch_dir(), stdin=subprocess.DEVNULL)
    assert_eq(done.returncode, status, f"{words}: {done.stderr}")
    return done.stdout


def with_option(name):
    rows = [line.split("\t") for line in iospan("completion", "table").splitlines()]
    return {row[0] for row in rows if row[2] == name}


def needs_schemas():
    needs(importlib.util.find_spec("jsonschema"), "needs python3-jsonschema")


def each_schema(node, path):
    yield path, node
    for key in "properties", "$defs":
        for name, inner in node.get(key, {}).items():
            yield from each_schema(inner, f"{path}/{name}")
    for key in "items", "additionalProperties", "then", "else":
        if isinstance(node.get(key), dict):
            yield from each_schema(node[key], path)
    for inner in node.get("anyOf", []):
        yield from each_schema(inner, path)


@test()
def schemas_are_valid_and_closed():
    """Each schema of an object must forbid unknown keys. If a second schema extends the first one
    by more keys, only the second one can forbid unknown keys."""
    needs_schemas()
    from jsonschema import Draft202012Validator
    all_names = "common", *schema.names()
    nodes = [(name, path, node) for name in all_names
             for path, node in each_schema(json.loads(schema.read(name)), "")]
    bases = {node["$ref"].rsplit("/", 1)[1] for _, _, node in nodes
             if "unevaluatedProperties" in node}
    for name in all_names:
        Draft202012Validator.check_schema(json.loads(schema.read(name)))
    for name, path, node in nodes:
        if "properties" not in node:
            continue
        if path[1:] not in bases:
            expect_true(any(node.get(key) is False for key in CLOSED), f"{name}{path} is closed")
        expect_true(set(node.get("required", ())) <= set(node["properties"]),
                    f"{name}{path}: required keys have a schema")
        for key, value in node["properties"].items():
            expect_true(DESCRIBED & (set(value) | {"description"} & set(node)),
                        f"{name}{path}/{key} is described, or the object with all its keys")


@test()
def each_command_with_json_has_a_schema():
    sources = samples.measurements, samples.analyses, samples.benchmarks
    ran = {samples.command_of(words) for source in sources for words in source()}
    described = {name.replace("-", " ") for name in schema.names()}
    expect_eq(with_option("json") - ran, set(), "commands that tests/lib/samples.py does not run")
    expect_eq(described ^ (with_option("json") | {"export"}), set(),
              "commands without a schema, schemas without a command")


@test()
def faults_of_a_document_are_found():
    needs_schemas()
    trace = accesses.write("made", accesses.random_trace(7, 50))
    good = json.loads(iospan("report", "--json", "--by=process", trace))
    expect_eq(schema.faults("report", good), [])
    for path, change in (("$", lambda d: d.pop("losses")),
                         ("$", lambda d: d.update(more=1)),
                         ("$.layers.device", lambda d: d["layers"]["device"].pop("iops")),
                         ("$.layers.device", lambda d: d["layers"]["device"].update(more=1)),
                         ("$.processes[].pid", lambda d: d["processes"][-1].update(pid="1")),
                         ("$.processes[]", lambda d: d["processes"][-1].pop("pid")),
                         ("$.complete", lambda d: d.update(complete=None)),
                         ("$.accesses_read", lambda d: d.update(accesses_read=-1)),
                         ("$.notes[]", lambda d: d["notes"].append(1))):
        bad = deepcopy(good)
        change(bad)
        found = schema.faults("report", bad)
        expect_eq([fault.split(": ")[1] for fault in found], [path], f"{found}")


@test()
def lines_match_their_schemas():
    needs_schemas()
    trace = accesses.write("made", accesses.random_trace(7, 200))
    text = {("export", None): iospan("export", "--format=jsonl", trace)}
    for words in samples.benchmarks():
        if "--log" in words:
            iospan(*words)
            with open(samples.path_of(words[words.index("--log") + 1]), encoding="utf-8") as f:
                text["-".join(words[:2]), "log_line"] = f.read()
    for (name, part), lines in text.items():
        expect_ge(len(lines.splitlines()), 1, f"{name}: lines")
        for line in lines.splitlines():
            expect_eq(schema.faults(name, json.loads(line), part), [], name)


def expect_table(text, what):
    """Checks a table: each row has a cell for each column, names are unique, numbers parse."""
    names, *rows = csv.reader(io.StringIO(text), strict=True)
    expect_true(rows, f"{what}: rows")
    expect_eq(len(set(names) - {""}), len(names), f"{what}: different names of columns in {names}")
    for row in rows:
        if not expect_eq(len(row), len(names), f"{what}: cells of {row}"):
            return
        for name, cell in zip(names, row):
            if expect_true(cell.lower() not in NOT_NUMBERS, f"{what}: '{name}' has '{cell}'") and \
                    name.endswith(UNITS) and cell:
                expect_true(math.isfinite(float(cell)), f"{what}: '{name}' has the number {cell}")


def expect_tables(source):
    for words in source():
        if samples.command_of(words) not in with_option("csv"):
            iospan(*words)
            continue
        fails = words[:2] == samples.FAILS
        text = iospan(*with_options(words, "--csv"), status=int(fails))
        for table in text.split("\n\n") if text or not fails else ():
            expect_table(table, samples.command_of(words))


@test()
def csv_of_analyses():
    expect_tables(samples.analyses)


@test()
def csv_of_benchmarks():
    needs(not EMULATED, "loads take long on an emulated machine")
    expect_tables(samples.benchmarks)


@test()
def csv_of_measurements():
    needs_run()
    expect_tables(samples.measurements)
    expect_table(iospan("export", "--format=csv", "recorded"), "export")


main()
