/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distance correlation (Szekely, Rizzo and Bakirov 2007), from 0 to 1: with ever more pairs it
 * becomes 0 if and only if the two are independent. Of a few pairs it is above 0 even then: what
 * chance does to it, permutations tell (permutation.h).
 *
 * It is R, the root of the V-statistic, in O(n log n) (Huo and Szekely 2016; Chaudhuri and Hu
 * 2019). */
#ifndef IOSPAN_DISTANCE_H
#define IOSPAN_DISTANCE_H

#include <stddef.h>
#include <stdint.h>

/* The distances between @n finite numbers; made once, they serve with many others. */
struct distances;
struct distances *distances_new(size_t n, const double *v);
void distances_free(struct distances *d);

/* Of pairs of x's number i and y's number @order[i]; NULL: i. 0 if one of the two is constant;
 * NaN of fewer than two pairs. */
double distance_correlation(const struct distances *x, const struct distances *y,
			    const uint32_t *order);

#endif
