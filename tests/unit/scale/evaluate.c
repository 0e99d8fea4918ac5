// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the evaluation of bench scale on simulated systems with a known formula. A point is a
 * measured workload, and a curve goes through points that differ in one parameter. All curves of a
 * region meet in its focal point. A border is an amount of data at which performance falls. Drift
 * is a slow change of the system's speed. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bench/scale/evaluate.h"
#include "bench/scale/scale-result.h"
#include "user/base/out-read.h"
#include "tests/lib/harness.h"

#define KIB 1024.0
#define MIB (1024 * KIB)

/* A disk with caches above it. The time of a small request is the mean of the times of all levels,
 * weighted by their hit rates. A request of n * HALF_SIZE bytes takes 1 + n times as long as a
 * small one. */
#define HALF_SIZE (64 * KIB)
struct system {
	/* .bytes: sizes of the caches, ascending; 0 ends the list. .ns: times of the caches, then
	 * of the disk. */
	double bytes[3], ns[4];
	double noise;	/* largest relative error of a measured point */
	double slow_at; /* at this amount of data in bytes, the system is half as fast */
	/* how many requests the system serves at once; 0: no limit */
	double channels;
	/* the first measurement with this amount of data is disturbed: it gives half the rate */
	double disturbed_at;
	bool restless; /* no measurement is steady */
	unsigned calls, stop_after;
};

static double noise_of(const struct workload *w)
{
	double sum = 0;

	for (int p = 0; p < PARAMETERS; p++)
		sum = fmod(sum * 31 + w->v[p], 9973);
	return sin(sum * 12.9898);
}

static double bandwidth_of(const struct system *s, const struct workload *w)
{
	double data = w->v[PARAM_UNIQUE_BYTES], size = w->v[PARAM_SIZE], held = 0, ns = 0;
	double parallel = w->v[PARAM_PROCS] * w->v[PARAM_DEPTH];
	int level = 0;

	for (; level < 3 && s->bytes[level] && held < data; level++) {
		ns += (fmin(data, s->bytes[level]) - held) / data * s->ns[level];
		held = fmin(data, s->bytes[level]);
	}
	ns += (data - held) / data * s->ns[level];
	ns *= 1 + size / HALF_SIZE;
	if (s->channels && parallel > s->channels)
		parallel = s->channels;
	return size * parallel / ns * 1e9 * (data == s->slow_at ? 0.5 : 1) *
		(1 + s->noise * noise_of(w));
}

static int measure(void *arg, struct sample *p)
{
	struct system *s = arg;

	if (s->calls == s->stop_after)
		return -EINTR;
	s->calls++;
	p->bandwidth = bandwidth_of(s, &p->at);
	if (p->at.v[PARAM_UNIQUE_BYTES] == s->disturbed_at) {
		s->disturbed_at = 0;
		p->bandwidth /= 2;
	}
	p->half_width = s->noise;
	p->steady = !s->restless;
	p->layers = out_object();
	return 0;
}

static struct evaluation evaluation_of(struct system *s, enum focal kind)
{
	s->stop_after = s->stop_after ?: -1U;
	return (struct evaluation){
		.focal_kind = kind,
		.with_depth = true,
		.measure = measure,
		.arg = s,
		.buffer_bytes = 64 * MIB,
		.axes = { [PARAM_UNIQUE_BYTES] = { MIB, 2048 * MIB },
			  [PARAM_SIZE] = { 4 * KIB, 1024 * KIB },
			  [PARAM_READ] = { 0, 1 },
			  [PARAM_SEQ] = { 0, 1 },
			  [PARAM_PROCS] = { 1, 16 },
			  [PARAM_DEPTH] = { 1, 64 } },
	};
}

static const struct system one_cache = { { 400 * MIB }, { 10e3, 1e6 }, .channels = 1 };

static bool is_near(double a, double b, double share)
{
	return fabs(a - b) <= share * fabs(b);
}

/* Returns the amount of data at which the border must end, for a cache of @cache bytes. A request
 * takes 10 us in the cache, and 1 ms on the disk. So the rate falls if the data are larger than the
 * cache. The fall is measured on a logarithmic scale, from a full cache to 2 GiB of data. The
 * border must end where 85 % of this fall is reached. */
static double end_of(double cache)
{
	double fall = log1p(99 * (1 - cache / (2048 * MIB)));

	return cache / (1 - expm1(0.85 * fall) / 99);
}

static void expect_border(const struct drop *d, double at)
{
	EXPECT_TRUE(is_near(d->at, at, 0.1));
	EXPECT_TRUE(d->band.min <= 1.01 * at && d->band.max >= at / 1.01);
	EXPECT_TRUE(d->band.min <= d->at && d->at <= d->band.max);
	EXPECT_TRUE(d->from <= d->at && d->at <= d->to);
	EXPECT_TRUE(d->confidence > 0.99);
}

