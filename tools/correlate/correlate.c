// SPDX-License-Identifier: GPL-2.0-or-later
/* Correlates the I/O time of jobs with the columns of the system data. A column is one kind of I/O
 * per interval, such as the bytes of one cgroup. A job sample has two numbers per job: x, the I/O
 * of the system during the job, and y, the I/O time of the job. */
#include "tools/correlate/correlate.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/stats/density.h"
#include "user/base/num.h"
#include "user/base/err.h"
#include "user/stats/forest.h"
#include "user/base/progress.h"
#include "user/stats/holm.h"
#include "tools/correlate/job-sample.h"
#include "tools/correlate/prediction.h"

static void compute_times(struct correlation_study *c)
{
	struct job_sample of = job_sample_new(c->jobs->n);

	for (enum form form = 0; form < FORMS; form++) {
		struct form_time *t = &c->times[form];

		of.n = c->known = 0;
		for (u32 i = 0; i < c->jobs->n; i++) {
			const struct timed_job *j = &c->jobs->list[i];

			if (!timed_job_is_covered(c->jobs, j, c->system))
				continue;
			c->known++;
			of.x[of.n] = of.y[of.n] = job_sample_time(c->jobs, j, c->system, form);
			of.n += !isnan(of.x[of.n]);
		}
		t->n = of.n;
		t->mean_s = of.n ? gsl_stats_mean(of.x, 1, of.n) : NAN;
		t->deviation_s = of.n > 1 ? gsl_stats_sd(of.x, 1, of.n) : NAN;
	}
	job_sample_release(&of);
}

/* Returns the I/O time to examine by default. Of the I/O times that are known, this is the one
 * closest to the time that a job waited for I/O. */
static enum form best_form(const struct correlation_study *c)
{
	static const enum form best[] = { FORM_SPAN, FORM_INTERVALS, FORM_IO, FORM_RUN };
	int i = 0;

	while (best[i] != FORM_RUN && !c->times[best[i]].n)
		i++;
	/* For pairs read from a file, the elapsed time (FORM_RUN) is often unknown. Then any other
	 * known I/O time is used. */
	for (enum form form = best[i]; form < FORMS; form++)
		if (c->times[form].n)
			return form;
	return best[i];
}

static int by_likelihood(const void *a, const void *b, void *measure)
{
	const struct correlated *x = a, *y = b;
	enum association which = *(const enum association *)measure;
	double p = x->a.p[which], q = y->a.p[which];
	double left = fabs(x->a.value[which]), right = fabs(y->a.value[which]);

	p = isnan(p) ? 1 : p;
	q = isnan(q) ? 1 : q;
	left = isnan(left) ? -1 : left;
	right = isnan(right) ? -1 : right;
	if (p != q)
		return p < q ? -1 : 1;
	if (left != right)
		return left > right ? -1 : 1;
	return x->column < y->column ? -1 : 1;
}

void correlated_sort(struct correlated *list, u32 n, enum association which)
{
	qsort_r(list, n, sizeof(*list), by_likelihood, &which);
}

static void correct_p(struct correlated *list, u32 n)
{
	double *p = need(calloc(2 * n + 1, sizeof(*p))), *to = p + n;

	for (int k = 0; k < ASSOCIATIONS; k++) {
		for (u32 i = 0; i < n; i++)
			p[i] = list[i].a.p[k];
		holm(n, p, to);
		for (u32 i = 0; i < n; i++)
			list[i].holm[k] = to[i];
	}
	free(p);
}

/* Computes the measures of dependence for each I/O time (enum form) and each column of the system
 * data. Leaves out a combination if no job has both values. */
static void associate_all(struct correlation_study *c)
{
	c->list = need(calloc(FORMS * c->system->columns_n + 1, sizeof(*c->list)));
	for (enum form form = 0; form < FORMS; form++) {
		u32 first = c->n;

		for (u32 column = 0; c->times[form].n && column < c->system->columns_n; column++) {
			struct job_sample s =
				job_sample_gather(c->o, c->jobs, c->system, form, column);
			struct correlated *to = &c->list[c->n];

			progress("%s: column %u of %u", form_names[form], column + 1,
				 c->system->columns_n);
			to->form = form;
			to->column = column;
			to->mean_amount = gsl_stats_mean(s.x, 1, s.n);
			job_sample_associate(&to->a, &s, &c->o->how);
			c->n += s.n > 0;
			job_sample_release(&s);
		}
		correlated_sort(c->list + first, c->n - first, ASSOC_DISTANCE);
		correct_p(c->list + first, c->n - first);
	}
	progress_end();
}

