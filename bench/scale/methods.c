// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares ways to predict the workloads of a validation: the methods, and single-point
 * benchmarks. */
#include "bench/scale/methods.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "bench/model/model-kriging.h"
#include "bench/model/predict-show.h"
#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/out.h"

/* The errors of one way to predict: the mean, and in .share the median, 75th and 90th
 * percentile. */
struct way_errors {
	unsigned n;
	double mean, share[3];
};

unsigned ways_count(const struct model *m)
{
	return METHODS + m->regions_n;
}

double way_predicts(const struct model *m, unsigned way, const struct trial *t)
{
	if (way == METHOD_PRODUCT)
		return predict_product(m, &t->p.at).of[QUANTITY_BANDWIDTH].value;
	return way == METHOD_KRIGING ? predict_kriging(m, &t->p.at) :
				       predict_single_point(m, way - METHODS);
}

static struct way_errors errors_of_way(const struct validation *v, unsigned way, bool with_borders)
{
	double *values = need(calloc(v->n + 1, sizeof(*values)));
	struct way_errors e = {};

	for (unsigned i = 0; i < v->n; i++) {
		const struct trial *t = &v->trials[i];
		double error = error_share(way_predicts(v->m, way, t), trial_measured(t));

		if (!isnan(error) && (with_borders || !t->p.border))
			values[e.n++] = error;
	}
	e.mean = e.n ? gsl_stats_mean(values, 1, e.n) : NAN;
	error_quantiles(values, e.n, e.share);
	free(values);
	return e;
}

static struct out *way_json(const struct validation *v, unsigned way)
{
	struct way_errors all = errors_of_way(v, way, true), outside = errors_of_way(v, way, false);
	struct out *o = out_object();
	bool single = way >= METHODS;

	out_str(o, "method", single ? "single point" : method_words[way]);
	out_u64_or_null(o, "region_number", single, way - METHODS + 1);
	out_f64(o, "bandwidth_bytes_per_second",
		single ? predict_single_point(v->m, way - METHODS) : NAN);
	out_u64(o, "workload_count", all.n);
	out_f64(o, "error_median_fraction", all.share[0]);
	out_f64(o, "error_mean_fraction", all.mean);
	out_f64(o, "error_p75_fraction", all.share[1]);
	out_f64(o, "error_p90_fraction", all.share[2]);
	out_f64(o, "error_outside_median_fraction", outside.share[0]);
	return o;
}

struct out *ways_json(const struct validation *v)
{
	struct out *list = out_array();

	for (unsigned way = 0; way < ways_count(v->m); way++)
		out_append(list, way_json(v, way));
	return list;
}

void ways_conclusion(FILE *f, const struct validation *v)
{
	double best = NAN, rate = NAN;
	char text[NUM_TEXT];

	for (unsigned way = METHODS; way < ways_count(v->m); way++) {
		double median = errors_of_way(v, way, true).share[0];

		if (isnan(median) || median >= best)
			continue;
		best = median;
		rate = predict_single_point(v->m, way - METHODS);
	}
	if (!isnan(best))
		fprintf(f, "; one number for all workloads, %s, has a median error of %.1f %%",
			num_byte_rate_text(text, rate), best * 100);
}

const struct view_column ways_columns[] = {
	COLUMN("method"),
	COLUMN_OF("region_number", "region", VIEW_COUNT),
	COLUMN("bandwidth_bytes_per_second", .title = "number"),
	COLUMN("workload_count", .title = "workloads"),
	COLUMN("error_median_fraction", .title = "error: median"),
	COLUMN("error_mean_fraction", .title = "mean"),
	COLUMN("error_p75_fraction", .title = "75 %"),
	COLUMN("error_p90_fraction", .title = "90 %"),
	COLUMN("error_outside_median_fraction", .title = "outside borders: median"),
	{},
};
