/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The self-scaling evaluation of Chen and Patterson 1993: which workloads it measures, and
 * what it makes of them. How one is measured is its caller's.
 *
 * What is measured next depends on nothing but what was measured before, so an evaluation
 * that was cut short is gone through again with the points that it had. */
#ifndef IOSPAN_BENCH_EVALUATE_H
#define IOSPAN_BENCH_EVALUATE_H

#include "bench/scale/border.h"

enum focal {
	FOCAL_HALF, /* the middle of each region; half-way performance */
	FOCAL_75,   /* their first version: 75 % of the most in all parameters at once */
};

/* A region, and its family of curves. */
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
	u64 buffer_bytes; /* that the processes' requests may have together */
	/* Fills in @s for s->at and s->ring; -errno ends the evaluation. */
	int (*measure)(void *arg, struct sample *s);
	void *arg;
	unsigned expected;	/* points to come, as far as one can say */
	struct samples earlier; /* of the evaluation that this one goes on with */
	struct samples points;
	struct sweep sweep; /* from which the regions come */
	struct drop borders[BORDERS];
	unsigned borders_n;
	struct family families[BORDERS + 1];
	unsigned families_n;
};

/* 0, or what measure() returned: then it has what was found so far. */
int evaluate(struct evaluation *e);
/* Measures one more workload, unless that was done. *@to is the evaluation's. */
int evaluation_measure(struct evaluation *e, const struct workload *at, bool ring, enum probe probe,
		       const struct sample **to);
/* Of FOCAL_HALF: where sizeMean or processNum of @f's focal point may be instead, as
 * sweep_half_way_band(). */
struct range evaluation_focal_band(const struct evaluation *e, const struct family *f,
				   enum parameter p, double chance);
void evaluation_release(struct evaluation *e);

#endif
