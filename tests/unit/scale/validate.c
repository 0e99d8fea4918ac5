// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the validation of predictions on a system with known errors. A validation measures random
 * workloads, each once in each of several passes. Some of the workloads lie at a border between two
 * regions of uniqueBytes, where performance falls. */
#include <errno.h>
#include <stdlib.h>
#include "bench/scale/methods.h"
#include "tests/unit/made-model.h"

#define N 60

/* A system with known errors: measurement i is the predicted value times .factors[i]. */
struct system {
	double factors[PASSES][N];
	unsigned calls, end, refused;
};

static double formula(const double *v)
{
	return made_rate(v[0] < 96 * MADE_MB ? &made_cache : &made_disk, v);
}

static int measure(void *arg, const struct workload *w, double *rate)
{
	struct system *s = arg;

	if (s->calls == s->end) {
		s->refused++;
		return -EINTR;
	}
	*rate = formula(w->v) * s->factors[s->calls / N][s->calls % N];
	s->calls++;
	return 0;
}

/* Fills in factors from 1 to 1 + @most, ascending in equal steps. */
static void fill(double factors[N], double most)
{
	for (int i = 0; i < N; i++)
		factors[i] = 1 + most * i / (N - 1);
}

static void fill_all(struct system *s, double most)
{
	for (int pass = 0; pass < PASSES; pass++)
		fill(s->factors[pass], most);
}

static struct validation validated(const struct model *m, struct system *s, int ret)
{
	struct validation v;

	validation_init(&v, m, N, 1);
	EXPECT_EQ(validation_run(&v, measure, s), ret);
	return v;
}

/* In pass 1, each workload is faster than predicted. In pass 2, it is slower by the same amount, so
 * the errors cancel in the mean. The test also checks that the errors inside a border are reported
 * separately. */
TEST(errors_are_those_of_the_factors)
{
	struct model *m = made_model(made_result(0.02));
	struct system s = { .end = PASSES * N };
	struct validation v;
	struct errors in, out, all;
	unsigned borders = 0;

	fill_all(&s, 0);
	fill(s.factors[1], 0.2);
	for (int i = 0; i < N; i++)
		s.factors[2][i] = 2 - s.factors[1][i];
	v = validated(m, &s, 0);
	in = validation_errors(&v, PLACE_INSIDE);
	out = validation_errors(&v, PLACE_OUTSIDE);
	all = validation_errors(&v, PLACE_ALL);
	for (int i = 0; i < N; i++)
		borders += v.trials[i].p.at.v[0] > 64 * MADE_MB &&
			v.trials[i].p.at.v[0] < 128 * MADE_MB;
	EXPECT_GT(borders, 0);
	EXPECT_EQ(in.workloads, borders);
	EXPECT_EQ(out.workloads, N - borders);
	EXPECT_EQ(all.workloads, N);
	EXPECT_NEAR(out.share[ERROR_P90], 0, 1e-9);
	EXPECT_GT(in.share[ERROR_MEDIAN], 0.01);
	EXPECT_NEAR(all.share[AGAIN_MEDIAN], 0.1, 1e-9);
	EXPECT_NEAR(all.share[AGAIN_P75], 0.15, 1e-9);
	EXPECT_NEAR(all.share[AGAIN_P90], 0.18, 1e-9);
	EXPECT_NEAR(validation_drift(&v).predicted, 1, 1e-9);
	EXPECT_NEAR(validation_drift(&v).repeated, 1.1, 1e-9);
	validation_release(&v);
	model_free(m);
}

/* In one of six passes, each workload is 2.5 times as fast as predicted. In the others, it is as
 * fast as predicted. So the mean is 1.25 times the prediction. The error |predicted - measured| /
 * measured is 0.25 / 1.25. */
TEST(an_error_is_a_fraction_of_the_measurement)
{
	struct model *m = made_model(made_result(0.02));
	struct system s = { .end = PASSES * N };
	struct validation v;
	double apart[3];

	fill_all(&s, 0);
	for (int i = 0; i < N; i++)
		s.factors[0][i] = 1 + 0.25 * PASSES;
	v = validated(m, &s, 0);
	EXPECT_NEAR(validation_errors(&v, PLACE_OUTSIDE).share[ERROR_MEDIAN], 0.2, 1e-9);
	EXPECT_NEAR(validation_errors(&v, PLACE_OUTSIDE).share[AGAIN_MEDIAN], 0.6, 1e-9);
	EXPECT_NEAR(validation_drift(&v).predicted, 0.8, 1e-9);
	EXPECT_NEAR(validation_drift(&v).repeated, 0.4, 1e-9);
	validation_apart(&v, PLACE_OUTSIDE, apart);
	/* All workloads are faster than predicted by the same factor. So apart from this factor,
	 * the error is 0. */
	EXPECT_NEAR(apart[0], 0, 1e-9);
	validation_release(&v);
	model_free(m);
}

