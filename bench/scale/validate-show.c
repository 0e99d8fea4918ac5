// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/scale/validate.h"

#include <math.h>

#include "user/base/num.h"
#include "user/base/out.h"

static const struct {
	const char *title, *key;
} places[] = {
	[PLACE_INSIDE] = { "at a border", "inside_border" },
	[PLACE_OUTSIDE] = { "beside borders", "outside_border" },
	[PLACE_ALL] = { "all", "all" },
};

/* ---- text ---- */

static void errors_text(FILE *f, const struct validation *v)
{
	static const char *const titles[] = {
		"error of predictions", "workloads", "median", "75 %", "90 %",
		"repeated: median",	"75 %",	     "90 %",   NULL,
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
		fprintf(f, "\n  in the median %.3f times what was measured was predicted%s",
			d.predicted, isnan(d.repeated) ? "\n" : ",");
	if (!isnan(d.repeated))
		fprintf(f, "\n  and %.3f times as much was measured the second time\n", d.repeated);
}

/* Without what all have in common. */
static void apart_text(FILE *f, const struct validation *v)
{
	double all[3], beside[3];

	validation_apart(v, PLACE_ALL, all);
	validation_apart(v, PLACE_OUTSIDE, beside);
	if (isnan(all[0]))
		return;
	fprintf(f,
		"  apart from that factor, predictions are %.1f %% off in the median, 75 %% of "
		"them less\n  than %.1f %%, 90 %% less than %.1f %%",
		all[0] * 100, all[1] * 100, all[2] * 100);
	if (!isnan(beside[0]))
		fprintf(f, "; beside borders %.1f, %.1f and %.1f %%", beside[0] * 100,
			beside[1] * 100, beside[2] * 100);
	fputc('\n', f);
}

/* The worst ones say what a prediction does not know. */
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

	fprintf(f, "\n  furthest off:\n");
	for (int i = 0; i < WORST && t; i++, t = next_worst(v, trial_error(t)))
		fprintf(f, "  %s for %s: %s%s\n",
			num_byte_rate_text(predicted, t->p.of[QUANTITY_BANDWIDTH].value),
			num_byte_rate_text(measured, trial_measured(t)),
			workload_text(text, &t->p.at), t->p.border ? ", at a border" : "");
}

void validation_text(FILE *f, const struct validation *v)
{
	fprintf(f, "%u random workloads, each measured %d times, seed %llu\n\n", v->n, PASSES,
		(unsigned long long)v->seed);
	errors_text(f, v);
	drift_text(f, v);
	apart_text(f, v);
	worst_text(f, v);
}

/* ---- JSON ---- */

static struct out *trial_json(const struct trial *t)
{
	struct out *o = out_object(), *passes = out_array();

	for (int i = 0; i < PASSES; i++)
		out_append_f64(passes, t->rate[i]);
	out_put(o, "workload", workload_json(&t->p.at));
	out_f64(o, "predicted_bytes_per_s", t->p.of[QUANTITY_BANDWIDTH].value);
	out_f64(o, "measured_bytes_per_s", trial_measured(t));
	out_put(o, "passes_bytes_per_s", passes);
	out_bool(o, "border", t->p.border != NULL);
	out_bool(o, "outside", t->p.outside != 0);
	return o;
}

struct out *validation_json(const struct validation *v)
{
	struct out *o = out_object(), *points = out_array();
	struct drift d = validation_drift(v);

	out_u64(o, "seed", v->seed);
	out_u64(o, "workloads", v->n);
	out_f64(o, "predicted_ratio_median", d.predicted);
	out_f64(o, "repeated_ratio_median", d.repeated);
	for (enum place at = 0; at <= PLACE_ALL; at++) {
		struct errors e = validation_errors(v, at);
		struct out *place = errors_json(&e);
		double apart[3];

		validation_apart(v, at, apart);
		out_f64(place, "apart_median", apart[0]);
		out_f64(place, "apart_p75", apart[1]);
		out_f64(place, "apart_p90", apart[2]);
		out_put(o, places[at].key, place);
	}
	for (unsigned i = 0; i < v->n; i++)
		out_append(points, trial_json(&v->trials[i]));
	out_put(o, "points", points);
	return o;
}
