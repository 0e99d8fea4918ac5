// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/correlate/correlate-show.h"

#include <math.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/table.h"

#define MOST_SHOWN 8 /* maximum number of columns that are shown with curves and granularity */

static void end_table(FILE *f, struct table *t)
{
	table_text(f, t, "  ");
	table_free(t);
	fputc('\n', f);
}

static void time_cell(struct table *t, double s)
{
	char buf[NUM_TEXT];

	table_cell(t, "%s", num_time_text(buf, s * 1e9));
}

static void ratio_cell(struct table *t, double v)
{
	char buf[NUM_TEXT];

	table_cell(t, "%s", num_ratio_text(buf, v));
}

static void amount_cell(struct table *t, bool bytes, double v)
{
	char buf[NUM_TEXT];

	table_cell(t, "%s", bytes ? num_bytes_text(buf, v) : num_count_text(buf, v));
}

/* ---- jobs and system ---- */

static void study_head_text(FILE *f, const struct correlation_study *c)
{
	const struct series *s = c->system;
	u32 gaps = s->n ? s->gaps[s->n - 1] : 0;
	char buf[NUM_TEXT];

	fprintf(f, "%u job%s; system data: %u interval%s of %s", c->known,
		num_word(c->known, "", "s"), s->n, num_word(s->n, "", "s"),
		num_time_text(buf, s->width_s * 1e9));
	if (gaps)
		fprintf(f, " with %u gap%s", gaps, num_word(gaps, "", "s"));
	fprintf(f, "\n");
	if (c->known < c->jobs->n)
		note(f,
		     "%u more jobs are left out: the system data does not cover them "
		     "completely",
		     c->jobs->n - c->known);
	fprintf(f, "  window of a job: %s%s\n\n",
		c->o->active ? "the intervals in which it did I/O" : "from its start to its end",
		c->o->rates ? "; amounts are per second of the window" : "");
}

void correlate_times_text(FILE *f, const struct correlation_study *c)
{
	static const char *const titles[] = { "I/O time",    "jobs",	    "mean", "deviation",
					      "-1.645 dev.", "+1.645 dev.", NULL };
	struct table *t = table_titled(1, titles);

	for (enum form form = 0; form < FORMS; form++) {
		const struct form_time *of = &c->times[form];

		if (!of->n)
			continue;
		table_cell(t, "%s", form_names[form]);
		table_cell(t, "%u", of->n);
		time_cell(t, of->mean_s);
		time_cell(t, of->deviation_s);
		time_cell(t, of->mean_s - 1.645 * of->deviation_s);
		time_cell(t, of->mean_s + 1.645 * of->deviation_s);
		table_end_row(t);
	}
	end_table(f, t);
}

/* ---- measures of association ---- */

static void associations_text(FILE *f, const struct correlation_study *c)
{
	static const char *const titles[] = { "I/O time", "system", "jobs", NULL };
	struct table *t = table_new(2);

	for (int i = 0; titles[i]; i++)
		table_cell(t, "%s", titles[i]);
	for (int i = 0; i < ASSOCIATIONS; i++) {
		table_cell(t, "%s", association_titles[i]);
		table_cell(t, "p");
		if (i == ASSOC_DISTANCE)
			table_cell(t, "by chance");
	}
	table_end_row(t);
	for (u32 i = 0; i < c->n; i++) {
		const struct associated *a = &c->list[i].a;

		table_cell(t, "%s", form_names[c->list[i].form]);
		table_cell(t, "%s", c->system->columns[c->list[i].column].name);
		table_cell(t, "%zu", a->n);
		for (int k = 0; k < ASSOCIATIONS; k++) {
			ratio_cell(t, a->value[k]);
			ratio_cell(t, a->p[k]);
			if (k == ASSOC_DISTANCE)
				ratio_cell(t, a->by_chance[k]);
		}
		table_end_row(t);
	}
	end_table(f, t);
}

static void estimators_text(FILE *f, const struct correlation_study *c)
{
	const struct associate_options *how = &c->o->how;

	if (how->bins)
		fprintf(f, "  information: mutual information of %u x %u bins / mean entropy\n",
			how->bins, how->bins);
	else
		fprintf(f,
			"  information: mutual information by 3 nearest neighbours, as the "
			"correlation\n  of normal distributions with the same mutual "
			"information\n");
	if (how->permutations)
		fprintf(f,
			"  p: probability of a measure at least as strong by chance, from %u "
			"permutations, seed %llu%s",
			how->permutations, (unsigned long long)how->seed,
			c->known > how->sample ? "" : "\n");
	if (how->permutations && c->known > how->sample)
		fprintf(f, ",\n  of %zu jobs drawn at random\n", how->sample);
	fputc('\n', f);
}

/* ---- curves and granularity ---- */

static void column_curve_text(FILE *f, const struct correlation_study *c,
			      const struct column_curve *v)
{
	static const char *const titles[] = { "forest", "median", "5 %", "95 %", NULL };
	const char *name = c->system->columns[v->column].name;
	struct table *t = table_new(0);

	table_cell(t, "%s", name);
	for (int i = 0; titles[i]; i++)
		table_cell(t, "%s", titles[i]);
	table_end_row(t);
	for (unsigned i = 0; i < c->o->points; i++) {
		const struct curve_point *p = &v->points[i];

		amount_cell(t, column_is_bytes(c, v->column), p->amount);
		time_cell(t, p->forest_s);
		time_cell(t, p->median_s);
		time_cell(t, p->low_s);
		time_cell(t, p->high_s);
		table_end_row(t);
	}
	end_table(f, t);
}

static void grains_text(FILE *f, const struct correlation_study *c, u32 column)
{
	static const char *const titles[] = { "merged", "interval", "jobs", "intervals", NULL };
	struct table *t = table_new(0);

	for (int i = 0; titles[i]; i++)
		table_cell(t, "%s", titles[i]);
	for (int i = 0; i < ASSOCIATIONS; i++)
		table_cell(t, "%s", association_titles[i]);
	table_end_row(t);
	for (u32 i = 0; i < c->grains_n; i++) {
		const struct grain *g = &c->grains[i];

		table_cell(t, "%u", g->k);
		time_cell(t, g->width_s);
		table_cell(t, "%zu", g->of[column].n);
		ratio_cell(t, g->intervals);
		for (int k = 0; k < ASSOCIATIONS; k++)
			ratio_cell(t, g->of[column].value[k]);
		table_end_row(t);
	}
	end_table(f, t);
}

/* Prints curves and granularity for the columns with the strongest correlation. */
static void detailed_form_text(FILE *f, const struct correlation_study *c)
{
	u32 shown = 0;

	for (u32 i = 0; i < c->n; i++) {
		u32 column = c->list[i].column;

		if (c->list[i].form != c->form || ++shown > MOST_SHOWN)
			continue;
		fprintf(f, "I/O time '%s' by ", form_names[c->form]);
		out_line_text(f, c->system->columns[column].name);
		fprintf(f, "\n\n");
		column_curve_text(f, c, &c->curves[column]);
		if (c->grains_n)
			grains_text(f, c, column);
	}
	if (shown > MOST_SHOWN)
		note(f, "--json shows %u more columns", shown - MOST_SHOWN);
}

void correlate_text(FILE *f, const struct correlation_study *c)
{
	study_head_text(f, c);
	correlate_times_text(f, c);
	associations_text(f, c);
	estimators_text(f, c);
	detailed_form_text(f, c);
}
