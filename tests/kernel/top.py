#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the screen of `iospan top` in a terminal with the numbers of the loads, and with the
kernel's counters."""
import fcntl
import mmap
import os
import pty
import re
import resource
import signal
import struct
import termios
import time
from contextlib import suppress

from lib import kernel
from lib.ktap import *
from lib.measure import needs_run
from lib.terminal import Terminal, needs_terminal, table
from lib.top import *

LOADS = {"/busy": (2003, 4096), "/large": (503, 65536), "/wei\u00df \u6f22\u5b57": (401, 8192)}
HOSTILE = "/\x1b]0;hacked\x07\x1b[2J\x9b\u202e\udcff" + "x" * 100


def counted(disk):
    fields = kernel.read(kernel.of_disk(disk, "stat")).split()
    return int(fields[0]), int(fields[2])


def expect_share(seen, expected, what):
    """Checks that both numbers agree within 1 %, because the screen shows only some digits."""
    expect_near(seen / expected, 1, 0.01, f"{what} ({seen} of {expected})")


def expect_numbers(row, reads, size, latencies, seconds, what, lost):
    fastest, p99 = latencies
    number = {title: float(text) for title, text in row.items() if re.fullmatch(r"[\d.]+", text)}
    expect_share(number["IOPS"] * seconds, reads, f"{what}: IOPS")
    expect_share(number["bandwidth(MiB/s)"] * seconds, reads * size / 2**20, f"{what}: bytes")
    span = number["T(ms)"] / 1000
    expect_share(number["dev BPS"] * span, reads * size / 512, f"{what}: BPS")
    expect_near(number["busy"], span / seconds, 0.001, f"{what}: busy")
    expect_eq(number["amplif."], 1, f"{what}: amplification")
    expect_le(number["vfs BPS"], number["dev BPS"] * 1.01,
              f"{what}: BPS of vfs, against the device")
    # BPS is blocks per second of T, the time with I/O in flight. T may be longer than expected,
    # because another process may take the CPU during a read. But T is at most the interval. So BPS
    # of vfs is at least the number of blocks divided by the interval.
    expect_le(reads * size / 512 / seconds, number["vfs BPS"] * 1.01, f"{what}: BPS of vfs, T below the interval")
    # If a completion was lost, T (the time with I/O in flight) is too long by an unknown time. So
    # the concurrency has no lower limit.
    expect_true((0 if lost else 0.98) <= number["concurrency"] <= 1.02,
                f"{what}: one read after another: {number['concurrency']}")
    expect_le(fastest / 100, number["ARPT(ms)"], f"{what}: ARPT, against the load's fastest read")
    expect_le(number["p99(ms)"], p99 * 17 / 16 + 0.001, f"{what}: p99, against the load's")
    expect_ge(number["p99(ms)"], fastest / 100, f"{what}: p99, against the load's fastest read")


def sorted_by(word):
    return lambda screen: f" by {word}" in screen[0]


def rows_follow_the_keys(terminal):
    busy, large, wide = LOADS
    screen = keys(terminal, "i", sorted_by("iops"), "sorted by IOPS")
    expect_eq(order(screen), [busy, large, wide], "by IOPS")
    screen = keys(terminal, "w", sorted_by("bandwidth"), "sorted by bandwidth")
    expect_eq(order(screen), [large, busy, wide], "by bandwidth")
    screen = keys(terminal, "r", sorted_by("bandwidth, reversed"), "reversed")
    expect_eq(order(screen), [wide, busy, large], "the other way round")
    screen = keys(terminal, "r<", sorted_by("iops"), "the column to the left")
    expect_eq(order(screen), [busy, large, wide], "by IOPS again")
    screen = keys(terminal, "n", sorted_by("name"), "sorted by name")
    expect_eq(order(screen), sorted(LOADS), "by name")


