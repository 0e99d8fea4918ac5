/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prepares two arrays of paired numbers for correlation and similar statistics. */
#ifndef IOSPAN_PAIRS_H
#define IOSPAN_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Removes pairs with an infinite number or NaN. Returns the number of pairs left. */
size_t pairs_finite(size_t n, double *x, double *y);

/* Sets @to (or @v itself) to the @n numbers @v shifted to the mean 0 and scaled to at most 2, so
 * that later sums neither overflow nor lose small differences. Returns false if all are equal. */
bool pairs_scale(size_t n, const double *v, double *to);

/* Sets @order to the indices of @v in ascending order; equal numbers stay in their order. */
void pairs_order(size_t n, const double *v, uint32_t *order);

/* Sets @ranks[i] to the rank of @v[i], from 1; equal numbers get their mean rank. */
void pairs_ranks(size_t n, const double *v, double *ranks);

#endif
