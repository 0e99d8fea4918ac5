#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the addresses at which iospan exporter listens, and its page /healthz."""
import ctypes
import os
import socket
import time

from lib import kernel
from lib.credentials import openssl, write_file
from lib.ktap import *
from lib.measure import needs_run
from lib.openmetrics import Exporter, ask, refused

PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 17, 0x4206, 0x4207


def get(host, port, path):
    try:
        return ask(host, port, path)[0]
    except ConnectionRefusedError:
        return None


def wait_for(status, host, port):
    """Waits until /healthz has this status. After a pause of the machine, the status may be 503
    until the exporter measures again."""
    while get(host, port, "/healthz") != status:
        time.sleep(0.2)


def has_ipv6():
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
        return True
    except OSError:
        return False


# In a private network, no other test can use the same port.
@test()
def both_families_are_served():
    needs_run("ip")
    needs(has_ipv6(), "needs IPv6")
    kernel.private_network()
    for at, others in (("localhost:0", None), (":0", 200)):
        with Exporter(f"--listen={at}") as exporter:
            for host in "127.0.0.1", "::1":
                expect_eq(get(host, exporter.port, "/metrics"), 200, f"{at}, {host}")
                wait_for(200, host, exporter.port)
            expect_eq(get("127.0.0.2", exporter.port, "/metrics"), others, f"{at}: another address")
        expect_eq(get("::1", exporter.port, "/healthz"), None, f"{at}: after the end")


@test()
def a_port_of_the_other_family_is_an_error():
    needs_run()
    needs(has_ipv6(), "needs IPv6")
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as s:
        at = f"localhost:{s.getsockname()[1]}"
        status, err = refused("--listen", at)
        expect_eq(status, 1)
        expect_true(f"cannot listen at '{at}': Address already in use; 'ss -ltnp'" in err, err)


@test()
def health_needs_no_password():
    needs_run("openssl")
    users = write_file("users", f"ann:{openssl('passwd', '-6', 'x')}\n")
    with Exporter("--basic-auth-file", users) as exporter:
        wait_for(200, "127.0.0.1", exporter.port)
        expect_eq([exporter.get(path)[0] for path in ("/metrics", "/healthz/")], [401, 401])


# The test stops the measuring thread by ptrace. The web server runs in another thread, which must
# answer /healthz with the status 503.
@test()
def health_is_503_while_nobody_measures():
    needs_run()
    libc = ctypes.CDLL(None, use_errno=True)
    with Exporter() as exporter:
        child, port = exporter.child, exporter.port
        wait_for(200, "127.0.0.1", port)
        assert_eq(libc.ptrace(PTRACE_SEIZE, child.pid, None, None), 0, "ptrace")
        libc.ptrace(PTRACE_INTERRUPT, child.pid, None, None)
        os.waitpid(child.pid, 0x40000000)  # 0x40000000 is __WALL
        wait_for(503, "127.0.0.1", port)
        assert_eq(libc.ptrace(PTRACE_DETACH, child.pid, None, None), 0, "ptrace")
        wait_for(200, "127.0.0.1", port)


main()
