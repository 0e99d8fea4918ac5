// SPDX-License-Identifier: GPL-2.0-or-later
/* Estimates the joint density of pairs (x, y), and the distribution of y at a given x. This
 * distribution is a mixture of normal distributions, one per pair, each with a weight. */
#include "user/stats/density.h"

#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"

/* A quantile is searched up to this number of standard deviations from the means. Farther away, the
 * normal probability is too small for a double. */
#define FAR 40
#define HALVINGS 200

bool density_make(struct density *d, size_t n, const double *x, const double *y,
		  enum density_rule rule)
{
	double scale, r, factor;

	if (n < 2)
		return false;
	scale = pow(n, -1 / 3.0);
	*d = (struct density){ n,
			       x,
			       y,
			       scale * gsl_stats_variance(x, 1, n),
			       scale * gsl_stats_covariance(x, 1, y, 1, n),
			       scale * gsl_stats_variance(y, 1, n) };
	if (!isnormal(d->xx) || !isnormal(d->yy))
		return false;
	r = d->xy / sqrt(d->xx) / sqrt(d->yy);
	if (rule == DENSITY_FULL)
		return r * r < 1 && isnormal(d->yy - d->xy * d->xy / d->xx);
	d->xy = 0;
	if (rule == DENSITY_NORMAL) {
		factor = pow(1 - r * r, 5 / 6.0) * pow(1 + r * r / 2, -1 / 3.0);
		d->xx *= factor;
		d->yy *= factor;
	}
	return isnormal(d->xx) && isnormal(d->yy);
}

double density_at(const struct density *d, double x, double y)
{
	double determinant = d->xx * d->yy - d->xy * d->xy, sum = 0;

	for (size_t i = 0; i < d->n; i++) {
		double u = x - d->x[i], v = y - d->y[i];

		sum += exp(-(d->yy * u * u - 2 * d->xy * u * v + d->xx * v * v) /
			   (2 * determinant));
	}
	return sum / d->n / (2 * M_PI * sqrt(determinant));
}

/* Computes the weights relative to the largest one, because all weights may be tiny if @x is far
 * from all pairs. */
struct conditional conditional_new(const struct density *d, double x)
{
	struct conditional c = { .n = d->n,
				 .means = need(calloc(d->n, sizeof(double))),
				 .weights = need(calloc(d->n, sizeof(double))),
				 .deviation = sqrt(d->yy - d->xy * d->xy / d->xx) };
	double nearest = INFINITY, sum = 0;

	for (size_t i = 0; i < d->n; i++)
		nearest = fmin(nearest, fabs(x - d->x[i]));
	for (size_t i = 0; i < d->n; i++) {
		double off = x - d->x[i];

		c.means[i] = d->y[i] + d->xy / d->xx * off;
		c.weights[i] = exp((nearest - fabs(off)) * (nearest + fabs(off)) / (2 * d->xx));
		sum += c.weights[i];
	}
	for (size_t i = 0; i < d->n; i++)
		c.weights[i] /= sum;
	return c;
}

void conditional_release(struct conditional *c)
{
	free(c->means);
	free(c->weights);
}

/* Returns the probability that a number drawn from the distribution @c is below @y. */
static double mixture_below(const struct conditional *c, double y)
{
	double sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum += c->weights[i] * erfc((c->means[i] - y) / c->deviation / M_SQRT2) / 2;
	return sum;
}

double conditional_quantile(const struct conditional *c, double p)
{
	double low = INFINITY, high = -INFINITY, mid;

	for (size_t i = 0; i < c->n; i++) {
		low = fmin(low, c->means[i] - FAR * c->deviation);
		high = fmax(high, c->means[i] + FAR * c->deviation);
	}
	for (int i = 0; i < HALVINGS; i++) {
		mid = low / 2 + high / 2;
		if (mid <= low || mid >= high)
			break;
		if (mixture_below(c, mid) < p)
			low = mid;
		else
			high = mid;
	}
	return low / 2 + high / 2;
}
