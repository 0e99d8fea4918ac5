/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a load: a document and its views. */
#ifndef IOSPAN_LOAD_RESULT_H
#define IOSPAN_LOAD_RESULT_H

#include <stdio.h>
#include "bench/load/layers.h"
#include "bench/load/load.h"
#include "user/result/view.h"
#include "user/stats/steady.h"

/* The rate of each completed interval of the load: requests (or bytes) per second. */
struct rounds {
	double *rate;
	unsigned n, room;
};

enum load_end {
	END_TIME,	/* END_TIME: the duration is over, or all requests have ended */
	END_CI,		/* the confidence interval is narrow enough */
	END_STEADY,	/* the steady state was reached */
	END_NOT_STEADY, /* STEADY_ROUNDS intervals passed without a steady state */
	END_SIGNAL,
	END_ERROR,
	END_DEADLINE,
};

struct watch_options;

struct load_result {
	const struct load_spec *spec;
	const struct watch_options *how;
	char *const *targets; /* names of the targets; the list ends with NULL */
	struct sum ops[2];    /* sums of reads and of writes, without T */
	struct sum all;
	struct rounds rounds;
	struct load_counts counts;
	enum load_end end;
	const struct layers *below; /* vfs and device layers; NULL: not measured */
};

void rounds_add(struct rounds *r, double rate);

/* Shows the progress on a terminal, such as "12.0 of 30.0 s  302.1k IOPS  +- 1.20 %  steady".
 * @limit_ns: duration of the load; 0: no limit. */
void load_progress(const struct load_result *r, u64 elapsed_ns, u64 limit_ns);
struct out *load_document(const struct load_result *r); /* the caller frees it */
extern const struct view load_views[];
/* Writes the result so far as one line of JSON. Returns 0 or -errno; prints no error. */
int load_live(FILE *f, const struct load_result *r, u64 elapsed_ns);

#endif
