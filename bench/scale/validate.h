/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures random workloads, and compares them with predictions, as Chen and Patterson 1993
 * (figures 12 to 14) do; PASSES times, because a system may drift within seconds. */
#ifndef IOSPAN_BENCH_VALIDATE_H
#define IOSPAN_BENCH_VALIDATE_H

#include "bench/model/predict.h"
#include "user/result/view.h"

#define PASSES 6

struct trial {
	struct prediction p;
	double rate[PASSES]; /* bytes per second in each pass; NaN: not measured */
};

struct validation {
	const struct model *m;
	uint64_t seed, elapsed_ns;
	struct trial *trials;
	unsigned n;
};

/* Draws @n workloads with depth 1 from the measured ranges of @m, which must outlive @v. */
void validation_init(struct validation *v, const struct model *m, unsigned n, uint64_t seed);
void validation_release(struct validation *v);

/* Measures all workloads PASSES times. Returns the first error of @measure; @v then has the results
 * so far. */
int validation_run(struct validation *v,
		   int (*measure)(void *arg, const struct workload *w, double *rate), void *arg);

/* Measures on the target of @m, and sorts by error, largest first. @how: destroy, signature,
 * parent. @budget_ns: without the time to fill the target; 0: none. Returns 0, -ETIME (with a
 * warning), or -errno; prints the error. */
struct rig_options;
int validation_measure(struct validation *v, const struct rig_options *how, uint64_t budget_ns);

/* Returns the measured bytes per second, as the mean of the passes; NaN: not measured. */
double trial_measured(const struct trial *t);

/* Return |predicted - measured| / measured, and the same of the second pass against the first,
 * which no prediction can beat. NaN: unknown. */
double trial_error(const struct trial *t);
double trial_again(const struct trial *t);

/* workloads at a border between regions, all others, both */
enum trial_place { PLACE_INSIDE, PLACE_OUTSIDE, PLACE_ALL };
struct errors validation_errors(const struct validation *v, enum trial_place place);

/* Factors (medians) by which the whole system's speed changed: since the predictions, since pass
 * 1. */
struct drift {
	double predicted, repeated;
};
struct drift validation_drift(const struct validation *v);
/* Sets @share to the median, 75th and 90th percentile of the errors without the common drift. */
void validation_apart(const struct validation *v, enum trial_place place, double share[3]);

struct out *validation_json(const struct validation *v);
/* Adds the validation and its conclusion to the document @doc of iospan predict. */
void validation_put(struct out *doc, const struct validation *v);
extern const struct view validation_views[];

#endif
