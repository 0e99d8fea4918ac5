// SPDX-License-Identifier: GPL-2.0-or-later
/* What was added up, as `iospan run` would have measured it. */
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "tools/report/tally.h"

static void set_span(struct sum *to, const struct set *s, u64 elapsed_ns)
{
	sum_set_span(to, s->cover.settled_ns, elapsed_ns);
}

static void measure_calls(const struct tally *t, int layer, struct sum *ops, struct measurement *m)
{
	for (int op = 0; op < CALL_OPS; op++) {
		for (int source = 0; source < SRC_MAX; source++) {
			const struct counts *c = &t->calls[layer][source][op].counts;

			counts_add_to(c, &ops[op]);
			if (op >= VFS_OPS)
				continue;
			if (layer == LAYER_VFS)
				counts_add_to(c, &m->vfs_sources[source]);
			else if (source == SRC_RING || source == SRC_AIO)
				counts_add_to(c, &m->app_ring);
		}
		set_span(&ops[op], &t->call_ops[layer][op], m->elapsed_ns);
		if (op <= VFS_WRITE)
			sum_add_row(&m->layers[layer], &ops[op].row);
	}
}

static void measure_disk(const struct disk_tally *t, const struct names *names,
			 struct measurement *m)
{
	const struct trace_name *name = names->of[TRACE_DISK][t->name];
	struct disk_sum *d = &m->disks[m->disks_n++];

	snprintf(d->name, sizeof(d->name), "%s", name->text);
	d->dev = name->id;
	d->stacked = t->stacked;
	set_span(&d->all, &t->all, m->elapsed_ns);
	for (int op = 0; op < DEVICE_OPS; op++) {
		counts_add_to(&t->leaves[op].counts, &d->ops[op]);
		set_span(&d->ops[op], &t->ops[op], m->elapsed_ns);
	}
	disk_add_up(d, &m->layers[LAYER_DEVICE]);
}

struct measurement *tally_measure(const struct tally *t, const struct names *names, u64 elapsed_ns)
{
	struct measurement *m = need(calloc(1, sizeof(*m)));

	m->elapsed_ns = elapsed_ns;
	measure_calls(t, LAYER_APP, m->app_ops, m);
	measure_calls(t, LAYER_VFS, m->vfs_ops, m);
	m->disks = need(calloc(t->disks_n + 1, sizeof(*m->disks)));
	for (u32 i = 0; i < t->disks_n; i++)
		if (t->disks[i])
			measure_disk(t->disks[i], names, m);
	for (int layer = 0; layer < LAYERS; layer++)
		set_span(&m->layers[layer], &t->layers[layer], elapsed_ns);
	m->app_device_ns = t->joint[LAYER_APP].cover.settled_ns;
	m->vfs_device_ns = t->joint[LAYER_VFS].cover.settled_ns;
	return m;
}
