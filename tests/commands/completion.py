#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the option tables, and the shell completion made from them."""
import os
import re
import subprocess

from lib.ktap import *

# {letter: long name} of the options in user/base/opt-common.h
LETTERS = {"h": "help", "v": "verbose", "q": "quiet", "o": "output", "j": "json", "c": "csv",
           "l": "layers", "b": "by", "d": "device", "g": "cgroup", "p": "process", "f": "file", "i": "interval",
           "n": "count", "t": "duration", "s": "size"}


def completion(shell):
    return subprocess.run([IOSPAN, "completion", shell], capture_output=True, text=True,
                          check=True).stdout


def options():
    rows = [line.split("\t") for line in completion("table").splitlines()]
    return [(command, None if letter == "-" else letter, name, None if arg == "-" else arg, text)
            for command, letter, name, arg, text in rows]


@test()
def a_letter_stands_for_one_option():
    for command, letter, name, _, _ in options():
        if letter:
            expect_eq(LETTERS.get(letter), name, f"{command}: -{letter}")
        else:
            expect_true(name not in LETTERS.values(), f"{command}: --{name} has its letter")


@test()
def a_name_has_one_type_of_argument():
    seen = {}
    for command, _, name, arg, _ in options():
        first = seen.setdefault(name, (command, arg))
        expect_eq(arg, first[1], f"--{name}: the argument in '{command}' and in '{first[0]}'")


@test()
def help_is_a_phrase_in_plain_words():
    for command, _, name, _, text in options():
        what = f"{command} --{name}: {text!r}"
        expect_true(not re.match(r"(of|and|or|for|that|it|this|these|by|with|from|to)\b", text),
                    f"{what} starts in the middle of a sentence")
        expect_true(text[0].islower() or text[0].isupper() and text.split()[0].isupper(), what)


@test()
def tables_and_help_have_the_same_options():
    named = {}
    for command, _, name, _, _ in options():
        named.setdefault(command, set()).add(name)
    for command, names in named.items():
        text = subprocess.run([IOSPAN, *command.split(), "--help"], capture_output=True, text=True,
                              check=True).stdout
        text = text[text.index("\noptions:"):].split("\n\n")[0]
        expect_eq(set(re.findall(r"^  (?:-.,|   ) --([\w-]+)", text, re.MULTILINE)), names, command)


CASES = (  # (typed words, a completion that must be offered, one that must not be)
    (["st"], "stat", "run"),
    (["bench", "l"], "load", "stat"),
    (["run", "--la"], "--layers", "--within"),
    (["stat", "--wi"], "--within", "--layers"),
    (["bench", "load", "--it"], None, "--iodepth"),
    (["stat", "--by", "cg"], "cgroup", "process"),
)


@test()
def bash_completes():
    needs_tool("bash")
    for words, wanted, other in CASES:
        script = completion("bash") + f"""
COMP_WORDS=(iospan {' '.join(words)}); COMP_CWORD={len(words)}; _iospan; printf '%s\\n' "${{COMPREPLY[@]}}"
"""
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
        expect_found(done, words, wanted, other)


@test()
def fish_completes():
    needs_tool("fish")
    path = write("iospan.fish", completion("fish"))
    for words, wanted, other in CASES:
        line = " ".join(["iospan", *words])
        done = subprocess.run(["fish", "--no-config", "-c", f"source {path}; complete -C '{line}'"],
                              capture_output=True, text=True, check=False,
                              env={**os.environ, "HOME": scratch_dir()})
        done.stdout = "\n".join(line.split("\t")[0] for line in done.stdout.splitlines())
        expect_found(done, words, wanted, other)


# zsh completes only at a terminal. So this script starts zsh in a pseudo terminal, by the module
# zpty.
ZSH = """
zmodload zsh/zpty
zpty -b shell zsh -f
zpty -w shell 'PS1=; fpath=(%s $fpath); autoload -U compinit; compinit -u -D; unsetopt beep'
zpty -w shell 'zstyle ":completion:*" list-prompt ""; LISTMAX=1000; stty -echo; echo ready'
until zpty -r shell line && [[ $line == ready* ]]; do :; done
zpty -n -w shell $'%s\\t\\t'
seen= pauses=0
while ((pauses < 400)) && [[ $seen != *$WANTED* ]]; do
	if zpty -rt shell line; then seen+=$line; else sleep 0.1; ((pauses += 1)); fi
done
print -r -- $seen
zpty -d shell
"""


@test(seconds=200)
def zsh_completes():
    needs_tool("zsh")
    folder = os.path.dirname(write("_iospan", completion("zsh")))
    for words, wanted, other in CASES[:4]:
        line = " ".join(["iospan", *words])
        done = subprocess.run(["zsh", "-fc", ZSH % (folder, line)], capture_output=True, text=True,
                              check=False, env={**os.environ, "TERM": "dumb", "HOME": scratch_dir(),
                                                "WANTED": wanted, "PATH": "/usr/bin:/bin"})
        expect_true(wanted in done.stdout and other not in done.stdout,
                    f"zsh completes {words} to {wanted}, not to {other}: {done.stdout!r}")


def needs_tool(name):
    needs(subprocess.run(["sh", "-c", f"command -v {name}"], capture_output=True,
                         check=False).returncode == 0, f"needs {name}")


def write(name, text):
    path = os.path.join(scratch_dir(), name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def expect_found(done, words, wanted, other):
    found = done.stdout.split()
    expect_eq(done.stderr, "", f"{words}: stderr")
    if wanted:
        expect_true(wanted in found, f"{words}: {wanted} in {found}")
    expect_true(other not in found, f"{words}: no {other} in {found}")


main()
