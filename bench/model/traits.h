/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the curves of a region say of the storage, in sentences: each only as far as the
 * intervals of its points bear it. */
#ifndef IOSPAN_TRAITS_H
#define IOSPAN_TRAITS_H

#include "bench/model/predict.h"

/* Two performances differ when the whole interval of their quotient is beyond this factor,
 * and are alike when it is within; else nothing is said. */
#define TRAIT_ALIKE 1.2

enum difference { DIFFERENCE_NONE, DIFFERENCE_LESS, DIFFERENCE_ALIKE, DIFFERENCE_MORE };

/* What a parameter does: the first point of its curve, and the one that performs most
 * differently; of a share both ends. */
struct change {
	enum difference difference;
	const struct point *from, *to; /* NULL: there is no such curve */
	struct estimate factor;	       /* bandwidth at @to by that at @from */
	/* DIFFERENCE_MORE: where the curve comes to traits_enough() of the bandwidth at @to, and
	 * the measured points on both sides; else NaN and NULL */
	double enough;
	const struct point *below, *reached;
};

/* Time for a request, if that is a line over its bytes: all NaN when it is none. A low of 0:
 * what it is cannot be told from nothing. */
struct cost {
	struct estimate request_ns, byte_ns;
	double most_bytes; /* of the points' requests */
	double procs;	   /* which make them */
};

enum character {
	CHARACTER_NONE,
	CHARACTER_NO_DISK,  /* what is read comes from no disk of this machine */
	CHARACTER_HEAD,	    /* one request at a time, and it takes long to get to it */
	CHARACTER_SINGLE,   /* one at a time */
	CHARACTER_PARALLEL, /* many */
};

/* Points into its region. */
struct traits {
	enum character character;
	struct change changes[PARAMETERS];
	struct change most; /* that processes or depth bring */
	enum parameter most_along;
	struct estimate seek_ns; /* that a request takes longer when it is random, */
	struct estimate turn_ns; /* and when processes take turns; NaN: they lose nothing */
	struct cost cost;
};

struct traits traits_of(const struct region *r);

/* The part of the most performance that is named for a parameter. */
double traits_enough(enum parameter p);

/* ---- as text and JSON ---- */

#endif
