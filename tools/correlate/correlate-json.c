// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/correlate/correlate-json.h"

#include <math.h>

#define NS 1e9 /* nanoseconds per second */

/* Returns the measures as JSON. @holm has the corrected p of each measure, or is NULL. */
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

static struct out *times_json(const struct correlation_study *c)
{
	struct out *node = out_object();

	for (enum form form = 0; form < FORMS; form++) {
		const struct form_time *t = &c->times[form];
		struct out *of = t->n ? out_object() : NULL;

		if (of) {
			out_u64(of, "job_count", t->n);
			out_f64(of, "mean_ns", t->mean_s * NS);
			out_f64(of, "standard_deviation_ns", t->deviation_s * NS);
		}
		out_put(node, form_names[form], of);
	}
	return node;
}

static const char *column_name(const struct correlation_study *c, u32 column)
{
	return c->system->columns[column].name;
}

static struct out *list_json(const struct correlation_study *c)
{
	struct out *list = out_array();

	for (u32 i = 0; i < c->n; i++) {
		struct out *node = associated_json(&c->list[i].a, c->list[i].holm);

		out_str(node, "io_time", form_names[c->list[i].form]);
		out_str(node, "column", column_name(c, c->list[i].column));
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
			out_append(of, one);
		}
		out_put(node, "associations", of);
		out_append(list, node);
	}
	return list;
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
	out_u64(node, "gaps", s->n ? s->gaps[s->n - 1] : 0);
	out_str(node, "window", c->o->active ? "active" : "whole");
	out_bool(node, "uses_rates", c->o->rates);
	out_str(node, "information", how->bins ? "bins" : "ksg1-linfoot");
	if (how->bins)
		out_u64(node, "bins", how->bins);
	else
		out_null(node, "bins");
	out_u64(node, "permutations", how->permutations);
	out_u64(node, "sample", how->sample);
	out_u64(node, "seed", how->seed);
	out_put(node, "io_times", times_json(c));
	out_put(node, "associations", list_json(c));
	out_str(node, "io_time", form_names[c->form]);
	out_put(node, "column_curves", curves_json(c));
	out_put(node, "granularity", grains_json(c));
	return node;
}
