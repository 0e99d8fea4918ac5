// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads a result of bench scale, and makes the model from it. model.h defines the terms. */
#include "bench/model/model.h"
#include "bench/model/model-kriging.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/out-read.h"
#include "user/stats/curve.h"
#include "user/base/err.h"
#include "user/base/out.h"
#include "user/metric/metric.h"
#include "user/base/reading.h"
#include "user/base/seal.h"

#define COMMAND "bench scale"

const char *const point_engines[2] = { "psync", "uring" };

/* Reads a rate; null and 0 become NaN. */
static double read_rate(struct reading *r, const struct out *object, const char *key)
{
	double v = out_get(object, key) ? reading_number(r, object, key, 0, HUGE_VAL) : NAN;

	return v > 0 ? v : NAN;
}

static struct workload read_workload(struct reading *r, const struct out *object, const char *key)
{
	struct workload w;
	enum parameter p = workload_read(out_get(object, key), &w);

	if (p < PARAMETERS)
		reading_wrong(r, "'%s' has no valid '%s'", key, parameters[p].key);
	return w;
}

static struct range read_range(struct reading *r, const struct out *object, enum parameter p,
			       const char *min, const char *max)
{
	struct range range = { reading_number(r, object, min, 0, HUGE_VAL),
			       reading_number(r, object, max, 0, HUGE_VAL) };

	if (!parameter_is_valid(p, range.min) || !parameter_is_valid(p, range.max) ||
	    range.min > range.max)
		reading_wrong(r, "'%s' to '%s' is no range of '%s'", min, max, parameters[p].key);
	return range;
}

static void read_point(struct reading *r, const struct out *object, void *to)
{
	static const char *const layers[] = { "app", "vfs", "device" };
	const struct out *all = out_get(object, "layers");
	const char *engine;
	struct point *p = to;

	p->at = read_workload(r, object, "workload");
	p->value[QUANTITY_BANDWIDTH] = read_rate(r, object, KEY_BANDWIDTH);
	p->value[QUANTITY_IOPS] = read_rate(r, object, "iops");
	p->value[QUANTITY_ARPT] = read_rate(r, object, KEY_LATENCY_MEAN);
	for (int i = 0; i < 3; i++)
		p->value[QUANTITY_BPS_APP + i] = read_rate(r, out_get(all, layers[i]), "bps");
	p->half_width = out_get(object, "half_width_fraction") ?
		reading_number(r, object, "half_width_fraction", 0, HUGE_VAL) :
		NAN;
	p->steady = out_is_true(object, "steady");
	if (!p->steady && p->half_width < HALF_NOT_STEADY)
		p->half_width = HALF_NOT_STEADY;
	engine = out_get_str(object, "engine");
	p->ring = engine && strcmp(engine, point_engines[true]) == 0;
	p->probe = probe_of(out_get_str(object, "probe"));
}

/* ---- the value at the focal point, through which all curves of a region pass ---- */

struct mean {
	double sum, weight;
};

static double square(double v)
{
	return v * v;
}

static void mean_add(struct mean *m, double log_y, double variance)
{
	if (isnan(log_y) || !(variance > 0))
		return;
	m->sum += log_y / variance;
	m->weight += 1 / variance;
}

static const struct point *focal_point(const struct region *r, enum parameter p)
{
	const struct series *s = &r->series[p];

	for (unsigned i = 0; i < s->n; i++)
		if (s->points[i].at.v[p] == r->focal.v[p])
			return &s->points[i];
	return NULL;
}

/* Adds an estimate of quantity @q at the point @at to the mean @m. The estimate lies on the
 * straight line between the points before and after @at. It does not use the measurement of @at
 * itself. */
static void add_neighbours(struct mean *m, const struct series *s, const struct point *at,
			   enum parameter p, enum quantity q)
{
	const struct point *a = at - 1, *b = at + 1;
	double from, part;

	if (at == s->points || b == s->points + s->n)
		return;
	from = parameter_axis(p, a->at.v[p]);
	part = (parameter_axis(p, at->at.v[p]) - from) / (parameter_axis(p, b->at.v[p]) - from);
	mean_add(m, (1 - part) * log(a->value[q]) + part * log(b->value[q]),
		 square((1 - part) * a->half_width) + square(part * b->half_width) +
			 square(FOCAL_BEND));
}

double model_settled_focal(const struct region *r, enum quantity q)
{
	const struct point *own = NULL;
	struct mean mean = {};

	for (enum parameter p = 0; p < PARAM_DEPTH; p++) {
		const struct point *at = focal_point(r, p);

		if (!at)
			continue;
		own = at;
		add_neighbours(&mean, &r->series[p], at, p, q);
	}
	if (!own || isnan(own->value[q]))
		return NAN;
	mean_add(&mean, log(own->value[q]), square(own->half_width));
	return mean.weight > 0 ? exp(mean.sum / mean.weight) : own->value[q];
}

/* Returns the value of the curve at point @at. Usually, this is the measured value. At the focal
 * point, it is a mean of several estimates (model_settled_focal()). */
