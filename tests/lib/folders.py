#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""folders.py RULES [BUILD | --layers]: compares the includes and calls of the tree with rules for
its folders.

Each line of RULES is `FOLDER: FOLDER...`: a folder, and the folders that it may include and call.
A rule for a file adds to the rule of its folder. The current directory must be the top of the tree.
BUILD is the folder with the object files. Without BUILD, only includes are compared. --layers only
prints the folders, the lowest layer first. Otherwise, one line is printed for each breach:

- a file includes a file, or calls a function, of a folder that its rule does not name;
- the rules have a cycle, or a file has no rule;
- two headers, or two global functions of one program, have one name;
- a header X.h declares a function that another file than X.c defines."""
import collections
import glob
import os
import re
import subprocess
import sys

JSON = re.compile(r"user/base/out(-read|-print)?\.c$|tests/")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
TOPS = "bpf", "preload", "user", "bench", "tools", "tests"
# Folders with code that is not linked into the command iospan. So a function there may have the
# same name as a function in another folder.
PROGRAMS = "preload", "bench/mpi", "tests", "bpf"
# Headers that declare functions of several C files. For example, user/cmd.h declares the functions
# of all commands.
COLLECTIONS = (
    "user/cmd.h", "bench/beff/beff.h", "bench/beff/engine.h", "bench/beff/uring.h",
    "bench/mpi/ranks.h", "bench/sets/sets.h", "tools/correlate/sources.h", "tools/import/blkparse.h",
    "tools/import/import.h", "tools/input/input.h", "tools/input/prometheus.h",
    "tools/report/evidence.h", "tools/report/html.h", "tools/report/report.h",
    "tools/report/report-show.h", "user/trace/file.h", "user/trace/pack.h", "user/trace/reader.h")


def read_rules(path):
    rules = {}
    with open(path, encoding="ascii") as f:
        for line in f:
            folder, colon, others = line.partition(":")
            if colon:
                rules[folder.strip()] = others.split()
    return rules


def owner(path, rules):
    while path and path not in rules:
        path = os.path.dirname(path)
    return path


def allowed(rules):
    may = {folder: set(others) for folder, others in rules.items()}
    grew = True
    while grew:
        grew = False
        for folder, others in may.items():
            more = set().union(*(may.get(other, set()) for other in others)) - others
            others |= more
            grew = grew or bool(more)
    return may


def sources():
    """Returns the C files of the tree. It does not follow links, such as tests/vm/lib."""
    return sorted(os.path.join(folder, name) for top in TOPS for folder, _, names in os.walk(top)
                  for name in names if name.endswith((".c", ".h")))


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def source_of(path, build):
    return os.path.relpath(path, build)[:-2] + ".c"


def symbols(build):
    """Returns ({function: [source that defines it]}, [(source, function that it calls)]), from all
    object files."""
    defined, used = collections.defaultdict(list), []
    objects = [path for path in glob.glob(f"{build}/**/*.o", recursive=True)
               if os.path.exists(source_of(path, build)) and not path.endswith(".bpf.o")]
    text = subprocess.check_output(["nm", "-A", "-P", *objects], text=True)
    for line in text.splitlines():
        path, name, kind = line.split()[:3]
        source = source_of(path[:-1], build)
        if kind == "U":
            used.append((source, name))
        elif kind in "TDBRVWC":
            defined[name].append(source)
    return defined, used


def program(path):
    for top in PROGRAMS:
        if path.startswith(top + "/"):
            return top
    return ""


def declared(text):
    text = COMMENT.sub(" ", text)
    text = re.sub(r"^\s*#(?:\\\n|.)*", "", text, flags=re.MULTILINE)
    depth, flat = 0, []
    for char in text:  # braces enclose the body of a function or a type, which is left out
        depth += (char == "{") - (char == "}")
        flat.append(char if not depth else " ")
    for statement in re.split(r"[;}]", "".join(flat)):
        found = re.match(r"(?!typedef\b|static\b)[\w\s*]+?[\s*](\w+)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)"
                         r"[\s\w()\",]*$", statement.strip())
        if found:
            yield found[1]


class Tree:
    def __init__(self, rules, build):
        self.rules, self.may, self.found = rules, allowed(rules), []
        self.sources = sources()
        self.defined, self.used = symbols(build) if build else ({}, [])

    def check(self, path, other, what):
        mine, its = (owner(os.path.dirname(p), self.rules) for p in (path, other))
        may = self.may.get(mine, set()) | self.may.get(path, set()) | {mine}
        if its not in may:
            self.found.append(f"{path}: may not {what}")

    def cycles(self):
        for folder, others in self.may.items():
            if folder in others:
                self.found.append(f"{folder}: is in a cycle of the rules")
            for other in self.rules[folder]:
                if other not in self.rules:
                    self.found.append(f"{folder}: its rule names {other}, which has none")

    def includes(self):
        for path in self.sources:
            if not owner(os.path.dirname(path), self.rules):
                self.found.append(f"{path}: no rule in tests/unit/tree.sh has its folder")
            for name in INCLUDE.findall(read(path)):
                if os.path.exists(name):
                    self.check(path, name, f"include {name}")
                elif name.endswith(".skel.h") and "user/kernel/tracer" not in path:
                    self.found.append(f"{path}: only the tracer may include {name}")
                elif name == "jansson.h" and not JSON.match(path):
                    self.found.append(f"{path}: only user/base/out*.c may include {name}")

    def calls(self):
        for path, name in self.used:
            places = self.defined.get(name, [])
            if len(places) == 1 and program(places[0]) in ("", program(path)):
                self.check(path, places[0], f"call {name}() of {places[0]}")

    def names(self):
        heads = collections.defaultdict(list)
        for path in self.sources:
            if path.endswith(".h"):
                heads[os.path.basename(path)].append(path)
        for name, paths in sorted(heads.items()):
            if len(paths) > 1:
                self.found.append(f"{name}: is the name of {' and '.join(paths)}")
        for name, paths in sorted(self.defined.items()):
            mine = [path for path in paths if not program(path)]
            if len(mine) > 1:
                self.found.append(f"{name}(): is defined in {' and '.join(sorted(mine))}")

    def headers(self):
        for path in self.sources:
            if not path.endswith(".h") or path in COLLECTIONS or path.startswith(("tests/", "bpf/")):
                continue
            for name in declared(read(path)):
                places = [place for place in self.defined.get(name, [])
                          if program(place) == program(path)]
                if places and path[:-1] + "c" not in places:
                    self.found.append(f"{path}: {name}() is defined in {places[0]}")


def layer(folder, rules):
    return 1 + max((layer(other, rules) for other in rules[folder]), default=-1)


def print_layers(rules):
    by_layer = collections.defaultdict(list)
    for folder in rules:
        by_layer[layer(folder, rules)].append(folder)
    for number, folders in sorted(by_layer.items()):
        print(f"{number}: {' '.join(folders)}")


def main():
    if sys.argv[2:] == ["--layers"]:
        print_layers(read_rules(sys.argv[1]))
        return
    tree = Tree(read_rules(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
    tree.cycles()
    tree.includes()
    tree.calls()
    tree.names()
    tree.headers()
    print("\n".join(tree.found))


main()
