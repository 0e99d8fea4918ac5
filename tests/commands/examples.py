#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the commands that the documentation shows, and compares their output with the shown output.
Only names and values may differ."""
import itertools
import os
import re
import subprocess
import time
from contextlib import ExitStack, closing, contextmanager, nullcontext

from lib import kernel
from lib.cgroups import Groups
from lib.examples import *
from lib.ktap import *
from lib.measure import needs_run
from lib.terminal import Terminal, needs_terminal

# Pages with examples that take minutes. Their tests run only with the long tests.
LONG = "Documentation/iospan-bench-scale.rst", "Documentation/iospan-top.rst"

# {start of a command that the test does not run: reason}
NOT_RUN = {
    "make": "builds the tree that is tested",
    "apt install": "installs packages; tests/packages/deb.sh has it",
    'echo "prometheus:$(mkpasswd)" > users': "asks for a password",
    "iospan exporter --listen [::]:9715": "needs a certificate",
    "iospan exporter --layers vfs,device --cpu-limit": "needs a load; exporter-limit.py has it",
    "curl -s http://127.0.0.1:9715/metrics | grep -E '^iospan_(layer": "of the same exporter",
    "iospan stat --json --by cgroup -g /idle": "needs Linux 6.12; tests/kernel/pressure.py has it",
    "mpirun -hosts node1,node2": "needs two machines; tests/vm/nodes.py has them",
    "chroot root": "needs the root of another system; tests/packages/static.py has it",
}

# {text in a command of a page: text that the test runs instead, because it ends sooner}
INSTEAD = {
    "-t 5s": "-t 500ms",
    "--unique-bytes 256M --budget 3m": "--unique-bytes 128M --budget 1m",
    "--unique-bytes 256M": "--unique-bytes 16M",
    "-i 5s": "-i 1s",
    "beff /var/tmp --partitions 2 -t 60": "beff /mnt/disk --partitions 2 -t 1 --memory 64M",
    "sets 2 4 /mnt/disk": "sets 2 4 /mnt/disk -n 2 --scale 0.0005",
    "--memory-limit 512M --budget 15m": "--memory-limit 64M --unique-bytes 128M --budget 1m",
    "--device vda 10s": "--device '*' 100ms 1",
    "--min-rate 1M 5": "--min-rate 1M 100ms 1",
    "neighbours -n 40 --pause 400ms": "neighbours -n 10",
    "exporter --layers": "exporter $WITHIN --layers",
    "top --by cgroup": "top $WITHIN --by cgroup",
    "stat --by cgroup": "stat $WITHIN --by cgroup",
}

LAST_LINE = "h help  q quit"  # the last line of the screen of iospan top

# {file that an example reads: command that makes it}. The pages show the contents of all other
# files.
FILES = {
    "file": "dd if=/dev/zero of=file bs=1M count=64 oflag=direct status=none",
    "trace": "iospan record -o trace -- fio --name=read --filename=data --rw=randread --bs=4k "
             "--direct=1 --ioengine=io_uring --iodepth=8 --number_ios=1000 --size=16m "
             "--name=write --filename=data2 --rw=write --bs=4k --number_ios=1000 --fsync=500 "
             "--size=16m --output=/dev/null",
    "syncs.trace": "iospan record -o syncs.trace -- fio --name=job --filename=data --rw=randrw --bs=4k --size=16m "
                   "--io_size=10m --ioengine=psync --numjobs=2 --direct=1 --fsync=50 --output=/dev/null",
    "job.trace": "iospan record -l app -o job.trace -- dd if=file of=/dev/null status=none count=9",
    # --cgroup selects the two loads. The shell around them may also read the disk, if its programs
    # are not in the page cache.
    "shared.trace": "iospan record --by cgroup --attribution task --cgroup /web,/backup -l device "
                    "-o shared.trace -- bash -c '"
                    'work=$PWD; cd $(findmnt -nt cgroup2 -o TARGET | head -1)$(sed -n s/^0:://p /proc/self/cgroup); '
                    "mkdir web backup; (echo $BASHPID >backup/cgroup.procs; for i in 1 2 3; do sleep 0.1; "
                    "dd if=/dev/zero of=$work/burst bs=4M count=4 oflag=direct status=none; done) & "
                    "echo $BASHPID >web/cgroup.procs; while kill -0 $! 2>/dev/null; do "
                    "dd if=$work/file of=/dev/null bs=16k count=300 iflag=direct status=none; done'",
    "pgbench.sh": "printf '#!/bin/sh\ndd if=file of=synced bs=4k count=99 conv=fsync status=none' "
                  ">pgbench.sh; chmod +x pgbench.sh",
    "query": "printf 'dd if=file of=/dev/null bs=1M iflag=direct status=none' >query; chmod +x query",
    "job": "printf 'dd if=file of=/dev/null bs=1M iflag=direct status=none' >job; chmod +x job",
}
NEEDS = {"job.trace": ["file"], "shared.trace": ["file"], "pgbench.sh": ["file"], "query": ["file"], "job": ["file"]}

# A shell script that writes and reads the file $0, with pauses of less than a second.
LOAD = """while :; do
    for i in 1 2 3 4 5 6 7 8; do
        dd if=/dev/zero of="$0" bs=64k count=8 oflag=direct
        dd if="$0" of=/dev/null bs=64k iflag=direct
        sleep 0.05
    done
    sleep 0.2
