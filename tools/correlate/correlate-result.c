// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the result of `correlate` as a JSON document. The system data has a row per interval and a
 * column per kind of I/O, such as the bytes of one cgroup. A measure, such as Pearson's
 * correlation, is a number for the dependence of the jobs' I/O time on a column. The I/O time has
 * several definitions (enum form). The result shows one of them, c->form, in detail. */
#include "tools/correlate/correlate-result.h"

#include <math.h>

#include "user/base/need.h"
#include "user/base/num.h"
#include "tools/correlate/job-io.h"

#define NS 1e9
/* If the corrected p-value of a column is below this, the conclusion states that the column
 * correlates with the I/O time. */
#define SIGNIFICANT 0.05

static bool is_strongest(const struct correlation_study *c, u32 column)
{
	const struct correlated *of = correlated_strongest(c, c->form);

	return of && of->column == column;
}

static double explained_by_line(const struct associated *a)
{
	return a->value[ASSOC_PEARSON] * a->value[ASSOC_PEARSON];
}

static const char *column_name(const struct correlation_study *c, u32 column)
{
	return c->system->columns[column].name;
}

static void conclude_found(struct out *doc, const struct correlation_study *c,
			   const struct correlated *of)
{
	double line = of->a.value[ASSOC_PEARSON];
	char value[NUM_TEXT], p[NUM_TEXT];

	num_ratio_text(p, of->holm[ASSOC_DISTANCE]);
	out_strf(doc, "conclusion",
		 "the I/O time '%s' correlates most with %s: distance correlation %s, p %s; a %s "
		 "straight line explains %.0f %% of the variation",
		 form_names[of->form], column_name(c, of->column),
		 num_ratio_text(value, of->a.value[ASSOC_DISTANCE]),
		 c->o->how.permutations ? p : "not computed", line < 0 ? "falling" : "rising",
		 100 * explained_by_line(&of->a));
}

static void conclude_chance(struct out *doc, const struct correlation_study *c,
			    const struct correlated *of)
{
	bool few = c->system->columns_n >= SIGNIFICANT * (c->o->how.permutations + 1);
	char p[NUM_TEXT];

	out_strf(doc, "conclusion",
		 "no %s correlates with the I/O time '%s' beyond chance: the lowest p is %s, of "
		 "%s%s",
		 c->o->sums ? "single cgroup" : "column", form_names[of->form],
		 num_ratio_text(p, of->holm[ASSOC_DISTANCE]), column_name(c, of->column),
		 few ? "; more --permutations may lower it" : "");
}

static void conclude(struct out *doc, const struct correlation_study *c)
{
	const struct correlated *of = correlated_strongest(c, c->form);
	double value = of ? of->a.value[ASSOC_DISTANCE] : NAN;

	if (!of && c->o->sums)
		out_str(doc, "conclusion", "no other cgroup did I/O");
	else if (isnan(value))
		out_strf(doc, "conclusion",
			 "too few jobs or intervals to correlate with the I/O time '%s'",
			 form_names[c->form]);
	else if (value == 0)
		out_strf(doc, "conclusion",
			 "nothing correlates with the I/O time '%s': it, or each column, is equal "
			 "for all jobs",
			 form_names[c->form]);
	else if (of->holm[ASSOC_DISTANCE] >= SIGNIFICANT)
		conclude_chance(doc, c, of);
	else
		conclude_found(doc, c, of);
}

static void jobs_title(struct out *doc, const struct correlation_study *c)
{
	const struct series *s = c->system;
	char buf[NUM_TEXT];

	if (c->jobs->are_pairs) {
		out_strf(doc, "title", "%u pair%s, against %u column%s of amounts", c->known,
			 num_word(c->known, "", "s"), s->columns_n,
			 num_word(s->columns_n, "", "s"));
		return;
	}
	out_strf(doc, "title", "%u job%s, against %u column%s of the system in %u interval%s of %s",
		 c->known, num_word(c->known, "", "s"), s->columns_n,
		 num_word(s->columns_n, "", "s"), s->n, num_word(s->n, "", "s"),
		 num_time_text(buf, s->width_s * NS));
}

static u32 gaps_of(const struct series *s)
{
	return s->n ? s->gaps[s->n - 1] : 0;
}

