/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Performance over one parameter: the curve that samples make which differ only in it, where
 * it wants another one, and which value it is best held at. */
#ifndef IOSPAN_BENCH_SWEEP_H
#define IOSPAN_BENCH_SWEEP_H

#include "bench/scale/sample.h"

struct sweep {
	enum parameter along;
	unsigned n;
	const struct sample **points; /* ascending; their owner's */
};

void sweep_add(struct sweep *s, const struct sample *p);
/* Adds those of @all that differ from @base, or from each other, in nothing but the
 * parameter, and whose values lie in @within. */
void sweep_gather(struct sweep *s, const struct samples *all, const struct workload *base,
		  bool ring, struct range within);
void sweep_free(struct sweep *s);

double sweep_value(const struct sweep *s, unsigned i); /* of the parameter */
/* Place and performance of a point: both as logarithms, but shares as they are. */
double sweep_x(const struct sweep *s, unsigned i);
double sweep_y(const struct sweep *s, unsigned i);

/* The nearest. */
double whole_pages(double bytes);

/* The value between two of the parameter that is as far from both; what it can have is whole
 * pages, whole numbers. NaN: there is none, or it is too near to tell something new. */
double parameter_middle(enum parameter p, double a, double b);

/* Where the curve bends most: the middle of its longest piece, when it is drawn as high as
 * wide, or as two doublings are high if that is more. NaN: all pieces are short. */
double sweep_longest(const struct sweep *s);

/* The first value at which performance is half-way from its least to its most; the least value
 * of all, when these differ by less than SWEEP_FLAT of the most, or than chance may do. */
#define SWEEP_FLAT 0.1
double sweep_half_way(const struct sweep *s);
/* Where that may be instead, 95 %: each point is off by its own interval and by what the system is
 * another at another time, a standard deviation of @chance as a share. */
struct range sweep_half_way_band(const struct sweep *s, double chance);

/* The values that give SWEEP_GOOD of the most performance. */
#define SWEEP_GOOD 0.75
struct range sweep_good(const struct sweep *s);

#endif
