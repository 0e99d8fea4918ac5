/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What p is worth when one of many was looked for (Holm 1979). */
#ifndef IOSPAN_HOLM_H
#define IOSPAN_HOLM_H

#include <stddef.h>

/* @to becomes @p, corrected: how likely chance makes any of them so small. A NaN is none of them,
 * and stays. */
void holm(size_t n, const double *p, double *to);

#endif
