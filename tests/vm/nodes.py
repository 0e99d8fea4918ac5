#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs iospan bench beff and bench sets by the processes of MPI on two VMs, which share a directory
by NFS. The result must agree with the counters of both kernels, and with the files."""
import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import time

from lib.beff import each_pattern
from lib.ktap import *
from lib.ktap import TOP
from lib.mpi import PLAIN, needs_mpi

KERNEL = "6.12"
NODES = "node1", "node2"
RANKS, ON_NODE = 3, {"node1": 2, "node2": 1}
BALLAST = 600 << 20  # bytes of memory that node2 has less than node1
ROOM = 128 << 20  # bytes of memory that the processes of MPI need on a node

# Runs on node1. Prints facts, each after a line "== NAME". If mpirun does not end after the result,
# the script ends it: MPICH 4.0 may wait forever in MPI_Finalize(), if its UCX uses TCP.
SCRIPT = r"""
fact() { echo "== $*"; }
by_mpi() { exec mpirun -launcher ssh -hosts node1,node2 -ppn 2 -n 3 "$@" </dev/null; }
counters() # TIME
{
	fact $1 node1
	cat /proc/meminfo /proc/self/mountstats
	fact $1 node2
	ssh node2 cat /proc/meminfo /proc/self/mountstats
	fact $1 disk
	grep " ${disk#/dev/} " /proc/diskstats
}
bench() # COMMAND OPTIONS...: runs it in the shared directory
{
	command=$1 name=${1%% *}
	shift
	by_mpi "$IOSPAN" bench $command $SHARED --engine=mpiio "$@" --json >/run/out 2>/run/err &
	pid=$! status=0 rest=15
	while kill -0 $pid 2>/dev/null && [ $rest -gt 0 ]; do
		sleep 1
		! is_over || rest=$((rest - 1))
	done
	kill $pid 2>/dev/null || true
	wait $pid || status=$?
	[ $rest -gt 0 ] || status=ended
	fact $name status
	echo $status
	fact $name stdout
	cat /run/out
	fact $name stderr
	cat /run/err
}
is_over() { [ -s /run/out ] || grep -q "iospan: cannot" /run/err; }

disk=$(findmnt -no SOURCE /var/tmp)
ssh node2 "mkdir /run/ballast && mount -t tmpfs -o size=90% ballast /run/ballast &&
	head -c $IOSPAN_BALLAST /dev/zero >/run/ballast/file"
