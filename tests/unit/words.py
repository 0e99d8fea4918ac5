#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds words that make a reader ask "who?" or "which one?". CONTRIBUTING.md has the rules."""
import glob
import io
import os
import re
import tokenize

from lib.ktap import *

FOLDERS = (".ci", "bpf", "user", "preload", "bench", "tools", "tests", "debian", "packaging",
           "Documentation")
DATA = "tests/data", "tests/fuzz/corpus"  # other programs wrote these files
# These files may quote the words.
RULES = "tests/unit/words.py", "tests/commands/vocabulary.py", "CONTRIBUTING.md"
NAMES = "whose", "whom", "told", "tells?", "telling", "begins", "janitor", "keeper", "namer"
PHRASES = (r"so (?:many|much|long)", r"comes? by", r"(?:is|are|was|were|be) gone",
           r"(?:put|puts|give|gives|given) back", r"(?:the|a|its|their|each|of|from|every|at) begin")
STARTS = "What", "Who", "Whose", "That of", "Of what", "So many", "So much"
WORDS = NAMES + PHRASES + STARTS

C_TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
HASH_TEXT = re.compile(r"(?<![$\w'\"])#[^\n]*|\"[^\"]*\"|'[^']*'")


def pattern(word):
    """Returns a regular expression that finds the word. A word of STARTS is found only at the
    start of a sentence."""
    if word in STARTS:
        return re.compile(rf"(?:^|[.:;!?][\"')]? |/\*+ ?|# |[\"'(]){word}\b(?! breaks)")
    return re.compile(rf"\b{word}\b", re.IGNORECASE)


def any_pattern():
    """Returns a regular expression that finds all words. It may also find other text."""
    return re.compile("|".join(pattern(word).pattern for word in WORDS), re.IGNORECASE)


def files():
    found = [path for path in glob.glob("*.md") + ["Makefile"]]
    for folder in FOLDERS:
        # os.walk() does not follow links, such as tests/vm/lib
        for path, _, names in os.walk(folder):
            if not path.startswith(DATA) and "__pycache__" not in path:
                found += [os.path.join(path, name) for name in names]
    return [path for path in found if not path.endswith((".svg", ".json", ".expected"))]


def pieces(path, text):
    if path.endswith((".c", ".h")):
        return C_TEXT.findall(text)
    if text.startswith("#!") and "python" in text[:40] or path.endswith(".py"):
        return [token.string for token in tokenize.generate_tokens(io.StringIO(text).readline)
                if token.type in (tokenize.COMMENT, tokenize.STRING)]
    if path.endswith((".rst", ".md", ".yml")):
        return [text]
    return HASH_TEXT.findall(text)


def sentences(text):
    """Returns the text as one line, so that no line break hides a phrase."""
    text = re.sub(r"\n[ \t]*(?:\*(?!/)|#|//)?[ \t]*(?=\S)", " ", text)
    return re.sub(r"[ \t]+", " ", text)


def all_text():
    for path in sorted(files()):
        with open(path, encoding="utf-8", errors="replace") as f:
            for piece in pieces(path, f.read()):
                yield path, sentences(piece)


def found_in(text, word):
    for hit in pattern(word).finditer(text):
        yield text[max(0, hit.start() - 40):hit.end() + 40].replace("\n", " ")


@test()
def no_word_needs_decoding():
    suspect = any_pattern()
    texts = [(path, text) for path, text in all_text()
             if path not in RULES and suspect.search(text)]
    for word in WORDS:
        hits = [f"{path}: ...{hit}..." for path, text in texts for hit in found_in(text, word)]
        expect_true(not hits, f"'{word}' {len(hits)} times:\n  " + "\n  ".join(hits))


@test()
def words_are_found():
    for path, text, word in (
            ("a.c", 'int told; /* The disk\n\t * whose */ f("it tells");', ("whose", "tells?")),
            ("a.c", "/* A cgroup that is\n * gone. Who knows. */", (PHRASES[2], "Who")),
            ("a.py", "told = 1  # keeper\n'''At its\nbegin.'''\n", ("keeper", PHRASES[4])),
            ("a.sh", "told=$# # whom\necho 'so many'\n", ("whom", PHRASES[0])),
            ("a.rst", "One. What is\nput\nback\n", ("What", PHRASES[3]))):
        seen = {w for piece in pieces(path, text) for w in WORDS
                if any_pattern().search(sentences(piece)) for _ in found_in(sentences(piece), w)}
        expect_eq(seen, set(word), path)


main()
