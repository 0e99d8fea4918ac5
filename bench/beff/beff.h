/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of b_eff_io, revision 2.1 (Koniges, Rabenseifner and others 2001), and its result. */
#ifndef IOSPAN_BENCH_BEFF_H
#define IOSPAN_BENCH_BEFF_H

#include "bench/beff/average.h"
#include "bench/beff/engine.h"
#include "bench/load/layers.h"
#include "user/session/workdir.h"

#define SECOND 1000000000ULL /* one second in ns */

/* The result of one pattern with one access method (write, rewrite or read). */
struct beff_cell {
	u64 bytes;		/* bytes that all ranks transferred */
	struct beff_outcome of; /* outcome of the step; 0 repetitions: the pattern was not run */
	struct out *layers; /* metrics of the layers "app", "vfs", "device"; null if not measured */
};

/* The result of all patterns of one type with one access method, including open and close. */
struct beff_total {
	bool done; /* all patterns of the type have run, and the file is closed */
	u64 open_ns, close_ns;
	u64 bytes, ns;
	double bandwidth; /* bandwidth in bytes per second; NaN: not known */
	double by_units;  /* mean bandwidth of the patterns, weighted by U (pattern.h) */
};

struct beff_partition {
	struct beff_shape shape;
	struct beff_cell cells[BEFF_ACCESSES][BEFF_PATTERNS];
	struct beff_total totals[BEFF_ACCESSES][BEFF_TYPES];
	struct beff_cell extended[BEFF_EXTENSIONS][BEFF_EXTENDED];
	u64 bytes[BEFF_ACCESSES], ns[BEFF_ACCESSES];
	u64 sync_ns[BEFF_ACCESSES]; /* time of sync calls, which .ns includes */
	double weighted[BEFF_ACCESSES];
	/* average for writing and b_eff_io, by version 2.x; NaN: not known */
	double write_average, value;
	double value_1; /* b_eff_io by version 1.x; NaN: not all types were rewritten */
	/* number of wrong chunks and of checked bytes, in the final check */
	u64 wrong, checked_bytes;
};

enum beff_end { BEFF_RUNS, BEFF_DONE, BEFF_SIGNAL, BEFF_ERROR };
#define BEFF_PARTITIONS 10
struct beff;

/* Reports the result of a pattern. */
typedef void beff_progress(const struct beff *b, const struct beff_partition *p,
			   enum beff_access access, unsigned pattern);

struct beff {
	/* options, which the caller sets */
	const char *target; /* directory in which the run makes a directory for its files */
	const struct beff_engine *engine;
	struct beff_setup setup; /* the caller sets all fields except dir, fd and path */
	/* scheduled time (T in the paper), and that of one partition (Tn) */
	u64 seconds, partition_seconds;
	u64 memory; /* bytes of memory per process */
	bool rewrite_all, version_1, keep, check, extend;
	bool repeated; /* patterns repeat as often as in an earlier run, without a time limit */
	unsigned partitions_n;
	/* the caller sets ranks and mpart of each shape */
	struct beff_partition partitions[BEFF_PARTITIONS];
	struct beff_hints hints;
	beff_progress *progress; /* called after each pattern; may be NULL */
	FILE *log;		 /* for a line of JSON per pattern; NULL: none */

	/* result, which beff_run() sets */
	enum beff_end end;
	u64 elapsed_ns;
	u64 check_ns;	 /* time of the final check of all bytes */
	u64 cache_bytes; /* bytes of file data that the page cache can hold */
	struct beff_criterion criteria[BEFF_CRITERIA];
	unsigned criteria_n;
	bool valid;
	double value;  /* b_eff_io of the system, by 1.x if version_1, else 2.x; NaN: not known */
	unsigned best; /* index of the partition that has this b_eff_io */

	/* state while the benchmark runs */
	void *ranks;		/* state of the engine */
	struct workdir workdir; /* directory that contains the files */
	struct layers layers;
	bool traced;
	const char *untraced; /* reason why the run is not traced; NULL: it is traced */
	int signals;
	sigset_t before;
	u64 asked_ns;	/* time of the last signal, for signals_came() */
	u64 free_bytes; /* free space of the target at the start of the run */
};

/* Runs the benchmark and computes the result. @b->end shows whether the result is complete. Returns
 * 0, or -errno if nothing was measured; prints the error, except -EINTR. */
int beff_run(struct beff *b);
/* Removes the files and frees what beff_run() made. Call it even if beff_run() failed. Returns 0 or
 * -errno; prints the error. */
int beff_release(struct beff *b);

#endif
