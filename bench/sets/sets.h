/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The experiments of He, Sun, Yin 2013, section IV: does BPS follow the execution time where
 * other metrics mislead? A *set* has *cases* that differ in one parameter. Each case repeats the
 * same work in several *runs*. The mean of each metric over the runs is correlated with the mean
 * execution time, over the cases of the set.
 *
 *   plan.c          the cases of each set, and the files that they need
 *   sets.c          runs all cases and flushes caches before each run
 *   exec.c          cases that are commands
 *   sets-mpi.c      runs by processes that mpirun started
 *   sets-metric.c   the metrics, their means and correlations
 *   sets-json.c     the result document and its views; sets-html.c: the plots
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
	SETS_BANDWIDTH_DEVICE, /* includes bytes that the application did not request */
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
	int expected; /* sign of the correlation with the time: table 1 of the paper */
};
extern const struct sets_metric_row sets_metrics[SETS_METRICS];

struct sets_run {
	u64 begin_ns, elapsed_ns;   /* CLOCK_MONOTONIC */
	double value[SETS_METRICS]; /* NaN: not measured */
	double others;		    /* fraction of the CPU time that other programs used */
	struct out *layers;
	struct out *evidence; /* only of a command: losses, notes and attribution */
	bool lost;	      /* some accesses were lost */
};

struct sets_case {
	char *name;
	unsigned first, files;	/* range in sets_experiment.files; processes use them in turn */
	u64 procs, size, bytes; /* size: of a request; bytes: of all processes */
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
	char **files; /* NULL-ended names of targets; a directory once for each file in it */
	u64 *bytes;   /* size of each file */
	unsigned files_n;
};

struct sets_options {
	u64 runs, size, region, buffer, procs, seed; /* region, buffer, procs: of set 4 */
	double scale; /* fraction of the paper's data; 0: as large as the room allows, up to 1 */
	u64 ranks;    /* started by mpirun; 0: use engine */
	const struct engine *engine;
	bool collective;      /* set 4: two-phase reads */
	u64 collective_bytes; /* collective: buffer of each process that reads for all */
	bool direct, drop_caches;
};

struct sets {
	struct sets_options how;
	char *const *targets; /* NULL-ended; NULL for commands */
	struct sets_experiment *list;
	unsigned n;
	struct layers layers;
	int signals; /* from signals_catch(), while loads run */
	u64 elapsed_ns;
	bool complete;
	struct out *environment;
};

/* Runs all sets. Returns 0 or -errno; prints the error, except -EINTR (a signal). */
int sets_run(struct sets *s);
/* Call after sets_run(), even if that failed. Returns 0 or -errno; prints the error. */
int sets_end(struct sets *s);

/* Over the runs of a case; the deviation of fewer than two is NaN. */
struct spread {
	double mean, deviation;
};

/* Direction of a metric's correlation in the paper. SETS_UNSAID: the paper does not have it. */
enum sets_direction { SETS_RIGHT, SETS_MISLEADS, SETS_UNSAID };

#endif
