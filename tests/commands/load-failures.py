#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests iospan bench load when requests or system calls fail during the load. A worker is a process
or thread that issues the requests."""
import contextlib
import ctypes
import errno
import os
import resource
import signal
import struct
import subprocess
import sys
import threading
import time

from lib import disks, kernel
from lib.ktap import *
from lib.loads import Running, load
from lib.measure import needs_another_user

MIB = 1 << 20
PAUSE_S = 1.2  # longer than 1 s: iospan ends a load that has had no success for 1 s
HEAD_START_S = 0.08
WAIT_S = 10  # iospan waits this long for locked memory that other programs free
# The build without sanitisers, because a program with sanitisers needs terabytes of address space.
PLAIN = IOSPAN.replace("/san/", "/")
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
SYS_IO_URING_SETUP, SYS_IO_URING_ENTER = 425, 426
SECCOMP_FAIL, SECCOMP_ALLOW = 0x50000 | errno.EPERM, 0x7fff0000
LOAD, EQUAL, GREATER, RETURN = 0x20, 0x15, 0x25, 0x06  # instructions of classic BPF
LOCKERS = 61733, 61734, 61735, 61736  # users without other programs


def new_file(size=8 * MIB, folder=None):
    path = os.path.join(folder or scratch_dir(), "file")
    with open(path, "wb") as f:
        f.write(os.urandom(size))
    return path


def expect_no_result(result, words, status=1):
    expect_eq((result[0], bool(result[1]), result[2].count("\n")), (status, False, 1),
              f"status, result, lines of {result[2]!r}")
    expect_true(words in result[2], f"{words!r} in {result[2]!r}")


def expect_partial(result, words):
    """Checks that the load ended because of errors, and that it reports the result until then."""
    status, found, err = result
    expect_true(words in err and err.count("\n") == 1, f"{words!r} in {err!r}")
    if expect_true(found, "a result"):
        app = found["layers"]["app"]
        expect_eq((status, found["complete"], found["ended_by"]), (1, False, "error"),
                  "status, complete, why")
        expect_ge(app["accesses"], 1, "accesses")
        expect_ge(app["errors"], 1, "failed requests")


# The error must name the largest value of --unique-bytes that works.
@test()
def a_target_smaller_than_the_load():
    few = ("--engine=psync", "--warm-up=0", "--count=1")
    file = new_file(MIB)
    for options, value, too_much in (
            ((), "1M", "1028k"),
            (("--size=1M",), "1M", "1028k"),
            (("--procs=3",), "1020k", "1032k"),
            (("--procs=3", "--size=512", "--align=512", "--buffered"), "1023k", "1047k")):
        wanted = f"has only 1.00 MiB, but 1.00 GiB are needed; use --unique-bytes {value} or less\n"
        expect_no_result(load(file, *few, *options, "--unique-bytes=1G"), wanted)
        expect_eq(load(file, *few, *options, f"--unique-bytes={value}")[0::2], (0, ""), value)
        expect_no_result(load(file, *few, *options, f"--unique-bytes={too_much}"), "has only 1.00 MiB")
    expect_no_result(load(file, *few, "--size=1M", "--procs=2", "--unique-bytes=1G"),
                     "; use a larger target, fewer processes or smaller requests")


@test()
def a_file_truncated_to_zero():
    for engine, words in (("uring", "No data available"), ("psync", "No data available"),
                          ("mmap", "Input/output error")):
        path = new_file()
        run = Running(path, "--unique-bytes", 8 * MIB, "-t", "600s", "--engine", engine, "--buffered")
        run.until("accesses", 1)
        os.truncate(path, 0)
        expect_partial(run.end(), words)


@test()
def a_file_truncated_to_a_half():
    for engine in ("uring", "psync", "mmap"):
        path = new_file()
        run = Running(path, "--unique-bytes", 8 * MIB, "-t", "600s", "--engine", engine, "--buffered")
        os.truncate(path, 4 * MIB)
        status, found, err = run.rounds(15).failing().signal(signal.SIGTERM).end()
        expect_eq((status, err, found["ended_by"]), (0, "", "interrupted"), engine)
        app = found["layers"]["app"]
        expect_ge(app["errors"], 1, f"{engine}: failed requests")
        expect_ge(app["accesses"] - app["errors"], 1, f"{engine}: other requests")
        expect_eq((found["short_requests"], found["first_error"]),
                  (0, "Input/output error" if engine == "mmap" else "No data available"), engine)


# Half of the requests fail. The test pauses all processes, as a hypervisor pauses a machine. It
# first continues the process that watches the load, and later the workers. In between, no request
# succeeds, but the watching process must not end the load.
@test()
def a_pause_does_not_end_a_load():
    for engine in "uring", "psync":
        path = new_file()
        run = Running(path, "--unique-bytes", 8 * MIB, "-t", "600s", "--engine", engine, "--buffered")
        os.truncate(path, 4 * MIB)
        for _ in range(4):
            run.rounds(5).stop()
            time.sleep(PAUSE_S)
            os.kill(run.child.pid, signal.SIGCONT)
            time.sleep(HEAD_START_S)
            run.signal(signal.SIGCONT)
        status, found, err = run.rounds(5).signal(signal.SIGTERM).end()
        expect_eq((status, err, found["ended_by"]), (0, "", "interrupted"), engine)


@test()
def reads_across_the_end_of_a_file():
    """The test truncates the file, so that the last block has only 512 bytes. A read of this block
    must count as short, and not as an error."""
    for engine in "uring", "psync":
        path = new_file()
        run = Running(path, "--unique-bytes", 8 * MIB, "--size", MIB, "--align", MIB, "-t", "600s",
                      "--engine", engine, "--buffered")
        os.truncate(path, 7 * MIB + 512)
        status, found, err = run.rounds(15).signal(signal.SIGTERM).end()
        expect_eq((status, found["ended_by"]), (0, "interrupted"), f"{engine}: {err}")
        app, short = found["layers"]["app"], found["short_requests"]
        expect_ge(short, 1, f"{engine}: short requests")
        expect_eq(app["bytes"], (app["accesses"] - short) * MIB + short * 512, f"{engine}: bytes")


def fill(folder):
    """Fills the file system of @folder with a file, and returns the path of the file."""
    path = os.path.join(folder, "filler")
    with open(path, "wb", buffering=0) as f:
        try:
            while f.write(bytes(4096)):
                pass
        except OSError as e:
            assert_eq(e.errno, errno.ENOSPC, "filling")
    return path


# While the load is stopped, the test punches a hole into its file, and another file takes the freed
# blocks. Then only writes to the hole must fail.
@test()
def a_full_disk_during_writes():
    needs(root(), "needs root")
    folder = os.path.join(scratch_dir(), "small")
    os.mkdir(folder)
    kernel.mount("tmpfs", folder, options="size=16m")
    for engine, reason in (("uring", errno.ENOSPC), ("psync", errno.ENOSPC),
                           ("mmap", errno.EIO)):
        path = new_file(folder=folder)
        run = Running(path, "--unique-bytes", 8 * MIB, "--read", "0", "--seq", "1", "--destroy",
                      "--buffered", "-t", "600s", "--engine", engine)
        run.stop()
        subprocess.run(["fallocate", "--punch-hole", "--length", str(4 * MIB), path], check=True)
        filler = fill(folder)
        status, found, err = run.signal(signal.SIGCONT).failing().signal(signal.SIGTERM).end()
        os.unlink(filler)
        expect_eq((status, err, found["ended_by"], found["first_error"]),
                  (0, "", "interrupted", os.strerror(reason)), engine)
        app = found["layers"]["app"]
        expect_ge(app["errors"], 1, f"{engine}: failed requests")
        expect_ge(app["accesses"] - app["errors"], 1, f"{engine}: other requests")


# Another process takes the free space after iospan has checked it, and before iospan allocates it.
# iospan must report the full disk.
@test()
def a_full_disk_before_the_load():
    needs(root(), "needs root")
    with kernel.loop_disk(300 * MIB) as disk:
        subprocess.run(["mkfs.ext4", "-q", disk], check=True)
        kernel.mount("ext4", scratch_dir(), disk)
        for _ in range(20):
            before = os.statvfs(scratch_dir()).f_bfree
            child = subprocess.Popen([IOSPAN, "bench", "load", scratch_dir(), "--unique-bytes", "200M",
                                      "-n", "1"], stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True)
            while os.statvfs(scratch_dir()).f_bfree == before and child.poll() is None:
                pass
            if child.poll() is None:
                kernel.stop(child.pid)
            left = os.statvfs(scratch_dir())
            with open(os.path.join(scratch_dir(), "full"), "wb") as f:
                os.posix_fallocate(f.fileno(), 0, max(left.f_bavail - 64, 1) * left.f_bsize)
            child.send_signal(signal.SIGCONT)
            out, err = child.communicate()
            os.unlink(os.path.join(scratch_dir(), "full"))
            if child.returncode:
                break  # iospan was stopped before it had allocated its file
        expect_no_result((child.returncode, out, err), "No space left")
        expect_eq(os.listdir(scratch_dir()), ["lost+found"], "files left")
        kernel.unmount(scratch_dir())


@test()
def a_disk_without_a_successful_request():
    needs(root(), "needs root")
    for engine in ("uring", "psync"):
        path = new_file()
        with disks.loop_over(path) as disk:
            run = Running(disk, "--unique-bytes", 8 * MIB, "-t", "600s", "--engine", engine)
            run.until("accesses", 1)
            os.truncate(path, 0)
            expect_partial(run.end(), "Input/output error")


# If only some requests fail, the result is complete, and must report the failures.
@test()
def a_disk_with_some_failing_sectors():
    needs(root(), "needs root")
    path = new_file()
    with disks.loop_over(path) as disk:
        os.truncate(path, 7 * MIB)
        status, found, err = load(disk, "--unique-bytes", 8 * MIB, "-n", 1000)
        app = found["layers"]["app"]
        expect_eq((status, err, found["complete"], found["first_error"]),
                  (0, "", True, "Input/output error"), "status, stderr, complete, first error")
        expect_near(app["errors"], 125, 60, "errors, an eighth of all")
        expect_eq(app["accesses"], 1000, "accesses")
        os.truncate(path, 0)
        expect_partial(load(disk, "--unique-bytes", 8 * MIB, "-n", 100), "no request succeeds: Input")


def forbid(*program):
    """Installs a seccomp filter. @program: its instructions (code, jump if true, jump if false,
    value)."""
    libc = ctypes.CDLL(None, use_errno=True)
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in program))
    filter_ = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program),
                                                      ctypes.addressof(code)))
    kernel.check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    kernel.check(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter_, 0, 0))


def forbid_io_uring():
    forbid((LOAD, 0, 0, 0), (EQUAL, 0, 1, SYS_IO_URING_SETUP), (RETURN, 0, 0, SECCOMP_FAIL),
           (RETURN, 0, 0, SECCOMP_ALLOW))


def forbid_waits_for_several():
    # 32 is the offset of args[2] in struct seccomp_data. For io_uring_enter(), this argument is the
    # number of requests to wait for.
    forbid((LOAD, 0, 0, 0), (EQUAL, 0, 3, SYS_IO_URING_ENTER), (LOAD, 0, 0, 32), (GREATER, 0, 1, 1),
           (RETURN, 0, 0, SECCOMP_FAIL), (RETURN, 0, 0, SECCOMP_ALLOW))


# The load must handle each completed request at once. If it waited until several requests have
# ended, latencies would be too long, and fewer requests would be in flight.
@test()
def a_load_waits_for_one_request_at_a_time():
    for options in ((), ("--rate=20000",), ("--think=10us",), ("--verify", "--read=0.5"),
                    ("--sqpoll",)):
        status, found, err = load(scratch_dir(), "--unique-bytes=1M", "--depth=32", "--batch=8",
                                  "--count=2000", *options, preexec_fn=forbid_waits_for_several)
        expect_eq((status, err), (0, ""), f"status, error with {options}")
        expect_eq(found["layers"]["app"]["errors"], 0, f"failed requests with {options}")


@test()
def io_uring_is_forbidden():
    for options in ((), ("--procs", 4), ("--procs", 4, "--processes")):
        expect_no_result(load(scratch_dir(), "--unique-bytes", MIB, "-n", 10, *options,
                              preexec_fn=forbid_io_uring), "use --engine psync")
    status, found, err = load(scratch_dir(), "--unique-bytes", MIB, "-n", 10, "--engine", "psync",
                              preexec_fn=forbid_io_uring)
    expect_eq((status, err, found["complete"]), (0, "", True), "psync")
    expect_eq(os.listdir(scratch_dir()), [], "files left")


def limit_locked_memory():
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (64 << 10, 64 << 10))


# Creates io_urings until RLIMIT_MEMLOCK is used up. They exist until this program ends.
USE_LOCKED_MEMORY = f"""import ctypes, errno, os, sys
os.setuid(int(sys.argv[1]))
libc = ctypes.CDLL(None, use_errno=True)
while libc.syscall({SYS_IO_URING_SETUP}, 8, bytes(120)) >= 0:
    pass
