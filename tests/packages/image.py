#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the image of `make image` in Podman, with the settings of the DaemonSet. The exporter in the
container must have the cgroups, names and counts of an exporter outside."""
import contextlib
import json
import os
import shutil
import subprocess

from lib import kernel
from lib.cgroups import Groups
from lib.ktap import *
from lib.measure import needs_run, warm
from lib.openmetrics import PYTHON, Exporter, needs_parser
from lib.podman import LIMITS, TOOLS, Podman
from lib.prometheus import Prometheus

FOLDER = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../Documentation/prometheus"))
DAEMONSET = os.path.join(FOLDER, "iospan-daemonset.yml")
IMAGE = os.path.join(BUILD, "iospan-image")
CHECK = os.path.join(os.path.dirname(__file__), "lib/kubernetes.py")
POD, ID = "0f3c1b6e-7c37-4d1c-9d3e-0a8ba4d7f201", "3f4e1a9c0b7d" + "ab" * 26
# The cgroups of a container that the kubelet has started. Each is the parent of the next one.
KUBE = ("/kubepods.slice", "/kubepods-burstable.slice",
        f"/kubepods-burstable-pod{POD.replace('-', '_')}.slice", f"/cri-containerd-{ID}.scope")
# The kubelet makes these files. The exporter takes the container's names from the names of the
# files.
FILES = f"""mount -t tmpfs none /var/log && cd /var/log && mkdir -p containers pods/shop_web-1_{POD} &&
: >containers/web-1_shop_nginx-{ID}.log"""
NAMES = {"namespace": "shop", "pod": "web-1", "container": "nginx"}
# the capabilities of the container, as in /proc/PID/status: CAP_PERFMON and CAP_BPF
CAPABILITIES = 1 << 38 | 1 << 39


def documents(path):
    """Returns the documents of a YAML file. Debian's Python parses it, because it has the module
    yaml."""
    script = "import json, sys, yaml; json.dump(list(yaml.safe_load_all(sys.stdin)), sys.stdout)"
    with open(path, encoding="utf-8") as f:
        return json.loads(subprocess.check_output([PYTHON, "-c", script], stdin=f))


def pod_of_the_daemonset():
    [daemonset] = [d for d in documents(DAEMONSET) if d["kind"] == "DaemonSet"]
    return daemonset["spec"]["template"]["spec"]


def podman_options(pod):
    """Returns the options of `podman run` that give a container the settings of @pod. Like the
    kubelet, gives it a cgroup namespace of its own."""
    [container] = pod["containers"]
    context = container["securityContext"]
    paths = {volume["name"]: volume["hostPath"]["path"] for volume in pod["volumes"]}
    mounts = [(paths[m["name"]], m["mountPath"], "ro" if m["readOnly"] else "rw")
              for m in container["volumeMounts"]]
    options = ["--cgroupns=private", "--cap-drop=all", f"--user={context['runAsUser']}",
               f"--read-only={json.dumps(context['readOnlyRootFilesystem'])}",
               *(f"--cap-add={name}" for name in context["capabilities"]["add"]),
               *(f"--volume={':'.join(mount)}" for mount in mounts)]
    if not context["allowPrivilegeEscalation"]:
        options.append("--security-opt=no-new-privileges")
    if context["seccompProfile"]["type"] == "Unconfined":
        options.append("--security-opt=seccomp=unconfined")
    if pod.get("hostPID"):
        options.append("--pid=host")
    return options


class Node:
    """A machine with Podman, the image, and the cgroup of a container of Kubernetes."""

    def __init__(self, groups):
        # If crun made a cgroup for the container, it would limit the devices of the cgroup. This
        # needs CAP_SYS_RESOURCE. With this option, crun makes no cgroup.
        self.podman = Podman("--runtime-flag=cgroup-manager=disabled")
        self.podman.run(*self.podman.inside, "sh", "-c", FILES)
        self.image = self.podman.podman("pull", "-q", f"oci:{IMAGE}").strip()
        self.top, self.group = groups.top, ""
        groups.make("/podman")
        for name in KUBE:
            self.group += name
            groups.make(self.group)
        self.path = groups.top[len(kernel.mounted("cgroup2")):] + self.group

    def container(self, *words, pod=None):
        """Returns the command that runs the image with the settings of @pod. The exporter gets the
        arguments of the DaemonSet, but listens at a free port."""
        pod = pod or pod_of_the_daemonset()
        [container] = pod["containers"]
        words = words or [w for w in container["args"] if not w.startswith("--listen")]
        # The cgroup of this shell becomes the root of the container's cgroup namespace.
        enter = f'echo $$ >{self.top}/podman/cgroup.procs && exec "$@"'
        parent = f"--cgroup-parent={self.top[len(kernel.mounted('cgroup2')):]}"
        return ["sh", "-c", enter, "sh", *self.podman.argv(
            "run", "--rm", "--network=host", parent, *LIMITS, *podman_options(pod), self.image,
            "--listen=127.0.0.1:0", *words)]

    def exporter(self, argv):
        one = Exporter()
        one.argv = argv
        return one


@contextlib.contextmanager
def node():
    needs_run(*TOOLS)
    needs(os.path.exists(IMAGE), "needs the image; `make image` builds it")
    groups = Groups()
    with kernel.undone(groups.remove):
        yield Node(groups), groups


def write_some(groups, node):
    """Writes in the cgroup of the container, past the page cache."""
    argv = ["dd", "if=/dev/zero", f"of={scratch_dir()}/file", "bs=4096", "count=100", "oflag=direct",
            "status=none"]
    warm("dd")
    assert_eq(groups.start(node.group, argv).wait(), 0, "dd")


def counts(exporter, path):
    """Returns {(metric, labels): value} of the accesses and bytes of a cgroup."""
    return {key: value for key, value in exporter.scrape().counters.items()
            if key[0] in ("iospan_cgroup_accesses_total", "iospan_cgroup_bytes_total")
            and ("cgroup", path) in key[1]}


def capabilities():
    """Returns the capability bounding set of the exporter in the container."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if (kernel.read(f"/proc/{pid}/comm"), os.readlink(f"/proc/{pid}/exe")) == (
                    "iospan", "/usr/bin/iospan"):
                [line] = [l for l in kernel.read(f"/proc/{pid}/status").splitlines()
                          if l.startswith("CapBnd:")]
                return int(line.split()[1], 16)
    return fail("no exporter in a container")


