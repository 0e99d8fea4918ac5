// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes the exact percentiles of latencies by reading the traces again. In each pass over the
 * accesses, each search (struct exact) narrows the ranges that contain its percentiles. */
#include <stdlib.h>

#include "user/base/need.h"
#include "tools/report/report.h"

/* The searches for the exact percentiles of all sums of the measurement. The rows of tables have
 * searches of their own, in by_row.exact. */
struct exact_sets {
	struct {
		struct exact *exact;
		struct sum *sum;
	} * all;
	u32 n, room;
};

static struct exact *add_sum(struct exact_sets *sets, struct sum *s)
{
	struct exact *e = exact_new(s);

	sets->all = need_index(sets->all, &sets->room, sets->n, sizeof(*sets->all));
	sets->all[sets->n].sum = s;
	sets->all[sets->n++].exact = e;
	s->exact = exact_result(e);
	return e;
}

void exact_sets_free(struct exact_sets *sets)
{
	for (u32 i = 0; sets && i < sets->n; i++)
		exact_free(sets->all[i].exact);
	free(sets ? sets->all : NULL);
	free(sets);
}

static void add_call_sums(struct report_run *r, int layer, struct sum *ops)
{
	struct exact *of[CALL_OPS], *source[SRC_MAX] = {};
	struct exact *all = add_sum(r->exacts, &r->m->layers[layer]);

	for (int op = 0; op < CALL_OPS; op++)
		of[op] = add_sum(r->exacts, &ops[op]);
	for (int i = 0; i < SRC_MAX && layer == LAYER_VFS; i++)
		source[i] = add_sum(r->exacts, &r->m->vfs_sources[i]);
	for (int i = 0; i < SRC_MAX; i++)
		for (int op = 0; op < CALL_OPS; op++) {
			struct exact **to = r->tally.calls[layer][i][op].exact;

			*to++ = of[op];
			if (op <= VFS_WRITE)
				*to++ = all;
			*to++ = op < VFS_OPS ? source[i] : NULL;
		}
}

static void add_disk_sums(struct report_run *r, struct disk_tally *d, struct disk_sum *sum,
			  struct exact *layer)
{
	struct exact *all = add_sum(r->exacts, &sum->all);

	for (int op = 0; op < DEVICE_OPS; op++) {
		struct exact **to = d->ops[op].exact;

		*to++ = add_sum(r->exacts, &sum->ops[op]);
		if (op > OP_WRITE)
			continue;
		*to++ = all;
		*to++ = d->stacked ? NULL : layer;
	}
}

static void add_sums(struct report_run *r)
{
	struct exact *layer = add_sum(r->exacts, &r->m->layers[LAYER_DEVICE]);
	u32 n = 0;

	add_call_sums(r, LAYER_APP, r->m->app_ops);
	add_call_sums(r, LAYER_VFS, r->m->vfs_ops);
	for (u32 i = 0; i < r->tally.disks_n; i++)
		if (r->tally.disks[i])
			add_disk_sums(r, r->tally.disks[i], &r->m->disks[n++], layer);
}

static bool each_row(struct report_run *r, bool (*fn)(struct by_row *row))
{
	bool any = false;

	for (u32 kind = 0; kind < TRACE_KINDS; kind++) {
		struct by *by = &r->by[kind];

		for (u32 i = 0; i < by->n; i++)
			for (int k = 0; by->entities[i] && k < BY_ROWS; k++) {
				struct by_row *row = by_nth_row(by->entities[i], k);

				any |= row && fn(row);
			}
	}
	return any;
}

static bool start_row(struct by_row *row)
{
	struct sum s;

	by_sum(row, 0, &s);
	row->exact = exact_new(&s);
	return false;
}

static bool narrow_row(struct by_row *row)
{
	return exact_narrow(row->exact);
}

static void add_to_rows(const struct by_row *row, u64 ns)
{
	exact_add(row->exact, ns);
	for (struct by_entity *e = row->entity->above; e; e = e->above)
		exact_add(e->rows[row->layer][row->class]->exact, ns);
}

static void add_latencies(const struct input_batch *batch)
{
	const struct trace_batch *b = batch->accesses;
	void **const *slots = batch->streams->slots;

	for (u32 i = 0; i < b->n; i++) {
		u64 ns = access_latency_ns(b, i);
		const struct op_tally *o;

		if (b->flags[i] & COUNTS_UNTIMED)
			continue;
		o = slots[TALLY_SLOT][b->stream[i]];
		for (struct exact *const *e = o->exact; *e; e++)
			exact_add(*e, ns);
		for (u32 kind = 0; kind < TRACE_KINDS; kind++)
			if (slots[BY_SLOT(kind)][b->stream[i]])
				add_to_rows(slots[BY_SLOT(kind)][b->stream[i]], ns);
	}
}

/* Ends the pass for all searches. Returns true if another pass is needed. */
static bool narrow_all(struct report_run *r)
{
	bool more = each_row(r, narrow_row);

	for (u32 i = 0; i < r->exacts->n; i++)
		more |= exact_narrow(r->exacts->all[i].exact);
	return more;
}

static bool drop_row(struct by_row *row)
{
	exact_free(row->exact);
	row->exact = NULL;
	return false;
}

/* Drops all searches after an incomplete pass. The report then keeps the percentiles of the
 * histograms. */
static void give_up(struct report_run *r)
{
	each_row(r, drop_row);
	for (u32 i = 0; i < r->exacts->n; i++)
		r->exacts->all[i].sum->exact = NULL;
	exact_sets_free(r->exacts);
	r->exacts = NULL;
}

int report_exact(struct report_run *r, bool (*stop)(void *arg, const struct report_run *r),
		 void *arg)
{
	u64 accesses = r->input.accesses;
	struct input_batch batch;
	int ret;

	r->exacts = need(calloc(1, sizeof(*r->exacts)));
	add_sums(r);
	each_row(r, start_row);
	do {
		ret = input_rewind(&r->input);
		while (ret >= 0 && (ret = input_next(&r->input, &batch)) > 0) {
			if (stop(arg, r)) {
				give_up(r);
				ret = 0;
				break;
			}
			add_latencies(&batch);
		}
	} while (ret >= 0 && r->exacts && narrow_all(r));
	r->input.accesses = accesses;
	return ret;
}
