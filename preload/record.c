// SPDX-License-Identifier: GPL-2.0-or-later
/* Each access to whoever records them: into a lane, or if that is full, nowhere. */
#include "preload.h"

struct record_lane *lanes;

/* A place in @l of our own; NULL: it is full. */
static struct recorded *place_take(struct record_lane *l)
{
	u64 head = __atomic_load_n(&l->head, __ATOMIC_RELAXED);

	do {
		if (head - __atomic_load_n(&l->tail, __ATOMIC_ACQUIRE) >= LANE_ENTRIES)
			return NULL;
	} while (!__atomic_compare_exchange_n(&l->head, &head, head + 1, true, __ATOMIC_ACQ_REL,
					      __ATOMIC_RELAXED));
	return &l->entries[head & (LANE_ENTRIES - 1)];
}

void record_access(const struct access *a, u64 bytes, u32 flags, u64 now)
{
	u32 lane = a->place ? a->place->slot - area->threads : 0;
	struct recorded *to = place_take(&lanes[lane & (area->head.lanes - 1)]);
	struct file_at at;

	if (!to) {
		add(&area->head.no_lane, 1);
		return;
	}
	fd_file(a->fd, &at);
	to->start_ns = a->start_ns;
	to->end_ns = now;
	to->bytes = a->op == APP_SPAN_SYNC ? 0 : bytes;
	to->offset = at.offset;
	to->inode = at.inode;
	to->held_ns = 0;
	to->dev = at.dev;
	to->group = a->fd + 1;
	to->tgid = process->pid;
	to->op = a->op == APP_SPAN_SYNC ? OP_SYNC : a->op;
	to->source = 0;
	to->flags = flags;
	__atomic_store_n(&to->layers, 1 << LAYER_APP, __ATOMIC_RELEASE);
}
