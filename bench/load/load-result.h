/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a load: a JSON document, and its text and CSV tables. */
#ifndef IOSPAN_LOAD_RESULT_H
#define IOSPAN_LOAD_RESULT_H

#include <stdio.h>
#include "bench/load/layers.h"
#include "bench/load/load.h"
#include "user/result/view.h"
#include "user/stats/steady.h"

/* Rate in each interval of the load: requests per second, or bytes per second if
 * watch_options.of_bytes is true. */
struct rounds {
	double *rate;
	unsigned n, room;
};

enum load_end {
	END_TIME,	/* the duration has passed, or all requests have ended */
	END_CI,		/* the confidence interval of the rate is narrow enough */
	END_STEADY,	/* the rate is in a steady state */
	END_NOT_STEADY, /* the rate was not steady within STEADY_ROUNDS intervals */
	END_SIGNAL,
	END_ERROR,
	END_DEADLINE,
};

struct watch_options;

struct load_result {
	const struct load_spec *spec;
	const struct watch_options *how;
	char *const *targets;
	/* sums over all reads ([OP_READ]) and over all writes ([OP_WRITE]); T, the time with a
	 * request in flight, is set only in .all */
	struct sum ops[2];
	struct sum all;
	struct rounds rounds;
	struct load_counts counts;
	enum load_end end;
	/* measurements of the vfs and device layers; NULL: they are not measured */
	const struct layers *below;
};

void rounds_add(struct rounds *r, double rate);

/* Returns false if a signal or an error has ended the load. */
bool load_is_complete(const struct load_result *r);
/* load_request_notes() appends notes on requests that failed or transferred too little.
 * load_end_note() appends a note if the load is not complete. */
void load_request_notes(struct out *notes, const struct load_result *r);
void load_end_note(struct out *notes, const struct load_result *r);

/* Shows the progress on the terminal, such as "12.0 of 30.0 s  302.1k IOPS  +- 1.20 %  steady".
 * @limit_ns is the duration of the load; 0: no limit. */
void load_progress(const struct load_result *r, u64 elapsed_ns, u64 limit_ns);
/* Returns the result as a JSON document, which the caller frees. */
struct out *load_document(const struct load_result *r);
extern const struct view load_views[];
/* Writes the result so far to @f as one line of JSON. Returns 0 or -errno; prints no error. */
int load_live(FILE *f, const struct load_result *r, u64 elapsed_ns);

#endif
