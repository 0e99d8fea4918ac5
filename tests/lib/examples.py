# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares examples in the manual pages with real output. An example is a literal block: a command
after "# " or "$ ", then its output. "..." stands for omitted lines, or for the omitted rest of a
line. A block that starts with "..." continues the output of the previous example. Values and names
are not compared."""
import glob
import re
from dataclasses import dataclass

PROMPT = re.compile(r"[#$] (.*)")
UNIT = r"(?: ?(?:[num]?s|h|[KMGTP]iB(?:/s)?|[KM]?B(?:/s)?|[kMGT]|%))?"
VALUE = re.compile(rf"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?{UNIT}(?!\w|\.\w)")
DISK = re.compile(r"\b(?:[vsx]?v?d[a-z]\d*|nvme\d+n\d+(?:p\d+)?|loop\d+|zram\d+)(?:\*|\b)")
PLACE = re.compile(r"(?<![\w/.])/[\w./@:-]+")
PROCESS = re.compile(r" ?\(\d+\)| ?\[\d+\]")
# Titles of a table's first column. In a table with such a title, each row starts with a name.
NAMED = re.compile(r"(?:device|cgroup|process|without|column|I/O time) ")
# Nouns that iospan prints after a number, in the singular or the plural.
COUNTED = re.compile(r"# (process|access|interval|disk|read|write|request|run|job|point|column"
                     r"|cgroup|device|file|program|time)(?:es|s)?\b")
BAR = re.compile(r"\|\** *\|")  # a bar of a histogram
STATUS = re.compile(r" yes(?= #$)")  # the column "steady" of a point of bench scale
VERDICT = re.compile(r" (?:right|misleads)(?:, perhaps)?(?:; in the paper: \w+)?(?= |$)")


@dataclass
class Example:
    page: str
    line: int
    commands: list  # [(command, [line of its output], ...)]

    def __str__(self):
        return f"{self.page}:{self.line}"


def pages():
    return ["README.md"] + sorted(glob.glob("Documentation/*.rst"))


def blocks(page):
    """Yields (number of the first line, lines without their indentation) of each literal block."""
    block, first = [], 0
    with open(page, encoding="utf-8") as f:
        lines = f.read().split("\n") + ["end"]
    for number, line in enumerate(lines, 1):
        if line.startswith("    ") or block and not line:
            first = first if block else number
            block.append(line[4:])
        elif block:
            yield first, block
            block = []


def parse(block):
    commands = []
    for line in block:
        prompt = PROMPT.match(line)
        command, output = commands[-1] if commands else ("", [])
        if prompt:
            commands.append((prompt[1], []))
        elif commands and not output and command.endswith("\\"):
            commands[-1] = command[:-1] + line.strip(), output
        elif commands and not output and line.startswith("> "):
            commands[-1] = command + "\n" + line[2:], output
        elif line or output:
            output.append(line)
    return commands


def examples(page):
    found = []
    for line, block in blocks(page):
        if PROMPT.match(block[0]) and re.search(r"^[#$] .*\biospan ", "\n".join(block), re.M):
            found.append(Example(page, line, parse(block)))
        elif block[0] == "..." and found:
            found[-1].commands[-1][1].extend(block)
    return found


def fields(line):
    """Returns a line of CSV titles unchanged. For other lines of CSV, returns the number of commas.
    """
    return line if not re.search(r",\d*,", line) else f"{line.count(',')} commas"


def shape(line, named=False):
    if line.count(",") > 4 and " " not in line:
        return fields(line)
    line = re.sub(r"(?<= on )\S+, Linux [^ ,]+", "HOST, Linux RELEASE", line)
    line = BAR.sub("BAR", re.sub(r"(?<= )[~<>]+(?=\d)", "", line))
    # On a busy machine, there may be time for only a few measurements. Then iospan prints other
    # words, which are replaced here.
    line = line.replace(" (unknown error)", " +-1 %").replace("performance may fall at", "performance falls at")
    line = re.sub(r"\b(\d\d):\d\d:\d\d\b", r"\1", PROCESS.sub("", line))
    line = VALUE.sub("#", DISK.sub("DISK", line))
    line = re.sub(r"(?<=\s)-(?=\s|$)", "#", PLACE.sub("PLACE", line))
    line = VERDICT.sub(" VERDICT", STATUS.sub("", " ".join(line.split())))
    line = COUNTED.sub(r"# \1", re.sub(r"^(?:yes|no) ", "ANSWER ", line))
    # On a busy machine, bench scale may find more borders and regions. Only the first border or
    # region is compared.
    line = re.sub(r"(# (?:\(# to #\)|\+#))(?:, \1)+", r"\1", line)
    return re.sub(r"^.*?(?= (?:(?:app|vfs|device) \D|#))", "NAME", line) if named else line


def shapes(lines):
    """Returns the shape of each line that is not empty: the line with placeholders for values. If a
    line has the titles of a table with names, the names in the following rows also become
    placeholders."""
    found, named = [], False
    for line in lines:
        named = named and not re.match(r" *(?:lost|note): ", line)
        found.append(shape(line, named) if line.strip() else "")
        titles = NAMED.match(line.strip()) and not VALUE.search(line)
        named = line.strip() != "" and (named or bool(titles))
    return [text for text in found if text]


def matches(text, seen):
    """Returns true if @text equals @seen. If @text ends with "...", @seen only has to start with
    the part before "..."."""
    return seen.startswith(text[:-3].rstrip()) if text.endswith("...") else seen == text


def compare(expected, seen):
    page, output = shapes(expected), shapes(seen)
    cut = "..." in page
    page = [text for text in page if text != "..."]
    lacks = [text for text in page if not any(matches(text, s) for s in output)]
    more = [s for s in output if not any(matches(text, s) for text in page)]
    return lacks, [] if cut else more
