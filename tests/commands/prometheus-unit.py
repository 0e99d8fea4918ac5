#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the systemd unit of iospan exporter: its restrictions, and the privileges that it needs."""
import http.client
import os
import shutil
import ssl
import subprocess
from base64 import b64encode

from lib import kernel
from lib.cgroups import Groups
from lib.credentials import certificate, openssl, write_file
from lib.ktap import *
from lib.measure import needs_another_user, needs_run
from lib.openmetrics import Exporter

UNIT = os.path.abspath(os.path.join(os.path.dirname(__file__),
                                    "../../Documentation/prometheus/iospan-exporter.service"))
CAP_DAC_READ_SEARCH = 1 << 2
FILTER = os.path.join(os.path.dirname(__file__), "lib/unit-filter.py")


@test()
def the_unit_is_valid():
    needs(shutil.which("systemd-analyze"), "needs systemd-analyze")
    done = subprocess.run(["systemd-analyze", "security", "--offline=yes", "--no-pager",
                           "--threshold=20", UNIT], text=True, capture_output=True, check=False)
    expect_eq(done.returncode, 0, done.stdout[-200:] + done.stderr)
    diagnostic(done.stdout.strip().splitlines()[-1])


# Runs the exporter with the seccomp filter of the systemd unit, under which forbidden system calls
# fail with EPERM.
@test()
def the_unit_allows_the_system_calls():
    needs_run("systemd-analyze", "cc")
    cert, key = certificate()
    users = write_file("users", "ann:" + openssl("passwd", "-6", "word") + "\n")
    one = Exporter("--layers=vfs,device", f"--tls-cert={cert}", f"--tls-key={key}",
                   f"--basic-auth-file={users}")
    # LeakSanitizer uses ptrace, which the filter forbids.
    one.argv = ["env", "ASAN_OPTIONS=detect_leaks=0", FILTER, UNIT, *one.argv]
    with one as exporter:
        context = ssl.create_default_context(cafile=cert)
        login = b64encode(b"ann:word").decode()
        for status, headers in ((200, {"Authorization": f"Basic {login}"}), (401, {})):
            connection = http.client.HTTPSConnection("127.0.0.1", exporter.port, context=context)
            connection.request("GET", "/metrics", headers=headers)
            expect_eq(connection.getresponse().status, status, "under the unit's filter")
            connection.close()


# Under the unit, openat2() fails. Usually, iospan opens Docker's files by openat2(). It must find
# the container's name without it.
@test()
def the_unit_allows_names_of_containers():
    needs_run("systemd-analyze", "cc", "dd")
    number = f"{os.getpid():064}"
    subprocess.run(["mount", "-t", "tmpfs", "none", "/var/lib"], check=True)
    os.makedirs(f"/var/lib/docker/containers/{number}")
    kernel.write('{"Name": "/web"}', f"/var/lib/docker/containers/{number}/config.v2.json")
    groups = Groups()
    one = Exporter("--layers=vfs", *groups.options)
    one.argv = ["env", "ASAN_OPTIONS=detect_leaks=0", FILTER, UNIT, *one.argv]
    with kernel.undone(groups.remove), one as exporter:
        groups.make(f"/docker-{number}.scope")
        dd = ["dd", "if=/dev/zero", f"of={scratch_dir()}/f", "count=9", "status=none"]
        groups.start(f"/docker-{number}.scope", dd).communicate()
        expect_true('container="web"' in exporter.fetch().decode(), "the name of the container")


def expect_least(*how, kept=0):
    """Starts the exporter by setpriv. The options @how give it the capabilities of the unit. Checks
    that the exporter then drops all capabilities except @kept."""
    one = Exporter("--layers=vfs,device")
    one.argv = ["setpriv", "--no-new-privs", *how, *one.argv]
    with one as exporter:
        expect_eq(exporter.get()[0], 200, f"status with {how}")
        expect_eq(kernel.capabilities(exporter.child.pid), kept, f"capabilities with {how}")


# The capabilities that the unit gives to the exporter must be sufficient.
@test()
def two_capabilities_are_enough():
    needs_run("setpriv")
    expect_least("--inh-caps=-all", "--bounding-set=-all,+bpf,+perfmon")


# As under the unit, a user without other privileges runs the exporter with CAP_BPF and CAP_PERFMON.
# With CAP_DAC_READ_SEARCH, the exporter can also read names, as in README.rst. After its start, the
# exporter must keep only this capability.
@test()
def a_user_with_two_capabilities_is_enough():
    needs_run("setpriv")
    needs_another_user()
    for more, kept in ("", 0), (",+dac_read_search", CAP_DAC_READ_SEARCH):
        given = f"+bpf,+perfmon{more}"
        expect_least("--reuid=65534", "--regid=65534", "--clear-groups", f"--inh-caps={given}",
                     f"--ambient-caps={given}", f"--bounding-set=-all,{given}", kept=kept)


main()