@test(seconds=240)
def the_container_sees_what_an_exporter_outside_sees():
    needs_parser()
    with node() as (one, groups):
        outside = [*one.podman.inside, IOSPAN, "exporter", "--layers=vfs,device",
                   "--listen=127.0.0.1:0"]
        with one.exporter(one.container()) as inner, one.exporter(outside) as outer:
            write_some(groups, one)
            seen, wanted = counts(inner, one.path), counts(outer, one.path)
            expect_eq(capabilities(), CAPABILITIES, "capabilities in the container")
    expect_eq(seen, wanted, "counts in the container and outside")
    device = [(dict(labels), value) for (name, labels), value in seen.items()
              if name.endswith("accesses_total") and ("layer", "device") in labels]
    assert_eq(len(device), 1, f"series of the cgroup {one.path}: {sorted(seen)}")
    labels, accesses = device[0]
    expect_ge(accesses, 100, "writes")
    expect_eq({key: labels[key] for key in NAMES}, NAMES, "names of the kubelet")


@test(seconds=240)
def prometheus_scrapes_the_container():
    needs_run("prometheus", "curl")
    with node() as (one, groups), one.exporter(one.container()) as exporter:
        text = subprocess.check_output(["curl", "-sf", f"http://127.0.0.1:{exporter.port}/metrics"])
        expect_true(b"iospan_build_info{" in text, "curl gets the metrics")
        config = ("{global: {scrape_interval: 1s}, scrape_configs: [{job_name: iospan, "
                  f'static_configs: [{{targets: ["127.0.0.1:{exporter.port}"]}}]}}]}}')
        with Prometheus(config) as prometheus:
            write_some(groups, one)
            query = (f'iospan_cgroup_bytes_total{{layer="device",cgroup="{one.path}",pod="web-1"}}'
                     " >= 409600")
            prometheus.until(lambda: prometheus.query(query), "the bytes of the container")
            expect_eq(prometheus.value('up{job="iospan"}'), 1, "up")


