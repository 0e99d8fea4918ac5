#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests iospan compare. The results come from formulas instead of measured systems."""
import functools
import os
import re
import statistics

from lib import forms, scales
from lib.browser import *
from lib.ktap import *
from lib.scales import MB

FOCAL = {"unique_bytes": 128 * MB, "size_bytes": 65536, "read_fraction": 0.5,
         "sequential_fraction": 0.5, "process_count": 4}
# System A is faster with small requests, B with large ones. They are equally fast at 64 KiB.
A = scales.product(120e6, {"size_bytes": 0.3, "process_count": 0.2}, {"read_fraction": 0.5})
B = scales.product(120e6 / 16 ** 0.3, {"size_bytes": 0.6, "process_count": 0.2}, {"read_fraction": 0.5})


def kept(name, system, half_width=0.01, focal=FOCAL, **change):
    doc = scales.result(system, [(4 * MB, focal, 4096 * MB)], half_width=half_width)
    return scales.write(os.path.join(scratch_dir(), name), {**doc, **change})


def both(**how):
    return kept("a.json", A, **how), kept("b.json", B, **how)


iospan = functools.partial(forms.iospan, "compare")


def compared(*args):
    return forms.document("compare", *args)["comparison"]


def numbers(workload):
    return {axis: workload[axis] for axis in FOCAL}


@test()
def ratios_equal_those_of_the_formulas():
    for v in compared(*both())["workloads"]:
        w = numbers(v["workload"])
        ratio = v["ratio"]["bandwidth_bytes_per_second"]
        expect_near(ratio["value"] / (A(w) / B(w)), 1, 1e-4, str(w))
        expect_near(v["ratio"]["latency_mean_ns"]["value"] / (B(w) / A(w)), 1, 1e-4, str(w))
        expect_eq(v["faster"], "a" if A(w) > B(w) else "b")
        expect_eq(v["a"]["workload"], v["b"]["workload"])


@test()
def a_difference_is_real_when_the_bands_do_not_overlap():
    seen = set()
    for v in compared(*both(half_width=0.03))["workloads"]:
        a, b = (v[x]["predicted"]["bandwidth_bytes_per_second"] for x in "ab")
        apart = a["low"] > b["high"] or b["low"] > a["high"]
        expect_eq(v["significant"], apart)
        ratio = v["ratio"]["bandwidth_bytes_per_second"]
        expect_near(ratio["low"], a["low"] / b["high"], 1e-9)
        expect_near(ratio["high"], a["high"] / b["low"], 1e-9)
        seen.add(apart)
    expect_eq(seen, {True, False})


@test()
def the_summary_counts_the_workloads():
    doc = compared(*both(), "--random=300", "--seed=5")
    of = [v for v in doc["workloads"] if v["name"] is None]
    ratios = [v["ratio"]["bandwidth_bytes_per_second"]["value"] for v in of]
    s = doc["random"]
    expect_eq((s["workload_count"], s["seed"]), (300, 5))
    for who in "ab":
        wins = [v for v in of if v["faster"] == who]
        expect_eq(s[f"{who}_faster"], len(wins))
        expect_eq(s[f"{who}_faster_significant"], sum(v["significant"] for v in wins))
    expect_near(s["ratio_median"], statistics.median(ratios), 1e-9)
    expect_near(s["ratio_min"], min(ratios), 1e-9)
    expect_near(s["ratio_max"], max(ratios), 1e-9)
    sizes = s["thirds"]["size_bytes"]
    expect_eq(sum(t["workload_count"] for t in sizes.values()), 300)
    expect_eq((sizes["lowest"]["b_faster"], sizes["highest"]["a_faster"]), (0, 0),
              "sizes at which each is never faster")


@test()
def random_workloads_lie_in_both_ranges():
    a, b = both()
    axes = {**scales.read(a)["axes"],
            "size_bytes": {"min": 65536, "max": 64 * MB}, "read_fraction": {"min": 0.5, "max": 0.75}}
    b = kept("b.json", B, axes=axes)
    for v in compared(a, b)["workloads"]:
        if v["name"] is None:
            w = v["workload"]
            expect_true(65536 <= w["size_bytes"] <= MB and 0.5 <= w["read_fraction"] <= 0.75, str(w))
    b = kept("b.json", B, axes={**axes, "process_count": {"min": 64, "max": 128}})
    forms.expect_refused(1, "have no value of 'procs' in common", "compare", a, b)


