#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs each fuzz target for IOSPAN_FUZZ_SECONDS (60) of CPU time, starting from its corpus.
IOSPAN_FUZZ_SEED (1) is the seed of the mutations; with 0, each run has a new seed. Inputs that
crash, or take ten seconds or too much memory, are stored in build/fuzz-found."""
import glob
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from lib.ktap import *

FUZZ = os.path.dirname(os.path.abspath(__file__))
SECONDS = int(os.environ.get("IOSPAN_FUZZ_SECONDS", "60"))
SEED = int(os.environ.get("IOSPAN_FUZZ_SEED", "1"))
SIDE_BY_SIDE = min(4, len(os.sched_getaffinity(0)))
FOUND = os.path.join(BUILD, "fuzz-found", "")
LIMITS = ["-timeout=10", "-rss_limit_mb=1024", "-malloc_limit_mb=128", "-max_len=65536"]


def corpus_of(number):
    """Makes a directory for the inputs that one process finds. If the processes shared a directory,
    the inputs of one process would change the run of the others, and two runs with the same seed
    would differ."""
    path = os.path.join(scratch_dir(), str(number))
    os.mkdir(path)
    return path


def fuzz(name):
    target = os.path.join(BUILD, "tests/fuzz", f"{name}-fuzz")
    needs(os.path.exists(target), "not built: 'make build-fuzz' needs the libFuzzer of "
                                  "clang, package libclang-rt-dev")
    corpus = os.path.join(FUZZ, "corpus", name)
    assert_true(os.listdir(corpus), f"{corpus} has inputs")
    os.makedirs(FOUND, exist_ok=True)
    runs = [subprocess.Popen([target, *LIMITS, f"-max_total_time={SECONDS // SIDE_BY_SIDE}",
                              f"-seed={SEED and SEED + i}", f"-artifact_prefix={FOUND}{name}-",
                              "-print_final_stats=1", "-reload=0", corpus_of(i), corpus],
                             stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                             errors="replace") for i in range(SIDE_BY_SIDE)]
    expect_clean(name, runs)


def expect_clean(name, runs):
    inputs, edges = 0, 0
    # All outputs are read at the same time, because a target stops when its pipe is full.
    with ThreadPoolExecutor() as readers:
        texts = list(readers.map(lambda run: run.communicate()[1], runs))
    for run, text in zip(runs, texts):
        tried = re.search(r"stat::number_of_executed_units: (\d+)", text)
        if not expect_eq(run.returncode, 0, "status") or not tried:
            print("\n".join(text.splitlines()[-60:]))
        if expect_true(tried and int(tried[1]) > 10, "inputs were tried"):
            inputs += int(tried[1])
            edges = max([edges, *map(int, re.findall(r"cov: (\d+)", text))])
    diagnostic(f"{name}: {inputs} inputs, {edges} edges, {len(runs)} processes")


for source in sorted(glob.glob(os.path.join(FUZZ, "*-fuzz.c"))):
    fuzzed = os.path.basename(source)[:-len("-fuzz.c")]
    test(seconds=SECONDS + 120, name=fuzzed)(lambda name=fuzzed: fuzz(name))

main()
