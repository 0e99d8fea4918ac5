#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# coverage.sh BUILD ARGUMENT...: runs tests/run with the arguments. Then prints the fraction of
# lines that ran, for each folder, and the files below 80 %. BUILD is a build with COV=1.
#
# A process that ends by _exit() or a signal writes no counters. The preloaded library has no
# counters. Before an exec, gcc's library writes the counters in the cgroup of the measured command.
# Seven tests count these writes, and fail. So failures do not change the exit status of this
# script.

cd "$(dirname "$0")/.." || exit 1
build=$1
shift
command -v gcovr >/dev/null || { echo "coverage: needs the package gcovr" >&2; exit 1; }
find "$build" -name '*.gcda' -delete
IOSPAN_QUICK=1 tests/run "$@"

table()
{
	awk -F, -v least=80 '
	NR == 1 || !$2 { next }
	{
		folder = $1
		sub(/\/.*/, "", folder)
		files[folder]++
		lines[folder] += $2
		covered[folder] += $3
		if (100 * $3 < least * $2)
			low[++n] = sprintf("%-32s%8d%9.1f %%", $1, $2, 100 * $3 / $2)
	}
	END {
		printf "%-16s%8s%8s%11s\n", "folder", "files", "lines", "covered"
		for (f in files)
			printf "%-16s%8d%8d%9.1f %%\n", f, files[f], lines[f], 100 * covered[f] / lines[f]
		printf "\n%-32s%8s%11s\n", "files below " least " %", "lines", "covered"
		for (i = 1; i <= n; i++)
			print low[i]
	}'
}

csv=$(gcovr --root . --filter '(bench|tools|user)/' "$build" --csv) && echo "$csv" | table
