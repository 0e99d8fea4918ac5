/* SPDX-License-Identifier: GPL-2.0-or-later */
/* iospan report: what is asked for, what came of it, and the parts that print it. */
#ifndef IOSPAN_TOOLS_REPORT_H
#define IOSPAN_TOOLS_REPORT_H

#include "user/show/show.h"
#include "tools/report/by.h"
#include "tools/report/evidence.h"
#include "tools/input/input.h"
#include "tools/report/picture.h"
#include "tools/report/tally.h"
#include "tools/report/timeline.h"

#define SLICES_MAX 1000000U

struct report_run {
	char *const *paths; /* NULL-ended */
	u64 slice_ns;	    /* 0: none */
	bool exact;
	unsigned by_kinds; /* tables to print: bit per enum trace_kind */
	unsigned tables;   /* tables to fill, for plots as well */
	bool filtered;	   /* not all accesses, or not all of the time */
	struct input input;
	struct tally tally;
	struct by by[TRACE_KINDS];
	struct timeline slices[LAYERS];
	struct picture *picture; /* NULL: none is drawn */
	struct evidence evidence;
	u64 elapsed_ns;
	bool interrupted;
	struct measurement *m;
	struct exact_sets *exacts;
	const char *backends[LAYERS];
};

/* The callback of struct input for a report; @arg is a struct report_run. */
void report_stream(void *arg, const struct trace_stream *s, bool stacked, void **slots);

/* Reads it all, until @stop() says so: then the result so far. -errno, printed. */
int report_read(struct report_run *r, bool (*stop)(void *arg, const struct report_run *r),
		void *arg);

extern const char *const by_keys[TRACE_KINDS]; /* in JSON */

#endif
