// SPDX-License-Identifier: GPL-2.0-or-later
/* Validation: measures random workloads (trials), and compares the results with predictions. */
#include "bench/scale/validate.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"
#include "bench/scale/methods.h"
#include "bench/scale/scale-result.h"
#include "user/base/clock.h"
#include "user/base/num.h"
#include "user/base/out.h"
#include "user/base/progress.h"
#include "bench/model/model-kriging.h"
#include "bench/model/predict-show.h"

void validation_init(struct validation *v, const struct model *m, unsigned n, uint64_t seed)
{
	struct range ranges[PARAMETERS];
	struct workload *random;

	for (enum parameter p = 0; p < PARAM_DEPTH; p++)
		ranges[p] = m->axes[p];
	ranges[PARAM_DEPTH] = (struct range){ 1, 1 };
	random = workloads_random(ranges, m->buffer_bytes, n, seed);
	*v = (struct validation){ .m = m,
				  .n = n,
				  .seed = seed,
				  .trials = need(calloc(n + 1, sizeof(*v->trials))) };
	for (unsigned i = 0; i < n; i++) {
		v->trials[i].p = predict(m, &random[i]);
		for (int pass = 0; pass < PASSES; pass++)
			v->trials[i].rate[pass] = NAN;
	}
	free(random);
}

void validation_release(struct validation *v)
{
	free(v->trials);
}

int validation_run(struct validation *v,
		   int (*measure)(void *arg, const struct workload *w, double *rate), void *arg)
{
	int ret = 0;

	for (int pass = 0; pass < PASSES; pass++)
		for (unsigned i = 0; i < v->n && !ret; i++)
			ret = measure(arg, &v->trials[i].p.at, &v->trials[i].rate[pass]);
	return ret;
}

double trial_measured(const struct trial *t)
{
	double sum = 0;
	int n = 0;

	while (n < PASSES && !isnan(t->rate[n]))
		sum += t->rate[n++];
	return n ? sum / n : NAN;
}

double trial_error(const struct trial *t)
{
	return error_share(t->p.of[QUANTITY_BANDWIDTH].value, trial_measured(t));
}

double trial_again(const struct trial *t)
{
	return error_share(t->rate[1], t->rate[0]);
}

static double predicted_ratio(const struct trial *t)
{
	double measured = trial_measured(t);

	return measured > 0 ? t->p.of[QUANTITY_BANDWIDTH].value / measured : NAN;
}

static double repeated_ratio(const struct trial *t)
{
	return t->rate[0] > 0 ? t->rate[1] / t->rate[0] : NAN;
}

/* Sets @to to the median, 75th and 90th percentile of @value(trial) over all trials (measured
 * workloads) at @place. Leaves out trials without a value (NaN). Returns the number of trials with
 * a value. */
static unsigned quantiles(const struct validation *v, enum trial_place place,
			  double (*value)(const struct trial *t), double to[3])
{
	double *values = need(calloc(v->n + 1, sizeof(*values)));
	unsigned n = 0;

	for (unsigned i = 0; i < v->n; i++) {
		enum trial_place at = v->trials[i].p.border ? PLACE_INSIDE : PLACE_OUTSIDE;

		if ((place == PLACE_ALL || place == at) && !isnan(value(&v->trials[i])))
			values[n++] = value(&v->trials[i]);
	}
	error_quantiles(values, n, to);
	free(values);
	return n;
}

struct errors validation_errors(const struct validation *v, enum trial_place place)
{
	struct errors e;

	e.workloads = quantiles(v, place, trial_error, &e.share[ERROR_MEDIAN]);
	quantiles(v, place, trial_again, &e.share[AGAIN_MEDIAN]);
	return e;
}

struct drift validation_drift(const struct validation *v)
{
	double predicted[3], repeated[3];

	quantiles(v, PLACE_ALL, predicted_ratio, predicted);
	quantiles(v, PLACE_ALL, repeated_ratio, repeated);
	return (struct drift){ predicted[0], repeated[0] };
}

