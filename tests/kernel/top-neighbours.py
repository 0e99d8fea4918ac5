#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: trace
"""Compares what `iospan top` shows about neighbours with an independent observer, the oracle
(lib/groups.py): the columns "shared" and "slowdown", and the line of the selected cgroup.
Neighbours are cgroups that use a disk at the same time."""
import os
import re

from lib import kernel
from lib.compare import INTERRUPT_NS, WARM_NS
from lib.groups import GroupOracle, overlaps
from lib.ktap import *
from lib.measure import needs_oracle
from lib.oracle import recorder
from lib.terminal import Terminal, table
from lib.top import *

SECONDS = 4  # the length of an interval
SELECTED, ONE, TWO = "/a-selected", "/b-one", "/c-two"


def shares(screen):
    """Returns {neighbour: percent} from the line "selected cgroup shares ...". Returns None if the
    screen has no such line yet."""
    for line in screen:
        if found := re.match(r"selected cgroup shares (.*%.*)", line.rstrip()):
            return {name: float(part) for part, name in
                    re.findall(r"([\d.]+) %(?: of its time)? with (\S+?)(?=,|$)", found[1])}
    return None


# /all and /some read one disk, so each is the only neighbour of the other. The percentage in the
# line must equal the column "shared". /else reads another disk, and has no neighbour.
@test()
def a_selected_row_has_its_neighbours():
    with (load(["/all", "/else", "/some"]) as (disk, groups), kernel.loop_disk(SIZE) as other,
          Terminal(220, 24) as terminal):
        reads = "while :; do dd if={} of=/dev/null bs=16k count=200 iflag=direct status=none; sleep {}; done"
        running = [groups.start(path, ["sh", "-c", reads.format(where, pause)]) for path, where, pause in
                   (("/all", disk, 0), ("/else", other, 0), ("/some", disk, 0.05))]
        try:
            top(terminal, groups, "--by=cgroup -i 1s --sort name")
            terminal.wait(lambda screen: len(order(screen)) == 3, "three rows")
            for row, neighbour in ("/all", "/some"), ("/some", "/all"):
                terminal.press("Down")
                if row == "/some":
                    terminal.press("Down")  # over /else
                screen = terminal.wait(lambda screen: list(shares(screen) or ()) == [neighbour], row)
                found = shares(screen)
                fraction = float(table(screen, "cgroup")[row]["shared"])
                expect_near(found[neighbour] / 100, fraction, 0.01, f"{row}, shared")
            terminal.press("Up")
            terminal.wait(lambda screen: any(line.startswith("selected cgroup shares its disks with no other")
                                             for line in screen), "no neighbour")
            terminal.press("Escape")
            terminal.wait(lambda screen: not any("selected cgroup" in line for line in screen), "none")
        finally:
            for each in running:
                each.kill()
                each.wait()
        terminal.type("q")
        expect_eq(terminal.ended(), 0, "status")


# Arguments: directory of the cgroups, disk, path of a file. First, the selected cgroup reads alone.
# Then two other cgroups read, too: first by turns, with pauses, and in the end both at once. Then
# the script makes the file, which stops the selected cgroup. Each cgroup reads its own part of the
# disk.
LOAD = r'''
top=$1 disk=$2 stop=$3
reads() { # CGROUP FIRST COUNT BYTES
	sh -c 'echo 0 >"$0/cgroup.procs"; exec dd if="$1" of=/dev/null iflag=direct status=none bs="$4" skip="$2" count="$3"' \
		"$top$1" "$disk" "$2" "$3" "$4"
}
rm -f "$stop"
reads %(selected)s 0 150 16k
while [ ! -e "$stop" ]; do reads %(selected)s 0 60 16k; done &
for _ in 1 2; do
	reads %(one)s 128 100 32k
	sleep 0.02
	reads %(two)s 192 50 64k
done
reads %(one)s 128 100 32k & reads %(two)s 192 50 64k & wait %%2 %%3
touch "$stop"
wait
''' % {"selected": SELECTED, "one": ONE, "two": TWO}