/* ---- curves of I/O time over system I/O (Madireddy and others 2017, section VI.A) ---- */

void curve_estimate(const struct correlate_options *o, const struct column_curve *v, unsigned n,
		    struct curve_point *points)
{
	double *at = need(calloc(2 * n + 1, sizeof(*at))), *forest = at + n;
	struct density d;
	bool has = density_make(&d, v->n, v->x, v->y, DENSITY_FULL) ||
		density_make(&d, v->n, v->x, v->y, DENSITY_SCOTT);

	for (unsigned i = 0; i < n; i++)
		at[i] = points[i].amount;
	forest_curve(v->n, v->x, v->y, o->trees, o->how.seed, &FOREST_RULE, n, at, forest);
	for (unsigned i = 0; i < n; i++) {
		struct conditional of;

		points[i] = (struct curve_point){ at[i], forest[i], NAN, NAN, NAN };
		if (!has)
			continue;
		of = conditional_new(&d, at[i]);
		points[i].median_s = conditional_quantile(&of, 0.5);
		points[i].low_s = conditional_quantile(&of, 0.05);
		points[i].high_s = conditional_quantile(&of, 0.95);
		conditional_release(&of);
	}
	free(at);
}

static void compute_curve(const struct correlation_study *c, struct column_curve *to, u32 column)
{
	const struct correlate_options *o = c->o;
	struct job_sample all = job_sample_gather(o, c->jobs, c->system, c->form, column);
	struct job_sample s = job_sample_new(all.n);
	double low = NAN, high = NAN;

	s.n = associate_sample(all.n, all.x, all.y, o->how.sample, o->how.seed, s.x, s.y);
	*to = (struct column_curve){ .column = column, .x = s.x, .y = s.y, .n = s.n };
	to->points = need(calloc(o->points + 1, sizeof(*to->points)));
	if (s.n)
		gsl_stats_minmax(&low, &high, s.x, 1, s.n);
	for (unsigned i = 0; i < o->points; i++)
		to->points[i].amount = o->at ? o->at[i] :
			o->points > 1	     ? low + (high - low) * i / (o->points - 1) :
					       low;
	curve_estimate(o, to, o->points, to->points);
	job_sample_release(&all);
}

/* ---- influence of the interval length (section VI.B of Madireddy and others 2017) ---- */

/* Draws at most o->how.sample jobs for which the I/O time c->form is known. All interval lengths
 * are tested with the same jobs, so that only the length differs. The caller frees only the field
 * .list of the result, because the other fields belong to @c. */
static struct timed_jobs draw_jobs(const struct correlation_study *c)
{
	struct timed_job *all = need(calloc(c->jobs->n + 1, sizeof(*all)));
	struct timed_jobs drawn = *c->jobs;
	gsl_rng *rng = need(gsl_rng_alloc(gsl_rng_mt19937));
	u32 n = 0;

	for (u32 i = 0; i < c->jobs->n; i++) {
		const struct timed_job *j = &c->jobs->list[i];

		if (timed_job_is_covered(c->jobs, j, c->system) &&
		    !isnan(job_sample_time(c->jobs, j, c->system, c->form)))
			all[n++] = *j;
	}
	gsl_rng_set(rng, c->o->how.seed);
	drawn.n = n < c->o->how.sample ? n : c->o->how.sample;
	drawn.list = need(calloc(drawn.n + 1, sizeof(*drawn.list)));
	gsl_ran_choose(rng, drawn.list, drawn.n, all, n, sizeof(*all));
	gsl_rng_free(rng);
	free(all);
	return drawn;
}

/* Sets g->jobs to the number of jobs that run within the time of @s. Sets g->intervals to the mean
 * number of intervals in which these jobs did I/O. A job without known activities is assumed to do
 * I/O in all intervals from its start to its end. */
static void count_intervals(const struct correlation_study *c, struct grain *g,
			    const struct series *s)
{
	double sum = 0;

	for (u32 i = 0; i < c->jobs->n; i++) {
		const struct timed_job *j = &c->jobs->list[i];
		u32 first, last;

		if (!timed_job_is_covered(c->jobs, j, s))
			continue;
		g->jobs++;
		series_touched(s, j->start_s, j->end_s, &first, &last);
		sum += j->n ? timed_job_intervals_s(c->jobs, j, s) / s->width_s : last - first + 1;
	}
	g->intervals = g->jobs ? sum / g->jobs : NAN;
}