TEST(a_cache_is_a_border)
{
	for (double cache = 20 * MIB; cache < 900 * MIB; cache *= 1.7) {
		struct system s = one_cache;
		struct evaluation e;

		s.bytes[0] = cache;
		s.noise = 0.1;
		e = evaluation_of(&s, FOCAL_HALF);
		EXPECT_EQ(evaluate(&e), 0);
		EXPECT_EQ(e.borders_n, 1);
		EXPECT_EQ(e.families_n, 2);
		expect_border(&e.borders[0], cache);
		EXPECT_TRUE(e.borders[0].band.max > e.borders[0].band.min);
		EXPECT_TRUE(e.borders[0].band.max < 1.3 * e.borders[0].band.min);
		EXPECT_TRUE(is_near(e.borders[0].from, e.borders[0].band.min, 0.01));
		EXPECT_EQ(e.families[0].bytes.max, e.borders[0].from);
		EXPECT_EQ(e.families[1].bytes.min, e.borders[0].to);
		EXPECT_TRUE(is_near(e.borders[0].to, fmin(end_of(cache), 2048 * MIB / 1.5), 0.1));
		EXPECT_TRUE(e.sweep.n <= 20);
		evaluation_release(&e);
	}
}

static void expect_conclusion(const struct evaluation *e, const char *start)
{
	struct out *environment = out_object();
	struct scale_result r = { .evaluation = *e, .how.target = "-", .environment = environment };
	struct out *doc = scale_document(&r);

	EXPECT_TRUE(!strncmp(out_get_str(doc, "conclusion"), start, strlen(start)));
	out_free(doc);
	out_free(environment);
}

TEST(points_that_are_not_steady_give_no_confidence)
{
	struct system s = one_cache;
	struct evaluation e;

	s.restless = true;
	s.noise = 0.01;
	e = evaluation_of(&s, FOCAL_HALF);
	EXPECT_EQ(evaluate(&e), 0);
	ASSERT_EQ(e.borders_n, 1);
	EXPECT_TRUE(isnan(e.borders[0].confidence));
	EXPECT_EQ(sample_half(e.sweep.points[0]), 0.2);
	expect_conclusion(&e, "incomplete result; performance may fall at ");
	e.borders[0].confidence = 0.99;
	expect_conclusion(&e, "incomplete result; performance falls at ");
	evaluation_release(&e);
}

TEST(two_caches_are_two_borders)
{
	struct system s = { { 8 * MIB, 200 * MIB }, { 1e3, 20e3, 1e6 }, .noise = 0.03 };
	struct evaluation e = evaluation_of(&s, FOCAL_HALF);

	EXPECT_EQ(evaluate(&e), 0);
	ASSERT_EQ(e.borders_n, 2);
	EXPECT_EQ(e.families_n, 3);
	expect_border(&e.borders[0], 8 * MIB);
	expect_border(&e.borders[1], 200 * MIB);
	EXPECT_TRUE(e.families[1].bytes.min >= 8 * MIB && e.families[1].bytes.max <= 210 * MIB);
	evaluation_release(&e);
}

/* These must not be reported as a border: noise, one slow point, and a fall by only a third. */
TEST(noise_is_no_border)
{
	struct system even = { { 0 }, { 10e3 }, .noise = 0.1 };
	struct system spoilt = { { 0 }, { 10e3 }, .noise = 0.02 };
	struct system slight = { { 100 * MIB }, { 10e3, 15e3 }, .noise = 0.02 };
	struct evaluation e = evaluation_of(&even, FOCAL_HALF);

	EXPECT_EQ(evaluate(&e), 0);
	EXPECT_EQ(e.borders_n, 0);
	EXPECT_EQ(e.families_n, 1);
	spoilt.slow_at = e.sweep.points[3]->at.v[PARAM_UNIQUE_BYTES];
	evaluation_release(&e);
	e = evaluation_of(&spoilt, FOCAL_HALF);
	EXPECT_EQ(evaluate(&e), 0);
	EXPECT_EQ(e.borders_n, 0);
	evaluation_release(&e);
	e = evaluation_of(&slight, FOCAL_HALF);
	EXPECT_EQ(evaluate(&e), 0);
	EXPECT_EQ(e.borders_n, 0);
	evaluation_release(&e);
}

/* One amount of data gives half the rate in its first measurement. The evaluation must measure it
 * again, and replace the first result. */
