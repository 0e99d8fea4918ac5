// SPDX-License-Identifier: GPL-2.0-or-later
/* Draws conclusions from curves. The half-width of a point is half the 95 % confidence interval of
 * its bandwidth. A factor is the quotient of two bandwidths. */
#include "bench/model/traits.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"

/* a point is ignored if half its confidence interval exceeds this fraction of its bandwidth */
#define WIDEST 0.3
/* A request size is large enough if it yields this fraction of the best bandwidth. */
#define HALF 0.5
/* A value of a parameter other than the request size is large enough if it yields this fraction of
 * the best bandwidth. */
#define NEARLY 0.9
#define LINE_POINTS 4
/* The time of a request is taken to be linear in its size if a straight line fits. The line fits
 * if, at each point, it differs from the measured time by at most this fraction. */
#define LINE_OFF 0.2
/* When a line is fitted to the times of requests, each point gets this additional error, as a
 * fraction of the time. Otherwise, a point with a tiny half-width would dominate the fit. */
#define LINE_KNOWN 0.01
/* the storage serves many requests at a time if concurrency raises the bandwidth by this factor */
#define PARALLEL 3.0
/* the storage serves one request at a time if concurrency helps by less than this factor */
#define SINGLE 1.5
/* The storage has a moving head if sequential requests raise the bandwidth by this factor and a
 * random request takes SEEK_NS longer. */
#define SEEK 1.5
/* A random request must take at least this much longer than a sequential one, in ns, to prove a
 * seek. On the fastest hard disk, half a rotation takes 2 ms. */
#define SEEK_NS 1e6

static const struct estimate unknown = { NAN, NAN, NAN };

double traits_enough(enum parameter p)
{
	return p == PARAM_SIZE ? HALF : NEARLY;
}

static bool is_usable(const struct point *p)
{
	return p->half_width <= WIDEST && p->value[QUANTITY_BANDWIDTH] > 0;
}

static struct estimate ratio(const struct point *from, const struct point *to)
{
	double v = to->value[QUANTITY_BANDWIDTH] / from->value[QUANTITY_BANDWIDTH];
	double half = hypot(from->half_width, to->half_width);

	if (!is_usable(from) || !is_usable(to))
		return unknown;
	return (struct estimate){ v, v / (1 + half), v * (1 + half) };
}

static enum difference difference_of(const struct estimate *e)
{
	if (e->low > TRAIT_ALIKE)
		return DIFFERENCE_MORE;
	if (e->high < 1 / TRAIT_ALIKE)
		return DIFFERENCE_LESS;
	return e->low >= 1 / TRAIT_ALIKE && e->high <= TRAIT_ALIKE ? DIFFERENCE_ALIKE :
								     DIFFERENCE_NONE;
}

/* Sets c->enough to the value of the parameter at which the interpolated curve first reaches the
 * bandwidth @level. c->below and c->reached are the measured points on both sides of c->enough. */
static void find_enough(struct change *c, const struct series *s, enum parameter p, double level)
{
	const struct point *a = NULL, *b;
	double low, high, part;

	for (b = s->points; b < s->points + s->n; b++) {
		if (b->value[QUANTITY_BANDWIDTH] >= level)
			break;
		if (is_usable(b))
			a = b;
	}
	if (!a || b == s->points + s->n)
		return;
	c->below = a;
	c->reached = b;
	low = log(a->value[QUANTITY_BANDWIDTH]);
	high = log(b->value[QUANTITY_BANDWIDTH]);
	part = (log(level) - low) / (high - low);
	low = parameter_axis(p, a->at.v[p]);
	high = exp(low + part * (parameter_axis(p, b->at.v[p]) - low));
	c->enough = parameters[p].kind == PARAM_COUNT ? ceil(high) : high;
}

/* Compares the first point of a curve with the point that differs most from it. .difference is
 * DIFFERENCE_ALIKE only if each point has about the same bandwidth as the first point. */
static struct change compare_furthest(const struct series *s)
{
	struct change c = { .from = s->points, .factor = unknown };
	bool alike = true;

	for (unsigned i = 1; i < s->n; i++) {
		struct estimate e = ratio(s->points, &s->points[i]);

		alike &= difference_of(&e) == DIFFERENCE_ALIKE;
		if (isnan(e.value) || fabs(log(e.value)) < fabs(log(c.factor.value)))
			continue;
		c.factor = e;
		c.to = &s->points[i];
	}
	c.difference = difference_of(&c.factor);
	if (c.difference == DIFFERENCE_ALIKE && !alike)
		c.difference = DIFFERENCE_NONE;
	return c;
}

static struct change compare_ends(const struct series *s, enum parameter p)
{
	const struct point *a = s->points, *b = s->points + s->n - 1;
	struct change c = { .from = a, .to = b, .factor = unknown };

	if (a->at.v[p] == 0 && b->at.v[p] == 1)
		c.factor = ratio(a, b);
	c.difference = difference_of(&c.factor);
	return c;
}

static struct change change_of(const struct series *s, enum parameter p)
{
	struct change c = { .factor = unknown };

	if (s->n < 2)
		return c;
	c = parameters[p].kind == PARAM_FRACTION ? compare_ends(s, p) : compare_furthest(s);
	c.enough = NAN;
	if (c.difference == DIFFERENCE_MORE && parameters[p].kind != PARAM_FRACTION)
		find_enough(&c, s, p, traits_enough(p) * c.to->value[QUANTITY_BANDWIDTH]);
	return c;
}

/* Returns the coefficient @v of a fitted line with its 95 % interval. The interval includes two
 * errors. The first is the error of the fit, with the variance @variance. The second is an error
 * that all points have in common, caused by other programs. This second error is assumed to be at
 * most the fraction @together of @v. */
