// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/scale/validate.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"
#include "bench/scale/scale-result.h"
#include "user/base/clock.h"
#include "user/base/num.h"
#include "user/base/out.h"
#include "user/base/table.h"
#include "user/base/progress.h"
#include "bench/model/model-kriging.h"

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

/* ---- errors of predictions ---- */

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

/* Sets @to to the median, the 75th and the 90th percentile of @value over the trials at @place.
 * Returns the number of trials for which @value is not NaN. */
static unsigned quantiles(const struct validation *v, enum place place,
			  double (*value)(const struct trial *t), double to[3])
{
	double *values = need(calloc(v->n + 1, sizeof(*values)));
	unsigned n = 0;

	for (unsigned i = 0; i < v->n; i++) {
		enum place at = v->trials[i].p.border ? PLACE_INSIDE : PLACE_OUTSIDE;

		if ((place == PLACE_ALL || place == at) && !isnan(value(&v->trials[i])))
			values[n++] = value(&v->trials[i]);
	}
	error_quantiles(values, n, to);
	free(values);
	return n;
}

struct errors validation_errors(const struct validation *v, enum place place)
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

void validation_apart(const struct validation *v, enum place place, double share[3])
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

static void trial_progress(const struct measuring *m, const struct workload *w)
{
	char text[WORKLOAD_TEXT];

	progress("%u of %u: %s", m->n + 1, m->of, workload_text(text, w));
}

/* Measures one workload. Divides the remaining time equally among the remaining measurements. */
static int measure_trial(void *arg, const struct workload *w, double *rate)
{
	struct measuring *m = arg;
	struct sample sample = { .at = *w };
	u64 now = now_ns(), left = m->until_ns > now ? m->until_ns - now : 0;
	int ret;

	if (m->until_ns && !left)
		return -ETIME;
	trial_progress(m, w);
	ret = rig_measure(&m->rig, left / (m->of - m->n), &sample);
	if (ret)
		return ret;
	*rate = sample.bandwidth;
	out_free(sample.layers);
	m->n++;
	return 0;
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

static const struct {
	const char *title, *key;
} places[] = {
	[PLACE_INSIDE] = { "at a border", "inside_border" },
	[PLACE_OUTSIDE] = { "beside borders", "outside_border" },
	[PLACE_ALL] = { "all", "all" },
};

/* ---- the result as text ---- */

static void errors_text(FILE *f, const struct validation *v)
{
	static const char *const titles[] = {
		"prediction error", "workloads", "median", "75 %", "90 %",
		"repeated: median", "75 %",	 "90 %",   NULL,
	};
	struct table *t = table_titled(1, titles);

	for (enum place at = 0; at <= PLACE_ALL; at++) {
		struct errors e = validation_errors(v, at);

		table_cell(t, "%s", places[at].title);
		table_cell(t, "%llu", (unsigned long long)e.workloads);
		for (int i = 0; i < ERROR_KINDS; i++)
			table_per_cent(t, e.share[i]);
		table_end_row(t);
	}
	table_text(f, t, "  ");
	table_free(t);
}

static void drift_text(FILE *f, const struct validation *v)
{
	struct drift d = validation_drift(v);

	if (!isnan(d.predicted))
		fprintf(f, "\n  predicted / measured: median %.3f\n", d.predicted);
	if (!isnan(d.repeated))
		fprintf(f, "  second / first measurement: median %.3f\n", d.repeated);
}

static void apart_text(FILE *f, const struct validation *v)
{
	double all[3], beside[3];

	validation_apart(v, PLACE_ALL, all);
	validation_apart(v, PLACE_OUTSIDE, beside);
	if (isnan(all[0]))
		return;
	fprintf(f,
		"  prediction error without the factor predicted / measured: median %.1f %%, "
		"75 %%: %.1f %%,\n  90 %%: %.1f %%",
		all[0] * 100, all[1] * 100, all[2] * 100);
	if (!isnan(beside[0]))
		fprintf(f, "; beside borders %.1f, %.1f and %.1f %%", beside[0] * 100,
			beside[1] * 100, beside[2] * 100);
	fputc('\n', f);
}

#define WORST 5

static const struct trial *next_worst(const struct validation *v, double below)
{
	const struct trial *worst = NULL;

	for (unsigned i = 0; i < v->n; i++) {
		const struct trial *t = &v->trials[i];
		double error = trial_error(t);

		if (error < below && (!worst || error > trial_error(worst)))
			worst = t;
	}
	return worst;
}

static void worst_text(FILE *f, const struct validation *v)
{
	char predicted[NUM_TEXT], measured[NUM_TEXT], text[WORKLOAD_TEXT];
	const struct trial *t = next_worst(v, HUGE_VAL);

	fprintf(f, "\n  largest errors:\n");
	for (int i = 0; i < WORST && t; i++, t = next_worst(v, trial_error(t)))
		fprintf(f, "  predicted %s, measured %s: %s%s\n",
			num_byte_rate_text(predicted, t->p.of[QUANTITY_BANDWIDTH].value),
			num_byte_rate_text(measured, trial_measured(t)),
			workload_text(text, &t->p.at), t->p.border ? ", at a border" : "");
}

void validation_text(FILE *f, const struct validation *v)
{
	fprintf(f, "%u random workload%s, each measured %d times, seed %llu\n\n", v->n,
		num_word(v->n, "", "s"), PASSES, (unsigned long long)v->seed);
	errors_text(f, v);
	drift_text(f, v);
	apart_text(f, v);
	worst_text(f, v);
}

/* ---- the result as JSON ---- */

static struct out *trial_json(const struct trial *t)
{
	struct out *o = out_object(), *passes = out_array();

	for (int i = 0; i < PASSES; i++)
		out_append_f64(passes, t->rate[i]);
	out_put(o, "workload", workload_json(&t->p.at));
	out_f64(o, "predicted_bytes_per_second", t->p.of[QUANTITY_BANDWIDTH].value);
	out_f64(o, "measured_bytes_per_second", trial_measured(t));
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
	for (enum place at = 0; at <= PLACE_ALL; at++) {
		struct errors e = validation_errors(v, at);
		struct out *place = errors_json(&e);
		double apart[3];

		validation_apart(v, at, apart);
		out_f64(place, "error_without_factor_median_fraction", apart[0]);
		out_f64(place, "error_without_factor_p75_fraction", apart[1]);
		out_f64(place, "error_without_factor_p90_fraction", apart[2]);
		out_put(o, places[at].key, place);
	}
	for (unsigned i = 0; i < v->n; i++)
		out_append(points, trial_json(&v->trials[i]));
	out_put(o, "points", points);
	return o;
}
