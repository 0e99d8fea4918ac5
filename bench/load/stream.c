// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/load/stream.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/num.h"

/* ---- Zipf's law: rejection-inversion (Hoermann and Derflinger 1996) ----
 * Rank k of 1..n has a probability proportional to h(k) = k^-exponent. zipf_rank() inverts the
 * integral of h at a random value to get a rank. The part of the integral that belongs to rank k is
 * larger than h(k). If the random value is in the excess, another value is drawn. */

static double h_integral(double exponent, double x)
{
	double log_x = log(x), t = (1 - exponent) * log_x;

	return fabs(t) > 1e-8 ? expm1(t) / t * log_x : log_x;
}

static double h_inverse(double exponent, double y)
{
	double t = y * (1 - exponent);

	if (t < -1)
		t = -1; /* rounding errors could make t slightly less than -1 */
	return exp(fabs(t) > 1e-8 ? log1p(t) / t * y : y);
}

/* Returns the stride that spreads popular offsets: the offset with rank k is k * stride modulo @n,
 * where rank 1 is the most popular. So the most popular offsets do not lie side by side. The stride
 * and @n have no common factor, so each rank has a different offset. */
static u64 spreading_stride(u64 n)
{
	u64 stride = n * 0.6180339887498949;

	for (; stride > 1; stride--) {
		u64 a = n, b = stride;

		while (b) {
			u64 rest = a % b;

			a = b;
			b = rest;
		}
		if (a == 1)
			break;
	}
	return stride ? stride : 1;
}

static void zipf_init(struct zipf *z, double exponent, u64 n)
{
	z->exponent = exponent;
	z->h_x1 = h_integral(exponent, 1.5) - 1;
	z->h_n = h_integral(exponent, n + 0.5);
	z->s = 2 - h_inverse(exponent, h_integral(exponent, 2.5) - pow(2, -exponent));
	z->stride = spreading_stride(n);
}

static u64 zipf_rank(struct stream *s)
{
	const struct zipf *z = &s->zipf;

	for (;;) {
		double u = z->h_n + stream_unit(s) * (z->h_x1 - z->h_n);
		double x = h_inverse(z->exponent, u), k = floor(x + 0.5);

		if (k < 1)
			k = 1;
		else if (k > s->units)
			k = s->units;
		if (k - x <= z->s || u >= h_integral(z->exponent, k + 0.5) - pow(k, -z->exponent))
			return k - 1;
	}
}

u64 stream_popular(struct stream *s)
{
	return (unsigned __int128)zipf_rank(s) * s->zipf.stride % s->units;
}

void stream_init(struct stream *s, const struct stream_spec *spec, u64 number, u64 part)
{
	u64 seed = spec->seed + number * 0xd1342543de82ef95ULL;

	for (int i = 0; i < 4; i++) /* fill .state by splitmix64 */
		s->state[i] = stream_mix(seed += 0x9e3779b97f4a7c15ULL);
	s->unit_bytes = spec->align;
	s->units = spec->unique_bytes / spec->align;
	s->sizes = spec->sizes;
	s->size_units = spec->size / spec->align;
	s->base = part * spec->unique_bytes;
	s->next = 0;
	s->read_below = spec->read * 4294967296.0;
	s->seq_below = spec->seq * 4294967296.0;
	memset(&s->zipf, 0, sizeof(s->zipf));
	if (spec->zipf > 0)
		zipf_init(&s->zipf, spec->zipf, s->units);
}

static void summarize_sizes(struct size_table *t)
{
	double sum = 0, squares = 0;

	t->most = 0;
	for (int i = 0; i < STREAM_SIZES; i++) {
		double units = t->units[i];

		sum += units;
		squares += units * units;
		if (t->units[i] > t->most)
			t->most = t->units[i];
	}
	t->mean = sum / STREAM_SIZES;
	t->cv = sqrt(fmax(0, squares / STREAM_SIZES - t->mean * t->mean)) / t->mean;
}

/* number of steps of a binary search: FACTOR_STEPS in fit_mean(), CENTRE_STEPS in sizes_normal() */
#define FACTOR_STEPS 40
#define CENTRE_STEPS 20

static void scale_sizes(struct size_table *t, const double *quantiles, double factor)
{
	for (int i = 0; i < STREAM_SIZES; i++) {
		double units = quantiles[i] * factor + 0.5;

		t->units[i] = units < 1 ? 1 : units > 0x7fffffff ? 0x7fffffff : units;
	}
	summarize_sizes(t);
}

