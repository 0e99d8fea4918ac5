/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds borders: amounts of data at which performance falls, because a cache cannot hold them. A
 * segment of a curve lies between two successive points. */
#ifndef IOSPAN_BENCH_BORDER_H
#define IOSPAN_BENCH_BORDER_H

#include "bench/scale/sweep.h"

/* In Chen and Patterson 1993 (figure 6), a border is where the curve is steeper than its average.
 * The other rules are not from their paper:
 *
 * - Both axes are logarithmic.
 * - The curve is smoothed by least-squares monotone (non-increasing) regression.
 * - Two steep segments belong to one border if, between them, the amount of data grows at most by
 *   the factor BORDER_APART.
 * - A border is at least a factor BORDER_APART away from both ends of the curve.
 * - Performance must fall by at least the fraction BORDER_DROP, with at least the confidence
 *   BORDER_CONFIDENCE (drop.confidence).
 *
 * The position of a border is the cache size that explains the curve best. If all data fit into the
 * cache, the time per byte is a constant a. Otherwise, if all data are accessed equally often, the
 * fraction 1 - size / data of them misses the cache. So the time per byte is
 * a + b * (1 - size / data), where b is another constant.
 *
 * A border starts at the lower end of the 95 % confidence interval of the cache size. Between the
 * cache size and the next border, performance falls by some amount. The border ends where
 * performance has fallen by 85 % (1 - BORDER_EDGE) of this amount. */
#define BORDER_APART 1.5
#define BORDER_DROP 0.4
#define BORDER_CONFIDENCE 0.95
#define BORDER_EDGE 0.15
#define BORDERS 16

struct drop {
	double at;	   /* size of the cache that causes the border, in bytes */
	struct range band; /* 95 % confidence interval of the cache size .at */
	double from, to;   /* amounts of data between which performance falls, in bytes */
	/* Probability that performance is really lower beyond the border. It follows from the
	 * confidence intervals of two points, at the start and the end of the fall. NaN: one of the
	 * two points was not steady. */
	double confidence;
};

/* Finds the borders in curve @s. Fills @borders in ascending order and returns their number. */
unsigned borders_find(const struct sweep *s, struct drop borders[BORDERS]);

/* Returns a point of the curve at which performance is lower than at a later point. The difference
 * is more than 10 % (BORDER_WIDTH), and more than the confidence intervals explain. Another program
 * has probably disturbed the measurement of this point. Skips points that were measured twice.
 * NULL: there is no such point. */
const struct sample *border_suspect(const struct sweep *s);

/* Returns the amount of data to measure next: the middle of the segment over which performance
 * falls most. In the segment, the amount must grow by more than the factor BORDER_WIDTH, and
 * performance must fall by at least the fraction BORDER_PIECE. NaN: there is no such segment. */
#define BORDER_WIDTH 1.1
#define BORDER_PIECE 0.25
double border_to_narrow(const struct sweep *s);

#endif
