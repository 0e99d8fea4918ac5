// SPDX-License-Identifier: GPL-2.0-or-later
#include "border.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "../user/err.h"

#define Z95 1.96

/* The falling curve that is nearest by least squares: neighbours that rise become their mean
 * (Ayer and others 1955). The caller frees it. */
static double *falling(const struct sweep *s)
{
	double *y = need(calloc(s->n + 1, sizeof(*y)));
	unsigned *width = need(calloc(s->n + 1, sizeof(*width))), n = 0;

	for (unsigned i = 0; i < s->n; i++) {
		y[n] = sweep_y(s, i);
		width[n++] = 1;
		for (; n > 1 && y[n - 1] > y[n - 2]; n--) {
			y[n - 2] = (y[n - 2] * width[n - 2] + y[n - 1] * width[n - 1]) /
				   (width[n - 2] + width[n - 1]);
			width[n - 2] += width[n - 1];
		}
	}
	for (unsigned i = s->n; i > 0 && n > 0; n--)
		for (unsigned k = width[n - 1]; k > 0; k--)
			y[--i] = y[n - 1];
	free(width);
	return y;
}

static double slope(const struct sweep *s, const double *y, unsigned i, unsigned k)
{
	return (y[i] - y[k]) / (sweep_x(s, k) - sweep_x(s, i));
}

static double confidence(const struct sweep *s, const double *y, unsigned i, unsigned k)
{
	double half = hypot(sample_half(s->points[i]), sample_half(s->points[k]));

	return half > 0 ? gsl_cdf_ugaussian_P((y[i] - y[k]) / half * Z95) : 1;
}

/* From point @i to point @k. */
static struct drop make_drop(const struct sweep *s, const double *y, unsigned i, unsigned k)
{
	struct drop d = { .from = sweep_value(s, i), .to = sweep_value(s, k),
			  .confidence = confidence(s, y, i, k) };
	unsigned steepest = i;

	for (; i < k; i++)
		if (slope(s, y, i, i + 1) > slope(s, y, steepest, steepest + 1))
			steepest = i;
	d.at = exp((sweep_x(s, steepest) + sweep_x(s, steepest + 1)) / 2);
	d.from = fmin(fmax(d.from, sweep_value(s, 0) * BORDER_APART), d.at);
	d.to = fmax(fmin(d.to, sweep_value(s, s->n - 1) / BORDER_APART), d.at);
	return d;
}

/* From point @i to point @k. */
static bool is_border(const struct sweep *s, const double *y, unsigned i, unsigned k,
		      const struct drop *d)
{
	return y[i] - y[k] >= -log1p(-BORDER_DROP) && d->confidence >= BORDER_CONFIDENCE &&
	       d->at >= sweep_value(s, 0) * BORDER_APART &&
	       d->at <= sweep_value(s, s->n - 1) / BORDER_APART;
}

/* The end of the steep stretch that begins at point @i. */
static unsigned stretch(const struct sweep *s, const double *y, unsigned i, double average)
{
	unsigned end = i;

	for (unsigned k = i; k + 1 < s->n; k++) {
		if (sweep_x(s, k) - sweep_x(s, end) > log(BORDER_APART))
			break;
		if (slope(s, y, k, k + 1) > average)
			end = k + 1;
	}
	return end;
}

unsigned borders_find(const struct sweep *s, struct drop borders[BORDERS])
{
	double *y = falling(s), average;
	unsigned n = 0, end;

	average = s->n > 1 ? slope(s, y, 0, s->n - 1) : 0;
	for (unsigned i = 0; i + 1 < s->n && n < BORDERS; i = end) {
		end = i + 1;
		if (slope(s, y, i, i + 1) <= average)
			continue;
		end = stretch(s, y, i, average);
		borders[n] = make_drop(s, y, i, end);
		n += is_border(s, y, i, end, &borders[n]);
	}
	free(y);
	return n;
}

double border_to_narrow(const struct sweep *s)
{
	double *y = falling(s), most = -log1p(-BORDER_DROP), at = NAN;

	for (unsigned i = 0; i + 1 < s->n; i++) {
		double a = sweep_value(s, i), b = sweep_value(s, i + 1);

		if (b / a <= BORDER_WIDTH || y[i] - y[i + 1] < most)
			continue;
		most = y[i] - y[i + 1];
		at = parameter_middle(s->along, a, b);
	}
	free(y);
	return at;
}