static struct estimate coefficient(double v, double variance, unsigned points, double together)
{
	double half = hypot(gsl_cdf_tdist_Pinv(0.975, points - 2) * sqrt(variance), v * together);

	return (struct estimate){ v, fmax(v - half, 0), v + half };
}

/* Fits a line to the times of requests of different sizes: a fixed time plus a time per byte. @half
 * is the mean half-width of the points, as a fraction. */
static struct cost fit_line(unsigned n, const double *bytes, const double *ns, const double *weight,
			    double half)
{
	struct cost c = { .request_ns = unknown, .byte_ns = unknown };
	double at_0, slope, cov[3], rest;

	gsl_fit_wlinear(bytes, 1, weight, 1, ns, 1, n, &at_0, &slope, &cov[0], &cov[1], &cov[2],
			&rest);
	for (unsigned i = 0; i < n; i++) {
		if (fabs(at_0 + slope * bytes[i] - ns[i]) > LINE_OFF * ns[i])
			return c;
		c.most_bytes = fmax(c.most_bytes, bytes[i]);
	}
	rest /= n - 2;
	c.request_ns = coefficient(at_0, cov[0] * rest, n, half);
	c.byte_ns = coefficient(slope, cov[2] * rest, n, half);
	return c;
}

static struct cost cost_of(const struct region *r)
{
	const struct series *s = &r->series[PARAM_SIZE];
	double *bytes = need(calloc(3 * s->n + 1, sizeof(*bytes)));
	double *ns = bytes + s->n, *weight = ns + s->n;
	struct cost c = { .request_ns = unknown, .byte_ns = unknown };
	double halves = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < s->n; i++) {
		const struct point *p = &s->points[i];

		bytes[n] = p->value[QUANTITY_BANDWIDTH] / p->value[QUANTITY_IOPS];
		ns[n] = p->value[QUANTITY_ARPT];
		weight[n] = pow(hypot(p->half_width, LINE_KNOWN) * ns[n], -2);
		if (!is_usable(p) || !(weight[n] * bytes[n] > 0))
			continue;
		halves += p->half_width;
		n++;
	}
	if (n >= LINE_POINTS)
		c = fit_line(n, bytes, ns, weight, halves / n);
	c.procs = r->focal.v[PARAM_PROCS];
	free(bytes);
	return c;
}

/* Returns how many ns longer a request takes at point @slow than at point @fast. Computes a time as
 * 1 / IOPS, which assumes that the storage serves one request at a time. */
static struct estimate extra_time(const struct point *slow, const struct point *fast)
{
	double a = 1e9 / slow->value[QUANTITY_IOPS], b = 1e9 / fast->value[QUANTITY_IOPS];
	double half = hypot(a * slow->half_width, b * fast->half_width);

	return (struct estimate){ a - b, a - b - half, a - b + half };
}

static const struct point *highest_point(const struct series *s)
{
	const struct point *most = s->points;

	for (unsigned i = 1; i < s->n; i++)
		if (s->points[i].value[QUANTITY_BANDWIDTH] > most->value[QUANTITY_BANDWIDTH])
			most = &s->points[i];
	return most;
}

/* Sets t->most to the larger of two effects on the bandwidth: more processes, or more depth. A
 * parameter without a curve is ignored. If an effect is unknown, t->most is unknown. */
static void find_most(struct traits *t, const struct region *r)
{
	t->most.factor = unknown;
	for (enum parameter p = PARAM_PROCS; p <= PARAM_DEPTH; p++) {
		const struct series *s = &r->series[p];
		struct change c = { .from = s->points };

		if (s->n < 2)
			continue;
		c.to = highest_point(s);
		c.factor = ratio(c.from, c.to);
		if (t->most.from && c.factor.high < t->most.factor.high)
			continue;
		t->most = c;
		t->most_along = p;
		if (isnan(c.factor.value))
			return;
	}
}

static bool reads_no_disk(const struct series *read)
{
	const struct point *p = read->n ? &read->points[read->n - 1] : NULL;

	return p && p->at.v[PARAM_READ] == 1 && !isnan(p->value[QUANTITY_BPS_VFS]) &&
		isnan(p->value[QUANTITY_BPS_DEVICE]);
}

static enum character character_of(const struct region *r, const struct traits *t)
{
	const struct estimate *order = &t->changes[PARAM_SEQ].factor, *most = &t->most.factor;

	if (reads_no_disk(&r->series[PARAM_READ]))
		return CHARACTER_NO_DISK;
	if (most->low >= PARALLEL)
		return CHARACTER_PARALLEL;
	if (order->low >= SEEK && t->seek_ns.low >= SEEK_NS && most->high < order->low)
		return CHARACTER_HEAD;
	if (t->turn_ns.low >= SEEK_NS)
		return CHARACTER_HEAD;
	return most->high < SINGLE ? CHARACTER_SINGLE : CHARACTER_NONE;
}

struct traits traits_of(const struct region *r)
{
	struct traits t = { .cost = cost_of(r), .seek_ns = unknown, .turn_ns = unknown };
	const struct change *order = &t.changes[PARAM_SEQ], *procs = &t.changes[PARAM_PROCS];

	find_most(&t, r);
	for (enum parameter p = 0; p < PARAMETERS; p++)
		t.changes[p] = change_of(&r->series[p], p);
	if (order->difference == DIFFERENCE_MORE)
		t.seek_ns = extra_time(order->from, order->to);
	if (procs->difference == DIFFERENCE_LESS)
		t.turn_ns = extra_time(procs->to, procs->from);
	t.character = character_of(r, &t);
	return t;
}
