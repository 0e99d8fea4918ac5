/* SPDX-License-Identifier: GPL-2.0-or-later */
/* iospan report: options and results of one run. report_read() passes each batch of accesses to the
 * tally (totals of layers and disks), the tables of --by, the slices of time and the picture (data
 * for plots). report-show.c and html-plots.c print the results.
 *
 * A stream is the accesses with the same layer, operation, disk, cgroup, process and file. Its
 * slots are pointers to the objects that count its accesses, such as a row of a table. */
#ifndef IOSPAN_TOOLS_REPORT_H
#define IOSPAN_TOOLS_REPORT_H

#include "user/result/place.h"
#include "user/show/show.h"
#include "tools/report/by.h"
#include "tools/report/evidence.h"
#include "tools/input/input.h"
#include "tools/report/neighbourhood.h"
#include "tools/report/picture.h"
#include "tools/report/tally.h"
#include "tools/report/timeline.h"

#define SLICES_MAX 100000U

struct report_run;

/* A table of report --by: one row per file, process, cgroup or disk (entity), in the order of
 * printing. */
struct by_list {
	const struct report_run *run;
	const struct by *by;
	struct by_entity **entities;
	/* Number of rows that are printed. It does not include the last row, which has the sum of
	 * the entities that are not shown. */
	u64 n;
};

struct report_run {
	char *const *paths; /* paths of the traces, ending with NULL */
	u64 slice_ns;	    /* length of a slice in ns; 0: the report has no slices */
	bool exact;
	bool has_histograms; /* the report shows the latency histogram of each sum */
	unsigned by_kinds;   /* tables that are computed: one bit per enum trace_kind */
	/* Tables that the document contains. The table of processes may be computed only for the
	 * HTML page. Then .by_kinds has it, but .tables does not. */
	unsigned tables;
	/* Number of rows that a table shows. One more row has the sum of all other rows. 0: the
	 * table shows all rows. */
	u64 top;
	/* largest number of rows and columns of the matrix of joint times (report-neighbours.h); 0:
	 * the report does not show neighbours */
	u32 matrix;
	bool filtered; /* true if options exclude accesses or times */
	struct input input;
	struct tally tally;
	struct by by[TRACE_KINDS];
	struct neighbours neighbours;
	struct timeline slices[LAYERS];
	struct picture *picture;
	struct evidence evidence;
	u64 elapsed_ns;
	bool interrupted;
	struct measurement *m;
	struct exact_sets *exacts;
	const char *backends[LAYERS];
	struct by_list lists[TRACE_KINDS];
	/* arrays of the JSON document that are too large to store: the tables of --by and the
	 * slices */
	struct made made[TRACE_KINDS + 2];
	/* arrays for the HTML page: all elements of .made, and the table of processes if .made
	 * lacks it */
	struct made page_made[TRACE_KINDS + 2];
};

/* Sets the slots of stream @s: the tally and the table rows to which the accesses of @s are added.
 * This is the callback input.stream, which gets each new stream. @arg is a struct report_run. */
void report_stream(void *arg, const struct trace_stream *s, bool stacked, void **slots);

/* Reads the traces to their end. If @stop() returns true, stops earlier and sets r->interrupted.
 * Returns 0 or -errno; prints the error. */
int report_read(struct report_run *r, bool (*stop)(void *arg, const struct report_run *r),
		void *arg);

/* Computes the exact percentiles by reading the traces again. If @stop() returns true, the report
 * keeps the percentiles of the histograms. Returns 0 or -errno; prints the error. */
int report_exact(struct report_run *r, bool (*stop)(void *arg, const struct report_run *r),
		 void *arg);
void exact_sets_free(struct exact_sets *sets);

#endif