static void compute_grain(const struct correlation_study *c, const struct timed_jobs *drawn,
			  struct grain *g, u32 k)
{
	struct associate_options how = c->o->how;
	struct series s;

	how.permutations = 0;
	series_merge(&s, c->system, k);
	*g = (struct grain){ .k = k,
			     .width_s = s.width_s,
			     .of = need(calloc(s.columns_n + 1, sizeof(*g->of))) };
	count_intervals(c, g, &s);
	for (u32 column = 0; column < s.columns_n; column++) {
		struct job_sample of = job_sample_gather(c->o, drawn, &s, c->form, column);

		job_sample_associate(&g->of[column], &of, &how);
		job_sample_release(&of);
	}
	series_release(&s);
}

/* Returns the number of intervals to merge in the next test; in the last test, it was @k. @most is
 * the largest number to test. If @k is @most, returns a larger number. */
static u32 grain_next(u32 k, u32 most)
{
	u64 next;

	if (most <= GRAINS_EACH || k == most)
		return k + 1;
	next = num_next_step(k);
	return next < most ? next : most;
}

static void compute_grains(struct correlation_study *c)
{
	struct timed_jobs drawn = draw_jobs(c);
	u32 most = c->jobs->are_pairs || c->o->granularity < 2 ? 0 : c->o->granularity;

	c->grains = need(calloc(GRAINS_MOST, sizeof(*c->grains)));
	for (u32 k = 1; k <= most; k = grain_next(k, most)) {
		struct grain *g = &c->grains[c->grains_n];

		progress("%u intervals merged", k);
		compute_grain(c, &drawn, g, k);
		c->grains_n += g->jobs > 0;
		if (!g->jobs)
			free(g->of);
	}
	progress_end();
	free(drawn.list);
}

static int no_job_covered(const struct timed_jobs *jobs, const struct series *system)
{
	double first = INFINITY, last = -INFINITY;

	for (u32 i = 0; i < jobs->n; i++) {
		first = fmin(first, jobs->list[i].start_s);
		last = fmax(last, jobs->list[i].end_s);
	}
	if (!jobs->n || !system->n)
		return error(-ENODATA, "the system data covers none of %u job%s", jobs->n,
			     num_word(jobs->n, "", "s"));
	return error(-ENODATA,
		     "the system data covers none of %u job%s: the jobs run from %.13g to "
		     "%.13g s, the system data from %.13g to %.13g s; both must use one clock",
		     jobs->n, num_word(jobs->n, "", "s"), first, last, system->start_s[0],
		     system->end_s[system->n - 1]);
}

int correlate_jobs(struct correlation_study *c, const struct correlate_options *o,
		   const struct timed_jobs *jobs, const struct series *system)
{
	*c = (struct correlation_study){ .o = o, .jobs = jobs, .system = system };
	compute_times(c);
	if (!c->known)
		return no_job_covered(jobs, system);
	c->form = o->form == FORMS ? best_form(c) : (enum form)o->form;
	if (!c->times[c->form].n)
		return error(-ENODATA, "no job has the I/O time '%s'", form_names[c->form]);
	associate_all(c);
	c->curves = need(calloc(system->columns_n + 1, sizeof(*c->curves)));
	for (u32 i = 0; i < system->columns_n; i++)
		compute_curve(c, &c->curves[i], i);
	compute_grains(c);
	prediction_compute(&c->prediction, c);
	return 0;
}

const struct correlated *correlated_strongest(const struct correlation_study *c, enum form form)
{
	for (u32 i = 0; i < c->n; i++)
		if (c->list[i].form == form && c->list[i].column >= c->o->sums)
			return &c->list[i];
	return NULL;
}

void correlation_study_release(struct correlation_study *c)
{
	for (u32 i = 0; c->curves && i < c->system->columns_n; i++) {
		free(c->curves[i].points);
		free(c->curves[i].x);
		free(c->curves[i].y);
	}
	for (u32 i = 0; i < c->grains_n; i++)
		free(c->grains[i].of);
	free(c->curves);
	free(c->grains);
	free(c->list);
}

bool column_is_bytes(const struct correlation_study *c, u32 column)
{
	const char *name = c->system->columns[column].name;
	size_t len = strlen(name), tail = strlen("bytes");

	return len >= tail && !strcmp(name + len - tail, "bytes");
}
