// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the traces of a report. Passes each batch of accesses to all parts of the report; a batch
 * is accesses that are read together. A backend is the method by which a layer was recorded, such
 * as "fentry". */
#include "tools/input/input.h"
#include "tools/report/report.h"
#include "tools/report/report-show.h"

#include "user/base/err.h"

static bool has_table(const struct report_run *r, u32 kind)
{
	return r->by_kinds >> kind & 1;
}

void report_stream(void *arg, const struct trace_stream *s, bool stacked, void **slots)
{
	struct report_run *r = arg;
	struct by_row *row;

	slots[TALLY_SLOT] = tally_op(&r->tally, s, stacked);
	for (u32 kind = 0; slots[TALLY_SLOT] && kind < TRACE_KINDS; kind++)
		if (has_table(r, kind))
			slots[BY_SLOT(kind)] = by_find_row(&r->by[kind], s);
	if (r->matrix)
		slots[NEIGHBOURS_SLOT] = neighbours_find(&r->neighbours, s, stacked);
	row = slots[BY_SLOT(TRACE_PROCESS)];
	if (r->picture && row && row->class == BY_RW)
		row->span.timelines[0] = picture_bar(r->picture, s->process, s->layer);
}

static void slice_batch(struct report_run *r, const struct input_batch *batch)
{
	const struct trace_batch *b = batch->accesses;

	for (u32 i = 0; i < b->n; i++) {
		const struct op_tally *o = batch->streams->slots[TALLY_SLOT][b->stream[i]];

		if (op_tally_is_in_total(o))
			timeline_access(&r->slices[o->layer], b, i);
	}
}

static void settle_spans(struct report_run *r, u64 before_ns)
{
	tally_settle(&r->tally, before_ns);
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		if (has_table(r, kind))
			by_settle(&r->by[kind], before_ns);
	neighbours_settle(&r->neighbours, before_ns);
}

static void add_batch(struct report_run *r, const struct input_batch *batch)
{
	void **const *slots = batch->streams->slots;

	settle_spans(r, batch->before_ns);
	tally_batch(&r->tally, batch->accesses, slots[TALLY_SLOT]);
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		if (has_table(r, kind))
			by_batch(&r->by[kind], batch->accesses, slots[BY_SLOT(kind)]);
	if (r->matrix)
		neighbours_batch(batch->accesses, slots[NEIGHBOURS_SLOT]);
	if (r->slice_ns)
		slice_batch(r, batch);
	if (r->picture)
		picture_batch(r->picture, batch);
}

/* Sets r->backends[layer] to the method by which the layer was recorded, such as "fentry". If the
 * layer was not recorded, or the filter excludes all of its accesses, the element stays NULL. */
static void find_backends(struct report_run *r)
{
	for (int layer = 0; layer < LAYERS; layer++) {
		const char *backend = evidence_backend(&r->evidence, layer_names[layer]);

		if (r->input.seen >> layer & 1)
			r->backends[layer] = backend ? backend : "trace";
		else if (r->input.filter.layers >> layer & 1 && !r->input.filter.text[TRACE_DISK] &&
			 !r->input.filter.text[TRACE_FILE])
			r->backends[layer] = backend;
	}
}

static void begin_timelines(struct report_run *r)
{
	u64 from = input_from_ns(&r->input);

	for (int layer = 0; layer < LAYERS; layer++) {
		struct timeline **to = r->tally.layers[layer].timelines;

		timeline_init(&r->slices[layer], from, r->slice_ns, SLICES_MAX, false);
		if (r->slice_ns)
			*to++ = &r->slices[layer];
		if (r->picture)
			*to = &r->picture->layers[layer];
	}
	if (r->picture)
		picture_begin(r->picture, from);
}

int report_read(struct report_run *r, bool (*stop)(void *arg, const struct report_run *r),
		void *arg)
{
	struct input_batch batch;
	int ret;

	begin_timelines(r);
	while ((ret = input_next(&r->input, &batch)) > 0) {
		if (stop(arg, r)) {
			r->interrupted = true;
			break;
		}
		add_batch(r, &batch);
	}
	if (!ret)
		ret = input_check_matches(&r->input);
	if (ret < 0)
		return ret;
	settle_spans(r, ~0ULL);
	for (int layer = 0; layer < LAYERS; layer++)
		timeline_finish(&r->slices[layer]);
	if (r->picture)
		picture_finish(r->picture);
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		if (has_table(r, kind))
			by_add_up(&r->by[kind]);
	input_done(&r->input);
	r->elapsed_ns =
		input_elapsed_ns(&r->input, r->interrupted ? 0 : evidence_elapsed_ns(&r->evidence));
	if (slices_count(r) > SLICES_MAX)
		return error(
			-E2BIG,
			"the trace has more than %u intervals; give a longer --interval, or --from "
			"and --to",
			SLICES_MAX);
	find_backends(r);
	r->m = tally_measure(&r->tally, &r->input.names, r->elapsed_ns);
	return 0;
}
