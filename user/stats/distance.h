/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the distance correlation of two quantities. It is a number from 0 to 1, and detects any
 * dependence (Szekely, Rizzo and Bakirov 2007, Annals of Statistics 35, 2769-2794, definitions 4
 * and 5). With many pairs, it tends to 0 only if the quantities are independent. With few pairs, it
 * is above 0 even for independent quantities (see permutation.h).
 *
 * The result is R, the root of the V-statistic. It is computed in O(n log n): Huo and Szekely 2016
 * (Technometrics 58, 435-447), Chaudhuri and Hu 2019 (Computational Statistics and Data Analysis
 * 135, 15-24). */
#ifndef IOSPAN_DISTANCE_H
#define IOSPAN_DISTANCE_H

#include <stddef.h>
#include <stdint.h>

/* One quantity: a copy of its @n numbers, which must be finite, and sums of the distances between
 * them. It can be correlated with several other quantities of @n numbers. */
struct distances;
struct distances *distances_new(size_t n, const double *v);
void distances_free(struct distances *d);

/* Returns the distance correlation of the pairs (x[i], y[@order[i]]). If @order is NULL, the pairs
 * are (x[i], y[i]). Returns 0 if all x or all y are equal, and NaN for fewer than two pairs. */
double distance_correlation(const struct distances *x, const struct distances *y,
			    const uint32_t *order);

#endif
