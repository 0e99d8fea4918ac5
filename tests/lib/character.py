# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs `iospan characterize`, and computes its numbers independently, by their definitions. The
input is accesses (lib.accesses) or counters {(interval, server): amounts}. A criterion is a
property of a job's I/O, such as its burstiness."""
import json
import math
import subprocess
from collections import Counter, defaultdict
from statistics import fmean, pstdev

from lib.accesses import PART, UNSPANNED, Access, union
from lib.ktap import IOSPAN, assert_eq, expect_eq, expect_near

READ, WRITE = 0, 1
NOWHERE = 2 ** 64 - 1
WAYS = {"read": (READ,), "write": (WRITE,), "both": (READ, WRITE)}


def run(*args, stdin=subprocess.DEVNULL, pass_fds=()):
    return subprocess.run([IOSPAN, "characterize", *map(str, args)], capture_output=True, text=True, check=False,
                          stdin=stdin, pass_fds=pass_fds)


def characterized(*args, **how):
    done = run("--json", *args, **how)
    assert_eq((done.returncode, done.stderr), (0, ""), f"status and stderr of {args}")
    return json.loads(done.stdout)


def criteria(layer):
    """Returns the known values of a layer as {(key, threshold, way): value}. The way is "read",
    "write" or "both"."""
    return {(row["key"], row["threshold_bytes"], way): row[way]
            for row in layer["criteria"] for way in WAYS if row[way] is not None}


def expect_values(seen, expected, what):
    expected = {key: v for key, v in expected.items() if v is not None}
    expect_eq(sorted(map(str, seen)), sorted(map(str, expected)), f"{what}: known values")
    for key in seen.keys() & expected.keys():
        if isinstance(expected[key], str):
            expect_eq(seen[key], expected[key], f"{what} {key}")
        else:
            expect_near(seen[key], expected[key], 1e-9 * max(1, abs(expected[key])),
                        f"{what} {key}")


def share(a, b):
    return a / b if b else None


class Log:
    """A log of @n intervals of @width ns. moved[interval, server]: [bytes read, reads, bytes
    written, writes]."""

    def __init__(self, n, width, servers):
        self.n, self.width, self.servers = n, width, list(servers)
        self.moved = defaultdict(lambda: [0, 0, 0, 0])

    def of(self, i, server, ops, what):
        return sum(self.moved[i, server][2 * op + what] for op in ops)

    def series(self, ops, what):
        return [sum(self.of(i, s, ops, what) for s in self.servers) for i in range(self.n)]


def part_of(log, first, n, servers=None):
    """Returns @n intervals of the log, from number @first on. @servers: the servers to include;
    None: all."""
    part = Log(n, log.width, servers or log.servers)
    for i in range(n):
        for s in part.servers:
            part.moved[i, s] = log.moved[i + first, s]
    return part


