#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares iospan report --neighbours with simple computations over all accesses, by the
definitions in iospan-report(1). A trace has its accesses in chunks."""
import csv
import io
import json
import random
import subprocess

from lib.accesses import *
from lib.ktap import *
from lib.neighbours import expect_neighbours

OPTIONS = "--by=cgroup", "--neighbours"


def report(*args, status=0):
    done = subprocess.run([IOSPAN, "report", *OPTIONS, *args], capture_output=True, text=True, check=False)
    assert_eq((done.returncode, done.stderr), (status, ""), f"{args}")
    return done.stdout


def spread(accesses, seed, groups, disks):
    """Gives each access one of @groups cgroups, and one of the disks."""
    rng = random.Random(seed)
    names = ["-", "/", *(f"/a{'/b' * (i % 3)}/{i}" for i in range(groups))][:groups]
    return [replace(a, group=rng.choice(names), disk=rng.choice(disks) if a.layer == 2 else "-") for a in accesses]


@test()
def random_traces():
    for seed, args in enumerate(({}, {"longest": 100000}, {"disorder": 5000}, {"step": 2}, {"longest": 2, "step": 9},
                                 {"disorder": 10 ** 6}, {"longest": 300}, {"longest": 40, "step": 40}, {}, {}, {})):
        accesses = spread(random_trace(seed, scaled(2000), **args), seed, 2 + seed, (VDA, VDB, DM)[:1 + seed % 3])
        most = (8, 2, 16)[seed % 3]
        expect_neighbours(json.loads(report("--json", f"--matrix={most}", write(f"random{seed}", accesses))),
                          accesses, most)


@test()
def long_accesses_and_many_chunks():
    """Two accesses last for many chunks of the trace, which is sorted by ends. So the report reads
    them long after others that started at the same time."""
    accesses = spread(random_trace(7, 40000, step=50), 7, 5, (VDA, VDB))
    late = accesses[39000]
    accesses.insert(39000, Access(1, 0, 10 ** 9 - 5, late.end))
    accesses.insert(39001, Access(2, 1, 10 ** 9 + 10 ** 5, late.end, disk=VDB, group="/late"))
    expect_neighbours(json.loads(report("--json", write("long", accesses))), accesses)


@test()
def equal_times_and_requeued_accesses():
    """Intervals that touch do not overlap. A requeued access has one interval before the requeue
    and one interval after it. Its latency is the sum of both."""
    accesses = [Access(2, 0, 0, 100, disk=VDA, group="/a"), Access(2, 0, 100, 200, disk=VDA, group="/b"),
                Access(2, 1, 200, 250, disk=VDA, group="/a", flags=PART),
                Access(2, 0, 260, 270, disk=VDA, group="/b"),
                Access(2, 1, 270, 300, disk=VDA, group="/a", held=80),
                Access(2, 0, 300, 300, disk=VDA, group="/b"),
                Access(2, 0, 290, 310, disk=VDA, group="/c"), Access(2, 0, 310, 320, disk=VDA, group="/c")]
    seen = json.loads(report("--json", write("equal", accesses)))
    expect_neighbours(seen, accesses)
    rows = {row["path"]: row for row in seen["neighbours"][0]["cgroups"]}
    expect_eq([(rows[p]["span_ns"], rows[p]["shared_ns"], rows[p]["shared"]["latency_sum_ns"])
               for p in ("/a", "/b", "/c")], [(180, 10, 0), (110, 0, 0), (30, 10, 20)])


@test()
def ranges_and_devices():
    accesses = spread(random_trace(5, scaled(2000), longest=20000), 5, 6, (VDA, VDB))
    path, first = write("range", accesses), min(a.start for a in accesses)
    expect_neighbours(json.loads(report("--json", "--device=vdb", path)),
                      [a for a in accesses if a.disk == VDB])
    for begin, end in ((50000, 200000), (0, 77777), (123456, 0)):
        seen = json.loads(report("--json", f"--from={begin}ns", f"--to={end}ns", path))
        expect_neighbours(seen, cut(accesses, first + begin if begin else 0, first + end if end else 1 << 64))


def small():
    """/burst writes on vda while /db reads, and /quiet uses another disk."""
    accesses = [Access(2, 0, 1000 * i, 1000 * i + (300 if 4 <= i < 6 else 100), disk=VDA, group="/db") for i in range(10)]
    accesses += [Access(2, 1, 4050, 5950, disk=VDA, group="/burst"), Access(2, 1, 4000, 6000, disk=VDB, group="/quiet"),
                 Access(2, 1, 4000, 4100, disk=DM, group="/db"), Access(2, 1, 4000, 4100, disk=DM, group="/quiet")]
    return sorted(accesses, key=lambda a: a.end)


@test()
def text():
    shown = report(write("small", small()))
    expect_true("\n/db shares 39 % of its 1.40 us on vda with /burst (550 ns); its accesses take 2.5 times as long then\n"
                in shown, shown)
    tables = shown[shown.index("  cgroup  device"):].split("\n\n")
    expect_eq([line.split("  ")[1].split() + line.split()[-1:] for line in tables[0].splitlines()[1:]],
              [["/db", "2.455"], ["/burst", "-"], ["/db", "-"], ["/quiet", "-"], ["/quiet", "-"]])
    expect_eq([line.split() for line in tables[1].splitlines()],
              ["both in flight device 1 2".split(), "1 /db vda - 550 ns".split(), "2 /burst vda 550 ns -".split()])
    expect_true("dm-0*" in tables[2] and "100 ns" in tables[2], "the stacked disk")


@test()
def rows_left_out():
    shown = report("--top=1", write("top", small()))
    expect_true("note: vda: the table of neighbours lacks 1 cgroup; --top=0 prints all" in shown, shown)


@test()
def nothing_shared():
    for accesses, sentence in (([a for a in small() if a.group != "/burst" and a.disk != DM],
                                "no cgroup shares time of a disk with another cgroup"),
                               ([Access(1, 0, 0, 9, group="/a"), Access(1, 0, 0, 9, group="/b")],
                                "neighbours are unknown, because the traces have no access of the device layer")):
        expect_true(f"\n{sentence}\n" in report(write(f"nothing{len(accesses)}", accesses)), sentence)


@test()
def traces_without_cgroups():
    """If the recorder stored no cgroups, the neighbours are unknown. The report must distinguish
    this from a disk without neighbours."""
    metas = {}
    for has in False, True:
        metas[has] = f"{scratch_dir()}/meta-{has}.json"
        with open(metas[has], "w", encoding="utf-8") as f:
            json.dump({"has_cgroups": has}, f)
    alone = [Access(2, 0, 0, 9, disk=VDA, group="/")]
    lacks, has = (write(f"has-{has}", alone, "-m", metas[has]) for has in (False, True))
    unnamed = write("unnamed", [Access(2, 0, 0, 9, disk=VDA)])
    note, unknown = "the trace has no cgroups; record with --by cgroup", \
        "neighbours are unknown, because the traces have no cgroups"
    for paths, notes, summary, disks in (
            ([lacks], [note], unknown, 0),
            ([lacks, has], [f"{lacks}: {note}"], "no cgroup shares time of a disk with another cgroup", 1),
            ([has], [], "no cgroup shares time of a disk with another cgroup", 1),
            ([unnamed], [], unknown, 0)):
        seen = json.loads(report("--json", *paths))
        expect_eq((seen["notes"], seen["summary"], len(seen["neighbours"])), (notes, [summary], disks), f"{paths}")
    for args in ((), OPTIONS):
        done = subprocess.run([IOSPAN, "report", "--csv", "--by=cgroup", *args, lacks], capture_output=True,
                              text=True, check=True)
        expect_true(note in done.stderr, f"{args}: {done.stderr}")


@test()
def forms():
    """CSV and HTML must have the same numbers as JSON."""
    accesses = spread(random_trace(3, scaled(1000)), 3, 4, (VDA, DM))
    path, page = write("forms", accesses), f"{scratch_dir()}/page.html"
    disks = json.loads(report("--json", path))["neighbours"]
    rows = list(csv.DictReader(io.StringIO(report("--csv", "--quiet", path))))
    want = [(d["name"], r["path"], "", str(r["span_ns"]), str(r["shared_ns"]), "")
            for d in disks for r in d["cgroups"]]
    want += [(d["name"], r["path"], j["path"], "", "", str(j["joint_ns"]))
             for d in disks for r in d["matrix"].values() for j in r["joint"].values()]
    expect_eq([tuple(row[key] for key in ("name", "path", "neighbour", "span_ns", "shared_ns", "joint_ns"))
               for row in rows], want)
    report("--html", page, path)
    with open(page, encoding="utf-8") as f:
        written = f.read()
    for row in disks[0]["matrix"].values():
        for joint in row["joint"].values():
            expect_true(f"data-v=\"{joint['joint_ns']}\"" in written, "a joint span in the page")
    expect_true("<th>4</th>" in written and "<th>5</th>" not in written, "columns of the matrix")


@test()
def refusals():
    path = write("refused", small())
    for args, message in (
            (["--neighbours"], "option '--neighbours' has no effect without '--by=cgroup'"),
            (["--neighbours", "--by=device"], "option '--neighbours' has no effect without '--by=cgroup'"),
            (["--by=cgroup", "--matrix=3"], "option '--matrix' has no effect without '--neighbours'"),
            ([*OPTIONS, "--matrix=17"], "option '--matrix' must be from 2 to 16"),
            ([*OPTIONS, "--matrix=1"], "option '--matrix' must be from 2 to 16"),
            ([*OPTIONS, "--layers=vfs"], "option '--neighbours' needs the device layer; add it to '--layers'"),
            ([*OPTIONS, "--cgroup=/db"], "option '--cgroup' would hide neighbours; "),
            ([*OPTIONS, "--process=1"], "option '--process' would hide neighbours; "),
            ([*OPTIONS, "--file=x"], "option '--file' would hide neighbours; "),
            ([*OPTIONS, "--ops=read"], "option '--ops' would hide neighbours; "),
            ([*OPTIONS, "--csv", "--histogram"], "option '--histogram' has no effect with '--neighbours and --csv'")):
        done = subprocess.run([IOSPAN, "report", *args, path], capture_output=True, text=True, check=False)
        expect_true(done.returncode == 2 and done.stderr.startswith(f"iospan: {message}"), f"{args}: {done}")


main()
