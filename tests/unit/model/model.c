// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the reader of results of bench scale, which may be hostile files. A point is a measured
 * workload, and a curve goes through points that differ in one parameter. A border lies between two
 * regions of uniqueBytes; there, performance falls. Kriging predicts by interpolation between the
 * positions of points, which have a coordinate for each parameter. */
#include <stdlib.h>
#include <string.h>
#include "user/base/out-read.h"
#include "user/base/reading.h"
#include "tests/unit/capture.h"
#include "tests/unit/made-model.h"
#include "bench/model/model-kriging.h"

TEST(the_whole_result_is_read)
{
	struct model *m = made_model(made_result(0.02));
	const struct series *sizes = &m->regions[1].series[PARAM_SIZE];

	EXPECT_TRUE(m->complete);
	EXPECT_EQ(m->axes[PARAM_PROCS].max, 64);
	EXPECT_EQ(m->axes[PARAM_DEPTH].max, 1);
	EXPECT_EQ(m->sweep.n, 6);
	EXPECT_EQ(m->borders_n, 1);
	EXPECT_EQ(m->borders[0].range.max, 128 * MADE_MB);
	EXPECT_EQ(m->borders[0].confidence, 0.9);
	EXPECT_EQ(m->regions_n, 2);
	EXPECT_EQ(m->regions[1].focal.v[PARAM_UNIQUE_BYTES], made_disk.bytes);
	EXPECT_EQ(sizes->n, 7);
	EXPECT_EQ(sizes->points[6].at.v[PARAM_SIZE], MADE_MB);
	EXPECT_NEAR(sizes->points[6].value[QUANTITY_BANDWIDTH],
		    made_rate(&made_disk, sizes->points[6].at.v), 1);
	EXPECT_EQ(sizes->points[6].half_width, 0.02);
	EXPECT_TRUE(sizes->points[6].steady);
	EXPECT_EQ(m->outside.workloads, 0);
	EXPECT_EQ(m->regions[1].series[PARAM_DEPTH].n, 0);
	model_free(m);
	model_free(NULL);
}

/* If a load was not steady, successive rates are correlated, so the confidence interval in the
 * result is too narrow. The model must widen it to at least HALF_NOT_STEADY. */
TEST(an_unsteady_point_has_a_wide_interval)
{
	static const double halves[] = { 0.01, 0.5, NAN };
	struct out *doc = made_result(0.02), *points = out_array();
	struct workload w = made_focal;
	struct model *m;

	w.v[0] = 8 * MADE_MB;
	for (int i = 0; i < 3; i++) {
		struct out *point = made_point(1e6, &w, halves[i]);

		out_bool(point, "steady", false);
		out_append(points, point);
	}
	out_put(doc, "points", points);
	m = made_model(doc);
	EXPECT_EQ(m->points[0].half_width, HALF_NOT_STEADY);
	EXPECT_EQ(m->points[1].half_width, 0.5);
	EXPECT_TRUE(isnan(m->points[2].half_width));
	model_free(m);
}

/* Kriging predicts similar performance for points with similar positions. At a border, similar
 * amounts of data have very different performance. So a position has one more coordinate: the
 * performance that the curve over unique_bytes gives. It is in element PARAM_DEPTH. */
TEST(a_position_has_the_height_of_the_curve_over_unique_bytes)
{
	struct model *m = made_model(made_result(0.02));
	double cache[MODEL_DIRECTIONS], border[MODEL_DIRECTIONS], disk[MODEL_DIRECTIONS];
	struct workload w = made_focal;

	w.v[PARAM_UNIQUE_BYTES] = 8 * MADE_MB;
	model_place(m, &w, cache);
	w.v[PARAM_UNIQUE_BYTES] = 96 * MADE_MB;
	model_place(m, &w, border);
	w.v[PARAM_UNIQUE_BYTES] = 128 * MADE_MB;
	model_place(m, &w, disk);
	EXPECT_NEAR(cache[PARAM_DEPTH], 1, 0.1);
	EXPECT_GT(border[PARAM_DEPTH], disk[PARAM_DEPTH] + 0.1);
	EXPECT_LT(border[PARAM_DEPTH], cache[PARAM_DEPTH] - 0.1);
	EXPECT_NEAR(disk[PARAM_DEPTH], 0, 0.1);
	EXPECT_LT(disk[PARAM_UNIQUE_BYTES] - cache[PARAM_UNIQUE_BYTES], 0.5);
	model_free(m);
}

/* A result has 0 or null as the BPS of a layer without accesses. The model must turn both into
 * NaN. */
TEST(no_access_is_no_rate)
{
	static const double nothing[] = { 0, NAN };

	for (int i = 0; i < 2; i++) {
		struct out *doc = made_result(0.02), *layers = out_object(), *point;
		struct out *sweep = out_array();
		struct workload w = made_focal;
		struct model *m;

		w.v[0] = 4096;
		point = made_point(1e6, &w, 0.1);
		out_put(layers, "device", made_layer(nothing[i]));
		out_put(point, "layers", layers);
		out_append(sweep, point);
		out_put(doc, "sweep", sweep);
		m = made_model(doc);
		EXPECT_TRUE(isnan(m->sweep.points[0].value[QUANTITY_BPS_DEVICE]));
		EXPECT_TRUE(isnan(m->sweep.points[0].value[QUANTITY_BPS_APP]));
		EXPECT_EQ(m->sweep.points[0].value[QUANTITY_BANDWIDTH], 1e6);
		model_free(m);
	}
}

