/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nearest neighbours by a k-d tree (Bentley 1975, Communications of the ACM 18, 509-517). */
#ifndef IOSPAN_PLANE_H
#define IOSPAN_PLANE_H

#include <stddef.h>
#include <stdint.h>

struct plane;

/* Copies @n points (@x[i], @y[@order[i]]); @order NULL: (@x[i], @y[i]). */
struct plane *plane_new(size_t n, const double *x, const double *y, const uint32_t *order);
void plane_free(struct plane *p);

#define PLANE_NEAREST 32

/* Returns the distance from @at to its @k-th nearest point: the larger of the differences in x and
 * y. @k is at most PLANE_NEAREST and the number of points. */
double plane_nearest(const struct plane *p, const double at[2], unsigned k);

#endif
