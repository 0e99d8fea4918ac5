// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests if a rate is steady, and computes the confidence interval of its mean. A round is one
 * interval with one value of the rate. A batch is successive rounds that are averaged. */
#include "user/stats/steady.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

struct steady steady_test(const double *y, unsigned n)
{
	static const double round[STEADY_WINDOW] = { 0, 1, 2, 3, 4 };
	struct steady s = { .mean = NAN, .range = NAN, .slope = NAN };
	double start, slope, ignored, min, max;

	if (n < STEADY_WINDOW)
		return s;
	y += n - STEADY_WINDOW;
	s.mean = gsl_stats_mean(y, 1, STEADY_WINDOW);
	gsl_stats_minmax(&min, &max, y, 1, STEADY_WINDOW);
	gsl_fit_linear(round, 1, y, 1, STEADY_WINDOW, &start, &slope, &ignored, &ignored, &ignored,
		       &ignored);
	s.range = (max - min) / s.mean;
	s.slope = fabs(slope) * (STEADY_WINDOW - 1) / s.mean;
	s.reached = s.range <= STEADY_RANGE && s.slope <= STEADY_SLOPE;
	return s;
}

struct interval batch_means(const double *y, unsigned n)
{
	struct interval ci = { .mean = NAN, .half_width = NAN, .correlation = NAN };
	unsigned size = n / CI_MOST ? n / CI_MOST : 1;
	double means[2 * CI_MOST];

	if (!n)
		return ci;
	ci.mean = gsl_stats_mean(y, 1, n);
	if (n < CI_BATCHES)
		return ci;
	/* All batches have the same number of rounds, so the oldest n % size rounds are in no
	 * batch. */
	y += n % size;
	ci.batches = n / size;
	for (unsigned i = 0; i < ci.batches; i++)
		means[i] = gsl_stats_mean(y + i * size, 1, size);
	ci.mean = gsl_stats_mean(means, 1, ci.batches);
	ci.half_width = gsl_cdf_tdist_Pinv(0.975, ci.batches - 1) *
		gsl_stats_sd(means, 1, ci.batches) / sqrt(ci.batches);
	ci.correlation = gsl_stats_lag1_autocorrelation(means, 1, ci.batches);
	return ci;
}