def filter_is_typed(terminal):
    one = lambda screen: " 1 cgroup by" in screen[0]
    screen = keys(terminal, "/B?SY", one, "filtered")
    expect_eq((screen[-1], order(screen)), ("filter: B?SY", ["/busy"]), "filter while it is typed")
    terminal.press("Enter")
    screen = terminal.wait(lambda screen: screen[-1].startswith("h help"), "the end of typing")
    expect_eq(order(screen), ["/busy"], "filtered")
    terminal.type("f\u00df")
    terminal.press("BSpace", "BSpace", "BSpace", "BSpace", "BSpace")
    terminal.wait(lambda screen: screen[-1] == "filter:", "all taken back")
    terminal.type("\u6f22")
    terminal.wait(lambda screen: order(screen) == [list(LOADS)[2]], "characters of UTF-8")
    terminal.press("Escape")
    terminal.wait(lambda screen: order(screen) == ["/busy"], "what was before")
    terminal.press("Escape")
    terminal.wait(lambda screen: " 3 cgroups" in screen[0], "no filter")


@test()
def rows_equal_their_loads():
    with load(LOADS) as (disk, groups), Terminal(240, 24) as terminal:
        top(terminal, groups, "--by=cgroup -i 2s")

        def loads():
            before = counted(disk)
            latencies = {path: groups.read(path, *what) for path, what in LOADS.items()}
            return latencies, [now - then for now, then in zip(counted(disk), before)]
        (latencies, (reads, sectors)), screen = in_one_interval(terminal, loads)
        seconds = length(screen)
        rows = table(screen, "cgroup")
        expect_eq(set(rows), set(LOADS), "rows")
        for path in LOADS:
            expect_numbers(rows[path], *LOADS[path], latencies[path], seconds, path, loses(screen))
        expect_eq((reads, sectors * 512), (sum(n for n, _ in LOADS.values()),
                                           sum(n * size for n, size in LOADS.values())),
                  "the kernel's own counters and the loads")
        expect_true("amplification 1.000 " in "".join(screen), "amplification of the total")
        rows_follow_the_keys(terminal)
        filter_is_typed(terminal)
        screen = keys(terminal, "d", lambda screen: " 1 disk by" in screen[0], "disks")
        row = table(screen, "device")[os.path.basename(disk)]
        expect_share(float(row["IOPS"]) * seconds, reads, "of the disk: IOPS")
        expect_share(float(row["bandwidth(MiB/s)"]) * seconds, sectors / 2048, "of it: bytes")
        shown = keys(terminal, "c", lambda screen: " 3 cgroups" in screen[0], "cgroups")
        groups.read("/busy", 11, 4096)
        time.sleep(2.5)
        expect_eq(terminal.screen(), shown, "the screen during the pause")
        keys(terminal, " ", lambda screen: clock(screen) != clock(shown), "it goes on")
        terminal.type("q")
        expect_eq(terminal.ended(), 0, "status")


@test()
def a_screen_of_any_size():
    paths = [f"/g{i:02}" for i in range(40)]
    with load([*paths, HOSTILE]) as (_, groups), Terminal(80, 24) as terminal:
        top(terminal, groups, "--by=cgroup -i 2s --sort name -l device")
        title = terminal.says("pane_title")
        _, screen = in_one_interval(
            terminal, lambda: [groups.read(path, 3, 4096) for path in [*paths, HOSTILE]])
        for column in "vfs BPS", "dev BPS", "busy", "concurrency", "p99(ms)", "amplif.":
            expect_true(any(column in line for line in screen), f"{column} in 80 columns")
        rows = 24 - 5 - loses(screen)
        expect_eq(len(order(screen)), rows, "rows")
        terminal.press("NPage")
        terminal.wait(lambda screen: order(screen)[:1] == [paths[rows - 1]], "the next page")
        terminal.press("End")
        screen = terminal.wait(lambda screen: order(screen)[-1:] == ["/g39"], "the end")
        terminal.press("Home", "Down")
        terminal.wait(lambda screen: any(": its neighbours are measured" in line for line in screen),
                      "the line of the selected row")
        terminal.press("Escape")
        screen = terminal.wait(lambda screen: len(order(screen)) == rows, "the first page")
        expect_true(re.fullmatch(r"/\?\]0;.*~x+", order(screen)[0]),
                    f"both ends of a long name: {order(screen)[0]!r}")
        expect_eq((terminal.says("pane_title"), terminal.says("alternate_on")), (title, "1"),
                  "title and screen, unchanged by the name")
        for width, height in (40, 10), (1, 1), (300, 60), (5, 3), (80, 24):
            terminal.resize(width, height)
            terminal.wait(lambda screen: len(screen) == height, f"{width}x{height}")
            time.sleep(0.2)
        expect_eq(terminal.wait_for(paths[rows - 2]), screen, "the screen after resizing")
        terminal.resize(300, 60)
        screen = terminal.wait(lambda screen: len(order(screen)) == 41, "all rows")
        name = next(n for n in order(screen) if n.endswith("xxx"))
        expect_true(name.startswith("/?]0;hacked??[2J???x"),
                    f"a name without control characters: {name!r}")
        keys(terminal, "h", lambda screen: any("q        quit" in line for line in screen), "help")
        keys(terminal, "x", lambda screen: len(order(screen)) == 41, "rows again")
        terminal.resize(80, 24)
        terminal.wait(lambda screen: len(order(screen)) == rows, "80x24 again")
        terminal.type("q")
        expect_eq(terminal.ended(), 0, "status")


