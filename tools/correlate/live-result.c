// SPDX-License-Identifier: GPL-2.0-or-later
/* Adds the results of `correlate --live`, which runs a command repeatedly, to the JSON document. A
 * column is the bytes, or the operations, of one other cgroup per interval. */
#include "tools/correlate/live-result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static struct out *run_json(const struct live *l, const struct timed_job *j)
{
	struct out *node = out_object(), *amounts = out_object();

	put_ns(node, "start_ns", j->start_s);
	put_ns(node, "end_ns", j->end_s);
	put_ns(node, "run_ns", j->seconds[FORM_RUN]);
	put_ns(node, "span_ns", j->seconds[FORM_SPAN]);
	for (u32 i = 0; i < l->system.columns_n; i++)
		out_f64(amounts, l->system.columns[i].name,
			timed_job_amount(&l->jobs, j, &l->system, i, false));
	out_put(node, "amounts", amounts);
	return node;
}

/* Lists the names of the columns of single cgroups, in the order of their p-values for the measure
 * @which. */
static struct out *ranking_json(const struct correlation_study *c, enum association which)
{
	struct correlated *list = need(calloc(c->n + 1, sizeof(*list)));
	struct out *node = out_array();
	u32 n = 0;

	for (u32 i = 0; i < c->n; i++)
		if (c->list[i].form == c->form && c->list[i].column >= LIVE_OTHERS)
			list[n++] = c->list[i];
	correlated_sort(list, n, which);
	for (u32 i = 0; i < n; i++)
		out_append_str(node, c->system->columns[list[i].column].name);
	free(list);
	return node;
}

static struct out *notes_json(const struct live *l)
{
	struct out *notes = out_array();
	double unnamed = l->m->others.device.row.bytes;
	char buf[NUM_TEXT];

	if (l->failed)
		out_append_strf(notes, "%u run%s failed, left out", l->failed,
				num_word(l->failed, "", "s"));
	if (l->asked)
		out_append_str(notes, "interrupted; the results cover the runs before it");
	if (l->above_bytes)
		out_append_strf(notes,
				"%s of the command's parent cgroups are left out: the "
				"command may have caused them",
				num_bytes_text(buf, l->above_bytes));
	if (unnamed)
		out_append_strf(notes,
				"%s of cgroups without a row of their own are left "
				"out",
				num_bytes_text(buf, unnamed));
	return notes;
}

static struct out *lost_json(const struct live *l)
{
	struct out *list = out_array();

	for (const struct loss *of = l->m->losses; of->name; of++) {
		char *text = of->n ? loss_text(of->name, of->n) : NULL;

		if (text)
			out_append_str(list, text);
		free(text);
	}
	return list;
}

void live_title(struct out *doc, const struct live *l, const struct correlation_study *c)
{
	u32 columns = c->system->columns_n;
	char *words = need_words(l->argv);

	out_strf(doc, "title", "%u runs of '%s', against %u column%s of other cgroups", c->known,
		 words, columns, num_word(columns, "", "s"));
	free(words);
}

void live_json(struct out *doc, const struct live *l, const struct correlation_study *c)
{
	const struct report r = { .m = l->m,
				  .options = &l->options,
				  .command = "correlate",
				  .argv = l->argv,
				  .everybody = true };
	struct out *node = out_object(), *runs = out_array();
	struct out *rankings = out_object();

	for (u32 i = 0; i < l->jobs.n; i++)
		out_append(runs, run_json(l, &l->jobs.list[i]));
	for (int k = 0; k < ASSOCIATIONS; k++)
		out_put(rankings, association_names[k], ranking_json(c, k));
	out_words(node, "argv", l->argv);
	out_put(node, "runs", runs);
	out_u64(node, "failed_runs", l->failed);
	out_bool(node, "interrupted", l->asked);
	out_f64(node, "parent_cgroups_bytes", l->above_bytes);
	out_u128(node, "other_cgroups_bytes", l->m->others.device.row.bytes);
	out_put(node, "notes", notes_json(l));
	out_put(node, "lost", lost_json(l));
	out_put(node, "rankings", rankings);
	out_put(node, "joint_model", joint_json(&l->joint, c));
	out_put(doc, "live", node);
	show_evidence_json(doc, &r);
}
