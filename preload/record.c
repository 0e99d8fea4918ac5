// SPDX-License-Identifier: GPL-2.0-or-later
/* Each access to whoever records them: into a lane, or if that is full, nowhere. */
#include "preload/preload.h"

struct record_lane *lanes;
u32 lanes_n;

/* A place in @l of our own, and its number; NULL: it is full. */
static struct recorded *place_take(struct record_lane *l, u64 *place)
{
	u64 head = __atomic_load_n(&l->head, __ATOMIC_RELAXED);

	do {
		if (head - __atomic_load_n(&l->tail, __ATOMIC_ACQUIRE) >= LANE_ENTRIES)
			return NULL;
	} while (!__atomic_compare_exchange_n(&l->head, &head, head + 1, true, __ATOMIC_ACQ_REL,
					      __ATOMIC_RELAXED));
	*place = head;
	return &l->entries[head & (LANE_ENTRIES - 1)];
}

void record_access(const struct access *a, u64 bytes, u32 flags, u64 now)
{
	u32 lane = a->place ? a->place->slot - area->threads : 0;
	u64 place;
	struct recorded *to = place_take(&lanes[lane & (lanes_n - 1)], &place);
	struct file_at at;

	if (!to) {
		add(&area->head.no_lane, 1);
		return;
	}
	__atomic_store_n(&to->tgid, process->pid, __ATOMIC_RELAXED);
	fd_file(a->fd, &at);
	to->start_ns = a->start_ns;
	to->end_ns = now;
	to->bytes = a->op == APP_SPAN_SYNC ? 0 : bytes;
	to->offset = at.offset;
	to->inode = at.inode;
	to->dev = at.dev;
	to->group = a->fd + 1;
	to->op = op_of_call(a->op);
	to->source = 0;
	to->flags = flags;
	__atomic_store_n(&to->held_ns, lane_mark(place, process->pidns), __ATOMIC_RELEASE);
}
