// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests how well the I/O time of a job can be predicted, depending on the number of jobs from which
 * a model is made. */
#include "tools/correlate/prediction.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

#include "tools/correlate/correlate.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/plot.h"
#include "user/stats/density.h"
#include "user/stats/forest.h"

#define NS 1e9
#define LEAST 5 /* smallest number of jobs from which a model is made */
/* number of random selections of jobs that are tested, for each number of jobs in a model */
#define REPEATS 20
/* maximum number of jobs that each model predicts; these jobs are not in the model */
#define TESTS 50

struct trial {
	const struct correlation_study *c;
	/* The first .n elements of .x and .y are the jobs from which the models are made. */
	size_t n;
	size_t tests; /* number of jobs to predict: elements .n to .n + .tests - 1 of .x and .y */
	double *x, *y;
	double *seen; /* I/O times that the random forest predicts */
};

static void add_errors(struct prediction_row *r, const struct trial *t)
{
	double mean = gsl_stats_mean(t->y, 1, t->n), each = t->tests * REPEATS;
	const double *x = t->x + t->n, *y = t->y + t->n;
	struct density d;
	bool has = density_make(&d, t->n, t->x, t->y, DENSITY_FULL) ||
		density_make(&d, t->n, t->x, t->y, DENSITY_SCOTT);

	forest_curve(t->n, t->x, t->y, t->c->o->trees, t->c->o->how.seed, &FOREST_RULE, t->tests, x,
		     t->seen);
	for (size_t i = 0; i < t->tests; i++) {
		r->mean_s += fabs(mean - y[i]) / each;
		r->forest_s += fabs(t->seen[i] - y[i]) / each;
		if (has) {
			struct conditional at = conditional_new(&d, x[i]);

			r->median_s += fabs(conditional_quantile(&at, 0.5) - y[i]) / each;
			conditional_release(&at);
		} else {
			r->median_s = NAN;
		}
	}
}

static void compute_row(struct prediction_row *r, const struct trial *t,
			const struct column_curve *v, gsl_rng *rng, u32 *order)
{
	for (int repeat = 0; repeat < REPEATS; repeat++) {
		gsl_ran_shuffle(rng, order, v->n, sizeof(*order));
		for (size_t i = 0; i < t->n + t->tests; i++) {
			t->x[i] = v->x[order[i]];
			t->y[i] = v->y[order[i]];
		}
		add_errors(r, t);
	}
}

void prediction_compute(struct prediction *p, const struct correlation_study *c)
{
	const struct correlated *of = correlated_strongest(c, c->form);
	const struct column_curve *v = of ? &c->curves[of->column] : NULL;
	gsl_rng *rng;
	u32 *order;

	*p = (struct prediction){};
	if (!v || v->n <= LEAST)
		return;
	p->column = v->column;
	rng = need(gsl_rng_alloc(gsl_rng_mt19937));
	gsl_rng_set(rng, c->o->how.seed);
	order = need(calloc(v->n, sizeof(*order)));
	for (u32 i = 0; i < v->n; i++)
		order[i] = i;
	for (u32 k = LEAST; k < v->n && p->rows_n < PREDICTION_ROWS; k = num_next_step(k)) {
		struct prediction_row *r = &p->rows[p->rows_n++];
		size_t tests = v->n - k < TESTS ? v->n - k : TESTS;
		double *room = need(calloc(2 * (k + tests) + tests, sizeof(*room)));
		struct trial t = { c, k, tests, room, room + k + tests, room + 2 * (k + tests) };

		r->jobs = k;
		compute_row(r, &t, v, rng, order);
		free(room);
	}
	free(order);
	gsl_rng_free(rng);
}

struct out *prediction_json(const struct prediction *p, const struct correlation_study *c)
{
	struct out *node, *list = out_array();

	if (!p->rows_n) {
		out_free(list);
		return NULL;
	}
	for (u32 i = 0; i < p->rows_n; i++) {
		const struct prediction_row *r = &p->rows[i];
		struct out *row = out_object();

		out_u64(row, "job_count", r->jobs);
		out_f64(row, "mean_error_ns", r->mean_s * NS);
		out_f64(row, "forest_error_ns", r->forest_s * NS);
		out_f64(row, "median_error_ns", r->median_s * NS);
		out_append(list, row);
	}
	node = out_object();
	out_str(node, "column", c->system->columns[p->column].name);
	out_u64(node, "repetitions", REPEATS);
	out_put(node, "models", list);
	return node;
}

int prediction_html(FILE *f, const struct correlation_study *c)
{
	static const char *const titles[] = { "mean alone", "forest", "median" };
	const struct prediction *of = &c->prediction;
	double most = 0;
	struct plot p;
	FILE *s = plot_begin(&p, 260,
			     "mean error of the predicted I/O time, s, by the number of jobs");

	if (!s)
		return -EIO;
	fprintf(s, "$E << EOD\n");
	for (u32 i = 0; i < of->rows_n; i++) {
		const struct prediction_row *r = &of->rows[i];

		fprintf(s, "%u %.9g %.9g %.9g\n", r->jobs, r->mean_s, r->forest_s, r->median_s);
		most = fmax(fmax(most, r->mean_s), fmax(r->forest_s, r->median_s));
	}
	fprintf(s, "EOD\n" PLOT_KEY_BELOW "set logscale x\naxis_x_log = 1\n");
	plot_scale(s, "y", 0, most * 1.1, false);
	fputs("set xtics (", s);
	for (u32 i = 0; i < of->rows_n; i++)
		fprintf(s, "%s'%u' %u", i ? ", " : "", of->rows[i].jobs, of->rows[i].jobs);
	fprintf(s, ")\nplot [%d:%u] ", LEAST,
		of->rows_n > 1 ? of->rows[of->rows_n - 1].jobs : 2 * LEAST);
	for (int k = 0; k < 3; k++)
		fprintf(s, "%s$E using 1:%d with linespoints pointtype 7 pointsize 0.4 title '%s'",
			k ? ", " : "", k + 2, titles[k]);
	fputc('\n', s);
	return plot_end(&p, f);
}
