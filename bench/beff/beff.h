/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run of b_eff_io, the effective I/O bandwidth benchmark, revision 2.1 (Koniges, Rabenseifner and
 * others 2001). The run measures partitions (groups of processes, called ranks). In each partition,
 * patterns run. A pattern repeats I/O calls with one chunk size, separately for the access methods
 * write, rewrite and read. The type of a pattern, such as "scatter", is the arrangement of the
 * chunks in the files.
 *
 * partition.c     partitions, and the nodes of their ranks
 * beff.c          runs the benchmark
 * compute.c       the result from bytes and times, and the criteria of a comparison
 * beff-json.c     the JSON document, and the log
 * beff-views.c    the tables for text output
 * beff-html.c     plots
 * beff-read.c     reads a result again, and checks it
 * beff-compare.c  compares results */
#ifndef IOSPAN_BENCH_BEFF_H
#define IOSPAN_BENCH_BEFF_H

#include <stdio.h>

#include "bench/beff/engine.h"
#include "bench/load/layers.h"
#include "user/base/output.h"
#include "user/result/view.h"
#include "user/session/workdir.h"

#define SECOND 1000000000ULL

enum { BEFF_CRITERIA = 14 };
struct beff_criterion {
	const char *name; /* key in the JSON result, such as "partition_seconds" */
	/* text for the user, such as "total time, in multiples of the schedule" */
	const char *text;
	/* true: the result is invalid if this criterion fails (b_eff_io revision 2.1); false: it is
	 * only reported */
	bool decides;
	double value, limit;
	/* true: .value must be at most .limit; false: .value must be at least .limit */
	bool at_most;
};

bool beff_meets(const struct beff_criterion *c);

/* Defines with which other results this result may be compared. */
enum beff_verdict {
	BEFF_VALID, /* comparable with results of any other system */
	/* comparable only with runs of the same scheduled time, because the run was too short for
	 * the rules */
	BEFF_SHORT,
	/* comparable only with runs by io_uring, because the rules of b_eff_io demand MPI-IO */
	BEFF_URING,
	BEFF_URING_SHORT,
	BEFF_INVALID, /* not comparable: the run breaks a rule that is not about time or MPI-IO */
	BEFF_VERDICTS
};
extern const char *const beff_verdict_names[BEFF_VERDICTS];

