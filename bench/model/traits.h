/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conclusions (traits) from the curves of a region, as in Chen and Patterson 1993, sections 7 and
 * 8.1. A conclusion is drawn only if the confidence intervals support it. */
#ifndef IOSPAN_TRAITS_H
#define IOSPAN_TRAITS_H

#include "bench/model/predict.h"

/* Two bandwidths are alike if the confidence interval of their quotient lies in the range 0.83 to
 * 1.2 (TRAIT_ALIKE). They differ if the interval lies completely outside this range. Otherwise
 * there is no conclusion. */
#define TRAIT_ALIKE 1.2

enum difference { DIFFERENCE_NONE, DIFFERENCE_LESS, DIFFERENCE_ALIKE, DIFFERENCE_MORE };

/* The effect of a parameter on the bandwidth. If the parameter is a fraction, such as readFrac, the
 * first point of the curve is compared with the last point. Otherwise, it is compared with the
 * point that differs most from it. */
struct change {
	enum difference difference;
	const struct point *from, *to; /* the points that are compared; NULL: there is no curve */
	struct estimate factor;	       /* bandwidth at .to / bandwidth at .from */
	/* .enough: smallest value of the parameter that is large enough (traits_enough()). .below
	 * and .reached: the measured points before and after .enough. If .difference is not
	 * DIFFERENCE_MORE, all three are unknown (NaN or NULL). */
	double enough;
	const struct point *below, *reached;
};

/* The time of a request is .request_ns plus .byte_ns per byte. If the time is not linear in the
 * size, both values are NaN. If .low of an estimate is 0, the true value may be 0. */
struct cost {
	struct estimate request_ns, byte_ns;
	double most_bytes; /* largest mean request size for which the linear formula is valid */
	double procs;	   /* number of processes in the measurements of the curve */
};

enum character {
	CHARACTER_NONE,
	CHARACTER_NO_DISK, /* reads cause no I/O on a disk of this machine */
	/* the storage serves one request at a time, and random requests take much longer */
	CHARACTER_HEAD,
	CHARACTER_SINGLE,   /* the storage serves one request at a time */
	CHARACTER_PARALLEL, /* the storage serves many requests at a time */
};

/* All conclusions about a region. Its pointers refer to points of the region. */
struct traits {
	enum character character;
	struct change changes[PARAMETERS];
	/* the largest effect of concurrency (processes or depth) on the bandwidth */
	struct change most;
	enum parameter most_along;
	/* additional time of a random request, compared with a sequential request; NaN: unknown */
	struct estimate seek_ns;
	/* additional time of a request if several processes take turns, compared with one process;
	 * NaN: unknown */
	struct estimate turn_ns;
	struct cost cost;
};

struct traits traits_of(const struct region *r);

/* Returns the fraction of the best bandwidth, such as 0.9, that a value of parameter @p must yield
 * to be large enough (change.enough). */
double traits_enough(enum parameter p);

#endif
