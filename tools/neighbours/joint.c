// SPDX-License-Identifier: GPL-2.0-or-later
/* Predicts the I/O time of jobs from the I/O of all cgroups together, by ridge regression. Computes
 * which fraction of the variation of the I/O times the model explains. */
#include "tools/neighbours/joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/base/num.h"
#include "user/stats/permutation.h"
#include "user/stats/ridge.h"
#include "tools/correlate/correlate.h"

/* Input of the model. .y[i] is the I/O time of job i. .x[k][i] is the I/O of the system in column k
 * during job i. */
struct joint_rows {
	size_t n;
	u32 columns_n;
	const double **x, *y;
	double *values; /* array with all numbers of .x and .y */
};

static void rows_make(struct joint_rows *r, const struct column_curve *curves, u32 columns_n)
{
	size_t step = curves->n / JOINT_ROWS + 1;
	double *to;

	r->n = (curves->n + step - 1) / step;
	r->columns_n = columns_n;
	r->x = need(calloc(columns_n, sizeof(*r->x)));
	r->y = r->values = to = need(calloc((columns_n + 1) * r->n + 1, sizeof(*to)));
	for (size_t i = 0; i < r->n; i++)
		*to++ = curves->y[i * step];
	for (u32 k = 0; k < columns_n; k++) {
		r->x[k] = to;
		for (size_t i = 0; i < r->n; i++)
			*to++ = curves[k].x[i * step];
	}
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

/* Returns the fraction of the variation that the model explains if it lacks cgroup number
 * @group. */
static double fraction_without(const struct joint_rows *r, u32 group)
{
	const double **x = need(calloc(r->columns_n, sizeof(*x)));
	struct ridge *ridge;
	double value;
	size_t n = 0;

	for (u32 k = 0; k < r->columns_n; k++)
		if (k / 2 != group)
			x[n++] = r->x[k];
	ridge = ridge_new(r->n, n, x);
	value = ridge_explains(ridge, r->y, NULL);
	ridge_free(ridge);
	free(x);
	return value;
}

static int by_loss(const void *a, const void *b)
{
	const struct joint_group *x = a, *y = b;

	if (x->without != y->without)
		return x->without < y->without ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void add_groups(struct joint *j, const struct joint_rows *r,
		       const struct column_sums *columns)
{
	j->groups_n = r->columns_n / 2;
	j->groups = need(calloc(j->groups_n, sizeof(*j->groups)));
	for (u32 i = 0; i < j->groups_n; i++) {
		const char *name = columns[2 * i].name;

		j->groups[i] = (struct joint_group){ name, strlen(name) - strlen(" bytes"),
						     fraction_without(r, i) };
	}
	qsort(j->groups, j->groups_n, sizeof(*j->groups), by_loss);
}

void joint_compute(struct joint *j, const struct correlation_study *c, u32 first)
{
	const struct associate_options *how = &c->o->how;
	struct joint_rows r;
	struct model m;

	*j = (struct joint){ .explained = NAN, .p = NAN };
	if (first >= c->system->columns_n)
		return;
	rows_make(&r, c->curves + first, c->system->columns_n - first);
	m = (struct model){ ridge_new(r.n, r.columns_n, r.x), r.y };
	j->n = r.n;
	j->explained = explained_fraction(&m, NULL);
	if (!isnan(j->explained)) {
		j->p = permutations_try(r.n, how->permutations, how->seed, explained_fraction,
					permutation_as_it_is, &m)
			       .p;
		add_groups(j, &r, c->system->columns + first);
	}
	ridge_free(m.ridge);
	free(r.x);
	free(r.values);
}

void joint_release(struct joint *j)
{
	free(j->groups);
}

/* Adds the conclusion to @node: the fraction of the variation that all cgroups together explain.
 * Also names the most important cgroup: without it, the model explains least. */
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
