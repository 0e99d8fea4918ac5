// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/surface.h"

#include <stdlib.h>

#include "user/base/need.h"
#include "user/base/num.h"

#define THRESHOLD_FIRST 4096
#define THRESHOLD_STEP 8
/* If there are more cells, the shortest intervals are left out, because they take long. */
#define CELLS_MOST (1U << 20)

/* Sets @to to the counters @c with each @k intervals joined. */
static void join_intervals(struct counters *to, const struct counters *c, u32 k)
{
	counters_init(to, c->start_ns, c->interval_ns * k);
	for (u32 s = 0; s < c->servers_n; s++) {
		const struct server *of = &c->servers[s];

		counters_server(to, of->name);
		for (u32 i = 0; i < of->n; i++) {
			struct moved *cell = counters_make_cell(to, s, i / k);

			for (int n = 0; cell && n < COUNTERS; n++)
				cell->of[n] += of->cells[i].of[n];
		}
	}
	to->n = (c->n + k - 1) / k;
}

static u128 largest_cell(const struct counters *c)
{
	u128 most = 0;

	for (u32 s = 0; s < c->servers_n; s++)
		for (u32 i = 0; i < c->servers[s].n; i++) {
			u128 bytes = moved_bytes(&c->servers[s].cells[i], DIR_BOTH);

			most = bytes > most ? bytes : most;
		}
	return most;
}

static void add_width(struct surface *to, const struct counters *c)
{
	u32 w = to->widths_n++;

	to->widths_ns[w] = c->interval_ns;
	for (u32 t = 0; t < to->thresholds_n; t++)
		for (int d = 0; d < DIRECTIONS; d++) {
			struct burst b = counters_burst(c, d, to->thresholds[t]);

			to->rho[w][t][d] = burst_rho(&b);
		}
}

struct surface *surface_of(const struct counters *c)
{
	struct surface *to = need(calloc(1, sizeof(*to)));
	u128 most = largest_cell(c);
	u64 threshold = 0;

	while (to->thresholds_n < SURFACE_THRESHOLDS && threshold <= most) {
		to->thresholds[to->thresholds_n++] = threshold;
		threshold = threshold ? threshold * THRESHOLD_STEP : THRESHOLD_FIRST;
	}
	for (u64 k = 1; to->widths_n < SURFACE_WIDTHS && c->n / k >= SURFACE_INTERVALS;
	     k = num_next_step(k)) {
		struct counters joined;

		if (c->n / k * c->servers_n > CELLS_MOST)
			continue;
		join_intervals(&joined, c, k);
		add_width(to, &joined);
		counters_release(&joined);
	}
	return to;
}