rm $SHARED/node?
fact hosts
(by_mpi -prepend-rank hostname)
counters before
bench beff --partitions=2,3 -t 2 --memory=1M --keep
counters after
fact files
find /var/tmp/export -type f -name 'b_eff_io*' -printf '%f %s\n'
fact sums
cd /var/tmp/export/iospan-beff-* && md5sum *
cd / && rm -r /var/tmp/export/*
bench "sets 4" --scale=0.0005 --count=1 --procs=3
fact left
ls -A /var/tmp/export
fact end
"""


def output_of(number):
    return os.path.join(scratch_dir(), f"node{number}")


def printed_by(number):
    with open(output_of(number), encoding="utf-8", errors="replace") as f:
        return f.read()


@contextlib.contextmanager
def node(number, end, key, script=""):
    """Starts a VM as node @number. @end: its end of the network."""
    command = [f"{TOP}/tests/vm/boot", "--cpus", "2", "--network", str(end.fileno()), KERNEL,
               f"{TOP}/tests/vm/node", str(number), key, script]
    with open(output_of(number), "wb") as out:
        child = subprocess.Popen(command, pass_fds=[end.fileno()], stdin=subprocess.DEVNULL,
                                 stdout=out, stderr=subprocess.STDOUT,
                                 env={**os.environ, "IOSPAN": PLAIN, "IOSPAN_BALLAST": str(BALLAST)})
    try:
        yield child
    finally:
        child.terminate()
        child.wait()


def needs_nodes():
    needs(root(), "needs root")
    needs_mpi()
    for tool, package in (("rpc.nfsd", "nfs-kernel-server"), ("dropbear", "dropbear-bin"),
                          ("ssh-keygen", "openssh-client")):
        needs(shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin"), f"needs {package}")
    there = subprocess.run([f"{TOP}/tests/vm/boot", KERNEL], check=False, capture_output=True,
                           text=True)
    needs(there.returncode == 0, there.stderr.strip())


def facts_of_nodes():
    """Returns {name: text} of the facts that the script prints."""
    key = os.path.join(scratch_dir(), "key")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    ends = socket.socketpair()
    with node(2, ends[1], key) as second, node(1, ends[0], key, SCRIPT) as first:
        # node 2 runs until it is ended, unless it fails
        while first.poll() is None and second.poll() is None:
            time.sleep(0.5)
    text, other = map(printed_by, (1, 2))
    facts = dict(re.findall(r"^== (.*)\n((?:(?!== ).*\n)*)", text, re.M))
    assert_true("end" in facts, f"{text[-2000:]}\nnode2: {other[-2000:]}")
    return facts


def available_bytes(facts, host):
    return int(re.search(r"^MemAvailable: +(\d+) kB", facts[f"before {host}"], re.M)[1]) << 10


def sent_bytes(facts, when, host):
    """Returns the number of bytes that the NFS client of a node has written to the server."""
    return int(re.search(r"^\tbytes:\t(?:\d+ ){5}(\d+) ", facts[f"{when} {host}"], re.M)[1])


def disk_bytes(facts, when):
    """Returns the number of bytes that the disk of the NFS server has written."""
    return int(facts[f"{when} disk"].split()[9]) << 9


def expect_hosts(facts, found):
    seen = dict(re.findall(r"^\[(\d+)\] (\S+)", facts["hosts"], re.M))
    hosts = [seen[str(rank)] for rank in range(RANKS)]
    expect_eq({host: hosts.count(host) for host in NODES}, ON_NODE, "processes of MPI on each node")
    expect_eq({of["host"]: of["process_count"] for of in found["nodes"]}, ON_NODE, "nodes")
    for part in found["partitions"]:
        used = hosts[:part["process_count"]]
        expect_eq((part["node_count"], part["node_process_count"]),
                  (len(set(used)), max(map(used.count, used))), f"nodes of {len(used)} processes")


def expect_caches(facts, found):
    for of in found["nodes"]:
        before = available_bytes(facts, of["host"])
        diagnostic(f"{of['host']}: cache {of['cache_bytes']}, MemAvailable before {before}")
        expect_near(of["cache_bytes"], before, ROOM, f"{of['host']}: bytes of the cache")
    caches = sum(of["cache_bytes"] for of in found["nodes"])
    expect_eq(found["cache_bytes"], caches, "bytes of all caches")
    for access in "write", "rewrite", "read":
        least = min(part["access_methods"][access]["bytes"] for part in found["partitions"])
        [seen] = [c for c in found["criteria"] if c["name"] == f"{access}_caches"]
        expect_near(seen["value"], least / caches, 1e-9, f"{access}: multiples of the caches")
        expect_eq((seen["at_least"], seen["met"]), (20, False), f"{access}: rule")


def kind_bytes(found, *kinds):
    """Returns {process_count: bytes} that the processes of each partition wrote for the first time,
    with patterns of the types @kinds."""
    return {part["process_count"]: sum(
        p["bytes"] for kind in part["access_methods"]["write"]["types"] if kind["type"] in kinds
        for p in kind["patterns"]) for part in found["partitions"]}


def expect_written(facts, found):
    """Compares the bytes of the result with the files, with the disk of the NFS server, and with
    the bytes that each node has sent to it."""
    sizes = {}
    for name, size in re.findall(r"^(\S+) (\d+)$", facts["files"], re.M):
        key = int(name.split("_")[5]), int(name.split("_")[6][0])
        sizes[key] = sizes.get(key, 0) + int(size)
    types = [kind["type"] for kind in found["partitions"][0]["access_methods"]["write"]["types"]]
    for number, kind in enumerate(types):
        for ranks, size in kind_bytes(found, kind).items():
            expect_eq(sizes[ranks, number], size, f"{kind}, {ranks} processes: size of the files")
    stated = sum(p["bytes"] for _, access, _, p in each_pattern(found) if access != "read")
    sent = {host: sent_bytes(facts, "after", host) - sent_bytes(facts, "before", host)
            for host in NODES}
    disk = disk_bytes(facts, "after") - disk_bytes(facts, "before")
    diagnostic(f"written: {stated} stated, {sent} sent by NFS, {disk} on the server's disk")
    expect_ge(sum(sent.values()), stated, "bytes that the nodes have sent")
    expect_ge(disk, sum(sizes.values()), "bytes that the disk has written")
    own = kind_bytes(found, "separated", "segmented")[RANKS] // RANKS
    expect_ge(sent["node2"], own * ON_NODE["node2"], "bytes that node2 has sent")


def expect_same_files(facts, found):
    """Compares the files with those that processes of this machine write by io_uring."""
    result, directory = (os.path.join(scratch_dir(), name) for name in ("result", "data"))
    with open(result, "w", encoding="utf-8") as f:
        json.dump(found, f)
    os.mkdir(directory)
    argv = [IOSPAN, "bench", "beff", directory, f"--like={result}", "--keep", "--json"]
    done = subprocess.run(argv, check=False, capture_output=True, text=True)
    assert_eq(done.returncode, 0, done.stderr)
    kept = json.loads(done.stdout)["kept_directory"]
    sums = subprocess.check_output("md5sum *", shell=True, cwd=kept, text=True)
    expect_eq(facts["sums"], sums, "files of both engines")


def expect_app_only(found, err):
    expect_true("several machines" in found["untraced"], found["untraced"])
    expect_true("only the app layer is measured: its processes are on several machines" in err, err)
    for part, access, kind, p in each_pattern(found):
        app, what = p["layers"]["app"], f"{access} {kind['type']} {p['chunk']}"
        calls = part["process_count"] * p["repetitions"]
        expect_eq((app["accesses"], app["bytes"], app["span_ns"]), (calls, p["bytes"], None), what)
        expect_eq((p["layers"]["vfs"], p["layers"]["device"]), (None, None), what)


@test(seconds=1500)
def two_machines():
    needs_nodes()
    facts = facts_of_nodes()
    assert_true(facts["beff status"] in ("0\n", "ended\n"), facts["beff stderr"])
    found = json.loads(facts["beff stdout"])
    expect_eq([found[name] for name in ("complete", "result_name", "shared_pointer")],
              [True, "b_eff_io", True], f"complete, name, pointer ({facts['beff stderr']})")
    expect_eq({(p["errors"], part["wrong_chunks"]) for part, _, _, p in each_pattern(found)},
              {(0, 0)}, "wrong chunks")
    expect_hosts(facts, found)
    expect_caches(facts, found)
    expect_app_only(found, facts["beff stderr"])
    expect_written(facts, found)
    expect_same_files(facts, found)
    expect_true(facts["sets status"] in ("1\n", "ended\n"), f"sets: {facts['sets status']}")
    expect_eq((facts["sets stdout"], facts["left"]), ("", ""), "sets: result, files left")
    expect_true("cannot measure processes on several machines; start all of them on one" in
                facts["sets stderr"], facts["sets stderr"])


main()
