#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the web server of iospan exporter with hostile clients."""
import gzip
import os
import resource
import select
import socket
import ssl
import subprocess
import time
from base64 import b64encode
from contextlib import suppress

from lib import kernel
from lib.cgroups import Groups
from lib.ktap import *
from lib.measure import needs_run
from lib.openmetrics import OPENMETRICS, Exporter, Scrape, is_open, needs_parser, refused
from lib.credentials import certificate, openssl, write_file

IN_USE = ("Address already in use; 'ss -ltnp' shows the program that uses the port; "
          "give another port")
CLASSIC = "text/plain; version=0.0.4; charset=utf-8"
EACH = 1024  # connections that the exporter accepts from one address


@test()
def get_and_head_of_the_metrics():
    needs_run()
    needs_parser()
    with Exporter() as exporter:
        for accept, kind in ((None, CLASSIC), ("*/*", CLASSIC), ("text/plain", CLASSIC),
                             ("text/plain;version=0.0.4;q=0.5,*/*;q=0.1", CLASSIC),
                             ("application/openmetrics-text;version=1.0.0,text/plain;q=0.5",
                              OPENMETRICS), ("text/html", CLASSIC), ("", CLASSIC)):
            status, headers, body = exporter.get(**({"Accept": accept} if accept else {}))
            expect_eq((status, headers["Content-Type"]), (200, kind), f"Accept: {accept}")
            expect_eq(body.endswith(b"# EOF\n"), kind == OPENMETRICS, "the end of the document")
            scrape = Scrape(body, classic=kind == CLASSIC)
            expect_eq(len(scrape.labels("iospan_build_info", "version")), 1, "the version")
        status, headers, body = exporter.get(method="HEAD")
        expect_eq((status, body, headers["Content-Type"]), (200, b"", CLASSIC), "HEAD")
        expect_eq(exporter.get("/")[0], 200, "/")
        for path in "/metrics/", "/x", "//metrics", "/../metrics", "/metric":
            expect_eq(exporter.get(path)[0], 404, path)
        for method in "POST", "PUT", "DELETE", "OPTIONS", "PROPFIND", "get", "X":
            status, headers, _ = exporter.get(method=method)
            expect_eq((status, headers["Allow"]), (405, "GET, HEAD"), method)


# The Debian package prometheus contains promtool, which checks the format.
@test()
def promtool_accepts_what_curl_gets():
    needs_run("curl", "promtool")
    with Exporter("--layers=vfs,device") as exporter:
        text = subprocess.check_output(["curl", "-sf", exporter.url])
    done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True,
                          check=False)
    expect_eq((done.returncode, done.stdout + done.stderr), (0, b""), "promtool")


@test()
def gzip_for_clients_that_take_it():
    needs_run()
    needs_parser()
    with Exporter() as exporter:
        for encodings, is_packed in (("gzip", True), ("deflate, GZIP;q=0.5", True),
                                     ("br,gzip", True), ("gzip;q=0", False), ("gzip ; q=0.0", False),
                                     ("gzipped", False), ("g", False), ("identity", False),
                                     ("", False)):
            for accept in "text/plain", OPENMETRICS:
                status, headers, body = exporter.get(Accept=accept, Accept_Encoding=encodings)
                seen = status, headers["Content-Encoding"], headers["Vary"]
                expect_eq(seen, (200, "gzip" if is_packed else None, "Accept, Accept-Encoding"),
                          f"Accept-Encoding: {encodings}")
                text = gzip.decompress(body) if is_packed else body
                if is_packed:
                    expect_le(len(body), len(text) / 2, "compressed size")
                Scrape(text, classic=accept != OPENMETRICS)
        status, headers, body = exporter.get(method="HEAD", Accept_Encoding="gzip")
        expect_eq((status, body, headers["Content-Encoding"]), (200, b"", "gzip"), "HEAD")


@test()
def curl_unpacks_what_it_asks_for():
    needs_run("curl")
    with Exporter() as exporter:
        text, _, size = subprocess.check_output(
            ["curl", "-sf", "--compressed", "-w", "\n%{size_download}", exporter.url],
            text=True).rpartition("\n")
    expect_true(text.startswith("# TYPE iospan_build_info"), text[:80])
    expect_le(int(size), len(text) / 2, "bytes on the network")


