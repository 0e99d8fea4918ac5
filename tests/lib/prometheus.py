# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a Prometheus server."""
import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

from lib import kernel
from lib.credentials import write_file
from lib.ktap import *


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as s:
        return s.getsockname()[1]


def enter_own_network():
    """Enters a network in which no other test can take the port of this test."""
    if root() and shutil.which("ip"):
        kernel.private_network()


class Prometheus:
    """A Prometheus server with the configuration @config. @options are added to its command line."""

    def __init__(self, config, *options):
        self.config, self.port, self.options = write_file("prometheus.yml", config), free_port(), options

    def __enter__(self):
        self.log = open(os.path.join(scratch_dir(), "log"), "w+", encoding="utf-8")
        self.child = subprocess.Popen(
            ["prometheus", f"--config.file={self.config}", "--log.level=warn",
             f"--storage.tsdb.path={scratch_dir()}/data",
             f"--web.listen-address=127.0.0.1:{self.port}", *self.options], stdout=self.log, stderr=self.log)
        self.until(lambda: self.ask("query", query="1"), "Prometheus")
        return self

    def __exit__(self, *_):
        self.child.send_signal(signal.SIGTERM)
        self.child.wait()
        self.log.close()

    def ask(self, what, **words):
        """Returns the answer of the server, or None if it is not ready yet."""
        url = f"http://127.0.0.1:{self.port}/api/v1/{what}?{urllib.parse.urlencode(words)}"
        try:
            with urllib.request.urlopen(url) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            if error.code == 503:
                return None
            return fail(f"{words}: {error.read().decode()}")
        except OSError:
            return None

    def query(self, text, when=None):
        """Returns [(labels, [time, value])]. If the query asks for a range of time, each series has
        a list of such pairs instead."""
        data = self.ask("query", query=text, **({"time": when} if when else {}))
        return [(one["metric"], one.get("value") or one["values"])
                for one in (data or {"result": []})["result"]]

    def value(self, text, when=None):
        found = self.query(text, when)
        assert_eq(len(found), 1, f"results of {text}: {found}")
        return float(found[0][1][1])

    def until(self, holds, what):
        """Waits until holds() is true, and returns its result. Only the test's limit ends the wait,
        because a busy machine may be slow."""
        try:
            while not (seen := holds()):
                assert_true(self.child.poll() is None, f"Prometheus runs; {self.logged()}")
                time.sleep(0.2)
        except SystemExit:
            fail(f"{what} does not come; {self.logged()}")
            raise
        return seen

    def logged(self):
        with open(self.log.name, encoding="utf-8") as f:
            return f.read()
