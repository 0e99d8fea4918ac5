// SPDX-License-Identifier: GPL-2.0-or-later
/* Predicts a workload from the curves of a region. Computes with the logarithms of values. */
#include "bench/model/predict.h"

#include <math.h>

#include "user/stats/curve.h"
#include "user/metric/metric.h"
#include "bench/model/model-kriging.h"

const char *const quantities[QUANTITIES] = {
	[QUANTITY_BANDWIDTH] = KEY_BANDWIDTH, [QUANTITY_IOPS] = "iops",
	[QUANTITY_ARPT] = KEY_LATENCY_MEAN,   [QUANTITY_BPS_APP] = "bps_app",
	[QUANTITY_BPS_VFS] = "bps_vfs",	      [QUANTITY_BPS_DEVICE] = "bps_device",
};

struct range measured_range(const struct region *r, enum parameter p)
{
	const struct series *s = &r->series[p];

	if (!s->n)
		return (struct range){ r->focal.v[p], r->focal.v[p] };
	return (struct range){ s->points[0].at.v[p], s->points[s->n - 1].at.v[p] };
}

/* A predicted value: a product of factors. .log_y is its logarithm, .variance the variance of
 * .log_y. The measurement errors of the factors are independent, so their variances add up. */
struct product {
	double log_y, variance;
};

static struct curve_value on_curve(const struct region *r, enum parameter p, enum quantity q,
				   double v)
{
	return curve_at(r->series[p].curves[q], parameter_axis(p, v));
}

/* Returns the value of @q at the focal point: the mean over the curves through it. Leaves out the
 * curve over depth, because it was measured with another engine. */
static struct curve_value at_focal(const struct region *r, enum quantity q)
{
	struct curve_value sum = { 0, 0 };
	unsigned n = 0;

	for (enum parameter p = 0; p < PARAM_DEPTH; p++) {
		struct curve_value one = on_curve(r, p, q, r->focal.v[p]);

		if (isnan(one.log_y))
			continue;
		sum.log_y += one.log_y;
		sum.half += one.half;
		n++;
	}
	return (struct curve_value){ n ? sum.log_y / n : NAN, n ? sum.half / n : NAN };
}

/* Predicts quantity @q with the formula of predict.h. If k parameters differ from the focal point,
 * the formula multiplies by the value at the focal point once, and divides by it k times. So the
 * variance of the logarithm of this value is multiplied by (k - 1)^2. */
static struct product predict_in_region(const struct region *r, const struct workload *w,
					enum quantity q)
{
	struct curve_value focal = at_focal(r, q);
	struct product product = { focal.log_y, 0 };
	int factors = 0;

	for (enum parameter p = 0; p < PARAMETERS; p++) {
		struct curve_value here, there;

		if (w->v[p] == r->focal.v[p] || !r->series[p].n)
			continue;
		here = on_curve(r, p, q, w->v[p]);
		there = p == PARAM_DEPTH ? focal : on_curve(r, p, q, r->focal.v[p]);
		product.log_y += here.log_y - there.log_y;
		product.variance += here.half * here.half;
		factors++;
	}
	product.variance += (factors - 1) * (factors - 1) * focal.half * focal.half;
	return product;
}

static struct workload with_bytes(const struct workload *w, double unique_bytes)
{
	struct workload to = *w;

	to.v[PARAM_UNIQUE_BYTES] = unique_bytes;
	return to;
}

/* Returns the fraction of requests that are as slow as in the region above border @b, the region
 * with more data. Computes this fraction from the fall of the curve over uniqueBytes. If the curve
 * is flat or missing, the fraction is proportional to the position of @bytes in the border. */
static double upper_fraction(const struct model *m, const struct border *b, double bytes)
{
	double from = parameter_axis(PARAM_UNIQUE_BYTES, b->range.min);
	double to = parameter_axis(PARAM_UNIQUE_BYTES, b->range.max);
	double at = parameter_axis(PARAM_UNIQUE_BYTES, bytes);
	const struct curve *sweep = m->sweep.curves[QUANTITY_BANDWIDTH];
	double start = curve_at(sweep, from).log_y;
	double fall = expm1(start - curve_at(sweep, to).log_y);
	double share = expm1(start - curve_at(sweep, at).log_y) / fall;

	if (!(fabs(fall) > 0.01))
		share = (at - from) / (to - from);
	return fmin(fmax(share, 0), 1);
}

/* Predicts a mix of requests: the fraction @share is as fast as @b, the other requests are as fast
 * as @a. Averages the times per request, because the average of rates would be wrong. */
static struct product mix_requests(struct product a, struct product b, double share,
				   enum quantity q)
{
	/* a larger ARPT (mean latency) means slower requests; a larger rate means faster
	 * requests */
	int sign = q == QUANTITY_ARPT ? 1 : -1;
	double difference = sign * (b.log_y - a.log_y);

	return (struct product){ a.log_y + sign * log1p(share * expm1(difference)),
				 fmax(a.variance, b.variance) };
}

static const struct errors *validated(const struct model *m, const struct border *b)
{
	const struct errors *e = b ? &m->inside : &m->outside;

	if (!e->workloads)
		e = &m->probed[m->method];
	return e->workloads ? e : NULL;
}

/* Returns the value of @y with a band from value / (1 + @share) to value * (1 + @share). */
static struct estimate with_band(struct product y, double share)
{
	double value = exp(y.log_y);

	return (struct estimate){ value, value / (1 + share), value * (1 + share) };
}

