// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the period with which a series of numbers repeats, by autocorrelation. */
#include "tools/characterize/rhythm.h"

#include <gsl/gsl_fft_halfcomplex.h>
#include <gsl/gsl_fft_real.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"

#define NEAR_HIGHEST 0.9

/* Stores in @to the @n values @x minus their mean. Scales them so that the largest absolute value
 * is 1, so no square overflows. Returns false if all values are equal. */
static bool centre(double *to, const double *x, u32 n)
{
	double mean = 0, most = 0;

	for (u32 i = 0; i < n; i++)
		mean += (x[i] - mean) / (i + 1);
	for (u32 i = 0; i < n; i++)
		most = fmax(most, fabs(x[i] - mean));
	for (u32 i = 0; i < n; i++)
		to[i] = most > 0 ? (x[i] - mean) / most : 0;
	return most > 0;
}

/* Returns an array: element k is the sum over i of x[i] * x[i + k]. The sums are the inverse
 * Fourier transform of the power spectrum (Wiener-Khinchin theorem). The transform treats x as
 * periodic. Therefore at least n zeros are appended, so that the end of x is never multiplied by
 * its start. */
static double *lagged_products(const double *x, u32 n)
{
	size_t size = 1;
	double *to;

	while (size < 2 * (size_t)n)
		size *= 2;
	to = need(calloc(size, sizeof(*to)));
	memcpy(to, x, n * sizeof(*to));
	gsl_fft_real_radix2_transform(to, 1, size);
	to[0] *= to[0];
	to[size / 2] *= to[size / 2];
	for (size_t i = 1; i < size / 2; i++) {
		to[i] = to[i] * to[i] + to[size - i] * to[size - i];
		to[size - i] = 0;
	}
	gsl_fft_halfcomplex_radix2_inverse(to, 1, size);
	return to;
}

/* Prefix sums: x[i] is the sum of the first i values, squares[i] is the sum of their squares. */
struct sums {
	double *x, *squares;
};

static struct sums sums_of(const double *x, u32 n)
{
	struct sums s = { need(calloc(n + 1, sizeof(double))),
			  need(calloc(n + 1, sizeof(double))) };

	for (u32 i = 0; i < n; i++) {
		s.x[i + 1] = s.x[i] + x[i];
		s.squares[i + 1] = s.squares[i] + x[i] * x[i];
	}
	return s;
}

/* Returns the variance of the values @from to @to - 1 of the series with the sums @s. @n is the
 * length of the whole series. A variance that may be only a rounding error is returned as 0. */
static double variance(const struct sums *s, u32 from, u32 to, u32 n)
{
	double mean = (s->x[to] - s->x[from]) / (to - from);
	double v = (s->squares[to] - s->squares[from]) / (to - from) - mean * mean;

	return v > 1e-10 * s->squares[n] / n ? v : 0;
}

/* Sets r[k], for each shift k up to @last, to Pearson's correlation of the series x with the same
 * series shifted by k. */
static void autocorrelation(double *r, u32 last, const double *x, u32 n)
{
	struct sums s = sums_of(x, n);
	double *xy = lagged_products(x, n);

	for (u32 k = 1; k <= last; k++) {
		u32 m = n - k;
		double both = variance(&s, 0, m, n) * variance(&s, k, n, n);
		double product = xy[k] / m - s.x[m] / m * ((s.x[n] - s.x[k]) / m);

		r[k] = both > 0 ? fmin(product / sqrt(both), 1) : 0;
	}
	free(s.x);
	free(s.squares);
	free(xy);
}

static bool is_peak(const double *r, u32 k, u32 last)
{
	return r[k] >= r[k - 1] && (k == last || r[k] >= r[k + 1]);
}

static struct rhythm find_peak(const double *r, u32 last, u32 n)
{
	struct rhythm none = { 0, NAN };
	double highest = 0;
	u32 first = 1;

	while (first <= last && r[first] > 0)
		first++;
	for (u32 k = first + 1; k <= last; k++)
		highest = fmax(highest, r[k]);
	for (u32 k = first + 1; k <= last; k++)
		if (r[k] >= NEAR_HIGHEST * highest && is_peak(r, k, last))
			return r[k] > sqrt(2 * log(n) / (n - k)) ? (struct rhythm){ k, r[k] } :
								   none;
	return none;
}

struct rhythm rhythm_of(const double *x, u32 n)
{
	struct rhythm found = { 0, NAN };
	double *centred = need(calloc(n + 1, sizeof(*centred)));
	double *r = need(calloc(n / 2 + 2, sizeof(*r)));

	if (n >= 4 && centre(centred, x, n)) {
		autocorrelation(r, n / 2, centred, n);
		found = find_peak(r, n / 2, n);
	}
	free(centred);
	free(r);
	return found;
}