/* The result of one pattern (pattern.h) with one access method: write, rewrite or read. */
struct beff_cell {
	u64 bytes;		/* bytes that all ranks together transferred */
	struct beff_outcome of; /* times and errors; .repetitions is 0 if the pattern was not run */
	/* metrics of the layers "app", "vfs" and "device"; null: not measured */
	struct out *layers;
	/* device layer: bytes per second of the time in which at least one access was in flight;
	 * NaN: unknown, or no access */
	double device_bps;
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
	/* .nodes: number of machines (nodes) on which the ranks run. .node_ranks: largest number of
	 * ranks on one node. */
	u64 nodes, node_ranks;
	u64 bytes[BEFF_ACCESSES], ns[BEFF_ACCESSES];
	u64 sync_ns[BEFF_ACCESSES]; /* time of sync calls in ns, which is also part of .ns */
	double weighted[BEFF_ACCESSES];
	/* By the rules of version 2.x. .write_average: mean bandwidth of writing. .value: b_eff_io
	 * of the partition. NaN: unknown. */
	double write_average, value;
	/* b_eff_io by the rules of version 1.x; NaN: unknown, because some types were not
	 * rewritten */
	double value_1;
	/* From the final check of the files. .wrong: number of chunks with wrong data.
	 * .checked_bytes: number of bytes that were read. */
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
	/* .dir, .fd, .path and .nodes are set by beff_run(), all other fields by the caller */
	struct beff_setup setup;
	/* .seconds: scheduled time of the run (T in the b_eff_io paper), in seconds.
	 * .partition_seconds: scheduled time of each partition (Tn). */
	u64 seconds, partition_seconds;
	u64 memory; /* memory of each process in bytes */
	bool rewrite_all, version_1, keep, check, extend;
	/* true: each pattern repeats its call as often as in an earlier run; false: each pattern
	 * runs for its scheduled time */
	bool repeated;
	unsigned partitions_n;
	/* beff_add_partition() sets .shape.ranks, and beff_set_memory() sets .shape.mpart */
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
	/* b_eff_io, by the rules of version 1.x if .version_1 is true, else of version 2.x; NaN:
	 * unknown */
	double value;
	/* index of the partition with the highest b_eff_io; .value is the value of this
	 * partition */
	unsigned best;

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

/* Runs the benchmark and computes the result. If a signal or an error ended the run early, b->end
 * is BEFF_SIGNAL or BEFF_ERROR. Returns 0 if there is a result, or -errno if nothing was measured.
 * Prints the error, unless it is -EINTR. */
int beff_run(struct beff *b);
/* Removes the files of the run and frees its memory. Call it even if beff_run() failed. Returns 0
 * or -errno; prints the error. */
int beff_release(struct beff *b);

/* Returns the bandwidth in bytes per second; NaN if @bytes or @ns is 0. */
double beff_bandwidth(u64 bytes, u64 ns);

/* Returns the average bandwidth of one access method over the pattern types. The type "scatter" has
 * twice the weight of any other type (b_eff_io paper, section 3). */
double beff_weighted(const double type[BEFF_TYPES]);
/* Returns the average bandwidth of writing in version 2.x: the mean of the bandwidths @write of all
 * pattern types, and of @rewrite_scatter. So the type "scatter" has two values in the mean: written
 * and rewritten (b_eff_io paper, section 6). */
double beff_write_average(const double write[BEFF_TYPES], double rewrite_scatter);
/* Return b_eff_io of one partition (a group of processes). beff_2() is version 2.x: the geometric
 * mean of writing and reading (b_eff_io paper, section 6). beff_1() is version 1.x: a weighted sum
 * over the access methods (section 3). */
double beff_2(double write_average, double read_average);
double beff_1(const double weighted[BEFF_ACCESSES]);

int beff_add_partition(struct beff *b, u64 ranks);

/* Adds the partitions in @list: numbers of processes with commas between them. */
int beff_add_partitions(struct beff *b, const char *list);

/* Sets the memory of a process in bytes. If @bytes is 0, each process gets an equal part of the
 * memory of the machine. The largest chunk size depends on this memory. */
int beff_set_memory(struct beff *b, u64 bytes);

/* Returns the number of chunks in which a read found other data than were written. Includes the
 * timed reads and the final check. */
u64 beff_errors(const struct beff *b);
/* Returns the number of chunks in which an extension read wrong data. An extension is a series of
 * accesses that the b_eff_io paper does not define, so its errors do not make a result invalid. */
u64 beff_extension_errors(const struct beff *b);
/* Stores @layers, the metrics of the layers, in @c. @c then owns @layers. */
void beff_set_layers(struct beff_cell *c, struct out *layers);
/* Frees the memory of the results of all patterns. */
void beff_forget(struct beff *b);

/* Returns the scheduled time Tp of a pattern in ns: Tp = Tn * U / sum of all U (b_eff_io paper,
 * section 3). U is the weight of the pattern, @units. Tn is the scheduled time of the partition. As
 * in revision 2.1, the sum has the weight of a pattern once for each access method that runs it. */
u64 beff_scheduled_ns(const struct beff *b, unsigned units);
u64 beff_access_scheduled_ns(const struct beff *b, enum beff_access access);
/* Returns b_eff_io of a partition, by version 1.x if b->version_1 is true, else by version 2.x.
 * NaN: unknown. */
double beff_value(const struct beff *b, const struct beff_partition *p);
/* Sets the criteria and the verdict from the other results. */
void beff_criteria(struct beff *b);
/* Computes totals, averages, criteria and b_eff_io from the results of the patterns (struct
 * beff_cell) and the times of open and close. */
void beff_compute(struct beff *b);

/* Returns the result of a run as a JSON document, which the caller frees. */
struct out *beff_document(const struct beff *b);
extern const struct view beff_views[];
extern const struct view beff_runs_views[]; /* how beff_runs_document() is shown as text */
/* Returns the name of the result: "b_eff_io", or "b_eff_io_uring" if MPI-IO was not used. */
const char *beff_result_name(const struct beff *b);
/* Returns the version of the averages, such as "2.x". */
const char *beff_averages(const struct beff *b);

/* Writes the result of one finished pattern to @f, as one line of JSON. */
void beff_log(FILE *f, const struct beff *b, const struct beff_partition *p,
	      enum beff_access access, unsigned pattern);
/* Adds the measurements, and all results computed from them, to @doc. beff_verify() compares
 * exactly the keys that this function adds. */
void beff_results_json(struct out *doc, const struct beff *b);

/* Reads the measurements from @doc into @b, and computes the results. @path is the name of the file
 * for error messages. Returns 0 or -errno; prints the error. */
int beff_read(struct beff *b, const char *path, const struct out *doc);

/* Computes the results in the file @path again, and prints the values that differ. Returns 0 if no
 * value differs and the hash of the file is right. Otherwise returns -errno, and prints the
 * error. */
int beff_verify(const char *path, enum out_format format);

/* Returns a document that compares @n runs with different hints. @runs are their documents
 * (beff_document()); the new document owns them. @wanted is the number of runs that the user has
 * requested. */
struct out *beff_runs_document(struct out *const *runs, unsigned n, unsigned wanted);
/* Reads the results in the files @paths, which ends with NULL, and prints a comparison. Returns 0
 * or -errno; prints the error. */
int beff_compare(char *const *paths, enum out_format format, struct output *html);

/* Draws plots of @runs, an array that ends with NULL, into an HTML page. The elements have the type
 * struct beff *. Returns 0 or -errno; prints the error. */
int beff_plots(FILE *f, const void *runs);
/* Draws b_eff_io against the number of processes. Each of @runs has a curve; @names are the names
 * of the curves. Draws nothing if all partitions have the same number of processes. */
int beff_processes_plot(FILE *f, struct beff *const *runs, char *const *names);

#endif
