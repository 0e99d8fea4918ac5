/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is added up for one set of accesses: a struct row with only those buckets of its
 * histogram that are in use, as a report may have a million sets. */
#ifndef IOSPAN_COUNTS_H
#define IOSPAN_COUNTS_H

#include "user/metric/metric.h"
#include "user/trace/trace.h"

struct counts {
	u128 bytes, latency_ns, queued_ns;
	u64 accesses, errors;
	u64 timed, max_ns, queued;
	u64 *hist; /* buckets from @first on, @n of them */
	u32 first, n;
};

void counts_reach(struct counts *c, u32 bucket); /* has room for it then */
void counts_add_to(const struct counts *c, struct sum *to);
void counts_add(struct counts *to, const struct counts *from);
void counts_release(struct counts *c);

static inline void counts_time(struct counts *c, u64 ns)
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

/* Does an access with these flags have a response time? */
#define COUNTS_UNTIMED (TRACE_PART | TRACE_UNTIMED | TRACE_UNSPANNED)

/* Response time of access @i of @b. */
static inline u64 access_latency_ns(const struct trace_batch *b, u32 i)
{
	if (b->held_ns && b->held_ns[i])
		return b->held_ns[i];
	return b->end_ns[i] > b->start_ns[i] ? b->end_ns[i] - b->start_ns[i] : 0;
}

static inline void counts_take(struct counts *c, const struct trace_batch *b, u32 i)
{
	u8 flags = b->flags[i];

	if (flags & TRACE_PART)
		return;
	c->accesses++;
	c->bytes += b->bytes[i];
	c->errors += flags & TRACE_FAILED;
	if (!(flags & COUNTS_UNTIMED))
		counts_time(c, access_latency_ns(b, i));
	if (b->queued_ns && b->queued_ns[i]) {
		c->queued_ns += b->queued_ns[i];
		c->queued++;
	}
}

#endif
