/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the fraction of the variation of one quantity that several other quantities (columns)
 * explain together. Uses ridge regression (Hoerl and Kennard 1970, Technometrics 12, 55-67,
 * equation 2.1), which permits many columns and collinear columns. Each row is predicted from all
 * other rows (PRESS: Allen 1974, Technometrics 16, 125-127). Otherwise, many columns would seem to
 * explain any quantity. */
#ifndef IOSPAN_RIDGE_H
#define IOSPAN_RIDGE_H

#include <stddef.h>
#include <stdint.h>

struct ridge;

/* Prepares the @p explaining quantities. @columns[j] is an array of @n finite numbers, the values
 * of quantity j. Columns in which all numbers are equal are ignored. The other columns are copied
 * and scaled. The caller frees the result by ridge_free(). */
struct ridge *ridge_new(size_t n, size_t p, const double *const *columns);
void ridge_free(struct ridge *r);

/* Returns the fraction of a quantity's variation that the columns explain: 1 - PRESS / PRESS0.
 * PRESS is the sum of the squared errors if each row is predicted from the other rows, with the
 * best penalty. PRESS0 is the same sum if each row is predicted as the mean of the other rows. So
 * the result is 1 if each prediction is exact, and 0 if no prediction is better than the mean. The
 * value of the quantity in row i is @y[@order[i]], or @y[i] if @order is NULL. Returns NaN if there
 * are fewer than 3 rows or all @y are equal. */
double ridge_explains(const struct ridge *r, const double *y, const uint32_t *order);

#endif
