# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes documents like the results of `iospan bench scale`, with valid hashes. The measured system
is simulated: a formula gives its bandwidth. A result has points (measured workloads) and regions. A
region is a range of unique_bytes, and has one workload in its middle. At the border between two
regions, the bandwidth falls."""
import functools
import hashlib
import json
import math
import subprocess

from lib import schema
from lib.ktap import IOSPAN

MB = 1 << 20
AXES = {"unique_bytes": (4 * MB, 4096 * MB), "size_bytes": (4096, MB), "read_fraction": (0, 1),
        "sequential_fraction": (0, 1), "process_count": (1, 32)}
SHARES = ("read_fraction", "sequential_fraction")


def whole(node):
    """Returns the document with numbers as iospan writes them: whole numbers without a point."""
    if isinstance(node, dict):
        return {key: whole(value) for key, value in node.items()}
    if isinstance(node, (list, tuple)):
        return [whole(value) for value in node]
    if isinstance(node, float):
        return int(node) if node == int(node) else node
    return node


def seal(doc):
    doc = whole({key: value for key, value in doc.items() if key != "hash"})
    text = json.dumps(doc, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return {**doc, "hash": "sha256:" + hashlib.sha256(text.encode()).hexdigest()}


def write(path, doc):
    with open(path, "w", encoding="utf-8") as f:
        json.dump(seal(doc), f, indent=1)
    return path


def read(path):
    """Returns the result in a file. Does not check the schema, because results that tests make lack
    keys."""
    with open(path, encoding="utf-8") as f:
        return schema.parse(f.read())


def along(axis, low, high, n):
    """Returns @n values from @low to @high. For an axis of fractions, the values have equal
    distances. For other axes, the values are whole numbers, each larger than the previous one by
    about the same factor."""
    parts = [i / (n - 1) for i in range(n)]
    if axis in SHARES:
        return [low + part * (high - low) for part in parts]
    return sorted({round(low * (high / low) ** part) for part in parts})


def point(system, workload, half_width):
    """Returns the result for one workload. @system(workload) returns bytes per second."""
    rate = round(system(workload), 3)
    return {"workload": {**workload, "depth": 1}, "engine": "psync",
            "bandwidth_bytes_per_second": rate, "half_width_fraction": half_width,
            "iops": round(rate / workload["size_bytes"], 6),
            "latency_mean_ns": round(1e9 * workload["process_count"] * workload["size_bytes"] / rate, 3),
            "steady": True, "measured_ns": 1000000000,
            "layers": {"app": {"bps": round(rate / 512, 3)}, "vfs": None,
                       "device": {"bps": round(rate / 256, 3)}}}


def curve(system, focal, axis, low, high, n, half_width):
    values = set(along(axis, low, high, n)) | {focal[axis]}
    return [point(system, {**focal, axis: v}, half_width) for v in sorted(values)]


def region(system, low, focal, high, n, half_width):
    def ends(axis):
        return (low, high) if axis == "unique_bytes" else AXES[axis]
    return {"from_bytes": low, "to_bytes": high, "focal": {**focal, "depth": 1},
            "curves": {axis: curve(system, focal, axis, *ends(axis), n, half_width)
                       for axis in AXES}}


@functools.cache
def version():
    """Returns the version of iospan. It warns of results that another version made."""
    return subprocess.run([IOSPAN, "version"], capture_output=True, text=True, check=True).stdout.split()[1]


def result(system, regions, borders=(), n=9, half_width=0.01):
    """Returns a result document. @regions: [(start, workload in the middle, end)]. @borders:
    [(start, position of the fall, end)]. Starts, ends and positions are values of unique_bytes."""
    base = regions[0][1]
    return {"iospan": version(), "command": "bench scale", "elapsed_ns": 1, "targets": ["/model"],
            "memory_limit_bytes": None, "budget_ns": 1, "feedback_fraction": 0,
            "seed": 1, "focal_kind": "half",
            "complete": True,
            "axes": {**{axis: {"min": low, "max": high} for axis, (low, high) in AXES.items()},
                     "depth": None},
            "sweep": curve(system, base, "unique_bytes", *AXES["unique_bytes"], 25, half_width),
            "borders": [{"unique_bytes": at, "from_bytes": low, "to_bytes": high,
                         "confidence": 0.99} for low, at, high in borders],
            "regions": [region(system, *of, n, half_width) for of in regions],
            "validation": None, "environment": {}}


def product(level, powers, shares):
    """Returns a system: a function that returns the bandwidth for a workload. The bandwidth is a
    product of one factor for each parameter, so no parameter influences the effect of another."""
    def rate(w):
        y = math.log(level)
        y += sum(power * math.log(w[axis] / AXES[axis][0]) for axis, power in powers.items())
        y += sum(slope * w[axis] for axis, slope in shares.items())
        return math.exp(y)
    return rate
