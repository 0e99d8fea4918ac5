// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/correlate/live-show.h"

#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/page.h"
#include "tools/correlate/correlate-show.h"
#include "tools/correlate/correlate-html.h"
#include "user/base/table.h"
#include "user/show/show-json.h"

#define MOST_ROWS 16
#define SIGNIFICANT 0.05 /* a cgroup is named if its corrected p is below this */

static double explained_by_line(const struct associated *a)
{
	return a->value[ASSOC_PEARSON] * a->value[ASSOC_PEARSON];
}

static const char *title_of(const struct correlation_study *c, const struct correlated *of)
{
	return c->system->columns[of->column].name;
}

/* ---- ranking of cgroups ---- */

struct ranked {
	const struct correlated *of;
	double p, strength;
};

/* Sorts by ascending p, then by descending strength. p comes first because a cgroup that was
 * active only once may have a high strength by chance. */
static int by_likelihood(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->p != y->p)
		return x->p < y->p ? -1 : 1;
	if (x->strength != y->strength)
		return x->strength > y->strength ? -1 : 1;
	return x->of->column < y->of->column ? -1 : 1;
}

/* Ranks the columns from @first on by their association (measure @which) with the I/O time
 * @form. Sets *@n to their number. The caller frees the result. */
static struct ranked *rank(const struct correlation_study *c, enum form form,
			   enum association which, u32 first, u32 *n)
{
	struct ranked *list = need(calloc(c->n + 1, sizeof(*list)));

	*n = 0;
	for (u32 i = 0; i < c->n; i++) {
		const struct correlated *of = &c->list[i];
		double p = of->a.p[which], strength = fabs(of->a.value[which]);

		if (of->form != form || of->column < first)
			continue;
		list[(*n)++] =
			(struct ranked){ of, isnan(p) ? 1 : p, isnan(strength) ? 0 : strength };
	}
	qsort(list, *n, sizeof(*list), by_likelihood);
	return list;
}

/* ---- text ---- */

static void live_head_text(FILE *f, const struct live *l, const struct correlation_study *c)
{
	fprintf(f, "%u run%s of '", c->known, num_word(c->known, "", "s"));
	for (char **word = l->argv; *word; word++) {
		fputs(word == l->argv ? "" : " ", f);
		out_line_text(f, *word);
	}
	fprintf(f, "', against %u column%s of other cgroups\n", c->system->columns_n,
		num_word(c->system->columns_n, "", "s"));
	if (l->failed)
		note(f, "%u run%s failed, left out", l->failed, num_word(l->failed, "", "s"));
	if (l->asked)
		note(f, "interrupted; the results cover the runs before it");
	fputc('\n', f);
}

static void ranked_text(struct table *t, const struct correlation_study *c,
			const struct correlated *of)
{
	const struct column_curve *v = &c->curves[of->column];
	double mean = v->n ? gsl_stats_mean(v->x, 1, v->n) : NAN;
	bool bytes = column_is_bytes(c, of->column);
	char buf[NUM_TEXT];

	table_cell(t, "%s", title_of(c, of));
	table_cell(t, "%s", bytes ? num_byte_rate_text(buf, mean) : num_count_text(buf, mean));
	table_cell(t, "%s", num_ratio_text(buf, explained_by_line(&of->a)));
	for (int k = 0; k < ASSOCIATIONS; k++) {
		table_cell(t, "%s", num_ratio_text(buf, of->a.value[k]));
		table_cell(t, "%s", num_ratio_text(buf, of->holm[k]));
	}
	table_end_row(t);
}

static void ranking_text(FILE *f, const struct correlation_study *c, enum form form)
{
	struct table *t = table_new(1);
	u32 n;
	struct ranked *list = rank(c, form, ASSOC_DISTANCE, 0, &n);

	fprintf(f, "I/O time '%s' by the I/O of others per second\n\n", form_names[form]);
	table_cell(t, "cgroup");
	table_cell(t, "mean");
	table_cell(t, "explains");
	for (int k = 0; k < ASSOCIATIONS; k++) {
		table_cell(t, "%s", association_titles[k]);
		table_cell(t, "p");
	}
	table_end_row(t);
	for (u32 i = 0; i < n && i < MOST_ROWS; i++)
		ranked_text(t, c, list[i].of);
	table_text(f, t, "  ");
	table_free(t);
	free(list);
	if (n > MOST_ROWS)
		note(f, "--json shows %u more column%s", n - MOST_ROWS,
		     num_word(n - MOST_ROWS, "", "s"));
	fputc('\n', f);
}

