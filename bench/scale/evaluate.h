/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The self-scaling evaluation of Chen and Patterson 1993 (sections 6 to 8) chooses the workloads
 * that the caller measures. The choice depends only on the results of earlier workloads. So an
 * interrupted evaluation can be resumed: with its saved results, it chooses the same workloads
 * again. Regions lie between the borders of the curve over uniqueBytes (the amount of data). All
 * curves of a region go through one workload, its focal point. */
#ifndef IOSPAN_BENCH_EVALUATE_H
#define IOSPAN_BENCH_EVALUATE_H

#include "bench/scale/border.h"

enum focal {
	/* each region has a focal point with performance half-way between the lowest and the
	 * highest (Chen and Patterson 1993, section 8) */
	FOCAL_HALF,
	/* One focal point, instead of regions. At this point, each parameter has a value that
	 * yields at least 75 % of the best performance (Chen and Patterson 1993, section 7). */
	FOCAL_75,
};

/* A region of uniqueBytes (.bytes), its focal point, and a curve per parameter. */
struct family {
	struct range bytes;
	struct workload focal;
	struct sweep curves[PARAMETERS];
	/* for each parameter, the range with at least 75 % of the best performance; only for
	 * FOCAL_75 */
	struct range good[PARAMETERS];
};

struct evaluation {
	enum focal focal_kind;
	bool with_depth;
	struct range axes[PARAMETERS];
	u64 buffer_bytes; /* limit for the buffers of all requests of all processes, in bytes */
	/* Measures the workload s->at, with io_uring if s->ring, and sets the other fields of @s.
	 * If it returns -errno, the evaluation ends. */
	int (*measure)(void *arg, struct sample *s);
	void *arg;
	unsigned expected; /* estimate of the number of points that remain to be measured */
	/* points of an interrupted evaluation, which are not measured again */
	struct samples earlier;
	struct samples points;
	/* the curve over uniqueBytes, in which the borders are found */
	struct sweep sweep;
	struct drop borders[BORDERS];
	unsigned borders_n;
	struct family families[BORDERS + 1];
	unsigned families_n;
};

/* Sets the ranges of the parameters and the limit of all buffers, for a load of at most @bytes
 * bytes on the file or disk @target. @cache_bytes: bytes of the target that the page cache can
 * hold. The ranges are our own, because Chen and Patterson 1993 give none. */
void evaluation_set_axes(struct evaluation *e, const char *target, u64 bytes, u64 cache_bytes);
/* Returns 0 or the error of measure(). After an error, @e has the result so far. */
int evaluate(struct evaluation *e);
/* Sets *@to to the result of workload @at. Measures the workload unless its result is known. @e
 * owns the result. Returns 0 or the error of measure(). */
int evaluation_measure(struct evaluation *e, const struct workload *at, bool ring, enum probe probe,
		       const struct sample **to);
/* Returns the 95 % confidence interval of parameter @p at the focal point of @f. @e must use
 * FOCAL_HALF, and @p must be PARAM_SIZE or PARAM_PROCS. @chance: standard deviation of the drift of
 * the machine between measurements, as a fraction of the bandwidth. */
struct range evaluation_focal_band(const struct evaluation *e, const struct family *f,
				   enum parameter p, double chance);
void evaluation_release(struct evaluation *e);

#endif
