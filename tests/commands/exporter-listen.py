#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the addresses at which iospan exporter listens, and its page /healthz."""
import ctypes
import http.client
import os
import socket
import subprocess
import time
from contextlib import contextmanager

from lib.credentials import openssl, write_file
from lib.ktap import *
from lib.measure import needs_run
from lib.openmetrics import without_notes

PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 17, 0x4206, 0x4207


@contextmanager
def exporter(*options):
    child = subprocess.Popen([IOSPAN, "exporter", *options], text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
    try:
        url = child.stdout.readline().strip()
        assert_true(url.endswith("/metrics"), f"the url: '{url}'")
        yield child, int(url.rpartition(":")[2].removesuffix("/metrics"))
    finally:
        child.terminate()
        err = child.communicate()[1]
    assert_eq((child.returncode, without_notes(err)), (0, ""), "status, stderr")


def get(host, port, path):
    connection = http.client.HTTPConnection(host, port, timeout=30)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except ConnectionRefusedError:
        return None
    finally:
        connection.close()


def has_ipv6():
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
        return True
    except OSError:
        return False


@test()
def both_families_are_served():
    needs_run()
    needs(has_ipv6(), "needs IPv6")
    for at, others in (("localhost:0", None), (":0", 200)):
        with exporter("--listen", at) as (_, port):
            for path in "/metrics", "/healthz":
                expect_eq([get(host, port, path) for host in ("127.0.0.1", "::1")], [200, 200],
                          f"{at}{path}")
            expect_eq(get("127.0.0.2", port, "/healthz"), others, f"{at}: another address")
        expect_eq(get("::1", port, "/healthz"), None, f"{at}: after the end")


@test()
def a_port_of_the_other_family_is_an_error():
    needs_run()
    needs(has_ipv6(), "needs IPv6")
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as s:
        at = f"localhost:{s.getsockname()[1]}"
        done = subprocess.run([IOSPAN, "exporter", "--listen", at], capture_output=True, text=True,
                              check=False)
        expect_eq(done.returncode, 1)
        expect_true(f"cannot listen at '{at}': Address already in use; 'ss -ltnp'" in done.stderr,
                    done.stderr)


@test()
def health_needs_no_password():
    needs_run("openssl")
    users = write_file("users", f"ann:{openssl('passwd', '-6', 'x')}\n")
    with exporter("--listen=127.0.0.1:0", "--basic-auth-file", users) as (_, port):
        expect_eq([get("127.0.0.1", port, path) for path in ("/healthz", "/metrics", "/healthz/")],
                  [200, 401, 401])


def wait_for(status, port):
    while get("127.0.0.1", port, "/healthz") != status:
        time.sleep(0.2)


# The test stops the measuring thread by ptrace. The web server runs in another thread, which must
# answer /healthz with the status 503.
@test()
def health_is_503_while_nobody_measures():
    needs_run()
    libc = ctypes.CDLL(None, use_errno=True)
    with exporter("--listen=127.0.0.1:0") as (child, port):
        wait_for(200, port)
        assert_eq(libc.ptrace(PTRACE_SEIZE, child.pid, None, None), 0, "ptrace")
        libc.ptrace(PTRACE_INTERRUPT, child.pid, None, None)
        os.waitpid(child.pid, 0x40000000)  # 0x40000000 is __WALL
        wait_for(503, port)
        assert_eq(libc.ptrace(PTRACE_DETACH, child.pid, None, None), 0, "ptrace")
        wait_for(200, port)


main()