/* Fills @t with sizes that have the mean @mean. Each size is a quantile times a factor, rounded to
 * whole units. Rounding changes the mean, so a binary search finds the factor. */
static void fit_mean(struct size_table *t, const double *quantiles, double mean)
{
	double low = 0, high = 2 * mean;

	scale_sizes(t, quantiles, high);
	while (t->mean < mean) {
		high *= 2;
		scale_sizes(t, quantiles, high);
	}
	for (int i = 0; i < FACTOR_STEPS; i++) {
		double middle = (low + high) / 2;

		scale_sizes(t, quantiles, middle);
		if (t->mean < mean)
			low = middle;
		else
			high = middle;
	}
	scale_sizes(t, quantiles, high);
}

/* The entries of the table of sizes are quantiles of the distribution. Returns the probability,
 * 0..1, of the quantile in entry @i. */
static double entry_level(int i)
{
	return (i + 0.5) / STREAM_SIZES;
}

/* lower end of the range in which sizes_normal() searches @centre of fit_normal() */
#define LEAST_CENTRE -2

/* Fills @t with normally distributed sizes of the mean @mean. Sizes below one unit are raised to
 * one unit. @centre: mean / standard deviation of the distribution before sizes are raised.
 * @standard: quantiles of the standard normal distribution. */
static void fit_normal(struct size_table *t, const double *standard, double centre, double mean)
{
	double quantiles[STREAM_SIZES];

	for (int i = 0; i < STREAM_SIZES; i++)
		quantiles[i] = centre + standard[i];
	fit_mean(t, quantiles, mean);
}

void sizes_normal(struct size_table *t, double mean)
{
	double standard[STREAM_SIZES], low = LEAST_CENTRE, high = 1;

	for (int i = 0; i < STREAM_SIZES; i++)
		standard[i] = gsl_cdf_ugaussian_Pinv(entry_level(i));
	for (int i = 0; i < CENTRE_STEPS; i++) {
		double middle = (low + high) / 2;

		fit_normal(t, standard, middle, mean);
		if (t->cv > 1 || t->most > STREAM_NORMAL_MOST * mean)
			low = middle;
		else
			high = middle;
	}
	fit_normal(t, standard, high, mean);
}

void sizes_exponential(struct size_table *t, double mean)
{
	double quantiles[STREAM_SIZES];

	for (int i = 0; i < STREAM_SIZES; i++)
		quantiles[i] = -log1p(-entry_level(i));
	fit_mean(t, quantiles, mean);
}

#define LIST_MOST 64

/* Parses one item of --size-dist, such as "64k:30", up to a comma. Returns 0 or -EINVAL. */
static int list_item(const char *item, u64 align, u32 *units, double *weight)
{
	size_t len = strcspn(item, ","), size_len = strcspn(item, ":,");
	char size[NUM_TEXT], text[NUM_TEXT];
	u64 bytes;

	if (size_len >= sizeof(size) || len - size_len >= sizeof(text))
		return -EINVAL;
	snprintf(size, sizeof(size), "%.*s", (int)size_len, item);
	snprintf(text, sizeof(text), "%.*s", (int)(len - size_len), item + size_len);
	*weight = 1;
	if (num_size(size, &bytes) || (text[0] && num_real(text + 1, weight)) || !bytes ||
	    bytes % align || bytes > 1 << 30 || *weight <= 0)
		return -EINVAL;
	*units = bytes / align;
	return 0;
}

int sizes_list(struct size_table *t, const char *list, u64 align)
{
	double weights[LIST_MOST], sum = 0, so_far = 0;
	u32 units[LIST_MOST];
	int n = 0, at = 0;

	for (const char *item = list;; item += strcspn(item, ",") + 1) {
		if (n == LIST_MOST || list_item(item, align, &units[n], &weights[n]))
			return error(-EUSAGE,
				     "cannot read '%s' of --size-dist: give up to %d items such as "
				     "4k:60, multiples of --align up to 1G with weights above 0",
				     item, LIST_MOST);
		sum += weights[n++];
		if (!item[strcspn(item, ",")])
			break;
	}
	for (int i = 0; i < n; i++) {
		so_far += weights[i];
		for (; at < (int)round(so_far / sum * STREAM_SIZES); at++)
			t->units[at] = units[i];
	}
	summarize_sizes(t);
	return 0;
}
