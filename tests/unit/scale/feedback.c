// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the feedback of bench scale: it measures more workloads where predictions are bad. Here,
 * the system is simulated. The further workloads are called probes, and are measured in rounds. A
 * prediction multiplies values of curves; each curve covers one parameter. Kriging, an
 * interpolation between all measurements, corrects the prediction. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bench/scale/scale-result.h"
#include "bench/model/predict.h"
#include "user/base/out.h"
#include "tests/lib/harness.h"
#include "bench/model/model-kriging.h"

#define KIB 1024.0
#define MIB (1024 * KIB)
#define TRIES 200

struct system {
	double mixed;  /* slows large writes, but not large reads, so no product of curves fits */
	double corner; /* factor by which large writes (see in_corner()) take longer; 0: none */
	unsigned calls, probes, most, stop_after;
};

static struct system *measured;

static bool in_corner(const double *v)
{
	return v[PARAM_READ] < 0.3 && v[PARAM_SIZE] > 128 * KIB;
}

static double bandwidth_of(const struct system *s, const double *v)
{
	double ns = 10e3 * sqrt(v[PARAM_SIZE] / (4 * KIB)) * exp(v[PARAM_SEQ]);

	ns *= 1 + s->mixed * (1 - v[PARAM_READ]) * log2(v[PARAM_SIZE] / (4 * KIB));
	ns *= s->corner && in_corner(v) ? s->corner : 1;
	return v[PARAM_SIZE] / ns * 1e9 * sqrt(v[PARAM_PROCS] * v[PARAM_DEPTH]);
}

static int measure(void *arg, struct sample *p)
{
	struct system *s = arg;

	if (s->calls == s->stop_after)
		return -EINTR;
	s->calls++;
	s->probes += p->probe != PROBE_NONE;
	p->bandwidth = bandwidth_of(s, p->at.v);
	p->iops = p->bandwidth / p->at.v[PARAM_SIZE];
	p->latency_mean_ns = 1e9 / p->iops;
	p->half_width = 0.01;
	p->steady = true;
	p->layers = out_object();
	return 0;
}

static struct model *so_far(void *arg)
{
	return model_of(scale_document(arg), "made");
}

static bool goes_on(void *arg, u64 *elapsed_ns)
{
	*elapsed_ns = measured->calls;
	return measured->probes < measured->most;
}

static void begin(struct scale_result *r, struct system *s)
{
	s->stop_after = s->stop_after ?: -1U;
	measured = s;
	*r = (struct scale_result){
		.how.target = "made", .environment = out_object(),
		.evaluation = {
			.with_depth = true, .measure = measure, .arg = s, .buffer_bytes = 1024 * MIB,
			.axes = { [PARAM_UNIQUE_BYTES] = { MIB, 2048 * MIB },
				  [PARAM_SIZE] = { 4 * KIB, 1024 * KIB },
				  [PARAM_READ] = { 0, 1 }, [PARAM_SEQ] = { 0, 1 },
				  [PARAM_PROCS] = { 1, 16 }, [PARAM_DEPTH] = { 1, 64 } },
		},
	};
	r->feedback = (struct feedback){ .evaluation = &r->evaluation,
					 .seed = 1,
					 .model = so_far,
					 .goes_on = goes_on,
					 .arg = r };
}

static int run(struct scale_result *r)
{
	return evaluate(&r->evaluation) ?: feedback_run(&r->feedback);
}

static void end(struct scale_result *r)
{
	evaluation_release(&r->evaluation);
	out_free(r->environment);
}

/* Returns the median error of predictions for workloads that were not measured. */
static double error_of(const struct model *m, const struct system *s,
		       struct prediction (*by)(const struct model *m, const struct workload *w))
{
	struct range ranges[PARAMETERS];
	struct workload *w;
	double off[TRIES], share[3];

	memcpy(ranges, m->axes, sizeof(ranges));
	ranges[PARAM_DEPTH].max = 1;
	w = workloads_random(ranges, m->buffer_bytes, TRIES, 99);