@test()
def a_workload_has_a_name_or_parameters_or_both():
    a, b = both()
    w = compared(a, b, "--workload=database")["workloads"]
    expect_eq([(v["name"], v["workload"]["size_bytes"], v["workload"]["sequential_fraction"]) for v in w],
              [("database", 4096, 0)])
    w = compared(a, b, "--workload=database,size=1M,read=10%")["workloads"][0]["workload"]
    expect_eq((w["size_bytes"], w["read_fraction"], w["process_count"]), (MB, 0.1, 16))
    w = compared(a, b, "--workload", "procs=2")["workloads"][0]["workload"]
    expect_eq(w, {**FOCAL, "process_count": 2, "depth": 1})
    b = kept("b.json", B, focal={**FOCAL, "size_bytes": 16384, "process_count": 1})
    v = compared(a, b, "--workload", "read=0.25")["workloads"][0]
    expect_eq(numbers(v["b"]["workload"]), {**FOCAL, "read_fraction": 0.25},
              "parameters that are not specified are A's")


@test()
def text_names_the_faster_system():
    a, b = both()
    rows = {line.split()[0]: line for line in iospan(a, b).stdout.splitlines() if line.split()}
    expect_true("  A is faster  " in rows["database"], rows["database"])
    expect_true("  B is faster  " in rows["scientific"], rows["scientific"])
    out = iospan(a, a).stdout
    expect_eq(out.count("alike"), 3)
    expect_true(out.startswith("A is faster in 0 of 100 random workloads (with separate bands in 0), "
                               "B in 0 (0); the median of A/B is 1\n"), out)
    a, b = both(half_width=0.05)
    expect_eq(compared(a, b, "--workload", "size=60k")["workloads"][0]["faster"], "a")
    expect_true("bandwidth: alike" in iospan(a, b, "--workload", "size=60k").stdout, "bands overlap")
    out = iospan(a, b, "--workload", "size=4k,procs=64").stdout
    expect_true("bandwidth: no band" in out, out)
    ratio = compared(a, b, "--workload", "size=4k,procs=64")["workloads"][0]["ratio"]["bandwidth_bytes_per_second"]["value"]
    expect_true(out.startswith(f"size=4k,procs=64: no band, A/B is {ratio:.4g}; not measured on A: processes; "
                               "not measured on B: processes\n"), out)


@test()
def all_forms_have_the_same_numbers():
    a, b = both()
    forms.expect_same_numbers(lambda doc: doc["comparison"]["workloads"], "compare", a, b)
    forms.expect_same_numbers(lambda doc: doc["comparison"]["workloads"], "compare", a, b,
                        "--workload=database")


ENVIRONMENT = {"processor_count": 2, "kernel": "6.1", "target": {"file_system": "ext4"},
               "devices": [{"name": "sda", "class": "hdd"}]}


@test()
def both_conditions_are_shown():
    a = kept("a.json", A, direct=False, memory_limit_bytes=128 * MB, environment=ENVIRONMENT)
    b = kept("b.json", B, direct=False, memory_limit_bytes=128 * MB, budget_ns=60000000000,
             environment={**ENVIRONMENT, "target": {"file_system": None},
                          "devices": [{"name": "sdb", "class": "ssd"}]})
    found = compared(a, b)["conditions"]
    for name, pair, unfair in (
            ("page_cache", ("buffered", "buffered"), False),
            ("memory_limit_bytes", (128 * MB, 128 * MB), False), ("file_system", ("ext4", None), False),
            ("device_class", ("hdd", "ssd"), False), ("budget_ns", (1, 60000000000), False),
            ("regions", (1, 1), False), ("points_not_steady", (None, None), False),
            ("maximum_bytes", (4096 * MB, 4096 * MB), False)):
        of = found[name]
        expect_eq((of["a"], of["b"], of["differs"], of["unfair"]),
                  (*pair, pair[0] != pair[1], unfair), name)
    run = iospan(a, b)
    expect_eq(run.stderr, "")
    text = [line.split() for line in run.stdout.splitlines()]
    for row in ("page cache buffered buffered", "memory limit bytes 128 MiB 128 MiB",
                "device class hdd ssd differs", "file system ext4 none differs"):
        expect_true(row.split() in text, row)


