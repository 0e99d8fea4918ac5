// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the nearest neighbours of a position among points (x, y), by a k-d tree. */
#include "user/stats/plane.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"

struct point {
	double v[2];
};

/* A k-d tree without pointers: the order of the array is the tree. The middle element of the array
 * divides it by x. The middle element of each half divides this half by y, and so on. */
struct plane {
	size_t n;
	struct point points[];
};

static void swap(struct point *a, struct point *b)
{
	struct point c = *a;

	*a = *b;
	*b = c;
}

/* Quickselect (Hoare 1961, Communications of the ACM 4, 321): reorders the @n points. Afterwards,
 * no point before index @mid is greater than the point at @mid, and no point after it is smaller.
 * Compares x if @by is 0, y if @by is 1. */
static void select_middle(struct point *p, size_t n, size_t mid, int by)
{
	size_t low = 0, high = n - 1;

	while (low < high) {
		double pivot = p[low + (high - low) / 2].v[by];
		size_t i = low, j = high;

		while (i <= j) {
			while (p[i].v[by] < pivot)
				i++;
			while (p[j].v[by] > pivot)
				j--;
			if (i > j)
				break;
			swap(&p[i++], &p[j]);
			if (!j--)
				break;
		}
		if (mid >= i)
			low = i;
		else if (j != SIZE_MAX && mid <= j)
			high = j;
		else
			return;
	}
}

static void build(struct point *p, size_t n, int by)
{
	size_t mid = n / 2;

	if (n < 2)
		return;
	select_middle(p, n, mid, by);
	build(p, mid, !by);
	build(p + mid + 1, n - mid - 1, !by);
}

struct plane *plane_new(size_t n, const double *x, const double *y, const uint32_t *order)
{
	struct plane *p = need(calloc(1, sizeof(*p) + n * sizeof(*p->points)));

	p->n = n;
	for (size_t i = 0; i < n; i++)
		p->points[i] = (struct point){ { x[i], y[order ? order[i] : i] } };
	build(p->points, n, 0);
	return p;
}

void plane_free(struct plane *p)
{
	free(p);
}

struct nearest {
	const double *at;
	unsigned k, found;
	double near[PLANE_NEAREST]; /* distances of the nearest points found so far, ascending */
};

static double limit(const struct nearest *s)
{
	return s->found < s->k ? INFINITY : s->near[s->k - 1];
}

static void consider(struct nearest *s, double away)
{
	unsigned i;

	if (away >= limit(s))
		return;
	if (s->found < s->k)
		s->found++;
	for (i = s->found - 1; i && s->near[i - 1] > away; i--)
		s->near[i] = s->near[i - 1];
	s->near[i] = away;
}

static void find_nearest(struct nearest *s, const struct point *p, size_t n, int by)
{
	size_t mid = n / 2;
	double x, y, apart;

	if (!n)
		return;
	x = s->at[0] - p[mid].v[0];
	y = s->at[1] - p[mid].v[1];
	apart = by ? y : x;
	consider(s, fmax(fabs(x), fabs(y)));
	if (apart < 0)
		find_nearest(s, p, mid, !by);
	else
		find_nearest(s, p + mid + 1, n - mid - 1, !by);
	if (fabs(apart) >= limit(s))
		return;
	if (apart < 0)
		find_nearest(s, p + mid + 1, n - mid - 1, !by);
	else
		find_nearest(s, p, mid, !by);
}

double plane_nearest(const struct plane *p, const double at[2], unsigned k)
{
	struct nearest s = { .at = at, .k = k };

	find_nearest(&s, p->points, p->n, 0);
	return limit(&s);
}
