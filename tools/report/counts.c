// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters and latency histogram of a set of accesses. An octave is the buckets of the histogram
 * from one power of two to the next. */
#include "tools/report/counts.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"

/* Extends the histogram to include @bucket. The histogram grows by whole octaves, so that this
 * function is called rarely. */
void counts_reach(struct counts *c, u32 bucket)
{
	u32 first = bucket & ~(HIST_SUB - 1), end = first + HIST_SUB;
	u64 *hist;

	if (c->n && c->first < first)
		first = c->first;
	if (c->n && c->first + c->n > end)
		end = c->first + c->n;
	hist = need(calloc(end - first, sizeof(*hist)));
	if (c->n)
		memcpy(hist + (c->first - first), c->hist, c->n * sizeof(*hist));
	free(c->hist);
	c->hist = hist;
	c->first = first;
	c->n = end - first;
}

void counts_add_to(const struct counts *c, struct sum *to)
{
	struct row row = {
		.accesses = c->accesses,
		.bytes = c->bytes,
		.errors = c->errors,
		.timed = c->timed,
		.latency_ns = c->latency_ns,
		.max_ns = c->max_ns,
		.queued_ns = c->queued_ns,
		.queued = c->queued,
	};

	if (c->n)
		memcpy(row.hist + c->first, c->hist, c->n * sizeof(*c->hist));
	sum_add_row(to, &row);
}

void counts_add(struct counts *to, const struct counts *from)
{
	to->accesses += from->accesses;
	to->bytes += from->bytes;
	to->errors += from->errors;
	to->timed += from->timed;
	to->latency_ns += from->latency_ns;
	to->queued_ns += from->queued_ns;
	to->queued += from->queued;
	if (to->max_ns < from->max_ns)
		to->max_ns = from->max_ns;
	if (!from->n)
		return;
	counts_reach(to, from->first);
	counts_reach(to, from->first + from->n - 1);
	for (u32 i = 0; i < from->n; i++)
		to->hist[from->first - to->first + i] += from->hist[i];
}

void counts_release(struct counts *c)
{
	free(c->hist);
	*c = (struct counts){};
}
