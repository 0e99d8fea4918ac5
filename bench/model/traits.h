/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conclusions from a region's curves, which Chen and Patterson 1993 draw by hand (sections 7, 8.1).
 * Only those that the confidence intervals support. */
#ifndef IOSPAN_TRAITS_H
#define IOSPAN_TRAITS_H

#include "bench/model/predict.h"

/* Bandwidths are alike if the interval of their quotient is within 1 / TRAIT_ALIKE and TRAIT_ALIKE,
 * differ if it is outside; else no conclusion. */
#define TRAIT_ALIKE 1.2

enum difference { DIFFERENCE_NONE, DIFFERENCE_LESS, DIFFERENCE_ALIKE, DIFFERENCE_MORE };

/* Effect of a parameter on the bandwidth: the first point against the most different one; for
 * fractions, both ends. */
struct change {
	enum difference difference;
	const struct point *from, *to; /* the points that are compared; NULL: there is no curve */
	struct estimate factor;	       /* bandwidth at .to / bandwidth at .from */
	/* With DIFFERENCE_MORE: value at which the curve reaches traits_enough() of the bandwidth
	 * at .to, and the points beside it. Else NaN, NULL. */
	double enough;
	const struct point *below, *reached;
};

/* A request takes .request_ns plus .byte_ns per byte; NaN: not linear. .low 0: not significantly
 * above 0. */
struct cost {
	struct estimate request_ns, byte_ns;
	double most_bytes; /* the line is valid up to this mean request size */
	double procs;	   /* the line was measured with this number of processes */
};

enum character {
	CHARACTER_NONE,
	CHARACTER_NO_DISK, /* no disk of this machine does I/O for the reads */
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
	struct estimate seek_ns; /* additional time of a random request; NaN: none */
	/* additional time of a request when processes alternate; NaN: none */
	struct estimate turn_ns;
	struct cost cost;
};

struct traits traits_of(const struct region *r);

/* Fraction of the best bandwidth that is enough (change.enough). */
double traits_enough(enum parameter p);

#endif
