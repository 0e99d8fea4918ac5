#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests iospan as a user without privileges: what works, and which errors name what is missing."""
import contextlib
import ctypes
import json
import os
import struct
import subprocess
import time

from lib import kernel
from lib.foreign import iospan, new_path, write
from lib.ktap import *
from lib.measure import needs_another_user, needs_run

BOTH = "CAP_BPF (to load BPF programs) and CAP_PERFMON (for kernel events)"
PERFMON = "CAP_PERFMON (for BPF programs on kernel events)"
CAP_SYS_ADMIN, CAP_SYSLOG, CAP_PERFMON, CAP_BPF = 1 << 21, 1 << 34, 1 << 38, 1 << 39
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
LOAD_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, FAIL_WITH_EPERM = 0x7fff0000, 0x00050001
SYS_BPF, BPF_MAP_LOOKUP_ELEM = {"x86_64": 321, "aarch64": 280}.get(os.uname().machine, 0), 1
TRACING = CAP_BPF | CAP_PERFMON | CAP_SYS_ADMIN


def needs_users():
    needs_run("setpriv")
    needs_another_user()
    os.chmod(scratch_dir(), 0o777)


def nobody(capabilities=""):
    """Returns the start of a command line that runs a command as user 65534 with @capabilities."""
    drop = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    if capabilities:
        drop += [f"--inh-caps={capabilities}", f"--ambient-caps={capabilities}"]
    return drop


def as_nobody(*words, capabilities=""):
    """Runs iospan as user 65534 with these capabilities only, in the test's directory. The user may
    not enter the directories above. Returns (status, stdout, stderr)."""
    done = subprocess.run([*nobody(capabilities), IOSPAN, *words], capture_output=True, text=True,
                          check=False, cwd=scratch_dir(), stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


@contextlib.contextmanager
def running(*argv, **how):
    child = subprocess.Popen(argv, cwd=scratch_dir(), stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how)
    try:
        yield child
    finally:
        child.terminate()
        child.wait()


def wait_for_capabilities(child, wanted):
    while wanted != (seen := kernel.capabilities(child.pid)):
        assert_eq(child.poll(), None, f"status, with capabilities {seen:x} and not {wanted:x}")
        time.sleep(0.01)


def refuse_map_lookups():
    """Makes bpf(BPF_MAP_LOOKUP_ELEM) fail with EPERM in this process and its children, until they
    exit."""
    program = b"".join(struct.pack("HBBI", *line) for line in (
        (LOAD_WORD, 0, 0, 0), (JUMP_IF_EQUAL, 0, 3, SYS_BPF), (LOAD_WORD, 0, 0, 16),
        (JUMP_IF_EQUAL, 0, 1, BPF_MAP_LOOKUP_ELEM), (RETURN, 0, 0, FAIL_WITH_EPERM),
        (RETURN, 0, 0, ALLOW)))
    text = ctypes.create_string_buffer(program)
    head = ctypes.create_string_buffer(struct.pack("HxxxxxxP", 6, ctypes.addressof(text)))
    kernel.check(kernel.libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, head, 0, 0))


def lacks(what, these="these capabilities"):
    return 1, "", (f"iospan: cannot trace the kernel without {what}; run iospan as root, "
                   f"or add {these}\n")


MEASURING = (("run", "--", "true"), ("record", "--", "true"), ("record", "-t", "100ms"),
             ("stat", "100ms", "1"), ("exporter", "--listen=127.0.0.1:0"),
             ("characterize", "--live", "--", "true"),
             ("neighbours", "-n", "10", "--", "true"))


@test()
def missing_capabilities_are_named():
    needs_users()
    for command in MEASURING:
        expect_eq(as_nobody(*command), lacks(BOTH), f"{command}")
    expect_eq(as_nobody("stat", "100ms", "1", capabilities="+bpf"),
              lacks(PERFMON, "this capability"))
    expect_eq(as_nobody("stat", "100ms", "1", capabilities="+perfmon"),
              lacks("CAP_BPF (to load BPF programs)", "this capability"))


@test()
def the_machine_is_measured_without_root():
    needs_users()
    for capabilities in "+bpf,+perfmon", "+sys_admin":
        status, out, err = as_nobody("stat", "100ms", "1", capabilities=capabilities)
        expect_eq((status, err), (0, ""), capabilities)
        expect_true(out.startswith("device "), out)
        status, _, err = as_nobody("record", "-t", "100ms", capabilities=capabilities)
        expect_eq(status, 0, err)


@test()
def a_command_takes_a_cgroup_as_well():
    needs_users()
    status, out, err = as_nobody("run", "--", "true", capabilities="+bpf,+perfmon")
    expect_eq((status, out), (1, ""))
    expect_true("cannot make the cgroup '" in err and
                "; it takes root, CAP_DAC_OVERRIDE, or a parent cgroup that this user may write\n" in err,
                err)
    expect_eq(as_nobody("run", "--", "true", capabilities="+bpf,+perfmon,+dac_override")[0], 0)


def commands_that_work(capabilities=""):
    status, out, _ = as_nobody("version", "-v", "--json", capabilities=capabilities)
    assert_eq(status, 0)
    return {c["name"]: c["missing"] or c["works"] for c in json.loads(out)["commands"]}


