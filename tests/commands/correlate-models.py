#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests iospan correlate: the correlation at interval lengths from 1 ms to 60 s, the error of
predictions, and predictions at given amounts. The test computes each expected number from its
definition."""
import math
import random
import statistics

from lib import accesses
from lib.correlating import *
from lib.ktap import *

SECOND, MS = 10 ** 9, 10 ** 6
STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 60000]


def bursts(rng, seconds):
    """Returns the reads of a machine. Each read takes 1 ms. Bursts of up to 8 reads alternate with
    pauses of up to 100 ms."""
    at, made = 0, []
    while at < seconds * SECOND:
        for _ in range(rng.randrange(1, 9)):
            made.append(accesses.Access(2, 0, at, at + MS, bytes=4096 * rng.randrange(1, 9), disk=accesses.VDA))
            at += MS
        at += rng.randrange(100) * MS
    return made


class Merged:
    """A log of I/O. @per_ms: the amount of each ms. Each interval of the log has the amounts of @k
    ms. Within an interval, the I/O is spread evenly."""

    def __init__(self, per_ms, k):
        self.k, self.sums = k, [0]
        for i in range(0, len(per_ms) - k + 1, k):
            self.sums.append(self.sums[-1] + sum(per_ms[i:i + k]))

    def until(self, ms):
        i, rest = divmod(ms, self.k)
        i = int(i)
        more = (self.sums[i + 1] - self.sums[i]) * rest / self.k if rest else 0
        return self.sums[i] + more

    def covers(self, ms):
        return ms <= (len(self.sums) - 1) * self.k


@test()
def from_1_ms_to_60_s():
    """Each job takes 40 ms. Its I/O time grows with the bytes that the system moves in these 40 ms.
    If the log has longer intervals, the correlation must be lower. The test computes the expected
    value from the definition."""
    rng = random.Random(41)
    machine = bursts(rng, 250)
    per_ms = [0] * (machine[-1].end // MS)
    for a in machine:
        per_ms[(a.end - 1) // MS] += a.bytes
    rows, fine = [], Merged(per_ms, 1)
    for i in range(120):
        start = rng.randrange(0, 239000) + 0.25
        rows.append((f"j{i}", start / 1e3, (start + 40) / 1e3,
                     1 + (fine.until(start + 40) - fine.until(start)) / 1e5))
    args = ("--jobs", write("jobs.csv", (*JOB_TITLES, "io_s"), rows), "--system",
            accesses.write("machine", machine), "-i", "1ms", "--granularity", 60000, "--permutations", 0,
            "--trees", 5, "--form", "io")
    seen = correlated(*args)["granularity"]
    expect_eq([row["merged_intervals"] for row in seen], STEPS)
    for row in seen:
        k = row["merged_intervals"]
        merged = Merged(per_ms, k)
        expect_near(row["interval_ns"] / MS / k, 1, 1e-9)
        jobs = [(a * 1e3, b * 1e3, y) for _, a, b, y in rows if merged.covers(b * 1e3)]
        expect_eq(row["job_count"], len(jobs), f"jobs with {k} merged")
        value = statistics.correlation([merged.until(b) - merged.until(a) for a, b, _ in jobs],
                                       [y for *_, y in jobs])
        pearson = next(a for a in row["associations"] if a["column"] == "read_bytes")["pearson"]["value"]
        expect_near(pearson, value, 1e-6, f"{k} merged")
    expect_ge(seen[0]["associations"][0]["pearson"]["value"], 0.999)
    expect_le(abs(seen[-1]["associations"][0]["pearson"]["value"]), 0.4)


class Mersenne:
    """The generator mt19937 of the GNU Scientific Library, and its shuffle."""

    def __init__(self, seed):
        state = [seed]
        for i in range(1, 624):
            state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) & 0xffffffff)
        self.rng = random.Random()
        self.rng.setstate((3, (*state, 624), None))

    def below(self, n):
        while (k := self.rng.getrandbits(32) // (0xffffffff // n)) >= n:
            pass
        return k

    def shuffle(self, values):
        for i in range(len(values) - 1, 0, -1):
            j = self.below(i + 1)
            values[i], values[j] = values[j], values[i]


def conditional(pairs, x):
    """Estimates the distribution of y at @x, by a kernel density estimate. The kernel has the
    covariance n^(-1/3) S; S is the covariance of the n pairs. The estimated distribution is a
    mixture of normal distributions. Returns their means, their weights, and their common standard
    deviation."""
    n, xs, ys = len(pairs), [p[0] for p in pairs], [p[1] for p in pairs]
    scale = n ** (-1 / 3)
    xx, yy = statistics.variance(xs) * scale, statistics.variance(ys) * scale
    xy = statistics.covariance(xs, ys) * scale
    logs = [-(x - a) ** 2 / (2 * xx) for a in xs]
    weights = [math.exp(v - max(logs)) for v in logs]
    return ([b + (x - a) * xy / xx for a, b in pairs], [w / sum(weights) for w in weights],
            math.sqrt(yy - xy * xy / xx))


def quantile(pairs, x, p):
    means, weights, deviation = conditional(pairs, x)
    low, high = min(means) - 9 * deviation, max(means) + 9 * deviation
    for _ in range(200):
        middle = (low + high) / 2
        below = sum(w * 0.5 * math.erfc((m - middle) / deviation / math.sqrt(2)) for m, w in zip(means, weights))
        low, high = (middle, high) if below < p else (low, middle)
    return middle


def errors(pairs, k):
    """Returns a function that makes 20 models, each from @k random jobs. With each model, the
    function predicts the times of other jobs in two ways: by the mean time of the @k jobs, and by
    the median that the model gives. The function returns the mean errors of both ways."""
    def of(rng, order):
        tests, mean, median = min(len(pairs) - k, 50), 0, 0
        for _ in range(20):
            rng.shuffle(order)
            chosen = [pairs[i] for i in order]
            model = chosen[:k]
            centre = statistics.fmean(y for _, y in model)
            for x, y in chosen[k:k + tests]:
                mean += abs(centre - y) / tests / 20
                median += abs(quantile(model, x, 0.5) - y) / tests / 20
        return mean, median
    return of


@test()
def the_error_falls_with_the_number_of_jobs():
    rng = random.Random(42)
    pairs = [(x, 3 + x + rng.gauss(0, 0.2)) for x in (rng.uniform(0, 5) for _ in range(30))]
    path = write("pairs.csv", ("x", "io_s"), pairs)
    for seed in (1, 7):
        doc = correlated("--pairs", path, "--permutations", 0, "--trees", 20, "--seed", seed)["prediction"]
        expect_eq((doc["column"], doc["repetitions"]), ("x", 20))
        expect_eq([row["job_count"] for row in doc["models"]], [5, 10, 20])
        mersenne, order = Mersenne(seed), list(range(30))
        for row in doc["models"]:
            mean, median = errors(pairs, row["job_count"])(mersenne, order)
            expect_near(row["mean_error_ns"] / 1e9, mean, 1e-9, str(row))
            expect_near(row["median_error_ns"] / 1e9, median, 1e-6, str(row))
            expect_true(row["forest_error_ns"] > row["median_error_ns"], str(row))
        expect_true(doc["models"][2]["forest_error_ns"] < doc["models"][0]["forest_error_ns"] / 2, str(doc))
    # Half of the jobs have the amount 0 and take 1 s, the others have the amount 1 and take 3 s.
    # iospan predicts by a random forest. With 50 jobs, its trees separate these two groups, so the
    # predictions must be exact.
    groups = [(i % 2, 1 + 2 * (i % 2)) for i in range(60)]
    doc = correlated("--pairs", write("groups.csv", ("x", "io_s"), groups), "--permutations", 0)["prediction"]
    by_jobs = {row["job_count"]: row for row in doc["models"]}
    expect_near(by_jobs[50]["forest_error_ns"], 0, 1)
    expect_ge(by_jobs[50]["mean_error_ns"], 0.9e9)
    few = correlated("--pairs", write("few.csv", ("x", "io_s"), pairs[:5]), "--permutations", 0)
    expect_eq(few["prediction"], None)


@test()
def predictions_at_given_amounts():
    rng = random.Random(43)
    pairs = [(x, 3 + x / 1e6 + rng.gauss(0, 0.2)) for x in (rng.uniform(0, 5e6) for _ in range(80))]
    path = write("pairs.csv", ("read_bytes", "io_s"), pairs)
    doc = correlated("--pairs", path, "--permutations", 0, "--trees", 50, "--at", "1000000,2M,4000k")
    points = doc["column_curves"][0]["points"]
    expect_eq([p["amount"] for p in points], [1000000, 2 << 20, 4000 << 10])
    for p in points:
        for key, fraction in (("low_ns", 0.05), ("median_ns", 0.5), ("high_ns", 0.95)):
            expect_near(p[key] / 1e9, quantile(pairs, p["amount"], fraction), 1e-6, f"{key} {p}")
        expect_near(p["forest_ns"] / 1e9, 3 + p["amount"] / 1e6, 0.5, str(p))
    expect_refused("--at: 'x' is no amount", "--pairs", path, "--at", "1M,x", status=2)
    expect_refused("'--points' has no effect with '--at'", "--pairs", path, "--at", "1M", "--points", 5, status=2)


main()