@test()
def a_get_with_a_body_is_answered():
    needs_run()
    with Exporter() as exporter:
        # The exporter refuses a body of 65,537 bytes when it reads the header Content-Length. So
        # the test sends no body in this case. Otherwise, the exporter would close the connection
        # with unread data, and the kernel would send a reset. The client could then lose the
        # answer.
        for size, sent, line in ((1, 1, "200 OK"), (65536, 65536, "200 OK"), (65537, 0, "413 ")):
            head = f"GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: {size}\r\n\r\n"
            expect_true(say(exporter, head.encode() + b"x" * sent).startswith(
                f"HTTP/1.1 {line}"), f"a body of {size} bytes")
        chunked = b"GET /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        expect_eq(say(exporter, chunked + b"3\r\nabc\r\n0\r\n\r\n"), "HTTP/1.1 200 OK",
                  "chunked")


BPF, PERFMON = 1 << 39, 1 << 38


@test()
def only_the_capabilities_for_bpf_are_kept():
    needs_run()
    with Exporter() as exporter:
        tasks = f"/proc/{exporter.child.pid}/task"
        for task in os.listdir(tasks):
            with open(f"{tasks}/{task}/status", encoding="ascii") as f:
                status = dict(line.split(":\t", 1) for line in f.read().splitlines())
            kept = [int(status[name], 16) & ~(BPF | PERFMON)
                    for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")]
            expect_eq((kept, status["NoNewPrivs"]), ([0, 0, 0, 0], "1"), f"thread {task}")


def connect(exporter, source="127.0.0.1"):
    return socket.create_connection(("127.0.0.1", exporter.port), source_address=(source, 0))


def say(exporter, data):
    """Sends @data and returns the first line of the answer, or "" if there is none."""
    with connect(exporter) as s:
        try:
            s.sendall(data)
            s.shutdown(socket.SHUT_WR)
            return s.recv(1000).partition(b"\r\n")[0].decode()
        except OSError:
            return ""


def expect_serves(exporter, what, **options):
    status, _, body = exporter.get(Accept=OPENMETRICS, **options)
    expect_eq((status, body.endswith(b"# EOF\n")), (200, True), what)


NONSENSE = [b"", b"\0" * 10000, b"\r\n" * 10000, b"GET", b"GET /metrics\r\n\r\n",
            b"\x16\x03\x01" * 99,
            b"GET / HTTP/9.9\r\n\r\n", b"GET /metrics HTTP/1.1\r\nHost\r\n: x\r\n\r\n",
            b"GET " + b"/" * 100000 + b" HTTP/1.1\r\n\r\n",
            b"POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\nx",
            b"POST /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff"
            b"\r\n",
            b"GET /metrics HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ====\r\n\r\n",
            b"GET /metrics HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 100000 + b"\r\n",
            b"GET /metrics HTTP/1.1\r\nHost: x\r\nA: " + b"b" * (1 << 20) + b"\r\n\r\n"]


@test()
def nonsense_disturbs_nobody():
    needs_run()
    with Exporter() as exporter:
        for data in NONSENSE:
            answer = say(exporter, data)
            expect_true(not answer or answer.startswith("HTTP/1.1 "), f"{data[:40]}: {answer}")
            expect_true(" 500 " not in answer, f"{data[:40]}: {answer}")
        for data in NONSENSE[-2:]:
            answer = say(exporter, data)
            expect_true(not answer or " 431 " in answer or " 413 " in answer, f"headers: {answer}")
        expect_serves(exporter, "after nonsense")


def resident(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        return next(int(line.split()[1]) << 10 for line in f if line.startswith("VmRSS"))


def send(connections, data):
    """Sends @data on each connection that is still open. The exporter closes a connection that has
    sent no whole request for 5 s. On a busy machine, the test may take longer than that."""
    for s in connections:
        with suppress(OSError):
            s.sendall(data)


def expect_limit(exporter, held):
    """Checks that the exporter keeps at most EACH connections of one address open. The exporter
    accepts connections in order. So when it has answered a new connection, it has already closed
    those above the limit."""
    answer = say(exporter, b"GET / HTTP/1.0\r\n\r\n")
    left = sum(map(is_open, held))
    diagnostic(f"{left} connections are open")
    expect_le(left + bool(answer), EACH, "connections of one address")


# The exporter measures one cgroup. Otherwise, its documents, and so its memory, would grow with the
# cgroups of other tests.
@test()
def a_thousand_connections():
    needs_run()
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(
        resource.RLIMIT_NOFILE)[1]))
    groups = Groups()
    with kernel.undone(groups.remove), Exporter(*groups.options) as exporter:
        before = resident(exporter.child.pid)
        held = [connect(exporter) for _ in range(1000)]
        # some clients send nothing, some a part of a request, and some do not read the answer
        send(held[1::3], b"GET /metrics HTTP/1.1\r\nHo")
        send(held[2::3], b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
        expect_serves(exporter, "beside 1,000 connections")
        for _ in range(3):  # some of the clients send a little more
            time.sleep(Exporter.FRESH_S)
            send(held[1::3], b"s")
            expect_serves(exporter, "beside slow clients")
        held += [connect(exporter) for _ in range(EACH - len(held) + 50)]
        expect_limit(exporter, held)
        expect_serves(exporter, "for another address", source="127.0.0.2")
        grown = resident(exporter.child.pid) - before
        diagnostic(f"{grown >> 10} kB for {len(held)} connections")
        expect_le(grown, 64 << 20, "memory")
        for s in held:
            s.close()
        expect_serves(exporter, "after the connections are closed")


def authorization(user, password):
    return "Basic " + b64encode(f"{user}:{password}".encode()).decode()


def ask_by_tls(exporter, cert, most=ssl.TLSVersion.TLSv1_3, **headers):
    context = ssl.create_default_context(cafile=cert)
    context.minimum_version = ssl.TLSVersion.TLSv1
    context.maximum_version = most
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    with context.wrap_socket(connect(exporter), server_hostname="127.0.0.1") as s:
        lines = [f"{k}: {v}\r\n" for k, v in headers.items()]
        s.sendall(f"GET /metrics HTTP/1.0\r\n{''.join(lines)}\r\n".encode())
        text = b""
        while data := s.recv(1 << 16):
            text += data
        return s.version(), text.partition(b"\r\n")[0].decode()


@test()
def only_users_are_served_by_tls():
    needs_run("openssl")
    cert, key = certificate()
    users = write_file("users", f"# who\n\nann:{openssl('passwd', '-6', 'pässword:1')}\n"
                                f"bob:{openssl('passwd', '-6', 'b')}\n")
    with Exporter("--tls-cert", cert, "--tls-key", key, "--basic-auth-file", users) as exporter:
        expect_true(exporter.url.startswith("https://"), exporter.url)
        for user, password, status in (("ann", "pässword:1", "200 OK"), ("bob", "b", "200 OK"),
                                       ("bob", "B", "401 Unauthorized"),
                                       ("ann", "b", "401 Unauthorized"),
                                       ("bob", "", "401 Unauthorized"),
                                       ("eve", "pässword:1", "401 Unauthorized"),
                                       ("# who", "", "401 Unauthorized"),
                                       ("", "", "401 Unauthorized")):
            seen = ask_by_tls(exporter, cert, Authorization=authorization(user, password))
            expect_eq(seen, ("TLSv1.3", f"HTTP/1.1 {status}"), f"{user}:{password}")
        expect_eq(ask_by_tls(exporter, cert)[1], "HTTP/1.1 401 Unauthorized", "no user")
        expect_eq(ask_by_tls(exporter, cert, ssl.TLSVersion.TLSv1_2)[0], "TLSv1.2",
                  "the older version")
        try:
            fail(f"TLS 1.1: {ask_by_tls(exporter, cert, ssl.TLSVersion.TLSv1_1)}")
        except ssl.SSLError:
            pass
        expect_true(not say(exporter, b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").startswith(
            "HTTP/1.1 2"), "without TLS")


@test()
def the_answer_without_a_password():
    needs_run("openssl")
    users = write_file("users", f"ann:{openssl('passwd', '-6', 'x')}\n")
    with Exporter("--basic-auth-file", users) as exporter:
        status, _, body = exporter.get()
        expect_eq((status, body), (401, b"401 Unauthorized\n"), "the answer")
        expect_eq(exporter.get(method="POST")[0], 405, "POST")


FLOOD = 256
CHECKED = 10  # wrong passwords of one address after which the exporter answers 429
REFILL_S = 10  # after each such time, the exporter checks one more wrong password


def crypt(password, setting):
    return subprocess.check_output(["perl", "-e", "print crypt($ARGV[0], $ARGV[1])", password,
                                    setting], text=True)


def ask_for(exporter, path, source, user, password):
    """Sends a request on a new connection, and returns the connection."""
    s = connect(exporter, source)
    s.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: "
              f"{authorization(user, password)}\r\n\r\n".encode())
    return s


