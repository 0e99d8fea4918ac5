#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures a job on a scratch file in the current directory at three layers, and explains each line
# of the table. `make demo` runs it.

: "${IOSPAN:=$(dirname "$0")/../build/iospan}"
size_mib=256

die()
{
	echo "demo: $*" >&2
	exit 1
}

[ "$(id -u)" = 0 ] || die "needs root: iospan traces the kernel"
command -v fio >/dev/null || die "needs fio; 'make deps-check' installs it"
[ -x "$IOSPAN" ] || die "no $IOSPAN; 'make' builds it"
free_mib=$(($(df -Pk . | awk 'END { print $4 }') / 1024))
[ "$free_mib" -gt $((2 * size_mib)) ] ||
	die "needs $((2 * size_mib)) MiB free in $PWD, there are $free_mib"

work=$(mktemp -d ./iospan-demo-XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

feature() { "$IOSPAN" version -v | grep -Eq "^$1 +yes"; }

engine=io_uring direct=1
feature io_uring && feature io_uring_req_events || engine=psync
dd if=/dev/zero of="$work/fio" bs=4k count=1 oflag=direct 2>/dev/null || direct=0

cat >"$work/job" <<END
fio --name=mix --filename=$work/fio --size=${size_mib}M --bs=4k --rw=randrw \
	--rwmixread=70 --ioengine=$engine --iodepth=16 --direct=$direct \
	--time_based --runtime=5 --output=/dev/null &&
	dd if=/dev/zero of=$work/dd bs=64k count=1024 status=none
END
echo "fio: 4 KiB, 70 % random reads, 30 % writes, $engine, direct=$direct, 5 s;"
echo "dd: 64 MiB written through the page cache. In $PWD, some 10 s in all."
"$IOSPAN" run -o "$work/report" -- sh "$work/job" || {
	cat "$work/report" 2>/dev/null
	die "the job failed"
}
cat "$work/report"
cat <<'END'

The rows of the first table are layers. app: calls of the programs to their C library, and their io_uring
requests. vfs: reads and writes of files that entered the kernel. device: requests to
the disk.

  accesses     reads and writes that ended
  bytes        bytes transferred; at the device with those of the file system's metadata,
               and without data that is still in the page cache
  errors       failed accesses
  T            the span: time with at least one access in flight; overlaps count once
  BPS          blocks of 512 bytes per second of T
  IOPS         accesses per second of elapsed time
  bandwidth    bytes per second of elapsed time
  ARPT         mean latency
  concurrency  mean number of accesses in flight during T
  busy         T as a fraction of elapsed time

  W                        time with at least one read, write or sync call in flight
  for the device           the part of W in which the disk works
  above the device         the rest of W: software, page cache, throttling, the wait for a
                           CPU, or I/O that is not the job's, such as the journal
  device alone             the disk works while the job waits for nothing
  amplification            bytes of a layer per byte of the layer above
  latency                  its percentiles, and the longest one (max)
  op                       the same for each operation; queue: mean wait above the disk
                           of the requests that waited
  lost, note               accesses that were not measured as usual
  measured by              how each layer was traced, and how requests are attributed
END
