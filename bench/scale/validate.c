// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/scale/validate.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"

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

/* ---- errors ---- */

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

static double above(const struct trial *t)
{
	double measured = trial_measured(t);

	return measured > 0 ? t->p.of[QUANTITY_BANDWIDTH].value / measured : NAN;
}

static double faster(const struct trial *t)
{
	return t->rate[0] > 0 ? t->rate[1] / t->rate[0] : NAN;
}

/* Median, 75 % and 90 % of what @value says of those at @place; returns how many have it. */
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

	quantiles(v, PLACE_ALL, above, predicted);
	quantiles(v, PLACE_ALL, faster, repeated);
	return (struct drift){ predicted[0], repeated[0] };
}

/* As if all had been predicted by so much less. */
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
