#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: trace
"""Tests the oracle with synthetic events. The oracle computes accesses and T (the time with I/O in
flight) from ftrace events. Other tests compare iospan with the oracle."""
import os

from lib import kernel, oracle, tracefs
from lib.ktap import *
from lib.measure import feature
from lib.oracle import Oracle, operation, seen_twice, sweep
from lib.tracefs import Block, Fork

DEV, ZRAM = 254 << 20, 253 << 20
COMMAND, CHILD, STRANGER, RING = 100, 101, 50, 107


def event(ns, kind, sector, sectors, rwbs="R", pid=CHILD, dev=DEV, comm="", **more):
    return Block(ns, f"block_{kind}", pid, dev, sector, sectors, rwbs, comm, **more)


def oracle_of(*events, ours=()):
    made = Oracle(COMMAND, has_requests=lambda major, minor: major == DEV >> 20, ours=ours)
    made.take(Fork(0, "sched_process_fork", STRANGER, COMMAND))
    made.take(Fork(0, "sched_process_fork", COMMAND, CHILD))
    for e in events:
        made.take(e)
    return made


def read_of(made, dev=DEV):
    found = made.disks[dev].operations["read"]
    return found.accesses, found.bytes, found.span_ns()


@test()
def union_of_intervals():
    expect_eq(sweep([]), (0, 0))
    expect_eq(sweep([(10, 20), (0, 5)]), (15, 2))
    expect_eq(sweep([(0, 10), (5, 6)]), (10, 1), "one in another")
    expect_eq(sweep([(0, 10), (10, 15)]), (15, 1), "touching")
    expect_eq(sweep([(3, 3)]), (0, 0), "of no length")
    expect_eq(sweep([(5, 8), (0, 6), (7, 9)]), (9, 1), "in any order")


def lines(name):
    with open(os.path.join("tests/data", name), encoding="ascii") as f:
        return [line.split(",") for line in f][1:]


@test()
def union_of_reference_vectors():
    for name, count, _, _, union, *_ in lines("intervals_expected.csv"):
        intervals = [(int(start), int(end)) for start, end, _ in
                     lines(f"intervals/{name}.csv")]
        expect_eq((len(intervals), sweep(intervals)[0]), (int(count), int(union)), name)


@test()
def letters_of_operations():
    for rwbs, letter in (("R", "R"), ("RA", "R"), ("WS", "W"), ("WFS", "W"), ("D", "D"),
                         ("FWFS", "W"), ("FF", "F"), ("WSM", "W"), ("FWS", "W")):
        expect_eq(operation(rwbs), letter, rwbs)


@test()
def plain_and_merged():
    made = oracle_of(event(1, "bio_queue", 0, 8), event(2, "bio_queue", 8, 8),
                     event(3, "rq_issue", 0, 16), event(9, "rq_complete", 0, 16))
    expect_eq(read_of(made), (1, 8192, 6))
    expect_eq((made.unmatched, made.unfinished()), (0, 0))


@test()
def other_processes_do_not_count():
    made = oracle_of(event(1, "bio_queue", 0, 8, pid=STRANGER),
                     event(2, "bio_queue", 64, 8, pid=COMMAND),
                     event(3, "bio_queue", 72, 8, pid=RING, comm=f"iou-wrk-{CHILD}"),
                     *[event(4, "rq_issue", s, 8) for s in (0, 64, 72)],
                     *[event(s, "rq_complete", s, 8) for s in (64, 72)],
                     event(90, "rq_complete", 0, 8))
    expect_eq(read_of(made), (1, 4096, 68))


@test()
def a_reused_pid_of_a_child_does_not_count():
    made = oracle_of(Fork(1, "sched_process_fork", STRANGER, CHILD),
                     event(2, "bio_queue", 0, 8), event(3, "rq_issue", 0, 8),
                     event(9, "rq_complete", 0, 8))
    expect_eq(read_of(made), (0, 0, 0))


@test()
def requeued_is_one_access_in_two_intervals():
    made = oracle_of(event(1, "bio_queue", 0, 8), event(10, "rq_issue", 0, 8),
                     event(15, "rq_requeue", 0, 8), event(100, "rq_issue", 0, 8),
                     event(120, "rq_complete", 0, 8))
    expect_eq(read_of(made), (1, 4096, 25))
    expect_eq(made.disks[DEV].requeues, 1)


