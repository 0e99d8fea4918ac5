// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/kernel/usual.h"

#include <stdlib.h>

#include "user/base/err.h"
#include "user/metric/hist.h"
#include "user/kernel/maps.h"
#include "user/kernel/measure.h"

#define KEYS (MAX_DISKS * DEVICE_OPS)
/* Stripes of rows that one call reads, of some 5 kB each. */
#define STRIPES_PER_CALL 256
/* A window with fewer accesses keeps the median of the window before; with more it ends. */
#define WINDOW_MIN 16
#define WINDOW_MAX 64

struct usual {
	struct sum *before[KEYS]; /* row of disk and operation when its window began */
	u32 next;		  /* key to continue with */
};

/* The median of the accesses since the window began. The first window has no minimum: an early
 * median is better than none. */
static void update(struct maps *m, u32 row, struct sum **before, u64 *usual_ns)
{
	struct sum now = {}, window;
	double median;
	u64 n;

	maps_add_row(m, row, &now);
	window = now;
	if (*before)
		sum_take_away(&window, *before);
	n = window.row.timed;
	if (!n || (*before && n < WINDOW_MIN))
		return;
	median = hist_percentile_ns(window.row.hist, 0.5, window.row.max_ns);
	if (median > 0)
		__atomic_store_n(usual_ns, (u64)median, __ATOMIC_RELAXED);
	if (n < WINDOW_MAX)
		return;
	if (!*before)
		*before = need(malloc(sizeof(now)));
	**before = now;
}

void maps_usual(struct maps *m)
{
	u32 disks = *m->disks_n < MAX_DISKS ? *m->disks_n : MAX_DISKS;
	u32 keys = disks * DEVICE_OPS, stripes = 0;
	struct usual *u = m->usual;

	if (!u)
		u = m->usual = need(calloc(1, sizeof(*u)));
	for (u32 i = 0; i < keys && stripes < STRIPES_PER_CALL; i++) {
		u32 key = u->next = u->next + 1 < keys ? u->next + 1 : 0;
		struct seen_disk *d = &m->disks[key / DEVICE_OPS];
		u32 op = key % DEVICE_OPS, row = d->rows[op];

		if (!row || row >= m->row_groups)
			continue;
		update(m, row, &u->before[key], &d->usual_ns[op]);
		stripes += 1U << m->stripe_bits;
	}
}

void usual_free(struct usual *u)
{
	for (u32 i = 0; u && i < KEYS; i++)
		free(u->before[i]);
	free(u);
}
