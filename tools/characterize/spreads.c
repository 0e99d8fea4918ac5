// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/spreads.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"
#include "tools/characterize/criteria.h"

static void add_criterion_values(void *to, const struct character *c, const struct criterion *what,
				 u32 t)
{
	struct spreads *s = to;

	if (!what->by_threshold)
		return;
	for (int d = 0; d < DIRECTIONS; d++) {
		struct spread *one = &s->of[s->n * DIRECTIONS + d];
		double v = what->value(c, d, t);

		if (!one->at)
			one->at = need(calloc(s->jobs->n, sizeof(*one->at)));
		if (!isnan(v))
			one->at[one->n++] = v;
	}
	s->n++;
}

static void add_job_values(void *to, const struct character *c)
{
	struct spreads *s = to;

	s->n = 0;
	criteria_each(c, s, add_criterion_values);
}

static void count_values(void *n, const struct character *c, const struct criterion *what, u32 t)
{
	*(u32 *)n += what->by_threshold ? DIRECTIONS : 0;
}

struct spreads spreads_of(const struct job *j)
{
	const struct character *of = job_examined(j);
	struct spreads s = { .jobs = &j->list };

	if (!of) {
		s.result.outside = j->list.n;
		return s;
	}
	criteria_each(of, &s.rows, count_values);
	s.of = need(calloc(s.rows, sizeof(*s.of)));
	job_each(j, &s.result, add_job_values, &s);
	for (u32 i = 0; i < s.rows; i++)
		if (s.of[i].n)
			gsl_sort(s.of[i].at, 1, s.of[i].n);
	s.n = 0;
	return s;
}

void spreads_release(struct spreads *s)
{
	for (u32 i = 0; i < s->rows; i++)
		free(s->of[i].at);
	free(s->of);
}

double spread_tenth(const struct spread *s, u32 tenths)
{
	u64 rank = ((u64)s->n * tenths + TENTHS - 1) / TENTHS;

	return s->n ? s->at[rank - 1] : NAN;
}
