/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes results of bench scale for a known formula, so that tests know the values between the
 * points (measured workloads). A curve goes through points that differ in one parameter. The
 * formula is a product of powers of the parameters, and of exponentials of the fractions. */
#ifndef IOSPAN_TESTS_MADE_MODEL_H
#define IOSPAN_TESTS_MADE_MODEL_H

#include <math.h>
#include "bench/model/model.h"
#include "user/base/out.h"
#include "user/base/seal.h"
#include "tests/lib/harness.h"

#define MADE_MB 1048576.0
#define MADE_AXES \
	{ \
		{ 1 * MADE_MB, 1024 * MADE_MB }, { 4096, MADE_MB }, { 0, 1 }, { 0, 1 }, { 1, 64 }, \
		{ \
			1, 1 \
		} \
	}

static const struct workload made_focal = { { 0, 65536, 0.5, 0.5, 8, 1 } };
static const double made_powers[PARAMETERS] = { -0.125, 0.5, 0.7, 0.4, 0.25, 0 };

/* A region of the simulated system, from .from to .to bytes of data. Its focal point has .bytes of
 * data and a bandwidth of .level bytes/s. The system has two regions: a cache for little data, and
 * a disk for more. */
struct made_side {
	double level, from, bytes, to;
};
static const struct made_side made_cache = { 800 * MADE_MB, MADE_MB, 8 * MADE_MB, 64 * MADE_MB },
			      made_disk = { 100 * MADE_MB, 128 * MADE_MB, 362 * MADE_MB,
					    1024 * MADE_MB };

/* Returns the bandwidth of the system for the workload @v, within the region @s. */
static inline double made_rate(const struct made_side *s, const double v[PARAMETERS])
{
	return s->level * pow(v[0] / s->bytes, made_powers[0]) * pow(v[1] / 65536, made_powers[1]) *
		exp(made_powers[2] * (v[2] - 0.5)) * exp(made_powers[3] * (v[3] - 0.5)) *
		pow(v[4] / 8, made_powers[4]);
}

/* Returns the mean latency in ns. Each process always has one request in flight. So the mean
 * latency is the size of these requests together, divided by the bandwidth @rate. */
static inline double made_arpt(double rate, const double v[PARAMETERS])
{
	return 1e9 * v[PARAM_PROCS] * v[PARAM_SIZE] / rate;
}

static inline struct out *made_layer(double bps)
{
	struct out *o = out_object();

	out_f64(o, "bps", bps);
	return o;
}

static inline struct out *made_point(double rate, const struct workload *w, double half_width)
{
	struct out *o = out_object(), *layers = out_object();

	out_put(o, "workload", workload_json(w));
	out_f64(o, "bandwidth_bytes_per_second", rate);
	out_f64(o, "half_width_fraction", half_width);
	out_f64(o, "iops", rate / w->v[PARAM_SIZE]);
	out_f64(o, "latency_mean_ns", made_arpt(rate, w->v));
	out_bool(o, "steady", 1);
	out_put(layers, "app", made_layer(rate / 512));
	out_null(layers, "vfs");
	out_put(layers, "device", made_layer(2 * rate / 512));
	out_put(o, "layers", layers);
	return o;
}

/* Makes a curve of seven points. Parameter @p rises evenly over the range @r. The other parameters
 * are those of @focal. */
static inline struct out *made_curve(const struct made_side *s, const struct workload *focal,
				     enum parameter p, struct range r, double half_width)
{
	bool share = p == PARAM_READ || p == PARAM_SEQ;
	struct out *points = out_array();

	for (int i = 0; i <= 6; i++) {
		struct workload w = *focal;

		w.v[p] = share ? r.min + i / 6.0 * (r.max - r.min) :
				 r.min * pow(r.max / r.min, i / 6.0);
		out_append(points, made_point(made_rate(s, w.v), &w, half_width));
	}
	return points;
}

static inline struct out *made_region(const struct made_side *s, double half_width)
{
	struct out *o = out_object(), *curves = out_object();
	struct range axes[PARAMETERS] = MADE_AXES;
	struct workload focal = made_focal;

	focal.v[0] = s->bytes;
	axes[0] = (struct range){ s->from, s->to };
	out_f64(o, "from_bytes", s->from);
	out_f64(o, "to_bytes", s->to);
	out_put(o, "focal", workload_json(&focal));
	for (enum parameter p = 0; p < PARAM_DEPTH; p++)
		out_put(curves, parameters[p].key, made_curve(s, &focal, p, axes[p], half_width));
	out_put(o, "curves", curves);
	return o;
}

static inline struct out *made_axes(void)
{
	static const struct range axes[PARAMETERS] = MADE_AXES;
	struct out *o = out_object();

	for (enum parameter p = 0; p < PARAM_DEPTH; p++) {
		struct out *axis = out_object();

		out_f64(axis, "min", axes[p].min);
		out_f64(axis, "max", axes[p].max);
		out_put(o, parameters[p].key, axis);
	}
	out_null(o, "depth");
	return o;
}

static inline struct out *made_sweep(void)
{
	static const double at[][2] = {
		{ 1, 800 }, { 8, 800 }, { 64, 800 }, { 80, 200 }, { 128, 100 }, { 1024, 100 },
	};
	struct out *points = out_array();

	for (int i = 0; i < 6; i++) {
		struct workload w = made_focal;

		w.v[0] = at[i][0] * MADE_MB;
		out_append(points, made_point(at[i][1] * MADE_MB, &w, 0.01));
	}
	return points;
}

static inline struct out *made_result(double half_width)
{
	struct out *doc = out_object(), *borders = out_array(), *border = out_object();
	struct out *regions = out_array();

	out_str(doc, "iospan", "0.1");
	out_str(doc, "command", "bench scale");
	out_bool(doc, "complete", 1);
	out_put(doc, "axes", made_axes());
	out_put(doc, "sweep", made_sweep());
	out_f64(border, "unique_bytes", 90 * MADE_MB);
	out_f64(border, "from_bytes", 64 * MADE_MB);
	out_f64(border, "to_bytes", 128 * MADE_MB);
	out_f64(border, "confidence", 0.9);
	out_append(borders, border);
	out_put(doc, "borders", borders);
	out_append(regions, made_region(&made_cache, half_width));
	out_append(regions, made_region(&made_disk, half_width));
	out_put(doc, "regions", regions);
	out_null(doc, "validation");
	return doc;
}

static inline struct model *made_model(struct out *doc)
{
	struct model *m;

	seal(doc);
	m = model_of(doc, "made.json");
	ASSERT_TRUE(m != NULL);
	return m;
}

#endif
