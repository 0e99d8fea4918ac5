#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests iospan predict. The results come from formulas instead of measured systems. A border lies
between two regions of uniqueBytes (the amount of data that a load uses); there, performance falls.
A validation measures random workloads, to show the errors of predictions."""
import json
import os
import random
import re
import signal
import subprocess
import time
from copy import deepcopy

from lib import kernel, scales
from lib.browser import *
from lib.forms import expect_same_numbers, expect_same_numbers_of_runs
from lib.ktap import *
from lib.scales import MB

MODEL = scales.product(100e6, {"unique_bytes": -0.1, "size_bytes": 0.4, "process_count": 0.2},
                       {"read_fraction": 0.5, "sequential_fraction": 0.3})


def at(mb, size=65536, read=0.5, seq=0.5, procs=4):
    return {"unique_bytes": int(mb * MB), "size_bytes": size, "read_fraction": read, "sequential_fraction": seq,
            "process_count": procs}


def one_region(system=MODEL, **how):
    return scales.result(system, [(4 * MB, at(128), 4096 * MB)], **how)


def kept(doc, name="result.json"):
    return scales.write(os.path.join(scratch_dir(), name), doc)


def iospan(*args):
    return subprocess.run([IOSPAN, *map(str, args)], capture_output=True, text=True,
                          check=False, stdin=subprocess.DEVNULL)


OPTIONS = {"unique_bytes": "--unique-bytes", "size_bytes": "--size", "read_fraction": "--read",
           "sequential_fraction": "--seq", "process_count": "--procs", "depth": "--depth"}


def options(workload):
    return [f"{OPTIONS[key]}={v}" for key, v in workload.items()]


def predicted(path, workload):
    run = iospan("predict", path, "--json", *options(workload))
    assert_eq(run.returncode, 0, run.stderr)
    doc = json.loads(run.stdout)
    return {**doc["prediction"], "doc": doc}


def random_workload(rng):
    w = {}
    for axis, (low, high) in scales.AXES.items():
        part = rng.random()
        w[axis] = round(part, 3) if axis in scales.SHARES else \
            round(low * (high / low) ** part)
    return w


@test()
def a_product_is_predicted_exactly():
    path, rng = kept(one_region(half_width=0.02)), random.Random(1)
    for _ in range(30):
        w = random_workload(rng)
        p = predicted(path, w)
        rate, numbers = MODEL(w), p["predicted"]
        for key, expected in (("bandwidth_bytes_per_second", rate), ("iops", rate / w["size_bytes"]),
                              ("latency_mean_ns", 1e9 * w["process_count"] * w["size_bytes"] / rate),
                              ("bps_app", rate / 512), ("bps_device", rate / 256)):
            expect_near(numbers[key]["value"] / expected, 1, 1e-4, f"{key} of {w}")
            expect_true(numbers[key]["low"] < expected < numbers[key]["high"], f"band of {w}")
        expect_eq(numbers["bps_vfs"], None)
        expect_eq(p["workload"], {**w, "depth": 1})
        expect_eq((p["border"], p["extrapolated"], p["not_varied"]), (None, [], []))
        expect_eq(p["band_from"], "points")


def cached(w):
    """Returns the bandwidth of a disk with a cache of 512 MB. Requests that miss the cache also
    take the time of the disk and its seeks. iospan predict assumes a product of functions of one
    parameter each. This formula is no such product, so predictions cannot be exact."""
    hit = min(1, 512 * MB / w["unique_bytes"]) ** 4
    memory = 2e-6 + w["size_bytes"] / 4e9
    disk = (1 - w["sequential_fraction"]) * 1e-4 + w["size_bytes"] / (400e6 * (0.7 + 0.3 * w["read_fraction"]))
    each = hit * memory + (1 - hit) * disk
    return w["size_bytes"] / each * min(w["process_count"], 8) ** 0.5


@test()
def a_cache_and_a_disk_are_predicted_well_between_points():
    """The formula of the simulated disk is no product of functions, so predictions have errors. For
    real disks, the paper on this method reports a median error of 7 to 10 % for workloads that are
    not at a border. So the test allows 10 % for such workloads."""
    path = kept(scales.result(cached, [(4 * MB, at(45), 500 * MB), (800 * MB, at(1800), 4096 * MB)],
                              [(500 * MB, 600 * MB, 800 * MB)]))
    rng, errors = random.Random(2), {True: [], False: []}
    for _ in range(200):
        w = random_workload(rng)
        p = predicted(path, w)
        seen = p["predicted"]["bandwidth_bytes_per_second"]["value"]
        errors[p["border"] is not None].append(abs(seen / cached(w) - 1))
    for border, of in errors.items():
        of.sort()
        diagnostic(f"{len(of)} workloads {'at the border' if border else 'beside it'}: median "
                   f"{of[len(of) // 2]:.1%}, 75 % {of[len(of) * 3 // 4]:.1%}, "
                   f"90 % {of[len(of) * 9 // 10]:.1%}")
    expect_le(errors[False][len(errors[False]) // 2], 0.10, "median beside the border")


@test()
def doubts_are_reported():
    two = kept(scales.result(MODEL, [(4 * MB, at(40), 400 * MB), (500 * MB, at(1500), 4096 * MB)],
                             [(400 * MB, 450 * MB, 500 * MB)]))
    p = predicted(two, at(450, size=16 * MB, procs=64))
    expect_eq(p["border"]["from_bytes"], 400 * MB)
    expect_eq([(o["parameter"], o["max"]) for o in p["extrapolated"]], [("size_bytes", MB), ("process_count", 32)])
    expect_eq(p["band_from"], None)
    expect_eq(p["predicted"]["iops"]["low"], None)
    run = iospan("predict", two, *options(at(450, size=16 * MB)), "--depth=4")
    for words in ("at a border, 400 MiB to 500 MiB", "--size 16.0 MiB is outside", "--depth",
                  "with an unknown error"):
        expect_true(words in run.stdout, words)
    text = iospan("predict", two, *options(at(450, size=1))).stdout
    for words in "requests of 1 B,", "--size 1 B is outside":
        expect_true(words in text, text)


@test()
def a_region_without_curves():
    """If an evaluation was interrupted, its result has regions without curves. iospan must report
    that it predicts nothing for these regions."""
    doc = one_region()
    doc["regions"][0]["curves"] = {}
    path = kept({**doc, "complete": False})
    expect_true(iospan("predict", path).stdout.startswith("nothing is predicted, because this region has no "
                                                          "curves; "), "predict")
    expect_true(iospan("compare", path, path).stdout.startswith("no random workload is predicted by both "
                                                                "results\n"), "compare")


@test()
def the_document_is_sealed():
    doc = predicted(kept(one_region()), at(64))["doc"]
    expect_eq(list(doc)[:3], ["iospan", "command", "elapsed_ns"])
    expect_eq(doc["command"], "predict")
    expect_eq(scales.seal(doc)["hash"], doc["hash"])
    expect_eq(doc["result_hash"], scales.read(scratch_dir() + "/result.json")["hash"])


def validated(doc, system, n=60):
    """Adds a validation to the result, as iospan predict --validate does. The predictions are 5 %
    too high."""
    rng, points = random.Random(4), []
    for i in range(n):
        w = random_workload(rng)
        points.append({"workload": {**w, "depth": 1}, "predicted_bytes_per_second": system(w) * 1.05,
                       "measured_bytes_per_second": system(w), "at_border": i % 4 == 0})
    errors = {"workload_count": n // 2,
              **{f"{what}_{of}_fraction": 0.05 for what in ("error", "repeatability")
                 for of in ("median", "p75", "p90")}}
    return {**doc, "validation": {"inside_border": errors, "outside_border": errors,
                                  "points": points}}


@test()
def the_page_shows_curves_regions_and_the_validation():
    needs_browser()
    two = scales.result(cached, [(4 * MB, at(45), 500 * MB), (800 * MB, at(1800), 4096 * MB)],
                        [(500 * MB, 600 * MB, 800 * MB)])
    narrow = scales.result(lambda w: 1e6, [(5 * MB, at(5), 6 * MB)], n=2)
    with browser() as on:
        for name, doc, plots in (("regions", two, 4), ("validated", validated(two, cached), 7),
                                 ("<b>narrow'", narrow, 3)):
            page = os.path.join(scratch_dir(), f"{plots}.html")
            run = iospan("predict", kept(doc, name + ".json"), "--html", page)
            assert_eq((run.returncode, run.stderr), (0, ""), name)
            looks_right(on, f"predict-{plots}", page, plots)
            needs_nothing_else(page)
            text = on.run("return document.body.innerText")
            expect_true(name in text, "name of the file")
            expect_eq(text.count(": bandwidth with requests of "), 1, "traits of the region")


# The axis of a plot must cover the confidence intervals, which reach from 53 to 190 MiB/s. So the
# first tic of the first plot must be 64 MiB/s.
@test()
def error_bars_are_within_their_frames():
    page = os.path.join(scratch_dir(), "page.html")
    run = iospan("predict", kept(one_region(lambda w: 100 * MB, half_width=0.9)), "--html", page)
    assert_eq((run.returncode, run.stderr), (0, ""))
    with open(page, encoding="utf-8") as f:
        expect_eq(re.findall(r">(\d+ Mi)<", f.read())[0], "64 Mi", "first tic")


@test()
def all_forms_have_the_same_numbers():
    two = kept(validated(scales.result(
        cached, [(4 * MB, at(45), 500 * MB), (800 * MB, at(1800), 4096 * MB)],
        [(500 * MB, 600 * MB, 800 * MB)]), cached))

    def rows(doc):
        return [{"name": key, **of} for key, of in doc["prediction"]["predicted"].items() if of]
    expect_same_numbers(rows, "predict", two, *options(at(64, 8192)))
    expect_same_numbers(rows, "predict", two, *options(at(600)), "--depth=4")


def on_a_directory():
    """Makes a result of bench scale in which the test's directory is the target, with at most 8 MB
    of data. A formula gives the bandwidths, so they differ from those of the real disk."""
    doc = scales.result(MODEL, [(MB, at(3), 8 * MB)], n=5)
    axes = {**doc["axes"], "unique_bytes": {"min": MB, "max": 8 * MB},
            "size_bytes": {"min": 4096, "max": 65536}, "process_count": {"min": 1, "max": 4}}
    return {**doc, "targets": [scratch_dir()], "axes": axes, "buffer_bytes": 64 * MB,
            "direct": False}


def quantile(values, share):
    values, at = sorted(values), share * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])


# The whole validation would take minutes: 1000 workloads, each measured twice for a tenth of a
# second. The budget must end it. After a pause of the machine, 3 s may be over before the first
# measurement has ended.
@test()
def a_validation_ends_with_its_budget():
    for budget in 3, 30:
        run = iospan("predict", kept(on_a_directory()), "--validate=1000", f"--budget={budget}",
                     "--json")
        if " is over after 0 of " not in run.stderr:
            break
    assert_eq(run.returncode, 0, run.stderr)
    expect_eq(run.stderr.count(f"the budget of {budget}s is over after "), 1, run.stderr)
    doc = json.loads(run.stdout)
    v = doc["validation"]
    measured = [p for p in v["points"] if p["measured_bytes_per_second"] is not None]
    count = sum(rate is not None for p in v["points"] for rate in p["passes_bytes_per_second"])
    expect_eq(doc["title"], f"1000 random workloads, {count} of 6000 measurements, seed 1")
    expect_true(1 <= len(measured) <= 10 * budget, f"{len(measured)} measured")
    expect_eq(v["all"]["workload_count"], len(measured), "workloads of the errors")


def methods_are_those_of_the_points(v):
    """Checks the errors of three methods of prediction for the same workloads: the product of
    functions, kriging, and a single number. Kriging needs probes (additional measurements). This
    result has none, so the errors of kriging must be null."""
    expect_eq([(m["method"], m["region_number"], m["workload_count"]) for m in v["methods"]],
              [("product", None, 6), ("kriging", None, 0), ("single point", 1, 6)])
    product, kriging, single = v["methods"]
    expect_eq((kriging["error_median_fraction"], kriging["error_mean_fraction"]), (None, None))
    expect_near(single["bandwidth_bytes_per_second"], MODEL(at(3)), 1e-3 * MODEL(at(3)), "focal point")
    for of, seen in (product, lambda p: p["product_bytes_per_second"]), \
            (single, lambda p: single["bandwidth_bytes_per_second"]):
        errors = [abs(seen(p) / p["measured_bytes_per_second"] - 1) for p in v["points"]]
        expect_near(of["error_median_fraction"], quantile(errors, 0.5), 1e-9, of["method"])
        expect_near(of["error_mean_fraction"], sum(errors) / len(errors), 1e-9, of["method"])
        expect_near(of["error_p75_fraction"], quantile(errors, 0.75), 1e-9, of["method"])
        expect_near(of["error_p90_fraction"], quantile(errors, 0.9), 1e-9, of["method"])
        expect_near(of["error_outside_median_fraction"], quantile(errors, 0.5), 1e-9, of["method"])
    for p in v["points"]:
        expect_near(p["predicted_bytes_per_second"], p["product_bytes_per_second"], 1)
        expect_eq((p["kriging_bytes_per_second"], p["at_border"]), (None, False))


@test()
def a_validation_is_measured_and_stored():
    path, out = kept(on_a_directory()), os.path.join(scratch_dir(), "validated.json")
    run = iospan("predict", path, "--validate=6", "--budget=0", "--json", "-o", out)
    assert_eq(run.returncode, 0, run.stderr)
    doc = json.loads(run.stdout)
    v = doc["validation"]
    expect_true(doc["elapsed_ns"] > 0, "elapsed")
    expect_eq(v["workload_count"], 6)
    expect_eq(len(v["points"]), 6)
    errors, again = [], []
    for p in v["points"]:
        w = p["workload"]
        expect_true(w["size_bytes"] * w["process_count"] * 6 <= w["unique_bytes"] <= 8 * MB, str(w))
        seen = predicted(path, {axis: w[axis] for axis in scales.AXES})
        expect_near(p["predicted_bytes_per_second"],
                    seen["predicted"]["bandwidth_bytes_per_second"]["value"], 1)
        errors.append(abs(p["predicted_bytes_per_second"] / p["measured_bytes_per_second"] - 1))
        first, second, *_ = passes = p["passes_bytes_per_second"]
        again.append(abs(second / first - 1))
        expect_near(p["measured_bytes_per_second"], sum(passes) / len(passes), 1)
        expect_eq(len(passes), 6)
    for name, share in (("median", 0.5), ("p75", 0.75), ("p90", 0.9)):
        expect_near(v["all"][f"error_{name}_fraction"], quantile(errors, share), 1e-9)
        expect_near(v["all"][f"repeatability_{name}_fraction"], quantile(again, share), 1e-9)
    methods_are_those_of_the_points(v)
    kept_doc = scales.read(out)
    expect_eq(kept_doc["validation"], v)
    expect_eq(scales.seal(kept_doc)["hash"], kept_doc["hash"])
    expect_eq(predicted(out, at(3))["band_from"], "validation")
    for p, error in zip(v["points"], sorted(errors, reverse=True)):
        expect_near(p["error_fraction"], error, 1e-9, "errors, the largest first")


@test(seconds=300, long=True)
def all_forms_of_a_validation_have_the_same_numbers():
    expect_same_numbers_of_runs("predict", kept(on_a_directory()), "--validate=3", "--budget=0")


@test()
def a_validation_is_not_lost_on_a_full_disk():
    """If the disk of the result is full, the old result must stay, and the new one must be stored
    in $TMPDIR."""
    folder = os.path.join(scratch_dir(), "small")
    os.mkdir(folder)
    needs(os.geteuid() == 0, "needs root, to mount a small tmpfs")
    kernel.mount("tmpfs", folder, options="size=64k")
    with kernel.undone(lambda: kernel.unmount(folder)):
        path = scales.write(os.path.join(folder, "result.json"), on_a_directory())
        with open(path, "rb") as f:
            before = f.read()
        with open(os.path.join(folder, "rest"), "wb", buffering=0) as f:
            try:
                while f.write(bytes(4096)):
                    pass
            except OSError:
                pass
        run = subprocess.run([IOSPAN, "predict", path, "--validate=2", "--budget=0", "-o", path],
                             capture_output=True, text=True, check=False,
                             env={**os.environ, "TMPDIR": scratch_dir()})
        expect_eq(run.returncode, 1)
        expect_true("No space left on device; the result is in '" in run.stderr, run.stderr)
        with open(path, "rb") as f:
            expect_eq(f.read(), before, "the old result")
    new = scales.read(run.stderr.rsplit("'", 2)[1])
    expect_eq(new["validation"]["workload_count"], 2, "workloads of the new result")


@test()
def a_target_is_no_output():
    """iospan must not overwrite the file on which the result was measured."""
    target = os.path.join(scratch_dir(), "target")
    with open(target, "wb") as f:
        f.truncate(16 * MB)
    doc = on_a_directory()
    doc["targets"] = [target]
    run = iospan("predict", kept(doc), "--validate=2", "-o", target)
    expect_eq(run.returncode, 1)
    expect_true(f"cannot write '{target}': it is the input" in run.stderr, run.stderr)
    expect_eq(os.path.getsize(target), 16 * MB)


@test()
def an_interrupted_validation_has_the_measurements_so_far():
    path = kept(on_a_directory())
    run = subprocess.Popen([IOSPAN, "predict", path, "--validate=1000", "--budget=600s", "--json"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(6)
    run.send_signal(signal.SIGTERM)
    out, err = run.communicate()
    needs("before anything was measured" not in err, "too slow a machine")
    expect_eq(run.returncode, 0, err)
    v = json.loads(out)["validation"]
    expect_true(0 < v["all"]["workload_count"] < 1000, str(v["all"]))
    expect_eq(v["all"]["repeatability_median_fraction"], None)
    expect_eq(v["points"][999]["measured_bytes_per_second"], None)


@test()
def no_page_is_left_when_there_is_no_result():
    page = os.path.join(scratch_dir(), "page.html")
    run = iospan("predict", os.path.join(scratch_dir(), "none.json"), "--html", page)
    expect_eq((run.returncode, os.path.exists(page)), (1, False))
    run = iospan("predict", kept(one_region()), "--html", "/nosuch/page.html")
    expect_eq((run.returncode, run.stderr.count("\n")), (1, 1), run.stderr)


@test()
def a_changed_result_is_refused():
    path = kept(one_region())
    with open(path, encoding="utf-8") as f:
        text = f.read()
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace('"budget_ns": 1', '"budget_ns": 2'))
    run = iospan("predict", path)
    expect_eq((run.returncode, run.stdout), (1, ""))
    expect_eq(run.stderr, f"iospan: '{path}' was changed after it was made: its hash does not match\n")


@test()
def a_result_of_another_version_has_a_warning():
    """All commands that read a result must warn, also if they refuse it."""
    path = kept({**one_region(), "iospan": "0.0.1"})
    warning = f"iospan: warning: '{path}' was made by iospan 0.0.1, and this is iospan "
    for args in ("predict", path), ("compare", path, path):
        run = iospan(*args)
        expect_eq(run.returncode, 0, run.stderr)
        expect_true(run.stderr.startswith(warning), run.stderr)
    run = iospan("predict", kept({**one_region(), "iospan": "0.0.1", "regions": None}))
    expect_eq((run.returncode, run.stderr.startswith(warning)), (1, True), run.stderr)
    expect_eq(iospan("predict", kept(one_region())).stderr, "", "this version")


@test()
def any_error_in_a_result_has_one_clear_line():
    """The test puts an odd value into a result, and computes the hash of the result again. If
    iospan refuses the result, it must print exactly one line on stderr."""
    doc, rng, said = one_region(n=3), random.Random(3), 0
    odd = [None, "x", -1, 0, 1e300, [], {}, [None], True, 0.5, [[]], {"a": []}]
    for _ in range(150):
        copy = deepcopy(doc)
        node, key = copy, None
        for _ in range(rng.randrange(1, 7)):
            if not isinstance(node, (dict, list)) or not node:
                break
            parent = node
            key = rng.choice(list(node) if isinstance(node, dict) else range(len(node)))
            node = node[key]
        parent[key] = rng.choice(odd)
        run = iospan("predict", kept(copy), "--size=8k")
        expect_true(run.returncode in (0, 1), f"status {run.returncode}: {key} {parent[key]}")
        if run.returncode:
            said += 1
            expect_eq((run.stdout, run.stderr.count("\n")), ("", 1), run.stderr)
    expect_true(said > 20, f"{said} results were refused")


@test()
def wrong_options_are_usage_errors():
    path = kept(one_region())
    for args, message in (
            ([], "one result is wanted"), ([path, path], "without --job, one result is wanted"),
            ([path, "--read=1.5"], "--read cannot be '1.5': give a fraction from 0 to 1"),
            ([path, "--size=0"], "--size cannot be '0': give a size of 1 or more"),
            ([path, "--procs=4k"], "--procs cannot be '4k': give a number of 1 or more"),
            ([path, "-o", "x"], "'--output' has no effect without '--validate'"),
            ([path, "--budget=5"], "'--budget' has no effect without '--validate'"),
            ([path, "--seed=5"], "'--seed' has no effect without '--validate'"),
            ([path, "--destroy"], "'--destroy' has no effect without '--validate'"),
            ([path, "--validate=3", "--read=1"],
             "--read has no effect, because --validate draws random workloads"),
            ([path, "--validate=1000000"], "--validate goes up to")):
        run = iospan("predict", *args)
        expect_eq((run.returncode, run.stdout), (2, ""), str(args))
        expect_true(message in run.stderr, run.stderr)


@test()
def other_documents_are_no_result():
    for name, text in (("none.json", None), ("empty.json", ""), ("list.json", "[]"),
                       ("other.json", '{"command": "run"}'), ("binary", "\x89iospan\0")):
        path = os.path.join(scratch_dir(), name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        run = iospan("predict", path)
        expect_eq((run.returncode, run.stdout, run.stderr.count("\n")), (1, "", 1), run.stderr)
        expect_true(path in run.stderr, run.stderr)
        expect_eq("it is a binary file, such as a trace" in run.stderr, name == "binary", run.stderr)
    for name, why in ("none.json", "No such file or directory"), (".", "Is a directory"):
        path = os.path.join(scratch_dir(), name)
        expect_eq(iospan("predict", path).stderr, f"iospan: cannot read '{path}': {why}\n")


main()
