/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Preparation of pairs of numbers for measures of association. */
#ifndef IOSPAN_PAIRS_H
#define IOSPAN_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Removes, in place, the pairs with a number that is not finite. Returns the number of pairs
 * left. */
size_t pairs_finite(size_t n, double *x, double *y);

/* Sets @to, which may be @v, to @v shifted and scaled to mean 0 and at most 2 in size. This avoids
 * overflow, and loss of small differences between large numbers. Returns false if all are equal. */
bool pairs_scale(size_t n, const double *v, double *to);

/* Sets @order to the indices of @v in ascending order of value, then of index. */
void pairs_order(size_t n, const double *v, uint32_t *order);

/* Sets @ranks to the ranks, from 1. Equal numbers have their mean rank. */
void pairs_ranks(size_t n, const double *v, double *ranks);

#endif
