# SPDX-License-Identifier: GPL-2.0-or-later
"""The harness of test programs in Python, with the functions of harness.h. A file has tests and
main():

    #!/usr/bin/env -S python3 -B
    # SPDX-License-Identifier: GPL-2.0-or-later
    '''What breaks if this fails.'''
    from lib.ktap import *

    @test()                     # or @test(seconds=300), @test(long=True)
    def overlap_counts_once():
        needs(root(), "needs root")
        expect_eq(union([(0, 2), (1, 3)]), 3)

    main()

Each test runs in a child with a time limit and, as root, a mount namespace of its own. When
it ends, the processes that it left are killed. Its output is shown only if it fails; the lines of
diagnostic() are always shown. Options, output and exit status are those of a test program in C.
A document of iospan that a test reads as JSON must match its schema, see schema.py.
$IOSPAN_TESTS selects short, long or all tests; tests/run sets it.
"""
import fnmatch
import getopt
import json
import os
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback

from lib import kernel, schema

__all__ = ["test", "main", "needs", "diagnostic", "scratch_dir", "root", "fail",
           "expect_eq", "expect_le", "expect_ge", "expect_near", "expect_true", "expect_time",
           "assert_eq", "assert_true", "scaled",
           "EMULATED", "IOSPAN", "BUILD"]

TOP = os.path.abspath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
BUILD = os.environ.get("IOSPAN_BUILD", os.path.join(TOP, "build"))
IOSPAN = os.environ.get("IOSPAN", os.path.join(TOP, "build", "iospan"))
GRACE_S = 5
# The report of a failed expectation names a line of the test. It is the innermost line of the call
# stack outside these files.
HARNESS = os.path.abspath(__file__), schema.__file__, json.__file__
# the factor by which an emulated machine is slower than a real one
SLOW = int(os.environ.get("IOSPAN_SLOW", "1"))
EMULATED = SLOW > 1
TESTS = os.environ.get("IOSPAN_TESTS", "all")
PASSED, FAILED, SKIPPED = 0, 1, 4

tests = []
beforehand = []  # functions that run once before the tests, which share their results
work = None  # the scratch directory of the current test
failures = 0
stolen_before_ms = 0  # kernel.stolen_ms() when the test started


class Skip(Exception):
    pass


class End(Exception):
    pass


def test(seconds=180, name=None, long=False):
    """Declares a test with a limit in seconds. If @long is true, only `make check-long` runs it."""
    def add(function):
        if TESTS in ("all", "long" if long else "short"):
            tests.append((name or function.__name__, function, seconds))
        return function
    return add


def fail(text):
    global failures
    failures += 1
    at = next(f for f in reversed(traceback.extract_stack()) if f.filename not in HARNESS)
    print(f"{os.path.relpath(at.filename, TOP)}:{at.lineno}: {text}", flush=True)
    return False


def expect(holds, seen, operator, expected, what):
    return holds or fail(f"{what + ': ' if what else ''}seen {seen!r}, "
                         f"expected {operator} {expected!r}")


def expect_eq(seen, expected, what=""):
    return expect(seen == expected, seen, "==", expected, what)


def expect_le(seen, expected, what=""):
    return expect(seen <= expected, seen, "<=", expected, what)


def expect_ge(seen, expected, what=""):
    return expect(seen >= expected, seen, ">=", expected, what)


def expect_near(seen, expected, tolerance, what=""):
    return expect(abs(seen - expected) <= tolerance, seen, f"(within {tolerance})",
                  expected, what)


def expect_time(seen, least, most, what):
    """Checks a time in ns against the bounds that an independent observer, such as ftrace, gives.
    If the host did not run this machine for some time since the start of the test, the bounds are
    wider by that time."""
    stolen = (kernel.stolen_ms() - stolen_before_ms) * 1_000_000
    if stolen:
        diagnostic(f"{what}: the bounds are {stolen} ns wider, which the host took away")
    return expect_true(least - stolen <= seen <= most + stolen,
                       f"{what}: seen {seen!r}, expected {least!r} to {most!r}, "
                       f"{stolen} ns taken away by the host")


def expect_true(holds, what):
    return holds or fail(f"not true: {what}")


def assert_eq(seen, expected, what=""):
    if not expect_eq(seen, expected, what):
        raise End


def assert_true(holds, what):
    if not expect_true(holds, what):
        raise End


def needs(holds, reason):
    """Skips the rest of the test unless @holds is true. If an expectation has already failed, the
    test counts as failed, not as skipped."""
    if not holds:
        raise Skip(reason)


def diagnostic(text):
    with open(os.path.join(work, "diagnostics"), "a", encoding="utf-8") as f:
        f.write(text + "\n")


def scaled(many):
    """Returns @many, the size of a test, or a smaller size on a slow machine."""
    return many // SLOW


def root():
    return os.geteuid() == 0


def scratch_dir():
    """Returns a directory on a real disk, which is removed when the test ends."""
    path = os.path.join(work, "scratch")
    os.makedirs(path, exist_ok=True)
    return path


def base_dir():
    for path in (os.environ.get("TMPDIR"), "/var/tmp"):
        if path and os.path.isdir(path) and not kernel.is_memory(path):
            return path
    return BUILD


