# SPDX-License-Identifier: GPL-2.0-or-later
"""Predicts the I/O time that a recorded program would have on another disk. Compares the prediction
with a run of the program on that disk.

There are two disks with ext4: loop devices over files that fuse/slow-file.c serves with the times
of DISKS. bench scale measures both disks. Each program runs on both disks, with a cold page cache,
and is recorded. T is the time with I/O in flight at the device layer. From the recording on one
disk, T on the other disk is found in two ways: iospan predicts it, and a replay measures it. The
benchmark prints both, and their errors compared with T of the program itself on that disk. $BUDGET
(120) is the time of each evaluation by bench scale, in seconds. $JOB names the only program that
runs; by default all of them run.

The disks are threads on this machine. A program that uses all CPUs delays them, but would not delay
a real disk."""
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager

from rounds import IOSPAN, need, started

from lib import kernel

HERE = os.path.dirname(os.path.realpath(__file__))

BUDGET = os.environ.get("BUDGET", "120")
DISK_MIB = 640
UNIQUE = "128M"
# for each disk: (latency in us, MiB per second)
DISKS = (4000, 80), (500, 300)
POSTGRES = "/usr/lib/postgresql"


def as_postgres(*commands):
    return "setpriv --reuid=postgres --regid=postgres --clear-groups sh -ec " + shlex.quote(
        "; ".join(commands))


def pgbench():
    version = sorted(os.listdir(POSTGRES))[-1]
    bin = f"{POSTGRES}/{version}/bin"
    control = f"{bin}/pg_ctl -D pg/db -w -l pg/log -o \"-k $PWD/pg -c listen_addresses=''\""
    bench = f"{bin}/pgbench -h $PWD/pg"
    start, stop = f"{control} start >/dev/null", f"{control} -m fast stop >/dev/null"
    return ("mkdir pg; chown postgres:postgres . pg; " + as_postgres(
        f"{bin}/initdb -D pg/db >/dev/null", start, f"{bench} -q -i -s 5 postgres", stop),
            as_postgres(start, f"{bench} -c 4 -t 500 postgres", stop))


def programs():
    """Returns {program: (command that prepares its files, command that is measured)}."""
    tree = "cp -r /usr/include/linux /usr/include/x86_64-linux-gnu tree"
    jobs = {
        "sqlite3": ("(echo 'create table t(a, b);'; for i in $(seq 300); do "
                    "echo \"insert into t values($i, hex(randomblob(100)));\"; done) >in.sql",
                    "sqlite3 db <in.sql"),
        "tar": (f"mkdir tree; {tree}", "tar cf out.tar tree"),
        "git": (f"mkdir tree; {tree}; git init -q tree",
                "cd tree; git add -A; git -c user.name=a -c user.email=a commit -qm a; git gc -q"),
        "sort": ("seq 2000000 | shuf --random-source=/usr/bin/python3 >in || "
                 "seq 2000000 | sort -R >in", "sort -S 16M -T . in -o out"),
        "fio, database": ("fio --name=a --filename=data --size=256m --rw=write --bs=1m "
                          "--output=/dev/null",
                          "fio --name=a --filename=data --size=256m --io_size=24m --rw=randrw "
                          "--rwmixread=70 --bs=8k --fsync=16 --output=/dev/null"),
        "compiler": ("for i in $(seq 40); do (echo '#include <stdio.h>'; "
                     "echo '#include <stdlib.h>'; seq -f 'int f%.0f(int x) { return x + 1; }' "
                     "1500) >$i.c; done", "ls *.c | xargs -n 1 gcc -O1 -g -c"),
        "pgbench": pgbench(),
        "db_bench": ("mkdir rocks", "db_bench --benchmarks=fillrandom,readrandom --num=150000 "
                     "--reads=20000 --db=rocks --compression_type=none --cache_size=1048576 "
                     "--use_direct_reads=1 --wal_bytes_per_sync=524288"),
    }
    return jobs


