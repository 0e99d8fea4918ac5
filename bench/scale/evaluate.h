/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The self-scaling evaluation of Chen and Patterson 1993 (sections 6 to 8): chooses the workloads
 * to measure, and finds regions, focal points and curves. The caller measures.
 *
 * The next workload depends only on the earlier measurements. So an interrupted evaluation is
 * repeated from its start, with the points that it had. */
#ifndef IOSPAN_BENCH_EVALUATE_H
#define IOSPAN_BENCH_EVALUATE_H

#include "bench/scale/border.h"

enum focal {
	FOCAL_HALF, /* section 8: the middle of each region; half-way performance */
	FOCAL_75,   /* section 7: all parameters at 75 % of the best performance */
};

/* A region of uniqueBytes, and its family of curves. */
struct family {
	struct range bytes;
	struct workload focal;
	struct sweep curves[PARAMETERS];
	struct range good[PARAMETERS]; /* FOCAL_75 */
};

struct evaluation {
	enum focal focal_kind;
	bool with_depth;
	struct range axes[PARAMETERS];
	u64 buffer_bytes; /* memory for the requests of all processes */
	/* Measures s->at by engine s->ring and fills in the rest of @s. -errno ends the
	 * evaluation. */
	int (*measure)(void *arg, struct sample *s);
	void *arg;
	unsigned expected;	/* estimated number of points still to measure */
	struct samples earlier; /* points of the evaluation that this one resumes */
	struct samples points;
	struct sweep sweep; /* the curve over uniqueBytes that determines the regions */
	struct drop borders[BORDERS];
	unsigned borders_n;
	struct family families[BORDERS + 1];
	unsigned families_n;
};

/* Returns 0 or the error of measure(). After an error, @e has the result so far. */
int evaluate(struct evaluation *e);
/* Measures a workload, unless it was measured before. The evaluation owns *@to. */
int evaluation_measure(struct evaluation *e, const struct workload *at, bool ring, enum probe probe,
		       const struct sample **to);
/* FOCAL_HALF: the 95 % interval of sizeMean or processNum in @f's focal point; see
 * sweep_half_way_band() for @chance. */
struct range evaluation_focal_band(const struct evaluation *e, const struct family *f,
				   enum parameter p, double chance);
void evaluation_release(struct evaluation *e);

#endif
