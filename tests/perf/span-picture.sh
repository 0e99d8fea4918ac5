#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# span-picture.sh DIR FROM_MS TO_MS: records a small job on files in DIR, and draws the accesses of
# each layer and their union. Times count from the app layer's first access of at least 64 KiB.
# Example: span-picture.sh . 0 6 >Documentation/span.svg
# Needs root, fio and gnuplot. The job has three threads. One reads a file that is not in the page
# cache, one reads a file that is in the page cache, one writes with O_DIRECT.
: "${IOSPAN:=$(dirname "$0")/../../build/iospan}"
work=$(mktemp -d "${1:-.}/iospan-picture-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

cat >"$work/job" <<-END
	[global]
	ioengine=psync
	thread=1
	[read]
	filename=$work/cold
	rw=read
	size=4m
	bs=64k
	thinktime=120
	[cache]
	filename=$work/cached
	rw=randread
	size=4m
	bs=1m
	pre_read=1
	thinktime=900
	[write]
	filename=$work/direct
	rw=randwrite
	size=4m
	bs=128k
	direct=1
	thinktime=700
END
for file in cold cached direct; do
	dd if=/dev/urandom of="$work/$file" bs=1M count=4 conv=fsync status=none
done
dd if="$work/cold" iflag=nocache count=0 status=none # drops the file from the page cache
"$IOSPAN" record -o "$work/trace" --ops read,write -- fio --output=/dev/null "$work/job" 2>"$work/log" &&
	"$IOSPAN" export --format csv -o "$work/csv" "$work/trace" || { cat "$work/log" >&2; exit 1; }

# Writes a line "access LAYER LANE START END OPERATION" for each access, with times in ms. A lane is
# a row of the picture; accesses that overlap get different lanes. Then writes the intervals in
# which at least one access was in flight (the union), and their sum T. There is one union per
# layer, and one for the layers app and device together ("joint").
sort -t, -k13,13n "$work/csv" | awk -F, -v from="$2" -v to="$3" '
function unite(set, start, end) {
	if (n[set] && start <= till[set, n[set]]) {
		if (end > till[set, n[set]])
			till[set, n[set]] = end
		return
	}
	since[set, ++n[set]] = start
	till[set, n[set]] = end
}
$8 != "fio" || !($13 > 0) { next }
!first && $1 == "app" && $15 >= 65536 { first = $13 }
!first { next }
{
	start = ($13 - first) / 1e6
	end = ($14 - first) / 1e6
	if (end <= from || start >= to)
		next
	if (start < from)
		start = from
	if (end > to)
		end = to
	lane = 0
	while (busy[$1, lane] > start)
		lane++
	busy[$1, lane] = end
	if (lane >= lanes[$1])
		lanes[$1] = lane + 1
	printf "access %s %d %.4f %.4f %s\n", $1, lane, start, end, $2
	unite($1, start, end)
	if ($1 != "vfs")
		unite("joint", start, end)
}
END {
	for (set in n) {
		t = 0
		for (i = 1; i <= n[set]; i++) {
			printf "union %s 0 %.4f %.4f -\n", set, since[set, i], till[set, i]
			t += till[set, i] - since[set, i]
		}
		printf "T %s %d %.2f 0 -\n", set, lanes[set], t
	}
}' >"$work/bars"

# Computes the y positions. The layers stand one below the other. Each layer consists of the lanes
# (rows) of its accesses, then a row for their union, then a gap.
awk '
$1 == "T" { lanes[$2] = $3; t[$2] = $4 }
$1 != "T" { line[NR] = $0 }
END {
	split("app vfs device", order, " ")
	y = 0
	for (i = 1; i <= 3; i++) {
		top[order[i]] = y
		y -= lanes[order[i]] + 2.2
	}
	top["joint"] = y + .4
	for (at in line) {
		split(line[at], f, " ")
		row = top[f[2]] - (f[1] == "union" ? lanes[f[2]] + .2 : f[3])
		printf "%s %s %s %.2f %.2f %s\n", f[1] == "union" ? "union" : f[6], f[4], f[5],
			row - .8, row, f[2]
	}
	for (set in t)
		printf "text %s %.2f %.2f %s\n", set, top[set] - (lanes[set] - 1) / 2 - .4,
			top[set] - lanes[set] - .6, t[set]
	printf "bottom %.2f\n", y - 1
}' "$work/bars" >"$work/rows"

bottom=$(awk '$1 == "bottom" { print $2 }' "$work/rows")
labels=$(awk -v from="$2" -v to="$3" '$1 == "text" {
	if ($2 != "joint")
		printf "set label \"%s\" at %s, %s right offset -1.2, 0\n", $2, from, $3
	printf "set label \"%s\" at %s, %s right offset -1.2, 0\n", $2 == "joint" ? "app or device" : "T", from, $4
	printf "set label \"%s ms\" at %s, %s left offset 1, 0\n", $5, to, $4
}' "$work/rows")
title='The accesses of a job at three layers, and their spans'
gnuplot <<-END | sed "s|<title>Gnuplot</title>|<title>$title</title>|; s/[[:space:]]*$//"
	set terminal svg size 760,270 font "sans-serif,13" linewidth 0.5
	set lmargin 16
	set rmargin 10
	set border 1 linecolor rgb "#808080"
	set tics nomirror out textcolor rgb "#808080"
	unset ytics
	set xlabel "time in ms" textcolor rgb "#808080"
	set key above vertical maxrows 1 samplen 1.5 textcolor rgb "#808080"
	set xrange [$2:$3]
	set yrange [$bottom:0.3]
	$(echo "$labels" | sed 's/$/ textcolor rgb "#808080"/')
	set style fill solid noborder
	rows(what) = "< grep ^" . what . " $work/rows"
	plot rows("read") using (0):(0):2:3:4:5 with boxxyerror linecolor rgb "#3987e5" title "read", \
		rows("write") using (0):(0):2:3:4:5 with boxxyerror linecolor rgb "#d07020" title "write", \
		rows("union") using (0):(0):2:3:4:5 with boxxyerror linecolor rgb "#209060" notitle
END
