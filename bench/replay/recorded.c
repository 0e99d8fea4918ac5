// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/replay/recorded.h"

void recorded_add(struct recorded_layers *l, struct replay *r, int layer,
		  const struct trace_batch *b, u32 i)
{
	struct row *row = &r->recorded[layer].row;
	u8 flags = b->flags[i];

	if (!(flags & TRACE_UNSPANNED))
		cover_add(&l->covers[layer], b->start_ns[i], b->end_ns[i]);
	if (flags & TRACE_PART)
		return;
	if (flags & (TRACE_UNTIMED | TRACE_UNSPANNED)) {
		row->accesses++;
		row->bytes += b->bytes[i];
	} else {
		row_add(row, b->bytes[i], b->held_ns[i] ?: b->end_ns[i] - b->start_ns[i]);
	}
	row->errors += !!(flags & TRACE_FAILED);
}

void recorded_settle(struct recorded_layers *l, u64 before_ns)
{
	for (int layer = 0; layer <= STACKED; layer++)
		cover_settle(&l->covers[layer], before_ns, NULL, NULL);
}

void recorded_use_stacked(struct recorded_layers *l, struct replay *r)
{
	struct cover unused = l->covers[LAYER_DEVICE];

	r->recorded[LAYER_DEVICE] = r->recorded[STACKED];
	l->covers[LAYER_DEVICE] = l->covers[STACKED];
	l->covers[STACKED] = unused;
}

void recorded_end(struct recorded_layers *l, struct replay *r, u64 elapsed_ns)
{
	for (int layer = 0; layer <= STACKED; layer++) {
		sum_set_span(&r->recorded[layer], cover_total_ns(&l->covers[layer]), elapsed_ns);
		cover_release(&l->covers[layer]);
	}
}