/* A third of the workloads is 1.6 times as fast as predicted, and the others are 2 times as fast.
 * Without the common factor 2, the error of that third is 2 / 1.6 - 1, or 25 %. */
TEST(errors_without_the_common_factor)
{
	struct model *m = made_model(made_result(0.02));
	struct system s = { .end = PASSES * N };
	struct validation v;
	double apart[3];

	fill_all(&s, 0);
	for (int pass = 0; pass < PASSES; pass++)
		for (int i = 0; i < N; i++)
			s.factors[pass][i] = i % 3 ? 2 : 1.6;
	v = validated(m, &s, 0);
	validation_apart(&v, PLACE_OUTSIDE, apart);
	EXPECT_NEAR(validation_drift(&v).predicted, 0.5, 1e-9);
	EXPECT_NEAR(apart[0], 0, 1e-9);
	EXPECT_NEAR(apart[2], 0.25, 1e-9);
	validation_release(&v);
	model_free(m);
}

/* Outside borders, a prediction by the product of curves must be exact. A single-point benchmark
 * predicts the same bandwidth for all workloads: that of one region's focal point, its middle
 * workload. Here, this is 800 or 100 MB/s. */
TEST(each_way_predicts_the_same_workloads)
{
	static const double focal[] = { 800 * MADE_MB, 100 * MADE_MB };
	struct model *m = made_model(made_result(0.02));
	struct system s = { .end = PASSES * N };
	struct validation v;

	fill_all(&s, 0);
	v = validated(m, &s, 0);
	ASSERT_EQ(ways_count(m), METHODS + 2);
	for (unsigned i = 0; i < N; i++) {
		const struct trial *t = &v.trials[i];

		if (!t->p.border)
			EXPECT_NEAR(way_predicts(m, METHOD_PRODUCT, t) / formula(t->p.at.v), 1,
				    1e-6);
		EXPECT_TRUE(isnan(way_predicts(m, METHOD_KRIGING, t)));
		for (int r = 0; r < 2; r++)
			EXPECT_NEAR(way_predicts(m, METHODS + r, t) / focal[r], 1, 1e-6);
	}
	validation_release(&v);
	model_free(m);
}

TEST(an_interrupted_validation_keeps_its_measurements)
{
	struct model *m = made_model(made_result(0.02));
	struct system s = { .end = N + 10 };
	struct validation v;

	fill_all(&s, 0);
	v = validated(m, &s, -EINTR);
	EXPECT_EQ(s.refused, 1);
	EXPECT_EQ(validation_errors(&v, PLACE_ALL).workloads, N);
	EXPECT_NEAR(validation_errors(&v, PLACE_ALL).share[AGAIN_P90], 0, 1e-9);
	EXPECT_TRUE(isnan(trial_again(&v.trials[10])));
	validation_release(&v);
	s = (struct system){ .end = 0 };
	v = validated(m, &s, -EINTR);
	EXPECT_EQ(validation_errors(&v, PLACE_ALL).workloads, 0);
	EXPECT_TRUE(isnan(validation_errors(&v, PLACE_ALL).share[ERROR_MEDIAN]));
	validation_release(&v);
	model_free(m);
}

/* If a result contains a validation, later predictions must take their range (band) from the errors
 * of the validation. */
TEST(later_predictions_use_the_validation)
{
	struct model *m = made_model(made_result(0.02)), *next;
	struct out *doc = made_result(0.02);
	struct system s = { .end = PASSES * N };
	struct validation v;
	struct errors e;
	struct workload w = made_focal;

	fill_all(&s, 0.3);
	v = validated(m, &s, 0);
	out_put(doc, "validation", validation_json(&v));
	next = made_model(doc);
	e = validation_errors(&v, PLACE_OUTSIDE);
	w.v[0] = 8 * MADE_MB;
	EXPECT_EQ(next->outside.workloads, e.workloads);
	EXPECT_NEAR(next->outside.share[ERROR_P90], e.share[ERROR_P90], 1e-12);
	EXPECT_EQ(predict(next, &w).band, BAND_VALIDATION);
	EXPECT_EQ(next->seen_n, N);
	EXPECT_EQ(next->seen[N - 1].measured, trial_measured(&v.trials[N - 1]));
	EXPECT_EQ(next->seen[N - 1].predicted, v.trials[N - 1].p.of[QUANTITY_BANDWIDTH].value);
	validation_release(&v);
	model_free(m);
	model_free(next);
}

TEST_MAIN