static const char *error_of(struct out *doc)
{
	struct capture c = capture_start(STDERR_FILENO);
	struct model *m;

	seal(doc);
	m = model_of(doc, "bad.json");
	EXPECT_TRUE(m == NULL);
	model_free(m);
	return capture_end(c);
}

static void expect_wrong(struct out *doc, const char *why)
{
	char expected[300];

	snprintf(expected, sizeof(expected),
		 "iospan: 'bad.json' is no result of 'bench scale': %s\n", why);
	EXPECT_STR(error_of(doc), expected);
}

/* Returns a result in which the value of @key is the JSON text @json. */
static struct out *with(const char *key, const char *json)
{
	struct out *doc = made_result(0.02), *value = out_parse(json, strlen(json));

	ASSERT_TRUE(value != NULL);
	out_put(doc, key, value);
	return doc;
}

#define WORKLOAD \
	"{\"unique_bytes\": 4096, \"size_bytes\": 512, \"read_fraction\": 1, " \
	"\"sequential_fraction\": 1, \"process_count\": 1}"

TEST(an_error_names_its_place)
{
	struct out *command = made_result(0.02);

	out_str(command, "command", "bench load");
	expect_wrong(command, "it is the output of another command");
	expect_wrong(with("regions", "[]"), "it has no regions");
	expect_wrong(with("regions", "[3]"), "regions[0]: 'from_bytes' is no number from 0 on");
	expect_wrong(with("regions", "{\"a\": 1}"), "regions: is no array of at most 100000");
	expect_wrong(with("regions", "[{\"from_bytes\": 9, \"to_bytes\": 8}]"),
		     "regions[0]: 'from_bytes' to 'to_bytes' is no range of 'unique_bytes'");
	expect_wrong(with("regions", "[{\"from_bytes\": 7, \"to_bytes\": 8}]"),
		     "regions[0]: 'focal' has no valid 'unique_bytes'");
	expect_wrong(with("regions",
			  "[{\"from_bytes\": 7, \"to_bytes\": 8, \"focal\": " WORKLOAD
			  ", \"curves\": {\"sequential_fraction\": [{}]}}]"),
		     "regions[0].sequential_fraction[0]: 'workload' has no valid 'unique_bytes'");
	expect_wrong(with("sweep", "[{\"workload\": " WORKLOAD ", \"latency_mean_ns\": -1}]"),
		     "sweep[0]: 'latency_mean_ns' is no number from 0 on");
	expect_wrong(
		with("sweep", "[{\"workload\": " WORKLOAD ", \"half_width_fraction\": \"1\"}]"),
		"sweep[0]: 'half_width_fraction' is no number from 0 on");
	expect_wrong(with("sweep", "[{\"workload\": " WORKLOAD "}, {\"workload\": " WORKLOAD "}]"),
		     "'sweep' does not ascend at point 1");
	expect_wrong(with("borders",
			  "[{\"from_bytes\": 5, \"to_bytes\": 6, "
			  "\"unique_bytes\": 7}]"),
		     "borders[0]: 'unique_bytes' is no number from 5 to 6");
	expect_wrong(with("axes", "{}"), "axes.unique_bytes: 'min' is no number from 0 on");
	expect_wrong(with("validation", "{\"inside_border\": {\"workload_count\": -3}}"),
		     "validation.inside_border: 'workload_count' is no number from 0 to 1e+09");
}

/* Two sizes near 2^62 may differ, but have equal logarithms. Then they have the same position on
 * the axis, and interpolation would abort the program. So the reader must refuse them. */
TEST(numbers_with_equal_logarithms_do_not_ascend)
{
	expect_wrong(
		with("sweep",
		     "[{\"workload\": {\"unique_bytes\": 4611686018427387904, \"size_bytes\": 512, "
		     "\"read_fraction\": 1, \"sequential_fraction\": 1, \"process_count\": 1}}, "
		     "{\"workload\": {\"unique_bytes\": 4611686018427388928, \"size_bytes\": 512, "
		     "\"read_fraction\": 1, \"sequential_fraction\": 1, \"process_count\": 1}}]"),
		"'sweep' does not ascend at point 1");
}

TEST(regions_ascend)
{
	struct out *doc = made_result(0.02), *regions = out_array();

	out_append(regions, made_region(&made_disk, 0.02));
	out_append(regions, made_region(&made_cache, 0.02));
	out_put(doc, "regions", regions);
	expect_wrong(doc, "regions[1] overlaps the one before");
}

TEST(a_changed_result_is_refused)
{
	struct capture c = capture_start(STDERR_FILENO);
	struct out *doc = made_result(0.02), *other;
	struct model *unsealed = model_of(made_result(0.02), "bad.json");

	seal(doc);
	other = out_object();
	out_f64(other, "min", 1);
	out_f64(other, "max", 9);
	out_put(doc, "axes", other);
	EXPECT_TRUE(model_of(doc, "bad.json") == NULL);
	EXPECT_TRUE(unsealed == NULL);
	EXPECT_STR(capture_end(c),
		   "iospan: 'bad.json' is no result of 'bench scale': it has no hash\n"
		   "iospan: 'bad.json' was changed after it was made: its hash does not match\n");
}

TEST_MAIN
