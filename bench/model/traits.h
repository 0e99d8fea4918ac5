/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conclusions about the storage from the curves of a region, like those of Chen and Patterson 1993,
 * sections 7 and 8.1, but drawn automatically. A conclusion is drawn only if the confidence
 * intervals of the points support it. */
#ifndef IOSPAN_TRAITS_H
#define IOSPAN_TRAITS_H

#include "bench/model/predict.h"

/* Two bandwidths differ if the whole interval of their quotient is outside this factor, and are
 * alike if it is inside. Otherwise there is no conclusion. */
#define TRAIT_ALIKE 1.2

enum difference { DIFFERENCE_NONE, DIFFERENCE_LESS, DIFFERENCE_ALIKE, DIFFERENCE_MORE };

/* The effect of a parameter: the first point of its curve, and the point that differs most from it.
 * For a fraction, both ends of the curve. */
struct change {
	enum difference difference;
	const struct point *from, *to; /* NULL: no curve */
	struct estimate factor;	       /* bandwidth at @to / bandwidth at @from */
	/* with DIFFERENCE_MORE: the value at which the curve reaches traits_enough() of the
	 * bandwidth at @to, and the measured points on both sides; else NaN and NULL */
	double enough;
	const struct point *below, *reached;
};

/* Time of a request as a linear function of its bytes; all NaN if it is not linear. A .low of 0
 * means that the coefficient is not significantly above 0. */
struct cost {
	struct estimate request_ns, byte_ns;
	double most_bytes; /* largest mean request size of a point */
	double procs;	   /* number of processes at the points */
};

enum character {
	CHARACTER_NONE,
	CHARACTER_NO_DISK,  /* reads cause no I/O on a disk of this machine */
	CHARACTER_HEAD,	    /* serves one request at a time, with long seeks */
	CHARACTER_SINGLE,   /* serves one request at a time */
	CHARACTER_PARALLEL, /* serves many requests at a time */
};

/* Has pointers to points of the region. */
struct traits {
	enum character character;
	struct change changes[PARAMETERS];
	struct change most; /* largest increase by processes or depth */
	enum parameter most_along;
	struct estimate seek_ns; /* extra time of a random request; NaN: none */
	struct estimate turn_ns; /* extra time if processes take turns; NaN: none */
	struct cost cost;
};

struct traits traits_of(const struct region *r);

/* Returns the fraction of the maximum bandwidth for which change.enough is determined. */
double traits_enough(enum parameter p);

#endif
