/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run of b_eff_io, the effective I/O bandwidth benchmark, revision 2.1 (Koniges, Rabenseifner and
 * others 2001). The run measures partitions (groups of processes, called ranks). In each partition,
 * patterns run. A pattern repeats I/O calls with one chunk size, separately for the access methods
 * write, rewrite and read. The type of a pattern, such as "scatter", is the arrangement of the
 * chunks in the files. */
#ifndef IOSPAN_BENCH_BEFF_H
#define IOSPAN_BENCH_BEFF_H

#include <stdio.h>

#include "bench/beff/average.h"
#include "bench/beff/engine.h"
#include "bench/load/layers.h"
#include "user/session/workdir.h"

#define SECOND 1000000000ULL

/* The result of one pattern (pattern.h) with one access method: write, rewrite or read. */
struct beff_cell {
	u64 bytes;		/* bytes that all ranks together transferred */
	struct beff_outcome of; /* times and errors; .repetitions is 0 if the pattern was not run */
	/* metrics of the layers "app", "vfs" and "device"; null: not measured */
	struct out *layers;
	double device_bps; /* BPS of the layer "device"; NaN: unknown, or no access */
};

/* The result of one access method with all patterns of one type, including the time of open and
 * close. */
struct beff_total {
	bool done; /* true: all patterns of the type have run, and the file is closed */
	u64 open_ns, close_ns;
	u64 bytes, ns;
	double bandwidth; /* bandwidth in bytes per second; NaN: not known */
	/* mean bandwidth of the patterns, weighted by their weight U (pattern.h) */
	double by_units;
};

struct beff_partition {
	struct beff_shape shape;
	struct beff_cell cells[BEFF_ACCESSES][BEFF_PATTERNS];
	struct beff_total totals[BEFF_ACCESSES][BEFF_TYPES];
	struct beff_cell extended[BEFF_EXTENSIONS][BEFF_EXTENDED];
	/* .nodes: number of machines (nodes) on which the ranks run. .node_ranks: number of ranks
	 * on the node with the most of them. */
	u64 nodes, node_ranks;
	u64 bytes[BEFF_ACCESSES], ns[BEFF_ACCESSES];
	u64 sync_ns[BEFF_ACCESSES]; /* time of sync calls in ns, which is also part of .ns */
	double weighted[BEFF_ACCESSES];
	/* .write_average: mean bandwidth of writing. .value: b_eff_io of the partition. The rules
	 * of version 2.x apply to both fields. NaN: not known. */
	double write_average, value;
	/* b_eff_io by version 1.x; NaN: unknown, because some types were not rewritten */
	double value_1;
	/* .wrong: number of wrong chunks that the final check of the files found. .checked_bytes:
	 * number of bytes that this check has read. */
	u64 wrong, checked_bytes;
};

enum beff_end { BEFF_RUNS, BEFF_DONE, BEFF_SIGNAL, BEFF_ERROR };
#define BEFF_PARTITIONS 10
struct beff;

typedef void beff_progress(const struct beff *b, const struct beff_partition *p,
			   enum beff_access access, unsigned pattern);

struct beff {
	/* options, which the caller sets */
	const char *target; /* the run makes a directory for its files in this directory */
	const struct beff_engine *engine;
	struct beff_setup setup; /* the caller sets all fields except .dir, .fd and .path */
	/* .seconds: scheduled time of the run (T in the b_eff_io paper), in seconds.
	 * .partition_seconds: scheduled time of each partition (Tn). */
	u64 seconds, partition_seconds;
	u64 memory; /* memory of each process in bytes */
	bool rewrite_all, version_1, keep, check, extend;
	/* true: each pattern repeats its call as often as in an earlier run; false: each pattern
	 * runs for its scheduled time */
	bool repeated;
	unsigned partitions_n;
	/* the caller sets .shape.ranks and .shape.mpart of each partition */
	struct beff_partition partitions[BEFF_PARTITIONS];
	struct beff_hints hints;
	beff_progress *progress; /* called after each pattern; may be NULL */
	FILE *log;		 /* file that gets one line of JSON per pattern; NULL: no log */

	/* result, which beff_run() sets */
	enum beff_end end;
	u64 elapsed_ns;
	u64 check_ns;	 /* duration of the final check of the files */
	u64 cache_bytes; /* bytes of file data that the page caches of all nodes can hold */
	struct beff_criterion criteria[BEFF_CRITERIA];
	unsigned criteria_n;
	enum beff_verdict verdict;
	double value;  /* b_eff_io, by version 1.x if .version_1, else by 2.x; NaN: not known */
	unsigned best; /* index of the partition with the highest b_eff_io, which is .value */

	void *ranks; /* state of the ranks, as returned by .begin() of the engine */
	struct workdir workdir;
	struct layers layers;
	bool traced;
	/* reason why the vfs and device layers are not measured; NULL: they are measured */
	const char *untraced;
	int signals;
	sigset_t before;
	/* time of the last signal; signals_came() ignores further signals within SIGNALS_ONCE_NS
	 * after this time */
	u64 asked_ns;
	u64 free_bytes; /* free space of the target when the run started, in bytes */
};

/* Runs the benchmark and computes the result. If a signal or an error ended the run early, @b->end
 * is BEFF_SIGNAL or BEFF_ERROR. Returns 0, or -errno if nothing was measured; prints the error,
 * except -EINTR. */
int beff_run(struct beff *b);
/* Removes the files of the run and frees its memory. Call it even if beff_run() failed. Returns 0
 * or -errno; prints the error. */
int beff_release(struct beff *b);

#endif
