/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums the reads and writes of each layer of a trace. */
#ifndef IOSPAN_REPLAY_RECORDED_H
#define IOSPAN_REPLAY_RECORDED_H

#include "bench/replay/replay.h"
#include "user/metric/span.h"

struct recorded_layers {
	struct cover covers[LAYERS + 1]; /* for T, the time with a read or write in flight */
};

/* Adds the read or write @i of @b to the sums of @layer in @r. */
void recorded_add(struct recorded_layers *l, struct replay *r, int layer,
		  const struct trace_batch *b, u32 i);
/* All accesses that are added later start at @before_ns or later. */
void recorded_settle(struct recorded_layers *l, u64 before_ns);
/* Uses the sums of stacked disks as those of the device layer. */
void recorded_use_stacked(struct recorded_layers *l, struct replay *r);
/* Sets T and the elapsed time of the sums in @r, and frees the memory of @l. */
void recorded_end(struct recorded_layers *l, struct replay *r, u64 elapsed_ns);

#endif
