/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sweep is a curve over one parameter. It also chooses the next value to measure, and the focal
 * point. */
#ifndef IOSPAN_BENCH_SWEEP_H
#define IOSPAN_BENCH_SWEEP_H

#include "bench/scale/sample.h"

struct sweep {
	enum parameter along;
	unsigned n;
	/* samples in ascending order of the parameter, owned by somebody else */
	const struct sample **points;
};

/* Inserts the sample @p at its place; does nothing if the sweep has it. */
void sweep_add(struct sweep *s, const struct sample *p);
/* Adds the samples with the parameters of @base, except s->along, which is in @within. @ring: only
 * those with io_uring; false: only those without. */
void sweep_gather(struct sweep *s, const struct samples *all, const struct workload *base,
		  bool ring, struct range within);
void sweep_free(struct sweep *s);

/* Returns the value of the parameter at point @i. */
double sweep_value(const struct sweep *s, unsigned i);
/* x: the parameter, logarithmic except for fractions. y: logarithm of the bandwidth. */
double sweep_x(const struct sweep *s, unsigned i);
double sweep_y(const struct sweep *s, unsigned i);

/* Rounds @bytes to the nearest multiple of a page. */
double whole_pages(double bytes);

/* Returns the middle on the axis of @p; NaN: nothing between @a and @b is worth measuring. */
double parameter_middle(enum parameter p, double a, double b);

/* Returns the middle of the longest segment, with both axes scaled to one length (a factor of four
 * or more in performance). NaN: none is long enough. */
double sweep_longest(const struct sweep *s);

/* Returns the first value with performance half-way between the least and the largest (Chen and
 * Patterson 1993, section 8); the least value if the curve is flat: it changes by less than
 * SWEEP_FLAT, or by chance. */
#define SWEEP_FLAT 0.1
double sweep_half_way(const struct sweep *s);
/* Returns the 95 % confidence interval of sweep_half_way(). @chance: standard deviation of the
 * machine's drift between measurements, as a fraction. */
struct range sweep_half_way_band(const struct sweep *s, double chance);

/* Returns the range of values with at least SWEEP_GOOD of the best performance (section 7). */
#define SWEEP_GOOD 0.75
struct range sweep_good(const struct sweep *s);

#endif
