#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests Prometheus with the output, the rules and the dashboard of iospan exporter."""
import collections
import json
import os
import re
import shutil
import subprocess
import textwrap
import time
from contextlib import contextmanager

from lib import kernel
from lib.cgroups import Groups
from lib.credentials import certificate, openssl, write_file
from lib.ktap import *
from lib.measure import fio_command, needs_run, warm
from lib.openmetrics import OPENMETRICS, Exporter, Scrape, needs_parser
from lib.prometheus import Prometheus

FOLDER = os.path.join(os.path.dirname(__file__), "../../Documentation/prometheus")
RULES = os.path.abspath(os.path.join(FOLDER, "iospan-rules.yml"))
ALERTS = os.path.abspath(os.path.join(FOLDER, "iospan-alerts.yml"))
README = os.path.join(FOLDER, "README.rst")
SIZE = 64 << 20

CONFIG = """
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: ["{rules}", "{alerts}"]
scrape_configs:
  - job_name: iospan
    scheme: https
    tls_config: {{ca_file: "{ca}"}}
    basic_auth: {{username: ann, password: "{password}"}}
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
"""


@contextmanager
def scraped(groups):
    """Yields (an exporter with access control, a function that scrapes it, Prometheus)."""
    cert, key = certificate()
    users = write_file("users", f"ann:{openssl('passwd', '-6', 'secret')}\n")
    with Exporter("--layers=vfs,device", "--tls-cert", cert, "--tls-key", key, "--basic-auth-file", users,
                  *groups.options) as exporter:
        config = CONFIG.format(rules=RULES, alerts=ALERTS, ca=cert, password="secret", port=exporter.port)
        curl = ["curl", "-sf", "--cacert", cert, "-u", "ann:secret", exporter.url]
        with Prometheus(config) as prometheus:
            yield exporter, lambda *o: subprocess.check_output([*curl, *o]), prometheus


def read_some(disk, count):
    return fio_command(disk, "--ioengine=libaio", "--iodepth=8", "--direct=1", "--rw=randread",
                       "--bs=4096", f"--number_ios={count}", "--norandommap=1", f"--size={SIZE}")


def read_one(disk):
    warm("dd")
    return ["dd", f"if={disk}", "of=/dev/null", "bs=4096", "count=1", "iflag=direct", "status=none"]


def sync_one():
    warm("dd")
    return ["dd", "if=/dev/zero", f"of={scratch_dir()}/synced", "bs=4096", "count=1", "conv=fsync",
            "status=none"]


def counters(scrape, **labels):
    return {what: scrape.sum(f"iospan_cgroup_{what}_total", cgroup="/a", **labels)
            for what in ("accesses", "bytes", "span_seconds")}


def expect_scraped(prometheus, wanted):
    """Waits until Prometheus has scraped the final count twice, so that rates include the end of
    the load."""
    query = 'iospan_cgroup_accesses_total{cgroup="/a",layer="device"}[3s]'
    prometheus.until(lambda: any([float(n) for _, n in values][-2:] == [wanted] * 2
                                 for _, values in prometheus.query(query)),
                     f"a scrape of {wanted} accesses")


def bps(after, before):
    return (after["bytes"] - before["bytes"]) / 512 / (after["span_seconds"] -
                                                       before["span_seconds"])


OF = '{cgroup="/a",layer="device"}'


# Each rule divides one rate by another. If a range starts before the first sample, Prometheus
# extrapolates both rates to the time before this sample. This adds at most the value of the first
# sample, so the permitted error of a rate is this value divided by the growth of the counter.
def expect_rules(prometheus, before, after):
    wanted, name = bps(after, before), f"iospan:cgroup_bps:rate5m{OF}"
    error = 1e-3 + sum(before[what] / (after[what] - before[what])
                       for what in ("bytes", "span_seconds"))
    prometheus.until(lambda: [1 for _, (_, n) in prometheus.query(name)
                              if abs(float(n) / wanted - 1) < error],
                     f"{name} of {wanted} within {error:.1%}")
    diagnostic(f"{name} {prometheus.value(name):.0f}, of two scrapes {wanted:.0f}")
    for rule in ("cgroup_busy_fraction", "cgroup_concurrency", "cgroup_latency_mean_seconds",
                 "cgroup_wait_fraction", "device_busy_fraction", "bps"):
        expect_ge(len(prometheus.query(f"iospan:{rule}:rate5m > 0")), 1, rule)
    for rule in "cgroup_latency_seconds", "cgroup_sync_latency_seconds":
        expect_ge(len(prometheus.query(f"iospan:{rule}:p99_5m > 0")), 1, rule)


