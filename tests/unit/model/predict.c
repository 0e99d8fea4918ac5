// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests predictions for a system with a known formula. A point is a measured workload, and a curve
 * goes through points that differ in one parameter. All curves of a region meet in its focal point.
 * A border lies between two regions of uniqueBytes; there, performance falls. A validation measures
 * random workloads, to show the errors of predictions. */
#include <math.h>
#include <stdlib.h>
#include "bench/model/predict.h"
#include "tests/unit/made-model.h"
#include "user/base/out-read.h"

static struct workload at(double mb, double size, double read, double seq, double procs)
{
	return (struct workload){ { mb * MADE_MB, size, read, seq, procs, 1 } };
}

static void expect_share(double seen, double expected)
{
	EXPECT_NEAR(seen / expected, 1, 1e-9);
}

/* A product of curves assumes that no parameter influences the effect of another (Chen and
 * Patterson 1993, section 9). The simulated system meets this assumption, so the predictions must
 * be exact. */
TEST(a_product_of_curves_is_predicted_exactly)
{
	struct range ranges[PARAMETERS] = MADE_AXES;
	struct model *m = made_model(made_result(0.01));
	struct workload *w = workloads_random(ranges, HUGE_VAL, 500, 1);
	unsigned n[2] = {};

	for (int i = 0; i < 500; i++) {
		struct prediction p = predict(m, &w[i]);
		bool disk = p.region == &m->regions[1];
		double rate = made_rate(disk ? &made_disk : &made_cache, w[i].v);

		if (w[i].v[0] > 64 * MADE_MB && w[i].v[0] < 128 * MADE_MB)
			continue;
		n[disk]++;
		EXPECT_EQ(disk, w[i].v[0] >= 128 * MADE_MB);
		EXPECT_TRUE(!p.border && !p.outside && !p.unknown);
		expect_share(p.of[QUANTITY_BANDWIDTH].value, rate);
		expect_share(p.of[QUANTITY_IOPS].value, rate / w[i].v[PARAM_SIZE]);
		expect_share(p.of[QUANTITY_ARPT].value, made_arpt(rate, w[i].v));
		expect_share(p.of[QUANTITY_BPS_APP].value, rate / 512);
		expect_share(p.of[QUANTITY_BPS_DEVICE].value, rate / 256);
		EXPECT_TRUE(isnan(p.of[QUANTITY_BPS_VFS].value));
	}
	EXPECT_GT(n[0], 100);
	EXPECT_GT(n[1], 100);
	free(w);
	model_free(m);
}

/* The focal point was measured 3 times too slow. A prediction divides up to three times by the
 * value of the focal point. So without a correction, predictions would be up to 3^3 = 27 times too
 * fast. */
TEST(an_uncertain_focal_point_is_corrected)
{
	struct model *m = made_model(made_result(0.01));
	struct region *r = &m->regions[0];

	for (enum parameter p = 0; p < PARAM_DEPTH; p++) {
		struct point *focal = &r->series[p].points[3];

		ASSERT_EQ(focal->at.v[p], p ? made_focal.v[p] : made_cache.bytes);
		focal->value[QUANTITY_BANDWIDTH] /= 3;
		focal->half_width = 0.7;
	}
	EXPECT_NEAR(model_settled_focal(r, QUANTITY_BANDWIDTH) / (800 * MADE_MB), 1, 0.01);
	model_free(m);
}

/* A focal point with a narrow confidence interval must keep its value, even if the curves have a
 * bend there. */
TEST(a_certain_focal_point_is_kept)
{
	struct model *m = made_model(made_result(0.0005));
	struct region *r = &m->regions[0];

	for (enum parameter p = 0; p < PARAM_DEPTH; p++) {
		r->series[p].points[3].value[QUANTITY_BANDWIDTH] *= 1.2;
		r->series[p].points[3].half_width = 0.001;
	}
	EXPECT_NEAR(model_settled_focal(r, QUANTITY_BANDWIDTH) / (1.2 * 800 * MADE_MB), 1, 0.001);
	model_free(m);
}

/* At the focal point, one curve has twice the bandwidth of the other curves. Predictions use a
 * corrected value for the focal point. The points of the curves must keep their measured values. */
