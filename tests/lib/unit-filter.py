#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""unit-filter.py UNIT COMMAND...: runs COMMAND with the system call filter of the systemd unit
UNIT. Forbidden calls fail with EPERM."""
import ctypes
import os
import re
import struct
import subprocess
import sys

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
LOAD_NUMBER, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, FAIL, NO_SYSTEM_CALL = 0x7fff0000, 0x00050000 | 1, 0x00050000 | 38


def sets_of_systemd():
    """Returns {"@set": [its members]}, the sets of system calls that systemd knows."""
    # systemd-analyze warns on stderr if tracefs is not mounted.
    text = subprocess.check_output(["systemd-analyze", "--no-pager", "syscall-filter"], text=True,
                                   stderr=subprocess.DEVNULL)
    sets = {}
    for line in text.splitlines():
        if line.startswith("@"):
            found = sets[line.strip()] = []
        elif line.startswith("    ") and not line.lstrip().startswith("#"):
            found.append(line.strip())
    return sets


def expanded(name, sets):
    if not name.startswith("@"):
        return {name}
    return {call for part in sets[name] for call in expanded(part, sets)}


def allowed(unit):
    sets = sets_of_systemd()
    calls = expanded("@default", sets)
    with open(unit, encoding="utf-8") as f:
        lines = re.findall(r"^SystemCallFilter=(~?)(.*)", f.read(), re.MULTILINE)
    for forbidden, names in lines:
        for name in names.split():
            found = expanded(name, sets)
            calls = calls - found if forbidden else calls | found
    return calls - {"openat2"}  # DynamicUser= and RestrictSUIDSGID= make it fail with ENOSYS


def numbers():
    text = subprocess.check_output(["cc", "-E", "-dM", "-include", "sys/syscall.h", "-"],
                                   input="", text=True)
    return {name: int(n) for name, n in re.findall(r"#define __NR_(\w+) (\d+)$", text, re.MULTILINE)}


def instruction(code, k, equal=0, other=0):
    return struct.pack("HBBI", code, equal, other, k)


def enter(calls):
    number = numbers()
    program = [instruction(LOAD_NUMBER, 0)]
    for call in sorted(calls & number.keys()):
        program += [instruction(JUMP_IF_EQUAL, number[call], 0, 1), instruction(RETURN, ALLOW)]
    program += [instruction(JUMP_IF_EQUAL, number["openat2"], 0, 1), instruction(RETURN, NO_SYSTEM_CALL)]
    program.append(instruction(RETURN, FAIL))
    text = ctypes.create_string_buffer(b"".join(program))
    head = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program), ctypes.addressof(text)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or \
            libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, head, 0, 0):
        raise OSError(ctypes.get_errno(), "cannot filter system calls")


enter(allowed(sys.argv[1]))
os.execvp(sys.argv[2], sys.argv[2:])