@test()
def the_version_names_the_commands_that_work():
    needs_users()
    group = "a cgroup that this user may write: --parent, root, or CAP_DAC_OVERRIDE"
    works = dict.fromkeys(("stat", "top", "run", "record", "exporter"), True)
    expect_eq(commands_that_work(), dict.fromkeys(works, BOTH))
    expect_eq(commands_that_work("+bpf"), dict.fromkeys(works, PERFMON))
    expect_eq(commands_that_work("+bpf,+perfmon"), {**works, "run": group})
    expect_eq(commands_that_work("+bpf,+perfmon,+dac_override"), works)


# After the start, no command needs the capabilities that load and attach BPF programs. So iospan
# must drop them.
@test()
def capabilities_are_dropped_after_the_start():
    needs_users()
    # A process of root keeps the capabilities with which it reads names and writes the result.
    for user, kept in (nobody("+bpf,+perfmon,+syslog"), CAP_SYSLOG), \
                      ([], kernel.capabilities("self") & ~TRACING):
        for command in ("stat", "100ms"), ("run", "-p", str(os.getpid())), \
                       ("record", "-o", f"{len(user)}.trace", "-t", "1h"):
            with running(*user, IOSPAN, *command) as child:
                wait_for_capabilities(child, kept)


@test()
def a_measured_command_keeps_its_capabilities():
    needs_users()
    with running(IOSPAN, "run", "--", "cp", "/proc/self/status", "status") as child:
        child.wait()
    expect_eq(kernel.capabilities_in(f"{scratch_dir()}/status"), kernel.capabilities("self"))


# Before Linux 5.19, the kernel may refuse each call of bpf() to a process without capabilities. So
# the exporter tries a call without them. If the kernel refuses the call, the exporter keeps its
# capabilities. Here, a seccomp filter refuses the call.
@test()
def the_exporter_keeps_capabilities_that_bpf_calls_need():
    needs_users()
    needs(SYS_BPF, "needs the number of bpf() here")
    with running(*nobody("+bpf,+perfmon,+syslog"), IOSPAN, "exporter", "--listen=127.0.0.1:0",
                 preexec_fn=refuse_map_lookups) as child:
        wait_for_capabilities(child, CAP_BPF | CAP_PERFMON)


@test()
def hidden_processes_are_named():
    needs_users()
    subprocess.run(["mount", "-t", "proc", "-o", "hidepid=2", "proc", "/proc"], check=True)
    command = "run", "-t", "100ms", "-p", str(os.getpid())
    expect_eq(as_nobody(*command, capabilities="+bpf,+perfmon"),
              (1, "", "iospan: cannot see processes of other users, because /proc is mounted with "
                      "hidepid; run iospan as root, or add CAP_SYS_PTRACE\n"))
    expect_eq(as_nobody(*command, capabilities="+bpf,+perfmon,+sys_ptrace")[0], 0)


@test()
def container_names_that_cannot_be_read_are_named():
    needs_users()
    subprocess.run(["mount", "-t", "tmpfs", "none", "/var/lib"], check=True)
    os.makedirs("/var/lib/docker/containers")
    os.chmod("/var/lib/docker", 0o710)
    for more, warned in (("", 1), (",+dac_read_search", 0)):
        for command in ("stat", "--by=cgroup", "100ms", "1"), \
                       ("record", "--force", "--by=cgroup", "-t", "100ms"):
            status, _, err = as_nobody(*command, capabilities=f"+bpf,+perfmon{more}")
            expect_eq((status, err.count("add CAP_DAC_READ_SEARCH\n")), (0, warned), f"{command}: {err}")


@test()
def other_privileges_are_named():
    needs_users()
    status, _, err = as_nobody("exporter", "--listen=127.0.0.1:7", capabilities="+bpf,+perfmon")
    expect_eq((status, err), (1, "iospan: cannot listen at '127.0.0.1:7': Permission denied; a port "
                                 "below 1024 takes root or CAP_NET_BIND_SERVICE\n"))
    write("commands", "true\n")
    status, _, err = as_nobody("bench", "sets", "--exec", "commands", "-n", "1", "--drop-caches",
                               capabilities="+bpf,+perfmon")
    expect_eq(status, 1)
    expect_true("drop_caches': Permission denied; --drop-caches takes root" in err, err)


# The analysis of a trace needs no privilege. A load needs no privilege if iospan measures only its
# app layer.
@test()
def analyses_and_loads_need_none():
    needs_users()
    trace = new_path("trace")
    given = write("t.csv", "start_ns,end_ns,bytes\n1,2,512\n3,9,4096\n")
    expect_eq(iospan("import", "--format=csv", "-o", trace, given)[0], 0)
    for path in trace, write("data", bytes(1 << 20)):
        os.chmod(path, 0o666)
    for command in (("report", "trace"), ("characterize", "trace"),
                    ("export", "--format=csv", "trace"), ("version",),
                    ("bench", "load", "data", "--unique-bytes=1M", "--buffered", "-n", "9")):
        status, _, err = as_nobody(*command)
        expect_eq((status, err), (0, ""), f"{command}")


main()