TEST(the_points_of_a_region_keep_their_measured_values)
{
	static const struct range axes[PARAMETERS] = MADE_AXES;
	struct out *doc = made_result(0.01), *region = made_region(&made_cache, 0.01);
	struct made_side fast = made_cache;
	struct workload focal = made_focal;
	struct out *regions = out_array();
	const struct region *r;
	struct model *m;

	fast.level *= 2;
	focal.v[0] = made_cache.bytes;
	out_put((struct out *)out_get(region, "curves"), "process_count",
		made_curve(&fast, &focal, PARAM_PROCS, axes[PARAM_PROCS], 0.01));
	out_append(regions, region);
	out_append(regions, made_region(&made_disk, 0.01));
	out_put(doc, "regions", regions);
	m = made_model(doc);
	r = &m->regions[0];
	expect_share(r->series[PARAM_SIZE].points[3].value[QUANTITY_BANDWIDTH], 800 * MADE_MB);
	expect_share(r->series[PARAM_PROCS].points[3].value[QUANTITY_BANDWIDTH], 1600 * MADE_MB);
	EXPECT_GT(model_settled_focal(r, QUANTITY_BANDWIDTH), 850 * MADE_MB);
	model_free(m);
}

TEST(parameters_not_given_are_at_the_focal_point)
{
	struct model *m = made_model(made_result(0.01));
	struct workload w = { { NAN, NAN, NAN, NAN, NAN, NAN } };
	struct prediction p = predict(m, &w);

	EXPECT_TRUE(p.region == &m->regions[0]);
	EXPECT_EQ(p.at.v[PARAM_UNIQUE_BYTES], 8 * MADE_MB);
	EXPECT_EQ(p.at.v[PARAM_PROCS], 8);
	expect_share(p.of[QUANTITY_BANDWIDTH].value, 800 * MADE_MB);
	w.v[PARAM_UNIQUE_BYTES] = 1000 * MADE_MB;
	p = predict(m, &w);
	EXPECT_TRUE(p.region == &m->regions[1]);
	EXPECT_EQ(p.at.v[PARAM_SIZE], 65536);
	model_free(m);
}

/* A prediction from k curves multiplies the values of k points, and divides k - 1 times by the same
 * focal point. So its relative variance is k + (k - 1)^2 times that of a point. */
TEST(bands_are_those_of_the_points)
{
	static const double squares[] = { 1, 1 + 0, 2 + 1, 3 + 4, 4 + 9 };
	struct model *m = made_model(made_result(0.02));
	struct workload steps[] = {
		at(8, 65536, 0.5, 0.5, 8), at(8, 4096, 0.5, 0.5, 8), at(8, 4096, 0.9, 0.5, 8),
		at(8, 4096, 0.9, 0.1, 8),  at(8, 4096, 0.9, 0.1, 2),
	};

	for (int k = 0; k < 5; k++) {
		struct prediction p = predict(m, &steps[k]);
		const struct estimate *e = &p.of[QUANTITY_ARPT];

		EXPECT_EQ(p.band, BAND_POINTS);
		expect_share(e->high / e->value, 1 + 0.02 * sqrt(squares[k]));
		expect_share(e->value / e->low, 1 + 0.02 * sqrt(squares[k]));
	}
	model_free(m);
}

TEST(points_without_an_interval_give_no_band)
{
	struct model *m = made_model(made_result(NAN));
	struct workload w = at(8, 4096, 0.9, 0.1, 2);
	struct prediction p = predict(m, &w);

	EXPECT_EQ(p.band, BAND_NONE);
	EXPECT_TRUE(isnan(p.of[QUANTITY_BANDWIDTH].low));
	EXPECT_TRUE(isnan(p.of[QUANTITY_BANDWIDTH].high));
	EXPECT_TRUE(p.of[QUANTITY_BANDWIDTH].value > 0);
	model_free(m);
}

/* The bandwidth is 800 MB/s where the border starts, and 100 MB/s where it ends. The model assumes
 * that inside a border, some requests take the time of the start, and the others the time of the
 * end. At 80 MB, the curve gives 200 MB/s. So the fraction of slow requests is (1/200 - 1/800) /
 * (1/100 - 1/800) = 3/7. */
TEST(at_a_border_the_curve_over_unique_bytes_gives_the_fractions)
{
	struct model *m = made_model(made_result(0.02));
	struct workload w = at(80, 16384, 0.8, 0.2, 3);
	struct workload end = at(64, 16384, 0.8, 0.2, 3), begin = at(128, 16384, 0.8, 0.2, 3);
	double before = made_rate(&made_cache, end.v), after = made_rate(&made_disk, begin.v);
	struct prediction p = predict(m, &w);
	const struct estimate *e = &p.of[QUANTITY_BANDWIDTH];

	EXPECT_TRUE(p.border == &m->borders[0]);
	EXPECT_EQ(p.band, BAND_BORDER);
	expect_share(e->value, 1 / (4 / before / 7 + 3 / after / 7));
	EXPECT_LT(e->low, after);
	EXPECT_GT(e->high, before);
	expect_share(p.of[QUANTITY_ARPT].value,
		     made_arpt(before, end.v) * 4 / 7 + made_arpt(after, begin.v) * 3 / 7);
	model_free(m);
}

