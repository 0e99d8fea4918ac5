// SPDX-License-Identifier: GPL-2.0-or-later
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "user/stats/curve.h"
#include "user/base/err.h"
#include "bench/model/predict.h"
#include "bench/model/model-kriging.h"

/* Kriging is an interpolation between points. It is used only if there are at least LEAST_PROBES
 * probes, because the probes show its error. */
#define LEAST_PROBES 8

const char *const method_words[METHODS] = { "product", "kriging" };
const char *const method_keys[METHODS] = {
	"product_bytes_per_second",
	"kriging_bytes_per_second",
};

/* Returns true if kriging uses point @p. Points at depths above 1 were measured by another engine
 * (io_uring), so kriging leaves them out. */
static bool kriging_uses(const struct point *p)
{
	return !p->ring && p->at.v[PARAM_DEPTH] == 1 && !isnan(p->value[QUANTITY_BANDWIDTH]);
}

const char *direction_key(int direction)
{
	return direction < PARAM_DEPTH ? parameters[direction].key : "sweep";
}

/* Returns how high the curve over uniqueBytes is at @bytes: 0 at its minimum, 1 at its maximum. */
static double height(const struct series *sweep, double bytes)
{
	const struct curve *curve = sweep->curves[QUANTITY_BANDWIDTH];
	double y = curve_at(curve, parameter_axis(PARAM_UNIQUE_BYTES, bytes)).log_y;
	struct range r = { HUGE_VAL, -HUGE_VAL };

	for (unsigned i = 0; i < sweep->n; i++) {
		double v = log(sweep->points[i].value[QUANTITY_BANDWIDTH]);

		r = (struct range){ fmin(r.min, v), fmax(r.max, v) };
	}
	return r.max > r.min && !isnan(y) ? (y - r.min) / (r.max - r.min) : 0;
}

void model_place(const struct model *m, const struct workload *w, double x[MODEL_DIRECTIONS])
{
	x[PARAM_DEPTH] = height(&m->sweep, w->v[PARAM_UNIQUE_BYTES]);
	for (enum parameter p = 0; p < PARAM_DEPTH; p++) {
		double min = parameter_axis(p, m->axes[p].min);
		double max = parameter_axis(p, m->axes[p].max);

		x[p] = max > min ? (parameter_axis(p, w->v[p]) - min) / (max - min) : 0;
	}
}

/* Collects the points from which kriging predicts: their positions in @x, the logarithms of their
 * bandwidths in @y. Returns the number of points. */
static unsigned kriging_points(const struct model *m, double *x, double *y)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->points_n; i++) {
		const struct point *p = &m->points[i];

		if (!kriging_uses(p))
			continue;
		model_place(m, &p->at, x + n * MODEL_DIRECTIONS);
		y[n++] = log(p->value[QUANTITY_BANDWIDTH]);
	}
	return n;
}

double error_share(double predicted, double measured)
{
	return measured > 0 ? fabs(predicted - measured) / measured : NAN;
}

/* Predicts point @p from all other points, and returns the error. @known is the index of @p among
 * the points that kriging uses. */
static struct probe_error predict_without(const struct model *m, const struct point *p,
					  unsigned known, enum method method)
{
	double measured = p->value[QUANTITY_BANDWIDTH];
	double predicted = method == METHOD_KRIGING ?
		exp(m->without[known]) :
		predict_product(m, &p->at).of[QUANTITY_BANDWIDTH].value;

	return (struct probe_error){
		p,
		predicted,
		error_share(predicted, measured),
		m->kriging ? kriging_chance(m->kriging, known) : NAN,
	};
}

void error_quantiles(double *values, unsigned n, double share[3])
{
	static const double of[] = { 0.5, 0.75, 0.9 };

	gsl_sort(values, 1, n);
	for (int i = 0; i < 3; i++)
		share[i] = n ? gsl_stats_quantile_from_sorted_data(values, 1, n, of[i]) : NAN;
}

void model_probe_errors(const struct model *m, enum method method, enum probe which,
			struct probe_error *to, unsigned *n)
{
	unsigned known = 0;

