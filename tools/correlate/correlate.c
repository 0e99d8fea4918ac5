// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/correlate/correlate.h"

#include <float.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/stats/density.h"
#include "user/base/err.h"
#include "user/stats/forest.h"
#include "user/stats/pairs.h"
#include "user/base/progress.h"
#include "user/stats/holm.h"

#define SAME 1e-12

/* ---- pairs: what the system did, and how long a job took ---- */

/* A measure of fewer jobs is +1 or -1 by chance. In fewer intervals of the system, a job's amount
 * follows from its duration. */
#define JOBS_LEAST 3
#define INTERVALS_LEAST 3

struct sample {
	double *x, *y;
	size_t n;
	u32 intervals; /* of the system, with a part of these jobs */
};

static struct sample sample_new(size_t most)
{
	return (struct sample){ need(calloc(most + 1, sizeof(double))),
				need(calloc(most + 1, sizeof(double))), 0, 0 };
}

static void sample_release(struct sample *s)
{
	free(s->x);
	free(s->y);
}

static double time_of(const struct timed_jobs *jobs, const struct timed_job *j,
		      const struct series *s, enum form form)
{
	return form == FORM_INTERVALS ? timed_job_intervals_s(jobs, j, s) : j->seconds[form];
}

/* What differs by no more of it than @same, or than sums are rounded, is the same: that noise is
 * correlated, too. */
static void level(size_t n, double *v, double same)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		low = fmin(low, v[i]);
		high = fmax(high, v[i]);
	}
	same = fmax(same, SAME) * fmax(fabs(low), fabs(high));
	for (size_t i = 0; i < n && high - low <= same; i++)
		v[i] = low;
}

/* How many intervals have a part of a job: of @jobs, those whose times the system knows. */
static u32 intervals_of(const struct timed_jobs *jobs, const struct series *s)
{
	s64 *more = need(calloc(s->n + 1, sizeof(*more))), jobs_in = 0;
	u32 n = 0, first, last;

	for (u32 i = 0; i < jobs->n; i++) {
		const struct timed_job *j = &jobs->list[i];

		if (!timed_job_is_known(jobs, j, s))
			continue;
		series_touched(s, j->start_s, j->end_s, &first, &last);
		more[first]++;
		more[last + 1]--;
	}
	for (u32 i = 0; i < s->n; i++) {
		jobs_in += more[i];
		n += jobs_in > 0;
	}
	free(more);
	return n;
}

/* Of all jobs that the system knows, and of which both are known. */
static struct sample gather(const struct correlation_study *c, const struct timed_jobs *jobs,
			    const struct series *s, enum form form, u32 column)
{
	struct sample to = sample_new(jobs->n);
	double latest = 0, longest = 0, rounded;

	for (u32 i = 0; i < jobs->n; i++) {
		const struct timed_job *j = &jobs->list[i];
		double window;

		if (!timed_job_is_known(jobs, j, s))
			continue;
		window = timed_job_amount(jobs, j, s, SERIES_TIME, c->o->active);
		latest = fmax(latest, fmax(fabs(j->start_s), fabs(j->end_s)));
		longest = fmax(longest, window);
		to.x[to.n] = timed_job_amount(jobs, j, s, column, c->o->active);
		if (c->o->rates)
			to.x[to.n] /= window;
		to.y[to.n++] = time_of(jobs, j, s, form);
	}
	to.n = pairs_finite(to.n, to.x, to.y);
	to.intervals = intervals_of(jobs, s);
	/* seconds since 1970 leave a window fewer digits than a double has */
	rounded = longest ? 8 * DBL_EPSILON * latest / longest : 0;
	level(to.n, to.x, rounded);
	level(to.n, to.y, form == FORM_RUN || form == FORM_INTERVALS ? rounded : 0);
	return to;
}

/* ---- each form, each column ---- */