TEST(predictions_are_continuous_at_the_ends_of_a_border)
{
	struct model *m = made_model(made_result(0.02));
	static const double ends[] = { 64, 128 };

	for (int i = 0; i < 2; i++) {
		struct workload in = at(ends[i] * (i ? 1 - 1e-9 : 1 + 1e-9), 8192, 0.1, 1, 30);
		struct workload out = at(ends[i], 8192, 0.1, 1, 30);
		struct prediction a = predict(m, &in), b = predict(m, &out);

		EXPECT_TRUE(a.border && !b.border);
		EXPECT_NEAR(a.of[QUANTITY_BANDWIDTH].value / b.of[QUANTITY_BANDWIDTH].value, 1,
			    1e-6);
	}
	model_free(m);
}

TEST(without_a_curve_over_unique_bytes_the_fraction_is_linear)
{
	struct out *doc = made_result(0.02);
	struct workload w = at(sqrt(64 * 128), 65536, 0.5, 0.5, 8);
	struct workload end = at(64, 65536, 0.5, 0.5, 8), begin = at(128, 65536, 0.5, 0.5, 8);
	struct prediction p;
	struct model *m;

	out_put(doc, "sweep", out_array());
	m = made_model(doc);
	p = predict(m, &w);
	expect_share(2 / p.of[QUANTITY_BANDWIDTH].value,
		     1 / made_rate(&made_cache, end.v) + 1 / made_rate(&made_disk, begin.v));
	model_free(m);
}

TEST(outside_a_curve_its_end_is_used)
{
	struct model *m = made_model(made_result(0.02));
	struct workload w = at(8, 4 * MADE_MB, 0.5, 0.5, 256);
	struct workload ends = at(8, MADE_MB, 0.5, 0.5, 64);
	struct prediction p = predict(m, &w);

	EXPECT_EQ(p.outside, 1U << PARAM_SIZE | 1U << PARAM_PROCS);
	EXPECT_EQ(p.unknown, 0);
	EXPECT_EQ(p.band, BAND_NONE);
	expect_share(p.of[QUANTITY_BANDWIDTH].value, made_rate(&made_cache, ends.v));
	EXPECT_TRUE(isnan(p.of[QUANTITY_BANDWIDTH].low));
	w = at(5000, 65536, 0.5, 0.5, 8);
	EXPECT_EQ(predict(m, &w).outside, 1U << PARAM_UNIQUE_BYTES);
	model_free(m);
}

TEST(a_parameter_without_a_curve_is_reported)
{
	struct model *m = made_model(made_result(0.02));
	struct workload w = at(8, 65536, 0.5, 0.5, 8);

	EXPECT_EQ(predict(m, &w).unknown, 0);
	w.v[PARAM_DEPTH] = 4;
	EXPECT_EQ(predict(m, &w).unknown, 1U << PARAM_DEPTH);
	EXPECT_EQ(predict(m, &w).band, BAND_NONE);
	expect_share(predict(m, &w).of[QUANTITY_BANDWIDTH].value, 800 * MADE_MB);
	model_free(m);
}

static struct out *errors_of(double p90)
{
	struct errors e = { 40, { 0.05, 0.1, p90, 0.01, 0.02, 0.03 } };

	return errors_json(&e);
}

/* The band is the range around a prediction. Its width comes from the errors of the validation. If
 * the confidence intervals of the points are wider, its width comes from these instead. */
TEST(a_validation_gives_the_band)
{
	struct out *doc = made_result(0.02), *validation = out_object();
	struct workload w = at(8, 4096, 0.5, 0.5, 8), inside = at(100, 4096, 0.5, 0.5, 8);
	struct prediction p;
	struct model *m;

	out_put(validation, "outside_border", errors_of(0.25));
	out_put(validation, "inside_border", errors_of(0.5));
	out_put(doc, "validation", validation);
	m = made_model(doc);
	p = predict(m, &w);
	EXPECT_EQ(p.band, BAND_VALIDATION);
	expect_share(p.of[QUANTITY_BANDWIDTH].high / p.of[QUANTITY_BANDWIDTH].value, 1.25);
	p = predict(m, &inside);
	EXPECT_EQ(p.band, BAND_VALIDATION);
	expect_share(p.of[QUANTITY_IOPS].value / p.of[QUANTITY_IOPS].low, 1.5);
	model_free(m);
}

TEST(wide_points_replace_a_validation)
{
	struct out *doc = made_result(0.3), *validation = out_object();
	struct workload w = at(8, 4096, 0.5, 0.5, 8);
	struct prediction p;
	struct model *m;

	out_put(validation, "outside_border", errors_of(0.25));
	out_put(doc, "validation", validation);
	m = made_model(doc);
	p = predict(m, &w);
	expect_share(p.of[QUANTITY_BANDWIDTH].high / p.of[QUANTITY_BANDWIDTH].value, 1.3);
	model_free(m);
}

TEST_MAIN