	*n = 0;
	for (unsigned i = 0; i < m->points_n; i++) {
		const struct point *p = &m->points[i];

		if (!kriging_uses(p))
			continue;
		if (p->probe == PROBE_RANDOM || (p->probe != PROBE_NONE && which == PROBE_NEAR))
			to[*n] = predict_without(m, p, known, method);
		else
			to[*n].off = NAN;
		/* Keeps only known errors: if .off is NaN, the next point overwrites to[*n]. */
		*n += !isnan(to[*n].off);
		known++;
	}
}

static struct errors errors_by(const struct model *m, enum method method)
{
	struct probe_error *all = need(calloc(m->points_n + 1, sizeof(*all)));
	double *values = need(calloc(m->points_n + 1, sizeof(*values)));
	struct errors e = {};
	unsigned n;

	model_probe_errors(m, method, PROBE_RANDOM, all, &n);
	for (unsigned i = 0; i < n; i++)
		values[i] = all[i].off;
	e.workloads = n;
	error_quantiles(values, n, e.share);
	for (int i = AGAIN_MEDIAN; i < ERROR_KINDS; i++)
		e.share[i] = NAN;
	free(values);
	free(all);
	return e;
}

static unsigned count_probes(const struct model *m)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->points_n; i++)
		n += m->points[i].probe != PROBE_NONE && kriging_uses(&m->points[i]);
	return n;
}

static void make_kriging(struct model *m, bool fit)
{
	double *x = need(calloc(m->points_n + 1, MODEL_DIRECTIONS * sizeof(*x)));
	double *y = need(calloc(m->points_n + 1, sizeof(*y)));
	unsigned n = kriging_points(m, x, y);

	if (fit)
		kriging_fit(MODEL_DIRECTIONS, n, x, y, &m->scale);
	kriging_free(m->kriging);
	m->kriging = kriging_new(MODEL_DIRECTIONS, n, x, y, &m->scale);
	free(m->without);
	m->without = need(calloc(n + 1, sizeof(*m->without)));
	if (m->kriging)
		kriging_without(m->kriging, m->without);
	free(x);
	free(y);
}

static void choose_method(struct model *m, bool fit)
{
	unsigned n = count_probes(m);

	m->method = METHOD_PRODUCT;
	if (!n)
		return;
	if (fit || m->scale.deviation > 0)
		make_kriging(m, fit);
	m->probed[METHOD_PRODUCT] = errors_by(m, METHOD_PRODUCT);
	if (!m->kriging)
		return;
	m->probed[METHOD_KRIGING] = errors_by(m, METHOD_KRIGING);
	if (n >= LEAST_PROBES &&
	    m->probed[METHOD_KRIGING].share[ERROR_MEDIAN] <
		    m->probed[METHOD_PRODUCT].share[ERROR_MEDIAN])
		m->method = METHOD_KRIGING;
}

/* Fills m->seen, which the plots show, from the random probes. */
static void show_probes(struct model *m)
{
	struct probe_error *all = need(calloc(m->points_n + 1, sizeof(*all)));
	unsigned n;

	model_probe_errors(m, m->method, PROBE_RANDOM, all, &n);
	m->seen = need(calloc(n + 1, sizeof(*m->seen)));
	m->seen_n = n;
	for (unsigned i = 0; i < n; i++) {
		const struct point *p = all[i].point;

		m->seen[i] = (struct seen){
			p->at,
			all[i].predicted,
			p->value[QUANTITY_BANDWIDTH],
			{ NAN, NAN },
			predict_product(m, &p->at).border,
		};
	}
	free(all);
}

void model_judge(struct model *m)
{
	choose_method(m, false);
	if (!m->seen_n)
		show_probes(m);
}

/* Each fit starts with the same values, not with the result of the previous fit. The previous fit
 * may have failed because there were few points. The values assume that bandwidth changes slowly
 * along each axis, and that a disturbance by other users lasts for about 5 measurements. */
void model_fit(struct model *m)
{
	m->scale = (struct kriging_scale){ .deviation = 1,
					   .noise = { 0.1, 0.1 },
					   .drift = 0.1,
					   .memory = 5 };
	for (int i = 0; i < MODEL_DIRECTIONS; i++)
		m->scale.length[i] = 1;
	choose_method(m, true);
}
