// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps the map of the selected disks up to date. The BPF programs ignore the hardware queues of
 * other disks. */
#include "user/kernel/wanted.h"

#include <bpf/bpf.h>

#include "user/host/dev.h"
#include "user/trace/filter.h"

/* Disk @dev is now selected. Before, it was not, so the BPF programs ignored its queues. Makes them
 * examine the queues again. */
static void forget_queues(const struct wanted *w, u32 dev)
{
	for (u32 i = 0; i < MAX_QUEUES; i++)
		if (w->queues[i].dev == dev && w->queues[i].ignored)
			__atomic_store_n(&w->queues[i].diskseq, 0, __ATOMIC_RELEASE);
}

static bool is_selected(const char *disks, const char *name, u32 dev)
{
	const struct trace_name n = { .kind = TRACE_DISK, .id = dev, .text = name };

	return !disks || trace_name_matches(&n, disks);
}

static void update_disk(void *arg, const char *name, u32 dev)
{
	const struct wanted *w = arg;
	u64 key = dev;
	u32 one = 1;

	if (!is_selected(w->disks, name, dev))
		bpf_map_delete_elem(w->map, &key);
	else if (!bpf_map_update_elem(w->map, &key, &one, BPF_NOEXIST))
		forget_queues(w, dev);
}

void wanted_look(const struct wanted *w)
{
	dev_each(update_disk, (void *)w);
}

struct search {
	const char *disks;
	bool found;
};

static void look_for_bio_based(void *arg, const char *name, u32 dev)
{
	struct search *s = arg;

	s->found = s->found || (is_selected(s->disks, name, dev) && dev_is_bio_based(name));
}

bool wanted_has_bio_based(const char *disks)
{
	struct search s = { .disks = disks };

	dev_each(look_for_bio_based, &s);
	return s.found;
}
