// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds borders: amounts of data at which performance falls, because a cache cannot hold them. The
 * model of a border (struct law) is: time per byte = a + b * (1 - cache size / data). */
#include "bench/scale/border.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"

#define FIT_STEP 1.001
#define FITTED 3 /* a fit finds three values: the cache size, and two constants of struct law */

/* Returns the performance at each point of the curve, smoothed so that it never rises. If a point
 * is higher than the point before it, both become their mean (pool adjacent violators, Ayer and
 * others 1955). The caller frees the array. */
static double *monotone(const struct sweep *s)
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

/* A section of the curve, from the point with index .first to the point with index .last. */
struct stretch {
	unsigned first, last;
};

static double confidence(const struct sweep *s, const double *y, struct stretch of)
{
	double half = hypot(sample_half(s->points[of.first]), sample_half(s->points[of.last]));

	return half > 0 ? gsl_cdf_ugaussian_P((y[of.first] - y[of.last]) / half * Z95) : 1;
}

/* Returns the section of the curve that starts at point @i and falls more steeply than @average. A
 * part of the section may be flat, if the amount of data grows at most by the factor BORDER_APART
 * over this part. */
static struct stretch steep_from(const struct sweep *s, const double *y, unsigned i, double average)
{
	struct stretch of = { i, i };

	for (unsigned k = i; k + 1 < s->n; k++) {
		if (sweep_x(s, k) - sweep_x(s, of.last) > log(BORDER_APART))
			break;
		if (slope(s, y, k, k + 1) > average)
			of.last = k + 1;
	}
	return of;
}

/* Finds the sections of the curve in which performance falls enough for a border. Returns their
 * number. */
static unsigned find_stretches(const struct sweep *s, const double *y,
			       struct stretch found[BORDERS])
{
	double average = s->n > 1 ? slope(s, y, 0, s->n - 1) : 0;
	struct stretch of;
	unsigned n = 0;

	for (unsigned i = 0; i + 1 < s->n && n < BORDERS; i = of.last) {
		of = (struct stretch){ i, i + 1 };
		if (slope(s, y, i, i + 1) <= average)
			continue;
		of = found[n] = steep_from(s, y, i, average);
		n += y[of.first] - y[of.last] >= -log1p(-BORDER_DROP) &&
			confidence(s, y, of) >= BORDER_CONFIDENCE;
	}
	return n;
}

/* A model of the time per byte, for a cache that holds .bytes. The time is .a + .b * x, where x is
 * the fraction of the data that is not in the cache. .a and .b are fitted to points of the curve,
 * and .rest is the sum of the squared relative errors of the fit. All points weigh the same,
 * because their confidence intervals do not show how well the formula fits. Times are relative to
 * the time at the first point. */
struct law {
	double bytes, a, b, rest;
};

static struct law law_of(const struct sweep *s, struct stretch over, double bytes)
{
	double aa = 0, ab = 0, bb = 0, a1 = 0, b1 = 0, det;

	for (unsigned i = over.first; i <= over.last; i++) {
		double x = fmax(0, 1 - bytes / sweep_value(s, i));
		double rate = s->points[i]->bandwidth / s->points[over.first]->bandwidth;

		a1 += rate;
		b1 += rate * x;
		aa += rate * rate;
		ab += rate * rate * x;
		bb += rate * rate * x * x;
	}
	det = aa * bb - ab * ab;
	if (!(det > 0))
		return (struct law){ bytes, NAN, NAN, INFINITY };
	return (struct law){
		bytes,
		(a1 * bb - b1 * ab) / det,
		(b1 * aa - a1 * ab) / det,
		over.last - over.first + 1 - (a1 * a1 * bb - 2 * a1 * b1 * ab + b1 * b1 * aa) / det,
	};
}

/* Returns the amount of data at which a border ends. Performance falls from the amount l->bytes,
 * which is the cache size, to the amount @end. The border ends where 85 % (1 - BORDER_EDGE) of this
 * fall is over, on a logarithmic axis. */
static double end_of_fall(const struct law *l, double end)
{
	double more = l->b / l->a, missing;

	if (!(more > 0))
		return end;
	missing = expm1((1 - BORDER_EDGE) * log1p(more * (1 - l->bytes / end))) / more;
	return l->bytes / (1 - missing);
}

/* Returns the factor for the 95 % interval of the cache size. A cache size belongs to the interval
 * if the squared error of its fit (law.rest) is at most this factor times the smallest squared
 * error. This is the standard rule for a parameter of a nonlinear model. */
static double interval_factor(struct stretch over)
{
	int freedom = over.last - over.first + 1 - FITTED;

	return freedom > 0 ? 1 + pow(gsl_cdf_tdist_Pinv(0.975, freedom), 2) / freedom : INFINITY;
}

/* Finds the size of the cache that causes the fall in section @of, and stores it in @to. Tries
 * sizes from @least to the end of @of. Takes the size with which struct law fits best to section
 * @over, a larger section that contains @of. */
static void fit_cache(const struct sweep *s, struct stretch of, struct stretch over, double least,
		      struct drop *to)
{
	double end = sweep_value(s, of.last), most;
	struct law best = { .rest = INFINITY };

	for (double bytes = least; bytes < end; bytes *= FIT_STEP) {
		struct law l = law_of(s, over, bytes);

		if (!best.bytes || l.rest < best.rest)
			best = l;
	}
	most = best.rest * interval_factor(over);
	*to = (struct drop){ .at = best.bytes,
			     .band = { best.bytes, best.bytes },
			     .to = end_of_fall(&best, sweep_value(s, over.last)) };
	for (double bytes = least; bytes < end; bytes *= FIT_STEP)
		if (law_of(s, over, bytes).rest <= most) {
			to->band.min = fmin(to->band.min, bytes);
			to->band.max = fmax(to->band.max, bytes);
		}
}

/* Finds the border in section @of of the curve, and stores it in @to, with sizes rounded to pages.
 * @over is a longer section that contains @of; the cache size is fitted to its points. Returns
 * false if the cache size is within a factor BORDER_APART of the start of @over or of the end of
 * the curve. */
static bool locate_border(const struct sweep *s, const double *y, struct stretch of,
			  struct stretch over, struct drop *to)
{
	double first = sweep_value(s, over.first) * BORDER_APART;
	double last = sweep_value(s, s->n - 1) / BORDER_APART;
	double least = fmax(sweep_value(s, of.first) / BORDER_APART, first);
	bool steady;

	fit_cache(s, of, over, fmin(least, sweep_value(s, of.first)), to);
	if (to->at < first || to->at > last)
		return false;
	steady = s->points[of.first]->steady && s->points[of.last]->steady;
	to->confidence = steady ? confidence(s, y, of) : NAN;
	to->from = whole_pages(fmax(to->band.min, first));
	to->to = whole_pages(fmax(fmin(to->to, last), to->at));
	to->at = whole_pages(to->at);
	return true;
}

unsigned borders_find(const struct sweep *s, struct drop borders[BORDERS])
{
	struct stretch found[BORDERS];
	double *y = monotone(s);
	unsigned stretches = find_stretches(s, y, found), n = 0;

	for (unsigned i = 0; i < stretches; i++) {
		struct stretch over = {
			i ? found[i - 1].last : 0,
			i + 1 < stretches ? found[i + 1].first : s->n - 1,
		};

		n += locate_border(s, y, found[i], over, &borders[n]);
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
	double *y = monotone(s), most = -log1p(-BORDER_PIECE), at = NAN;

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
