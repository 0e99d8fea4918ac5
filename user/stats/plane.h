/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Points of a plane, and how far their neighbours are: a k-d tree (Bentley 1975). */
#ifndef IOSPAN_PLANE_H
#define IOSPAN_PLANE_H

#include <stddef.h>
#include <stdint.h>

struct plane;

/* Point i is @x[i], @y[@order[i]]; NULL: @y[i]. */
struct plane *plane_new(size_t n, const double *x, const double *y, const uint32_t *order);
void plane_free(struct plane *p);

#define PLANE_NEAREST 32

/* How far the @k-th nearest of the points is from @at, by the larger of both differences;
 * @k is at most PLANE_NEAREST, and there are so many. */
double plane_nearest(const struct plane *p, const double at[2], unsigned k);

#endif