static double curve_value(const struct point *at, enum parameter p, enum quantity q,
			  const struct region *region)
{
	bool focal = region && p != PARAM_DEPTH && at->at.v[p] == region->focal.v[p];
	double settled = focal ? model_settled_focal(region, q) : NAN;

	return isnan(settled) ? at->value[q] : settled;
}

/* Makes a curve per quantity through the points of @s. @region is the region of the points; NULL:
 * the curve over uniqueBytes, which spans all regions. */
static void make_curves(struct series *s, enum parameter p, const struct region *region)
{
	double *x = need(calloc(3 * s->n + 1, sizeof(*x))), *y = x + s->n, *half = y + s->n;

	for (enum quantity q = 0; q < QUANTITIES && s->n; q++) {
		for (unsigned i = 0; i < s->n; i++) {
			x[i] = parameter_axis(p, s->points[i].at.v[p]);
			y[i] = curve_value(&s->points[i], p, q, region);
			half[i] = s->points[i].half_width;
		}
		s->curves[q] = curve_new(s->n, x, y, half);
	}
	free(x);
}

static void model_read_series(struct reading *r, const struct out *object, const char *key,
			      enum parameter p, struct series *s)
{
	s->points = reading_array(r, object, key, read_point, sizeof(*s->points), &s->n);
	for (unsigned i = 1; i < s->n && !r->failed; i++)
		if (!(parameter_axis(p, s->points[i - 1].at.v[p]) <
		      parameter_axis(p, s->points[i].at.v[p])))
			reading_wrong(r, "'%s' does not ascend at point %u", key, i);
}

static void model_read_region(struct reading *r, const struct out *object, void *to)
{
	const struct out *curves = out_get(object, "curves");
	struct region *region = to;

	region->bytes = read_range(r, object, PARAM_UNIQUE_BYTES, "from_bytes", "to_bytes");
	region->focal = read_workload(r, object, "focal");
	for (enum parameter p = 0; p < PARAMETERS; p++)
		model_read_series(r, curves, parameters[p].key, p, &region->series[p]);
	if (r->failed)
		return;
	for (enum parameter p = 0; p < PARAMETERS; p++)
		make_curves(&region->series[p], p, region);
}

static void read_border(struct reading *r, const struct out *object, void *to)
{
	struct border *b = to;

	b->range = read_range(r, object, PARAM_UNIQUE_BYTES, "from_bytes", "to_bytes");
	b->bytes = reading_number(r, object, "unique_bytes", b->range.min, b->range.max);
	b->confidence =
		out_get(object, "confidence") ? reading_number(r, object, "confidence", 0, 1) : NAN;
}

/* Reads the ranges of the parameters. The range of the depth may be missing. */
static void read_axes(struct reading *r, const struct out *axes, struct range *to)
{
	for (enum parameter p = 0; p < PARAMETERS; p++) {
		const struct out *axis = out_get(axes, parameters[p].key);

		reading_at(r, "axes", parameters[p].key);
		to[p] = axis || p != PARAM_DEPTH ? read_range(r, axis, p, "min", "max") :
						   (struct range){ 1, 1 };
	}
	reading_at(r, NULL, NULL);
}

static const char *const error_keys[ERROR_KINDS] = {
	"error_median_fraction",	 "error_p75_fraction",	       "error_p90_fraction",
	"repeatability_median_fraction", "repeatability_p75_fraction", "repeatability_p90_fraction",
};

static struct errors read_errors(struct reading *r, const struct out *object, const char *key)
{
	const struct out *of = out_get(object, key);
	struct errors e = {};
	double n;

	reading_at(r, "validation", key);
	n = of ? reading_number(r, of, "workload_count", 0, 1e9) : 0;
	e.workloads = n > 0 ? n : 0;
	for (int i = 0; i < ERROR_KINDS && e.workloads; i++)
		e.share[i] = i >= AGAIN_MEDIAN && !out_get(of, error_keys[i]) ?
			NAN :
			reading_number(r, of, error_keys[i], 0, HUGE_VAL);
	reading_at(r, NULL, NULL);
	return e;
}

struct out *errors_json(const struct errors *e)
{
	struct out *o = out_object();

	out_u64(o, "workload_count", e->workloads);
	for (int i = 0; i < ERROR_KINDS; i++)
		out_f64(o, error_keys[i], e->workloads ? e->share[i] : NAN);
	return o;
}

static void read_seen(struct reading *r, const struct out *object, void *to)
{
	struct seen *seen = to;

	seen->at = read_workload(r, object, "workload");
	seen->predicted = read_rate(r, object, "predicted_bytes_per_second");
	seen->measured = read_rate(r, object, "measured_bytes_per_second");
	for (enum method by = 0; by < METHODS; by++)
		if (!out_get_f64(object, method_keys[by], &seen->by[by]))
			seen->by[by] = NAN;
	seen->border = out_is_true(object, "at_border");
}

