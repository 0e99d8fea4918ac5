/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The experiments of He, Sun, Yin 2013, section IV, test if BPS correlates with the execution time
 * where other metrics mislead. A *set* is one experiment. It has *cases*, which differ in one
 * parameter. Each case has several *runs*. The mean of a metric over the runs of a case is
 * correlated, over the cases, with the mean execution time.
 *
 * plan.c          the cases of each set, and their files
 * cases.c         cases that are commands or earlier results
 * sets.c          runs all cases, and flushes caches before each run
 * sets-mpi.c      runs by processes of mpirun
 * sets-metric.c   metrics, their correlations, the conclusion, and the ways of set 4 side by side
 * sets-json.c     the JSON document
 * sets-views.c    the tables for text output
 * sets-html.c     plots */
#ifndef IOSPAN_BENCH_SETS_H
#define IOSPAN_BENCH_SETS_H

#include <stdio.h>
#include "bench/load/layers.h"
#include "bench/load/load.h"
#include "bench/load/others.h"
#include "user/result/view.h"
#include "user/stats/correlation.h"

enum sets_metric {
	SETS_TIME,
	SETS_IOPS,
	SETS_BANDWIDTH_VFS,
	/* device layer; includes bytes that the application did not request */
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
	/* expected sign of the correlation with the execution time (He, Sun, Yin 2013, table 1) */
	int expected;
};
extern const struct sets_metric_row sets_metrics[SETS_METRICS];

struct sets_run {
	char *file; /* file of an earlier result that has this run; NULL: bench sets made the run */
	/* .begin_ns: start of the run (CLOCK_MONOTONIC). .elapsed_ns: duration of the run. */
	u64 begin_ns, elapsed_ns;
	double value[SETS_METRICS]; /* value of each metric; NaN: not measured */
	double others;		    /* fraction of the processor time that other programs used */
	struct out *layers;
	/* if the case is a command: lost events, notes, and how iospan watched each layer; NULL:
	 * the case is no command */
	struct out *evidence;
	bool lost; /* true: the tracer has missed accesses of this run */
};

struct sets_case {
	char *name;
	/* .first: index in sets_experiment.files of the first file of the case. .files: number of
	 * files of the case. */
	unsigned first, files;
	/* .procs: number of processes. .size: bytes of a request. .bytes: bytes that all processes
	 * together read. */
	u64 procs, size, bytes;
	/* the regions to read in set 4; in other sets, .regions.size is 0 */
	struct regions regions;
	struct sets_run *runs;
	unsigned runs_n;
};

enum sets_kind {
	SETS_DEVICES,
	SETS_SIZES,
	SETS_FILES,	/* each process reads a file of its own, on a target of its own */
	SETS_CONTENDED, /* each process reads a file of its own; all are on one target */
	SETS_SHARED,
	SETS_SIEVING,
	SETS_COMMANDS,
	SETS_RESULTS, /* cases are results of earlier commands */
	SETS_KINDS
};
/* the sets that use all targets at once, as bits 1 << enum sets_kind; each other set uses one
 * target */
#define SETS_OF_ALL_TARGETS (1u << SETS_DEVICES | 1u << SETS_FILES)
extern const char *const sets_names[SETS_KINDS];
extern const char *const sets_titles[SETS_KINDS];

struct sets_experiment {
	enum sets_kind kind;
	struct sets_case *cases;
	unsigned cases_n;
	/* names of the targets; NULL ends the list. If 4 files are made in a directory, the list
	 * has this directory 4 times. */
	char **files;
	u64 *bytes;
	unsigned files_n;
};

struct sets_options {
	/* only set 4 uses .region, .buffer and .procs */
	u64 runs, size, region, buffer, procs, seed;
	/* amount of data, as a fraction of the amount in the paper (He, Sun, Yin 2013); 0: the
	 * largest fraction for which space and memory suffice, at most 1 */
	double scale;
	u64 ranks; /* number of processes that mpirun started; 0: no MPI */
	const struct engine *engine;
	/* true: set 4 runs three times: with one read per region, with data sieving, and with
	 * two-phase reads */
	bool each_way;
	bool collective; /* set 4: regions are read by two-phase reads (sieve.h) */
	/* if .collective is true: bytes that each process reads in one step of a two-phase read */
	u64 collective_bytes;
	bool direct, drop_caches;
};

/* How set 4 reads regions. If sets_options.each_way is true, set 4 runs once for each way, in this
 * order. */
enum sets_way { SETS_ALONE, SETS_SIEVED, SETS_COLLECTIVE, SETS_WAYS };
extern const char *const sets_ways[SETS_WAYS];
enum sets_way sets_way_of(const struct regions *r);

struct sets {
	struct sets_options how;
	/* names of the targets, ending with NULL; NULL: the cases are commands */
	char *const *targets;
	struct sets_experiment *list;
	unsigned n;
	struct layers layers;
	int signals; /* descriptor from signals_catch(), on which signals such as SIGINT arrive */
	u64 elapsed_ns;
	bool complete;
	struct out *environment;
};