done 2>/dev/null"""

# Lines of output that depend on the machine and the moment, so a run may lack these lines.
CHOSEN = re.compile(r"note: |lost: (?:[#\d]+|ends)|(?=the I/O time '|(?:no|ANSWER) single cgroup"
                    r"|all cgroups together|border at|follow the time|mislead)")
VOLATILE = re.compile(CHOSEN.pattern + r"|measured by: |iospan: warning: .*(?:cgroups are '/'|': # |lost: )|DISK |writes are faster: |\w+: # of # are ")


def formats():
    """Returns a regular expression for each text in the program iospan. A format such as %s matches
    any text."""
    with open(IOSPAN, "rb") as f:
        texts = re.findall(rb"[\x20-\x7e]{12,}", f.read())
    parts = (re.split(r"%[-+.*#\d]*[hlz]*[a-zA-Z]|\[\w*\|\w+\]", text.decode().strip()) for text in texts)
    return [re.compile(".*".join(re.escape(part.replace("%%", "%")) for part in p))
            for p in parts if max(map(len, p)) >= 12]


def typed(command):
    for text, shorter in INSTEAD.items():
        command = command.replace(text, shorter)
    return command


class Shell:
    """A directory in which the examples of a page run. It contains the files that the examples
    name."""

    def __init__(self):
        self.work, disk = (os.path.join(scratch_dir(), name) for name in ("work", "disk"))
        for path in self.work, disk:
            os.mkdir(path)
        os.symlink(BUILD, os.path.join(self.work, "build"))
        kernel.mount("tmpfs", "/mnt")
        os.mkdir("/mnt/disk")
        subprocess.run(["mount", "--bind", disk, "/mnt/disk"], check=True)
        kernel.private_network()
        self.groups = Groups()
        self.background = None
        os.environ.update(PATH=f"{BUILD}:{self.work}:{os.environ['PATH']}", TMPDIR=scratch_dir(),
                          WITHIN=" ".join(self.groups.options))

    @contextmanager
    def load(self):
        """Runs programs in cgroups. The programs sometimes write to the disk, so that the examples
        show I/O."""
        with kernel.undone(self.groups.remove), ExitStack() as stack:
            for name in "/web.slice", "/backup.service":
                self.groups.make(name)
                child = self.groups.start(name, ["bash", "-c", LOAD, self.work + name])
                stack.callback(child.wait)
                stack.callback(child.kill)
            yield

    def start(self, command):
        return subprocess.Popen(["bash", "-c", command], cwd=self.work, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)

    def make_files(self, command, output):
        """Makes the files that @command reads, by the commands in FILES. If @command prints a file
        (cat, head), the file gets @output, the text that the page shows."""
        for name in re.findall(r"[\w.]+", command):
            path = os.path.join(self.work, name)
            if os.path.exists(path) or re.search(rf"(?:-o |of=|>) ?{re.escape(name)}\b", command):
                continue
            if name in FILES:
                self.make_files(" ".join(NEEDS.get(name, [])), [])
                self.run(FILES[name])
            elif re.match(rf"(?:cat|head -\d+) {re.escape(name)}$", command):
                with open(path, "w", encoding="utf-8") as f:
                    f.write("\n".join(output) + "\n")

    def run(self, command):
        """Returns the lines of output. A command in the background continues, and only its first
        line is returned."""
        if command.endswith("&"):
            self.background = self.start(command[:-1])
            lines = iter(self.background.stdout.readline, "")
            return [next(line for line in lines if not line.startswith("iospan: warning: "))]
        child = self.start(command)
        text = child.communicate()[0]
        expect_eq(child.returncode, 0, f"'{command}': {text[-2000:]}")
        return text.split("\n")

    def run_until(self, command, condition):
        """Repeats the command until its output fulfils the condition. Returns the last output. If
        another test has just added a disk, the first output has no values for that disk."""
        for _ in range(100):
            if condition(seen := self.run(command)):
                break
        return seen

    def repeat(self, command):
        while True:
            yield self.run(command)

    def run_again(self, command):
        while True:
            yield subprocess.run(["bash", "-c", command], cwd=self.work, text=True, check=False,
                                 capture_output=True).stdout.split("\n")

    def screens(self, command):
        """Yields the screen of iospan top, again and again. The first screens may be empty, because
        no interval has ended yet."""
        terminal = self.terminal
        terminal.type(f"cd {self.work} && {command}\n")
        try:
            while True:
                yield terminal.screen()
        finally:
            terminal.press("q")
            terminal.wait(lambda lines: lines[-1:] != [LAST_LINE], "the end of iospan top")


def first_like(expected, outputs):
    """Returns the first output that has the expected lines, or the last of 400 outputs. It counts no
    time, because the whole machine may stand still."""
    for seen in itertools.islice(outputs, 400):
        if not missing(expected, seen):
            break
        time.sleep(0.1)
    return seen


def has_values(seen):
    return "null" not in "".join(seen)


def missing(expected, seen):
    return [line for line in compare(expected, seen)[0] if not VOLATILE.match(line)]


def check(example, shell):
    for command, output in example.commands:
        if any(command.startswith(start) for start in NOT_RUN):
            continue
        shell.make_files(command, output)
        at, short = f"{example}: {command}", typed(command)
        if "iospan top" in short:
            with closing(shell.screens(short)) as screens:
                seen = first_like(output or [LAST_LINE], screens)
        elif shell.background:
            seen = first_like(output, shell.run_again(short))
        elif re.search(r"\biospan stat .*\d$", short):  # the load may pause for an interval
            seen = first_like(output, itertools.islice(shell.repeat(short), 40))
        elif " jq " in command:
            seen = shell.run_until(short, has_values)
            expect_true(has_values(seen), f"{at}: jq finds no value")
        else:
            seen = shell.run(short)
        wrong = [f"iospan does not print: {line}" for line in missing(output, seen)]
        wrong += [f"the page lacks: {line}" for line in compare(output, seen)[1]
                  if output and not VOLATILE.match(line)]
        expect_true(not wrong, "\n  ".join([at] + wrong + list(filter(str.strip, seen))))


def page_test(page, found):
    name = os.path.basename(page)
    as_test = test(name=name, seconds=200, long=True) if page in LONG else test(name=name)

    @as_test
    def compare_page():
        needs_run("fio", "jq", "curl")
        on_screen = "iospan top" in str([example.commands for example in found])
        if on_screen:
            needs_terminal()
        shell = Shell()
        with shell.load(), Terminal() if on_screen else nullcontext() as shell.terminal:
            for example in found:
                check(example, shell)


TABLE = ["device   T(ms)    BPS", "vda     12.5     1.3M", "loop0*      -        0"]


@test()
def only_values_and_names_may_differ():
    same = ["device  T(ms)   BPS", "nvme0n1  3.0   17"]
    expect_eq(compare(TABLE, same), ([], []))
    expect_eq(compare(TABLE[:1] + ["..."], TABLE + ["part  op"]), ([], []))
    expect_eq(compare(TABLE, TABLE + ["part  op"]), ([], ["part op"]))
    expect_eq(compare(["device  busy"] + TABLE[1:], TABLE), (["device busy"], ["device T(ms) BPS"]))
    expect_eq(compare(TABLE, [TABLE[0], "vda  12.5"])[0], ["NAME # #"] * 2)
    expect_eq(compare(["layer,op,a,b,c,..."], ["layer,op,a,b,c,d,e"]), ([], []))
    expect_eq(compare(["layer,op,a,b,c,d"], ["layer,op,a,b,c,x"])[0], ["layer,op,a,b,c,d"])


@test()
def notes_are_texts_of_iospan():
    known = formats()
    for page in pages():
        for _, block in blocks(page):
            for line in filter(CHOSEN.match, map(str.strip, block)):
                text = CHOSEN.sub("", line, count=1)
                expect_true(any(one.search(text) or one.search(line) for one in known),
                            f"{page}: {line}")


def named_options(text):
    """Yields (command, option) of each command of iospan in a text."""
    text = text.replace("\\\n", " ")
    for command, rest in re.findall(r"\biospan ((?:bench )?[a-z]+)((?: [^|;&\n]*)?)", text):
        for option in re.findall(r"(?<!\S)(?:--[\w-]+|-[a-z]\b)", rest.split(" -- ")[0]):
            yield command, option


@test()
def options_of_examples_exist():
    """Checks all options in the pages. This includes options within a sentence, and options of
    commands that the test does not run."""
    table = subprocess.run([IOSPAN, "completion", "table"], capture_output=True, text=True,
                           check=True).stdout
    known = {(command, prefix + name) for command, letter, long, *_ in
             (line.split("\t") for line in table.splitlines())
             for prefix, name in (("-", letter), ("--", long))}
    for page in pages():
        with open(page, encoding="utf-8") as f:
            inline = re.findall(r"``([^`]+)``|\*\*(iospan [^*]+)\*\*|`(iospan [^`]+)`", f.read())
        texts = ["\n".join(block) for _, block in blocks(page)] + [" ".join(t) for t in inline]
        for command, option in {pair for text in texts for pair in named_options(text)}:
            expect_true((command, option) in known, f"{page}: '{command}' has no option {option}")


@test()
def exceptions_are_in_the_pages():
    commands = [command for page in pages() for example in examples(page)
                for command, _ in example.commands]
    for start in NOT_RUN:
        expect_true(any(c.startswith(start) for c in commands), f"a page has '{start}'")
    for text in [*INSTEAD, *FILES]:
        expect_true(any(text in c for c in commands), f"a page has '{text}'")


for path in pages():
    if its := examples(path):
        page_test(path, its)
main()