static void read_scale(struct reading *r, const struct out *scale, struct kriging_scale *to)
{
	const struct out *lengths = out_get(scale, "lengths");

	*to = (struct kriging_scale){};
	for (int i = 0; i < MODEL_DIRECTIONS && scale; i++)
		to->length[i] = reading_number(r, lengths, direction_key(i), KRIGING_LEAST,
					       KRIGING_LARGEST);
	if (!scale)
		return;
	to->deviation = reading_number(r, scale, "deviation", KRIGING_LEAST, KRIGING_LARGEST);
	to->noise[0] = reading_number(r, scale, "noise_slow", KRIGING_LEAST, KRIGING_LARGEST);
	to->noise[1] = reading_number(r, scale, "noise_fast", KRIGING_LEAST, KRIGING_LARGEST);
	to->drift = reading_number(r, scale, "drift", KRIGING_LEAST, KRIGING_LARGEST);
	to->memory = reading_number(r, scale, "memory", KRIGING_LEAST, KRIGING_LARGEST);
}

static void read_points(struct reading *r, struct model *m)
{
	m->points =
		reading_array(r, m->doc, "points", read_point, sizeof(*m->points), &m->points_n);
	if (m->points_n > MODEL_POINTS)
		reading_wrong(r, "it has more than %d points", MODEL_POINTS);
	reading_at(r, "kriging", NULL);
	read_scale(r, out_get(m->doc, "kriging"), &m->scale);
	reading_at(r, NULL, NULL);
}

/* Checks that regions and borders ascend and do not overlap. */
static void check_region_order(struct reading *r, const struct model *m)
{
	if (!m->regions_n)
		reading_wrong(r, "it has no regions");
	for (unsigned i = 1; i < m->regions_n; i++)
		if (m->regions[i].bytes.min < m->regions[i - 1].bytes.max)
			reading_wrong(r, "regions[%u] overlaps the one before", i);
	for (unsigned i = 1; i < m->borders_n; i++)
		if (m->borders[i].range.min < m->borders[i - 1].range.max)
			reading_wrong(r, "borders[%u] overlaps the one before", i);
}

/* Another version of iospan may measure in another way, and its results may have other members. */
static void warn_of_version(const struct model *m)
{
	const char *version = out_get_str(m->doc, "iospan");

	if (version && strcmp(version, VERSION))
		warn("'%s' was made by iospan %s, and this is iospan %s; measure the disk again to "
		     "be sure",
		     m->path, version, VERSION);
}

static void read_document(struct reading *r, struct model *m)
{
	const struct out *doc = m->doc, *validation = out_get(doc, "validation");
	const char *command = out_get_str(doc, "command");

	if (!command || strcmp(command, COMMAND))
		reading_wrong(r, "it is the output of another command");
	else
		warn_of_version(m);
	m->complete = out_is_true(doc, "complete");
	read_axes(r, out_get(doc, "axes"), m->axes);
	m->buffer_bytes = out_get(doc, "buffer_bytes") ?
		reading_number(r, doc, "buffer_bytes", 1, HUGE_VAL) :
		HUGE_VAL;
	model_read_series(r, doc, "sweep", PARAM_UNIQUE_BYTES, &m->sweep);
	if (!r->failed)
		make_curves(&m->sweep, PARAM_UNIQUE_BYTES, NULL);
	m->borders =
		reading_array(r, doc, "borders", read_border, sizeof(*m->borders), &m->borders_n);
	m->regions = reading_array(r, doc, "regions", model_read_region, sizeof(*m->regions),
				   &m->regions_n);
	m->inside = read_errors(r, validation, "inside_border");
	m->outside = read_errors(r, validation, "outside_border");
	m->seen = reading_array(r, validation, "points", read_seen, sizeof(*m->seen), &m->seen_n);
	read_points(r, m);
	check_region_order(r, m);
}

struct model *model_of(struct out *doc, const char *path)
{
	struct reading r = { .path = path, .what = "result of '" COMMAND "'" };
	struct model *m = need(calloc(1, sizeof(*m)));
	int ret = seal_check(doc);

	m->doc = doc;
	m->path = path;
	if (ret == -ENODATA)
		reading_wrong(&r, "it has no hash");
	else if (ret)
		error(ret, "'%s' was changed after it was made: its hash does not match", path);
	else
		read_document(&r, m);
	if (!ret && !r.failed) {
		model_judge(m);
		return m;
	}
	model_free(m);
	return NULL;
}

struct model *model_read(const char *path)
{
	struct out *doc = out_read(path);

	return doc ? model_of(doc, path) : NULL;
}

static void model_series_release(struct series *s)
{
	for (enum quantity q = 0; q < QUANTITIES; q++)
		curve_free(s->curves[q]);
	free(s->points);
}

void model_free(struct model *m)
{
	if (!m)
		return;
	model_series_release(&m->sweep);
	for (unsigned i = 0; i < m->regions_n; i++)
		for (enum parameter p = 0; p < PARAMETERS; p++)
			model_series_release(&m->regions[i].series[p]);
	free(m->regions);
	free(m->borders);
	free(m->seen);
	free(m->points);
	kriging_free(m->kriging);
	free(m->without);
	out_free(m->doc);
	free(m);
}
