// SPDX-License-Identifier: GPL-2.0-or-later
#include "border.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "../user/err.h"

#define Z95 1.96
#define FIT_STEP 1.01

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

/* A stretch of the curve: from one point to another. */
struct stretch {
	unsigned begin, end;
};

static double confidence(const struct sweep *s, const double *y, struct stretch of)
{
	double half = hypot(sample_half(s->points[of.begin]), sample_half(s->points[of.end]));

	return half > 0 ? gsl_cdf_ugaussian_P((y[of.begin] - y[of.end]) / half * Z95) : 1;
}

/* The steep stretch that begins at point @i. */
static struct stretch steep_from(const struct sweep *s, const double *y, unsigned i,
				 double average)
{
	struct stretch of = { i, i };

	for (unsigned k = i; k + 1 < s->n; k++) {
		if (sweep_x(s, k) - sweep_x(s, of.end) > log(BORDER_APART))
			break;
		if (slope(s, y, k, k + 1) > average)
			of.end = k + 1;
	}
	return of;
}

/* Those that fall enough. */
static unsigned find_stretches(const struct sweep *s, const double *y,
			       struct stretch found[BORDERS])
{
	double average = s->n > 1 ? slope(s, y, 0, s->n - 1) : 0;
	struct stretch of;
	unsigned n = 0;

	for (unsigned i = 0; i + 1 < s->n && n < BORDERS; i = of.end) {
		of = (struct stretch){ i, i + 1 };
		if (slope(s, y, i, i + 1) <= average)
			continue;
		of = found[n] = steep_from(s, y, i, average);
		n += y[of.begin] - y[of.end] >= -log1p(-BORDER_DROP) &&
		     confidence(s, y, of) >= BORDER_CONFIDENCE;
	}
	return n;
}

/* ---- the place ---- */

/* What of the points in @over a cache of @bytes leaves unexplained. The time for a byte is
 * a + b x, x the share of the data that it does not hold; this is the least sum of squares of
 * (a + b x - t) / t. All points count alike: intervals tell nothing of how well the law fits. */
static double unexplained(const struct sweep *s, struct stretch over, double bytes)
{
	double aa = 0, ab = 0, bb = 0, a1 = 0, b1 = 0, det;

	for (unsigned i = over.begin; i <= over.end; i++) {
		double x = fmax(0, 1 - bytes / sweep_value(s, i));
		double rate = s->points[i]->bandwidth / s->points[over.begin]->bandwidth;

		a1 += rate;
		b1 += rate * x;
		aa += rate * rate;
		ab += rate * rate * x;
		bb += rate * rate * x * x;
	}
	det = aa * bb - ab * ab;
	if (!(det > 0))
		return INFINITY;
	return over.end - over.begin + 1 - (a1 * a1 * bb - 2 * a1 * b1 * ab + b1 * b1 * aa) / det;
}

/* The size of the cache whose border is @of, from the points in @over. */
static double fit(const struct sweep *s, struct stretch of, struct stretch over)
{
	double from = sweep_value(s, of.begin), to = sweep_value(s, of.end), at = NAN;
	double least = INFINITY;

	for (double bytes = from; bytes < to; bytes *= FIT_STEP) {
		double rest = unexplained(s, over, bytes);

		if (isnan(at) || rest < least) {
			least = rest;
			at = bytes;
		}
	}
	return at;
}

/* ---- all of it ---- */

unsigned borders_find(const struct sweep *s, struct drop borders[BORDERS])
{
	struct stretch found[BORDERS];
	double *y = falling(s), first, last;
	unsigned stretches = find_stretches(s, y, found), n = 0;

	for (unsigned i = 0; i < stretches; i++) {
		struct stretch of = found[i], over = {
			i ? found[i - 1].end : 0,
			i + 1 < stretches ? found[i + 1].begin : s->n - 1,
		};
		double at = fit(s, of, over);

		first = sweep_value(s, 0) * BORDER_APART;
		last = sweep_value(s, s->n - 1) / BORDER_APART;
		if (at < first || at > last)
			continue;
		borders[n++] = (struct drop){
			.at = at, .confidence = confidence(s, y, of),
			.from = fmin(fmax(sweep_value(s, of.begin), first), at),
			.to = fmax(fmin(sweep_value(s, of.end), last), at),
		};
	}
	free(y);
	return n;
}

const struct sample *border_suspect(const struct sweep *s)
{
	for (unsigned i = 0; i < s->n; i++)
		for (unsigned k = i + 1; k < s->n && !s->points[i]->again; k++) {
			double half = hypot(sample_half(s->points[i]), sample_half(s->points[k]));

			if (sweep_y(s, k) - sweep_y(s, i) > fmax(half, log(BORDER_WIDTH)))
				return s->points[i];
		}
	return NULL;
}

double border_to_narrow(const struct sweep *s)
{
	double *y = falling(s), most = -log1p(-BORDER_PIECE), at = NAN;

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
