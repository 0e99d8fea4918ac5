/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conclusions from the curves of a region, as Chen and Patterson 1993 draw them in sections 7 and
 * 8.1, if the confidence intervals support them. */
#ifndef IOSPAN_TRAITS_H
#define IOSPAN_TRAITS_H

#include "bench/model/predict.h"

/* Bandwidths are alike if the interval of their quotient is within 1 / TRAIT_ALIKE .. TRAIT_ALIKE,
 * and differ if it is outside. */
#define TRAIT_ALIKE 1.2

enum difference { DIFFERENCE_NONE, DIFFERENCE_LESS, DIFFERENCE_ALIKE, DIFFERENCE_MORE };

/* The effect of a parameter on the bandwidth: from the first point of its curve to the point that
 * differs most; for fractions, from end to end. */
struct change {
	enum difference difference;
	const struct point *from, *to; /* the points that are compared; NULL: there is no curve */
	struct estimate factor;	       /* bandwidth at .to / bandwidth at .from */
	/* With DIFFERENCE_MORE: where the curve reaches the fraction traits_enough() of the
	 * bandwidth at .to, and the points on both sides. Otherwise NaN and NULL. */
	double enough;
	const struct point *below, *reached;
};

/* A request takes .request_ns, and .byte_ns per byte; NaN: not linear. .low 0: it may be 0. */
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

/* Returns the fraction of the best bandwidth at which a value is enough (change.enough). */
double traits_enough(enum parameter p);

#endif
