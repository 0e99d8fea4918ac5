/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Experiments of He, Sun, Yin 2013, section IV: does BPS follow the execution time where other
 * metrics mislead? A *set* has *cases* that differ in one parameter, each with several *runs*;
 * means of metrics and time are correlated over the cases.
 *
 * plan.c          the cases of each set, and their files
 * sets.c          runs all cases, and flushes caches before
 * exec.c          cases that are commands
 * sets-mpi.c      runs by processes of mpirun
 * sets-metric.c   metrics, their means and correlations
 * sets-json.c     document and views; sets-html.c: plots */
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
	/* includes bytes that the application did not request */
	SETS_BANDWIDTH_DEVICE,
	SETS_ARPT,
	SETS_BPS_APP,
	SETS_BPS_VFS,
	SETS_BPS_DEVICE,
	SETS_METRICS
};

struct sets_metric_row {
	const char *key, *title;
	const char *of; /* name of the metric in metrics[]; NULL for the execution time */
	enum layer layer;
	enum metric_kind kind;
	/* sign of the correlation with the execution time that table 1 of the paper expects */
	int expected;
};
extern const struct sets_metric_row sets_metrics[SETS_METRICS];

struct sets_run {
	u64 begin_ns, elapsed_ns;   /* start of the run (CLOCK_MONOTONIC) and its duration */
	double value[SETS_METRICS]; /* value of each metric; NaN: not measured */
	double others;		    /* fraction of the processor time that other programs used */
	struct out *layers;
	/* of a command: losses, notes, attribution; NULL for a load of iospan */
	struct out *evidence;
	bool lost; /* the tracer has missed accesses */
};

struct sets_case {
	char *name;
	/* its files: index of the first in sets_experiment.files, and their number */
	unsigned first, files;
	u64 procs, size, bytes; /* size: of a request; bytes: read by all processes together */
	struct regions regions; /* in set 4: the regions to read; .size is 0 in other sets */
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
extern const char *const sets_names[SETS_KINDS];
extern const char *const sets_titles[SETS_KINDS];

struct sets_experiment {
	enum sets_kind kind;
	struct sets_case *cases;
	unsigned cases_n;
	/* ends with NULL; a directory occurs once per file in it */
	char **files;
	u64 *bytes;
	unsigned files_n;
};

struct sets_options {
	/* region, buffer and procs are for set 4 */
	u64 runs, size, region, buffer, procs, seed;
	/* fraction of the paper's data; 0: as space and memory allow, up to 1 */
	double scale;
	u64 ranks; /* number of processes that mpirun started; 0: no MPI, .engine is used */
	const struct engine *engine;
	bool collective; /* read by two-phase reads (sieve.h) in set 4 */
	/* with .collective: bytes that each process reads at once for all */
	u64 collective_bytes;
	bool direct, drop_caches;
};

struct sets {
	struct sets_options how;
	/* names of the targets, ending with NULL; NULL: the cases are commands */
	char *const *targets;
	struct sets_experiment *list;
	unsigned n;
	struct layers layers;
	int signals; /* descriptor from signals_catch() */
	u64 elapsed_ns;
	bool complete;
	struct out *environment;
};

/* Runs all sets. Returns 0 or -errno; prints the error, except -EINTR (a signal). */
int sets_run(struct sets *s);
/* Frees results and removes the cgroup, even if sets_run() failed. Returns 0 or -errno; prints the
 * error. */
int sets_end(struct sets *s);

/* Over the runs of a case; with fewer than two runs, the deviation is NaN. */
struct spread {
	double mean, deviation;
};

/* In the paper, a metric is right, misleads, or is not discussed (SETS_UNSAID). */
enum sets_direction { SETS_RIGHT, SETS_MISLEADS, SETS_UNSAID };

#endif