	for (int i = 0; i < TRIES; i++) {
		double there = bandwidth_of(s, w[i].v);
		double v = by(m, &w[i]).of[QUANTITY_BANDWIDTH].value;

		off[i] = fabs(v - there) / there;
	}
	free(w);
	error_quantiles(off, TRIES, share);
	return share[0];
}

TEST(kriging_predicts_where_the_product_is_wrong)
{
	struct system s = { .mixed = 2, .most = 80 };
	struct scale_result r;
	struct model *m;
	double product, kriging, reported;

	begin(&r, &s);
	ASSERT_EQ(run(&r), 0);
	m = so_far(&r);
	EXPECT_EQ(m->method, METHOD_KRIGING);
	/* The feedback measures 80 further workloads (probes) in rounds. Each round has 5 random
	 * probes. Each round after the first also has 5 probes near large errors. So 45 of the 80
	 * probes are random. */
	EXPECT_EQ(m->seen_n, 45);
	product = error_of(m, &s, predict_product);
	kriging = error_of(m, &s, predict);
	reported = m->probed[METHOD_KRIGING].share[ERROR_MEDIAN];
	EXPECT_LT(kriging, product / 2);
	EXPECT_LT(reported, 2 * kriging);
	EXPECT_GT(reported, kriging / 2);
	EXPECT_NEAR(m->probed[METHOD_PRODUCT].share[ERROR_MEDIAN] / product, 1, 0.5);
	model_free(m);
	end(&r);
}

static double ratio(const struct model *m, const struct workload *a, const struct workload *b,
		    enum quantity q,
		    struct prediction (*by)(const struct model *m, const struct workload *w))
{
	return by(m, b).of[q].value / by(m, a).of[q].value;
}

/* Kriging multiplies the predicted bandwidth by a factor. It must correct the other predicted
 * quantities to match: it multiplies the IOPS by this factor, and divides the latency by it. */
TEST(kriging_corrects_all_quantities)
{
	struct workload at = { { 100 * MIB, 512 * KIB, 0.95, 0.5, 2, 1 } }, deep = at;
	struct system s = { .mixed = 2, .most = 30 };
	struct scale_result r;
	struct prediction product, by_kriging;
	struct model *m;
	double by;

	deep.v[PARAM_DEPTH] = 16;
	begin(&r, &s);
	ASSERT_EQ(run(&r), 0);
	m = so_far(&r);
	ASSERT_EQ(m->method, METHOD_KRIGING);
	product = predict_product(m, &at);
	by_kriging = predict(m, &at);
	EXPECT_EQ(by_kriging.method, METHOD_KRIGING);
	by = by_kriging.of[QUANTITY_BANDWIDTH].value / product.of[QUANTITY_BANDWIDTH].value;
	EXPECT_GT(fabs(by - 1), 0.05);
	EXPECT_NEAR(by_kriging.of[QUANTITY_IOPS].value / product.of[QUANTITY_IOPS].value / by, 1,
		    1e-9);
	EXPECT_NEAR(by_kriging.of[QUANTITY_ARPT].value / product.of[QUANTITY_ARPT].value * by, 1,
		    1e-9);
	EXPECT_NEAR(by_kriging.of[QUANTITY_BANDWIDTH].high /
			    by_kriging.of[QUANTITY_BANDWIDTH].value,
		    1 + m->probed[METHOD_KRIGING].share[ERROR_P90], 1e-9);
	for (enum quantity q = 0; q <= QUANTITY_ARPT; q++)
		EXPECT_NEAR(ratio(m, &at, &deep, q, predict) /
				    ratio(m, &at, &deep, q, predict_product),
			    1, 1e-9);
	model_free(m);
	end(&r);
}

