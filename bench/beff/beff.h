/* SPDX-License-Identifier: GPL-2.0-or-later */
/* b_eff_io, revision 2.1: one run, and what came of it. */
#ifndef IOSPAN_BENCH_BEFF_H
#define IOSPAN_BENCH_BEFF_H

#include "bench/beff/average.h"
#include "bench/beff/engine.h"
#include "bench/load/layers.h"
#include "user/session/workdir.h"

/* One pattern by one access method. Bytes are those of all ranks. */
struct beff_cell {
	u64 bytes;
	struct beff_outcome of; /* its repetitions are 0: not run */
	struct out *layers;	/* "app", "vfs", "device": all metrics, or null */
};

/* One type by one access method: from the begin of its open to the end of its close. */
struct beff_total {
	bool done; /* the close, too */
	u64 open_ns, close_ns;
	u64 bytes, ns;	  /* of all of it */
	double bandwidth; /* bytes per second; NaN: not known */
	double by_units;  /* of its patterns, weighted by U */
};

struct beff_partition {
	struct beff_shape shape;
	struct beff_cell cells[BEFF_ACCESSES][BEFF_PATTERNS];
	struct beff_total totals[BEFF_ACCESSES][BEFF_TYPES];
	struct beff_cell extended[BEFF_EXTENSIONS][BEFF_EXTENDED];
	u64 bytes[BEFF_ACCESSES], ns[BEFF_ACCESSES];
	u64 sync_ns[BEFF_ACCESSES]; /* a part of that */
	double weighted[BEFF_ACCESSES];
	double write_average, value; /* of 2.x; NaN: not known */
	double value_1;		     /* of 1.x; NaN: not all was rewritten */
	u64 wrong, checked_bytes;    /* chunks, in the pass that is not timed */
};

enum beff_end { BEFF_RUNS, BEFF_DONE, BEFF_SIGNAL, BEFF_ERROR };
#define BEFF_PARTITIONS 10
struct beff;

/* Called when a pattern is done, a type (@pattern is BEFF_PATTERNS then), and all types of an
 * access method (@type is BEFF_TYPES). */
typedef void beff_progress(const struct beff *b, const struct beff_partition *p,
			   enum beff_access access, enum beff_type type, unsigned pattern);

struct beff {
	/* what is asked for */
	const char *target; /* files are in a directory of their own below it */
	const struct beff_engine *engine;
	struct beff_setup setup;	/* but its directory */
	u64 seconds, partition_seconds; /* T, Tn */
	u64 memory;			/* of each process */
	bool rewrite_all, version_1, keep, check, extend;
	bool repeated; /* as often as shapes say, however long it takes */
	unsigned partitions_n;
	struct beff_partition partitions[BEFF_PARTITIONS]; /* the shape's ranks and mpart */
	struct beff_hints hints;
	beff_progress *tell; /* NULL: nobody listens */

	/* what came of it */
	enum beff_end end;
	u64 elapsed_ns;
	u64 check_ns;	 /* of the pass that is not timed */
	u64 cache_bytes; /* that the page cache can hold */
	struct beff_criterion criteria[BEFF_CRITERIA];
	unsigned criteria_n;
	bool valid;
	double value;  /* of the system, by the version asked for; NaN */
	unsigned best; /* the partition that has it */

	/* how it is done */
	void *ranks;		/* the engine's */
	struct workdir workdir; /* has the files */
	struct layers layers;
	bool traced;	      /* there are layers; else */
	const char *untraced; /* why there is the app layer only */
	int signals;
	sigset_t before;
	u64 asked_ns;	/* to end, last */
	u64 free_bytes; /* at the begin */
};

/* Runs all of it, and computes what follows. It may have been cut: b->end. -errno: nothing was
 * measured; printed, but for -EINTR. */
int beff_run(struct beff *b);
/* After beff_run(), whatever came of it: removes what it made. -errno, printed. */
int beff_release(struct beff *b);

#endif
