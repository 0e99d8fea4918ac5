// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes how well the I/O of all cgroups together predicts the I/O time of jobs. The system data
 * is a table with a row per interval. A column has the bytes or the operations of one cgroup. */
#include "tools/neighbours/joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/base/num.h"
#include "user/stats/permutation.h"
#include "user/stats/ridge.h"
#include "tools/correlate/correlate.h"

static int path_length(const char *name)
{
	static const char *const ends[] = { " bytes", " ops" };
	size_t length = strlen(name);

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		size_t end = strlen(ends[i]);

		if (length > end && !strcmp(name + length - end, ends[i]))
			return length - end;
	}
	return length;
}

static bool has_path(const struct joint_group *group, const char *name)
{
	return path_length(name) == group->length && !strncmp(name, group->name, group->length);
}

static void find_column_groups(struct joint *j, const struct correlation_study *c, u32 first)
{
	j->groups = need(calloc(c->system->columns_n + 1, sizeof(*j->groups)));
	for (u32 i = first; i < c->system->columns_n; i++) {
		const char *name = c->system->columns[i].name;
		u32 k = 0;

		while (k < j->groups_n && !has_path(&j->groups[k], name))
			k++;
		if (k == j->groups_n)
			j->groups[j->groups_n++] =
				(struct joint_group){ name, path_length(name), NAN };
	}
}

/* Input of the model. .y[i]: I/O time of job i. .x[k][i]: I/O of the system in column k during job
 * i. A column that lacks a value for a job is left out. */
struct joint_rows {
	size_t n, step;
	double **x, *y;
	u32 *of, columns_n; /* .of[k]: number of column k of .x in the system data */
};

static void add_column_values(struct joint_rows *r, const struct column_curve *v)
{
	double *x = need(calloc(r->n + 1, sizeof(*x)));

	for (size_t i = 0; i < r->n; i++)
		x[i] = v->x[i * r->step];
	r->of[r->columns_n] = v->column;
	r->x[r->columns_n++] = x;
}

static void rows_make(struct joint_rows *r, const struct correlation_study *c, u32 first)
{
	u32 columns = c->system->columns_n;
	const struct column_curve *like = &c->curves[first];

	for (u32 i = first; i < columns; i++)
		if (c->curves[i].n > like->n)
			like = &c->curves[i];
	r->step = like->n / JOINT_ROWS + 1;
	r->n = (like->n + r->step - 1) / r->step;
	r->x = need(calloc(columns + 1, sizeof(*r->x)));
	r->of = need(calloc(columns + 1, sizeof(*r->of)));
	r->y = need(calloc(r->n + 1, sizeof(*r->y)));
	for (size_t i = 0; i < r->n; i++)
		r->y[i] = like->y[i * r->step];
	for (u32 i = first; i < columns; i++)
		if (c->curves[i].n == like->n &&
		    !memcmp(c->curves[i].y, like->y, like->n * sizeof(*like->y)))
			add_column_values(r, &c->curves[i]);
}

static void rows_release(struct joint_rows *r)
{
	for (u32 i = 0; i < r->columns_n; i++)
		free(r->x[i]);
	free(r->x);
	free(r->of);
	free(r->y);
}

struct model {
	struct ridge *ridge;
	const double *y;
};

static double explained_fraction(const void *arg, const uint32_t *order)
{
	const struct model *m = arg;

	return ridge_explains(m->ridge, m->y, order);
}

static double fraction_without(const struct joint_rows *r, const struct correlation_study *c,
			       const struct joint_group *group)
{
	const double **x = need(calloc(r->columns_n + 1, sizeof(*x)));
	struct model m = { .y = r->y };
	double value;
	size_t n = 0;

	for (u32 i = 0; i < r->columns_n; i++)
		if (!group || !has_path(group, c->system->columns[r->of[i]].name))
			x[n++] = r->x[i];
	m.ridge = ridge_new(r->n, n, x);
	value = explained_fraction(&m, NULL);
	ridge_free(m.ridge);
	free(x);
	return value;
}

static double p_explained(const struct joint_rows *r, const struct associate_options *how)
{
	struct model m = { ridge_new(r->n, r->columns_n, (const double *const *)r->x), r->y };
	double p = permutations_try(r->n, how->permutations, how->seed, explained_fraction,
				    permutation_as_it_is, &m)
			   .p;

	ridge_free(m.ridge);
	return p;
}

static int by_loss(const void *a, const void *b)
{
	const struct joint_group *x = a, *y = b;

	if (x->without != y->without)
		return x->without < y->without ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

void joint_compute(struct joint *j, const struct correlation_study *c, u32 first)
{
	struct joint_rows r = {};

	*j = (struct joint){ .explained = NAN, .p = NAN };
	if (first >= c->system->columns_n)
		return;
	rows_make(&r, c, first);
	find_column_groups(j, c, first);
	j->n = r.n;
	j->explained = fraction_without(&r, c, NULL);
	if (!isnan(j->explained) && c->o->how.permutations)
		j->p = p_explained(&r, &c->o->how);
	if (isnan(j->explained) || j->groups_n > JOINT_GROUPS)
		j->groups_n = 0;
	for (u32 i = 0; i < j->groups_n; i++)
		j->groups[i].without = fraction_without(&r, c, &j->groups[i]);
	qsort(j->groups, j->groups_n, sizeof(*j->groups), by_loss);
	rows_release(&r);
}

void joint_release(struct joint *j)
{
	free(j->groups);
}

/* Adds the conclusion to @node: the fraction of the variation that all cgroups together explain.
 * Also names the most important cgroup: without it, the other cgroups explain least. */
static void put_conclusion(struct out *node, const struct joint *j,
			   const struct correlation_study *c)
{
	const struct joint_group *first = j->groups;
	char buf[NUM_TEXT], *but = NULL;

	if (isnan(j->explained)) {
		out_null(node, "conclusion");
		return;
	}
	if (j->groups_n > 1 && j->explained > first->without)
		but = need_text("; without %.*s the others explain %.0f %%", first->length,
				first->name, 100 * first->without);
	out_strf(node, "conclusion",
		 "all cgroups together explain %.0f %% of the variation of '%s', p %s%s",
		 100 * j->explained, form_names[c->form], num_ratio_text(buf, j->p), but ?: "");
	free(but);
}

struct out *joint_json(const struct joint *j, const struct correlation_study *c)
{
	struct out *node = out_object(), *list = out_array();

	put_conclusion(node, j, c);
	out_str(node, "io_time", form_names[c->form]);
	out_u64(node, "job_count", j->n);
	out_f64(node, "explained_fraction", j->explained);
	out_f64(node, "p", j->p);
	for (u32 i = 0; i < j->groups_n; i++) {
		struct out *one = out_object();

		out_strf(one, "name", "%.*s", j->groups[i].length, j->groups[i].name);
		out_f64(one, "explained_without_fraction", j->groups[i].without);
		out_append(list, one);
	}
	out_put(node, "cgroups", list);
	return node;
}
