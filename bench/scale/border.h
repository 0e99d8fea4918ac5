/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Borders: amounts of data at which performance falls, because a cache can no longer hold them. */
#ifndef IOSPAN_BENCH_BORDER_H
#define IOSPAN_BENCH_BORDER_H

#include "bench/scale/sweep.h"

/* Chen and Patterson 1993 (figure 6): a border is where the curve is steeper than its average. Our
 * own rules:
 *
 * - Both axes are logarithmic.
 * - The curve is smoothed first, by least-squares monotone (non-increasing) regression.
 * - Steep segments are one border if at most a factor BORDER_APART of flat curve is between them.
 * - No border is nearer than that factor to an end of the curve.
 * - A fall below BORDER_DROP, or with less than BORDER_CONFIDENCE, is no border.
 *
 * A border lies at the cache size that explains the curve best, between its neighbours: the hit
 * rate is size / data, so the time per byte is a + b * (1 - size / data), and a if all fit. It
 * starts at the upper end of the 95 % interval of the size, and ends where by this formula
 * performance has fallen by 1 - BORDER_EDGE of its fall up to the next border. */
#define BORDER_APART 1.5
#define BORDER_DROP 0.4
#define BORDER_CONFIDENCE 0.95
#define BORDER_EDGE 0.15
#define BORDERS 16

struct drop {
	double at;	   /* size of the cache that causes the border, in bytes */
	struct range band; /* 95 % confidence interval of this size */
	double from, to;   /* amounts of data between which performance falls, in bytes */
	/* Probability of the fall, from the confidence intervals at both ends; NaN if one point was
	 * not steady: its interval is too narrow. */
	double confidence;
};

/* Fills @borders in ascending order and returns their number. */
unsigned borders_find(const struct sweep *s, struct drop borders[BORDERS]);

/* A point slower than a later one by more than chance, not yet measured twice: another program
 * probably disturbed it. NULL: none. */
const struct sample *border_suspect(const struct sweep *s);

/* Amount of data to measure next: the middle of the steepest segment, if wider than a factor
 * BORDER_WIDTH and falling by BORDER_PIECE. NaN: none. */
#define BORDER_WIDTH 1.1
#define BORDER_PIECE 0.25
double border_to_narrow(const struct sweep *s);

#endif
