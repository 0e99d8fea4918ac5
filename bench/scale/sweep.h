/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sweep is the curve of performance over one parameter. This file also chooses the next value to
 * measure, and the value at the focal point: the workload through which all curves of a region
 * go. */
#ifndef IOSPAN_BENCH_SWEEP_H
#define IOSPAN_BENCH_SWEEP_H

#include "bench/scale/sample.h"

struct sweep {
	enum parameter along;
	unsigned n;
	/* samples in ascending order of the parameter; the sweep does not own them */
	const struct sample **points;
};

/* Inserts the sample @p in the order of the parameter. Does nothing if the sweep already has it. */
void sweep_add(struct sweep *s, const struct sample *p);
/* Adds the samples of @all that belong to the curve of @s: parameter s->along is in the range
 * @within, and all other parameters are as in @base. If @ring is true, adds only samples that were
 * measured with io_uring. Otherwise, adds only samples that were measured without it. */
void sweep_gather(struct sweep *s, const struct samples *all, const struct workload *base,
		  bool ring, struct range within);
void sweep_free(struct sweep *s);

/* Returns the value of the parameter at point @i. */
double sweep_value(const struct sweep *s, unsigned i);
/* Return the coordinates of point @i on the curve. x is the logarithm of the parameter, or the
 * parameter itself if it is a fraction. y is the logarithm of the bandwidth. */
double sweep_x(const struct sweep *s, unsigned i);
double sweep_y(const struct sweep *s, unsigned i);

/* Rounds @bytes to the nearest multiple of a page. */
double whole_pages(double bytes);

/* Returns the middle between @a and @b on the axis of parameter @p. NaN: @a and @b are so close
 * that no value between them is worth measuring. */
double parameter_middle(enum parameter p, double a, double b);

/* Returns the value to measure next: the middle of the longest segment of the curve. Lengths are
 * measured in a square plot of the curve. The vertical axis of this plot covers at least a factor
 * of four in performance. NaN: no segment is long enough. */
double sweep_longest(const struct sweep *s);

/* Returns the first value of the parameter at which performance is half-way between the lowest and
 * the highest performance (Chen and Patterson 1993, section 8). Returns the least value of the
 * parameter if performance is flat. Performance is flat if it changes by less than the fraction
 * SWEEP_FLAT of the highest performance, or if the change may be due to chance. */
#define SWEEP_FLAT 0.1
double sweep_half_way(const struct sweep *s);
/* Returns the 95 % confidence interval of the value that sweep_half_way() returns. It includes the
 * drift of the machine between measurements. @chance: standard deviation of this drift, as a
 * fraction of the bandwidth. */
struct range sweep_half_way_band(const struct sweep *s, double chance);

/* Returns the range of the parameter in which performance is at least the fraction SWEEP_GOOD of
 * the best performance (Chen and Patterson 1993, section 7). */
#define SWEEP_GOOD 0.75
struct range sweep_good(const struct sweep *s);

#endif
