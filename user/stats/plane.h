/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the nearest neighbours of a position among points (x, y), by a k-d tree (Bentley 1975,
 * Communications of the ACM 18, 509-517). */
#ifndef IOSPAN_PLANE_H
#define IOSPAN_PLANE_H

#include <stddef.h>
#include <stdint.h>

struct plane;

/* Makes a tree of @n points, which are copied. Point i is (@x[i], @y[@order[i]]), or (@x[i], @y[i])
 * if @order is NULL. */
struct plane *plane_new(size_t n, const double *x, const double *y, const uint32_t *order);
void plane_free(struct plane *p);

#define PLANE_NEAREST 32

/* Returns the distance from the position @at to its @k-th nearest point. The distance is the larger
 * of the differences in x and in y. @k is at most PLANE_NEAREST and the number of points. */
double plane_nearest(const struct plane *p, const double at[2], unsigned k);

#endif