# The oracle observes each event twice, by two ftrace instances. iospan observes the event in
# between. So the two times of the oracle are bounds for the time that iospan sees.
@test()
def bounds_of_an_observer_between_two():
    issues = event(10, "rq_issue", 0, 8), event(12, "rq_issue", 8, 8)
    ends = event(20, "rq_complete", 0, 8), event(40, "rq_complete", 8, 8)
    later = [e._replace(ns=e.ns + late) for e, late in zip((*issues, *ends), (3, 4, 1, 5))]
    queued = event(0, "bio_queue", 0, 8), event(1, "bio_queue", 8, 8)
    both = oracle_of(*seen_twice([*queued, *issues, *ends], later)).disks[DEV].operations["read"]
    expect_eq(both.bounds(), ((27, 35), (7 + 24, 11 + 33)), "bounds")
    expect_eq(both.seen_once(), 0, "seen once")
    one = oracle_of(*seen_twice([*queued, *issues, *ends], later[1:])).disks[DEV].operations["read"]
    expect_eq(one.seen_once(), 1, "seen once")
    expect_eq(one.bounds(), ((30, 35), (10 + 24, 11 + 33)), "bounds without the second issue")


# Two reads have the same offset. The second observer (an ftrace instance) missed the first read.
# The oracle must not take the observer's time of the second read for the first read.
@test()
def events_of_one_place_are_paired_in_order():
    issues = [event(ns, "rq_issue", 0, 8) for ns in (10, 50)]
    first, second = seen_twice(issues, [issues[1]._replace(ns=53)])
    expect_eq((first.late, second.late), (None, 3), "delays")


@test()
def partial_completions_do_not_end_an_access():
    made = oracle_of(event(1, "bio_queue", 0, 16), event(10, "rq_issue", 0, 16),
                     event(20, "rq_complete", 0, 4), event(25, "rq_requeue", 4, 12),
                     event(30, "rq_issue", 4, 12), event(40, "rq_complete", 4, 12))
    expect_eq(read_of(made), (1, 8192, 25))
    expect_eq(made.disks[DEV].partial, 1)


@test()
def several_accesses_at_one_place():
    made = oracle_of(event(1, "bio_queue", 0, 8), event(2, "bio_queue", 0, 16),
                     event(10, "rq_issue", 0, 8), event(20, "rq_issue", 0, 16),
                     event(30, "rq_complete", 0, 16), event(40, "rq_complete", 0, 8))
    expect_eq(read_of(made), (2, 3 * 4096, 30))
    expect_eq(made.disks[DEV].operations["read"].latency_sum_ns, 30 + 10)


@test()
def flush_completes_elsewhere_and_its_write_twice():
    made = oracle_of(event(1, "bio_queue", 8, 8, "FWFS"),
                     event(2, "rq_issue", 0, 0, "FF"),
                     event(5, "rq_complete", 2 ** 64 - 1, 0, "FF"),
                     event(6, "rq_issue", 8, 8, "WFS"),
                     event(9, "rq_complete", 8, 8, "WFS"),
                     event(12, "rq_complete", 16, 0, "WFS"))
    operations = made.disks[DEV].operations
    expect_eq({k: (v.accesses, v.span_ns()) for k, v in operations.items()},
              {"flush": (1, 3), "write": (1, 3)})
    expect_eq((made.unmatched, made.unfinished()), (0, 0))
    expect_eq(made.total().accesses, 1, "accesses in the total, which has no flushes")


@test()
def disks_without_requests():
    made = oracle_of(event(1, "bio_queue", 0, 8, dev=ZRAM),
                     event(2, "bio_queue", 8, 8, dev=ZRAM, pid=STRANGER),
                     event(5, "bio_complete", 8, 8, dev=ZRAM, pid=0),
                     event(7, "bio_complete", 0, 8, dev=ZRAM, pid=0))
    expect_eq(read_of(made, ZRAM), (1, 4096, 6))


# When the kernel splits or advances a bio, it changes the first sector of the bio, but not the end.
# So the oracle identifies a bio by its end.
@test()
def bios_are_identified_by_their_end():
    made = oracle_of(event(1, "bio_queue", 0, 16, dev=ZRAM),
                     event(3, "bio_complete", 0, 8, dev=ZRAM, pid=0),
                     event(5, "bio_complete", 8, 8, dev=ZRAM, pid=0),
                     event(6, "bio_queue", 0, 8, dev=ZRAM),
                     event(9, "bio_complete", 8, 0, dev=ZRAM, pid=0, error=-5),
                     event(10, "bio_queue", 0, 0, "FWS", dev=ZRAM),
                     event(12, "bio_complete", 0, 0, "FWS", dev=ZRAM, pid=0))
    expect_eq(read_of(made, ZRAM), (2, 12288, 7))
    operations = made.disks[ZRAM].operations
    expect_eq((operations["read"].errors, operations["flush"].accesses), (1, 1))


