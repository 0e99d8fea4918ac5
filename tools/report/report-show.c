// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/report/report-show.h"

#include <stdlib.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/seal.h"
#include "tools/report/kernel-sums.h"
#include "tools/report/report-by.h"
#include "tools/report/slices.h"
#include "user/base/table.h"
#include "user/show/show-csv.h"
#include "user/show/show-json.h"

static struct report shown_report(const struct report_run *r)
{
	return (struct report){ .m = r->m, .command = "report", .backends = r->backends };
}

/* Returns the sums of the BPF programs if they cover the same accesses and time as this
 * report, otherwise NULL. */
static const struct out *comparable_sums(const struct report_run *r)
{
	if (r->filtered || r->interrupted || r->input.n != 1)
		return NULL;
	return evidence_sums(&r->evidence);
}

static void print_head(FILE *f, const struct report_run *r)
{
	char elapsed[NUM_TEXT], n[NUM_TEXT];

	fputc('\n', f);
	for (char *const *p = r->paths; *p; p++) {
		out_line_text(f, *p);
		fputs(p[1] ? " " : "", f);
	}
	fprintf(f, ": %s elapsed, %s access%s read%s\n\n", num_time_text(elapsed, r->elapsed_ns),
		num_count_text(n, r->input.accesses), num_word(r->input.accesses, "", "es"),
		r->filtered ? ", not all of them shown" : "");
}

/* Whether device accesses are in the row of unknown files. */
static bool has_nameless(const struct report_run *r)
{
	const struct by *files = &r->by[TRACE_FILE];

	return r->by_kinds >> TRACE_FILE & 1 && files->n && files->entities[0] &&
		files->entities[0]->rows[LAYER_DEVICE][BY_RW];
}

void report_text(FILE *f, const struct report_run *r)
{
	const struct report report = shown_report(r);
	const struct out *sums = comparable_sums(r);

	print_head(f, r);
	show_numbers_text(f, &report);
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		if (r->by_kinds >> kind & 1)
			by_text(f, r, kind);
	if (r->slice_ns)
		slices_text(f, r);
	if (r->by_kinds || r->slice_ns)
		fputc('\n', f);
	if (r->interrupted)
		note(f, "interrupted; the result covers only the part that was read");
	if (has_nameless(r))
		note(f,
		     "device: accesses without a known file, such as metadata, are in the row "
		     "(unknown); see iospan-record(1)");
	evidence_text(f, &r->evidence);
	if (sums)
		kernel_text(f, sums, r->m);
	show_backends_text(f, &report);
}

/* Adds the start of the observation and of the time range to @doc. Times are on the clock that
 * all traces share. */
static void time_json(struct out *doc, const struct report_run *r)
{
	const struct input *in = &r->input;

	out_u64(doc, "start_ns", in->begin_ns);
	out_u64(doc, "from_ns", in->from_ns ? in->from_ns - in->begin_ns : 0);
}

void report_json(FILE *f, const struct report_run *r)
{
	const struct report report = shown_report(r);
	const struct out *sums = comparable_sums(r);
	const struct by *groups = r->tables >> TRACE_GROUP & 1 ? &r->by[TRACE_GROUP] : NULL;
	struct out *doc = out_object();

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "report");
	out_u64(doc, "elapsed_ns", r->elapsed_ns);
	out_words(doc, "traces", r->paths);
	time_json(doc, r);
	out_u64(doc, "accesses_read", r->input.accesses);
	out_bool(doc, "complete", !r->interrupted);
	out_bool(doc, "filtered", r->filtered);
	out_bool(doc, "exact_percentiles", r->exacts != NULL);
	show_numbers_json(doc, &report);
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		if (r->by_kinds >> kind & 1)
			out_put(doc, by_keys[kind], by_json(r, kind));
	if (r->slice_ns)
		out_put(doc, "slices", slices_json(r));
	out_put(doc, "backends", show_backends_json(&report));
	evidence_json(doc, &r->evidence);
	out_put(doc, "kernel_sums", sums ? kernel_json(sums, r->m, groups) : NULL);
	seal_json(f, doc);
}

void report_csv(FILE *f, const struct report_run *r)
{
	const struct report report = shown_report(r);
	struct table *t = table_new(4);

	show_csv_titles(t);
	show_csv_numbers(t, &report);
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		if (r->by_kinds >> kind & 1)
			by_csv(t, r, kind);
	if (r->slice_ns)
		slices_csv(t, r);
	table_csv(f, t);
	table_free(t);
	if (r->interrupted)
		warn("interrupted; the result covers only the part that was read");
	evidence_warn(&r->evidence);
}