def write_disk(disk, count, size):
    fd, buffer = os.open(disk, os.O_WRONLY | os.O_DIRECT), mmap.mmap(-1, size)
    for i in range(count):
        os.pwrite(fd, buffer, i * size % SIZE)


def bytes_of(row, operation, seconds):
    return float(row[f"{operation}(MiB/s)"]) * seconds * 2**20


# The bandwidth of a row does not show which cgroup writes. So reads and writes have columns of
# their own.
@test()
def reads_and_writes_of_cgroups():
    with load(["/above", "/above/reads", "/above/writes"]) as (disk, groups), Terminal(220, 24) as terminal:
        top(terminal, groups, "--by=cgroup -i 2s --sort=write")

        def loads():
            groups.read("/above/reads", 307, 65536)
            groups.call("/above/writes", write_disk, disk, 211, 32768)
        _, screen = in_one_interval(terminal, loads)
        rows, seconds = table(screen, "cgroup"), length(screen)
        read, written = 307 * 65536, 211 * 32768
        for path, expected in (("/above", (read, written)), ("/above/reads", (read, 0)),
                               ("/above/writes", (0, written))):
            for operation, number in zip(("read", "write"), expected):
                seen = bytes_of(rows[path], operation, seconds)
                expect_true(abs(seen - number) <= 0.01 * number, f"{path}, {operation}: {seen} of {number}")
        expect_eq(order(screen)[2], "/above/reads", "by writes")
        screen = keys(terminal, "R", sorted_by("read"), "sorted by reads")
        expect_eq(order(screen)[2], "/above/writes", "by reads")
        terminal.type("q")
        expect_eq(terminal.ended(), 0, "status")


def write_and_sync(path, count, longest):
    """Makes @count writes and syncs. Stores the duration of the longest sync in ms in @longest,
    which is shared memory."""
    fd = os.open(path, os.O_CREAT | os.O_WRONLY)
    times = []
    for i in range(count):
        os.pwrite(fd, bytes(4096), i * 4096)
        start = time.perf_counter()
        os.fdatasync(fd)
        times.append(time.perf_counter() - start)
    struct.pack_into("d", longest, 0, max(times) * 1000)


SYNCS = 53


# Syncs show how long a database waits for the disk, so the screen must have them.
@test()
def syncs_have_a_line_and_a_column():
    path, longest = os.path.join(scratch_dir(), "synced"), mmap.mmap(-1, 8)
    with load(["/a"]) as (_, groups), Terminal(150, 24) as terminal:
        top(terminal, groups, "--by=cgroup -i 2s --sort=sync-p99")
        _, screen = in_one_interval(
            terminal, lambda: groups.call("/a", write_and_sync, path, SYNCS, longest))
        [line] = [line for line in screen if line.startswith("vfs sync ")]
        found = dict(re.findall(r"(p50|p90|p95|p99|max|syncs/s) (\S+(?: [mu]?s\b)?)", line))
        expect_eq(list(found), ["p50", "p90", "p95", "p99", "max", "syncs/s"], line)
        expect_share(float(found["syncs/s"]) * length(screen), SYNCS, "syncs")
        p99 = float(table(screen, "cgroup")["/a"]["sync p99(ms)"])
        number, unit = found["p99"].split()
        milliseconds = float(number) * {"us": 1e-3, "ms": 1, "s": 1e3}[unit]
        expect_true(abs(p99 - milliseconds) <= 0.0005 + 0.005 * milliseconds,
                    f"p99 in the column {p99} ms, in the line {found['p99']}")
        expect_true(0 < p99 <= struct.unpack("d", longest)[0] * 17 / 16 + 0.001,
                    f"p99 {p99}, longest sync {struct.unpack('d', longest)}")
        terminal.type("q")
        expect_eq(terminal.ended(), 0, "status")