static void conclusion_text(FILE *f, const struct correlation_study *c, enum form form)
{
	u32 n;
	struct ranked *list = rank(c, form, ASSOC_DISTANCE, LIVE_OTHERS, &n);
	const struct correlated *of = n ? list[0].of : NULL;
	double p = of ? of->holm[ASSOC_DISTANCE] : NAN;
	char buf[NUM_TEXT];

	num_ratio_text(buf, p);
	if (!of) {
		fprintf(f, "no other cgroup did I/O\n\n");
	} else if (!(p < SIGNIFICANT)) {
		fprintf(f, "no cgroup correlates beyond chance: the lowest p is %s\n\n", buf);
	} else {
		fprintf(f, "'%s' correlates most with ", form_names[form]);
		out_line_text(f, title_of(c, of));
		fprintf(f, ": a linear fit explains %.0f %% of the variation, p %s\n\n",
			100 * explained_by_line(&of->a), buf);
	}
	free(list);
}

static void live_notes_text(FILE *f, const struct live *l, const struct correlation_study *c)
{
	double above = l->above_bytes, unnamed = l->m->others.device.row.bytes;
	const struct associate_options *how = &c->o->how;
	char buf[NUM_TEXT];

	fprintf(f,
		"  explains: fraction of the variation, by a linear fit (Pearson, squared)\n"
		"  p: from %u permutations, seed %llu; corrected for %u columns (Holm)\n"
		"  together: each run predicted from all others, by ridge regression\n",
		how->permutations, (unsigned long long)how->seed, c->system->columns_n);
	if (above)
		note(f,
		     "%s of the command's parent cgroups are left out: the command "
		     "may have caused them",
		     num_bytes_text(buf, above));
	if (unnamed)
		note(f, "%s of cgroups without a row of their own are left out",
		     num_bytes_text(buf, unnamed));
	show_losses_text(f, l->m);
}

void live_text(FILE *f, const struct live *l)
{
	const struct correlation_study *c = l->study;

	live_head_text(f, l, c);
	correlate_times_text(f, c);
	for (enum form form = FORMS; form-- > 0;)
		if (c->times[form].n) {
			ranking_text(f, c, form);
			conclusion_text(f, c, form);
			if (form == c->form)
				joint_text(f, &l->joint, c);
		}
	live_notes_text(f, l, c);
}

/* ---- HTML ---- */

static void print_live(FILE *f, const void *live)
{
	live_text(f, live);
}

int live_html(FILE *f, const void *live)
{
	const struct live *l = live;
	int ret;

	page_begin(f, "which cgroups disturb a command", "");
	page_listing(f, "correlation with other cgroups", print_live, l);
	ret = correlate_plots_html(f, l->study);
	page_end(f);
	return ret;
}

/* ---- JSON ---- */

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

/* Lists the cgroups in the order of their ranking, without the two sums over all others. */
static struct out *ranking_json(const struct correlation_study *c, enum association which)
{
	struct out *node = out_array();
	u32 n;
	struct ranked *list = rank(c, c->form, which, LIVE_OTHERS, &n);

	for (u32 i = 0; i < n; i++)
		out_append_str(node, title_of(c, list[i].of));
	free(list);
	return node;
}

void live_json(struct out *doc, const struct live *l)
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
		out_put(rankings, association_names[k], ranking_json(l->study, k));
	out_words(node, "argv", l->argv);
	out_put(node, "runs", runs);
	out_u64(node, "failed_runs", l->failed);
	out_bool(node, "interrupted", l->asked);
	out_f64(node, "parent_cgroups_bytes", l->above_bytes);
	out_u128(node, "other_cgroups_bytes", l->m->others.device.row.bytes);
	out_put(node, "rankings", rankings);
	out_put(node, "joint_model", joint_json(&l->joint, l->study));
	out_put(doc, "live", node);
	show_evidence_json(doc, &r);
}