TEST(the_product_stays_where_it_is_right)
{
	struct system s = { .most = 30 };
	struct scale_result r;
	struct model *m;

	begin(&r, &s);
	ASSERT_EQ(run(&r), 0);
	m = so_far(&r);
	EXPECT_EQ(m->method, METHOD_PRODUCT);
	EXPECT_LT(m->probed[METHOD_PRODUCT].share[ERROR_MEDIAN], 0.001);
	model_free(m);
	end(&r);
}

/* Predictions are bad for large writes, which are a fifth of the workloads. So more than a fifth of
 * the probes (measurements of further workloads) must be large writes. */
TEST(probes_go_where_predictions_are_wrong)
{
	struct system s = { .corner = 4, .most = 60 };
	unsigned random = 0, near = 0, random_in = 0, near_in = 0;
	struct scale_result r;

	begin(&r, &s);
	/* The seed is fixed, because the fraction of large writes among only 60 probes depends on
	 * chance. */
	r.feedback.seed = 8;
	ASSERT_EQ(run(&r), 0);
	for (unsigned i = 0; i < r.evaluation.points.n; i++) {
		const struct sample *p = r.evaluation.points.list[i];

		random += p->probe == PROBE_RANDOM;
		near += p->probe == PROBE_NEAR;
		random_in += p->probe == PROBE_RANDOM && in_corner(p->at.v);
		near_in += p->probe == PROBE_NEAR && in_corner(p->at.v);
	}
	EXPECT_EQ(random + near, 60);
	EXPECT_GT(near, 20);
	EXPECT_GT(near_in / (double)near, 1.5 * random_in / (double)random);
	end(&r);
}

TEST(the_error_is_reported_after_each_round)
{
	struct system s = { .mixed = 2, .most = 33 };
	struct scale_result r;
	const struct feedback *f = &r.feedback;

	begin(&r, &s);
	ASSERT_EQ(run(&r), 0);
	ASSERT_GE(f->steps_n, 4);
	for (unsigned i = 1; i < f->steps_n; i++) {
		EXPECT_GT(f->steps[i].probes, f->steps[i - 1].probes);
		EXPECT_GT(f->steps[i].elapsed_ns, f->steps[i - 1].elapsed_ns);
	}
	EXPECT_EQ(f->steps[f->steps_n - 1].probes, 33);
	end(&r);
}

TEST(resumes_with_the_same_steps)
{
	struct system s = { .mixed = 2, .most = 25 }, cut;
	struct scale_result whole, part, rest;
	struct out *doc;

	begin(&whole, &s);
	ASSERT_EQ(run(&whole), 0);
	cut = s;
	cut.calls = cut.probes = 0;
	cut.stop_after = s.calls - 12;
	begin(&part, &cut);
	ASSERT_EQ(run(&part), -EINTR);
	doc = scale_document(&part);
	cut.stop_after = -1U;
	begin(&rest, &cut);
	samples_read(&rest.evaluation.earlier, doc);
	feedback_read(&rest.feedback, doc);
	ASSERT_EQ(run(&rest), 0);
	ASSERT_EQ(rest.feedback.steps_n, whole.feedback.steps_n);
	for (unsigned i = 0; i < whole.feedback.steps_n; i++) {
		EXPECT_EQ(rest.feedback.steps[i].elapsed_ns, whole.feedback.steps[i].elapsed_ns);
		EXPECT_EQ(rest.feedback.steps[i].probes, whole.feedback.steps[i].probes);
	}
	EXPECT_EQ(cut.calls, s.calls);
	ASSERT_EQ(rest.evaluation.points.n, whole.evaluation.points.n);
	for (unsigned i = 0; i < rest.evaluation.points.n; i++) {
		const struct sample *a = rest.evaluation.points.list[i];
		const struct sample *b = whole.evaluation.points.list[i];

		EXPECT_TRUE(!memcmp(&a->at, &b->at, sizeof(a->at)) && a->probe == b->probe);
	}
	out_free(doc);
	end(&whole);
	end(&part);
	end(&rest);
}

TEST_MAIN