def colours(terminal):
    return set(re.findall("\x1b\\[[\\d;]*?(3[0-7])m", terminal.tmux("capture-pane", "-p", "-e")))


@test()
def columns_follow_the_width():
    with load(["/a"]) as (disk, groups), Terminal(80, 24) as terminal:
        name = os.path.basename(disk)
        top(terminal, groups, "-i 2s -d", name)
        _, screen = in_one_interval(terminal, lambda: groups.read("/a", 307, 8192))
        row = table(screen, "device")[name]
        expect_true(max(map(len, screen)) <= 80, "lines of 80 columns")
        expect_true({"dev BPS", "busy", "IOPS", "bandwidth(MiB/s)"} <= set(row), f"{row}")
        expect_true(not {"vfs BPS", "amplif."} & set(row), f"columns that disks do not have: {row}")
        terminal.resize(200, 60)
        screen = terminal.wait(lambda screen: len(screen) == 60 and "busy, by interval" in "".join(screen),
                               "the history")
        row = table(screen, "device")[name]
        expect_eq((row["write(MiB/s)"], row["flushes/s"]), ("0.00", "0.0"), "writes, flushes")
        expect_eq(row["read(MiB/s)"], row["bandwidth(MiB/s)"], "reads")
        busy = -(-float(row["busy"]) * 8 // 1)
        line = next(line for line in screen if line.startswith(name))
        expect_true(line[-1] in "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"[int(busy) - 1:][:1],
                    f"busy {row['busy']} in the history: {line}")
        expect_true("36" in colours(terminal), f"colours: {colours(terminal)}")
        terminal.resize(80, 24)
        keys(terminal, "h", lambda screen: screen[-2:] == ["q        quit", "h help  q quit"], "80x24")
        terminal.type("q")
        expect_eq(terminal.ended(), 0, "status")
        terminal.resize(200, 60)
        terminal.type("until stty size | grep 60.200; do sleep 0.1; done\n")
        terminal.wait_for("60 200")
        terminal.start(f"NO_COLOR=1 {IOSPAN} top --within {groups.top} --attribution=task "
                       f"-d {name} --sort IOPS --top 1 -i 2s")
        terminal.wait_for("amplification ")
        _, screen = in_one_interval(terminal, lambda: groups.read("/a", 11, 8192))
        expect_true(" by iops" in screen[0], screen[0])
        expect_true(any(line.startswith(name) for line in screen), "a row")
        expect_eq(colours(terminal), set(), "colours with NO_COLOR")
        terminal.type("q")
        expect_eq(terminal.ended(), 0, "status")


def set_size(fd, width, height):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))


def wait_for_output(fd, text):
    """Waits until the output has @text. os.read() fails with EIO if the program has ended."""
    seen = b""
    while text not in seen:
        try:
            seen += os.read(fd, 1 << 16)
        except OSError:
            assert_true(False, f"{text}, before the end: {seen}")


# The terminal grows from a small size to the largest possible one, and shrinks again. tmux cannot
# make such a terminal, so the test uses a pty. The second run has TERM=linux,
# a terminal without a size in terminfo. A memory limit protects the machine.
@test()
def the_largest_terminal():
    needs_run()
    needs(os.path.basename(BUILD) != "san", "AddressSanitizer needs more addresses than the limit")
    small, large = (100, 24), (65535, 65535)
    for before, after, kind in (small, large, "xterm"), (large, small, "linux"):
        pid, fd = pty.fork()
        if pid == 0:
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
            set_size(0, *before)
            os.execve(IOSPAN, [IOSPAN, "top", "-i", "200ms"], {**os.environ, "TERM": kind})
        top_pid = os.pidfd_open(pid)
        try:
            wait_for_output(fd, b"amplification")
            set_size(fd, *after)
            wait_for_output(fd, b"amplification")
            os.write(fd, b"q")
            _, status, used = os.wait4(pid, 0)
            expect_eq(os.waitstatus_to_exitcode(status), 0, f"status, from {before} to {after}, {kind}")
            expect_le(used.ru_maxrss, 512 << 10, "KiB of memory")
        finally:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(top_pid, signal.SIGKILL)
            os.close(top_pid)
            os.close(fd)