static void look_at_times(struct correlation_study *c)
{
	struct sample of = sample_new(c->jobs->n);

	for (enum form form = 0; form < FORMS; form++) {
		struct form_time *t = &c->times[form];

		of.n = c->known = 0;
		for (u32 i = 0; i < c->jobs->n; i++) {
			const struct timed_job *j = &c->jobs->list[i];

			if (!timed_job_is_known(c->jobs, j, c->system))
				continue;
			c->known++;
			of.x[of.n] = of.y[of.n] = time_of(c->jobs, j, c->system, form);
			of.n += !isnan(of.x[of.n]);
		}
		t->n = of.n;
		t->mean_s = of.n ? gsl_stats_mean(of.x, 1, of.n) : NAN;
		t->deviation_s = of.n > 1 ? gsl_stats_sd(of.x, 1, of.n) : NAN;
	}
	sample_release(&of);
}

/* What says best how long a job waited for its I/O. */
static enum form best_form(const struct correlation_study *c)
{
	static const enum form best[] = { FORM_SPAN, FORM_INTERVALS, FORM_IO, FORM_RUN };
	int i = 0;

	while (best[i] != FORM_RUN && !c->times[best[i]].n)
		i++;
	return best[i];
}

/* What depends on each other most comes first, and of what does so alike, the first column. */
static int by_strength(const void *a, const void *b)
{
	const struct correlated *x = a, *y = b;
	double left = x->a.value[ASSOC_DISTANCE], right = y->a.value[ASSOC_DISTANCE];

	if (left != right && !(isnan(left) && isnan(right)))
		return left > right || isnan(right) ? -1 : 1;
	return x->column < y->column ? -1 : 1;
}

static void correct(struct correlated *list, u32 n)
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

static void associate_sample_of(struct associated *a, const struct sample *s,
				const struct associate_options *how)
{
	bool enough = s->n >= JOBS_LEAST && s->intervals >= INTERVALS_LEAST;

	associate(a, enough ? s->n : 0, s->x, s->y, how);
	a->n = s->n;
}

/* A row without a job is left out. */
static void associate_all(struct correlation_study *c)
{
	c->list = need(calloc(FORMS * c->system->columns_n + 1, sizeof(*c->list)));
	for (enum form form = 0; form < FORMS; form++) {
		u32 first = c->n;

		for (u32 column = 0; c->times[form].n && column < c->system->columns_n; column++) {
			struct sample s = gather(c, c->jobs, c->system, form, column);
			struct correlated *to = &c->list[c->n];

			progress("%s: column %u of %u", form_names[form], column + 1,
				 c->system->columns_n);
			to->form = form;
			to->column = column;
			associate_sample_of(&to->a, &s, &c->o->how);
			c->n += s.n > 0;
			sample_release(&s);
		}
		qsort(c->list + first, c->n - first, sizeof(*c->list), by_strength);
		correct(c->list + first, c->n - first);
	}
	progress_end();
}

/* ---- the curve ---- */

static void look_at_density(const struct sample *s, struct curve_point *points, unsigned n)
{
	struct conditional at;
	struct density d;

	if (!density_make(&d, s->n, s->x, s->y, DENSITY_FULL) &&
	    !density_make(&d, s->n, s->x, s->y, DENSITY_SCOTT))
		return;
	for (unsigned i = 0; i < n; i++) {
		conditional_make(&at, &d, points[i].amount);
		points[i].median_s = conditional_quantile(&at, 0.5);
		points[i].low_s = conditional_quantile(&at, 0.05);
		points[i].high_s = conditional_quantile(&at, 0.95);
		conditional_release(&at);
	}
}

static void draw_curve(const struct correlation_study *c, struct column_curve *to, u32 column)
{
	struct sample all = gather(c, c->jobs, c->system, c->form, column);
	struct sample s = sample_new(all.n);
	double *at = need(calloc(2 * c->o->points + 1, sizeof(*at))), *seen = at + c->o->points;
	unsigned n = c->o->points;

	*to = (struct column_curve){ .column = column,
				     .points = need(calloc(n + 1, sizeof(*to->points))) };
	s.n = associate_sample(all.n, all.x, all.y, c->o->how.sample, c->o->how.seed, s.x, s.y);
	for (unsigned i = 0; i < n; i++) {
		double low = s.n ? gsl_stats_min(s.x, 1, s.n) : NAN;
		double high = s.n ? gsl_stats_max(s.x, 1, s.n) : NAN;

		at[i] = n > 1 ? low + (high - low) * i / (n - 1) : low;
	}
	forest_curve(s.n, s.x, s.y, c->o->trees, c->o->how.seed, &FOREST_RULE, n, at, seen);
	for (unsigned i = 0; i < n; i++)
		to->points[i] = (struct curve_point){ at[i], seen[i], NAN, NAN, NAN };
	look_at_density(&s, to->points, n);
	to->x = s.x;
	to->y = s.y;
	to->n = s.n;
	free(at);
	sample_release(&all);
}

