/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Traits: conclusions about the storage from the curves of a region, as Chen and Patterson 1993
 * draw them by hand in sections 7 and 8.1. This code draws a conclusion only if the confidence
 * intervals of the points support it. */
#ifndef IOSPAN_TRAITS_H
#define IOSPAN_TRAITS_H

#include "bench/model/predict.h"

/* Two bandwidths are alike if the whole interval of their quotient is between 1 / TRAIT_ALIKE and
 * TRAIT_ALIKE. They differ if the whole interval is outside. Otherwise there is no conclusion. */
#define TRAIT_ALIKE 1.2

enum difference { DIFFERENCE_NONE, DIFFERENCE_LESS, DIFFERENCE_ALIKE, DIFFERENCE_MORE };

/* The effect of a parameter on the bandwidth. It compares the first point of the curve with the
 * point that differs most. For a fraction, it compares both ends of the curve. */
struct change {
	enum difference difference;
	const struct point *from, *to; /* the two points that are compared; NULL: no curve */
	struct estimate factor;	       /* bandwidth at .to / bandwidth at .from */
	/* With DIFFERENCE_MORE: the value at which the curve reaches the fraction traits_enough()
	 * of the bandwidth at .to, and the measured points on both sides. Otherwise NaN and
	 * NULL. */
	double enough;
	const struct point *below, *reached;
};

/* The time of a request as a linear function of its bytes; all NaN if it is not linear. If .low of
 * a coefficient is 0, the coefficient is not significantly above 0. */
struct cost {
	struct estimate request_ns, byte_ns;
	double most_bytes; /* largest mean request size among the points */
	double procs;	   /* number of processes that issued requests at the points */
};

enum character {
	CHARACTER_NONE,
	CHARACTER_NO_DISK,  /* reads cause no I/O on a disk of this machine */
	CHARACTER_HEAD,	    /* the storage serves one request at a time, with long seeks */
	CHARACTER_SINGLE,   /* the storage serves one request at a time */
	CHARACTER_PARALLEL, /* the storage serves many requests at a time */
};

/* All conclusions about a region. The pointers lead to points of the region. */
struct traits {
	enum character character;
	struct change changes[PARAMETERS];
	struct change most; /* largest increase of the bandwidth by more processes or depth */
	enum parameter most_along;
	struct estimate seek_ns; /* extra time of a random request in ns; NaN: none */
	/* extra time of a request if processes alternate, in ns; NaN: none */
	struct estimate turn_ns;
	struct cost cost;
};

struct traits traits_of(const struct region *r);

/* Returns the fraction of the maximum bandwidth that counts as enough, for change.enough. */
double traits_enough(enum parameter p);

#endif