def bounds_of(text):
    """Returns bounds for a number on the screen, which is rounded."""
    if text.startswith("<"):
        return 0, float(text[1:])
    half = 0.5 * 10 ** -len(text.partition(".")[2])
    return float(text) - half, float(text) + half


def expect_shown(text, bounds, what):
    least, most = bounds_of(text)
    diagnostic(f"{what}: shown {text}, expected {bounds[0]:.5f} to {bounds[1]:.5f}")
    expect_true(least <= bounds[1] and most >= bounds[0], f"{what}: shown {text}, expected {bounds}")


def slack(*operations):
    """Returns the permitted error, in ns, of the time that two cgroups share. A CPU reads the clock
    and then updates T, the time with I/O in flight. An interrupt in between delays the update, and
    T is wrong during this delay. The oracle measures the delay of each event. If it missed an
    event, the test assumes a constant delay."""
    missed = sum(one.seen_once() for one in operations)
    latest = max(late or 0 for one in operations for interval in one.intervals for late in interval[2:])
    return latest + (WARM_NS * missed + INTERRUPT_NS if missed else 0)


def expect_fraction(shown, mine, others, what, unit=1):
    """Checks @shown, a text on the screen. It must be the part of the I/O time of @mine in which
    @others had I/O in flight, too."""
    (least, _, most), (shortest, longest), more = overlaps(mine, others), mine.bounds()[0], slack(mine, others)
    expect_shown(shown, (unit * max(0, least - more) / (longest + more),
                         unit * min(1, (most + more) / max(shortest - more, 1))), what)


def expect_row(row, oracle, dev, path):
    mine, others = oracle.own_on[dev, path], oracle.others(dev, path)
    expect_fraction(row["shared"], mine, others, f"{path}: shared")
    slowdown = oracle.slowdown(dev, path)
    if slowdown:
        expect_shown(row["slowdown"], slowdown, f"{path}: slowdown")
    return slowdown


def select(terminal, groups):
    """Selects the row of SELECTED, and waits until its neighbours are measured."""
    in_one_interval(terminal, lambda: groups.read(SELECTED, 3, 4096), SECONDS)
    terminal.press("Down")
    terminal.wait_for("its neighbours are measured in the next interval")
    go_on(terminal)
    terminal.wait_for("selected cgroup itself has no reads or writes on a disk")


@test(seconds=400)
def the_screen_equals_the_oracle():
    needs_oracle()
    with (load([SELECTED, ONE, TWO]) as (disk, groups), Terminal(240, 24) as terminal,
          recorder(disks=[disk], make=GroupOracle) as run):
        top(terminal, groups, f"--by=cgroup --sort=name -l device -i {SECONDS}s -d", os.path.basename(disk))
        select(terminal, groups)
        command = ["sh", "-c", LOAD, "sh", groups.top, disk, os.path.join(scratch_dir(), "stop")]
        for _ in range(5):
            (done, oracle), screen = in_one_interval(terminal, lambda: run(command), SECONDS)
            assert_eq(done.returncode, 0, done.stderr)
            if not loses(screen):
                break
            go_on(terminal)
        needs(not loses(screen), "in each interval, iospan lost a completion")
        terminal.type("q")
        expect_eq(terminal.ended(), 0, "status")
        dev = kernel.dev(os.stat(disk).st_rdev)
    rows, found = table(screen, "cgroup"), shares(screen)
    expect_eq(oracle.unmatched, 0, "ends that the oracle could not pair")
    expect_eq((list(rows), sorted(found or ())), ([SELECTED, ONE, TWO], [ONE, TWO]), "rows, neighbours")
    slowdowns = [expect_row(rows[path], oracle, dev, path) for path in rows]
    expect_true(slowdowns[0], "the selected cgroup reads alone, and beside others")
    for path in ONE, TWO:
        expect_fraction(str(found[path]), oracle.own_on[dev, SELECTED], oracle.own_on[dev, path],
                        f"percentage with {path}", 100)


main()
