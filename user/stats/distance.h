/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distance correlation of two quantities, from 0 to 1, which detects any form of dependence
 * (Szekely, Rizzo and Bakirov 2007, Annals of Statistics 35, 2769-2794, definitions 4 and 5). As
 * the number of pairs grows, it tends to 0 if and only if the quantities are independent. With few
 * pairs it is above 0 even for independent quantities; permutation.h estimates by how much.
 *
 * The result is R, the root of the V-statistic. It is computed in O(n log n) with the sums of Huo
 * and Szekely 2016 (Technometrics 58, 435-447) and Chaudhuri and Hu 2019 (Computational Statistics
 * and Data Analysis 135, 15-24). */
#ifndef IOSPAN_DISTANCE_H
#define IOSPAN_DISTANCE_H

#include <stddef.h>
#include <stdint.h>

/* One quantity: @n finite numbers @v, copied, and the sums of the distances between them. It can be
 * correlated with several other quantities. */
struct distances;
struct distances *distances_new(size_t n, const double *v);
void distances_free(struct distances *d);

/* Returns the distance correlation of the pairs (x[i], y[@order[i]]); if @order is NULL, (x[i],
 * y[i]). Returns 0 if all x or all y are equal, and NaN if there are fewer than two pairs. */
double distance_correlation(const struct distances *x, const struct distances *y,
			    const uint32_t *order);

#endif
