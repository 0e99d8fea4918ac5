/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fraction of one quantity's variation that several others (columns) explain together, by ridge
 * regression (Hoerl and Kennard 1970, Technometrics 12, 55-67, equation 2.1), which permits
 * collinear or many columns. Each row is predicted from all others (PRESS: Allen 1974,
 * Technometrics 16, 125-127); otherwise many columns would seem to explain anything. */
#ifndef IOSPAN_RIDGE_H
#define IOSPAN_RIDGE_H

#include <stddef.h>
#include <stdint.h>

struct ridge;

/* Prepares @p columns of @n finite numbers. Scales them, and ignores constant ones. */
struct ridge *ridge_new(size_t n, size_t p, const double *const *columns);
void ridge_free(struct ridge *r);

/* Returns the explained fraction of @y[@order[i]] (@order NULL: @y[i]): 1 - PRESS / (PRESS of the
 * mean), for the best penalty. It is 1 if each row is predicted exactly, 0 if no better than by the
 * mean of the others. NaN: fewer than 3 rows, or all @y are equal. */
double ridge_explains(const struct ridge *r, const double *y, const uint32_t *order);

#endif