@test()
def errors_count_once():
    made = oracle_of(event(1, "bio_queue", 0, 16), event(10, "rq_issue", 0, 16),
                     event(20, "rq_complete", 0, 4, error=-5),
                     event(25, "rq_requeue", 4, 12), event(30, "rq_issue", 4, 12),
                     event(31, "rq_complete", 4, 0), event(40, "rq_complete", 4, 12))
    expect_eq(read_of(made), (1, 8192, 25))
    expect_eq(made.disks[DEV].operations["read"].errors, 1)


@test()
def requests_given_up_or_refused():
    made = oracle_of(event(1, "bio_queue", 0, 8), event(10, "rq_issue", 0, 8),
                     event(15, "rq_requeue", 0, 8),
                     event(90, "rq_complete", 0, 8, error=-5),
                     event(91, "bio_queue", 64, 8), event(92, "rq_requeue", 64, 8),
                     event(93, "rq_complete", 64, 8, error=-5))
    expect_eq(read_of(made), (1, 4096, 5))
    expect_eq((made.disks[DEV].refused, made.unmatched, made.unfinished()), (1, 0, 0))


@test()
def commands_without_a_place():
    made = oracle_of(event(1, "rq_issue", 0, 0, "N", bytes=4096),
                     event(4, "rq_complete", 2 ** 64 - 1, 8, "N"),
                     event(5, "rq_issue", 0, 0, "N", bytes=0),
                     event(7, "rq_complete", 2 ** 64 - 1, 0, "N", error=-5))
    found = made.disks[DEV].operations["other"]
    expect_eq((found.accesses, found.bytes, found.errors, found.span_ns()),
              (2, 4096, 1, 5))


@test()
def disks_that_only_the_command_uses():
    events = (event(1, "bio_queue", 0, 8, pid=STRANGER), event(2, "rq_issue", 0, 8),
              event(5, "rq_complete", 0, 8))
    expect_eq(oracle_of(*events).disks.get(DEV), None)
    expect_eq(read_of(oracle_of(*events, ours=[DEV])), (1, 4096, 3))


@test()
def refused_before_it_is_a_request():
    made = oracle_of(event(1, "bio_queue", 0, 8), event(2, "rq_issue", 0, 8),
                     event(3, "bio_queue", 0, 8), event(4, "bio_complete", 0, 8),
                     event(9, "rq_complete", 0, 8), event(10, "rq_issue", 0, 8, pid=STRANGER),
                     event(30, "rq_complete", 0, 8))
    expect_eq(read_of(made), (1, 4096, 7))
    expect_eq((made.unmatched, made.unfinished()), (0, 0))


@test()
def unpaired_events_are_counted():
    made = oracle_of(event(1, "bio_queue", 0, 8), event(2, "rq_issue", 0, 8),
                     event(3, "bio_queue", 64, 8), event(5, "rq_complete", 64, 8),
                     event(6, "rq_complete", 128, 8))
    expect_eq((made.unmatched, made.unfinished()), (1, 1))


@test()
def accesses_in_flight_count_on_the_disks_of_the_load():
    made = oracle_of(event(1, "rq_issue", 0, 0, "FF"), event(2, "bio_queue", 64, 8),
                     event(3, "rq_issue", 64, 8))
    expect_eq([made.unfinished(loaded) for loaded in (None, {DEV}, {DEV + 1})], [2, 2, 0])


# The trace buffer is too small for this load, so ftrace loses events. The oracle must notice.
@test()
def lost_events_are_reported():
    needs(root() and feature("tracefs"), "needs root and tracefs")
    with (kernel.loop_disk(16 << 20) as disk,
          tracefs.instance(oracle.EVENTS, 4) as recorded):
        recorded.start()
        with open(disk, "rb", buffering=0) as f:
            os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_RANDOM)
            while f.read(4096):
                pass
        recorded.stop()
        try:
            expect_true(not recorded.read(), "the oracle reports the loss")
        except tracefs.Lost:
            pass


main()
