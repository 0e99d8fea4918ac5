#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""iospan reports a file for each device access. This test compares the reported file with the file
to which the sectors belong according to the file system (FIEMAP)."""
import csv
import os
import subprocess
import sys
from collections import Counter

from lib import kernel
from lib.ktap import *
from lib.measure import environment, needs_run

SIZE = 4 << 20
# This program maps a file that it has inherited as a descriptor. During the recording, no call
# opens or reads the file. So iospan must find the file's name from the device accesses.
MAPPED = """
import mmap, sys
with mmap.mmap(int(sys.argv[1]), 0, prot=mmap.PROT_READ) as m:
    print(sum(m[i] for i in range(0, len(m), 65536)))
"""
FIO = ("fio --minimal --output=/dev/null --ioengine=psync --allow_file_create=0 --size={size} "
       "--filename={path} --name={name} {options}")
LOADS = {
    "direct-read": "--rw=randread --bs=4k --direct=1 --number_ios=300",
    "direct-write": "--rw=randwrite --bs=4k --direct=1 --number_ios=300",
    # Several accesses, because the completion of one may be lost.
    "direct-large": "--rw=read --bs=4m --direct=1 --loops=9",
    "cached-read": "--rw=randread --bs=4k --number_ios=300",
    "writeback": "--rw=write --bs=64k --fsync=4",
}


def make_files(folder):
    files = {name: open(os.path.join(folder, name), "wb") for name in (*LOADS, "mapped")}
    for _ in range(SIZE // 65536):
        for f in files.values():
            f.write(os.urandom(65536))
            f.flush()
            os.fsync(f.fileno())
    for f in files.values():
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        f.close()
    return {name: os.path.join(folder, name) for name in files}


def record(disk, paths):
    trace = os.path.join(scratch_dir(), "trace")
    jobs = "; ".join(FIO.format(size=SIZE, path=paths[name], name=name, options=options)
                     for name, options in LOADS.items())
    fd = os.open(paths["mapped"], os.O_RDONLY)
    script = f"{jobs}; {sys.executable} -c '{MAPPED}' {fd} >/dev/null"
    done = subprocess.run([IOSPAN, "record", "-d", os.path.basename(disk), "-l", "vfs,device",
                           "-o", trace, "--", "sh", "-c", script], env=environment(), text=True,
                          pass_fds=[fd], capture_output=True, check=False)
    os.close(fd)
    assert_eq(done.returncode, 0, done.stderr)
    text = subprocess.run([IOSPAN, "export", "--format", "csv", trace], text=True,
                          capture_output=True, check=True).stdout
    return [row for row in csv.DictReader(text.splitlines())
            if row["device"] == os.path.basename(disk)]


def owner_of(row, owners):
    sector = int(row["offset_bytes"]) >> 9
    for path, extents in owners.items():
        if any(first <= sector < end for first, end in extents):
            return path
    return None


@test()
def files_own_the_sectors():
    needs_run("fio", "mkfs.ext4")
    kernel.private_mounts()
    folder = os.path.join(scratch_dir(), "disk")
    os.mkdir(folder)
    with kernel.new_loop_disk(256 << 20) as disk:
        subprocess.run(["mkfs.ext4", "-q", disk], check=True)
        kernel.mount("ext4", folder, disk)
        try:
            paths = make_files(folder)
            rows = record(disk, paths)
            owners = {path: kernel.extents(path) for path in paths.values()}
            inodes = {path: str(os.stat(path).st_ino) for path in paths.values()}
        finally:
            kernel.unmount(folder, kernel.MNT_DETACH)
    compare(rows, owners, inodes, paths)


def compare(rows, owners, inodes, paths):
    seen, unseen = Counter(), 0
    for row in rows:
        if row["op"] not in ("read", "write") or not row["offset_bytes"]:
            continue
        if row["untimed"] == "1":  # lost completion; iospan finds the file only at the completion
            unseen += 1
            continue
        owner = owner_of(row, owners)
        at = f"{row['op']} of {row['bytes']} bytes at {row['offset_bytes']}"
        expect_eq(row["file"] or None, owner, f"file of the {at}")
        expect_eq(row["inode"] or "0", inodes[owner] if owner else "0", f"inode of the {at}")
        seen[owner] += 1
    diagnostic(f"{dict((os.path.basename(k or '(none)'), n) for k, n in seen.items())}, {unseen} unseen")
    for name in paths:
        expect_ge(seen[paths[name]], 1, f"accesses to {name}")
    for name in ("direct-read", "direct-write", "cached-read"):
        expect_ge(seen[paths[name]] + unseen, 250, f"accesses to {name}")


main()
