// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/kernel/tracer-settings.h"

#include "user/base/clock.h"
#include "user/kernel/calls.h"
#include "user/kernel/feature.h"
#include "user/kernel/symbols.h"
#include "user/kernel/tracer-maps.h"
#include "iospan.skel.h"

/* Sets the addresses of two kernel functions that may end a bio. BPF programs compare
 * bio->bi_end_io with them to find out the type of bio->bi_private, which leads to the file of the
 * bio. */
static void set_bio_ends(struct iospan *skel)
{
	static const char *const names[] = { "iomap_dio_bio_end_io", "bio_chain_endio" };
	u64 ends[2];

	symbols_find(names, ends, 2);
	skel->rodata->end_of_direct = ends[0];
	skel->rodata->end_of_split = ends[1];
}

void tracer_set_settings(struct iospan *skel, const struct tracer_options *o, const struct maps *m)
{
	skel->bss->target = (struct watched){ o->target.id, o->target.level };
	skel->rodata->attribution = o->attribution;
	skel->rodata->target_tgid = o->tgid;
	skel->bss->charged = (struct watched){ o->charged.id, o->charged.level };
	skel->rodata->per_cgroup = m->per_cgroup;
	skel->rodata->per_part = m->per_part;
	skel->rodata->vfs_groups = m->vfs_groups;
	skel->rodata->retire = o->retire;
	skel->rodata->some_disks = o->disks;
	skel->rodata->per_process = o->per_process;
	skel->rodata->max_cells = m->max_cells;
	skel->rodata->leaf_mask = m->leaves - 1;
	skel->rodata->joint_vfs = m->joint_vfs;
	skel->rodata->joint_app = m->joint_app;
	skel->rodata->selectable = m->selectable;
	skel->rodata->max_groups = m->max_groups;
	skel->rodata->row_groups = m->row_groups;
	skel->rodata->has_io_start = feature_has("block_io_start");
	skel->rodata->recording = o->record_bytes;
	skel->rodata->stripe_bits = m->stripe_bits;
	skel->rodata->group_bits = m->group_bits;
	skel->rodata->rows_shared = 1U << m->stripe_bits <= tracer_highest_cpu();
	skel->rodata->tick_ns = clock_tick_ns();
	skel->rodata->has_loop = feature_has("bpf_loop");
	skel->rodata->has_cast = feature_has("bpf_rdonly_cast");
	if (o->record_bytes)
		set_bio_ends(skel);
	calls_kinds((unsigned char *)skel->rodata->call_kinds, o->record_bytes);
}
