// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the JSON document of a report from traces. The sums of the BPF programs are totals that
 * these programs counted during the recording; the recorder stored them in the trace. A note is a
 * sentence about the meaning of a number. */
#include "tools/report/report-show.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out-read.h"
#include "user/show/notes.h"
#include "user/show/show-json.h"
#include "tools/report/evidence.h"
#include "tools/report/report-neighbours.h"

/* Returns the sums of the BPF programs if they cover the same accesses and time as this report,
 * else NULL. */
static const struct out *comparable_sums(const struct report_run *r)
{
	if (r->filtered || r->interrupted || r->input.n != 1)
		return NULL;
	return evidence_sums(&r->evidence);
}

/* Adds a note about the row "(unknown)" of a table, if that row has reads or writes. In the table
 * of disks, only the device layer matters, because app and vfs accesses have no disk. */
static void unknown_note(struct out *doc, const struct by *by)
{
	const struct by_entity *e = by->n ? by->entities[0] : NULL;
	struct sum sum = {};
	char n[NUM_TEXT], bytes[NUM_TEXT];

	for (int layer = 0; e && layer < LAYERS; layer++)
		if (e->rows[layer][BY_RW] && (by->kind != TRACE_DISK || layer == LAYER_DEVICE))
			counts_add_to(&e->rows[layer][BY_RW]->counts, &sum);
	if (!sum.row.accesses)
		return;
	out_append_strf(out_list(doc, "table_notes"),
			"the row (unknown) has %s access%s, %s, without a known %s, such as %s; "
			"see iospan-record(1)",
			num_count_text(n, sum.row.accesses), num_word(sum.row.accesses, "", "es"),
			num_bytes_text(bytes, sum.row.bytes), trace_kind_names[by->kind],
			by->kind == TRACE_FILE ? "metadata, and those with a lost completion" :
						 "those with a lost completion");
}

/* Sets *@found if @value, a note of the recording, is the note about stacked disks. */
static void find_stacked_note(void *found, const char *key, const struct out *value)
{
	const char *text = out_text(value);

	*(bool *)found |= text && strstr(text, STACKED_NOTE);
}

static void title_json(struct out *doc, const struct report_run *r)
{
	char *paths = need_words(r->paths), elapsed[NUM_TEXT], n[NUM_TEXT];

	out_strf(doc, "title", "%s: %s elapsed, %s access%s read%s", paths,
		 num_time_text(elapsed, r->elapsed_ns), num_count_text(n, r->input.accesses),
		 num_word(r->input.accesses, "", "es"),
		 r->filtered ? ", not all of them shown" : "");
	free(paths);
}

/* ---- slices of time ---- */

/* Keys of the metrics of a slice. Metrics that need a histogram of latencies are missing, because a
 * slice has no histogram. */
static const char *const columns[] = {
	"accesses", "bytes",	   "errors",	  "span_ns", "bps",
	"iops",	    KEY_BANDWIDTH, "concurrency", KEY_BUSY,  NULL,
};

u64 slices_count(const struct report_run *r)
{
	return r->slice_ns ? r->elapsed_ns / r->slice_ns + !!(r->elapsed_ns % r->slice_ns) : 0;
}

/* Returns the length of a slice in ns. The last slice ends with the observation. */
static u64 slice_length(const struct report_run *r, u32 slice)
{
	u64 left = r->elapsed_ns - slice * r->slice_ns;

	return left < r->slice_ns ? left : r->slice_ns;
}

static struct sum slice_sum(const struct report_run *r, int layer, u32 slice)
{
	const struct timeline *t = &r->slices[layer];
	struct sum sum = { .has_span = true, .elapsed_ns = slice_length(r, slice) };

	if (slice >= t->n)
		return sum;
	sum.row.accesses = sum.row.timed = t->slices[slice].accesses;
	sum.row.bytes = t->slices[slice].bytes;
	sum.row.errors = t->slices[slice].errors;
	sum.row.latency_ns = t->slices[slice].flight_ns;
	sum.span_ns = t->slices[slice].span_ns;
	return sum;
}

static struct out *slice_json(const struct report_run *r, int layer, u32 slice)
{
	struct sum sum = slice_sum(r, layer, slice);

	return r->backends[layer] ? sum_json_of(&sum, columns) : NULL;
}

static void each_slice(const void *run, void (*add)(void *to, struct out *element), void *to)
{
	const struct report_run *r = run;
	u64 from = input_from_ns(&r->input) - r->input.begin_ns;

	for (u32 i = 0; i < slices_count(r); i++) {
		struct out *o = out_object(), *layers = out_object();

		out_u64(o, "from_ns", from + i * r->slice_ns);
		out_u64(o, "elapsed_ns", slice_length(r, i));
		for (int layer = 0; layer < LAYERS; layer++)
			out_put(layers, layer_names[layer], slice_json(r, layer, i));
		out_put(o, "layers", layers);
		add(to, o);
	}
}

