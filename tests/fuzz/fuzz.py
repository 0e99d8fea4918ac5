#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whoever reads foreign bytes is given any: each target of tests/fuzz runs for
IOSPAN_FUZZ_SECONDS (30), from its corpus on. It must not crash, take ten seconds for one
input, or more memory than is stated. An input that does stays in build/fuzz-found."""
import glob
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../trace"))
from lib.ktap import *

FUZZ = os.path.dirname(os.path.abspath(__file__))
SECONDS = int(os.environ.get("IOSPAN_FUZZ_SECONDS", "30"))
FOUND = os.path.join(BUILD, "fuzz-found", "")
LIMITS = ["-timeout=10", "-rss_limit_mb=1024", "-malloc_limit_mb=128", "-max_len=65536"]


def fuzz(name):
    target = os.path.join(BUILD, "tests/fuzz", f"{name}-fuzz")
    needs(os.path.exists(target), "not built: 'make build-fuzz' needs the libFuzzer of "
                                  "clang, package libclang-rt-dev")
    corpus = os.path.join(FUZZ, "corpus", name)
    assert_true(os.listdir(corpus), f"{corpus} has inputs")
    os.makedirs(FOUND, exist_ok=True)
    run = subprocess.run([target, *LIMITS, f"-max_total_time={SECONDS}",
                          f"-artifact_prefix={FOUND}{name}-", "-print_final_stats=1",
                          scratch_dir(), corpus], stdin=subprocess.DEVNULL,
                         capture_output=True, text=True, errors="replace", check=False)
    runs = re.search(r"stat::number_of_executed_units: (\d+)", run.stderr)
    cover = re.findall(r"cov: (\d+)", run.stderr)
    if run.returncode or not runs:
        print("\n".join(run.stderr.splitlines()[-60:]))
    expect_eq(run.returncode, 0, "status")
    expect_true(runs and int(runs[1]) > 10, "inputs were tried")
    if runs and cover:
        diagnostic(f"{name}: {runs[1]} inputs in {SECONDS} s, {cover[-1]} edges")


for source in sorted(glob.glob(os.path.join(FUZZ, "*-fuzz.c"))):
    fuzzed = os.path.basename(source)[:-len("-fuzz.c")]
    test(seconds=SECONDS + 120, name=fuzzed)(lambda name=fuzzed: fuzz(name))

main()
