// SPDX-License-Identifier: GPL-2.0-or-later
/* Prepares two arrays of paired numbers for correlation and similar statistics. */
#include "user/stats/pairs.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"

size_t pairs_finite(size_t n, double *x, double *y)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i]) || !isfinite(y[i]))
			continue;
		x[left] = x[i];
		y[left++] = y[i];
	}
	return left;
}

bool pairs_scale(size_t n, const double *v, double *to)
{
	double most = 0, mean = 0, first = n ? v[0] / 2 : 0;

	/* Halves the numbers first, because the difference of huge numbers may overflow. Subtracts
	 * the first number, so that numbers close to each other keep all their digits. */
	for (size_t i = 0; i < n; i++) {
		to[i] = v[i] / 2 - first;
		most = fmax(most, fabs(to[i]));
	}
	if (most == 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		to[i] /= most;
		mean += to[i] / n;
	}
	for (size_t i = 0; i < n; i++)
		to[i] -= mean;
	return true;
}

struct placed {
	double v;
	uint32_t at;
};

static int by_value_and_index(const void *a, const void *b)
{
	const struct placed *p = a, *q = b;

	if (p->v != q->v)
		return p->v < q->v ? -1 : 1;
	return p->at < q->at ? -1 : p->at > q->at;
}

void pairs_order(size_t n, const double *v, uint32_t *order)
{
	struct placed *all = need(calloc(n + 1, sizeof(*all)));

	for (size_t i = 0; i < n; i++)
		all[i] = (struct placed){ v[i], i };
	qsort(all, n, sizeof(*all), by_value_and_index);
	for (size_t i = 0; i < n; i++)
		order[i] = all[i].at;
	free(all);
}

void pairs_ranks(size_t n, const double *v, double *ranks)
{
	uint32_t *order = need(calloc(n + 1, sizeof(*order)));
	size_t end;

	pairs_order(n, v, order);
	for (size_t i = 0; i < n; i = end) {
		for (end = i; end < n && v[order[end]] == v[order[i]]; end++)
			;
		for (size_t j = i; j < end; j++)
			ranks[order[j]] = (i + 1 + end) / 2.0;
	}
	free(order);
}