/* ---- granularity ---- */

/* Of the jobs that are looked at closely some, with the activities of all: the same for each
 * granularity, so that what differs is not who was drawn. */
static struct timed_jobs draw_jobs(const struct correlation_study *c)
{
	struct timed_job *all = need(calloc(c->jobs->n + 1, sizeof(*all)));
	struct timed_jobs drawn = *c->jobs;
	gsl_rng *rng = need(gsl_rng_alloc(gsl_rng_mt19937));
	u32 n = 0;

	for (u32 i = 0; i < c->jobs->n; i++) {
		const struct timed_job *j = &c->jobs->list[i];

		if (timed_job_is_known(c->jobs, j, c->system) &&
		    !isnan(time_of(c->jobs, j, c->system, c->form)))
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

/* In how many intervals a job did I/O, or was there; the mean of those that are known. */
static void count_intervals(const struct correlation_study *c, struct grain *g,
			    const struct series *s)
{
	double sum = 0;

	for (u32 i = 0; i < c->jobs->n; i++) {
		const struct timed_job *j = &c->jobs->list[i];
		u32 first, last;

		if (!timed_job_is_known(c->jobs, j, s))
			continue;
		g->jobs++;
		series_touched(s, j->start_s, j->end_s, &first, &last);
		sum += j->n ? timed_job_intervals_s(c->jobs, j, s) / s->width_s : last - first + 1;
	}
	g->intervals = g->jobs ? sum / g->jobs : NAN;
}

static void look_at_grain(const struct correlation_study *c, const struct timed_jobs *drawn,
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
		struct sample of = gather(c, drawn, &s, c->form, column);

		associate_sample_of(&g->of[column], &of, &how);
		sample_release(&of);
	}
	series_release(&s);
}

static void look_at_grains(struct correlation_study *c)
{
	struct timed_jobs drawn = draw_jobs(c);

	c->grains = need(calloc(c->o->granularity + 1, sizeof(*c->grains)));
	for (u32 k = 1; c->o->granularity > 1 && k <= c->o->granularity; k++) {
		struct grain *g = &c->grains[c->grains_n];

		look_at_grain(c, &drawn, g, k);
		c->grains_n += g->jobs > 0;
		if (!g->jobs)
			free(g->of);
	}
	free(drawn.list);
}

/* ---- all of it ---- */

static int none_known(const struct timed_jobs *jobs, const struct series *system)
{
	double first = INFINITY, last = -INFINITY;

	for (u32 i = 0; i < jobs->n; i++) {
		first = fmin(first, jobs->list[i].start_s);
		last = fmax(last, jobs->list[i].end_s);
	}
	if (!jobs->n || !system->n)
		return error(-ENODATA, "the system is known during none of %u jobs", jobs->n);
	return error(-ENODATA,
		     "the system is known during none of %u jobs: they are from %.13g to "
		     "%.13g s, and it is from %.13g to %.13g s; is that one clock?",
		     jobs->n, first, last, system->start_s[0], system->end_s[system->n - 1]);
}

int correlate_jobs(struct correlation_study *c, const struct correlate_options *o,
		   const struct timed_jobs *jobs, const struct series *system)
{
	*c = (struct correlation_study){ .o = o, .jobs = jobs, .system = system };
	look_at_times(c);
	if (!c->known)
		return none_known(jobs, system);
	c->form = o->form == FORMS ? best_form(c) : (enum form)o->form;
	if (!c->times[c->form].n)
		return error(-ENODATA, "no job has the I/O time '%s'", form_names[c->form]);
	associate_all(c);
	c->curves = need(calloc(system->columns_n + 1, sizeof(*c->curves)));
	for (u32 i = 0; i < system->columns_n; i++)
		draw_curve(c, &c->curves[i], i);
	look_at_grains(c);
	return 0;
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
