// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects the pairs to correlate, one per job: the I/O of the system during the job, and the I/O
 * time of the job. */
#include "tools/correlate/job-sample.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "tools/correlate/correlate.h"
#include "user/base/err.h"
#include "user/stats/pairs.h"

/* Two values are treated as equal if their relative difference is less than this, because of
 * rounding errors. */
#define SAME 1e-12

/* With fewer jobs or intervals than this, a measure is not computed. For example, two jobs always
 * have a correlation of +1 or -1. */
#define JOBS_LEAST 3
#define INTERVALS_LEAST 3

struct job_sample job_sample_new(size_t most)
{
	return (struct job_sample){ need(calloc(most + 1, sizeof(double))),
				    need(calloc(most + 1, sizeof(double))), 0, 0 };
}

void job_sample_release(struct job_sample *s)
{
	free(s->x);
	free(s->y);
}

double job_sample_time(const struct timed_jobs *jobs, const struct timed_job *j,
		       const struct series *s, enum form form)
{
	return form == FORM_INTERVALS ? timed_job_intervals_s(jobs, j, s) : j->seconds[form];
}

/* If all values differ only by rounding errors, makes them equal. Otherwise a measure of dependence
 * would find a dependence in the errors. @same is the relative rounding error. */
static void level_rounding(size_t n, double *v, double same)
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

static u32 count_intervals_used(const struct timed_jobs *jobs, const struct series *s)
{
	s64 *more = need(calloc(s->n + 1, sizeof(*more))), jobs_in = 0;
	u32 n = 0, first, last;

	for (u32 i = 0; i < jobs->n; i++) {
		const struct timed_job *j = &jobs->list[i];

		if (!timed_job_is_covered(jobs, j, s))
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

double job_sample_amount(const struct correlate_options *o, const struct timed_jobs *jobs,
			 const struct timed_job *j, const struct series *s, u32 column)
{
	double amount = timed_job_amount(jobs, j, s, column, o->active);

	return o->rates ? amount / timed_job_amount(jobs, j, s, SERIES_TIME, o->active) : amount;
}

struct job_sample job_sample_gather(const struct correlate_options *o,
				    const struct timed_jobs *jobs, const struct series *s,
				    enum form form, u32 column)
{
	struct job_sample to = job_sample_new(jobs->n);
	double latest = 0, longest = 0, rounded;

	for (u32 i = 0; i < jobs->n; i++) {
		const struct timed_job *j = &jobs->list[i];
		double window;

		if (!timed_job_is_covered(jobs, j, s))
			continue;
		window = timed_job_amount(jobs, j, s, SERIES_TIME, o->active);
		latest = fmax(latest, fmax(fabs(j->start_s), fabs(j->end_s)));
		longest = fmax(longest, window);
		to.x[to.n] = job_sample_amount(o, jobs, j, s, column);
		to.y[to.n++] = job_sample_time(jobs, j, s, form);
	}
	to.n = pairs_finite(to.n, to.x, to.y);
	to.intervals = count_intervals_used(jobs, s);
	/* A double that holds a time since 1970 has a rounding error of up to 120 ns. In a short
	 * window, this is a large relative error, so level_rounding() must allow for it. */
	rounded = longest ? 8 * DBL_EPSILON * latest / longest : 0;
	level_rounding(to.n, to.x, rounded);
	level_rounding(to.n, to.y, form == FORM_RUN || form == FORM_INTERVALS ? rounded : 0);
	return to;
}

void job_sample_associate(struct associated *a, const struct job_sample *s,
			  const struct associate_options *how)
{
	bool enough = s->n >= JOBS_LEAST && s->intervals >= INTERVALS_LEAST;

	associate(a, enough ? s->n : 0, s->x, s->y, how);
	a->n = s->n;
}
