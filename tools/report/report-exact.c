// SPDX-License-Identifier: GPL-2.0-or-later
/* Exact percentiles of every set that a report shows: looks at all accesses again. */
#include <stdlib.h>

#include "user/base/err.h"
#include "tools/report/report.h"
#include "tools/report/report-exact.h"

/* Those of the measurement; a row of a table has its own (struct by_part). */
struct exact_sets {
	struct exact **all;
	struct sum **sums; /* of these */
	u32 n, room;
};

static struct exact *add_set(struct exact_sets *sets, struct sum *s)
{
	struct exact *e = exact_new(s);

	if (sets->n == sets->room) {
		sets->room = 2 * sets->room + 32;
		sets->all = need(reallocarray(sets->all, sets->room, sizeof(*sets->all)));
		sets->sums = need(reallocarray(sets->sums, sets->room, sizeof(*sets->sums)));
	}
	sets->sums[sets->n] = s;
	sets->all[sets->n++] = e;
	s->exact = exact_result(e);
	return e;
}

void exact_sets_free(struct exact_sets *sets)
{
	for (u32 i = 0; sets && i < sets->n; i++)
		exact_free(sets->all[i]);
	if (sets) {
		free(sets->all);
		free(sets->sums);
	}
	free(sets);
}

/* ---- which sets a leaf is in ---- */

static void add_calls(struct report_run *r, int layer, struct sum *ops)
{
	struct exact *of[CALL_OPS], *source[SRC_MAX] = {};
	struct exact *all = add_set(r->exacts, &r->m->layers[layer]);

	for (int op = 0; op < CALL_OPS; op++)
		of[op] = add_set(r->exacts, &ops[op]);
	for (int i = 0; i < SRC_MAX && layer == LAYER_VFS; i++)
		source[i] = add_set(r->exacts, &r->m->vfs_sources[i]);
	for (int i = 0; i < SRC_MAX; i++)
		for (int op = 0; op < CALL_OPS; op++) {
			struct exact **to = r->tally.calls[layer][i][op].exact;

			*to++ = of[op];
			if (op <= VFS_WRITE)
				*to++ = all;
			*to++ = op < VFS_OPS ? source[i] : NULL;
		}
}

static void add_disk(struct report_run *r, struct disk_tally *d, struct disk_sum *sum,
		     struct exact *layer)
{
	struct exact *all = add_set(r->exacts, &sum->all);

	for (int op = 0; op < DEVICE_OPS; op++) {
		struct exact **to = d->leaves[op].exact;

		*to++ = add_set(r->exacts, &sum->ops[op]);
		if (op > OP_WRITE)
			continue;
		*to++ = all;
		*to++ = d->stacked ? NULL : layer;
	}
}

static void add_sets(struct report_run *r)
{
	struct exact *layer = add_set(r->exacts, &r->m->layers[LAYER_DEVICE]);
	u32 n = 0;

	add_calls(r, LAYER_APP, r->m->app_ops);
	add_calls(r, LAYER_VFS, r->m->vfs_ops);
	for (u32 i = 0; i < r->tally.disks_n; i++)
		if (r->tally.disks[i])
			add_disk(r, r->tally.disks[i], &r->m->disks[n++], layer);
}

/* Calls @fn for the rows of all tables. */
static bool each_part(struct report_run *r, bool (*fn)(struct by_part *p))
{
	bool any = false;

	for (u32 kind = 0; kind < TRACE_KINDS; kind++) {
		struct by *by = &r->by[kind];

		for (u32 i = 0; i < by->n; i++)
			for (int k = 0; by->entities[i] && k < BY_PARTS; k++) {
				struct by_part *p = by_nth(by->entities[i], k);

				any |= p && fn(p);
			}
	}
	return any;
}

static bool add_part(struct by_part *p)
{
	struct sum s;

	by_sum(p, 0, &s);
	p->exact = exact_new(&s);
	return false;
}

static bool narrow_part(struct by_part *p)
{
	return exact_narrow(p->exact);
}

/* ---- a look ---- */

static void take_part(struct by_part *p, u64 ns)
{
	exact_take(p->exact, ns);
	for (struct by_entity *e = p->of->above; e; e = e->above)
		exact_take(e->parts[p->layer][p->class]->exact, ns);
}

static void look(struct report_run *r, const struct piece *p)
{
	const struct trace_batch *b = p->batch;

	for (u32 i = 0; i < b->n; i++) {
		u64 ns = access_latency_ns(b, i);
		const struct leaf *leaf;

		if (b->flags[i] & COUNTS_UNTIMED)
			continue;
		leaf = p->ways->slots[TALLY_SLOT][b->stream[i]];
		for (struct exact *const *e = leaf->exact; *e; e++)
			exact_take(*e, ns);
		for (u32 kind = 0; kind < TRACE_KINDS; kind++) {
			struct by_part *part = p->ways->slots[BY_SLOT(kind)][b->stream[i]];

			if (part)
				take_part(part, ns);
		}
	}
}

/* True: one more. */
static bool narrow_all(struct report_run *r)
{
	bool more = each_part(r, narrow_part);

	for (u32 i = 0; i < r->exacts->n; i++)
		more |= exact_narrow(r->exacts->all[i]);
	return more;
}

static bool drop_part(struct by_part *p)
{
	exact_free(p->exact);
	p->exact = NULL;
	return false;
}

/* What is not known to the end is not known: the histograms have to do. */
static void give_up(struct report_run *r)
{
	each_part(r, drop_part);
	for (u32 i = 0; i < r->exacts->n; i++)
		r->exacts->sums[i]->exact = NULL;
	exact_sets_free(r->exacts);
	r->exacts = NULL;
	r->interrupted = true;
}

int report_exact(struct report_run *r, bool (*stop)(void *arg, const struct report_run *r),
		 void *arg)
{
	u64 accesses = r->input.accesses;
	struct piece p;
	int ret;

	r->exacts = need(calloc(1, sizeof(*r->exacts)));
	add_sets(r);
	each_part(r, add_part);
	do {
		ret = input_rewind(&r->input);
		while (ret >= 0 && (ret = input_next(&r->input, &p)) > 0) {
			if (stop(arg, r)) {
				give_up(r);
				ret = 0;
				break;
			}
			look(r, &p);
		}
	} while (ret >= 0 && r->exacts && narrow_all(r));
	r->input.accesses = accesses;
	return ret;
}
