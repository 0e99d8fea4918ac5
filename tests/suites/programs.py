#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares iospan with strace: both count the system calls of the same run of a real program."""
import os
import shutil

from lib.ktap import *
from lib.postgresql import Cluster
from lib.strace import equals_strace

MINUTES = 300


def script(text, *tools):
    """Returns a command that runs the shell text. Skips the test unless the tools are installed."""
    for tool in tools:
        needs(shutil.which(tool), f"needs {tool}")
    path = os.path.join(scratch_dir(), "script")
    with open(path, "w", encoding="utf-8") as f:
        f.write("set -e\nexec >/dev/null\n" + text)
    return ["/bin/sh", path]


def make_tree():
    for i in range(20):
        folder = os.path.join(scratch_dir(), "tree", str(i))
        os.makedirs(folder)
        for k in range(20):
            with open(os.path.join(folder, f"file-{k}"), "wb") as f:
                f.write(os.urandom(37 * (i + 1) * (k + 1)))


def counted(name, text, *tools, before=None):
    def run():
        if before:
            before()
        equals_strace(script(text, *tools))
    test(name=name, seconds=MINUTES)(run)


counted("sqlite", """
sqlite3 db 'create table t(a,b); create index i on t(b);'
for i in 1 2 3 4 5; do
	sqlite3 db "with recursive n(x) as (select 1 union all select x+1 from n where x<500)
		insert into t select x, hex(randomblob(50)) from n;"
done
sqlite3 db 'pragma journal_mode=wal; update t set a=a+1; pragma wal_checkpoint; vacuum;'
""", "sqlite3")

counted("dbench", "dbench -S -t 3 -c /usr/share/dbench/client.txt -D . 2", "dbench")

counted("fs_mark", "fs_mark -d marks -n 200 -s 20000 -S 1 -t 2 -L 2", "fs_mark")

counted("rocksdb", """
db_bench --db=rocks --benchmarks=fillsync,fillrandom,readrandom,compact --num=3000 \\
	--value_size=400 --write_buffer_size=300000 --use_direct_io_for_flush_and_compaction=0
ldb --db=rocks scan
""", "db_bench", "ldb")

counted("git", """
cp -r tree repository
cd repository
git init -q .
git -c core.fsync=all add -A
git -c user.name=n -c user.email=e commit -qm one
git gc -q
git clone -q . ../clone
git -C ../clone fsck
""", "git", before=make_tree)

counted("tar_and_compression", """
tar -czf all.tar.gz tree
tar -xzf all.tar.gz --one-top-level=out
tar -cf - tree | xz -0 >all.tar.xz
cmp tree/7/file-7 out/tree/7/file-7
""", "tar", "xz", before=make_tree)

counted("rsync", """
rsync -a tree/ copy/
echo more >>tree/3/file-4
rsync -a --checksum --fsync tree/ copy/
""", "rsync", before=make_tree)

counted("sort_with_spill_files", """
seq 1 200000 | sort -R >lines
sort -S 500k -T . -n lines -o sorted
split -n 8 sorted part-
cat part-* | cmp - sorted
""", "sort", "split")

counted("dd_and_cp", """
dd if=/dev/zero of=zeros bs=64k count=50 oflag=dsync
dd if=zeros of=direct bs=4k count=100 iflag=direct oflag=direct conv=fsync
cp --reflink=never zeros copy
cp --sparse=always zeros holes
sync zeros copy .
""", "dd", "cp")

counted("compiler", """
for i in 1 2 3 4; do
	printf '#include <stdio.h>\\nint f%d(void) { return printf("x"); }\\n' $i >m$i.c
done
gcc -O1 -g -c m1.c m2.c m3.c m4.c
ar rcs libm4.a m1.o m2.o m3.o m4.o
""", "gcc", "ar")

counted("python", """
python3 -c '
import os, shelve, sqlite3, tempfile
with shelve.open("shelf") as s:
    for i in range(200):
        s[str(i)] = os.urandom(100)
with tempfile.TemporaryFile() as f:
    for i in range(500):
        f.write(os.urandom(999))
    f.flush()
    os.fsync(f.fileno())
'
""", "python3")

counted("node", """
node -e '
const fs = require("fs");
for (let i = 0; i < 50; i++) {
	fs.writeFileSync("n" + i, Buffer.alloc(1000 * i));
	fs.appendFile("n" + i, "more", e => fs.readFile("n" + i, () => {}));
}
const fd = fs.openSync("sync", "w");
fs.writeSync(fd, "text");
fs.fsyncSync(fd);
'
""", "node")

counted("redis", """
redis-server --port 0 --unixsocket "$PWD/socket" --dir "$PWD" --appendonly yes \\
	--appendfsync always --save '' --daemonize no &
until redis-cli -s socket ping 2>/dev/null | grep -q PONG; do sleep 0.1; done
redis-benchmark -s socket -n 500 -c 5 -t set,lpush -q
redis-cli -s socket bgrewriteaof
redis-cli -s socket save
redis-cli -s socket shutdown
wait
""", "redis-server", "redis-cli", "redis-benchmark")


@test(seconds=MINUTES)
def postgresql():
    cluster = Cluster()
    equals_strace(["/bin/sh", cluster.script(cluster.make, cluster.start, cluster.fill,
                                             cluster.load.format(50), cluster.stop)])


@test(seconds=MINUTES)
def mariadb():
    for tool in ("mariadbd", "mariadb-install-db", "mariadb"):
        needs(shutil.which(tool), f"needs {tool}")
    data = os.path.join(scratch_dir(), "data")
    client = f"mariadb --no-defaults -u root -S {data}/socket"
    equals_strace(script(f"""
mariadb-install-db --no-defaults --user=root --datadir={data} --skip-test-db \\
	--innodb-use-native-aio=0
mariadbd --no-defaults --user=root --datadir={data} --socket={data}/socket \\
	--skip-networking --innodb-use-native-aio=0 --log-bin --sync-binlog=1 &
until {client} -e 'select 1' 2>/dev/null; do sleep 0.2; done
{client} -e 'create database d; create table d.t (a int primary key, b text) engine=innodb;'
for i in $(seq 1 50); do echo "insert into d.t values ($i, repeat('x', 900));"; done | {client}
{client} -e 'flush tables; select count(*) from d.t; shutdown;'
wait
"""))


STRESSORS = {"hdd": "--hdd-ops 20 --hdd-bytes 4m", "sync-file": "--sync-file-ops 3",
             "readahead": "--readahead-ops 20 --readahead-bytes 4m", "seek": "--seek-ops 200",
             "dir": "--dir-ops 20", "aio": "--aio-ops 50", "sendfile": "--sendfile-ops 50",
             "fallocate": "--fallocate-ops 3 --fallocate-bytes 4m", "revio": "--revio-ops 20",
             "iomix": "--iomix-ops 100 --iomix-bytes 4m"}

for stressor, options in STRESSORS.items():
    counted(f"stress_ng_{stressor}",
            f"stress-ng --temp-path . --{stressor} 1 {options}", "stress-ng")

main()
