// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/depth.h"

static bool earlier(const void *a, const void *b)
{
	return *(const u64 *)a < *(const u64 *)b;
}

static const struct heap_kind end_times = { sizeof(u64), earlier };

void depth_add(struct depth *d, u64 start_ns, u64 end_ns)
{
	struct heap *ends = &d->ends;
	u64 ended;

	if (end_ns <= start_ns)
		return;
	while (ends->n && *(const u64 *)ends->at <= start_ns)
		heap_pop(ends, &end_times, &ended);
	heap_push(ends, &end_times, &end_ns);
	if (ends->n > d->most)
		d->most = ends->n;
}
