/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Correction of p-values for the number of tests (Holm 1979, Scandinavian Journal of Statistics 6,
 * 65-70). */
#ifndef IOSPAN_HOLM_H
#define IOSPAN_HOLM_H

#include <stddef.h>

/* Sets @to to the corrected values of @p. The i-th smallest of m values becomes the maximum over j
 * <= i of min(1, (m - j + 1) p_j). A NaN in @p does not count as a test and stays NaN. */
void holm(size_t n, const double *p, double *to);

#endif