def joined(log, k):
    """Returns a coarser log: each of its intervals is the sum of @k successive intervals of
    @log."""
    coarse = Log(-(-log.n // k), k * log.width, log.servers)
    for (i, s), moved in list(log.moved.items()):
        coarse.moved[i // k, s] = [a + b for a, b in zip(coarse.moved[i // k, s], moved)]
    return coarse


def runs(flags):
    """Returns {flag: lengths of runs of consecutive intervals with this flag}"""
    found = {True: [], False: []}
    for i, flag in enumerate(flags):
        if i and flags[i - 1] == flag:
            found[flag][-1] += 1
        else:
            found[flag].append(1)
    return found


def phases(log, ops, c):
    delta = [[log.of(i, s, ops, 0) > c for s in log.servers] for i in range(log.n)]
    h = [any(d) for d in delta]
    length = {k: sum(r) / len(r) if r else 0 for k, r in runs(h).items()}
    n = len(log.servers)
    pi = share(sum(sum(d) / n for d in delta), sum(h)) if n else None
    return {
        "intensity_fraction": share(sum(h), log.n), "io_run_intervals": length[True], "idle_run_intervals": length[False],
        "rho": 1 - math.tanh(length[True] / length[False]) if length[False] else 0,
        "parallel_intensity_fraction": pi,
        "parallel_intensity_normalised_fraction":
            (n * pi - 1) / (n - 1) if n > 1 and pi is not None else None,
    }


def correlation(x, k):
    a, b = x[:len(x) - k], x[k:]
    ma, mb = sum(a) / len(a), sum(b) / len(b)
    aa, bb = sum((v - ma) ** 2 for v in a), sum((v - mb) ** 2 for v in b)
    return (sum((v - ma) * (w - mb) for v, w in zip(a, b)) / math.sqrt(aa * bb)
            if aa * bb > 1e-9 else 0)


def rhythm(x):
    """Returns (period, correlation) of a series. The period is the lag of a peak of the
    autocorrelation. The search starts after the first lag with a correlation of 0 or less. It takes
    the first peak that has at least 0.9 of the highest correlation. If random numbers could have a
    peak of this height, returns (None, None)."""
    if len(x) < 4 or len(set(x)) < 2:
        return None, None
    scale = max(map(abs, x))
    x = [v / scale for v in x]
    last = len(x) // 2
    r = [1.0] + [correlation(x, k) for k in range(1, last + 1)]
    first = next((k for k in range(1, last + 1) if r[k] <= 0), last)
    highest = max(r[first + 1:], default=0)
    for k in range(first + 1, last + 1):
        if r[k] >= 0.9 * highest and r[k] >= r[k - 1] and (k == last or r[k] >= r[k + 1]):
            bound = math.sqrt(2 * math.log(len(x)) / (len(x) - k))
            return (k, r[k]) if r[k] > bound else (None, None)
    return None, None


def dominating(reads, writes):
    if not reads + writes:
        return None
    if abs(reads - writes) <= (reads + writes) / 10:
        return "none"
    return "read" if reads > writes else "write"


def of_counters(log, elapsed, thresholds):
    """Returns the criteria that can be computed from counters alone, without single accesses, as
    {(key, threshold or None, way): value}. The way is "read", "write" or "both"."""
    found = {}
    all_bytes, all_count = sum(log.series((0, 1), 0)), sum(log.series((0, 1), 1))
    for way, ops in WAYS.items():
        bytes_, count = log.series(ops, 0), log.series(ops, 1)
        per_server = [sum(log.of(i, s, ops, 0) for i in range(log.n)) for s in log.servers]
        used = sum(any(log.of(i, s, ops, w) for i in range(log.n) for w in (0, 1))
                   for s in log.servers)
        half = next((i for i in range(log.n) if sum(bytes_[:i + 1]) >= sum(bytes_) / 2), None)
        period, strength = rhythm(bytes_)
        one = {
            "bytes": sum(bytes_), "operations": sum(count),
            "bandwidth_bytes_per_second": share(sum(bytes_), elapsed / 1e9),
            "iops": share(sum(count), elapsed / 1e9),
            "size_mean_bytes": share(sum(bytes_), sum(count)),
            "operations_fraction": share(sum(count), all_count),
            "bytes_fraction": share(sum(bytes_), all_bytes),
            "half_ns": None if half is None or not sum(bytes_) else min((half + 1) * log.width, elapsed),
            "period_ns": period and period * log.width, "period_correlation": strength,
            "servers": used, "busiest_server_bytes_fraction": share(max(per_server, default=0), sum(bytes_)),
            "imbalance": share(max(per_server, default=0) * len(log.servers), sum(bytes_)),
        }
        for q in range(4):
            part = sum(b for i, b in enumerate(bytes_) if int(4 * (i + 0.5) / log.n) == q)
            one[f"quarter_{q + 1}_bytes_fraction"] = share(part, sum(bytes_))
        found |= {(key, None, way): v for key, v in one.items()}
        for c in thresholds:
            found |= {(key, c, way): v for key, v in phases(log, ops, c).items()}
    reads, writes = log.series((READ,), 1), log.series((WRITE,), 1)
    turns = [(r > w) - (r < w) for r, w in zip(reads, writes)]
    held = [t for t in turns if t]
    period, strength = rhythm(turns)
    only = {
        "dominating_operations": dominating(sum(reads), sum(writes)),
        "dominating_bytes": dominating(sum(log.series((READ,), 0)), sum(log.series((WRITE,), 0))),
        "dominating_period_ns": period and period * log.width, "dominating_correlation": strength,
        "dominating_changes": sum(a != b for a, b in zip(held, held[1:])),
    }
    return found | {(key, None, "both"): v for key, v in only.items()}


def counted(accesses):
    return [a for a in accesses if not a.flags & PART]


def spans(accesses):
    return [a for a in accesses if not a.flags & UNSPANNED]


def log_of(accesses, begin, elapsed, width, server):
    last = lambda a: max(a.end - 1 - begin, 0) // width
    n = max([-(-elapsed // width)] + [last(a) + 1 for a in counted(accesses)])
    log = Log(n, width, dict.fromkeys(server(a) for a in accesses))
    for a in counted(accesses):
        log.moved[last(a), server(a)][2 * a.op] += a.bytes
        log.moved[last(a), server(a)][2 * a.op + 1] += 1
    return log


def moments(accesses):
    """Yields (length, accesses in flight) of each interval between successive starts or ends."""
    times = sorted({t for a in accesses for t in (a.start, a.end)})
    for start, end in zip(times, times[1:]):
        yield end - start, [a for a in accesses if a.start <= start and end <= a.end]


def in_flight(accesses):
    busy = flight = most = 0
    for ns, now in moments(spans(accesses)):
        busy += ns * bool(now)
        flight += ns * len(now)
        most = max(most, len(now))
    return busy, flight, most


def steps(accesses, walk):
    """Counts steps. Accesses with the same walk(access) form a sequence. A step leads from an
    access to the next access of its sequence. The stride of a step is the difference of the two
    offsets. A step is "sequential", "strided" (its stride repeats) or "random". Returns ({kind:
    number of steps}, {stride: number of strided steps})."""
    before, kinds, strides = defaultdict(list), Counter(), Counter()
    for a in sorted(counted(accesses), key=lambda a: a.start):
        if a.offset != NOWHERE and (a.layer == 2 or a.file != "-"):
            before[walk(a)].append(a)
    for row in before.values():
        gap = [b.offset - a.offset for a, b in zip(row, row[1:])]
        joins = [b.offset == a.offset + a.bytes for a, b in zip(row, row[1:])]
        repeats = [False] * len(gap)
        for i in range(1, len(gap)):
            if gap[i] == gap[i - 1] and not joins[i]:
                repeats[i] = True
                repeats[i - 1] |= not joins[i - 1]
        for g, join, again in zip(gap, joins, repeats):
            kinds["sequential" if join else "strided" if again else "random"] += 1
            strides[g] += again and not join
    return kinds, +strides


def sharing(accesses):
    files, known = defaultdict(list), [a for a in accesses if a.file != "-"]
    for a in known:
        files[a.file].append(a)
    used = {f: counted(of) for f, of in files.items() if counted(of)}
    shared = {f for f, of in used.items() if len({a.process for a in of}) > 1}
    together = sum(ns for ns, now in moments(spans(known))
                   if any(len({a.process for a in now if a.file == f}) > 1 for f in files))
    met = [a for a in spans(known) if a.end > a.start and any(
        b.file == a.file and b.process != a.process and b.end > a.start and
        (b.start, known.index(b)) < (a.start, known.index(a)) for b in spans(known))]
    requests = [a for of in used.values() for a in of]
    count = lambda ops: sum(any(a.op in ops for a in of) for of in used.values())
    return {
        "files": {way: count(ops) for way, ops in WAYS.items()},
        "files_shared": len(shared), "files_local": len(used) - len(shared),
        "shared_operations_fraction": share(sum(a.file in shared for a in requests), len(requests)),
        "shared_bytes_fraction": share(sum(a.bytes for a in requests if a.file in shared),
                              sum(a.bytes for a in requests)),
        "same_file_time_fraction": together, "same_file_operations_fraction": share(len(counted(met)), len(requests)),
        "same_file_files": len({a.file for a in met} & set(used)),
    } if used else {}


def of_requests(accesses, elapsed, small, walk):
    found = {}
    for way, ops in WAYS.items():
        mine = [a for a in accesses if a.op in ops]
        sizes = [a.bytes for a in counted(mine)]
        common = sorted(Counter(sizes).items(), key=lambda p: (-p[1], p[0]))
        busy, flight, most = in_flight(mine)
        kinds, strides = Counter(), Counter()
        for op in ops:
            k, s = steps([a for a in mine if a.op == op], walk)
            kinds, strides = kinds + k, strides + s
        all_steps = sum(kinds.values())
        top = common[0][1] / len(sizes) if sizes else None
        order = ("sequential", "strided", "random")
        found |= {(key, None, way): v for key, v in {
            "busy_bandwidth_bytes_per_second": share(sum(sizes), busy / 1e9),
            "busy_iops": share(len(sizes), busy / 1e9), "busy_fraction": share(busy, elapsed),
            "size_min_bytes": min(sizes, default=None), "size_max_bytes": max(sizes, default=None),
            "small_requests_fraction": share(sum(s < small for s in sizes), len(sizes)),
            "small_bytes_fraction": share(sum(s for s in sizes if s < small), sum(sizes)),
            "size_kind": None if not sizes else "fixed" if top == 1 else
                         "nearly fixed" if top >= 0.9 else "variable",
            "distinct_sizes": len(common) or None, "common_size_bytes": common[0][0] if common else None,
            "common_size_fraction": top,
            "pattern": max(order, key=lambda k: kinds[k]) if all_steps else None,
            **{f"{k}_fraction": share(kinds[k], all_steps) for k in order},
            "stride_bytes": None if way == "both" or not strides else
                            min(strides.items(), key=lambda p: (-p[1], p[0] % 2 ** 64))[0],
            "concurrency": share(flight, busy), "concurrency_max": most,
        }.items()}
    return found


def exact_periods(accesses, begin, elapsed):
    """Returns the mean lengths of the busy and of the idle periods, and the burstiness rho of these
    periods. In a busy period, at least one access is always in flight."""
    joined = [run for run in runs_of([a for a in spans(accesses) if a.end > a.start], 0)]
    busy, edges = sum(b - a for a, b in joined), [begin, *(t for run in joined for t in run), begin + elapsed]
    idle = [b - a for a, b in zip(edges[::2], edges[1::2])]
    idle = [idle[0]] * (idle[0] > 0) + idle[1:-1] + [idle[-1]] * (idle[-1] > 0) if joined else idle[:1]
    long = {"busy": share(busy, len(joined)), "idle": share(elapsed - busy, len(idle))}
    rho = 1 if not joined else 1 - math.tanh(long["busy"] / long["idle"]) if long["idle"] else 0
    return {"busy_period_mean_ns": long["busy"], "idle_period_mean_ns": long["idle"], "rho_exact": rho}


def of_accesses(accesses, begin, elapsed, width, thresholds, small, server, walk):
    """Returns all criteria. Some need single accesses. Others need only counters, which are sums
    over the accesses of each interval."""
    found = of_counters(log_of(accesses, begin, elapsed, width, server), elapsed, thresholds)
    found |= of_requests(accesses, elapsed, small, walk)
    for way, ops in WAYS.items():
        periods = exact_periods([a for a in accesses if a.op in ops], begin, elapsed)
        found |= {(key, None, way): v for key, v in periods.items()}
    shared = sharing(accesses)
    if shared:
        files = shared.pop("files")
        shared["same_file_time_fraction"] = share(shared["same_file_time_fraction"], in_flight(accesses)[0])
        found |= {("files", None, way): n for way, n in files.items()}
        found |= {(key, None, "both"): v for key, v in shared.items()}
    return found


def place_of(a):
    return a.disk if a.layer == 2 else a.file


def runs_of(accesses, pause):
    """Returns the times in which a process made accesses, as [start, end]. Times with a pause of at
    most @pause between them are joined."""
    found = []
    for a in sorted(accesses, key=lambda a: a.start):
        if found and a.start - found[-1][1] <= pause:
            found[-1][1] = max(found[-1][1], a.end)
        else:
            found.append([a.start, a.end])
    return found


def workload(accesses, pause):
    """Returns the parameters of a workload, as section 5 of Chen and Patterson 1993 defines them,
    and the depth. The depth is the mean number of requests that a process has in flight while it
    has any. A process stays active until it has had no access in flight for longer than @pause
    ns."""
    mine = [a for a in sorted(accesses, key=lambda a: a.start)
            if a.offset != NOWHERE and place_of(a) != "-" and (a.bytes or a.flags & PART)]
    requests = counted(mine)
    touched, ends, sequential, issuers = defaultdict(set), {}, 0, defaultdict(list)
    for a in requests:
        touched[place_of(a)].update(range(a.offset, a.offset + a.bytes))
        sequential += ends.get((a.process, place_of(a))) == a.offset
        ends[a.process, place_of(a)] = a.offset + a.bytes
    for a in spans(mine):
        issuers[a.process].append(a)
    runs = [Access(0, 0, *run) for of in issuers.values() for run in runs_of(of, pause)]
    n, sizes = len(requests), [a.bytes for a in requests]
    return {
        "unique_bytes": sum(map(len, touched.values())), "size_mean_bytes": sum(sizes) / n,
        "size_cv": pstdev(sizes) / fmean(sizes), "read_fraction": sum(a.op == 0 for a in requests) / n,
        "sequential_fraction": sequential / n, "accesses": n,
        "process_count": sum(a.end - a.start for a in runs) / union(runs),
        "depth": sum(a.end - a.start for a in spans(mine)) / sum(map(union, issuers.values())),
    }