def rules_of(prometheus):
    return [rule for group in prometheus.ask("rules")["groups"] for rule in group["rules"]]


def states_of_targets(prometheus):
    targets = (prometheus.ask("targets") or {"activeTargets": []})["activeTargets"]
    return [(target["health"], target["lastError"]) for target in targets]


def expect_rules_run(prometheus):
    """Checks that Prometheus has run each rule and alert without an error."""
    states = {rule["name"]: (rule["health"], rule.get("lastError", "")) for rule in rules_of(prometheus)}
    for path in RULES, ALERTS:
        with open(path, encoding="utf-8") as f:
            for name in re.findall(r"- (?:record|alert): (\S+)", f.read()):
                expect_eq(states.get(name), ("ok", ""), f"state of the rule {name}")
    results = prometheus.query('{__name__=~"iospan:.*"}')
    expect_eq([labels for labels, (_, value) in results if value == "NaN"], [], "results that are NaN")


# Checks the rule for a range that starts after the first samples. So Prometheus extrapolates
# nothing, and the result must be exact.
def expect_rule_since(prometheus, begin):
    now = time.time()
    window = f"[{int((now - begin) * 1000)}ms]"
    [text] = [r["query"] for r in rules_of(prometheus) if r["name"] == "iospan:cgroup_bps:rate5m"]
    found = [n for labels, (_, n) in prometheus.query(text.replace("[5m]", window), now)
             if (labels["cgroup"], labels["layer"]) == ("/a", "device")]
    raw = {}
    for what in "bytes", "span_seconds":
        [(_, values)] = prometheus.query(f"iospan_cgroup_{what}_total{OF}{window}", now)
        raw[what] = float(values[0][1]), float(values[-1][1])
    first, last = ({what: pair[i] for what, pair in raw.items()} for i in range(2))
    expect_near(float(found[0]) / bps(last, first), 1, 1e-9, f"result of the rule since {begin}")


# The range of rates is longer than the test, so that they include the loads.
VARIABLES = {"__rate_interval": "5m", "instance": ".*", "cgroup": ".*", "container": ".*",
             "layer": "device", "named": ".*", "top": "5"}
# These panels may show nothing on this machine and for this load.
MAY_BE_EMPTY = re.compile("Errors|Slowdown|Wait in the queue|Burstiness|CPUs of the exporter")


def expect_dashboard(prometheus):
    """Runs each expression of the dashboard. Those that show cgroups must obey the filters."""
    with open(os.path.join(FOLDER, "iospan-dashboard.json"), encoding="utf-8") as f:
        dashboard = json.load(f)
    has_pressure = os.path.exists("/proc/pressure/io")

    def results(text, **other):
        return prometheus.query(re.sub(r"\$(\w+)", lambda m: {**VARIABLES, **other}[m[1]], text))

    for panel in (panel for row in dashboard["panels"] for panel in row.get("panels", [row])):
        for text in (target["expr"] for target in panel["targets"]):
            may_be_empty = MAY_BE_EMPTY.match(panel["title"]) or "psi" in text and not has_pressure
            found = results(text)
            expect_true(found or may_be_empty, f"'{panel['title']}' shows something: {text}")
            expect_eq([labels for labels, (_, value) in found if value == "NaN"], [], f"NaN in '{panel['title']}'")
            for name in ("cgroup", "container", "named") if "by cgroup" in panel["title"] else ():
                expect_eq(results(text, **{name: "nosuch"}), [], f"'{panel['title']}' of no {name}: {text}")
    for variable in dashboard["templating"]["list"]:
        if variable["type"] == "query":
            [(series, label)] = re.findall(r"label_values\((.*), (\w+)\)", variable["query"]["query"])
            expect_true(any(label in labels for labels, _ in results(series)) or label == "container",
                        f"'{variable['label']}' has values")


def expect_relabel(text):
    """Checks which metrics the regex of metric_relabel_configs in README.rst drops."""
    with open(README, encoding="utf-8") as f:
        [regex] = re.findall(r"regex: (.*)", f.read())
    names = set(re.findall(r"^(\w+)[ {]", text, re.M))
    expect_eq({name for name in names if re.fullmatch(regex, name)},
              {f"iospan_cgroup_{of}latency_seconds_bucket" for of in ("", "sync_", "shared_")},
              "dropped series")


