// SPDX-License-Identifier: GPL-2.0-or-later
/* The way of the accesses: from the files through all that adds them up. */
#include "tools/report/report.h"

#include <stdlib.h>

#include "user/base/err.h"

static void slice_part(void *arg, int layer, u64 start_ns, u64 end_ns)
{
	struct report_run *r = arg;

	if (r->slice_ns)
		timeline_span(&r->slices[layer], start_ns, end_ns);
	if (r->picture)
		picture_span(r->picture, layer, start_ns, end_ns);
}

/* Reads and writes, of disks that count in the total. */
static bool in_total(const struct leaf *l)
{
	return l && l->op <= OP_WRITE && !(l->disk && l->disk->stacked);
}

static void slices_batch(struct report_run *r, const struct piece *p)
{
	const struct trace_batch *b = p->batch;

	for (u32 i = 0; i < b->n; i++) {
		const struct leaf *l = p->ways->slots[TALLY_SLOT][b->stream[i]];
		struct timeline *t;
		u8 flags = b->flags[i];

		if (!in_total(l))
			continue;
		t = &r->slices[l->layer];
		if (!(flags & TRACE_PART)) {
			struct slice *s = timeline_end(t, b->end_ns[i]);

			s->accesses++;
			s->bytes += b->bytes[i];
			s->errors += flags & TRACE_FAILED;
		}
		if (!(flags & TRACE_UNSPANNED))
			timeline_flight(t, b->start_ns[i], b->end_ns[i]);
	}
}

static void picture_part(void *arg, const struct by_part *p, u64 start_ns, u64 end_ns)
{
	struct report_run *r = arg;

	picture_busy(r->picture, p->of->number, p->layer, start_ns, end_ns);
}

void report_stream(void *arg, const struct trace_stream *s, bool stacked, void **slots)
{
	struct report_run *r = arg;

	slots[TALLY_SLOT] = tally_leaf(&r->tally, s, stacked);
	for (u32 kind = 0; slots[TALLY_SLOT] && kind < TRACE_KINDS; kind++)
		if (r->tables >> kind & 1)
			slots[BY_SLOT(kind)] = by_part(&r->by[kind], s);
}

static void settle(struct report_run *r, u64 before_ns)
{
	const struct follower f = { slice_part, r };

	tally_settle(&r->tally, before_ns, r->slice_ns || r->picture ? &f : NULL);
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		if (r->tables >> kind & 1)
			by_settle(&r->by[kind], before_ns,
				  r->picture && kind == TRACE_PROCESS ? picture_part : NULL, r);
}

static void take(struct report_run *r, const struct piece *p)
{
	settle(r, p->before_ns);
	tally_batch(&r->tally, p->batch, p->ways->slots[TALLY_SLOT]);
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		if (r->tables >> kind & 1)
			by_batch(&r->by[kind], p->batch, p->ways->slots[BY_SLOT(kind)]);
	if (r->slice_ns)
		slices_batch(r, p);
	if (r->picture)
		picture_batch(r->picture, p);
}

/* A layer has a column when it was recorded, and accesses of it are wanted. */
static void find_backends(struct report_run *r)
{
	for (int layer = 0; layer < LAYERS; layer++) {
		const char *told = evidence_backend(&r->evidence, layer_names[layer]);

		if (r->input.seen >> layer & 1)
			r->backends[layer] = told ? told : "trace";
		else if (r->input.filter.layers >> layer & 1 && !r->input.filter.text[TRACE_DISK] &&
			 !r->input.filter.text[TRACE_FILE])
			r->backends[layer] = told;
	}
}

static void begin(struct report_run *r)
{
	const struct input *in = &r->input;
	u64 from = in->from_ns ? in->from_ns : in->begin_ns;

	for (int layer = 0; layer < LAYERS; layer++)
		timeline_init(&r->slices[layer], from, r->slice_ns, SLICES_MAX, false);
	if (r->picture)
		picture_begin(r->picture, from, &in->names);
}

int report_read(struct report_run *r, bool (*stop)(void *arg, const struct report_run *r),
		void *arg)
{
	struct piece p;
	int ret;

	begin(r);
	while ((ret = input_next(&r->input, &p)) > 0) {
		if (stop(arg, r)) {
			r->interrupted = true;
			break;
		}
		take(r, &p);
	}
	if (ret < 0)
		return ret;
	settle(r, ~0ULL);
	for (int layer = 0; layer < LAYERS; layer++) {
		timeline_finish(&r->slices[layer]);
		if (r->slices[layer].full)
			return error(-E2BIG,
				     "the trace has more than %u slices; give a longer "
				     "--interval, or --from and --to",
				     SLICES_MAX);
	}
	if (r->picture)
		picture_finish(r->picture);
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		if (r->tables >> kind & 1)
			by_add_up(&r->by[kind]);
	input_done(&r->input);
	r->elapsed_ns =
		input_elapsed_ns(&r->input, r->interrupted ? 0 : evidence_elapsed_ns(&r->evidence));
	find_backends(r);
	r->m = tally_measure(&r->tally, &r->input.names, r->elapsed_ns);
	return 0;
}
