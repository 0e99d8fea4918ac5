// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps a struct neighbourhood for each disk of a trace: the cgroups that share the time of the
 * disk. Passes each access to the struct of its disk. */
#include "tools/report/neighbours.h"

#include <stdlib.h>

#include "user/base/need.h"

void neighbours_release(struct neighbours *n)
{
	for (u32 i = 0; i < n->room; i++)
		neighbourhood_free(n->disks[i]);
	free(n->disks);
}

struct sharer *neighbours_find(struct neighbours *n, const struct trace_stream *s, bool stacked)
{
	if (s->layer != LAYER_DEVICE || (s->op != OP_READ && s->op != OP_WRITE))
		return NULL;
	n->disks = need_index(n->disks, &n->room, s->disk, sizeof(*n->disks));
	if (!n->disks[s->disk])
		n->disks[s->disk] = neighbourhood_new(s->disk, stacked);
	return neighbourhood_find(n->disks[s->disk], s->group);
}

void neighbours_batch(const struct trace_batch *b, void *const *sharers)
{
	for (u32 i = 0; i < b->n; i++)
		if (sharers[b->stream[i]])
			sharer_access(sharers[b->stream[i]], b, i);
}

void neighbours_settle(struct neighbours *n, u64 before_ns)
{
	for (u32 i = 0; i < n->room; i++)
		if (n->disks[i])
			neighbourhood_settle(n->disks[i], before_ns);
}
