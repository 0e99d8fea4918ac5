/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sweep: the curve of performance over one parameter, from samples that differ only in it. Finds
 * the next value to measure, and focal points. */
#ifndef IOSPAN_BENCH_SWEEP_H
#define IOSPAN_BENCH_SWEEP_H

#include "bench/scale/sample.h"

struct sweep {
	enum parameter along;
	unsigned n;
	const struct sample **points; /* ascending by value; not owned */
};

/* Inserts @p, unless it is there. */
void sweep_add(struct sweep *s, const struct sample *p);
/* Adds the samples of @all that differ from @base only in the parameter, if it is in @within. */
void sweep_gather(struct sweep *s, const struct samples *all, const struct workload *base,
		  bool ring, struct range within);
void sweep_free(struct sweep *s);

double sweep_value(const struct sweep *s, unsigned i); /* Returns the value of the parameter. */
/* Coordinates of a point: the value (logarithmic, except for fractions) and log(bandwidth). */
double sweep_x(const struct sweep *s, unsigned i);
double sweep_y(const struct sweep *s, unsigned i);

/* Rounds to the nearest multiple of a page. */
double whole_pages(double bytes);

/* The middle of @a and @b on the parameter's axis, rounded to pages or whole numbers. NaN if there
 * is none, or if it is too near to them to be worth a measurement. */
double parameter_middle(enum parameter p, double a, double b);

/* The value to measure next: the middle of the longest segment, with both axes scaled to the same
 * length. The vertical axis spans at least a factor of four. NaN: all segments are short. */
double sweep_longest(const struct sweep *s);

/* The first value with performance half-way between its least and its most (Chen and Patterson
 * 1993, section 8). If these differ by less than SWEEP_FLAT of the most, or by less than chance,
 * returns the least value. */
#define SWEEP_FLAT 0.1
double sweep_half_way(const struct sweep *s);
/* Returns the 95 % interval of sweep_half_way(). Each point has the error of its own interval, and
 * the drift of the system between measurements: a standard deviation of @chance, as a fraction. */
struct range sweep_half_way_band(const struct sweep *s, double chance);

/* The values with SWEEP_GOOD of the best performance or more (section 7). */
#define SWEEP_GOOD 0.75
struct range sweep_good(const struct sweep *s);

#endif