@test()
def processes_equal_their_loads():
    with load(["/a"]) as (_, groups), Terminal(220, 24) as terminal:
        top(terminal, groups, "--by=cgroup -i 2s")
        keys(terminal, "p", lambda screen: re.search(r"  \d\d:.* process(es)? by", screen[0]),
             "processes")
        latencies, screen = in_one_interval(terminal, lambda: groups.read("/a", 1009, 4096))
        [row] = (row for name, row in table(screen, "process").items()
                 if name.endswith(f"[{groups.pid}]"))
        expect_numbers(row, 1009, 4096, latencies, length(screen), "the process",
                       loses(screen))
        terminal.type("q")
        expect_eq(terminal.ended(), 0, "status")


def pid_of(terminal):
    shell = int(terminal.says("pane_pid"))
    found, below = 0, {shell}
    for _ in range(3):
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                text = kernel.read("/proc", pid, "stat")
            except OSError:
                continue
            if int(text.rpartition(") ")[2].split()[1]) in below:
                below.add(int(pid))
                found = int(pid) if "(iospan)" in text else found
    return found


@test()
def a_signal_ends_it():
    with load() as (_, groups), Terminal() as terminal:
        top(terminal, groups, "-l device")
        # While the user types a filter, top shows the cursor. A signal must end top and restore the
        # terminal even then.
        terminal.type("/typing")
        terminal.wait(lambda screen: screen[-1] == "filter: typing", "typing")
        os.kill(pid_of(terminal), 15)
        expect_eq(terminal.ended(), 0, "status")
        terminal.start(f"{IOSPAN} top --within {groups.top} -l device -i 10ms -n 3")
        expect_eq(terminal.ended(), 0, "status after the last interval")


@test()
def messages_appear_after_the_terminal_is_restored():
    needs_run()
    needs_terminal()
    with Terminal() as terminal:
        terminal.start(f"{IOSPAN} top --within /nosuch")
        expect_eq(terminal.ended(), 1, "status")
        terminal.wait_for("iospan: cannot use the cgroup '/nosuch': No such file")
        for line in f"TERM=nosuch {IOSPAN} top", f"{IOSPAN} top </dev/null", \
                    f"{IOSPAN} top 2>&1 | cat":
            terminal.start(line)
            terminal.ended()
            terminal.wait_for("iospan: top needs a terminal, and TERM to name its kind; without one, ")
        for words, message in (("-i 1ms", "--interval is a time from 10ms to 24h"),
                               ("now", "top takes no argument 'now'; see "),
                               ("5s", "top takes no argument '5s'; for an interval, try: -i 5s"),
                               ("--sort x", "unknown column to sort by 'x'")):
            terminal.start(f"{IOSPAN} top {words}")
            expect_eq(terminal.ended(), 2, f"status of {words}")
            terminal.wait_for(message)


def processor_ticks(pid):
    fields = kernel.read("/proc", str(pid), "stat").rpartition(") ")[2].split()
    return int(fields[11]) + int(fields[12])


@test(long=True)
def a_thousand_groups():
    paths = [f"/group-{i:04}" for i in range(1000)]
    with load(paths) as (_, groups), Terminal(100, 50) as terminal:
        top(terminal, groups, "--by=cgroup")
        pid = pid_of(terminal)
        wait_for_next(terminal)
        for path in paths:
            groups.read(path, 1, 4096)
        wait_for_next(terminal)
        seconds, ticks = time.monotonic(), processor_ticks(pid)
        time.sleep(4)
        ticks, seconds = processor_ticks(pid) - ticks, time.monotonic() - seconds
        diagnostic(f"1,000 idle groups: {100 * ticks / 100 / seconds:.2f} % of a "
                   "processor")
        for path in paths[:500]:
            groups.read(path, 1, 4096)
        terminal.wait(lambda screen: " 0 cgroups" not in screen[0], "rows")
        terminal.type("q")
        expect_eq(terminal.ended(), 0, "status")


main()
