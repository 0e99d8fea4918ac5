/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where performance falls as more data are touched: the borders between what a cache holds and
 * what it does not. */
#ifndef IOSPAN_BENCH_BORDER_H
#define IOSPAN_BENCH_BORDER_H

#include "bench/scale/sweep.h"

/* Chen and Patterson 1993 call a place a border where the curve is steeper than on average;
 * the rest is ours. Both axes are logarithmic, so that a fall from 20 to 10 MB/s counts as
 * much as one from 2000 to 1000. The curve is made to fall or stay first (the nearest such
 * curve, by least squares), which takes noise out. Steep pieces next to each other are one
 * border, also across a flat stretch that is no wider than BORDER_APART, as no region is
 * narrower than that; nor are those at the ends of the curve, so no border is so near to them.
 * What falls by less than BORDER_DROP, or by less than chance may make of it, is none.
 *
 * The place of a border is the size of the cache that explains the curve best, up to the
 * borders next to it: what is touched evenly is found in a cache as often as is its share of
 * the data, so the time for a byte is a + b * (1 - size / data) beyond the size, and a below. A
 * border begins where the cache may end, and ends where by that law all but BORDER_EDGE of the fall
 * is done, up to the next border or the end of the curve. */
#define BORDER_APART 1.5
#define BORDER_DROP 0.4
#define BORDER_CONFIDENCE 0.95
#define BORDER_EDGE 0.15
#define BORDERS 16

struct drop {
	double at;	   /* bytes: the size of the cache */
	struct range band; /* that it lies in, 95 % */
	double from, to;   /* where it begins and ends */
	/* that performance is less beyond: one-sided, from the half-widths of the points at its
	 * ends; NaN if one of these was not steady, as its half-width is too small then */
	double confidence;
};

/* How many there are, ascending. */
unsigned borders_find(const struct sweep *s, struct drop borders[BORDERS]);

/* A point, not measured again so far, at which performance is less than with more data, and by
 * more than chance does: something else had the machine then. NULL: there is none. */
const struct sample *border_suspect(const struct sweep *s);

/* The middle of the piece that falls most, if it is wider than BORDER_WIDTH and falls by
 * BORDER_PIECE: what to measure next to know its place better. NaN: none. */
#define BORDER_WIDTH 1.1
#define BORDER_PIECE 0.25
double border_to_narrow(const struct sweep *s);

#endif
