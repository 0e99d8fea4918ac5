/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What came of a load, and how it is told. */
#ifndef IOSPAN_LOAD_RESULT_H
#define IOSPAN_LOAD_RESULT_H

#include <stdio.h>
#include "bench/load/layers.h"
#include "bench/load/load.h"
#include "user/stats/steady.h"

/* The rate of each round so far, in requests per second. */
struct rounds {
	double *rate;
	unsigned n, room;
};

enum load_end {
	END_TIME, /* the time was over, or the requests done */
	END_CI,
	END_STEADY,	/* what was waited for has come */
	END_NOT_STEADY, /* it has not, in STEADY_ROUNDS */
	END_SIGNAL,
	END_ERROR,
	END_DEADLINE,
};

struct watch_options;

struct load_result {
	const struct load_spec *spec;
	const struct watch_options *how;
	char *const *targets; /* NULL-ended */
	struct sum ops[2];    /* reads, writes: without T */
	struct sum all;
	struct rounds rounds;
	struct load_counts counts;
	enum load_end end;
	const struct layers *below; /* NULL: not measured */
};

void rounds_add(struct rounds *r, double rate);

/* "12 of 30 s  302.1k IOPS  105 us  +-1.2 %  steady" */
void load_progress(const struct load_result *r, u64 elapsed_ns, u64 limit_ns);
void load_text(FILE *f, const struct load_result *r);
void load_json(FILE *f, const struct load_result *r);
/* One line for a file that somebody follows. */
int load_live(FILE *f, const struct load_result *r, u64 elapsed_ns);

#endif