def expect_lack(one, pod, *texts):
    """Checks that the container with the settings of @pod fails, and that the message has
    @texts."""
    done = subprocess.run(one.container(pod=pod), capture_output=True, text=True, check=False)
    expect_eq(done.returncode, 1, f"status; stdout is '{done.stdout}'")
    for text in texts:
        expect_true(text in done.stderr, f"'{text}' is in '{done.stderr}'")


def without_mount(name):
    pod = pod_of_the_daemonset()
    mounts = pod["containers"][0]["volumeMounts"]
    mounts[:] = [m for m in mounts if m["name"] != name]
    return pod


def names_without_mount(one, groups, name):
    """Runs the exporter in a container without the mount @name. Returns the names that it exports:
    [those of the container, those of its pod]. Each is a tuple of the labels in NAMES."""
    with one.exporter(one.container(pod=without_mount(name))) as exporter:
        write_some(groups, one)
        found = [{key: value for _, labels in counts(exporter, path) for key, value in labels}
                 for path in (one.path, os.path.dirname(one.path))]
    return [tuple(labels[key] for key in NAMES) for labels in found]


# Each capability and mount of the DaemonSet must be needed.
@test(seconds=240)
def each_setting_is_needed():
    with node() as (one, groups):
        for name in "BPF", "PERFMON":
            pod = pod_of_the_daemonset()
            pod["containers"][0]["securityContext"]["capabilities"]["add"].remove(name)
            expect_lack(one, pod, f"CAP_{name}")
        expect_lack(one, without_mount("cgroups"), "cannot use the cgroup '/'")
        names = tuple(NAMES.values())
        expect_eq(names_without_mount(one, groups, "pods"), [names, ("", "", "")], "pods")
        expect_eq(names_without_mount(one, groups, "containers"),
                  [(*names[:2], ID[:12]), (*names[:2], "")], "containers")


@test()
def the_files_match_the_schema_of_kubernetes():
    needs(subprocess.run([PYTHON, "-c", "import kubernetes"], capture_output=True,
                         check=False).returncode == 0, "needs python3-kubernetes")
    done = subprocess.run([PYTHON, CHECK, DAEMONSET], capture_output=True, text=True, check=False)
    expect_eq((done.returncode, done.stdout + done.stderr), (0, ""), DAEMONSET)
    # The check must find a wrong name, a wrong type and a missing field.
    with open(DAEMONSET, encoding="utf-8") as f:
        text = f.read()
    for right, wrong in (("hostPID: true", "hostPid: true"), ("containerPort: 9715", "containerPort: 9x"),
                         ("- name: exporter\n          ", "- "),
                         ("kind: DaemonSet", "kind: DemonSet")):
        assert_eq(text.count(right), 1, right)
        done = subprocess.run([PYTHON, CHECK, "/dev/stdin"], input=text.replace(right, wrong),
                              capture_output=True, text=True, check=False)
        expect_true(done.returncode == 1 and done.stdout, f"the check finds '{wrong}'")


@test()
def kustomize_makes_the_same_objects():
    needs(shutil.which("kubectl"), "needs kubectl")
    made = os.path.join(scratch_dir(), "made.yml")
    with open(made, "w", encoding="utf-8") as f:
        subprocess.run(["kubectl", "kustomize", FOLDER], stdout=f, check=True)
    wanted = documents(DAEMONSET)
    wanted[1]["spec"]["template"]["spec"]["containers"][0]["image"] += ":latest"
    expect_eq(documents(made), wanted, "the objects of kubectl kustomize")


main()
