// SPDX-License-Identifier: GPL-2.0-or-later
/* Of a batch, what the filter and the time range leave, on the common clock. */
#include "tools/input/input.h"

/* Where an access is within the range. It counts where it ends: its last nanosecond. */
static bool counts(const struct input *in, u64 end_ns)
{
	return (end_ns > in->from_ns || !in->from_ns) && end_ns <= in->to_ns;
}

/* Access @i of @b, @start_ns to @end_ns, as the next of what is left. */
static void keep(struct input *in, const struct trace_batch *b, u32 i, u64 start_ns, u64 end_ns)
{
	struct trace_batch *to = &in->cut;
	u64 from = start_ns > in->from_ns ? start_ns : in->from_ns;
	u64 end = end_ns < in->to_ns ? end_ns : in->to_ns;
	bool counted = counts(in, end_ns);
	u32 n = to->n;

	if (!counted && (from >= end || b->flags[i] & TRACE_UNSPANNED))
		return;
	to->start_ns[n] = from;
	to->end_ns[n] = end > from ? end : from;
	to->bytes[n] = b->bytes[i];
	to->queued_ns[n] = b->queued_ns ? b->queued_ns[i] : 0;
	/* the response time stays that of the whole access */
	to->held_ns[n] = b->held_ns ? b->held_ns[i] : 0;
	if (from != start_ns && !to->held_ns[n] && end_ns > start_ns)
		to->held_ns[n] = end_ns - start_ns;
	if (to->offset)
		to->offset[n] = b->offset[i];
	to->stream[n] = b->stream[i];
	to->flags[n] = counted ? b->flags[i] : b->flags[i] | TRACE_PART;
	to->n++;
}

const struct trace_batch *input_cut(struct input *in, const struct origin *s)
{
	const struct trace_batch *b = s->next;
	bool whole = !in->from_ns && in->to_ns == ~0ULL;

	if (s->ways.all && !s->shift_ns && whole) {
		if (b->last_ns > in->last_ns)
			in->last_ns = b->last_ns;
		return b;
	}
	in->cut.n = 0;
	for (u32 i = 0; i < b->n; i++) {
		u64 start = shifted(b->start_ns[i], s->shift_ns);
		u64 end = shifted(b->end_ns[i], s->shift_ns);

		if (end > in->last_ns)
			in->last_ns = end;
		if (s->ways.leaves[b->stream[i]])
			keep(in, b, i, start, end);
	}
	return &in->cut;
}