TEST(suspect_points_are_measured_again)
{
	struct system s = one_cache;
	struct evaluation e = evaluation_of(&s, FOCAL_HALF);
	const struct sample *p;

	s.disturbed_at = e.axes[PARAM_UNIQUE_BYTES].min;
	EXPECT_EQ(evaluate(&e), 0);
	p = e.sweep.points[0];
	EXPECT_TRUE(p->again);
	EXPECT_EQ(p->bandwidth, bandwidth_of(&s, &p->at));
	EXPECT_TRUE(!e.sweep.points[1]->again);
	evaluation_release(&e);
}

/* At a request size s, the rate is s / (1 + s / 64k). It is 3.76k at the smallest size (4k), and
 * 60.2k at the largest (1M). The size 64k gives the rate 32k, which is half-way between the two. So
 * the focal point must have requests of 64k. */
TEST(focal_points_are_half_way)
{
	struct system s = one_cache;
	struct evaluation e = evaluation_of(&s, FOCAL_HALF);
	const double *v = e.families[1].focal.v;

	EXPECT_EQ(evaluate(&e), 0);
	EXPECT_TRUE(is_near(v[PARAM_SIZE], 64 * KIB, 0.15));
	EXPECT_EQ(v[PARAM_PROCS], 1); /* for this system, more processes are no faster */
	EXPECT_EQ(v[PARAM_READ], 0.5);
	EXPECT_EQ(v[PARAM_SEQ], 0.5);
	EXPECT_TRUE(is_near(v[PARAM_UNIQUE_BYTES],
			    (e.families[1].bytes.min + e.families[1].bytes.max) / 2, 0.01));
	evaluation_release(&e);
	s.channels = 0; /* 16 processes are 16 times as fast as one, so half-way is 8.5 processes */
	e = evaluation_of(&s, FOCAL_HALF);
	EXPECT_EQ(evaluate(&e), 0);
	EXPECT_TRUE(v[PARAM_PROCS] >= 7 && v[PARAM_PROCS] <= 10);
	evaluation_release(&e);
}

static struct range band_of(struct system *s, enum parameter p, double chance)
{
	struct evaluation e = evaluation_of(s, FOCAL_HALF);
	struct range band;

	EXPECT_EQ(evaluate(&e), 0);
	band = evaluation_focal_band(&e, &e.families[1], p, chance);
	EXPECT_TRUE(band.min <= e.families[1].focal.v[p]);
	EXPECT_TRUE(band.max >= e.families[1].focal.v[p]);
	evaluation_release(&e);
	return band;
}

/* The band is the range that the evaluation reports for a focal point. With noise, it must still
 * contain the true focal point. With drift, it must be wider. If the curve is flat, it must be the
 * whole range of the parameter. */
TEST(focal_points_have_a_band)
{
	struct system s = one_cache;
	struct range exact = band_of(&s, PARAM_SIZE, 0), noisy, wide;

	EXPECT_TRUE(is_near(exact.min, 64 * KIB, 0.15) && is_near(exact.max, 64 * KIB, 0.15));
	s.noise = 0.1;
	noisy = band_of(&s, PARAM_SIZE, 0);
	wide = band_of(&s, PARAM_SIZE, 0.1);
	EXPECT_TRUE(noisy.min < 64 * KIB && noisy.max >= 64 * KIB);
	EXPECT_TRUE(noisy.min > 32 * KIB && noisy.max < 160 * KIB);
	EXPECT_TRUE(wide.max / wide.min > 2 * noisy.max / noisy.min);
	EXPECT_EQ(band_of(&s, PARAM_PROCS, 0).min, 1);
	EXPECT_EQ(band_of(&s, PARAM_PROCS, 0).max, 16);
	s.channels = 0;
	noisy = band_of(&s, PARAM_PROCS, 0);
	EXPECT_TRUE(noisy.min >= 6 && noisy.min <= 8 && noisy.max >= 9 && noisy.max <= 12);
}

/* One point of each curve must be the focal point. The other points must differ from it only in the
 * parameter of the curve. */
TEST(curves_go_through_the_focal_point)
{
	struct system s = one_cache;
	struct evaluation e = evaluation_of(&s, FOCAL_HALF);

	EXPECT_EQ(evaluate(&e), 0);
	for (unsigned i = 0; i < e.families_n; i++)
		for (enum parameter p = 0; p < PARAMETERS; p++) {
			const struct sweep *curve = &e.families[i].curves[p];
			bool focal = false;

			EXPECT_TRUE(curve->n >= (p == PARAM_PROCS ? 5 : 6));
			for (unsigned k = 0; k < curve->n; k++) {
				struct workload at = curve->points[k]->at;

				EXPECT_TRUE(!k ||
					    sweep_value(curve, k) > sweep_value(curve, k - 1));
				EXPECT_EQ(curve->points[k]->bandwidth, bandwidth_of(&s, &at));
				EXPECT_EQ(curve->points[k]->ring, p == PARAM_DEPTH);
				focal |= !memcmp(&at, &e.families[i].focal, sizeof(at));
				at.v[p] = e.families[i].focal.v[p];
				EXPECT_TRUE(!memcmp(&at, &e.families[i].focal, sizeof(at)));
			}
			EXPECT_TRUE(focal);
		}
	evaluation_release(&e);
}