static void note_estimators(struct out *notes, const struct correlation_study *c)
{
	const struct associate_options *how = &c->o->how;
	bool drawn = c->known > how->sample;

	if (how->bins)
		out_append_strf(notes,
				"information: mutual information of %llu x %llu bins / "
				"mean entropy",
				(unsigned long long)how->bins, (unsigned long long)how->bins);
	else
		out_append_str(notes,
			       "information: mutual information by 3 nearest neighbours, "
			       "as a correlation of normal distributions");
	if (how->permutations)
		out_append_strf(notes,
				"p: the probability that chance makes any column as strong (Holm), "
				"from %llu permutations of %llu jobs%s, seed %llu",
				(unsigned long long)how->permutations,
				(unsigned long long)(drawn ? how->sample : c->known),
				drawn ? " drawn at random" : "", (unsigned long long)how->seed);
}

static struct out *notes_json(const struct correlation_study *c)
{
	struct out *notes = out_array();
	u32 left_out = c->jobs->n - c->known, gaps = gaps_of(c->system);

	if (gaps)
		out_append_strf(notes, "%u gap%s in the system data", gaps,
				num_word(gaps, "", "s"));
	if (left_out)
		out_append_strf(notes,
				"%u more job%s left out: the system data does not "
				"cover %s completely",
				left_out, num_word(left_out, " is", "s are"),
				num_word(left_out, "it", "them"));
	return notes;
}

static struct out *table_notes_json(const struct correlation_study *c)
{
	struct out *notes = out_array();

	if (!c->o->rates && !c->jobs->are_pairs)
		out_append_str(notes,
			       "a longer job has larger amounts, whatever it waited for; "
			       "--rates excludes this");
	if (!c->o->sums && !c->jobs->are_pairs)
		out_append_strf(notes, "amounts: in %s%s",
				c->o->active ? "the intervals in which the job did I/O" :
					       "the time from the job's start to its end",
				c->o->rates ? ", per second of it" : "");
	note_estimators(notes, c);
	job_io_note(notes, c->jobs);
	return notes;
}

/* Returns the measures as JSON. @holm has the corrected p-values; NULL: there are none. */
static struct out *associated_json(const struct associated *a, const double *holm)
{
	struct out *node = out_object();

	out_u64(node, "job_count", a->n);
	for (int i = 0; i < ASSOCIATIONS; i++) {
		struct out *of = out_object();

		out_f64(of, "value", a->value[i]);
		out_f64(of, "p", a->p[i]);
		if (holm)
			out_f64(of, "p_holm", holm[i]);
		out_f64(of, "by_chance", a->by_chance[i]);
		out_put(node, association_names[i], of);
	}
	return node;
}

static struct out *strongest_json(const struct correlation_study *c, enum form form)
{
	const struct correlated *of = correlated_strongest(c, form);
	struct out *node;

	if (!of || !(of->a.value[ASSOC_DISTANCE] > 0))
		return NULL;
	node = out_object();
	out_str(node, "column", column_name(c, of->column));
	out_f64(node, "value", of->a.value[ASSOC_DISTANCE]);
	out_f64(node, "p_holm", of->holm[ASSOC_DISTANCE]);
	out_f64(node, "explained_fraction", explained_by_line(&of->a));
	return node;
}

static struct out *form_json(const struct correlation_study *c, enum form form)
{
	const struct form_time *t = &c->times[form];
	struct out *of = out_object();

	out_u64(of, "job_count", t->n);
	out_f64(of, "mean_ns", t->mean_s * NS);
	out_f64(of, "standard_deviation_ns", t->deviation_s * NS);
	out_put(of, "strongest", strongest_json(c, form));
	return of;
}

static struct out *times_json(const struct correlation_study *c)
{
	struct out *node = out_object();

	for (enum form form = 0; form < FORMS; form++)
		out_put(node, form_names[form], c->times[form].n ? form_json(c, form) : NULL);
	return node;
}

static void put_unit(struct out *o, const struct correlation_study *c, u32 column)
{
	static const char *const units[2][2] = { { "count", "count_per_second" },
						 { "bytes", "bytes_per_second" } };

	out_str(o, "unit", units[column_is_bytes(c, column)][c->o->rates]);
}

static struct out *list_json(const struct correlation_study *c)
{
	struct out *list = out_array();