void validation_apart(const struct validation *v, enum trial_place place, double share[3])
{
	const double factor = validation_drift(v).predicted;
	struct validation fitted = *v;

	fitted.trials = need(calloc(v->n + 1, sizeof(*fitted.trials)));
	for (unsigned i = 0; i < v->n; i++) {
		fitted.trials[i] = v->trials[i];
		fitted.trials[i].p.of[QUANTITY_BANDWIDTH].value /= factor;
	}
	quantiles(&fitted, place, trial_error, share);
	validation_release(&fitted);
}

struct measuring {
	struct rig rig;
	u64 until_ns;
	unsigned n, of;
};

/* Measures workload @w. The time limit is the remaining time, divided by the number of remaining
 * measurements. */
static int measure_trial(void *arg, const struct workload *w, double *rate)
{
	struct measuring *m = arg;
	struct sample sample = { .at = *w };
	u64 now = now_ns(), left = m->until_ns > now ? m->until_ns - now : 0;
	char text[WORKLOAD_TEXT];
	int ret;

	if (m->until_ns && !left)
		return -ETIME;
	progress("%u of %u: %s", m->n + 1, m->of, workload_text(text, w));
	ret = rig_measure(&m->rig, left / (m->of - m->n), &sample);
	if (ret)
		return ret;
	*rate = sample.bandwidth;
	out_free(sample.layers);
	m->n++;
	return 0;
}

static int larger_error_first(const void *a, const void *b)
{
	double one = trial_error(a), other = trial_error(b);

	return isnan(one) - isnan(other) ?: (one < other) - (one > other);
}

static int measure_trials(struct validation *v, struct scale_result *of, uint64_t budget_ns)
{
	struct measuring m = { .rig = { .signals = -1, .target.guard.fd = -1 },
			       .of = PASSES * v->n };
	u64 bytes = of->evaluation.axes[PARAM_UNIQUE_BYTES].max, start;
	char text[NUM_TEXT];
	int ret = rig_open(&m.rig, &of->how, bytes, 0), left;

	start = now_ns();
	m.until_ns = m.rig.deadline_ns = budget_ns ? start + budget_ns : 0;
	if (!ret)
		ret = validation_run(v, measure_trial, &m);
	qsort(v->trials, v->n, sizeof(*v->trials), larger_error_first);
	v->elapsed_ns = now_ns() - start;
	progress_end();
	if (ret == -ETIME)
		warn("the budget of %s is over after %u of %u measurements; use a longer --budget",
		     num_time_arg(text, budget_ns), m.n, m.of);
	left = rig_close(&m.rig);
	return ret ?: left;
}

int validation_measure(struct validation *v, const struct rig_options *how, uint64_t budget_ns)
{
	struct scale_result of = { .how = *how };
	int ret = scale_take_up(&of, v->m->path, v->m->doc);

	of.how.seed = v->seed;
	if (!ret)
		ret = measure_trials(v, &of, budget_ns);
	evaluation_release(&of.evaluation);
	return ret;
}

static const char *const place_keys[] = { "inside_border", "outside_border", "all" };

static struct out *trial_json(const struct model *m, const struct trial *t)
{
	struct out *o = out_object(), *passes = out_array();

	for (int i = 0; i < PASSES; i++)
		out_append_f64(passes, t->rate[i]);
	out_put(o, "workload", workload_json(&t->p.at));
	out_f64(o, "predicted_bytes_per_second", t->p.of[QUANTITY_BANDWIDTH].value);
	for (enum method by = 0; by < METHODS; by++)
		out_f64(o, method_keys[by], way_predicts(m, by, t));
	out_f64(o, "measured_bytes_per_second", trial_measured(t));
	out_f64(o, "error_fraction", trial_error(t));
	out_put(o, "passes_bytes_per_second", passes);
	out_bool(o, "at_border", t->p.border != NULL);
	out_bool(o, "extrapolated", t->p.outside != 0);
	return o;
}