/* Returns the predicted value with a band. The band's width is the larger of two errors: the 90 %
 * quantile of the known errors @e (NULL: unknown), and the confidence intervals of the points.
 * Usually the known errors are larger, because the formula is only roughly true: the curves over
 * one parameter do not have exactly the same shape. */
static struct estimate estimate(const struct errors *e, struct product y)
{
	double points = sqrt(y.variance);

	return with_band(y, e && !(points > e->share[ERROR_P90]) ? e->share[ERROR_P90] : points);
}

static void widen(struct estimate *e, struct product side)
{
	struct estimate other = with_band(side, sqrt(side.variance));

	e->low = fmin(e->low, fmin(other.low, other.value));
	e->high = fmax(e->high, fmax(other.high, other.value));
}

static enum band_source band_source_of(const struct model *m, const struct errors *e,
				       const struct prediction *p)
{
	const struct estimate *bandwidth = &p->of[QUANTITY_BANDWIDTH];

	if (isnan(bandwidth->low))
		return BAND_NONE;
	if (e)
		return e == &m->probed[m->method] ? BAND_PROBES : BAND_VALIDATION;
	return p->border ? BAND_BORDER : BAND_POINTS;
}

static const struct region *region_of(const struct model *m, double bytes)
{
	unsigned i = m->regions_n - 1;

	while (i && m->regions[i].bytes.min > bytes)
		i--;
	return &m->regions[i];
}

/* Returns the border that contains @bytes and separates two regions; NULL: none. */
static const struct border *border_of(const struct model *m, double bytes)
{
	for (unsigned i = 0; i < m->borders_n; i++) {
		const struct border *b = &m->borders[i];

		if (bytes > b->range.min && bytes < b->range.max &&
		    region_of(m, b->range.min) != region_of(m, b->range.max))
			return b;
	}
	return NULL;
}

static struct workload completed(const struct workload *w, const struct region *r)
{
	struct workload full = *w;

	for (enum parameter p = 0; p < PARAMETERS; p++)
		if (isnan(full.v[p]))
			full.v[p] = r->focal.v[p];
	return full;
}

static void note_limits(struct prediction *to)
{
	for (enum parameter p = 0; p < PARAMETERS; p++) {
		struct range range = measured_range(to->region, p);
		double v = to->at.v[p];

		if (p == PARAM_UNIQUE_BYTES && to->border)
			continue;
		if (!to->region->series[p].n && v != range.min)
			to->unknown |= 1U << p;
		else if (v < range.min || v > range.max)
			to->outside |= 1U << p;
	}
}

static struct estimate at_border(const struct model *m, const struct prediction *p, enum quantity q)
{
	const struct border *b = p->border;
	struct workload start = with_bytes(&p->at, b->range.min),
			end = with_bytes(&p->at, b->range.max);
	struct product below = predict_in_region(region_of(m, b->range.min), &start, q);
	struct product above = predict_in_region(region_of(m, b->range.max), &end, q);
	double share = upper_fraction(m, b, p->at.v[PARAM_UNIQUE_BYTES]);
	const struct errors *e = validated(m, b);
	struct estimate to = estimate(e, mix_requests(below, above, share, q));

	if (!e) {
		widen(&to, below);
		widen(&to, above);
	}
	return to;
}

/* Drops the bands: outside the measured ranges, the error of a prediction is unknown. */
static void drop_bands(struct prediction *to)
{
	for (enum quantity q = 0; q < QUANTITIES; q++)
		to->of[q].low = to->of[q].high = NAN;
}

struct prediction predict_product(const struct model *m, const struct workload *w)
{
	double bytes = w->v[PARAM_UNIQUE_BYTES];
	struct prediction to = { .region = region_of(m, isnan(bytes) ? 0 : bytes) };
	const struct errors *e;

	to.at = completed(w, to.region);
	to.border = border_of(m, to.at.v[PARAM_UNIQUE_BYTES]);
	e = validated(m, to.border);
	note_limits(&to);
	for (enum quantity q = 0; q < QUANTITIES; q++) {
		if (to.border)
			to.of[q] = at_border(m, &to, q);
		else
			to.of[q] = estimate(e, predict_in_region(to.region, &to.at, q));
	}
	if (to.outside || to.unknown)
		drop_bands(&to);
	to.band = band_source_of(m, e, &to);
	return to;
}

static void scale_estimate(struct estimate *e, double by)
{
	e->value *= by;
	e->low *= by;
	e->high *= by;
}

double predict_single_point(const struct model *m, unsigned region)
{
	return predict_product(m, &m->regions[region].focal).of[QUANTITY_BANDWIDTH].value;
}

double predict_kriging(const struct model *m, const struct workload *w)
{
	double x[MODEL_DIRECTIONS];

	if (!m->kriging)
		return NAN;
	model_place(m, w, x);
	return exp(kriging_at(m->kriging, x));
}

struct prediction predict(const struct model *m, const struct workload *w)
{
	struct prediction to = predict_product(m, w), flat;
	double by;

	if (m->method == METHOD_PRODUCT)
		return to;
	to.method = METHOD_KRIGING;
	flat = to;
	if (to.at.v[PARAM_DEPTH] != 1) {
		flat.at.v[PARAM_DEPTH] = 1;
		flat = predict_product(m, &flat.at);
	}
	by = predict_kriging(m, &to.at) / flat.of[QUANTITY_BANDWIDTH].value;
	for (enum quantity q = 0; q < QUANTITIES; q++)
		scale_estimate(&to.of[q], q == QUANTITY_ARPT ? 1 / by : by);
	return to;
}