/* The buffers of all requests in flight must fit in memory. Each process must have enough data for
 * its largest request. */
TEST(requests_have_room)
{
	struct system s = { { 0 }, { 10e3 }, .noise = 0 };
	struct evaluation e = evaluation_of(&s, FOCAL_HALF);

	e.buffer_bytes = 2 * MIB;
	e.axes[PARAM_UNIQUE_BYTES].max = 16 * MIB;
	EXPECT_EQ(evaluate(&e), 0);
	for (unsigned i = 0; i < e.points.n; i++) {
		const double *v = e.points.list[i]->at.v;
		double buffers = v[PARAM_SIZE] * v[PARAM_PROCS] * 4;

		EXPECT_TRUE(buffers <= v[PARAM_UNIQUE_BYTES]);
		EXPECT_TRUE(buffers * v[PARAM_DEPTH] <= 2 * MIB);
	}
	evaluation_release(&e);
}

/* By the rule FOCAL_75, the focal point has the smallest requests that reach 75 % of the best rate.
 * In this system, these are requests of about 150 KB. The focal point also has the largest amount
 * of data that reaches 75 %. */
TEST(the_first_version)
{
	struct system s = one_cache;
	struct evaluation e = evaluation_of(&s, FOCAL_75);
	const struct family *f = &e.families[0];
	const double *v = f->focal.v;

	EXPECT_EQ(evaluate(&e), 0);
	EXPECT_EQ(e.borders_n, 0);
	EXPECT_EQ(e.families_n, 1);
	EXPECT_TRUE(is_near(v[PARAM_UNIQUE_BYTES], 400 * MIB, 0.1));
	EXPECT_TRUE(v[PARAM_SIZE] >= 140 * KIB && v[PARAM_SIZE] <= 400 * KIB);
	EXPECT_EQ(v[PARAM_READ], 0);
	EXPECT_EQ(v[PARAM_SEQ], 0);
	EXPECT_EQ(v[PARAM_PROCS], 1);
	EXPECT_EQ(f->good[PARAM_READ].min, 0);
	EXPECT_EQ(f->good[PARAM_READ].max, 1);
	EXPECT_EQ(f->good[PARAM_SIZE].max, 1024 * KIB);
	evaluation_release(&e);
}

static void expect_same(const struct evaluation *a, const struct evaluation *b)
{
	EXPECT_EQ(a->points.n, b->points.n);
	EXPECT_EQ(a->families_n, b->families_n);
	for (unsigned i = 0; i < a->points.n && i < b->points.n; i++)
		EXPECT_TRUE(!memcmp(&a->points.list[i]->at, &b->points.list[i]->at,
				    sizeof(struct workload)));
	for (unsigned i = 0; i < a->families_n; i++)
		EXPECT_TRUE(!memcmp(&a->families[i].focal, &b->families[i].focal,
				    sizeof(struct workload)));
}

TEST(resumes_with_the_same_points)
{
	struct system s = one_cache, cut = one_cache;
	struct evaluation whole, part, rest;
	struct out *list;

	s.noise = 0.05;
	whole = evaluation_of(&s, FOCAL_HALF);
	EXPECT_EQ(evaluate(&whole), 0);
	for (unsigned n = 1; n < s.calls; n += 7) {
		cut = s;
		cut.calls = 0;
		cut.stop_after = n;
		part = evaluation_of(&cut, FOCAL_HALF);
		EXPECT_EQ(evaluate(&part), -EINTR);
		EXPECT_EQ(part.points.n, n);
		cut.stop_after = -1U;
		rest = evaluation_of(&cut, FOCAL_HALF);
		list = out_array();
		for (unsigned i = 0; i < n; i++)
			out_append(list, sample_json(part.points.list[i]));
		samples_read(&rest.earlier, list);
		EXPECT_EQ(evaluate(&rest), 0);
		EXPECT_EQ(cut.calls, s.calls);
		expect_same(&rest, &whole);
		out_free(list);
		evaluation_release(&part);
		evaluation_release(&rest);
	}
	evaluation_release(&whole);
}

TEST_MAIN