	for (u32 i = 0; i < c->n; i++) {
		const struct correlated *of = &c->list[i];
		struct out *node = associated_json(&of->a, of->holm);

		out_str(node, "io_time", form_names[of->form]);
		out_bool(node, "is_examined", of->form == c->form);
		out_str(node, "column", column_name(c, of->column));
		put_unit(node, c, of->column);
		out_f64(node, "mean_amount", of->mean_amount);
		out_f64(node, "explained_fraction", explained_by_line(&of->a));
		out_append(list, node);
	}
	return list;
}

static struct out *curve_points_json(const struct correlation_study *c,
				     const struct column_curve *v)
{
	struct out *list = out_array();

	for (unsigned i = 0; i < c->o->points; i++) {
		const struct curve_point *p = &v->points[i];
		struct out *node = out_object();

		out_f64(node, "amount", p->amount);
		out_f64(node, "forest_ns", p->forest_s * NS);
		out_f64(node, "median_ns", p->median_s * NS);
		out_f64(node, "low_ns", p->low_s * NS);
		out_f64(node, "high_ns", p->high_s * NS);
		out_append(list, node);
	}
	return list;
}

static struct out *curves_json(const struct correlation_study *c)
{
	struct out *list = out_array();

	for (u32 i = 0; i < c->system->columns_n; i++) {
		struct out *node = out_object();

		out_str(node, "column", column_name(c, i));
		out_bool(node, "is_strongest", is_strongest(c, i));
		put_unit(node, c, i);
		out_put(node, "points", curve_points_json(c, &c->curves[i]));
		out_append(list, node);
	}
	return list;
}

static struct out *grains_json(const struct correlation_study *c)
{
	struct out *list = out_array();

	for (u32 i = 0; i < c->grains_n; i++) {
		const struct grain *g = &c->grains[i];
		struct out *node = out_object(), *of = out_array();

		out_u64(node, "merged_intervals", g->k);
		out_f64(node, "interval_ns", g->width_s * NS);
		out_u64(node, "job_count", g->jobs);
		out_f64(node, "intervals_per_job", g->intervals);
		for (u32 column = 0; column < c->system->columns_n; column++) {
			struct out *one = associated_json(&g->of[column], NULL);

			out_str(one, "column", column_name(c, column));
			out_bool(one, "is_strongest", is_strongest(c, column));
			out_append(of, one);
		}
		out_put(node, "associations", of);
		out_append(list, node);
	}
	return list;
}

static void put_titles(struct out *node, const struct correlation_study *c)
{
	const struct correlated *of = correlated_strongest(c, c->form);
	const char *form = form_names[c->form];

	out_strf(node, "columns_title", "I/O time '%s', by column", form);
	out_strf(node, "curve_title", "I/O time '%s' by %s", form,
		 of ? column_name(c, of->column) : "");
}

struct out *correlate_json(const struct correlation_study *c)
{
	const struct series *s = c->system;
	const struct associate_options *how = &c->o->how;
	struct out *node = out_object();

	out_u64(node, "job_count", c->known);
	out_u64(node, "jobs_left_out", c->jobs->n - c->known);
	out_u64(node, "intervals", s->n);
	out_f64(node, "interval_ns", s->width_s * NS);
	out_u64(node, "gaps", gaps_of(s));
	out_str(node, "window", c->o->active ? "active" : "whole");
	out_bool(node, "uses_rates", c->o->rates);
	out_str(node, "information", how->bins ? "bins" : "ksg1-linfoot");
	out_u64_or_null(node, "bins", how->bins, how->bins);
	out_u64(node, "permutations", how->permutations);
	out_u64(node, "sample", how->sample);
	out_u64(node, "seed", how->seed);
	out_put(node, "notes", notes_json(c));
	out_put(node, "table_notes", table_notes_json(c));
	out_put(node, "io_times", times_json(c));
	out_put(node, "associations", list_json(c));
	out_str(node, "io_time", form_names[c->form]);
	put_titles(node, c);
	out_put(node, "column_curves", curves_json(c));
	out_put(node, "granularity", grains_json(c));
	out_put(node, "prediction", prediction_json(&c->prediction, c));
	return node;
}

struct out *correlate_head(const char *command, const struct correlation_study *c)
{
	struct out *doc = out_object();

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", command);
	out_null(doc, "elapsed_ns");
	conclude(doc, c);
	return doc;
}

struct out *correlate_document(const struct correlation_study *c)
{
	struct out *doc = correlate_head("correlate", c);

	jobs_title(doc, c);
	out_put(doc, "correlation", correlate_json(c));
	job_io_json(doc, c);
	return doc;
}
