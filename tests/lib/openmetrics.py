# SPDX-License-Identifier: GPL-2.0-or-later
"""Starts an exporter, and parses its document by Debian's Prometheus library, which needs Debian's
Python."""
import http.client
import json
import re
import select
import subprocess
import time
from functools import lru_cache

from lib.ktap import IOSPAN, assert_eq, assert_true, beforehand, needs

OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"
PYTHON = "/usr/bin/python3"
PARSE = """
import json, sys
from prometheus_client.{}parser import text_string_to_metric_families as parse
text = sys.stdin.buffer.read().decode("utf-8")
json.dump([[f.name, f.type, [[s.name, s.labels, s.value] for s in f.samples]]
           for f in parse(text)], sys.stdout)
"""


@lru_cache(maxsize=None)
def has_parser():
    found = subprocess.run([PYTHON, "-c", "import prometheus_client"], capture_output=True,
                           check=False)
    return found.returncode == 0


beforehand.append(has_parser)


def needs_parser():
    needs(has_parser(), "needs python3-prometheus-client")


def expect_unique(text):
    series = sorted(line.rpartition(b" ")[0] for line in text.split(b"\n") if line[:1] != b"#")
    twice = [name for name, again in zip(series, series[1:]) if name == again]
    assert_eq((len(twice), twice[:3]), (0, []), "series that occur twice")


class Scrape:
    def __init__(self, text, classic=False):
        expect_unique(text)
        script = PARSE.format("" if classic else "openmetrics.")
        done = subprocess.run([PYTHON, "-c", script], input=text, capture_output=True,
                              check=False)
        assert_eq(done.returncode, 0, f"the parser: {done.stderr.decode()[-2000:]}")
        families = json.loads(done.stdout)
        self.types = {name: kind for name, kind, _ in families}
        self.samples = {}
        for _, kind, samples in families:
            for name, labels, value in samples:
                key = name, frozenset(labels.items())
                assert_eq(key in self.samples, False, f"two samples {key}")
                self.samples[key] = value
        self.counters = {key: self.samples[key] for _, kind, samples in families
                         if kind in ("counter", "histogram") for name, labels, _ in samples
                         for key in [(name, frozenset(labels.items()))]}

    def all(self, name, **labels):
        wanted = set(labels.items())
        return [(dict(found), value) for (n, found), value in self.samples.items()
                if n == name and wanted <= found]

    def sum(self, name, **labels):
        return sum(value for _, value in self.all(name, **labels))

    def one(self, name, **labels):
        found = self.all(name, **labels)
        assert_eq(len(found), 1, f"samples {name} {labels}")
        return found[0][1]

    def labels(self, name, label):
        return {found.get(label) for found, _ in self.all(name)}


# Part of the notes that `iospan stat` and the exporter print on a machine with cgroups of version 1
# and version 2.
VERSION_NOTE = "; --attribution="
# end of the note that iospan prints if the user has no permission to read the names of containers
NAMES_NOTE = "; run iospan as root, or add CAP_DAC_READ_SEARCH"


# end of the warning that the exporter prints once if some cgroups have no series
OTHERS_NOTE = "; if there are too many, raise --max-groups"


def without_notes(err):
    """Returns the standard error without the notes that depend on the machine."""
    return re.sub(f"iospan: warning: .*({VERSION_NOTE}|{NAMES_NOTE}|{OTHERS_NOTE}).*\n", "", err)


def refused(*options):
    """Runs the exporter with wrong options. Returns its status and error, which must be one line."""
    done = subprocess.run([IOSPAN, "exporter", *options], text=True, capture_output=True, check=False)
    assert_eq((done.stdout, done.stderr.count("\n")), ("", 1), f"output of {options}: {done.stderr}")
    return done.returncode, done.stderr


def is_open(connection):
    """Returns false if the exporter has closed the connection."""
    poll = select.poll()
    poll.register(connection, select.POLLRDHUP)
    return not poll.poll(0)


def ask(host, port, path, method="GET", source=None, headers=None):
    """Sends a request and returns (status, headers, body). Only the test's limit ends the wait for
    the answer. If this process is paused, the exporter may close the connection before it has the
    request. The request is then sent again."""
    while True:
        connection = http.client.HTTPConnection(host, port, source_address=source and (source, 0))
        begin = time.monotonic()
        try:
            connection.request(method, path, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        except ConnectionRefusedError:
            raise
        except (ConnectionError, http.client.HTTPException):
            if time.monotonic() - begin < Exporter.ASK_S:
                raise
        finally:
            connection.close()


class Exporter:
    """A running exporter. scrape() returns numbers that were read after the call, not cached ones.
    """

    FRESH_S = 1.05  # the exporter caches a document for one second
    ASK_S = 5  # the exporter closes a connection that has sent no whole request for this time
    IDLE_S = 10  # it closes a connection without data in either direction for this time

    def __init__(self, *options):
        listen = any(option.startswith("--listen") for option in options)
        self.argv = [IOSPAN, "exporter", *([] if listen else ["--listen=127.0.0.1:0"]), *options]

    def __enter__(self):
        self.child = subprocess.Popen(self.argv, text=True, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE)
        self.url = self.child.stdout.readline().strip()
        found = re.fullmatch(r"https?://(?:127\.0\.0\.1|0\.0\.0\.0|\[::\]):(\d+)/metrics", self.url)
        assert_true(found, f"the url: '{self.url}' {self.child.poll()}")
        self.port = int(found[1])
        return self

    def __exit__(self, *_):
        self.child.terminate()
        _, self.err = self.child.communicate()
        assert_eq((self.child.returncode, without_notes(self.err)), (0, ""), "status, stderr")

    def get(self, path="/metrics", method="GET", source="127.0.0.1", **headers):
        """Sends a request and returns (status, headers, body)."""
        return ask("127.0.0.1", self.port, path, method, source,
                   {k.replace("_", "-"): v for k, v in headers.items()})

    def fetch(self):
        """Returns the document without parsing it."""
        time.sleep(self.FRESH_S)
        status, headers, body = self.get(Accept=OPENMETRICS)
        assert_eq((status, headers["Content-Type"]), (200, OPENMETRICS))
        return body

    def scrape(self):
        return Scrape(self.fetch())
