// SPDX-License-Identifier: GPL-2.0-or-later
/* Summarizes the comparison of two systems, A and B, over random workloads. */
#include "bench/compare/summary.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"

struct range third(const struct comparison *c, enum parameter p, int i)
{
	double low = parameter_axis(p, c->ranges[p].min);
	double high = parameter_axis(p, c->ranges[p].max), step = (high - low) / 3;

	return (struct range){ low + i * step, low + (i + 1) * step };
}

static void count_versus(struct summary *s, const struct versus *v)
{
	enum winner winner = versus_winner(v);

	s->faster[winner]++;
	s->real[winner] += versus_is_real(v);
	s->without_band += !versus_has_band(v);
}

struct summary summarize(const struct comparison *c, enum parameter p, struct range r)
{
	double *ratios = need(calloc(c->n + 1, sizeof(*ratios)));
	struct summary s = {};

	for (unsigned i = c->named; i < c->n; i++) {
		const struct versus *v = &c->list[i];
		double at = parameter_axis(p, v->a.at.v[p]);
		double ratio = versus_ratio(v, QUANTITY_BANDWIDTH).value;

		if (isnan(ratio) || at < r.min || at > r.max)
			continue;
		ratios[s.n++] = ratio;
		count_versus(&s, v);
	}
	gsl_sort(ratios, 1, s.n);
	for (int i = 0; i < QUARTILES; i++)
		s.ratio[i] = s.n ? gsl_stats_quantile_from_sorted_data(ratios, 1, s.n, i / 4.0) :
				   NAN;
	free(ratios);
	return s;
}

struct summary summarize_all(const struct comparison *c)
{
	return summarize(c, PARAM_READ, (struct range){ -HUGE_VAL, HUGE_VAL });
}