@test()
def rules_equal_the_difference_of_two_scrapes():
    needs_run("fio", "dd", "prometheus", "openssl", "curl", "ip")
    needs_parser()
    kernel.private_network()  # no other test can take the port of Prometheus
    groups = Groups()
    with kernel.undone(groups.remove), kernel.loop_disk(SIZE) as disk:
        groups.make("/a")
        groups.make("/b")
        with scraped(groups) as (_, get, prometheus):
            seen, begin, end = [], 0, 0
            # The first load is a single access. It creates the series, so Prometheus has a sample
            # before each of the other loads.
            for load in read_one(disk), read_some(disk, 16001), read_some(disk, 15013):
                groups.start("/a", load).communicate()
                groups.start("/b", sync_one()).communicate()
                time.sleep(Exporter.FRESH_S)
                seen.append(counters(Scrape(get("-H", f"Accept: {OPENMETRICS}")), layer="device"))
                expect_scraped(prometheus, seen[-1]["accesses"])
                begin, end = end, time.time() - 1.5  # Prometheus may not have the last 1.5 s yet
            expect_rule_since(prometheus, begin)
            expect_ge(seen[2]["accesses"] - seen[0]["accesses"], 31014, "accesses")
            expect_rules(prometheus, seen[0], seen[2])
            expect_rules_run(prometheus)
            expect_dashboard(prometheus)
            # on a busy machine, a scrape may take longer than Prometheus waits, but not each scrape
            prometheus.until(lambda: states_of_targets(prometheus) == [("up", "")], "the target")
            classic = get()
    expect_relabel(classic.decode())
    if shutil.which("promtool"):
        done = subprocess.run(["promtool", "check", "metrics"], input=classic,
                              capture_output=True, check=False)
        expect_eq((done.returncode, done.stdout + done.stderr), (0, b""), "promtool")


def promtool(*words):
    needs(shutil.which("promtool"), "needs promtool")
    done = subprocess.run(["promtool", *words], text=True, capture_output=True, check=False)
    expect_eq(done.returncode, 0, done.stdout + done.stderr)


@test()
def promtool_accepts_the_rules():
    promtool("check", "rules", RULES, ALERTS)


@test()
def promtool_accepts_the_configurations():
    with open(README, encoding="utf-8") as f:
        blocks = re.findall(r"^((?: {4}.*\n)+)", f.read(), re.M)
    configs = [textwrap.dedent(block) for block in blocks if "scrape_configs:" in block]
    expect_eq(len(configs), 2, "configurations in README.rst")
    for config in configs:
        config = config.replace("iospan-rules.yml", RULES).replace("iospan-alerts.yml", ALERTS)
        promtool("check", "config", write_file("config.yml", config))


def neighbours(cgroup, shared, alone, alert):
    """Returns the series of a cgroup with @shared and @alone accesses per minute. An access takes
    0.5 s. For the alert, an access in shared time (while another cgroup uses the disk) takes 4.5
    s."""
    disk, layer, plain = (f'{{cgroup="{cgroup}"{more}}}' for more in (',device="sda"', ',layer="device"', ""))

    def per_minute(*steps):
        return tuple(f"0+{step}x60" for step in steps)

    return {
        f"iospan_cgroup_alone_seconds_total{disk}": (*per_minute(30, 30), None),
        f"iospan_cgroup_shared_seconds_total{disk}": (*per_minute(30, 30), alert),
        f"iospan_cgroup_latency_seconds_sum{layer}": (
            *per_minute(*(alone * 0.5 + shared * s for s in (0.5, 4.5))), None),
        f"iospan_cgroup_latency_seconds_count{layer}": (*per_minute(*[shared + alone] * 2), None),
        f"iospan_cgroup_shared_latency_seconds_sum{plain}": (
            *per_minute(*(shared * s for s in (0.5, 4.5))), None),
        f"iospan_cgroup_shared_latency_seconds_count{plain}": (*per_minute(shared, shared), None),
    }


