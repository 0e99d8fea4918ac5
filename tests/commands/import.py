#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Imports logs of fio, DXT text of Darshan, and CSV; import-blkparse.py tests blkparse. A trace has
its accesses in chunks, sorted by their ends."""
import os
import subprocess

from lib.foreign import (Imported, expect_refused, iospan, new_path, objects,
                         rows, write)
from lib.ktap import *

MS = 10**6
ACCESS = ("op", "start_ns", "end_ns", "bytes", "offset_bytes")
COARSE = ("no issue times: ends are in whole ms, up to 1 ms too early; T and the metrics derived "
          "from it are not exact")


def kept(text, **how):
    return Imported("csv", [write("x.csv", text)], **how)


def fio(text, name="job_clat.1.log", *options):
    return Imported("fio", [write(name, text)], *options)


@test()
def fio_columns():
    """Lines of a log start with time, latency, direction and size. Depending on the version of fio,
    other fields follow."""
    issued = 5 * MS + 17
    for tail, offset, exact in (
            ("", "", False), (", 0", "", False), (", 1", "", False), (", 0x4001", "", False),
            (", 8192", 8192, False), (", 8192, 0", 8192, False), (", 0, 0", 0, False),
            (", 8192, 0x4001", 8192, False), (f", 0, {issued}", "", True),
            (f", 0x0000, {issued}", "", True), (f", 8192, 1, {issued}", 8192, True),
            (f", 8192, 0x0004, {issued}", 8192, True), (", 8192, 0, 0", 8192, False)):
        found = fio(f"7, 1500000, 1, 4096{tail}\n")
        start = issued if exact else 5500000
        expect_eq(found.columns("layer", *ACCESS),
                  [("app", "write", start, start + 1500000, 4096, offset)], f"'{tail}'")
        expect_eq((found.meta["resolution_ns"], found.sums["notes"]),
                  (0, []) if exact else (MS, [COARSE]), f"of '{tail}'")
        expect_eq(found.meta["notes"], found.sums["notes"], "notes at the start and the end")


@test()
def fio_old_offsets():
    """In old logs, the fifth field is the offset. If the field is always 0, the import takes it for
    a priority. Here one line has 512, so the 0 of the other line is an offset, too."""
    found = fio("1, 10, 0, 512, 512\n1, 10, 0, 512, 0\n")
    expect_eq([r["offset_bytes"] for r in found.rows], ["512", "0"])


@test()
def fio_directions_and_order():
    """The lines of the log are in any order. The trace must have the accesses in the order of their
    ends."""
    found = fio("3, 1000, 1, 4096, 0\n1, 1000, 0, 512, 0\n2, 1000, 2, 1048576, 0\n"
                "0, 5000, 0, 512, 0\n")
    expect_eq(found.columns(*ACCESS),
              [("read", 0, 5000, 512, ""), ("read", MS - 1000, MS, 512, ""),
               ("discard", 2 * MS - 1000, 2 * MS, 1048576, ""),
               ("write", 3 * MS - 1000, 3 * MS, 4096, "")])


@test()
def fio_old_microseconds():
    found = fio("7, 1500, 0, 4096\n", "job_lat.log", "--usec")
    expect_eq(found.columns("start_ns", "end_ns"), [(5500000, 7 * MS)])
    expect_true("a lat log: latencies contain the submission" in found.sums["notes"],
                f"a note in {found.sums['notes']}")


@test()
def fio_names_and_jobs():
    """The name of a log contains the job of fio: mix_clat.1.log belongs to the job mix.1. import
    must show this job as the process of each access. The test also merges several logs."""
    inputs = [write(name, text) for name, text in (
        ("mix_clat.1.log", "1, 10, 0, 512, 0\n9, 10, 0, 512, 0\n"),
        ("a_lat_b_clat.12.log", "5, 10, 0, 512, 0\n"), ("some", "6, 10, 0, 512, 0\n"))]
    found = Imported("fio", inputs)
    expect_eq(found.columns("process", "end_ns"),
              [("mix.1", MS), ("a_lat_b.12", 5 * MS), ("some", 6 * MS), ("mix.1", 9 * MS)])
    expect_eq(found.meta["inputs"], inputs)
    for what in ("the start of its own job", "does not have the kind of the log"):
        expect_true(any(what in note for note in found.sums["notes"]), what)


@test()
def fio_refused():
    """For a log of the wrong kind, the message must name a remedy, even with --skip-bad."""
    how = "run fio with --write_lat_log=PREFIX and import PREFIX_clat.*.log"
    averages = ("0 bytes: averages over windows, no accesses; run fio without log_avg_msec")
    for name, text, why in (
            ("j_slat.1.log", "1, 2, 0, 512, 0\n",
             f" submission latencies do not say when accesses end; {how}"),
            ("j_bw.1.log", "1, 2, 0, 512, 0\n", f" a bandwidth log has no accesses; {how}"),
            ("j_iops.1.log", "1, 1, 0, 512, 0\n", f" an IOPS log has no latencies; {how}"),
            ("j_clat_hist.1.log", "1, 0, 512, 0, 0, 3\n",
             f" a histogram has no single accesses; {how}"),
            ("j_clat.1.log.fz", "x", " compressed; 'fio --inflate-log=FILE' prints it"),
            ("iolog", "fio version 2 iolog\n/x add\n",
             "1: an iolog for replay does not say when accesses end; run fio with "
             "--write_lat_log"),
            ("iolog3", "fio version 3 iolog\n1 /x add\n",
             "1: an iolog for replay does not say when accesses end; run fio with "
             "--write_lat_log"),
            ("j_clat.1.log", "500, 12345, 0, 0, 0\n", "1: " + averages),
            ("j_clat.2.log", "500, 12345, 22345, 0, 0, 0\n",
             "1: two values in a row (log_window_value=both): these are windows; run fio "
             "without log_avg_msec")):
        path = write(name, text)
        expect_refused("fio", [path], f"{path}:{why}")
        expect_refused("fio", [path], f"{path}:{why}", "--skip-bad")


@test()
def fio_wrong_lines():
    path = new_path("j_clat.1.log")
    for bad, why in (
            ("1, 2, 0", "no line of a latency log, 4 to 7 numbers: '1, 2, 0'"),
            ("1 2 0 512 0", "no line of a latency log, 4 to 7 numbers: '1 2 0 512 0'"),
            ("1, -2, 0, 512", "no line of a latency log, 4 to 7 numbers: '1, -2, 0, 512'"),
            ("1, 2, 0, 512,", "no line of a latency log, 4 to 7 numbers: '1, 2, 0, 512,'"),
            ("1, 2, 0, 512 x", "no line of a latency log, 4 to 7 numbers: '1, 2, 0, 512 x'"),
            ("1, 2, 0, 512, 0x", "no line of a latency log, 4 to 7 numbers: '1, 2, 0, 512, 0x'"),
            (f"{2**64}, 2, 0, 9", f"no line of a latency log, 4 to 7 numbers: '{2**64}, 2, 0, 9'"),
            ("1, 2, 3, 512", "direction 3 is none of 0, 1 and 2"),
            ("1, 2, 0, 512, 8, 9", "the columns after the fourth are neither offset, "
             "priority nor issue time"),
            (f"{2**63}, 2, 0, 512", "it ends beyond 2^64 ns"),
            (f"1, 2, 0, 512, 0, 0, {2**64 - 2}", "it ends beyond 2^64 ns")):
        write("j_clat.1.log", "1, 2, 0, 512\n" + bad + "\n")
        expect_refused("fio", [path], f"{path}:2: {why}")


@test()
def fio_itself():
    """The import must have the accesses, bytes and offsets of a run of fio, as fio reports them."""
    needs(subprocess.run(["fio", "--version"], capture_output=True, check=False).returncode
          == 0, "needs fio")
    prefix = os.path.join(scratch_dir(), "real")
    options = ["--name=real", f"--filename={prefix}.data", "--size=1M", "--bs=4k", "--rw=randrw",
               "--ioengine=psync", f"--write_lat_log={prefix}", "--log_offset=1",
               "--randseed=1"]
    exact = b"log_issue_time" in subprocess.run(["fio", "--cmdhelp=log_issue_time"],
                                                capture_output=True, check=False).stdout
    options += ["--log_issue_time=1"] if exact else []
    subprocess.run(["fio", *options], check=True, stdout=subprocess.DEVNULL)
    found = Imported("fio", [prefix + "_clat.1.log"])
    expect_eq(len(found.rows), 256, "accesses")
    expect_eq(sorted(int(r["offset_bytes"]) for r in found.rows), list(range(0, 1 << 20, 4096)))
    expect_eq({(r["bytes"], r["process"], r["layer"]) for r in found.rows},
              {("4096", "real.1", "app")})
    with open(prefix + "_clat.1.log", encoding="utf-8") as f:
        latencies = sorted(int(text.split(", ")[1]) for text in f)
    expect_eq(sorted(int(r["end_ns"]) - int(r["start_ns"]) for r in found.rows), latencies)
    expect_eq(found.meta["resolution_ns"], 0 if exact else MS)


HEAD = ("# DXT, file_id: 1542722479531699073, file_name: {file}\n"
        "# DXT, rank: {rank}, hostname: {host}\n")


def dxt(text, *options):
    return Imported("dxt", [write("dxt.txt", text)], *options)


def record(module, segments, file="/scratch/a, b", rank=3, host="node7", threads=False,
           lustre=False, tail=""):
    text = "\n" + HEAD.format(file=file, rank=rank, host=host)
    text += "# DXT, number of threads: 2\n" if threads else ""
    text += "# DXT, write_count: 1, read_count: 1\n# DXT, mnt_pt: /scratch, fs_type: lustre\n"
    if lustre:
        text += ("# DXT, Lustre stripe components:\n#\t[Component 1] stripe_ext: 0 - EOF, "
                 "stripe_size: 1048576, stripe_count: 4, OSTs: 1 2 3 4\n")
    text += ("# Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      "
             "End(s)\n")
    for i, (op, offset, length, start, end) in enumerate(segments):
        text += (f"{module:>8}{rank:8}{op:>7}{i:9}{offset:16}{length:16}{start:12.4f}"
                 f"{end:12.4f}{tail}\n")
    return text


SEGMENTS = [("write", 0, 1048576, 0.5, 0.7503), ("read", 4096, 512, 0.1001, 0.1003)]
IN_ORDER = [("read", 100100000, 100300000, 512, 4096),
            ("write", 500000000, 750300000, 1048576, 0)]
JOB = "# darshan log version: 3.41\n# exe: ./ior -x\n# nprocs: 4\n\n# ****\n"


@test()
def dxt_versions():
    """Depending on the version of Darshan, rows also have Lustre targets or threads. The trace must
    be sorted by the ends of the accesses."""
    for how in ({}, {"tail": "  [ 12]"}, {"tail": "  [ 12]  [  1]", "lustre": True},
                {"tail": " 140230", "threads": True}, {"tail": "  N/A"},
                {"tail": "  [ 12]  [  1] 140230", "lustre": True, "threads": True}):
        found = dxt(JOB + record("X_POSIX", SEGMENTS, **how))
        expect_eq(found.columns(*ACCESS), IN_ORDER, f"{how}")
        expect_eq(found.columns("layer", "process", "file")[0],
                  ("app", "node7:rank 3", "/scratch/a, b"))
        expect_eq((found.meta["resolution_ns"], found.meta["recorded_layers"]), (100000, ["app"]))
        expect_eq(found.sums["notes"], ["times have a resolution of 0.1 ms: T and the metrics "
                                        "derived from it are not exact"])


@test()
def dxt_modules():
    """If a log has the Darshan modules POSIX and MPI-IO, import must take only MPI-IO. The module
    POSIX has the same accesses a second time."""
    text = (record("X_POSIX", SEGMENTS) + record("X_MPIIO", [("write", 8, 16, 1, 2)], rank=-1))
    taken = [("write", 10**9, 2 * 10**9, 16, 8)]
    for options in ((), ("--module", "mpiio")):
        found = dxt(text, *options)
        expect_eq(found.columns(*ACCESS), taken, f"{options}")
        expect_eq(found.rows[0]["process"], "node7:rank -1")
        expect_true("2 lines of the other module" in found.sums["notes"][1],
                    "the note on the other module")
    expect_eq(dxt(text, "--module=posix").columns(*ACCESS), IN_ORDER)
    path = write("dxt.txt", text)
    trace = new_path("piped")
    with open(path, "rb") as f:
        content = f.read()
    expect_refused("dxt", ["-"], "standard input: cannot be read twice to see which modules it "
                   "has; give --module mpiio or posix", stdin=content)
    status, _, err = iospan("import", "--format=dxt", "-o", trace, "--module=posix", "-",
                            stdin=content)
    expect_eq((status, err, len(rows(trace))), (0, "", 2))


@test()
def dxt_without_offsets():
    """Darshan 3.1.3 to 3.1.6 prints -1 if an MPI-IO access has no offset. Other negative offsets
    are errors."""
    found = dxt(JOB + record("X_MPIIO", [("write", -1, 4096, 0.5, 0.75), ("read", 7, 64, 1, 2)]))
    expect_eq(found.columns(*ACCESS), [("write", 500 * MS, 750 * MS, 4096, ""),
                                       ("read", 1000 * MS, 2000 * MS, 64, 7)])
    expect_true("1 of 2 accesses have no offset: this version of Darshan does not keep it for "
                "MPI-IO" in found.sums["notes"], str(found.sums["notes"]))
    path = write("bad", record("X_MPIIO", [("write", -2, 1, 1, 2)]))
    expect_refused("dxt", [path], f"{path}:7: not segment, offset and length")


@test()
def dxt_warnings():
    """Comments of darshan-dxt-parser about incomplete data, and its warnings about the log's
    version, must become notes."""
    said = "Darshan logs made by this version may be wrong."
    text = f"# WARNING: {said}\n" + JOB + (
        "# *WARNING*: The DXT_POSIX module contains incomplete data!\n"
        "#            This happens when a module runs out of\n") + record("X_POSIX", SEGMENTS)
    found = dxt(text)
    expect_eq(found.columns(*ACCESS), IN_ORDER)
    expect_eq(found.sums["notes"][:1] + found.sums["notes"][2:],
              ["the DXT_POSIX module contains incomplete data: Darshan ran out of memory for it, "
               "and accesses are missing",
               f"1 warning of darshan-dxt-parser; the first: WARNING: {said}"])


@test()
def dxt_instants():
    """The times have a resolution of 0.1 ms. A shorter access may have no duration, and then adds
    nothing to T, the time with I/O in flight. A note must say so."""
    found = dxt(record("X_POSIX", [("read", 0, 1, 1, 1), ("read", 0, 1, 1, 1.0001)]))
    expect_true("1 of 2 accesses start and end in the same 0.1 ms: they add nothing to T"
                in found.sums["notes"], f"in {found.sums['notes']}")


@test()
def dxt_wrong_lines():
    good = record("X_POSIX", SEGMENTS)
    at = good.count("\n") + 1
    row = " X_POSIX       3  write        0               0         1048576 "
    for bad, why in (
            (" X_STDIO 3 write 0 0 1 0.1 0.2", "not a line of X_POSIX or X_MPIIO"),
            (" X_POSIX x write 0 0 1 0.1 0.2", "not a rank"),
            (" X_POSIX 3 append 0 0 1 0.1 0.2", "not 'read' or 'write'"),
            (" X_POSIX 3 write 0 -1 1 0.1 0.2", "not segment, offset and length"),
            (" X_POSIX 3 write 0 0", "not segment, offset and length"),
            (row + "0.1", "not start and end in seconds"),
            (row + "0.1 0.2x", "not start and end in seconds"),
            (row + "1e3 2e3", "not start and end in seconds"),
            (row + "nan nan", "not start and end in seconds"),
            (row + "0.2 0.1", "not an access that ends after it starts"),
            ("# DXT, file_id: 12", "'file_name' is missing"),
            ("# DXT, rank: 12", "'hostname' is missing")):
        path = write("bad", good + bad + "\n")
        expect_refused("dxt", [path], f"{path}:{at}: {why}")
    path = write("bad", " X_POSIX 3 write 0 0 1 0.1 0.2\n")
    expect_refused("dxt", [path],
                   f"{path}:1: a line before '# DXT, file_id: ...' names its file")


@test()
def csv_least():
    """A CSV needs only three columns, in any order. Lines may end in LF or CR LF."""
    for end in ("\n", "\r\n"):
        for last in (end, ""):
            found = kept(f"bytes,end_ns,start_ns{end}512,20,10{end}{end}0,5,5{last}")
            expect_eq(found.columns("layer", *ACCESS, "device", "process", "error"),
                      [("app", "read", 10, 20, 512, "", "", "", 0),
                       ("app", "read", 5, 5, 0, "", "", "", 0)])
            expect_true("recorded_layers" not in found.meta, "no layers before the end")


@test()
def csv_quotes():
    """Quoted fields follow RFC 4180 and may contain line ends. The file may start with a UTF-8 byte
    order mark."""
    found = kept('\ufeff"start_ns",end_ns,bytes,"file",process\n1,2,3,"a ""b"", \nc",\'d\'\n'
                 '4,5,6,"","x\r"\n')
    expect_eq(found.columns("start_ns", "file", "process"),
              [(1, 'a "b", \nc', "'d'"), (4, "", "x\r")])


@test()
def csv_groups():
    """From the path of a cgroup, import must also make the cgroups above it, each of them once."""
    found = kept("start_ns,end_ns,bytes,cgroup\n1,2,3,/a/b/c\n1,2,3,/a\n1,2,3,/a/d\n"
                 "1,2,3,/\n1,2,3,e\n1,2,3,\n")
    expect_eq(found.groups, {"/a": "/", "/a/b": "/a", "/a/b/c": "/a/b", "/a/d": "/a",
                             "/": None, "e": None})
    expect_eq([r["cgroup"] for r in found.rows], ["/a/b/c", "/a", "/a/d", "/", "e", ""])


@test()
def csv_unknown_columns():
    path = os.path.join(scratch_dir(), "x.csv")
    found = kept("start_ns,who,end_ns,bytes\n1,me,2,3\n", warnings="iospan: warning: "
                 f"{path}: column 'who' is not known and left out\n")
    expect_eq(found.columns("start_ns", "end_ns", "bytes"), [(1, 2, 3)])


@test()
def csv_wrong_headers():
    path = new_path("bad.csv")
    for header, why in (("start_ns,end_ns", "the header names no column 'bytes'"),
                        ("start_ns,end_ns,bytes,bytes", "column 'bytes' is there twice"),
                        ('start_ns,"end_ns,bytes', "wrong quotes in the header"),
                        (",".join(["x"] * 257), "more than 256 columns")):
        write("bad.csv", header + "\n1,2,3\n")
        expect_refused("csv", [path], f"{path}:1: {why}")


@test()
def csv_wrong_rows():
    path = new_path("bad.csv")
    number = "is not a whole number below 2^64"
    for row, why in (
            ("1,2", "the line ends too early in cell 3"),
            ("1,2,3,,,,,9", "more cells than the header's 7"),
            ("x,2,3,,,,", f"start_ns 'x' {number}"), ("-1,2,3,,,,", f"start_ns '-1' {number}"),
            (f"{2**64},2,3,,,,", f"start_ns '{2**64}' {number}"),
            (",2,3,,,,", "start_ns '' is not a number"),
            ("2,1,3,,,,", "it ends before it starts"),
            (f"2,{2**64 - 1},3,,,,", "it ends beyond 2^64 - 2 ns"),
            ("1,2,3,disk,,,", "layer 'disk' is not one of its words"),
            ("1,2,3,,trim,,", "op 'trim' is not one of its words"),
            ("1,2,3,,,8,", "dev '8' is not MAJOR:MINOR"),
            ("1,2,3,,,4096:0,", "dev '4096:0' is not MAJOR:MINOR"),
            ("1,2,3,,,,yes", "error 'yes' is not 0 or 1"),
            ('1,2,"3"4,,,,', "wrong quotes in cell 3"), ('1,2,3",,,,"', "wrong quotes in cell 3")):
        write("bad.csv", "start_ns,end_ns,bytes,layer,op,dev,error\n1,2,3,,,,\n" + row + "\n")
        expect_refused("csv", [path], f"{path}:3: {why}")
    write("bad.csv", 'start_ns,end_ns,bytes\n1,2,"3\n4,5,6\n')
    expect_refused("csv", [path], f"{path}:2: wrong quotes in cell 3")


@test()
def csv_skips():
    text = "start_ns,end_ns,bytes\n1,2,3\nx\n4,5,6\ny\n\0,,\n7,8,9\n"
    path = write("x.csv", text)
    trace = new_path("t")
    status, _, err = iospan("import", "--format", "csv", "-o", trace, "--skip-bad", path)
    expect_eq((status, err), (0, f"iospan: warning: {path}:3: start_ns 'x' is not a whole "
                              "number below 2^64: skipped, as are all such lines\n"
                              "iospan: warning: 3 lines could not be read and were skipped\n"))
    expect_eq([r["start_ns"] for r in rows(trace)], ["1", "4", "7"])
    expect_eq(objects(trace)["sums"]["losses"], {"bad_lines": 3})
    # a quote without an end takes all following lines
    path = write("y.csv", 'start_ns,end_ns,bytes,file\n1,2,3,a\n4,5,6,"b\n7,8,9,c\n7,8,9,d\n')
    status, _, err = iospan("import", "--format=csv", "-o", trace + "2", "--skip-bad", path)
    expect_true(err.endswith("warning: 3 lines could not be read and were skipped\n"), err)


@test()
def many_accesses():
    """The input has more accesses than a chunk of the trace, and more than import sorts at once."""
    n = scaled(160000)
    text = "".join(f"{n - i}, 1000, 0, {512 + i}, 0\n" for i in range(n))
    found = fio(text)
    expect_eq(len(found.rows), n)
    expect_eq(sum(int(r["bytes"]) for r in found.rows), sum(512 + i for i in range(n)))
    ends = [int(r["end_ns"]) for r in found.rows]
    expect_true(ends != sorted(ends), "the trace is not sorted completely")
    expect_eq(sorted(ends), [i * MS for i in range(1, n + 1)])


@test()
def wrong_usage():
    path = write("x.csv", "start_ns,end_ns,bytes\n")
    out = new_path("t")
    see = "see 'iospan import --help'"
    for args, why in (
            ((), f"--format is missing; {see}"),
            (("--format", "strace"), "unknown format 'strace'; one of blkparse, fio, dxt, csv"),
            (("--format=csv",), f"--output is missing; {see}"),
            (("--format=csv", "-o", out), "no input; '-' is the standard input"),
            (("--format=csv", "-o", out, *[path] * 501), "more than 500 inputs"),
            (("--format=csv", "-o", out, "-", path, "-"), "'-' is given twice; leave out one of them"),
            (("--format=csv", "-o", out, "--layer=vfs", path), "--layer is for --format blkparse"),
            (("--format=csv", "-o", out, "--module=posix", path), "--module is for --format dxt"),
            (("--format=csv", "-o", out, "--usec", path), "--usec is for --format fio"),
            (("--format=blkparse", "-o", out, "--layer=x", path),
             "unknown layer 'x'; one of device, vfs, app"),
            (("--format=dxt", "-o", out, "--module=x", path),
             "unknown module 'x'; one of mpiio, posix")):
        expect_eq(iospan("import", *args), (2, b"", f"iospan: {why}\n"), f"{args[:4]}")
    expect_true(not os.path.exists(out), "no output")


@test()
def inputs_that_do_not_exist():
    nowhere = os.path.join(scratch_dir(), "nowhere")
    expect_refused("csv", [nowhere], f"cannot open '{nowhere}': No such file or directory")
    expect_refused("csv", [scratch_dir()], f"cannot read '{scratch_dir()}': Is a directory")
    good = write("x.csv", "start_ns,end_ns,bytes\n1,2,3\n")
    there = write("there", "mine")
    status, _, err = iospan("import", "--format=csv", "-o", there, good)
    expect_eq((status, err), (1, f"iospan: '{there}' exists; remove it first\n"))
    with open(there, encoding="utf-8") as f:
        expect_eq(f.read(), "mine")


@test()
def empty_logs():
    """A log in the right format without an access gives an empty trace, with a warning."""
    for form, text in (("csv", "start_ns,end_ns,bytes\n"), ("dxt", "# darshan log version: 3.41\n"),
                       ("dxt", "# DXT, file_id: 1, file_name: /x\n# DXT, rank: 0, hostname: a\n"),
                       ("blkparse", "CPU0 (sda):\n Reads Queued:  0,  0KiB\n")):
        path = write("log", text)
        found = Imported(form, [path], warnings=f"iospan: warning: no access in '{path}'\n")
        expect_eq(found.rows, [], form)


@test()
def latency_longer_than_the_log():
    """fio logs the end of an access in whole ms, so the real end may be up to 1 ms later. If an
    access would start before the log, import moves it to the start of the log."""
    path = write("x_clat.1.log", "5, 6000000, 0, 4096\n5, 6000001, 0, 4096\n5, 99000000, 0, 4096\n")
    found = Imported("fio", [path])
    expect_eq([int(row["end_ns"]) for row in found.rows], [6000000, 6000001, 99000000])
    expect_eq([n for n in found.sums["notes"] if "the start of the log" in n], [
              "2 accesses moved to the start of the log, because the latency is longer than the time "
              "since that start; the end is too late"])


@test()
def the_wrong_file():
    """A file without a single valid line must be an error, even with --skip-bad."""
    for form in "blkparse", "fio", "dxt", "csv":
        for text in "", "\n\n\n":
            path = write("empty", text)
            for options in (), ("--skip-bad",):
                expect_refused(form, [path], f"'{path}' is empty", *options)
    expect_refused("fio", ["-"], "'standard input' is empty")
    prose = write("prose", "It was a dark and stormy night;\n\nthe rain fell in torrents.\n")
    one = write("one_clat.1.log", "7, 1500000, 1, 4096\n")
    for form, inputs in (("blkparse", [prose]), ("fio", [prose]), ("dxt", [prose]),
                         ("fio", [one, prose])):
        trace = new_path("refused")
        status, out, err = iospan("import", "--format", form, "-o", trace, "--skip-bad", *inputs)
        expect_eq((status, out), (1, b""), form)
        expect_true(err.endswith(f"iospan: '{prose}' is not of the format '{form}': no line of it "
                                 "could be read\n"), err)
        expect_true(not os.path.exists(trace), "no file is left")
    notes = write("notes", "# nothing of Darshan\n# more\n")
    expect_refused("dxt", [notes], f"'{notes}' is not of the format 'dxt': no line of it could be read")
    queued = write("queued", "8,0 1 1 0.000001000 7 Q W 100 + 8 [dd]\ngarbage\n")
    trace = new_path("queued-trace")
    status, _, err = iospan("import", "--format=blkparse", "-o", trace, "--skip-bad", queued)
    expect_eq((status, os.path.exists(trace)), (1, False), "a bad line, and a request without an issue")
    expect_true(f"no access in '{queued}', and 1 lines could not be read" in err, err)
    # Lines of a script that start with # must not count as comments of Darshan.
    script = write("script", "#!/bin/sh\nexit 0\n")
    expect_eq(iospan("import", "--format=dxt", "-o", trace, "--skip-bad", script)[0], 1, "a script")
    expect_true(not os.path.exists(trace), "no file is left")


@test()
def a_failed_import_removes_only_its_trace():
    """While import runs, another program renames the trace and puts its own file there. The failed
    import must not remove that file."""
    trace, moved = new_path("named"), new_path("moved")
    with subprocess.Popen([IOSPAN, "import", "--format=csv", "-o", trace, "-"], stdin=subprocess.PIPE,
                          stderr=subprocess.PIPE) as p:
        p.stdin.write(b"start_ns,end_ns,bytes\n" + b"".join(b"%d,%d,512\n" % (i, i + 1)
                                                            for i in range(300000)))
        p.stdin.flush()
        while not os.path.exists(trace) or not os.path.getsize(trace):
            assert_eq(p.poll(), None, "import runs")
            os.sched_yield()
        os.rename(trace, moved)
        write("named", "precious")
        p.stdin.write(b"garbage\n")
        p.stdin.close()
        err = p.stderr.read().decode()
    expect_eq(p.returncode, 1, err)
    expect_true(f"warning: '{trace}' is not removed: another file has this name by now" in err, err)
    with open(trace, "rb") as f:
        expect_eq(f.read(), b"precious")


@test()
def an_empty_log_beside_others():
    """fio makes an empty log for a job without I/O."""
    logs = [write(f"job_clat.{i}.log", text) for i, text in ((1, "7, 1500000, 1, 4096\n"), (2, ""))]
    found = Imported("fio", logs, warnings=f"iospan: warning: '{logs[1]}' is empty\n")
    expect_eq(len(found.rows), 1)


@test()
def a_wrong_output_is_refused_first():
    """import must refuse an existing output before it reads the inputs. Here the input is a pipe
    that never ends."""
    there = write("there", "mine")
    read, hold = os.pipe()
    with open(read, "rb") as stdin:
        done = subprocess.run([IOSPAN, "import", "--format=csv", "-o", there, "-"], stdin=stdin,
                              capture_output=True, text=True, check=False)
    os.close(hold)
    expect_eq((done.returncode, done.stderr), (1, f"iospan: '{there}' exists; remove it first\n"))


main()
