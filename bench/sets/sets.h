/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The experiments of He, Sun, Yin 2013, section IV: does BPS follow the execution time where
 * other metrics mislead? A *set* is a number of *cases* that differ in one thing. Each case does
 * the same work several times; of its metrics the mean counts, and how they correlate with the
 * execution time over the cases of the set.
 *
 *   sets-plan.c     the cases of each set, and the files that they need
 *   sets.c          runs of all cases, with caches flushed before each
 *   sets-exec.c     cases that are commands
 *   sets-mpi.c      runs by processes that mpirun has started
 *   sets-metric.c   the metrics, their means and correlations
 *   sets-text.c, sets-json.c, sets-html.c
 */
#ifndef IOSPAN_BENCH_SETS_H
#define IOSPAN_BENCH_SETS_H

#include <stdio.h>
#include "bench/load/layers.h"
#include "bench/load/load.h"
#include "user/stats/correlation.h"

enum sets_metric {
	SETS_TIME,
	SETS_IOPS,
	SETS_BANDWIDTH_VFS,
	SETS_BANDWIDTH_DEVICE, /* what is moved, wanted or not */
	SETS_ARPT,
	SETS_BPS_APP,
	SETS_BPS_VFS,
	SETS_BPS_DEVICE,
	SETS_METRICS
};

struct sets_metric_row {
	const char *key, *title;
	const char *of; /* key in metrics[]; NULL: the execution time */
	enum layer layer;
	enum metric_kind kind;
	int expected; /* sign of its correlation with the time: table 1 */
};
extern const struct sets_metric_row sets_metrics[SETS_METRICS];

struct sets_run {
	u64 begin_ns, elapsed_ns;   /* CLOCK_MONOTONIC */
	double value[SETS_METRICS]; /* NaN: not measured */
	double others;		    /* share of the processors that other programs had */
	struct out *layers;
	struct out *evidence; /* of a command: what its numbers rest on */
	bool lost;	      /* some of its accesses */
};

struct sets_case {
	char *name;
	unsigned first, files;	/* of the set's, which the processes take in turn */
	u64 procs, size, bytes; /* requests of so many bytes, all the data */
	struct regions regions; /* set 4 */
	struct sets_run *runs;
	unsigned runs_n;
};

enum sets_kind {
	SETS_DEVICES,
	SETS_SIZES,
	SETS_FILES,
	SETS_SHARED,
	SETS_SIEVING,
	SETS_COMMANDS,
	SETS_KINDS
};
extern const char *const sets_names[SETS_KINDS]; /* "1", "2", "3", "3b", "4", "exec" */
extern const char *const sets_titles[SETS_KINDS];

struct sets_experiment {
	enum sets_kind kind;
	struct sets_case *cases;
	unsigned cases_n;
	char **files; /* names of targets, NULL-ended: of a directory as many */
	u64 *bytes;   /* as files are to be made there; what each has to have */
	unsigned files_n;
};

struct sets_options {
	u64 runs, size, region, buffer, procs, seed; /* region, buffer, procs: of set 4 */
	double scale; /* of the paper's data; 0: what there is room for, up to 1 */
	u64 ranks;    /* that mpirun has started, instead of: */
	const struct engine *engine;
	bool collective;      /* set 4: in two phases */
	u64 collective_bytes; /* buffer of whoever reads for all then */
	bool direct, drop_caches;
};

struct sets {
	struct sets_options how;
	char *const *targets; /* NULL-ended; of commands there are none */
	struct sets_experiment *list;
	unsigned n;
	struct layers layers;
	int signals; /* of signals_catch(), while loads run */
	u64 elapsed_ns;
	bool complete;
	struct out *environment;
};

/* Runs all of it. -EINTR, not printed: we are asked to end. Else -errno, printed. */
int sets_run(struct sets *s);
int sets_end(struct sets *s); /* whatever came of it; -errno, printed */

/* Over the runs of a case; a deviation of fewer than two is NaN. */
struct spread {
	double mean, deviation;
};

/* What the paper found, which has no layers of BPS and one bandwidth. */
enum sets_direction { SETS_RIGHT, SETS_MISLEADS, SETS_UNSAID };

#endif
