/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Validation: compares predictions with measurements of random workloads. Chen and Patterson 1993
 * (figures 12 to 14) measure each workload twice. Here each one is measured PASSES times, because
 * one measurement does not describe a system that drifts within seconds. */
#ifndef IOSPAN_BENCH_VALIDATE_H
#define IOSPAN_BENCH_VALIDATE_H

#include "bench/model/predict.h"
#include "user/result/view.h"

#define PASSES 6

struct trial {
	struct prediction p;
	double rate[PASSES]; /* measured bytes per second in each pass; NaN: not measured */
};

struct validation {
	const struct model *m;
	uint64_t seed, elapsed_ns;
	struct trial *trials;
	unsigned n;
};

/* Draws @n random workloads from the ranges of @m, with depth 1, and predicts their performance. @m
 * must outlive @v. */
void validation_init(struct validation *v, const struct model *m, unsigned n, uint64_t seed);
void validation_release(struct validation *v);

/* Measures all workloads in each of PASSES passes. Returns 0 or the first error of @measure. After
 * an error, @v keeps the measurements so far. */
int validation_run(struct validation *v,
		   int (*measure)(void *arg, const struct workload *w, double *rate), void *arg);

/* Measures the workloads on the target of @m, with its memory limit, and sorts them by their
 * errors, the largest first. @how: the options that the
 * result of bench scale does not contain (destroy, signature, parent). @budget_ns: time limit,
 * without the time to fill the target; 0: none. Returns 0 or -errno; prints the error. Returns
 * -ETIME, with a warning, if the budget is used up. */
struct rig_options;
int validation_measure(struct validation *v, const struct rig_options *how, uint64_t budget_ns);

/* Returns the mean of the passes so far in bytes per second; NaN: none was measured. */
double trial_measured(const struct trial *t);

/* trial_error() returns the error of the prediction, |predicted - measured| / measured.
 * trial_again() returns the error of the second pass as a prediction of the first. NaN: not
 * known. */
double trial_error(const struct trial *t);
double trial_again(const struct trial *t);

/* workloads with uniqueBytes inside a border, outside borders, all */
enum trial_place { PLACE_INSIDE, PLACE_OUTSIDE, PLACE_ALL };
struct errors validation_errors(const struct validation *v, enum trial_place place);

/* Factors by which the whole system has changed: the medians of predicted / measured performance,
 * and of the second pass / the first pass. */
struct drift {
	double predicted, repeated;
};
struct drift validation_drift(const struct validation *v);
/* Sets @share to the median, the 75th and the 90th percentile of the prediction errors without the
 * drift: each prediction is first divided by drift.predicted. */
void validation_apart(const struct validation *v, enum trial_place place, double share[3]);

struct out *validation_json(const struct validation *v);
/* Adds the validation and its conclusion to the document @doc of iospan predict. */
void validation_put(struct out *doc, const struct validation *v);
extern const struct view validation_views[];

#endif
