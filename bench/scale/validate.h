/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Validation: measures random workloads (trials), and compares the results with predictions. Chen
 * and Patterson 1993 (figures 12 to 14) measure each workload twice. Here, each workload is
 * measured PASSES times, because a system may drift within seconds. */
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

/* Draws @n random workloads with depth 1 from the measured ranges of @m, and predicts their
 * performance. @m must stay valid as long as @v. */
void validation_init(struct validation *v, const struct model *m, unsigned n, uint64_t seed);
void validation_release(struct validation *v);

/* Makes PASSES passes. Each pass measures every workload once. Returns 0 or the first error of
 * @measure. After an error, @v has the results so far. */
int validation_run(struct validation *v,
		   int (*measure)(void *arg, const struct workload *w, double *rate), void *arg);

/* Measures the workloads. Then sorts them by the error of the prediction, the largest first. The
 * target and the memory limit are those of @m. @how gives the options .destroy, .signature and
 * .parent, which a result of bench scale does not contain. @budget_ns: time limit, without the time
 * to fill the target; 0: none. Returns 0 or -errno; prints the error. If the time limit has passed,
 * prints a warning and returns -ETIME. */
struct rig_options;
int validation_measure(struct validation *v, const struct rig_options *how, uint64_t budget_ns);

/* Returns the measured bytes per second, as the mean of the passes; NaN: not measured. */
double trial_measured(const struct trial *t);

/* trial_error() returns the error of the prediction, |predicted - measured| / measured.
 * trial_again() returns the difference of the first two passes, |second - first| / first. This
 * difference is due to chance, so no prediction can be expected to have a smaller error. Both
 * functions return NaN if the result is not known. */
double trial_error(const struct trial *t);
double trial_again(const struct trial *t);

/* PLACE_INSIDE: workloads at a border between regions. PLACE_OUTSIDE: all others. */
enum trial_place { PLACE_INSIDE, PLACE_OUTSIDE, PLACE_ALL };
struct errors validation_errors(const struct validation *v, enum trial_place place);

/* Drift of the whole system, as medians over the workloads. .predicted: predicted bandwidth /
 * measured bandwidth. .repeated: bandwidth in the second pass / bandwidth in the first pass. */
struct drift {
	double predicted, repeated;
};
struct drift validation_drift(const struct validation *v);
/* Sets @share to the median, 75th and 90th percentile of the prediction errors, without the drift
 * of the whole system. For this, divides each prediction by validation_drift().predicted. */
void validation_apart(const struct validation *v, enum trial_place place, double share[3]);

struct out *validation_json(const struct validation *v);
/* Adds the validation and its conclusion to the document @doc of iospan predict. */
void validation_put(struct out *doc, const struct validation *v);
extern const struct view validation_views[];

#endif