/* Runs all sets. Returns 0 or -errno; prints the error, except -EINTR (a signal). */
int sets_run(struct sets *s);
/* Frees the results of sets_run() and removes its cgroup. Call it even if sets_run() failed.
 * Returns 0 or -errno; prints the error. */
int sets_end(struct sets *s);

/* Mean and standard deviation of a metric over the runs of a case. With fewer than two runs, the
 * deviation is NaN. */
struct spread {
	double mean, deviation;
};

/* The verdict of the paper (He, Sun, Yin 2013) on a metric. SETS_RIGHT: the metric correlates with
 * the execution time as expected. SETS_MISLEADS: the metric does not correlate as expected.
 * SETS_UNSAID: the paper does not discuss the metric. */
enum sets_direction { SETS_RIGHT, SETS_MISLEADS, SETS_UNSAID };

/* Chooses the amount of data, and plans the sets in @kinds (bits of enum sets_kind). For a kind in
 * SETS_OF_ALL_TARGETS, plans one set that uses all targets. For each other kind, plans one set per
 * target. Returns 0, or -errno if space or memory is not enough; prints the error. */
int sets_plan(struct sets *s, unsigned kinds);

struct sets_experiment *sets_add(struct sets *s, enum sets_kind kind);
/* Adds a case named @name to the set @e, and returns it. The set owns @name from then on. The next
 * call may move the cases in memory, so the returned pointer is valid only until then. */
struct sets_case *sets_add_case(struct sets_experiment *e, char *name);
void sets_forget(struct sets *s);

/* Returns true if two targets use the same space: they are the same target, or directories in one
 * file system. */
bool sets_share_room(const char *one, const char *other);

/* Makes one set with a case for each command in the file @path, one per line. Returns 0 or -errno;
 * prints the error. */
int sets_read_commands(struct sets *s, const char *path);
/* Runs and measures the command of case @c, and sets @run to the result. Returns 0 or -errno;
 * prints the error, except -EINTR. */
int sets_run_command(const struct sets_case *c, struct sets_run *run);

/* Adds a set that has earlier results as cases. @operands ends with NULL. Each operand is one case:
 * the JSON files of its runs, separated by commas. Returns 0 or -errno; prints the error. */
int sets_read_results(struct sets *s, char *const *operands);

/* Computes the metrics of a run that took @elapsed_ns, from the sums of its layers. NULL in @of:
 * the layer was not measured. */
void sets_take(struct sets_run *run, u64 elapsed_ns, const struct sum *const of[LAYERS]);
struct spread sets_spread(const struct sets_case *c, enum sets_metric m);
/* Returns the correlation of metric @m with the execution time, over the cases of @e. The result is
 * positive if the correlation has the sign that is expected for the metric (He, Sun, Yin 2013,
 * section IV.B). */
struct correlation sets_correlation(const struct sets_experiment *e, enum sets_metric m);
/* Returns true if the sign of the correlation @c is not certain: the confidence interval contains
 * 0, or the set has only two cases. The correlation of two points is always 1 or -1. */
bool sets_is_uncertain(const struct sets_experiment *e, const struct correlation *c);
/* Returns the correlation of an ideal rate, 1 / time, with the execution time. It is positive,
 * because sets_correlation() makes expected signs positive. It is below 1, because the relation is
 * not linear. NaN: all times are equal. */
double sets_inverse_correlation(const struct sets_experiment *e);
enum sets_direction sets_in_paper(enum sets_kind kind, enum sets_metric m);

/* Runs MPI by mpi_run() (mpi-ranks.h). Rank 0 calls @lead, which may use the functions below. */
int sets_mpi_run(int (*lead)(void *arg, unsigned ranks), void *arg);

const char *sets_mpi_version(void);
/* Moves all ranks into the cgroup of the session, if there is one, so that iospan measures them.
 * Returns 0 or -errno; prints the error. */
int sets_mpi_begin(struct sets *s);
/* Makes one run of the case @c on the file @fd, and sets @app to the sum over all ranks. Adds the
 * CPU time of the ranks to @before->busy_ns, so that others_since(@before) does not include it.
 * Returns 0 or -errno; prints the error, except -EINTR (a signal). */
int sets_mpi_read(struct sets *s, const struct sets_case *c, int fd, struct sum *app,
		  struct others *before);

/* Returns the conclusion from all sets (He, Sun, Yin 2013, section IV.C.5). It names the metrics
 * that correlate with the execution time in every set. For each other metric, it names the sets in
 * which the metric misleads. Uncertain directions do not count. The caller frees the text. */
char *sets_summary(const struct sets *s);
/* Returns a JSON array with one element for each size of the holes in set 4. The element has the
 * times of all three ways of reading. */
struct out *sets_sieving_json(const struct sets *s);

struct out *sets_document(const struct sets *s);
extern const struct view sets_views[];

/* Draws the plots of all sets into an HTML page. Returns 0 or -errno; prints the error. */
int sets_plots(FILE *f, const void *sets);

#endif