@test()
def unfair_conditions_are_refused():
    plain = {"direct": False, "memory_limit_bytes": 128 * MB}
    a = kept("a.json", A, **plain)
    for change, words in (({"direct": True}, "page cache, memory limit bytes"),
                          ({"memory_limit_bytes": 96 * MB}, "memory limit bytes"),
                          ({"memory_limit_bytes": None}, "memory limit bytes")):
        b = kept("b.json", B, **{**plain, **change})
        forms.expect_refused(1, f"different conditions: {words}; ", "compare", a, b)
        run = iospan(a, b, "--force")
        expect_eq((run.returncode, run.stderr.count(words)), (0, 1), run.stderr)
        expect_true(re.search(r"memory limit bytes .* differs +unfair\n", run.stdout), run.stdout)
    b = kept("b.json", B, direct=True, memory_limit_bytes=96 * MB)
    a = kept("a.json", A, direct=True, memory_limit_bytes=128 * MB)
    expect_eq(iospan(a, b).returncode, 0, "status with direct I/O, where a limit changes nothing")


def with_validation(system, workloads):
    """Returns the validation part of a result: the predicted and the measured bandwidth of each of
    @workloads. The predictions are 5 % too high."""
    errors = {"workload_count": len(workloads),
              **{f"{what}_{of}_fraction": 0.05 for what in ("error", "repeatability")
                 for of in ("median", "p75", "p90")}}
    points = [{"workload": {**w, "depth": 1}, "predicted_bytes_per_second": system(w) * 1.05,
               "measured_bytes_per_second": system(w), "at_border": False} for w in workloads]
    return {"inside_border": errors, "outside_border": errors, "points": points}


@test()
def the_page_shows_both_systems():
    """The page has a plot of both systems. If workloads were measured on both, it also has a plot
    of the measured ratios."""
    needs_browser()
    workloads = [{**FOCAL, "size_bytes": 4096 * n} for n in (1, 4, 20)]
    a = kept("a.json", A, validation=with_validation(A, workloads[:2]))
    both_of = kept("b.json", B, validation=with_validation(B, workloads[1:]))
    none_of = kept("c.json", B, validation=with_validation(B, workloads[2:]))
    page = os.path.join(scratch_dir(), "page.html")
    with browser() as on:
        for name, b, plots in ("same", both_of, 2), ("other", none_of, 1):
            run = iospan(a, b, "--html", page)
            assert_eq((run.returncode, run.stderr), (0, ""), name)
            looks_right(on, f"compare-{name}", page, plots)
            needs_nothing_else(page)
            expect_eq(on.run("return document.querySelectorAll('svg').length"), plots, name)
            expect_eq("1 workload measured on both" in on.run("return document.body.innerText"), plots == 2, name)


@test()
def other_documents_are_no_result():
    a, b = both()
    with open(b, encoding="utf-8") as f:
        text = f.read()
    with open(b, "w", encoding="utf-8") as f:
        f.write(text.replace('"seed": 1', '"seed": 2'))
    for args in ((a, b), (b, a), (a, scratch_dir() + "/none")):
        forms.expect_refused(1, "", "compare", *args)


@test()
def wrong_options_are_usage_errors():
    a, b = both()
    for args, message in (
            ([a], "two results are wanted"), ([a, b, a], "two results are wanted"),
            ([a, b, "--workload", "nosuch"], "'nosuch' is no workload"),
            ([a, b, "--workload", "size=0"], "size cannot be '0'"),
            ([a, b, "--workload", "size=4k,database"], "'database' is no"),
            ([a, b, "--workload", ""], "'' is no workload"),
            ([a, b, "--workload", "database", "--random", "5"], "'--random' has no effect with '--workload'"),
            ([a, b, "--workload", "database", "--seed=5"], "'--seed' has no effect with '--workload'"),
            ([a, b, "--random=1000000"], "--random goes up to")):
        forms.expect_refused(2, message, "compare", *args)


main()