def flood(exporter):
    """Opens connections from another address. Each sends a different wrong password."""
    return [ask_for(exporter, "/metrics", "127.0.0.2", "ann", f"wrong{n}") for n in range(FLOOD)]


def answers(held, most):
    """Returns (statuses of the first @most answers, connections without an answer)."""
    waiting, seen = set(held), []
    while waiting and len(seen) < most:
        ready, _, _ = select.select(list(waiting), [], [])
        seen += [s.recv(12)[9:].decode() for s in ready]
        waiting -= set(ready)
    return seen, waiting


def scrape_during_a_flood(setting, users):
    """Returns (number of wrong passwords with an answer when the scrape has its answer, time in s
    from the start of the flood until then)."""
    good = {"Authorization": authorization("ann", "right")}
    with Exporter("--basic-auth-file", users) as exporter:
        begin = time.monotonic()
        held = flood(exporter)
        expect_eq(exporter.get(**good)[0], 200, f"{setting}: a scrape during the flood")
        ready = len(select.select(held, [], [], 0)[0])
        took = time.monotonic() - begin
        expect_eq(exporter.get(**good)[0], 200, f"{setting}: another scrape")
        seen, waiting = answers(held, FLOOD - CHECKED)
        refilled = int((time.monotonic() - begin) / REFILL_S)
        most = 2 * CHECKED + refilled
        expect_ge(seen.count("429"), FLOOD - most, f"{setting}: refused without a check")
        expect_le(seen.count("401") + len(waiting), most, f"{setting}: checked")
        expect_eq(set(seen) - {"401", "429"}, set(), f"{setting}: other answers")
        for s in held:
            s.close()
    return ready, took


