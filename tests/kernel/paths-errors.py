#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: trace
"""Compares failing requests with the oracle, which computes accesses from ftrace events. Requests
fail completely or partly, before or after they are issued."""
from lib import disks, kernel
from lib.compare import RING, compare
from lib.ktap import *
from lib.measure import fio_command, needs_oracle
from lib.paths import idle_after, jobs

MEDIUM_ERROR, TIMEOUT, SHORT_TRANSFER, HOST_BUSY = 2, 4, 0x100, 0x8000


def reads(disk, *options):
    return fio_command(disk, *RING, "--rw=randread", "--size=16m", "--iodepth=8",
                       "--continue_on_error=all", *options)


def fails(argv):
    return ["sh", "-c", '"$@"; exit 0', "sh", *argv]


# The simulated disk transfers only the first half of some requests. The kernel then issues the
# second half. The two halves must count as one access.
@test(seconds=240)
def transfers_cut_short():
    needs_oracle("fio")
    with disks.scsi_debug() as (disk,):
        disks.scsi_set(every_nth=3, opts=SHORT_TRANSFER)
        argv = reads(disk, "--bs=16k", f"--number_ios={scaled(4000)}")
        _, oracle, _ = compare(idle_after(argv), [disk], ours=True)
        seen = oracle.disk(disk)
        diagnostic(f"{seen.partial} partial completions, {seen.requeues} requeues")
        expect_ge(seen.partial, 100, "partial completions")


# The simulated disk has bad sectors. A read transfers the data before a bad sector, and then fails.
@test(seconds=240)
def bad_sectors():
    needs_oracle("fio")
    with disks.scsi_debug() as (disk,):
        disks.scsi_set(opts=MEDIUM_ERROR)
        argv = fails(["dd", f"if={disk}", "of=/dev/null", "bs=64k", "iflag=direct",
                      "count=100", "conv=noerror"])
        report, oracle, _ = compare(idle_after(argv), [disk], ours=True)
        read = oracle.disk(disk).operations["read"]
        diagnostic(f"{oracle.disk(disk).partial} partial completions")
        expect_ge(read.errors, 1, "errors")
        expect_eq(report.disks[disks.name_of(disk)]["bytes"], read.accesses << 16,
                  "bytes, for failed reads those requested")


# The simulated disk does not answer some commands. After 1 s, the SCSI error handler requeues the
# request of an unanswered command.
@test(seconds=240)
def commands_without_an_answer():
    needs_oracle("fio")
    with disks.scsi_debug() as (disk,):
        kernel.write(1, kernel.of_disk(disk, "device/timeout"))
        disks.scsi_set(every_nth=100, opts=TIMEOUT)
        argv = fails(reads(disk, "--number_ios=150"))
        _, oracle, _ = compare(idle_after(argv), [disk], ours=True)
        seen = oracle.disk(disk)
        diagnostic(f"{seen.requeues} requeues, {seen.all().errors} errors, T "
                   f"{seen.all().span_ns()}")
        expect_ge(seen.all().span_ns(), 10 ** 9, "T with a command that waits for 1 s")


# While the simulated host is busy, the kernel requeues a request again and again. Then the disk
# goes offline, and the kernel ends the request with an error. The request must count as one failed
# access.
@test(seconds=240)
def requeued_requests_that_are_given_up():
    needs_oracle("dd")
    with disks.scsi_debug() as (disk,):
        state = kernel.of_disk(disk, "device/state")
        disks.scsi_set(opts=HOST_BUSY)
        busy = f"{disks.SCSI_DEBUG}/every_nth"
        script = f"""exec 3<{disk}
            dd of=/dev/null bs=4k count=100 iflag=direct <&3
            for i in 1 2 3; do
                echo 1 >{busy}; dd of=/dev/null bs=4k count=1 iflag=direct <&3 & job=$!
                until grep -q '^State:.D' /proc/$job/status; do sleep 0.01; done
                sleep 0.3; echo offline >{state}; wait $job
                echo 0 >{busy}; echo running >{state}
            done; exit 0"""
        # Only reads are compared. When the disk is online again, a kernel thread may issue requests
        # of other kinds.
        _, oracle, _ = compare(idle_after(["sh", "-c", script]), [disk], ours=True,
                               kinds=("read",))
        seen = oracle.disk(disk)
        diagnostic(f"{seen.requeues} requeues")
        expect_eq((seen.operations["read"].accesses, seen.operations["read"].errors),
                  (103, 3), "reads, failed")
        expect_ge(seen.requeues, 3, "requeues")


# The disk is offline, so the kernel refuses requests before it issues them. They are no accesses.
@test(seconds=240)
def requests_refused():
    needs_oracle("dd")
    with disks.scsi_debug() as (disk,):
        state = kernel.of_disk(disk, "device/state")
        script = f"""exec 3<{disk}
            dd of=/dev/null bs=4k count=100 iflag=direct <&3
            echo offline >{state}
            for i in 1 2 3 4 5 6 7; do dd of=/dev/null bs=4k count=1 iflag=direct <&3; done
            sleep 0.4; echo running >{state}; exit 0"""
        report, oracle, _ = compare(["sh", "-c", script], [disk], ours=True)
        expect_eq(oracle.disk(disk).operations["read"].accesses, 100, "reads issued")
        expect_eq(oracle.disk(disk).refused, 7, "requests refused")


@test(seconds=240)
def mapped_disks_that_fail():
    needs_oracle("fio")
    load = (*RING, "--rw=randread", "--iodepth=8", "--offset=31m", "--size=2m",
            "--continue_on_error=all")
    with disks.scsi_debug(count=2, max_luns=2) as (one, other):
        size = disks.sectors(other)
        with (disks.mapped("iospan-flakey", f"0 {size} flakey {one} 0 0 1000") as flakey,
              disks.mapped("iospan-half", f"0 {size // 2} linear {other} 0",
                           f"{size // 2} {size - size // 2} error") as half):
            argv = fails(jobs((flakey, *load), (half, *load)))
            report, oracle, _ = compare(idle_after(argv), [flakey, half, one, other],
                                        ours=True)
            for top in (flakey, half):
                expect_ge(oracle.disk(top).all().errors, 100, "errors above")
            below = [oracle.disk(disk).all() for disk in (one, other)]
            expect_eq([b.errors for b in below], [0, 0], "errors of the disks below")
            expect_eq(report.layers["device"]["accesses"], sum(b.accesses for b in below),
                      "total, against the disks below")


@test(seconds=240)
def null_disk_with_bad_blocks():
    needs_oracle("fio")
    with disks.null_disk("nullb-bad", badblocks="+1000-2000") as disk:
        argv = fails(reads(disk, "--number_ios=1000"))
        _, oracle, _ = compare(idle_after(argv), [disk], ours=True)
        expect_ge(oracle.disk(disk).all().errors, 10, "errors")


main()
