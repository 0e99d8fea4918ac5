// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/depth.h"

#include <stdlib.h>

#include "user/base/err.h"

static void heap_push(struct depth *d, u64 end_ns)
{
	u32 at = d->n++;

	if (d->n > d->room) {
		d->room = 2 * d->room + 16;
		d->ends = need(reallocarray(d->ends, d->room, sizeof(*d->ends)));
	}
	for (; at && d->ends[(at - 1) / 2] > end_ns; at = (at - 1) / 2)
		d->ends[at] = d->ends[(at - 1) / 2];
	d->ends[at] = end_ns;
}

static void heap_pop(struct depth *d)
{
	u64 last = d->ends[--d->n];
	u32 at = 0, next;

	while ((next = 2 * at + 1) < d->n) {
		next += next + 1 < d->n && d->ends[next + 1] < d->ends[next];
		if (d->ends[next] >= last)
			break;
		d->ends[at] = d->ends[next];
		at = next;
	}
	d->ends[at] = last;
}

void depth_add(struct depth *d, u64 start_ns, u64 end_ns)
{
	if (end_ns <= start_ns)
		return;
	while (d->n && d->ends[0] <= start_ns)
		heap_pop(d);
	heap_push(d, end_ns);
	if (d->n > d->most)
		d->most = d->n;
}

void depth_release(struct depth *d)
{
	free(d->ends);
}
