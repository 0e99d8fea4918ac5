// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/stats/holm.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "user/base/err.h"
#include "user/stats/pairs.h"

void holm(size_t n, const double *p, double *to)
{
	uint32_t *places = need(calloc(2 * n + 1, sizeof(*places))), *order = places + n;
	double *known = need(calloc(n + 1, sizeof(*known))), least = 0;
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		to[i] = p[i];
		if (isnan(p[i]))
			continue;
		places[m] = i;
		known[m++] = p[i];
	}
	pairs_order(m, known, order);
	for (size_t i = 0; i < m; i++) {
		least = fmax(least, fmin(1, (m - i) * known[order[i]]));
		to[places[order[i]]] = least;
	}
	free(known);
	free(places);
}
