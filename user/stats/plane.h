/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the nearest neighbours of a position among points (x, y), by a k-d tree (Bentley 1975,
 * Communications of the ACM 18, 509-517). */
#ifndef IOSPAN_PLANE_H
#define IOSPAN_PLANE_H

#include <stddef.h>
#include <stdint.h>

struct plane;

/* Makes a tree of @n points, which are copied. Point i is (@x[i], @y[@order[i]]) or, if @order is
 * NULL, (@x[i], @y[i]). The caller frees the tree by plane_free(). */
struct plane *plane_new(size_t n, const double *x, const double *y, const uint32_t *order);
void plane_free(struct plane *p);

#define PLANE_NEAREST 32

/* Returns the distance from the position @at (x and y) to its @k-th nearest point. The distance of
 * two points is the larger of their differences in x and in y. @k is at least 1, and at most
 * PLANE_NEAREST and the number of points. */
double plane_nearest(const struct plane *p, const double at[2], unsigned k);

#endif