/* ---- the document ---- */

/* Returns true if --ops selects some, but not all, of write, flush and sync. Writes and syncs of
 * files wait for writes and flushes of disks. So the joint spans of the layers have no meaning if
 * only some of the three operations are selected. */
static bool splits_waits(unsigned ops)
{
	const unsigned waits = 1U << OP_WRITE | 1U << OP_FLUSH | 1U << OP_SYNC;

	return ops & waits && ~ops & waits;
}

static void tables_json(struct out *doc, struct report_run *r)
{
	struct out *others = out_object();
	struct made *made = r->made;

	for (u32 kind = 0; kind < TRACE_KINDS; kind++) {
		r->lists[kind] = (struct by_list){ .run = r, .by = &r->by[kind] };
		if (r->tables >> kind & 1)
			*made++ = by_json(doc, others, &r->lists[kind]);
	}
	out_put(doc, "others", others);
	if (r->slice_ns) {
		out_null(doc, "slices");
		*made = (struct made){ "slices", each_slice, r };
	}
	memcpy(r->page_made, r->made, sizeof(r->made));
	if (r->by_kinds & ~r->tables) {
		made = r->page_made;
		while (made->key)
			made++;
		*made = by_list_made(&r->lists[TRACE_PROCESS], 0);
	}
}

/* Adds two times in ns to @doc: the start of the observation, and the start of the time range
 * (--from), counted from the start of the observation. Both include the clock shifts
 * (--offsets). */
static void time_json(struct out *doc, const struct report_run *r)
{
	const struct input *in = &r->input;

	out_u64(doc, "start_ns", in->begin_ns);
	out_u64(doc, "from_ns", input_from_ns(in) - in->begin_ns);
}

static void evidence_of_report(struct out *doc, const struct report_run *r,
			       const struct report *report)
{
	const struct out *sums = comparable_sums(r);
	const struct by *groups = r->by_kinds >> TRACE_GROUP & 1 ? &r->by[TRACE_GROUP] : NULL;
	char *backends = show_backends(report);
	bool is_noted = false;

	if (r->interrupted)
		out_append_str(out_list(doc, "notes"),
			       "interrupted; the result covers only the part that was read");
	else if (r->exact && !r->exacts)
		out_append_str(out_list(doc, "notes"),
			       "interrupted; the percentiles come from histograms");
	out_list(doc, "table_notes");
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		if (r->tables >> kind & 1)
			unknown_note(doc, &r->by[kind]);
	if (r->tables >> TRACE_GROUP & 1)
		evidence_note_groups(doc, &r->evidence);
	evidence_json(doc, &r->evidence);
	show_estimated_json(doc, r->m);
	out_each(out_get(doc, "notes"), find_stacked_note, &is_noted);
	if (has_stacked(r->m) && !is_noted)
		out_append_str(out_list(doc, "table_notes"), STACKED_NOTE);
	if (has_only_stacked(r->m))
		out_append_str(out_list(doc, "table_notes"), ONLY_STACKED_NOTE);
	out_put(doc, "kernel_sums", sums ? kernel_json(sums, r->m, groups) : NULL);
	out_put(doc, "backends", show_backends_json(report));
	if (*backends)
		out_str(doc, "measured_by", backends);
	free(backends);
}

struct out *report_document(struct report_run *r)
{
	double missing[LAYERS];
	const struct report report = { .m = r->m,
				       .command = "report",
				       .backends = r->backends,
				       .has_histograms = r->has_histograms,
				       .missing = missing,
				       .no_joint = splits_waits(r->input.filter.ops) };
	struct out *doc = out_object();

	kernel_missing(comparable_sums(r), r->m, missing);
	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "report");
	title_json(doc, r);
	recordings_json(doc, &r->evidence);
	show_summary_json(doc, &report);
	out_u64(doc, "elapsed_ns", r->elapsed_ns);
	out_words(doc, "traces", r->paths);
	time_json(doc, r);
	out_u64(doc, "accesses_read", r->input.accesses);
	out_bool(doc, "complete", !r->interrupted);
	out_bool(doc, "filtered", r->filtered);
	out_bool(doc, "exact_percentiles", r->exacts != NULL);
	show_numbers_json(doc, &report);
	tables_json(doc, r);
	neighbours_json(doc, r);
	evidence_of_report(doc, r, &report);
	return doc;
}
