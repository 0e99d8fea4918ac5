/* SPDX-License-Identifier: GPL-2.0-or-later */
/* b_eff_io, revision 2.1 (Koniges, Rabenseifner and others 2001): one run and its result. */
#ifndef IOSPAN_BENCH_BEFF_H
#define IOSPAN_BENCH_BEFF_H

#include "bench/beff/average.h"
#include "bench/beff/engine.h"
#include "bench/load/layers.h"
#include "user/session/workdir.h"

#define SECOND 1000000000ULL /* in ns */

/* One pattern with one access method. */
struct beff_cell {
	u64 bytes;		/* sum over all ranks */
	struct beff_outcome of; /* repetitions 0: not run */
	struct out *layers;	/* "app", "vfs", "device": all metrics, or null */
};

/* One type with one access method, including open and close. */
struct beff_total {
	bool done; /* including the close */
	u64 open_ns, close_ns;
	u64 bytes, ns;
	double bandwidth; /* bytes per second; NaN: not known */
	double by_units;  /* mean bandwidth of the patterns, weighted by U */
};

struct beff_partition {
	struct beff_shape shape;
	struct beff_cell cells[BEFF_ACCESSES][BEFF_PATTERNS];
	struct beff_total totals[BEFF_ACCESSES][BEFF_TYPES];
	struct beff_cell extended[BEFF_EXTENSIONS][BEFF_EXTENDED];
	u64 bytes[BEFF_ACCESSES], ns[BEFF_ACCESSES];
	u64 sync_ns[BEFF_ACCESSES]; /* included in ns */
	double weighted[BEFF_ACCESSES];
	double write_average, value; /* by 2.x; NaN: not known */
	double value_1;		     /* by 1.x; NaN: not all types were rewritten */
	u64 wrong, checked_bytes;    /* wrong chunks in the final check of all bytes */
};

enum beff_end { BEFF_RUNS, BEFF_DONE, BEFF_SIGNAL, BEFF_ERROR };
#define BEFF_PARTITIONS 10
struct beff;

/* Called after each pattern, after each type (@pattern is BEFF_PATTERNS), and after each access
 * method (@type is BEFF_TYPES). */
typedef void beff_progress(const struct beff *b, const struct beff_partition *p,
			   enum beff_access access, enum beff_type type, unsigned pattern);

struct beff {
	/* options */
	const char *target; /* the files are in a new directory below it */
	const struct beff_engine *engine;
	struct beff_setup setup;	/* the caller sets all except dir, fd and path */
	u64 seconds, partition_seconds; /* T, Tn */
	u64 memory;			/* bytes of memory per process */
	bool rewrite_all, version_1, keep, check, extend;
	bool repeated; /* repeat as often as the shapes specify, without a time limit */
	unsigned partitions_n;
	struct beff_partition partitions[BEFF_PARTITIONS]; /* shape: ranks and mpart */
	struct beff_hints hints;
	beff_progress *tell; /* may be NULL */

	/* result */
	enum beff_end end;
	u64 elapsed_ns;
	u64 check_ns;	 /* time of the final check of all bytes */
	u64 cache_bytes; /* size that the page cache may reach */
	struct beff_criterion criteria[BEFF_CRITERIA];
	unsigned criteria_n;
	bool valid;
	double value;  /* b_eff_io of the system, by version_1 or 2.x; NaN: not known */
	unsigned best; /* the partition with this value */

	/* state */
	void *ranks;		/* state of the engine */
	struct workdir workdir; /* contains the files */
	struct layers layers;
	bool traced;
	const char *untraced; /* reason if not traced */
	int signals;
	sigset_t before;
	u64 asked_ns;	/* time of the last signal, see signals_came() */
	u64 free_bytes; /* free space at the start */
};

/* Runs the benchmark and computes the result; b->end shows whether it is complete. Returns -errno
 * if nothing was measured, and prints the error, except -EINTR. */
int beff_run(struct beff *b);
/* Call after beff_run(), even if that failed. Removes the files. Returns 0 or -errno; prints the
 * error. */
int beff_release(struct beff *b);

#endif
