/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fraction of the variation of one quantity that several other quantities explain together, by
 * ridge regression (Hoerl and Kennard 1970, Technometrics 12, 55-67, equation 2.1). This also works
 * if columns are collinear, or if there are more columns than rows. Each row is predicted from all
 * other rows (PRESS: Allen 1974, Technometrics 16, 125-127). */
#ifndef IOSPAN_RIDGE_H
#define IOSPAN_RIDGE_H

#include <stddef.h>
#include <stdint.h>

struct ridge;

/* Prepares @p explaining quantities, as columns of @n finite numbers each. Scales them and ignores
 * constant ones. */
struct ridge *ridge_new(size_t n, size_t p, const double *const *columns);
void ridge_free(struct ridge *r); /* @r may be NULL */

/* Returns the largest 1 - PRESS / (PRESS of the mean) over all penalties. The result is 1 if each
 * row is predicted exactly, and 0 if it is predicted no better than by the mean of the other rows.
 * The value of row i is @y[@order[i]]; if @order is NULL, @y[i]. Returns NaN if there are fewer
 * than 3 rows or @y is constant. */
double ridge_explains(const struct ridge *r, const double *y, const uint32_t *order);

#endif