# A client at another address must get its answer during the flood. The exporter hashes only about
# CHECKED (10) of the wrong passwords, because a hash takes long. It answers the others with 429.
# If a pause of the test is as long as these hashes, the exporter may answer the whole flood before
# the test looks. So the test starts again.
@test()
def a_flood_of_wrong_passwords_disturbs_nobody_else():
    needs_run("perl")
    for setting in "$2b$14$abcdefghijklmnopqrstuu", "$y$jCT$abcdefghijklmnop":
        begin = time.monotonic()
        users = write_file("users", f"ann:{crypt('right', setting)}\n")
        hash_s = time.monotonic() - begin
        for _ in range(3):
            ready, took = scrape_during_a_flood(setting, users)
            if took < CHECKED * hash_s / 2:
                break
        expect_le(ready, FLOOD - 1, f"{setting}: answered before the scrape, after {took:.1f} s")


def ask_at_once(exporter, users):
    """Opens connections from one address. Each sends the right password of one of @users."""
    return [ask_for(exporter, "/", "127.0.0.1", user, "right") for user in users]


# A hash takes a while, so all clients have sent their requests before the first answer.
@test()
def simultaneous_first_requests_with_the_right_password():
    needs_run("perl")
    users = write_file("users", f"ann:{crypt('right', '$2b$12$abcdefghijklmnopqrstuu')}\n")
    with Exporter("--basic-auth-file", users) as exporter:
        held = ask_at_once(exporter, ["ann"] * 5 * CHECKED)
        seen, waiting = answers(held, len(held))
        expect_eq((set(seen), waiting), ({"200"}, set()), "answers")
        for s in held:
            s.close()


# After too many wrong passwords from an address, the exporter answers its requests with 429, and
# does not hash their passwords. But it remembers right passwords, so a request with a right
# password must still get its answer.
@test()
def credentials_of_several_users_are_remembered():
    needs_run("openssl")
    names = [f"user{n}" for n in range(16)]
    users = write_file("users", "".join(f"{name}:{openssl('passwd', '-6', 'right')}\n"
                                        for name in names))
    with Exporter("--basic-auth-file", users) as exporter:
        def ask(name, password):
            return exporter.get("/", Authorization=authorization(name, password))[0]
        begin = time.monotonic()
        expect_eq([ask(name, "right") for name in names], [200] * 16, "first requests")
        wrong = [ask("user0", "wrong0")]
        while wrong[-1] == 401:
            wrong.append(ask("user0", f"wrong{len(wrong)}"))
        refilled = int((time.monotonic() - begin) / REFILL_S)
        expect_true(CHECKED <= wrong.index(wrong[-1]) <= CHECKED + refilled and wrong[-1] == 429,
                    f"wrong passwords: {wrong}, in time for {refilled} more checks")
        expect_eq([ask(name, "right") for name in names], [200] * 16, "requests without a hash")


