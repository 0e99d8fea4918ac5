// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/report/report-show.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/base/num.h"
#include "user/metric/measurement.h"
#include "user/show/show-json.h"
#include "tools/report/kernel-sums.h"
#include "tools/report/report-by.h"
#include "tools/report/slices.h"

/* Returns the sums of the BPF programs if they cover the same accesses and time as this
 * report, otherwise NULL. */
static const struct out *comparable_sums(const struct report_run *r)
{
	if (r->filtered || r->interrupted || r->input.n != 1)
		return NULL;
	return evidence_sums(&r->evidence);
}

/* Whether device accesses are in the row of unknown files. */
static bool has_nameless(const struct report_run *r)
{
	const struct by *files = &r->by[TRACE_FILE];

	return r->by_kinds >> TRACE_FILE & 1 && files->n && files->entities[0] &&
		files->entities[0]->rows[LAYER_DEVICE][BY_RW];
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

/* ---- the processes, files, cgroups and disks with the most bytes ---- */

#define TOP 3

struct top {
	const struct out *of[TOP + 1]; /* rows of a table, the first one has the most bytes */
	const struct out *last;	       /* row that add_to_top() has not added yet */
};

static double row_bytes(const struct out *row)
{
	const struct out *layers = out_get(row, "layers");
	double bytes = 0, one;

	for (int layer = 0; layer < LAYERS; layer++)
		if (out_get_f64(out_get(layers, layer_names[layer]), "bytes", &one))
			bytes += one;
	return bytes;
}

/* Adds the last row, unless it is a cgroup with children, which directly follow it. */
static void add_to_top(void *top, const char *key, const struct out *row)
{
	struct top *t = top;
	const struct out *last = t->last;
	const char *path = out_get_str(last, "path"), *next = out_get_str(row, "path");
	int i = TOP;

	t->last = row;
	if (!last || !strcmp(out_get_str(last, "title"), "(unknown)") ||
	    (path && next && group_is_below(next, path)))
		return;
	for (; i && row_bytes(last) > row_bytes(t->of[i - 1]); i--)
		t->of[i] = t->of[i - 1];
	t->of[i] = last;
	t->of[TOP] = NULL;
}

static void top_json(struct out *list, const char *kind, const struct out *rows)
{
	struct top t = {};

	out_each(rows, add_to_top, &t);
	add_to_top(&t, NULL, NULL);
	for (int i = 0; t.of[i]; i++) {
		struct out *o = out_object();

		out_str(o, "title", out_get_str(t.of[i], "title"));
		out_str(o, "kind", kind);
		out_share(o, "layers", out_get(t.of[i], "layers"));
		out_append(list, o);
	}
}

static void tables_json(struct out *doc, const struct report_run *r)
{
	struct out *top = out_list(doc, "top");

	for (u32 kind = 0; kind < TRACE_KINDS; kind++) {
		if (!(r->by_kinds >> kind & 1))
			continue;
		out_put(doc, by_keys[kind], by_json(r, kind));
		if (kind != TRACE_DISK)
			top_json(top, trace_kind_names[kind], out_get(doc, by_keys[kind]));
	}
	if (r->slice_ns)
		out_put(doc, "slices", slices_json(r));
}

/* ---- the document ---- */

/* Adds the start of the observation and of the time range to @doc. Times are on the clock that
 * all traces share. */
static void time_json(struct out *doc, const struct report_run *r)
{
	const struct input *in = &r->input;

	out_u64(doc, "start_ns", in->begin_ns);
	out_u64(doc, "from_ns", in->from_ns ? in->from_ns - in->begin_ns : 0);
}

static void evidence_of_report(struct out *doc, const struct report_run *r,
			       const struct report *report)
{
	const struct out *sums = comparable_sums(r);
	const struct by *groups = r->by_kinds >> TRACE_GROUP & 1 ? &r->by[TRACE_GROUP] : NULL;
	char *backends = show_backends(report);

	if (r->interrupted)
		out_append_str(out_list(doc, "notes"),
			       "interrupted; the result covers only the part that was read");
	if (has_nameless(r))
		out_append_str(out_list(doc, "notes"),
			       "device: the file is (unknown), because a request to a disk has no "
			       "file name");
	evidence_json(doc, &r->evidence);
	out_put(doc, "kernel_sums", sums ? kernel_json(sums, r->m, groups) : NULL);
	out_put(doc, "backends", show_backends_json(report));
	if (*backends)
		out_str(doc, "measured_by", backends);
	free(backends);
}

struct out *report_document(const struct report_run *r)
{
	const struct report report = { .m = r->m, .command = "report", .backends = r->backends };
	struct out *doc = out_object();

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "report");
	title_json(doc, r);
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
	evidence_of_report(doc, r, &report);
	return doc;
}
