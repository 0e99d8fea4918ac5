// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes median latencies. A row (struct row) has the counters and the latency histogram of one
 * disk and operation, in several copies (stripes). */
#include "user/kernel/median.h"

#include <stdlib.h>

#include "user/base/err.h"
#include "user/metric/hist.h"

#define KEYS (MAX_DISKS * DEVICE_OPS)
/* Maximum number of stripes that one call of maps_update_medians() reads. A stripe has about 5
 * kB. */
#define STRIPES_PER_CALL 256
/* A median is computed over a window of successive accesses. It is computed when the window has
 * WINDOW_MIN accesses (in the first window: 1 access), and again as the window grows. After
 * WINDOW_MAX accesses, the next window starts. */
#define WINDOW_MIN 16
#define WINDOW_MAX 64

struct medians {
	/* indexed by disk and operation: counters at the start of the window */
	struct sum *before[KEYS];
	u32 next; /* index in .before at which the previous call stopped */
};

/* Updates *@median_ns, the median latency in the current window. @row is the number of the row that
 * counts the accesses. *@before has its counters at the start of the window; NULL: this is the
 * first window. In the first window, the median of one access is stored at once, because an early
 * median is better than none. */
static void update_median(struct maps *m, u32 row, struct sum **before, u64 *median_ns)
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
		__atomic_store_n(median_ns, (u64)median, __ATOMIC_RELAXED);
	if (n < WINDOW_MAX)
		return;
	if (!*before)
		*before = need(malloc(sizeof(now)));
	**before = now;
}

void maps_update_medians(struct maps *m)
{
	u32 disks = *m->disks_n < MAX_DISKS ? *m->disks_n : MAX_DISKS;
	u32 keys = disks * DEVICE_OPS, stripes = 0;
	struct medians *s = m->medians;

	if (!s)
		s = m->medians = need(calloc(1, sizeof(*s)));
	for (u32 i = 0; i < keys && stripes < STRIPES_PER_CALL; i++) {
		u32 key = s->next = s->next + 1 < keys ? s->next + 1 : 0;
		struct seen_disk *d = &m->disks[key / DEVICE_OPS];
		u32 op = key % DEVICE_OPS, row = d->rows[op];

		if (!row || row >= m->row_groups)
			continue;
		update_median(m, row, &s->before[key], &d->median_ns[op]);
		stripes += 1U << m->stripe_bits;
	}
}

void medians_free(struct medians *s)
{
	for (u32 i = 0; s && i < KEYS; i++)
		free(s->before[i]);
	free(s);
}
