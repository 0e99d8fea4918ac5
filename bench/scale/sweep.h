/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sweep: the curve of performance over one parameter. Its points are samples that differ only in
 * that parameter. This file also chooses the next value to measure, and the focal point. */
#ifndef IOSPAN_BENCH_SWEEP_H
#define IOSPAN_BENCH_SWEEP_H

#include "bench/scale/sample.h"

struct sweep {
	enum parameter along;
	unsigned n;
	/* samples in ascending order of the parameter; the sweep does not own them */
	const struct sample **points;
};

/* Inserts @p, unless the sweep has it already. */
void sweep_add(struct sweep *s, const struct sample *p);
/* Adds the samples of @all that have the engine @ring and differ from @base only in the parameter
 * s->along, if that is in @within. */
void sweep_gather(struct sweep *s, const struct samples *all, const struct workload *base,
		  bool ring, struct range within);
void sweep_free(struct sweep *s);

/* Returns the value of the parameter at point @i. */
double sweep_value(const struct sweep *s, unsigned i);
/* Return the coordinates of point @i: x is the value of the parameter, logarithmic except for
 * fractions; y is log(bandwidth). */
double sweep_x(const struct sweep *s, unsigned i);
double sweep_y(const struct sweep *s, unsigned i);

/* Rounds @bytes to the nearest multiple of a page. */
double whole_pages(double bytes);

/* Returns the middle of @a and @b on the axis of parameter @p, rounded to pages or whole numbers.
 * NaN: @a and @b are too close for a measurement between them. */
double parameter_middle(enum parameter p, double a, double b);

/* Returns the value to measure next: the middle of the longest segment of the curve. Both axes are
 * scaled to the same length; the vertical one spans at least a factor of four. NaN: all segments
 * are too short to be divided. */
double sweep_longest(const struct sweep *s);

/* Returns the first value at which performance is half-way between its least and its largest value
 * (Chen and Patterson 1993, section 8). If these two differ by less than SWEEP_FLAT of the largest,
 * or by less than chance, returns the least value of the parameter. */
#define SWEEP_FLAT 0.1
double sweep_half_way(const struct sweep *s);
/* Returns the 95 % interval of sweep_half_way(). The error of each point has two causes: its own
 * interval, and the drift of the system between measurements. @chance: standard deviation of the
 * drift, as a fraction of the bandwidth. */
struct range sweep_half_way_band(const struct sweep *s, double chance);

/* Returns the range of values with at least SWEEP_GOOD of the best performance (section 7). */
#define SWEEP_GOOD 0.75
struct range sweep_good(const struct sweep *s);

#endif