def busy_neighbour():
    """Returns the series of a cgroup. Without an alert, its neighbour is idle, and an access takes
    0.5 s. For the alert, the neighbour is busy from minute 20 on, 95 % of the time. An access then
    takes 4.5 s while the neighbour has I/O in flight, and 2 s at other times."""
    def then(alone, shared):
        return f"0+{alone}x20 {20 * alone + shared}+{shared}x39"

    disk, layer, plain = (f'{{cgroup="/busy"{more}}}' for more in (',device="sda"', ',layer="device"', ""))
    return {
        f"iospan_cgroup_alone_seconds_total{disk}": (then(30, 30), then(30, 3), None),
        f"iospan_cgroup_shared_seconds_total{disk}": (then(0, 0), then(0, 57), None),
        f"iospan_cgroup_latency_seconds_sum{layer}": (then(45, 45), then(45, 180 + 810), None),
        f"iospan_cgroup_latency_seconds_count{layer}": (then(90, 90), then(90, 270), None),
        f"iospan_cgroup_shared_latency_seconds_sum{plain}": (then(0, 0), then(0, 810), None),
        f"iospan_cgroup_shared_latency_seconds_count{plain}": (then(0, 0), then(0, 180), "IospanNeighbours"),
    }


# {series: (values without an alert, values with an alert, name of the alert)}. The values are in
# the notation of promtool, such as 0+9x60: 0, and 60 more values, each 9 higher.
SERIES = {
    'up{job="iospan"}': ("1x60", "0x60", "IospanExporterDown"),
    'iospan_device_span_seconds_total{stacked="no"}': ("0+9x60", "0+60x60", "IospanDeviceHangs"),
    'iospan_device_accesses_total{stacked="no"}': ("0+0x60", "0+0x60", None),
    'iospan_device_errors_total{stacked="no"}': ("3x60", "3+1x60", "IospanDeviceErrors"),
    'iospan_device_latency_seconds_bucket{stacked="no",le="0.25"}': ("0+9x60", "0+0x60", None),
    'iospan_device_latency_seconds_bucket{stacked="no",le="1"}': ("0+9x60", "0+9x60", "IospanDeviceSlow"),
    'iospan_device_latency_seconds_bucket{stacked="no",le="+Inf"}': ("0+9x60", "0+9x60", None),
    'iospan_losses_total{kind="completions",layer="device"}': ("0+1x60", "0+7x60", "IospanLosses"),
    'iospan_losses_total{kind="call_ends",layer="vfs"}': ("0+9x60", "0+9x60", None),
    'iospan_losses_total{kind="missed_runs"}': ("0+9x60", "0+9x60", None),
    'iospan_cgroup_accesses_total{cgroup="/",layer="device"}': ("0+600x60", "0+600x60", None),
    'iospan_cgroup_accesses_total{cgroup="/",layer="vfs"}': ("0+900x60", "0+900x60", None),
    'iospan_folded_cgroups_total': ("0x60", "0+1x60", "IospanCgroupsFolded"),
    'iospan_cgroups{state="other"}': ("0x60", "1x60", "IospanCgroupsOther"),
    'iospan_layer_measured{layer="vfs"}': ("1x60", "1 0x59", "IospanLayerOff"),
    **neighbours("/a", 90, 90, "IospanNeighbours"),
    **busy_neighbour(),
    **neighbours("/few-shared", 30, 900, None),
    **neighbours("/few-alone", 900, 30, None),
}


# Returns a test for promtool: the alerts that must fire after 40 minutes of the values in SERIES.
def alerts_of(which, fires):
    alerts = collections.Counter(one[2] for one in SERIES.values() if fires and one[2])
    samples = [{"labels": f'{{alertname="{name}"}}', "value": count} for name, count in alerts.items()]
    return {"interval": "1m",
            "input_series": [{"series": name, "values": one[which]} for name, one in SERIES.items()],
            "promql_expr_test": [{"expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
                                  "eval_time": "40m", "exp_samples": samples}]}


@test()
def alerts_fire_for_bad_values_only():
    with open(ALERTS, encoding="utf-8") as f:
        expect_eq({line.split()[-1] for line in f if "- alert:" in line},
                  {alert for *_, alert in SERIES.values() if alert}, "alerts with a test")
    promtool("test", "rules", write_file("alerts.json", json.dumps(
        {"rule_files": [RULES, ALERTS], "evaluation_interval": "1m",
         "tests": [alerts_of(0, False), alerts_of(1, True)]})))


main()
