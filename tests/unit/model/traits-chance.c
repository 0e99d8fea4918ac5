// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the conclusions (traits) that iospan draws about a storage device. The device is simulated,
 * and its measured points have random errors. A curve has points that differ only in one parameter
 * of the workload. */
#include "tests/unit/made-region.h"

struct estimates {
	int known, inside, wrong;
};

static void count_estimate(struct estimates *to, const struct estimate *e, double truth)
{
	to->known += !isnan(e->value);
	to->inside += truth >= e->low && truth <= e->high;
}

static struct device any_device(gsl_rng *rng)
{
	struct device d = {
		.request = exp(gsl_ran_flat(rng, log(US), log(MS))),
		.seek = gsl_rng_uniform_int(rng, 2) * exp(gsl_ran_flat(rng, log(US), log(9 * MS))),
		.byte = exp(gsl_ran_flat(rng, log(0.1), log(20))),
		.write = gsl_rng_uniform_int(rng, 2) * exp(gsl_ran_flat(rng, log(US), log(MS))),
		.at_once = gsl_rng_uniform_int(rng, 3) * 2,
	};

	return d;
}

static double truth_of(const struct device *d, const struct change *c)
{
	return iops(d, c->to->at.v) * c->to->at.v[PARAM_SIZE] /
		(iops(d, c->from->at.v) * c->from->at.v[PARAM_SIZE]);
}

/* Multiplies all points of all curves by one factor, as other load on the disk would. */
static void shift_points(struct made *m, double factor)
{
	for (enum parameter p = 0; p < PARAMETERS; p++)
		for (unsigned i = 0; i < m->region.series[p].n; i++) {
			m->points[p][i].value[QUANTITY_BANDWIDTH] *= factor;
			m->points[p][i].value[QUANTITY_IOPS] *= factor;
			m->points[p][i].value[QUANTITY_ARPT] /= factor;
		}
}

/* iospan prints sentences such as "writes are 1.3 times as fast". They may be wrong by chance,
 * because of random errors. This must be rare. */
TEST(chance_makes_few_sentences_wrong)
{
	struct estimates factors = {}, lines = {}, differences = {};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct made m;

	for (int i = 0; i < 2000; i++) {
		struct device d = any_device(rng);
		double half = gsl_ran_flat(rng, 0.01, 0.15);
		struct traits t;

		make(&m, &d, &middle, half, i % 2 ? rng : NULL);
		if (i % 2 == 0)
			shift_points(&m, 1 + gsl_ran_gaussian(rng, half / 1.96));
		t = traits_of(&m.region);
		count_estimate(&factors, &t.changes[PARAM_SEQ].factor,
			       truth_of(&d, &t.changes[PARAM_SEQ]));
		count_estimate(&factors, &t.changes[PARAM_READ].factor,
			       truth_of(&d, &t.changes[PARAM_READ]));
		count_estimate(&lines, &t.cost.request_ns, d.request + d.seek / 2 + d.write / 2);
		count_estimate(&lines, &t.cost.byte_ns, d.byte);
		for (enum parameter p = 0; p < PARAMETERS; p++) {
			const struct change *c = &t.changes[p];
			double truth = isnan(c->factor.value) ? 1 : truth_of(&d, c);

			differences.known += c->difference != DIFFERENCE_NONE;
			differences.wrong += c->difference == DIFFERENCE_MORE ?
				truth < TRAIT_ALIKE :
				c->difference == DIFFERENCE_LESS ?
				truth > 1 / TRAIT_ALIKE :
				c->difference == DIFFERENCE_ALIKE &&
					fabs(log(truth)) > log(TRAIT_ALIKE);
		}
	}
	EXPECT_EQ(factors.known, 4000);
	EXPECT_GE(factors.inside, 0.93 * factors.known);
	EXPECT_GE(lines.known, 2000);
	EXPECT_GE(lines.inside, 0.93 * lines.known);
	EXPECT_GE(differences.known, 6000);
	EXPECT_LE(differences.wrong, 0.025 * differences.known);
	gsl_rng_free(rng);
}

/* Two bandwidths are alike if their quotient is at most TRAIT_ALIKE. Here, the true quotient is
 * close to this limit. So half of the measured quotients exceed the limit by chance. But only 2.5 %
 * of the confidence intervals lie completely above it. */
TEST(a_difference_needs_the_whole_interval)
{
	struct device d = { .request = MS, .write = 0.195 * MS };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int more = 0;

	for (int i = 0; i < 2000; i++) {
		struct made m;
		struct traits t = traits_for(&m, &d, 0.05, rng);

		more += t.changes[PARAM_READ].difference == DIFFERENCE_MORE;
	}
	EXPECT_LE(more, 0.04 * 2000);
	gsl_rng_free(rng);
}

TEST(no_character_is_wrong)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int known[CHARACTER_PARALLEL + 1] = {};
	struct made m;

	for (int i = 0; i < 3000; i++) {
		static const struct device *const all[] = { &head, &single, &flash };
		static const enum character expected[] = {
			CHARACTER_HEAD,
			CHARACTER_SINGLE,
			CHARACTER_PARALLEL,
		};
		enum character seen =
			traits_for(&m, all[i % 3], gsl_ran_flat(rng, 0.01, 0.2), rng).character;

		if (seen != CHARACTER_NONE)
			EXPECT_EQ(seen, expected[i % 3]);
		known[seen]++;
	}
	EXPECT_GE(known[CHARACTER_HEAD], 800);
	EXPECT_GE(known[CHARACTER_SINGLE], 800);
	EXPECT_GE(known[CHARACTER_PARALLEL], 900);
	gsl_rng_free(rng);
}

TEST_MAIN