def child_main(function, output):
    global stolen_before_ms
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.chdir(TOP)
    # The caller may ignore these signals, as nohup does. Without this loop, the commands that tests
    # start would ignore them too.
    for number in signal.SIGHUP, signal.SIGQUIT, signal.SIGCHLD:
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stolen_before_ms = kernel.stolen_ms()
    if not EMULATED:  # an emulated machine takes seconds for the checks
        schema.watch(fail)
    status = FAILED
    try:
        if root():
            kernel.private_mounts()
        function()
        status = PASSED
    except Skip as skip:
        status = SKIPPED
        with open(os.path.join(work, "skipped"), "w", encoding="utf-8") as f:
            f.write(str(skip))
    except End:
        pass
    except BaseException:  # any exit from a test other than a return is a failure
        traceback.print_exc()
    sys.stdout.flush()
    if failures:
        status = FAILED
    os._exit(status)


def descendants(pid):
    """Returns [(pid, name)] of all running processes below @pid, in any session. A process that lost
    its parent is below the test program, which adopts it."""
    below = {pid}
    table = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as f:
                head, _, tail = f.read().rpartition(") ")
        except OSError:
            continue
        state, parent = tail.split()[:2]
        table.append((int(entry), int(parent), head.partition("(")[2], state))
    while more := {p for p, parent, _, _ in table if parent in below} - below:
        below |= more
    return [(p, name) for p, _, name, state in table
            if p in below and p != pid and state != "Z"]


def kill_left():
    """Kills all descendants. Cleanup processes first have GRACE_S to end by themselves."""
    deadline = time.monotonic() + GRACE_S
    while left := descendants(os.getpid()):
        for pid, name in left:
            if name in kernel.CLEANERS and time.monotonic() < deadline:
                continue
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.01)


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def read_now(pipe):
    """Returns the data that the pipe has now: b"" at its end, None if it has no data."""
    os.set_blocking(pipe, False)
    try:
        return os.read(pipe, 1 << 20)  # more than a pipe can hold
    except BlockingIOError:
        return None


def watch(pid, pipe, seconds):
    """Returns (output of the child until it ends, whether it exceeded its limit)."""
    text, late, deadline = b"", False, time.monotonic() + seconds
    pidfd = os.pidfd_open(pid)
    sources, ended = [pipe, pidfd], False
    while not ended:
        ready = select.select(sources, [], [], max(0, deadline - time.monotonic()))[0]
        ended = pidfd in ready
        # Reads the pipe even if select() did not report it, because the child may have written its
        # last output after select() looked at the pipe.
        data = read_now(pipe)
        if data == b"":
            sources = [pidfd]
        text = (text + (data or b""))[-100000:]
        if not ready:
            os.kill(pid, signal.SIGKILL if late else signal.SIGTERM)
            late, deadline = True, time.monotonic() + GRACE_S
    os.close(pidfd)
    return text.decode(errors="replace"), late


def run(function, seconds):
    """Runs a test in a child. Returns (status, reason, output). The reason is None unless the child
    exceeded its limit or was killed."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        child_main(function, writing)
    os.close(writing)
    try:
        text, late = watch(pid, reading, seconds)
    finally:
        kill_left()
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        reap()
        os.close(reading)
    if late:
        return FAILED, f"out of time after {seconds} s", text
    if status < 0:
        return FAILED, f"killed by signal {-status}", text
    return status, None, text


def read_work(name):
    try:
        with open(os.path.join(work, name), encoding="utf-8") as f:
            return f.read()
    except FileNotFoundError:
        return ""


def report(number, name, status, why, text):
    comments = read_work("diagnostics")
    if status == FAILED:
        comments += text + (why or "")
    for line in comments.splitlines():
        print("# " + line)
    ok = "not ok" if status == FAILED else "ok"
    skip = f" # SKIP {read_work('skipped')}" if status == SKIPPED else ""
    print(f"{ok} {number} {name}{skip}", flush=True)


def run_one(number, name, function, seconds):
    global work
    work = tempfile.mkdtemp(prefix="iospan-test-", dir=base_dir())
    try:
        status, why, text = run(function, seconds)
        report(number, name, status, why, text)
        return status
    finally:
        shutil.rmtree(work)


def run_all(chosen):
    seen = set()
    if not EMULATED:
        schema.installed()
    for function in beforehand:
        function()
    print(f"KTAP version 1\n1..{len(chosen)}", flush=True)
    for number, (name, function, seconds) in enumerate(chosen, 1):
        seen.add(run_one(number, name, function, seconds))
    return 1 if FAILED in seen else 0 if PASSED in seen else 4


def bail_out(number, _):
    """Ends the program after a signal. tests/run shows the printed line as the reason."""
    os.write(1, f"Bail out! {signal.Signals(number).name}\n".encode())
    sys.exit(128 + number)


def main():
    try:
        options, rest = getopt.getopt(sys.argv[1:], "lt:")
    except getopt.GetoptError as error:
        sys.exit(f"{error}")
    patterns = [value for option, value in options if option == "-t"]
    chosen = [t for t in tests if not patterns or
              any(fnmatch.fnmatchcase(t[0], p) for p in patterns)]
    if rest or patterns and not chosen:
        print("no such test", file=sys.stderr)
        sys.exit(2)
    if not chosen:
        print(f"KTAP version 1\n1..0 # SKIP no {TESTS} tests")
        sys.exit(4)
    if ("-l", "") in options:
        print("\n".join(t[0] for t in chosen))
        sys.exit(0)
    signal.signal(signal.SIGTERM, bail_out)
    kernel.adopt_orphans()
    try:
        sys.exit(run_all(chosen))
    except Exception as error:
        print(f"Bail out! {error!r}", flush=True)
        raise
