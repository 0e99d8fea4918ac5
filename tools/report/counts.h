/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters and latency histogram of a set of accesses. Only the used buckets of the histogram are
 * stored, because a report may have a million such sets. */
#ifndef IOSPAN_COUNTS_H
#define IOSPAN_COUNTS_H

#include "user/metric/metric.h"
#include "user/trace/trace.h"

struct counts {
	u128 bytes, latency_ns, queued_ns;
	u64 accesses, errors;
	u64 timed, max_ns, queued;
	u64 *hist; /* histogram: .n buckets; hist[0] is bucket number .first */
	u32 first, n;
};

void counts_reach(struct counts *c, u32 bucket);
void counts_add_to(const struct counts *c, struct sum *to);
void counts_add(struct counts *to, const struct counts *from);
void counts_release(struct counts *c);

static inline void counts_latency(struct counts *c, u64 ns)
{
	u32 bucket = hist_index(ns);

	if (bucket - c->first >= c->n)
		counts_reach(c, bucket);
	c->hist[bucket - c->first]++;
	c->timed++;
	c->latency_ns += ns;
	if (ns > c->max_ns)
		c->max_ns = ns;
}

/* An access has no latency if it has one of these flags. */
#define COUNTS_UNTIMED (TRACE_PART | TRACE_UNTIMED | TRACE_UNSPANNED)

static inline u64 access_latency_ns(const struct trace_batch *b, u32 i)
{
	if (b->held_ns && b->held_ns[i])
		return b->held_ns[i];
	return b->end_ns[i] > b->start_ns[i] ? b->end_ns[i] - b->start_ns[i] : 0;
}

static inline void counts_access(struct counts *c, const struct trace_batch *b, u32 i)
{
	u8 flags = b->flags[i];

	if (flags & TRACE_PART)
		return;
	c->accesses++;
	c->bytes += b->bytes[i];
	c->errors += flags & TRACE_FAILED;
	if (!(flags & COUNTS_UNTIMED))
		counts_latency(c, access_latency_ns(b, i));
	if (b->queued_ns && b->queued_ns[i]) {
		c->queued_ns += b->queued_ns[i];
		c->queued++;
	}
}

#endif