print(errno.errorcode[ctypes.get_errno()], flush=True)
sys.stdin.read()"""


@contextlib.contextmanager
def locked_memory_in_use(user):
    """Starts another program of @user, which uses up the locked memory of this user. Since Linux
    6.14, this memory includes the rings of an io_uring."""
    with subprocess.Popen([sys.executable, "-c", USE_LOCKED_MEMORY, str(user)],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=limit_locked_memory) as other:
        needs(other.stdout.readline() == "ENOMEM\n",
              "RLIMIT_MEMLOCK does not limit the number of rings on this kernel")
        yield other


def load_with_locked_memory(*options, user):
    """Runs a load of @user with little memory to lock. iospan waits WAIT_S for this memory, because
    the kernel frees it some time after the end of a program. If a pause of the machine takes that
    long, the load starts again."""
    for _ in range(5):
        begin = time.monotonic()
        result = load(*options, user=user, preexec_fn=limit_locked_memory)
        if not result[0] or time.monotonic() - begin < WAIT_S:
            break
    return result


def file_for_all_users():
    needs_another_user()
    path = new_file()
    os.chmod(path, 0o666)
    os.chmod(os.path.dirname(scratch_dir()), 0o755)
    return path


@test()
def locked_memory_of_other_rings():
    path = file_for_all_users()
    small = ["--unique-bytes", MIB, "-n", 10]
    with locked_memory_in_use(LOCKERS[0]):
        expect_no_result(load(path, *small, user=LOCKERS[0], preexec_fn=limit_locked_memory),
                         "RLIMIT_MEMLOCK, 64 KiB")
    with locked_memory_in_use(LOCKERS[1]) as other:
        ending = threading.Timer(0.5, other.stdin.close)
        ending.start()
        status, found, err = load_with_locked_memory(path, *small, user=LOCKERS[1])
        ending.join()
    expect_eq((status, err, bool(found)), (0, "", True), "after the other program's end")


# There is enough locked memory for the io_urings of some workers only. The other workers fail, and
# iospan must print their error once.
@test()
def locked_memory_of_many_workers():
    path = file_for_all_users()
    with locked_memory_in_use(LOCKERS[3]):
        pass
    expect_no_result(load(path, "--unique-bytes", 8 * MIB, "-n", 10, "--procs", 8, "--depth", 256,
                          "--processes", user=LOCKERS[3], preexec_fn=limit_locked_memory),
                     "RLIMIT_MEMLOCK, 64 KiB")


# The registered buffers of the first worker must leave locked memory for the ring of the second.
@test()
def locked_memory_of_two_workers():
    path = file_for_all_users()
    for size in range(8, 72, 4):  # in KiB; each worker has one buffer of this size
        status, _, err = load_with_locked_memory(
            path, "--unique-bytes", MIB, "-n", 10, "--procs", 2, "--depth", 1, "-s", f"{size}k",
            "--align=4k", user=LOCKERS[2])
        expect_eq((status, err), (0, ""), f"{size} KiB")


@test()
def not_enough_memory():
    expect_no_result(load(scratch_dir(), "--unique-bytes", "1T", "-s", "1G", "--depth", 32768, "--procs", 16),
                     "the buffers need 512 TiB of memory")
    limit = 100 * MIB

    def tight():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    done = subprocess.run([PLAIN, "bench", "load", scratch_dir(), "--unique-bytes", "64M", "-s", "1M",
                           "--depth", "256", "--json"], preexec_fn=tight, capture_output=True,
                          text=True, check=False)
    expect_no_result((done.returncode, done.stdout, done.stderr), "out of memory for 256")
    expect_eq(os.listdir(scratch_dir()), [], "files left")


@test()
def result_on_a_full_disk():
    with open("/dev/full", "w", encoding="ascii") as full:
        done = subprocess.run([IOSPAN, "bench", "load", scratch_dir(), "--unique-bytes", "1M", "-n", "10"],
                              stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    expect_eq((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
    status, found, err = load(scratch_dir(), "--unique-bytes", MIB, "-t", "1s", "--warm-up", "0s",
                              "--interval=100ms", "--log=/dev/full")
    expect_eq((status, found["complete"]), (0, True), "with live lines")
    expect_true("No space left on device; no more lines" in err and err.count("\n") == 1, err)


main()
