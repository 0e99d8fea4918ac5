#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests clients that read slowly, for which the exporter keeps documents in memory."""
import os
import socket
import time

from lib import kernel
from lib.cgroups import Groups
from lib.ktap import *
from lib.measure import needs_run
from lib.openmetrics import Exporter

GROUPS = 200
DOCUMENTS, DOCUMENTS_EACH = 8, 2


def slow_reader(exporter, source):
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    s.bind((source, 0))
    s.connect(("127.0.0.1", exporter.port))
    s.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    return s, s.recv(12)[9:].decode()


# Each line has a long path of a cgroup. So the document is larger than the buffers of a connection.
@test()
def slow_clients_block_no_other_address():
    needs_run()
    groups = Groups()
    with kernel.undone(groups.remove), open(__file__, "rb") as file, \
            Exporter("--layers=vfs", *groups.options) as exporter:
        above = f"/{'x' * 250}" * 3
        os.makedirs(groups.top + above)
        for n in range(GROUPS):
            groups.make(f"{above}/g{n}")
            groups.call(f"{above}/g{n}", os.pread, file.fileno(), 1, 0)
        held = []
        for _ in range(DOCUMENTS):
            time.sleep(Exporter.FRESH_S)
            held.append(slow_reader(exporter, "127.0.0.2"))
        status, _, body = exporter.get()
        for s, _ in held:
            s.close()
    expect_eq([status for _, status in held],
              ["200"] * DOCUMENTS_EACH + ["503"] * (DOCUMENTS - DOCUMENTS_EACH),
              f"the address of slow readers, documents of {len(body)} bytes")
    expect_eq(status, 200, "another address")


main()
