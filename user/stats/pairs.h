/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pairs of numbers, as measures of association want them. */
#ifndef IOSPAN_PAIRS_H
#define IOSPAN_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Drops the pairs of which one is not finite, in place; how many are left. */
size_t pairs_finite(size_t n, double *x, double *y);

/* @to, which may be @v, becomes that, moved and scaled so that its mean is 0 and none is beyond
 * 2: numbers of any size then neither overflow nor lose what they differ in. False: they do not
 * differ. */
bool pairs_scale(size_t n, const double *v, double *to);

/* @order becomes the places of @v from the least to the greatest; what is the same, by place. */
void pairs_order(size_t n, const double *v, uint32_t *order);

/* Ranks from 1 on; equal numbers have the mean of theirs. */
void pairs_ranks(size_t n, const double *v, double *ranks);

#endif
