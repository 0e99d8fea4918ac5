/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The self-scaling evaluation of Chen and Patterson 1993 (sections 6 to 8). It chooses the
 * workloads to measure, and finds regions, focal points and curves. The caller measures the
 * workloads.
 *
 * The next workload depends only on the results so far. So an interrupted evaluation can be
 * repeated from its start, taking the results that it had instead of measuring again. */
#ifndef IOSPAN_BENCH_EVALUATE_H
#define IOSPAN_BENCH_EVALUATE_H

#include "bench/scale/border.h"

enum focal {
	/* section 8: regions; the focal point of each is its middle, at half-way performance */
	FOCAL_HALF,
	/* section 7: one focal point, where each parameter yields 75 % of the best performance */
	FOCAL_75,
};

/* A region of uniqueBytes (.bytes), its focal point, and a curve through that point over each
 * parameter. */
struct family {
	struct range bytes;
	struct workload focal;
	struct sweep curves[PARAMETERS];
	/* with FOCAL_75: range of values that yield 75 % of the best performance */
	struct range good[PARAMETERS];
};

struct evaluation {
	enum focal focal_kind;
	bool with_depth;
	struct range axes[PARAMETERS];
	u64 buffer_bytes; /* memory for the buffers of all requests of all processes */
	/* Measures the workload s->at (with io_uring if s->ring) and sets the other fields of @s.
	 * If it returns -errno, the evaluation ends. */
	int (*measure)(void *arg, struct sample *s);
	void *arg;
	unsigned expected; /* estimated number of points still to measure */
	/* points that an interrupted evaluation has measured, to be taken over */
	struct samples earlier;
	struct samples points;
	/* the curve over uniqueBytes, in which borders between regions are found */
	struct sweep sweep;
	struct drop borders[BORDERS];
	unsigned borders_n;
	struct family families[BORDERS + 1];
	unsigned families_n;
};

/* Runs the evaluation. Returns 0, or the error of measure(); @e then has the result so far. */
int evaluate(struct evaluation *e);
/* Sets *@to to the sample of workload @at, and measures it if it was not measured before. @e owns
 * the sample. Returns 0 or the error of measure(). */
int evaluation_measure(struct evaluation *e, const struct workload *at, bool ring, enum probe probe,
		       const struct sample **to);
/* With FOCAL_HALF, returns the 95 % interval of parameter @p (sizeMean or processNum) in the focal
 * point of @f. @chance: see sweep_half_way_band(). */
struct range evaluation_focal_band(const struct evaluation *e, const struct family *f,
				   enum parameter p, double chance);
void evaluation_release(struct evaluation *e);

#endif
