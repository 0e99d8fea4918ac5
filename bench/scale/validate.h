/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How good are predictions? Workloads that nobody has seen are measured, all of them and then
 * all once more (Chen and Patterson 1993, figures 12 to 14), and four times more: a system that is
 * another one after some seconds is not known from one measurement. */
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

/* @n workloads over the ranges of @m, at depth 1. */
void validation_init(struct validation *v, const struct model *m, unsigned n, uint64_t seed);
void validation_release(struct validation *v);

/* Measures them; 0, or what @measure returned when it did not return 0: then what was measured
 * before is there. */
int validation_run(struct validation *v,
		   int (*measure)(void *arg, const struct workload *w, double *rate), void *arg);

/* Measures the workloads on the target of @m, with the limits of @m. -ETIME, after a warning: they
 * have taken @budget_ns (0: no limit), without the filling of the target. @how gives the options
 * that a result does not have: destroy, signature, parent. */
struct rig_options;
int validation_measure(struct validation *v, const struct rig_options *how, uint64_t budget_ns);

/* What was measured: the mean of the passes that there are. NaN: of none. */
double trial_measured(const struct trial *t);

/* Error of a prediction, |predicted - measured| / measured; and that of the second pass, taken
 * for a prediction of the first. NaN: not known. */
double trial_error(const struct trial *t);
double trial_again(const struct trial *t);

enum place { PLACE_INSIDE, PLACE_OUTSIDE, PLACE_ALL }; /* a border */
struct errors validation_errors(const struct validation *v, enum place place);

/* What all workloads have in common, because the system was another at another time: medians
 * of predicted / measured, and of the second pass / the first. */
struct drift {
	double predicted, repeated;
};
struct drift validation_drift(const struct validation *v);
/* Median, 75 % and 90 % of the errors of predictions that are divided by the first of these: what a
 * prediction is off by, apart from what nobody can know. */
void validation_apart(const struct validation *v, enum place place, double share[3]);

void validation_text(FILE *f, const struct validation *v);
struct out *validation_json(const struct validation *v);

#endif
