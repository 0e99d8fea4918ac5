/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of one quantity several others explain together: ridge regression (Hoerl and Kennard
 * 1970, Technometrics 12, 55-67, equation 2.1), which also stands columns that say the same, and
 * more of them than rows. What it explains is judged by rows that it has not seen: each is
 * foretold from all the others (PRESS, Allen 1974, Technometrics 16, 125-127). */
#ifndef IOSPAN_RIDGE_H
#define IOSPAN_RIDGE_H

#include <stddef.h>
#include <stdint.h>

struct ridge;

/* Of @p columns of @n finite numbers each, brought to one scale; those that are the same in all
 * rows are left out. */
struct ridge *ridge_new(size_t n, size_t p, const double *const *columns);
void ridge_free(struct ridge *r); /* NULL is fine */

/* 1 - PRESS / PRESS of the mean, of the penalty with which that is most: 1: each row is foretold,
 * 0: the mean of the others foretells it no worse. Row i has the value y[order[i]]; NULL: y[i].
 * NaN: of fewer than 3 rows, or y is the same in all. */
double ridge_explains(const struct ridge *r, const double *y, const uint32_t *order);

#endif
