// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the result of `neighbours` as a JSON document. The system data has the I/O of all other
 * cgroups, with columns for each cgroup. */
#include "tools/neighbours/runs-result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/correlate/correlate-result.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/show/show-json.h"

static void put_ns(struct out *o, const char *key, double seconds)
{
	if (isnan(seconds))
		out_null(o, key);
	else
		out_u64(o, key, llround(seconds * 1e9));
}

static struct out *run_json(const struct runs *r, const struct timed_job *j)
{
	struct out *node = out_object(), *amounts = out_object();

	put_ns(node, "start_ns", j->start_s);
	put_ns(node, "end_ns", j->end_s);
	put_ns(node, "run_ns", j->seconds[FORM_RUN]);
	put_ns(node, "span_ns", j->seconds[FORM_SPAN]);
	for (u32 i = 0; i < r->system.columns_n; i++)
		out_f64(amounts, r->system.columns[i].name,
			timed_job_amount(&r->jobs, j, &r->system, i, false));
	out_put(node, "amounts", amounts);
	return node;
}

/* Returns an array of the names of columns of the system data, sorted by their p-value for the
 * measure @which. Leaves out the columns with sums over all cgroups. */
static struct out *ranking_json(const struct correlation_study *c, enum association which)
{
	struct correlated *list = need(calloc(c->n + 1, sizeof(*list)));
	struct out *node = out_array();
	u32 n = 0;

	for (u32 i = 0; i < c->n; i++)
		if (c->list[i].form == c->form && c->list[i].column >= RUNS_SUMS)
			list[n++] = c->list[i];
	correlated_sort(list, n, which);
	for (u32 i = 0; i < n; i++)
		out_append_str(node, c->system->columns[list[i].column].name);
	free(list);
	return node;
}

/* Adds notes about failed runs, and about I/O that is in no column. */
static void put_notes(struct out *notes, const struct runs *r)
{
	double unnamed = r->m->others.device.row.bytes;
	char buf[NUM_TEXT];

	if (r->failed)
		out_append_strf(notes, "%u run%s failed, left out", r->failed,
				num_word(r->failed, "", "s"));
	if (r->asked)
		out_append_str(notes, "interrupted; the results cover the runs before it");
	if (r->above_bytes)
		out_append_strf(notes,
				"%s of the command's parent cgroups are left out: the "
				"command may have caused them%s",
				num_bytes_text(buf, r->above_bytes),
				r->options.attribution == BY_BLKCG ?
					"; with --attribution=task, more cgroups may have columns" :
					"");
	if (unnamed)
		out_append_strf(notes,
				"%s of cgroups without a row of their own are left "
				"out",
				num_bytes_text(buf, unnamed));
}

static void put_title(struct out *doc, const struct runs *r, const struct correlation_study *c)
{
	u32 columns = c->system->columns_n;
	char *words = need_words(r->argv);

	out_strf(doc, "title", "%u runs of '%s', against %u column%s of other cgroups", c->known,
		 words, columns, num_word(columns, "", "s"));
	free(words);
}

static void put_runs(struct out *doc, const struct runs *r)
{
	struct out *list = out_list(doc, "runs");

	for (u32 i = 0; i < r->jobs.n; i++)
		out_append(list, run_json(r, &r->jobs.list[i]));
	out_u64(doc, "failed_run_count", r->failed);
	out_bool(doc, "interrupted", r->asked);
	out_f64(doc, "parent_cgroups_bytes", r->above_bytes);
	out_u128(doc, "other_cgroups_bytes", r->m->others.device.row.bytes);
}

struct out *runs_document(const struct runs *r, const struct correlation_study *c)
{
	const struct report report = { .m = r->m,
				       .options = &r->options,
				       .command = "neighbours",
				       .argv = r->argv,
				       .everybody = true };
	struct out *doc = correlate_head(report.command, c), *rankings = out_object();

	put_title(doc, r, c);
	out_words(doc, "argv", r->argv);
	put_runs(doc, r);
	for (int k = 0; k < ASSOCIATIONS; k++)
		out_put(rankings, association_names[k], ranking_json(c, k));
	out_put(doc, "rankings", rankings);
	out_put(doc, "joint_model", joint_json(&r->joint, c));
	show_evidence_json(doc, &report);
	put_notes(out_list(doc, "notes"), r);
	out_put(doc, "correlation", correlate_json(c));
	return doc;
}

static const struct view_column without[] = {
	COLUMN("name", .title = "without"),
	COLUMN("explained_without_fraction", .title = "the others explain"),
	{},
};

const struct view runs_views[] = {
	VIEW("conclusion"),
	VIEW("joint_model.conclusion"),
	VIEW("title", .is_head = true),
	VIEW("", .inner = correlate_tables),
	VIEW("joint_model.cgroups.*", .columns = without, .left = 1, .most = 8,
	     .title = "all cgroups without one of them"),
	VIEW("", .inner = show_evidence_views),
	VIEW("notes.*", .is_note = true, .is_hidden = true, .warns = true),
	VIEW("correlation.notes.*", .is_note = true, .warns = true),
	VIEW("correlation.table_notes.*", .is_note = true),
	VIEW("correlation.associations.*", .columns = correlate_csv, .is_csv = true,
	     .is_hidden = true),
	{},
};