@test()
def wrong_usage():
    needs_run("openssl")
    cert, key = certificate()
    _, other = certificate("other")
    good = f"ann:{openssl('passwd', '-6', 'x')}\n"
    for status, options, message in (
            (2, ["x"], "'x' is one argument too many; usage: iospan exporter [options]"),
            (2, ["--max-series=999"], "--max-series is a number from 1000"),
            (2, ["--layers=app"], "unknown value of --layers 'app'; one of vfs, device"),
            *[(2, [f"--listen={at}"], f"'{at}' is no address to listen at")
              for at in ("", "1", "host:1", "localhost:", "127.0.0.1:", "127.0.0.1:x", "::1:1",
                         "[::1]", "[]:1", "999.0.0.1:1")],
            *[(2, [f"--listen={at}:{port}"], f"port {port} of '{at}:{port}' is out of range: 0 to 65535")
              for at in ("", "127.0.0.1", "[::1]") for port in (65536, 99999, 1 << 64)],
            (1, ["--listen=192.0.2.1:1"], "'ip address' shows the addresses of this machine"),
            (2, ["--tls-cert", cert], "--tls-cert and --tls-key go together; give both"),
            (2, ["--tls-key", key], "--tls-cert and --tls-key go together; give both"),
            (1, ["--tls-cert", "/nosuch", "--tls-key", key], "cannot read '/nosuch': No such"),
            (1, ["--tls-cert", cert, "--tls-key", other], "--tls-key its key"),
            (1, ["--basic-auth-file", "/nosuch"], "cannot read '/nosuch'"),
            (1, ["--basic-auth-file", "/"], "'/' is no regular file; give"),
            (1, ["--basic-auth-file", write_file("open", good, 0o644)],
             "can be read by everybody; chmod o-r it"),
            (1, ["--basic-auth-file", write_file("wide", good, 0o660)],
             "can be written by others than its owner"),
            (1, ["--basic-auth-file", write_file("empty", "# none\n")], "has no users; add a line NAME:HASH"),
            (1, ["--basic-auth-file", write_file("plain", good + "bob:secret\n")],
             "line 2: no strong hash of crypt(5)"),
            (1, ["--basic-auth-file", write_file("weak", "bob:ab/.3cVG2Y2Cc\n")],
             "line 1: no strong hash of crypt(5)"),
            (1, ["--basic-auth-file", write_file("cut", good.rstrip()[:-1] + "\n")],
             "line 1: the hash has the wrong length"),
            (2, ["--burst-interval=1ms"], "option '--burst-interval' wants 100ms or longer"),
            (2, ["--burst-interval=0", "--burst-window=1h"], "option '--burst-interval' wants 100ms or longer"),
            (2, ["--burst-window=9s"], "1 to 100000 times '--burst-interval', not 9s with 10s"),
            (2, ["--burst-interval=2h"], "'--burst-window' must be 1 to 100000 times '--burst-interval', not 1h with 2h"),
            (2, ["--burst-interval=1s", "--burst-window=0"],
             "option '--burst-interval' has no effect with '--burst-window 0'; leave out one of them"),
            (2, ["--burst-threshold=4k", "--burst-window=0"],
             "option '--burst-threshold' has no effect with '--burst-window 0'; leave out one of them"),
            (1, ["--basic-auth-file", write_file("none", "bob\n")], "line 1: no NAME:HASH")):
        listen = ["--listen=127.0.0.1:0"] * (not options[0].startswith("--listen"))
        code, err = refused(*listen, *options)
        expect_eq(code, status, f"status of {options}: {err}")
        expect_true(message in err, f"{options}: {err}")
    with socket.create_server(("127.0.0.1", 0)) as s:
        port = s.getsockname()[1]
        expect_eq(refused(f"--listen=127.0.0.1:{port}"),
                  (1, f"iospan: cannot listen at '127.0.0.1:{port}': {IN_USE}\n"))


main()
