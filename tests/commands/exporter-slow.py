#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests clients that send their request, or read the answer, slowly or never. If these tests fail,
slow clients block clients of other addresses."""
import os
import resource
import socket
import subprocess
import threading
import time
from contextlib import contextmanager, suppress

from lib import kernel
from lib.cgroups import Groups
from lib.ktap import *
from lib.measure import needs_run
from lib.openmetrics import Exporter, is_open

GROUPS = 200
DOCUMENTS, DOCUMENTS_EACH = 8, 2
ATTEMPTS = 5
EACH = 1024  # connections that the exporter accepts from one address
SLOW = [f"127.0.0.{n}" for n in range(2, 8)]
CONNECTIONS = 4600  # more than the exporter permits for all addresses together
DRIPS = 500


def slow_reader(exporter, source):
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    s.bind((source, 0))
    s.connect(("127.0.0.1", exporter.port))
    s.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    return s, s.recv(12)[9:].decode()


@contextmanager
def exporter_of_long_documents():
    """Yields an exporter with a large answer: each line has the long path of a cgroup. So the
    answer does not fit into the buffers of a connection."""
    groups = Groups()
    with kernel.undone(groups.remove), open(__file__, "rb") as file, \
            Exporter("--layers=vfs", *groups.options) as exporter:
        above = f"/{'x' * 250}" * 3
        os.makedirs(groups.top + above)
        for n in range(GROUPS):
            groups.make(f"{above}/g{n}")
            groups.call(f"{above}/g{n}", os.pread, file.fileno(), 1, 0)
        yield exporter


def slow_readers(exporter, sources):
    """Starts a client for each source address. Returns [(connection, HTTP status)] of the clients.
    The pause before each client makes the exporter render a new document."""
    held = []
    for source in sources:
        time.sleep(Exporter.FRESH_S)
        held.append(slow_reader(exporter, source))
    return held


# The exporter closes the connection of a slow reader after IDLE_S. Then the address may get another
# document. If a pause of the machine makes the test take that long, the test starts again.
@test()
def slow_readers_block_no_other_address():
    needs_run()
    with exporter_of_long_documents() as exporter:
        for n in range(ATTEMPTS):
            begin = time.monotonic()
            held = slow_readers(exporter, [SLOW[n]] * 2 * DOCUMENTS_EACH)
            took = time.monotonic() - begin
            status, _, body = exporter.get()
            for s, _ in held:
                s.close()
            if took < Exporter.IDLE_S:
                break
    expect_eq([status for _, status in held], ["200"] * DOCUMENTS_EACH + ["503"] * DOCUMENTS_EACH,
              f"the address of slow readers, documents of {len(body)} bytes, {took:.1f} s")
    expect_eq(status, 200, "another address")


# The exporter keeps at most DOCUMENTS rendered documents at once. The slow readers hold all of
# them. Another client must still get an answer.
@test()
def slow_readers_of_many_addresses_block_no_other():
    needs_run()
    with exporter_of_long_documents() as exporter:
        held = slow_readers(exporter, SLOW[:4] * DOCUMENTS_EACH)
        time.sleep(Exporter.FRESH_S)
        status = exporter.get()[0]
        for s, _ in held:
            s.close()
    expect_eq([status for _, status in held], ["200"] * DOCUMENTS, "slow readers")
    expect_eq(status, 200, "another address")


def connect(exporter, source, data=b"GET /metrics HTTP/1.1\r\nX: "):
    """Returns a connection on which the start of a request, @data, was sent."""
    s = socket.create_connection(("127.0.0.1", exporter.port), source_address=(source, 0))
    s.sendall(data)
    return s


@contextmanager
def dripping(held):
    """Sends a byte on each connection every second, so that none is idle."""
    def drip():
        while not done.wait(1):
            for s in held:
                with suppress(OSError):
                    s.send(b"x")
    done = threading.Event()
    thread = threading.Thread(target=drip)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def beside_slow_requests(exporter):
    """Makes a request beside slow ones. Returns (its status, number of slow connections that are
    open after that, age of the last EACH slow connections in s)."""
    held = [connect(exporter, SLOW[n % len(SLOW)]) for n in range(CONNECTIONS - EACH)]
    begin = time.monotonic()
    held += [connect(exporter, SLOW[n % len(SLOW)]) for n in range(EACH)]
    with dripping(held):
        status = exporter.get()[0]
    left = sum(map(is_open, held))
    age = time.monotonic() - begin
    for s in held:
        s.close()
    return status, left, age


# The exporter may close some of the slow connections to answer another client. It must not wait
# until all slow connections have expired. They expire after ASK_S. If a pause of the machine takes
# that long, the test starts again.
@test()
def slow_requests_block_no_other_address():
    needs_run()
    resource.setrlimit(resource.RLIMIT_NOFILE, (2 * CONNECTIONS, 2 * CONNECTIONS))
    for _ in range(ATTEMPTS):
        with Exporter() as exporter:
            status, left, age = beside_slow_requests(exporter)
        if age < Exporter.ASK_S:
            break
    expect_eq(status, 200, "another address")
    expect_ge(left, EACH, f"slow connections after that, {age:.1f} s old")
    diagnostic(f"{left} of {CONNECTIONS} slow connections were left")


def drips(s):
    """Sends single bytes until the exporter closes the connection. Returns the number of bytes."""
    for n in range(DRIPS):
        if not is_open(s):
            return n
        with suppress(OSError):  # the exporter may have closed it since is_open()
            s.sendall(b"x")
        time.sleep(0.2)
    return DRIPS


@test()
def a_request_has_a_deadline():
    needs_run()
    with Exporter() as exporter:
        for what, start in (
                ("headers", b"GET / HTTP/1.1\r\nX: "),
                ("a body", b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 65536\r\n\r\n"),
                ("a second request", b"GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nX: ")):
            with connect(exporter, "127.0.0.1", start) as s:
                if what == "a second request":
                    expect_true(s.recv(1000).startswith(b"HTTP/1.1 404 "), what)
                expect_le(drips(s), DRIPS - 1, f"{what}: bytes sent")


# The exporter limits the connections of each address. All addresses of an IPv6 /64 network must
# count as one address.
@test()
def networks_of_ipv6():
    needs_run("ip")
    kernel.private_network()
    needs(not subprocess.run("ip addr add fd00::1/64 dev lo nodad && "
                             "ip addr add fd00::2/64 dev lo nodad", shell=True,
                             capture_output=True, check=False).returncode, "needs IPv6")
    resource.setrlimit(resource.RLIMIT_NOFILE, (2 * CONNECTIONS, 2 * CONNECTIONS))
    with Exporter("--listen=[::]:0") as exporter:
        def ask(source):
            s = socket.create_connection(("::1", exporter.port), source_address=(source, 0))
            s.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            try:
                return s, s.recv(12)[9:].decode()
            except ConnectionResetError:
                return s, ""
        held = [ask(f"fd00::{n % 2 + 1}") for n in range(EACH + 2)]
        # The exporter closes connections that are idle for 10 s, which may happen on a busy
        # machine. So the number of open connections has only an upper limit.
        expect_eq({status for _, status in held[:EACH]}, {"200"}, "one network")
        expect_le(sum(is_open(s) for s, _ in held), EACH, "connections of one network")
        expect_eq(ask("::1")[1], "200", "another network")


main()