@contextmanager
def mounted(disk, place):
    subprocess.run(["mount", "-t", "ext4", disk, place], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", place], check=True)


def shell(command, place, *around):
    done = subprocess.run([*around, "sh", "-ec", command], cwd=place, check=False, text=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"bench: failed: {command}\n{done.stderr}")


def record(disk, place, prepare, command, trace):
    subprocess.run(["mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", disk],
                   check=True, stderr=subprocess.DEVNULL)
    with mounted(disk, place):
        shell(prepare, place)
    with mounted(disk, place):
        shell(f"{command}; cd {place}; sync -f .", place, IOSPAN, "record", "--quiet", "--force",
              "-o", trace, "--")


def answer(*argv):
    done = subprocess.run([IOSPAN, *argv, "--json", "--quiet"], check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"bench: {' '.join(argv)}: {done.stderr}")
    return json.loads(done.stdout)


def name(disk):
    return os.path.basename(disk)


def predicted(result, trace, disk, *options):
    job = answer("predict", result, "--job", trace, "-l", "device", "-d", name(disk), *options)
    return job["job"]["recorded"]["span_ns"]["value"], job["disks"][0]["predicted"]["span_ns"]


def replayed(trace, recorded_on, disk):
    made = answer("bench", "replay", trace, disk, "-l", "device", "-d", name(recorded_on),
                  "--destroy", "--signature=ext4")
    return made["layers"]["device"]["replayed"]["span_ns"]


def off(value, truth):
    return 100 * (value / truth - 1)


def compare(job, source, target, folder, rows):
    """Takes the job that was recorded on disk @source. Predicts its time on disk @target, and
    replays it there."""
    traces = {d: os.path.join(folder, f"{name(d)}.trace") for d in (source, target)}
    results = {d: os.path.join(folder, f"{name(d)}.json") for d in (source, target)}
    recorded, plain = predicted(results[target], traces[source], source)
    _, related = predicted(results[target], traces[source], source, "--recorded-on",
                           results[source])
    truth, _ = predicted(results[target], traces[target], target)
    again = replayed(traces[source], source, target)
    row = [recorded, truth, plain["value"], related["value"], again]
    inside = plain["low"] is not None and plain["low"] <= truth <= plain["high"]
    rows.append([off(v, truth) for v in row[2:]])
    print(f"  {job:<16}{name(source):>7} to {name(target):<7}" +
          "".join(f"{ns / 1e6:>11.1f}" for ns in row) +
          "".join(f"{e:>+9.0f} %" for e in rows[-1]) + ("  inside" if inside else ""), flush=True)


@contextmanager
def slow_disk(folder, program, latency_us, mib_per_s):
    place = os.path.join(folder, f"disk{latency_us}")
    os.mkdir(place)
    file = os.path.join(place, "disk")
    with started([program, str(DISK_MIB), str(latency_us), str(mib_per_s), place]):
        with kernel.undone(lambda: kernel.run_quietly("umount", place)):
            while not os.path.exists(file):
                time.sleep(0.1)
            with kernel.attached("--direct-io=on", file) as disk:
                yield disk


def build(folder):
    program, source = os.path.join(folder, "slow-file"), os.path.join(HERE, "fuse/slow-file.c")
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "fuse3"], check=False, text=True,
                           stdout=subprocess.PIPE).stdout.split()
    if not flags:
        sys.exit("bench: missing libfuse3-dev; install it for B=jobs")
    subprocess.run(["cc", "-O2", "-D_GNU_SOURCE", "-D_FILE_OFFSET_BITS=64", source, "-o", program,
                    *flags], check=True)
    return program


def bench():
    need("sqlite3", "tar", "git", "sort", "fio", "gcc", "db_bench", "setpriv", "mkfs.ext4")
    kernel.private_mounts()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as folder, \
            ExitStack() as stack:
        program = build(folder)
        both = [stack.enter_context(slow_disk(folder, program, *disk)) for disk in DISKS]
        place = os.path.join(folder, "mount")
        os.mkdir(place)
        os.chmod(folder, 0o755)
        for disk in both:
            answer("bench", "scale", disk, "--direct", "--destroy", "--budget", BUDGET + "s",
                   "--unique-bytes", UNIQUE, "-o",
                   os.path.join(folder, f"{name(disk)}.json"))
        print("T of the device layer, ms, and errors\n"
              f"  {'program':<16}{'disks':>18}   recorded   measured  predicted   relative   replayed"
              "  predicted   relative   replayed")
        rows = []
        for job, (prepare, command) in programs().items():
            if os.environ.get("JOB", job) != job:
                continue
            for disk in both:
                record(disk, place, prepare, command,
                       os.path.join(folder, f"{name(disk)}.trace"))
            for source, target in (both, both[::-1]):
                compare(job, source, target, folder, rows)
        print("  median of the absolute errors: " + ", ".join(
            f"{statistics.median(abs(e) for e in column):.0f} %" for column in zip(*rows)))
