#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the ways in which iospan bench load may end, and the result of each. In an open loop,
requests become due at a given rate, even if earlier requests are in flight. The cleanup process
removes iospan's cgroups and files if iospan is killed."""
import fcntl
import glob
import json
import math
import os
import signal
import subprocess
import time

from lib import kernel
from lib.ktap import *
from lib.loads import Running, children, is_alive, lines, load, needs_space, terminate_while_filling
from lib.measure import needs_run

MEMORY = ("--unique-bytes", "4M", "--buffered")
SIGMAS = 6  # A normal variable differs by more standard deviations with a probability of 2e-9.


def begin(*options, **how):
    return Running(scratch_dir(), *MEMORY, "-t", "600s", *options, **how).until("accesses", 1)


def expect_partial(run, status, why, words=""):
    code, found, err = run.end()
    expect_eq((code, found["complete"], found["ended_by"]), (status, False, why),
              "status, complete, why")
    expect_ge(found["layers"]["app"]["accesses"], 1, "requests")
    expect_true(words in err, f"'{words}' in '{err}'")


@test()
def one_process_is_killed():
    run = begin("--processes", "--procs", "3")
    os.kill(children(run.keeper())[1], signal.SIGKILL)
    expect_partial(run, 1, "error", "process 2 of the load was killed")


# iospan must notice that its processes were killed, even if iospan was started with SIGCHLD
# ignored.
@test()
def all_processes_are_killed():
    for action in signal.SIG_DFL, signal.SIG_IGN:
        run = begin("--procs", "3", preexec_fn=lambda: signal.signal(signal.SIGCHLD, action))
        os.kill(run.keeper(), signal.SIGKILL)
        expect_partial(run, 1, "error", "the load was killed")


# If the command is killed, its processes must end, because nobody else would stop them.
@test()
def nothing_outlives_a_killed_command():
    run = begin("--processes", "--procs", "3")
    keeper = run.keeper()
    left = [keeper, *children(keeper)]
    expect_eq(len(left), 4, "processes of the load")
    run.child.kill()
    run.child.communicate()
    while any(map(is_alive, left)):  # until the test's limit
        time.sleep(0.01)


# The test kills the cleanup process first. Then the command itself must remove its cgroups.
@test()
def groups_are_removed_without_the_cleanup_process():
    needs_run()
    run = begin("--layers=app,vfs,device")
    cleanup = next(pid for pid in children(run.child.pid) if pid != run.keeper())
    os.kill(cleanup, signal.SIGKILL)
    run.child.terminate()
    expect_partial(run, 0, "interrupted")
    left = [path for top in filter(None, (kernel.mounted("cgroup2"),
                                          kernel.mounted("cgroup", "blkio")))
            for path in glob.glob(f"{top}/**/iospan-{run.child.pid}-*", recursive=True)]
    expect_eq(left, [], "groups left")


@test()
def interrupted_gives_the_result_so_far():
    run = begin()
    run.child.terminate()
    expect_partial(run, 0, "interrupted")


# If a signal arrives during a pause of the load, the load must end at once and not after the pause.
@test()
def interrupted_during_a_pause():
    for options in (("--think", "1h"), ("--rate", "0.001", "--procs", "2")):
        run = begin(*options)
        run.child.terminate()
        expect_partial(run, 0, "interrupted")


def terminate_soon():
    """Runs in the process that becomes iospan. Forks a child, which waits until iospan has started
    its load, and then sends SIGTERM to iospan."""
    pid = os.getpid()
    if os.fork() == 0:
        # The children are this process and the process of the load.
        while os.getppid() == pid and len(children(pid)) != 2:
            time.sleep(0.05)
        if os.getppid() == pid:
            os.kill(pid, signal.SIGTERM)
        os._exit(0)


@test()
def interrupted_before_it_measures():
    status, found, err = load(scratch_dir(), *MEMORY, "--warm-up", "1h", "--interval=100ms",
                              preexec_fn=terminate_soon)
    expect_eq((status, found), (1, None), "status, result")
    expect_true("before anything was measured" in err, err)


# Requests that are in flight at the signal must be in the result of each layer.
@test()
def interrupted_layers_count_the_same():
    needs_run()
    with kernel.zram_disk(32 << 20) as disk:
        run = Running(disk, "--unique-bytes", "32M", "-t", "600s", "--procs", "2", "--layers=app,vfs,device")
        run.until("accesses", 100).child.terminate()
        code, found, _ = run.end()
    seen = {name: layer["accesses"] for name, layer in found["layers"].items()}
    expect_eq((code, found["ended_by"]), (0, "interrupted"), "status, why")
    expect_ge(seen["app"], 100, "requests")
    expect_eq((seen["vfs"], seen["device"]), (seen["app"], seen["app"]), "vfs, device")


