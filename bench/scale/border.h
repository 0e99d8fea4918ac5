/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds borders: the amounts of data at which performance falls, because a cache can no longer hold
 * them. */
#ifndef IOSPAN_BENCH_BORDER_H
#define IOSPAN_BENCH_BORDER_H

#include "bench/scale/sweep.h"

/* Chen and Patterson 1993 (figure 6) see a border where the curve is steeper than its average. All
 * other rules are our own:
 *
 * - Both axes are logarithmic: a fall from 20 to 10 MB/s counts as much as one from 2000 to 1000.
 * - Before the search, the curve is smoothed by least-squares monotone (non-increasing) regression.
 * - Adjacent steep segments are one border. So are steep segments with a flat section between them
 *   that is at most a factor BORDER_APART wide, because each region is wider than that.
 * - No border is nearer than a factor BORDER_APART to an end of the curve.
 * - A fall by less than BORDER_DROP, or with less than BORDER_CONFIDENCE, is no border.
 *
 * A border lies at the cache size that explains the curve best, between the neighbouring borders.
 * If all data are accessed equally often, the hit rate is size / data. So the time per byte is a +
 * b * (1 - size / data) if the data exceed the size, and a if they do not. A border starts at the
 * upper end of the 95 % interval of the size. It ends where, by this formula, performance has
 * fallen by the fraction 1 - BORDER_EDGE of its fall up to the next border (or to the end of the
 * curve). */
#define BORDER_APART 1.5
#define BORDER_DROP 0.4
#define BORDER_CONFIDENCE 0.95
#define BORDER_EDGE 0.15
#define BORDERS 16

struct drop {
	double at;	   /* size of the cache that causes the border, in bytes */
	struct range band; /* 95 % confidence interval of this size */
	double from, to;   /* amounts of data between which performance falls, in bytes */
	/* Probability that performance is really lower beyond the border, from the confidence
	 * intervals of the points at both ends. NaN if one of these points was not steady, because
	 * its interval is then too narrow. */
	double confidence;
};

/* Fills @borders in ascending order and returns their number. */
unsigned borders_find(const struct sweep *s, struct drop borders[BORDERS]);

/* Returns a point that is slower than a later point of the curve by more than chance, so that
 * another program probably disturbed it. Points that were measured twice are not returned. NULL:
 * there is none. */
const struct sample *border_suspect(const struct sweep *s);

/* Returns the amount of data to measure next, to locate a border better: the middle of the segment
 * where performance falls most. Only segments count that are wider than a factor BORDER_WIDTH and
 * fall by BORDER_PIECE. NaN: there is none. */
#define BORDER_WIDTH 1.1
#define BORDER_PIECE 0.25
double border_to_narrow(const struct sweep *s);

#endif
