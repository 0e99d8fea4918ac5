/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Corrects p-values for the number of tests, because in many tests some p-values are small by
 * chance (Holm 1979, Scandinavian Journal of Statistics 6, 65-70). */
#ifndef IOSPAN_HOLM_H
#define IOSPAN_HOLM_H

#include <stddef.h>

/* Sets @to[i] to the corrected value of @p[i]. Let p_1 to p_m be the p-values in ascending order.
 * The corrected value of p_i is the maximum of min(1, (m - j + 1) p_j) over all j <= i. A NaN stays
 * NaN, and is not counted in m. */
void holm(size_t n, const double *p, double *to);

#endif
