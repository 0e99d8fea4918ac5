/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prepares two arrays of paired numbers for correlation and similar statistics. */
#ifndef IOSPAN_PAIRS_H
#define IOSPAN_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Removes each pair (@x[i], @y[i]) in which a number is infinite or NaN. Moves the other pairs to
 * the start of the arrays, in the same order. Returns their number. */
size_t pairs_finite(size_t n, double *x, double *y);

/* Shifts the @n numbers @v so that their mean is 0, and scales them to absolute values of at most
 * 2. Stores the result in @to, which may be @v. After this, sums neither overflow nor lose small
 * differences. Returns false if all numbers are equal. */
bool pairs_scale(size_t n, const double *v, double *to);

/* Sets @order to the indices of the numbers @v in ascending order. Equal numbers stay in the order
 * of their indices. */
void pairs_order(size_t n, const double *v, uint32_t *order);

/* Sets @ranks[i] to the rank of @v[i]; the smallest number has rank 1. Equal numbers all get the
 * mean of their ranks. */
void pairs_ranks(size_t n, const double *v, double *ranks);

#endif
