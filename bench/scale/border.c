// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/scale/border.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"

#define FIT_STEP 1.001
#define FITTED 3 /* of the law: size, a and b */

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

static bool ends_are_steady(const struct sweep *s, struct stretch of)
{
	return s->points[of.begin]->steady && s->points[of.end]->steady;
}

static double confidence(const struct sweep *s, const double *y, struct stretch of)
{
	double half = hypot(sample_half(s->points[of.begin]), sample_half(s->points[of.end]));

	return half > 0 ? gsl_cdf_ugaussian_P((y[of.begin] - y[of.end]) / half * Z95) : 1;
}

/* The steep stretch that begins at point @i. */
static struct stretch steep_from(const struct sweep *s, const double *y, unsigned i, double average)
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

/* What a cache of so many bytes makes of the points in a stretch. The time for a byte is
 * a + b x, x the share of the data that it does not hold; a and b are those with the least sum of
 * squares of (a + b x - t) / t, which is the rest. All points count alike: intervals tell nothing
 * of how well the law fits. Times are multiples of that of the stretch's first point. */
struct law {
	double bytes, a, b, rest;
};

static struct law law_of(const struct sweep *s, struct stretch over, double bytes)
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
		return (struct law){ bytes, NAN, NAN, INFINITY };
	return (struct law){
		bytes,
		(a1 * bb - b1 * ab) / det,
		(b1 * aa - a1 * ab) / det,
		over.end - over.begin + 1 - (a1 * a1 * bb - 2 * a1 * b1 * ab + b1 * b1 * aa) / det,
	};
}

/* Where all but BORDER_EDGE of what performance falls by up to @end is done, in logarithms. */
static double fallen(const struct law *l, double end)
{
	double more = l->b / l->a, missing;

	if (!(more > 0))
		return end;
	missing = expm1((1 - BORDER_EDGE) * log1p(more * (1 - l->bytes / end))) / more;
	return l->bytes / (1 - missing);
}

/* How many times the least sum of squares another size may have, before it is one that chance
 * explains in less than 5 % of cases: the interval of a parameter of a model that is no line. */
static double still_likely(struct stretch over)
{
	int freedom = over.end - over.begin + 1 - FITTED;

	return freedom > 0 ? 1 + pow(gsl_cdf_tdist_Pinv(0.975, freedom), 2) / freedom : INFINITY;
}

/* The size of the cache whose border is @of, from the points in @over; sizes from @least on are
 * looked at. */
static void fit(const struct sweep *s, struct stretch of, struct stretch over, double least,
		struct drop *to)
{
	double end = sweep_value(s, of.end), most;
	struct law best = { .rest = INFINITY };

	for (double bytes = least; bytes < end; bytes *= FIT_STEP) {
		struct law l = law_of(s, over, bytes);

		if (!best.bytes || l.rest < best.rest)
			best = l;
	}
	most = best.rest * still_likely(over);
	*to = (struct drop){ .at = best.bytes,
			     .band = { best.bytes, best.bytes },
			     .to = fallen(&best, sweep_value(s, over.end)) };
	for (double bytes = least; bytes < end; bytes *= FIT_STEP)
		if (law_of(s, over, bytes).rest <= most) {
			to->band.min = fmin(to->band.min, bytes);
			to->band.max = fmax(to->band.max, bytes);
		}
}

/* ---- all of it ---- */

/* Regions on both sides are BORDER_APART wide at least, and of whole pages: of a border between
 * @over. False: that is too near to an end of the curve. */
static bool place(const struct sweep *s, const double *y, struct stretch of, struct stretch over,
		  struct drop *to)
{
	double first = sweep_value(s, over.begin) * BORDER_APART;
	double last = sweep_value(s, s->n - 1) / BORDER_APART;
	double least = fmax(sweep_value(s, of.begin) / BORDER_APART, first);

	fit(s, of, over, fmin(least, sweep_value(s, of.begin)), to);
	if (to->at < first || to->at > last)
		return false;
	to->confidence = ends_are_steady(s, of) ? confidence(s, y, of) : NAN;
	to->from = whole_pages(fmax(to->band.min, first));
	to->to = whole_pages(fmax(fmin(to->to, last), to->at));
	to->at = whole_pages(to->at);
	return true;
}

unsigned borders_find(const struct sweep *s, struct drop borders[BORDERS])
{
	struct stretch found[BORDERS];
	double *y = falling(s);
	unsigned stretches = find_stretches(s, y, found), n = 0;

	for (unsigned i = 0; i < stretches; i++) {
		struct stretch over = {
			i ? found[i - 1].end : 0,
			i + 1 < stretches ? found[i + 1].begin : s->n - 1,
		};

		n += place(s, y, found[i], over, &borders[n]);
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