struct out *validation_json(const struct validation *v)
{
	struct out *o = out_object(), *points = out_array();
	struct drift d = validation_drift(v);

	out_u64(o, "seed", v->seed);
	out_u64(o, "workload_count", v->n);
	out_f64(o, "predicted_ratio_median", d.predicted);
	out_f64(o, "repeated_ratio_median", d.repeated);
	for (enum trial_place at = 0; at <= PLACE_ALL; at++) {
		struct errors e = validation_errors(v, at);
		struct out *place = errors_json(&e);
		double apart[3];

		validation_apart(v, at, apart);
		out_f64(place, "error_without_factor_median_fraction", apart[0]);
		out_f64(place, "error_without_factor_p75_fraction", apart[1]);
		out_f64(place, "error_without_factor_p90_fraction", apart[2]);
		out_put(o, place_keys[at], place);
	}
	out_put(o, "methods", ways_json(v));
	for (unsigned i = 0; i < v->n; i++)
		out_append(points, trial_json(v->m, &v->trials[i]));
	out_put(o, "points", points);
	return o;
}

/* A validation that ends early has fewer than PASSES measurements of some workloads. */
static unsigned measurements(const struct validation *v)
{
	unsigned n = 0;

	for (unsigned i = 0; i < v->n; i++)
		for (int pass = 0; pass < PASSES; pass++)
			n += !isnan(v->trials[i].rate[pass]);
	return n;
}

void validation_put(struct out *doc, const struct validation *v)
{
	struct errors e = validation_errors(v, PLACE_ALL);
	char *text = NULL;
	size_t size;
	FILE *f = need(open_memstream(&text, &size));

	fprintf(f, "predictions have a median error of %.1f %%, and 90 %% of them at most %.1f %%",
		e.share[ERROR_MEDIAN] * 100, e.share[ERROR_P90] * 100);
	ways_conclusion(f, v);
	if (!isnan(e.share[AGAIN_MEDIAN]))
		fprintf(f, "; two measurements differ by %.1f %%", e.share[AGAIN_MEDIAN] * 100);
	fclose(f);
	out_str(doc, "conclusion", text);
	free(text);
	out_strf(doc, "title", "%u random workload%s, %u of %u measurements, seed %llu", v->n,
		 num_word(v->n, "", "s"), measurements(v), PASSES * v->n,
		 (unsigned long long)v->seed);
	out_put(doc, "validation", validation_json(v));
}

static const struct view_column errors[] = {
	COLUMN_OF("@", "error of predictions", VIEW_NAME),
	COLUMN("workload_count", .title = "workloads"),
	ERROR_COLUMNS("error", "median"),
	ERROR_COLUMNS("error_without_factor", "scaled: median"),
	ERROR_COLUMNS("repeatability", "repeated: median"),
	{},
};

static const struct view_column points[] = {
	COLUMN("predicted_bytes_per_second", .title = "predicted"),
	COLUMN("product_bytes_per_second", .title = "product"),
	COLUMN("kriging_bytes_per_second", .title = "kriging"),
	COLUMN("measured_bytes_per_second", .title = "measured"),
	COLUMN("error_fraction", .title = "error"),
	WORKLOAD_COLUMNS("workload.", ""),
	COLUMN("at_border", .title = "", .mark = "at a border"),
	{},
};

const struct view validation_views[] = {
	VIEW("conclusion"),
	VIEW("title"),
	VIEW("validation.*", .columns = errors, .left = 1, .only_with = "workload_count"),
	VIEW("validation.methods.*", .columns = ways_columns, .only_with = "workload_count",
	     .title = "methods for the same workloads"),
	VIEW("validation.predicted_ratio_median", .title = "factor, predicted / measured: median"),
	VIEW("validation.repeated_ratio_median", .title = "second / first measurement: median"),
	VIEW("validation.points.*", .title = "largest errors", .columns = points, .most = 5,
	     .only_with = "measured_bytes_per_second", .is_csv = true),
	VIEW("result", .title = "result"),
	{},
};
