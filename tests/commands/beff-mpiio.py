#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests iospan bench beff with --engine=mpiio, which writes by the MPI library. A pattern repeats
calls with one chunk size; its type arranges the chunks of the processes in the files."""
import contextlib
import filecmp
import json
import os
import re
import shutil
import signal
import subprocess
import time

from lib import disks, kernel
from lib.beff import (Attack, beff, each_pattern, expect_extensions, expect_files, few_repetitions,
                      groups_of, logged, open_to_all, wait_until_gone)
from lib.ktap import *
from lib.measure import needs_another_user, needs_run
from lib.mpi import PLAIN, build_preload, by_mpi, mpirun, needs_mpi, ranks_at_work, read

SMALL = ("-t", "1", "--memory=1M")
SCATTER_PATTERNS = 9  # the first type of patterns


def directory():
    path = os.path.join(scratch_dir(), "mpi")
    os.makedirs(path, exist_ok=True)
    return path


def run(ranks, *options, **how):
    return by_mpi(ranks, "beff", directory(), *options, **how)


@test(seconds=300, long=True)
def both_engines_write_the_same():
    """The engine uring (the default) and the engine mpiio must write the same bytes to files of the
    same names."""
    needs_mpi()
    sizes = 1, 2, 3, 4
    repeat = few_repetitions(*sizes)
    status, uring, err = beff(repeat, "--keep")
    assert_eq((status, err), (0, ""), "status, stderr")
    status, mpi, err = run(max(sizes), repeat, "--keep")
    assert_eq((status, err), (0, ""), "status, stderr")
    expect_eq((mpi["repeated"], mpi["valid"]), (True, False), "repeated, valid")
    names = sorted(os.listdir(uring["kept_directory"]))
    expect_eq((len(names), sorted(os.listdir(mpi["kept_directory"]))), (4 * len(sizes) + sum(sizes), names),
              "names")
    same, differ, bad = filecmp.cmpfiles(uring["kept_directory"], mpi["kept_directory"], names, shallow=False)
    expect_eq((same, differ, bad), (names, [], []), "equal, different, unknown files")


@test(seconds=200, long=True)
def time_decides_the_repetitions():
    needs_mpi()
    status, found, err = run(3, "--partitions", "2,3", "-t", "2", "--memory=1M", "--keep")
    assert_eq((status, err, found["complete"]), (0, "", True), "status, stderr, complete")
    expect_true("MPICH" in found["engine_version"] or "Open MPI" in found["engine_version"],
                "version")
    met = {c["name"]: c["met"] for c in found["criteria"] if c["decides"]}
    expect_eq((found["result_name"], met.pop("mpi_io"), met.pop("partition_seconds")), ("b_eff_io", True, False),
              "name, by MPI-IO, long enough")
    expect_eq(found["verdict"], "short" if all(met.values()) else "not_valid", f"verdict with {met}")
    expect_files(found, 0)
    expect_files(found, 1)
    for part, access, kind, p in each_pattern(found):
        app, what = p["layers"]["app"], f"{access} {kind['type']} {p['chunk']}"
        calls = part["process_count"] * p["repetitions"]
        expect_eq((app["accesses"], app["bytes"]), (calls, p["bytes"]), what)
        expect_le(app["span_ns"], p["elapsed_ns"], f"{what}: T")


def disk_bytes(disk):
    fields = kernel.read(kernel.of_disk(disk, "stat")).split()
    return int(fields[2]) << 9, int(fields[6]) << 9


# At the end of a pattern, its bytes are on disk. Kernel threads may have written some of them. If
# the kernel charges this writeback to no cgroup, the device layer lacks these bytes. So the test
# accepts half of the bytes at the device layer.
@test(seconds=200)
def layers_below_the_calls():
    needs_run("mkfs.ext4")
    needs_mpi()
    with kernel.loop_disk(1 << 30) as disk:
        disks.tool("mkfs.ext4", "-q", disk)
        kernel.mount("ext4", directory(), disk)
        before = disk_bytes(disk)
        status, found, err = run(2, few_repetitions(2))
        read, written = (now - then for now, then in zip(disk_bytes(disk), before))
        kernel.unmount(directory())
    assert_eq((status, err, found["untraced"]), (0, "", None), "status, stderr, why untraced")
    moved = asked = 0
    for _, access, kind, p in each_pattern(found):
        app, vfs, device = (p["layers"][layer] for layer in ("app", "vfs", "device"))
        what = f"{access} {kind['type']} {p['chunk']}"
        if kind["type"] in ("separated", "segmented"):
            expect_eq(vfs["bytes"], p["bytes"], f"{what}: vfs")
        expect_ge(vfs["bytes"], p["bytes"], f"{what}: vfs")
        # The elapsed time starts when rank 0 runs. The other rank may have started its calls
        # earlier. T of the app layer has them, and the vfs accesses are within these calls.
        elapsed, calls = p["elapsed_ns"], app["span_ns"]
        expect_le(vfs["span_ns"], max(elapsed, calls), f"{what}: T of vfs")
        if access != "read":
            if found["attribution"] == "io v2":
                expect_ge(device["bytes"], p["bytes"], f"{what}: device")
            expect_le(device["span_ns"], elapsed + calls, f"{what}: T of device")
            asked += p["bytes"]
        moved += device["bytes"]
    diagnostic(f"written {asked}, of the group {moved}, of the disk {written} + {read} bytes")
    expect_le(moved, written + read, "bytes of the group and of the disk")
    expect_ge(moved, asked / 2, "bytes of the group and of the calls")


def expect_app_only(found, why):
    expect_true(why in found["untraced"], found["untraced"])
    for _, _, _, p in each_pattern(found):
        expect_eq((bool(p["layers"]["app"]), p["layers"]["vfs"], p["layers"]["device"]),
                  (True, None, None), "layers")


@test(seconds=100, long=True)
def several_machines_have_no_common_layers():
    needs_mpi()
    # With this variable, MPICH behaves as if each process were on a machine of its own.
    status, found, err = run(2, *SMALL, "--partitions", "2", env={**os.environ, "MPIR_CVAR_NOLOCAL": "1"})
    assert_eq(status, 0, err)
    needs(found["untraced"], "this MPI is not MPICH")
    expect_app_only(found, "several machines")
    expect_true("only the app layer is measured: its processes are on several machines" in err,
                err)


# With --extensions, each process also reads its data from the common file. Without a shared file
# pointer, pattern type 1 sets another MPI file view. The processes must still read the right data.
@test(seconds=100)
def extensions_read_the_data_of_their_ranks():
    needs_run()
    needs_mpi()
    for options in (), ("--no-shared-pointer",):
        status, found, err = run(2, *SMALL, "--partitions", "2", "--extensions", *options)
        assert_eq((status, err), (0, ""), "status, stderr")
        expect_extensions(found, 2)
        expect_eq(found["partitions"][0]["wrong_chunks"], 0, "chunks that the writes have changed")


# Gives each pair of processes its own host name and memory size, as if each pair were on a machine
# of its own.
NODE = """number=$((PMI_RANK / 2))
echo node$number >/proc/sys/kernel/hostname && mount --bind "$0/$number" /proc/meminfo && exec "$@"
"""


@test(seconds=100)
def the_caches_of_all_nodes_count():
    needs(root(), "needs root, to mount files over those of /proc")
    needs_mpi()
    caches = 1 << 30, 3 << 30
    for number, available in enumerate(caches):
        kernel.write(f"MemTotal: 16777216 kB\nMemAvailable: {available >> 10} kB\n",
                     os.path.join(scratch_dir(), str(number)))
    command = mpirun(3, "beff", directory(), "--partitions", "2,3", "-t", "2", "--memory=1M", "--json")
    done = subprocess.run([*command[:3], "unshare", "--mount", "--uts", "sh", "-c", NODE, scratch_dir(), *command[3:]],
                          capture_output=True, text=True, check=False)
    needs("PMI_RANK" not in done.stderr and done.stdout, f"this MPI is not MPICH: {done.stderr[-200:]}")
    found = json.loads(done.stdout)
    expect_eq([(node["host"], node["process_count"], node["cache_bytes"]) for node in found["nodes"]],
              [("node0", 2, 1 << 30), ("node1", 1, 3 << 30)], "nodes")
    expect_eq([(part["process_count"], part["node_count"], part["node_process_count"])
               for part in found["partitions"]], [(2, 1, 2), (3, 2, 2)], "partitions")
    expect_eq(found["cache_bytes"], sum(caches), "bytes of all caches")
    for access in "write", "rewrite", "read":
        least = min(part["access_methods"][access]["bytes"] for part in found["partitions"])
        [seen] = [c for c in found["criteria"] if c["name"] == f"{access}_caches"]
        expect_near(seen["value"], least / sum(caches), 1e-9, f"{access}: multiples of the caches")
        expect_eq((seen["at_least"], seen["met"]), (20, least >= 20 * sum(caches)), f"{access}: rule")


@test(seconds=100)
def without_root_only_the_app_layer_is_measured():
    needs_another_user()
    needs_mpi()
    open_to_all(directory())
    status, found, err = run(2, *SMALL, "--partitions", "2", user=65534, env={**os.environ, "HOME": "/"})
    assert_eq(status, 0, err)
    expect_app_only(found, "cannot be traced")


@test(seconds=200, long=True)
def hints_without_a_shared_pointer():
    needs_mpi()
    hints = os.path.join(scratch_dir(), "hints")
    with open(hints, "w", encoding="ascii") as f:
        f.write("all all all on_open romio_cb_write disable\n"
                "all write scatter 1032 romio_ds_write disable\n"
                "2 all segmented 1024 romio_cb_read enable\n")
    status, found, _ = run(2, *SMALL, "--partitions", "2", "--no-shared-pointer", "--keep",
                           f"--hints={hints}")
    expect_eq([h["chunk"] for h in found["hints"]], ["on_open", "1032", "1024"], "hints")
    met = {c["name"]: c["met"] for c in found["criteria"]}
    expect_eq((status, met["shared_pointer"]), (0, False), "status, shared pointer")
    expect_files(found)


# The preloaded library breaks shared file pointers. The benchmark must notice the fault, use
# individual file pointers for pattern type 1 (one shared file), and still write the right files.
@test(seconds=200, long=True)
def wrong_shared_pointers_are_detected():
    needs_mpi()
    library = build_preload("wrong-pointer")
    few = few_repetitions(2, most=2)
    for how in "order", "alone", "absent":
        status, found, err = run(2, few, "--keep", env={
            **os.environ, "LD_PRELOAD": library, "WRONG_POINTER": how})
        expect_true(err.startswith("iospan: warning: shared file pointers do not work here") and
                    err.endswith("type 1 uses individual ones\n"), f"{how}: {err}")
        met = {c["name"]: c["met"] for c in found["criteria"]}
        expect_eq((status, found["shared_pointer"], met["shared_pointer"], found["valid"]),
                  (0, False, False, False), f"{how}: status, pointer, criterion, valid")
        expect_files(found)


@test()
def a_file_that_only_one_process_cannot_open():
    needs_mpi()
    library = build_preload("failing-open")
    for number in range(2):
        status, _, err = run(3, *SMALL, "--partitions=3", env={
            **os.environ, "LD_PRELOAD": library, "FAILING_OPEN": f"b_eff_io_data_i00_003_{number}"})
        expect_eq((status, os.listdir(directory())), (1, []), "status, files left")
        expect_true(err.startswith("iospan: process 1 cannot open its file in ") and
                    err.endswith(": Permission denied\n"), err)


def protocol(ranks, *options, path=None):
    log = os.path.join(scratch_dir(), f"log{time.monotonic_ns()}")
    child = subprocess.Popen(mpirun(ranks, "beff", path or directory(), *options, "--log", log), stdout=subprocess.PIPE,
                             text=True, stderr=subprocess.PIPE, start_new_session=True)
    while not logged(log) and child.poll() is None:
        time.sleep(0.01)
    return child, log


def left(ranks):
    """Returns (files, cgroups, processes) that the benchmark has not removed."""
    return (os.listdir(directory()), [path for pid in ranks for path in groups_of(pid)],
            ranks_at_work("beff", directory()))


def send(ranks, number):
    for pid in ranks:
        with contextlib.suppress(ProcessLookupError):  # the signal to another rank has ended it
            os.kill(pid, number)


def expect_gone(child, ranks):
    child.communicate()
    wait_until_gone(lambda: left(ranks))


@test()
def interrupted():
    needs_mpi()
    # With -t 10000, the first pattern ends soon, but the second pattern would last longer than the
    # test may.
    child, log = protocol(2, "--partitions", "2", "-t", "10000", "--memory=1M")
    ranks = ranks_at_work("beff", directory())
    send(ranks, signal.SIGTERM)
    out, err = child.communicate()
    expect_eq([(line["access_method"], line["type"], line["pattern"]["chunk"]) for line in logged(log)],
              [("write", "scatter", "first")], "patterns")
    expect_true("incomplete result: interrupted" in out, out[-500:])
    expect_eq(err, "", "stderr")
    expect_gone(child, ranks)


# At the end, each process waits for the others in MPI_Finalize(). The preloaded library lets it wait
# forever, as some MPI libraries do by mistake.
@test()
def a_signal_ends_the_wait_for_other_processes():
    needs_mpi()
    child = subprocess.Popen(mpirun(1, "beff", directory(), *SMALL, "--partitions=1", "-q"), text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={
                                 **os.environ, "LD_PRELOAD": build_preload("endless-end")})
    expect_true(child.stdout.readline().startswith("b_eff_io is "), "result")
    expect_eq(child.stderr.readline(), "waiting in MPI_Finalize\n", "stderr")
    while child.poll() is None:
        send(ranks_at_work("beff", directory()), signal.SIGTERM)
        time.sleep(0.1)
    expect_gone(child, [])


@test()
def a_killed_run_leaves_nothing():
    needs_mpi()
    for which in 0, 1:
        child, _ = protocol(2, "--partitions", "2", "-t", "60", "--memory=1M")
        ranks = ranks_at_work("beff", directory())
        expect_eq([f"/iospan-{ranks[0]}-" in read(f"/proc/{pid}/cgroup") for pid in ranks],
                  [root()] * 2, "in the group")
        os.kill(ranks[which], signal.SIGKILL)
        expect_gone(child, ranks)


def stopped_in_first_type(path):
    """Returns (mpirun, ranks) of a benchmark in @path. The ranks are stopped before they open the
    files of the second type. If this test was too slow to stop them, it starts a longer
    benchmark."""
    for seconds in 2, 8, 32:
        child, log = protocol(2, "--partitions", "2", "-t", str(seconds), "--memory=1M", path=path)
        ranks = ranks_at_work("beff", path)
        with contextlib.suppress(OSError):  # the benchmark ends at this moment
            kernel.stop(*ranks)
            if len(ranks) == 2 and len(logged(log)) < SCATTER_PATTERNS:
                return child, ranks
        send(ranks, signal.SIGCONT)
        child.communicate()
    return needs(False, "this machine is too slow to stop the benchmark in time")


# Another user replaces the benchmark's directory by a link. The MPI library opens and removes files
# by their paths, so the library could follow the link. The benchmark must prevent that.
@test()
def directory_is_replaced_by_a_link():
    needs_mpi()
    attack = Attack()
    child, ranks = stopped_in_first_type(attack.dir)
    [first] = [re.match(r"iospan-beff-(\d+)-", name)[1] for name in os.listdir(attack.dir)]
    link = attack.replace(first)
    send(ranks, signal.SIGCONT)
    out, err = child.communicate()
    expect_eq((child.returncode, err), (0, ""), "status, stderr")
    expect_true(out.startswith("b_eff_io is "), out[:500])
    attack.expect_held(link)


@test()
def more_processes_than_there_are():
    needs_mpi()
    status, found, err = run(2, "--partitions", "3", *SMALL)
    expect_true(status != 0 and not found, "status, result")
    expect_true("a partition has 3 processes, and mpirun started 2" in err, err)


@test()
def built_without_mpi():
    alone = shutil.copy(PLAIN, os.path.join(scratch_dir(), "iospan"))
    done = subprocess.run([alone, "bench", "beff", scratch_dir(), "--engine=mpiio"], text=True,
                          capture_output=True, check=False)
    needs("built without MPI" in done.stderr or done.returncode, "it is installed")
    expect_eq((done.returncode, done.stdout), (1, ""), "status, stdout")
    expect_true("this iospan was built without MPI" in done.stderr, done.stderr)


main()
