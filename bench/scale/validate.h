/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Validation of predictions on random workloads. Chen and Patterson 1993 (figures 12 to 14) measure
 * all of them twice. Here they are measured PASSES times, as a system that drifts within seconds
 * is not known from one measurement. */
#ifndef IOSPAN_BENCH_VALIDATE_H
#define IOSPAN_BENCH_VALIDATE_H

#include "bench/model/predict.h"

#define PASSES 6

struct trial {
	struct prediction p;
	double rate[PASSES]; /* bytes per second; NaN: not measured */
};

struct validation {
	const struct model *m;
	uint64_t seed, elapsed_ns;
	struct trial *trials;
	unsigned n;
};

/* Draws @n workloads over the ranges of @m, at depth 1, and predicts them. @m must outlive @v. */
void validation_init(struct validation *v, const struct model *m, unsigned n, uint64_t seed);
void validation_release(struct validation *v);

/* Measures them in PASSES passes. Returns 0 or the first error of @measure. After an error, @v
 * keeps the earlier measurements. */
int validation_run(struct validation *v,
		   int (*measure)(void *arg, const struct workload *w, double *rate), void *arg);

/* Measures the workloads on the target of @m with its memory limit. @how has the options that a
 * result does not contain: destroy, signature, parent. @budget_ns (0: no limit) does not include
 * the filling of the target. Returns -ETIME, with a warning, if the budget is used up. */
struct rig_options;
int validation_measure(struct validation *v, const struct rig_options *how, uint64_t budget_ns);

/* Mean of the passes so far, bytes per second. NaN: none. */
double trial_measured(const struct trial *t);

/* Error of the prediction, |predicted - measured| / measured; and of the second pass as a
 * prediction of the first. NaN: not known. */
double trial_error(const struct trial *t);
double trial_again(const struct trial *t);

enum place { PLACE_INSIDE, PLACE_OUTSIDE, PLACE_ALL }; /* relative to borders */
struct errors validation_errors(const struct validation *v, enum place place);

/* Factors that all workloads share because the system drifted: medians of predicted / measured, and
 * of the second pass / the first. */
struct drift {
	double predicted, repeated;
};
struct drift validation_drift(const struct validation *v);
/* Median, 75th and 90th percentile of the prediction errors without the drift: each prediction is
 * divided by drift.predicted first. */
void validation_apart(const struct validation *v, enum place place, double share[3]);

void validation_text(FILE *f, const struct validation *v);
struct out *validation_json(const struct validation *v);

#endif