# The load must end as soon as its requests or its time are over. It must not wait for the end of an
# interval, or for the next periodic check of the command.
@test()
def elapsed_is_the_time_of_the_load():
    runs = [load(scratch_dir(), *MEMORY, "-n", "1000", "--engine", "psync")[1]["layers"]["app"]
            for _ in range(10)]
    expect_eq([run["accesses"] for run in runs], [1000] * 10, "requests")
    expect_ge(max(run["busy_fraction"] for run in runs), 0.5, "busy, in the best of the runs")
    for rounds, each in (1, "800ms"), (2, "500ms"):
        for _ in range(5):
            _, found, _ = load(scratch_dir(), *MEMORY, "--warm-up", "0s", "-t", "1s",
                               f"--interval={each}")
            if found["elapsed_ns"] < 1.005e9:  # otherwise, a pause may have prolonged an interval
                break
        expect_eq(len(found["interval_iops"]), rounds,
                  f"rounds of {each} that are complete, in {found['elapsed_ns']} ns")
        expect_eq(found["ended_by"], "time", "reason of the end")


# The load lasts 1 ns, so it may be over before its process runs. The result must still be right.
@test()
def a_load_shorter_than_its_start():
    for _ in range(10):
        status, found, err = load(scratch_dir(), *MEMORY, "--warm-up", "0s", "-t", "1ns")
        expect_eq((status, err), (0, ""), "status, stderr")
        expect_le(found["elapsed_ns"], 1e15, "elapsed")


@test()
def a_reader_that_does_not_read():
    pipe = os.path.join(scratch_dir(), "pipe")
    os.mkfifo(pipe)
    status, _, err = load(scratch_dir(), *MEMORY, "-t", "1s", "--log", pipe)
    expect_true(status == 1 and "nobody reads" in err, f"without a reader: {status} {err}")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    # On a busy machine, there are fewer intervals. Their lines would fit into a larger pipe.
    fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 4096)
    status, found, err = load(scratch_dir(), *MEMORY, "--warm-up", "0s", "-t", "1s", "--interval=1ms",
                              "--log", pipe)
    os.close(reader)
    expect_eq((status, found["complete"]), (0, True), "status, complete")
    expect_true("no more lines there" in err, err)


@test()
def no_requests_reach_no_confidence():
    _, found, _ = load(scratch_dir(), *MEMORY, "--rate=0.01", "--warm-up", "0s", "--interval=10ms",
                       "-t", "1s", "--until-ci=1%")
    expect_eq(found["ended_by"], "time", "why")


# In an open loop, requests become due at the specified rate. Each due request must be issued, or
# count as late (never issued). On a busy machine, the load may start late, so only the best run
# must reach the rate.
@test()
def open_loop_keeps_its_rate():
    deviations = []
    for _ in range(4):
        status, found, _ = load(scratch_dir(), *MEMORY, "--warm-up", "0s", "-t", "1s", "--rate=2000",
                                "--poisson", "--batch", "1", "--engine", "psync")
        expect_eq(status, 0, "status")
        due = 2000 * found["elapsed_ns"] / 1e9
        arrived = found["layers"]["app"]["accesses"] + found["late_requests"]
        deviations.append((arrived - due) / math.sqrt(due))
    expect_le(max(deviations), SIGMAS, f"standard deviations: {deviations}")
    expect_ge(max(deviations), -SIGMAS, f"standard deviations: {deviations}")


# In an open loop, the load must handle each completion at once. If it waited until a whole batch
# has completed, or until the next request is due, this test would not end.
@test()
def open_loop_does_not_wait_for_a_batch():
    for batch in "1", "32":
        run = begin("--rate=0.001", "--depth", "32", "--batch", batch)
        run.child.terminate()
        expect_partial(run, 0, "interrupted")


@test()
def open_loop_that_is_too_slow():
    _, found, _ = load(scratch_dir(), *MEMORY, "--warm-up", "0s", "-t", "2s", "--rate=10000000",
                       "--depth", "1", "--batch", "1")
    # The process of the load may start late, so the elapsed time can be longer than the load. A
    # request is in flight during the whole load. So the test takes span_ns, the time with requests
    # in flight, as the duration of the load.
    app = found["layers"]["app"]
    made, due = app["accesses"], 1e7 * app["span_ns"] / 1e9
    expect_ge(found["late_requests"], due / 2, "requests not issued")
    expect_near(made + found["late_requests"], due, due / 50, "requests issued or not")


@test()
def a_signal_while_the_data_is_written():
    needs_space(scratch_dir(), 6 << 30)
    with subprocess.Popen([IOSPAN, "bench", "load", scratch_dir(), "--unique-bytes=4G"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        in_time = terminate_while_filling(run, scratch_dir(), 4 << 30)
        found = run.communicate()
    needs(in_time, "the data was complete before the signal")
    expect_eq((run.returncode, *found), (1, "", "iospan: interrupted before anything was measured\n"),
              "status, result, message")


# After 100 ms, all requests of --count are due. The load needs minutes to issue them.
@test()
def only_requests_of_the_count_are_late():
    log, count = os.path.join(scratch_dir(), "log"), 10**8
    with subprocess.Popen([IOSPAN, "bench", "load", scratch_dir(), *MEMORY, "--rate=1000000000", "--procs=1",
                           "--depth=1", "--batch=1", f"--count={count}", "--interval=100ms", "--log", log,
                           "--json"], stdout=subprocess.PIPE, text=True) as run:
        while lines(log) < 3 and run.poll() is None:
            time.sleep(0.01)
        run.terminate()
        found = json.loads(run.communicate()[0])
    expect_eq(found["ended_by"], "interrupted", "why")
    expect_eq(found["layers"]["app"]["accesses"] + found["late_requests"], count, "requests issued or late")


main()
