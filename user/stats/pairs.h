/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prepares pairs of numbers for measures of association, such as correlation. */
#ifndef IOSPAN_PAIRS_H
#define IOSPAN_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Removes the pairs with a number that is not finite, in place. Returns the number of pairs
 * left. */
size_t pairs_finite(size_t n, double *x, double *y);

/* Shifts and scales the numbers @v to the mean 0 and to absolute values of at most 2, and stores
 * them in @to, which may be @v. This avoids overflow, and keeps small differences between large
 * numbers. Returns false if all numbers are equal. */
bool pairs_scale(size_t n, const double *v, double *to);

/* Sets @order to the indices of @v, sorted by value. Equal values are sorted by index. */
void pairs_order(size_t n, const double *v, uint32_t *order);

/* Sets @ranks[i] to the rank of @v[i], from 1. Equal numbers get their mean rank. */
void pairs_ranks(size_t n, const double *v, double *ranks);

#endif
