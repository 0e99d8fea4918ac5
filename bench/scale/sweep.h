/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A curve of performance over one parameter. Also chooses the next value to measure, and the focal
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
/* Adds the samples of the curve: parameters of @base, except s->along in @within; with io_uring if
 * @ring, else without. */
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

/* On the axis of @p, in whole pages or numbers. NaN: nothing between is worth measuring. */
double parameter_middle(enum parameter p, double a, double b);

/* Next value to measure: middle of the longest segment, with axes of equal length (vertically at
 * least a factor of four). NaN: none is long enough. */
double sweep_longest(const struct sweep *s);

/* First value with performance half-way between least and largest (Chen and Patterson 1993, section
 * 8). Flat curve (below SWEEP_FLAT of the largest, or chance): the least value. */
#define SWEEP_FLAT 0.1
double sweep_half_way(const struct sweep *s);
/* 95 % confidence interval of sweep_half_way(), from the points' intervals and the machine's drift.
 * @chance: its standard deviation, as a fraction. */
struct range sweep_half_way_band(const struct sweep *s, double chance);

/* Values with at least SWEEP_GOOD of the best performance (section 7). */
#define SWEEP_GOOD 0.75
struct range sweep_good(const struct sweep *s);

#endif
