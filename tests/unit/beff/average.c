// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares the averages of b_eff_io with published ones, and tests the criteria for a valid result.
 * An access method is write, rewrite or read. */
#include <math.h>
#include <string.h>
#include "bench/beff/beff.h"
#include "tests/lib/harness.h"

/* From tables 2 and 3 of Koniges, Rabenseifner and others 2001, in MB/s, rounded. */
static const struct hints {
	double bandwidth[BEFF_ACCESSES][BEFF_TYPES], weighted[BEFF_ACCESSES], value, value_1;
} tables[] = {
	{ { { 197, 188, 104, 338, 13 }, { 190, 172, 83, 186, 11 }, { 122, 130, 96, 408, 11 } },
	  { 173, 139, 148 },
	  159.5,
	  152 },
	{ { { 284, 277, 435, 541, 524 }, { 197, 244, 241, 228, 431 }, { 483, 346, 609, 586, 590 } },
	  { 391, 256, 516 },
	  440.8,
	  420 },
	{ { { 397, 282, 423, 533, 502 }, { 449, 265, 234, 297, 297 }, { 441, 282, 579, 554, 544 } },
	  { 422, 332, 473 },
	  451.7,
	  425 },
};

TEST(averages_of_the_paper)
{
	for (unsigned i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		const struct hints *h = &tables[i];
		double write = beff_write_average(h->bandwidth[BEFF_WRITE],
						  h->bandwidth[BEFF_REWRITE][BEFF_SCATTER]);
		double weighted[BEFF_ACCESSES];

		for (enum beff_access a = 0; a < BEFF_ACCESSES; a++) {
			weighted[a] = beff_weighted(h->bandwidth[a]);
			EXPECT_NEAR(weighted[a], h->weighted[a], 1);
		}
		EXPECT_NEAR(beff_2(write, weighted[BEFF_READ]), h->value, 0.2);
		EXPECT_NEAR(beff_1(weighted), h->value_1, 1);
	}
}

/* Bandwidths and averages that revision 2.1 of the benchmark printed, in MB/s. */
static const struct printed {
	double write[BEFF_TYPES], rewrite, read[BEFF_TYPES], write_weighted, read_weighted, value;
} runs[] = {
	{ { 58.579, 48.697, 77.944, 77.036, 73.113 },
	  63.841,
	  { 300.390, 811.358, 1073.572, 1088.574, 575.428 },
	  65.658,
	  691.619,
	  214.516 },
	{ { 59.342, 60.867, 78.329, 76.883, 70.803 },
	  62.145,
	  { 297.317, 785.874, 1089.814, 1072.345, 488.854 },
	  67.594,
	  671.920,
	  213.850 },
	{ { 60.202, 54.542, 77.724, 78.708, 72.253 },
	  62.543,
	  { 297.694, 774.707, 1085.770, 1069.443, 493.659 },
	  67.272,
	  669.828,
	  212.889 },
};

TEST(averages_of_the_original)
{
	for (unsigned i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		const struct printed *r = &runs[i];

		EXPECT_NEAR(beff_weighted(r->write), r->write_weighted, 0.001);
		EXPECT_NEAR(beff_weighted(r->read), r->read_weighted, 0.001);
		EXPECT_NEAR(
			beff_2(beff_write_average(r->write, r->rewrite), beff_weighted(r->read)),
			r->value, 0.0016);
	}
}

/* With 0 bytes or 0 ns, the bandwidth is unknown (NaN), not 0. */
TEST(a_bandwidth_may_be_unknown)
{
	EXPECT_NEAR(beff_bandwidth(3000000, 1500000000), 2e6, 1e-6);
	EXPECT_TRUE(isnan(beff_bandwidth(0, 1)));
	EXPECT_TRUE(isnan(beff_bandwidth(1, 0)));
}

static enum beff_verdict verdict(struct beff_conduct c)
{
	struct beff_criterion list[BEFF_CRITERIA];
	unsigned n = beff_criteria(&c, list);

	return beff_verdict(list, n);
}

static const struct beff_conduct good = {
	.mpi_io = true,
	.seconds = 5400,
	.partition_seconds = 1800,
	.shared_pointer = true,
	.cache_bytes = 1000,
	.least_bytes = { 20000, 20000, 20000 },
	.scheduled_ns = { 1000, 300, 1000 },
	.used_ns = { 1100, 300, 100 },
	.timed = true,
	.complete = true,
};

TEST(deciding_criteria)
{
	struct beff_conduct c = good;

	EXPECT_EQ(verdict(c), BEFF_VALID);
	c.partition_seconds = 1799;
	EXPECT_EQ(verdict(c), BEFF_SHORT);
	c = good;
	c.shared_pointer = false;
	EXPECT_EQ(verdict(c), BEFF_INVALID);
	c = good;
	c.errors = 1;
	EXPECT_EQ(verdict(c), BEFF_INVALID);
	c = good;
	c.timed = false;
	EXPECT_EQ(verdict(c), BEFF_INVALID);
	c = good;
	c.complete = false;
	EXPECT_EQ(verdict(c), BEFF_INVALID);
}

/* Version 1.x demands 15 minutes for each partition, and nothing for all partitions together. */
TEST(version_1_has_its_own_time)
{
	struct beff_criterion list[BEFF_CRITERIA];
	struct beff_conduct c = good;
	unsigned n;

	c.version_1 = c.rewrite_all = true;
	c.seconds = c.partition_seconds = 900;
	EXPECT_EQ(verdict(c), BEFF_VALID);
	n = beff_criteria(&c, list);
	EXPECT_EQ(n, BEFF_CRITERIA - 1);
	for (unsigned i = 0; i < n; i++)
		EXPECT_TRUE(beff_meets(&list[i]) && strcmp(list[i].name, "seconds"));
	c.partition_seconds = 899;
	EXPECT_EQ(verdict(c), BEFF_SHORT);
	c.partition_seconds = 900;
	c.version_1 = false;
	EXPECT_EQ(verdict(c), BEFF_SHORT);
}

/* The paper demands MPI-IO, so a result of io_uring is never valid, however good it is. */
TEST(io_uring_has_verdicts_of_its_own)
{
	struct beff_conduct c = good;

	c.mpi_io = false;
	EXPECT_EQ(verdict(c), BEFF_URING);
	c.partition_seconds = 1799;
	EXPECT_EQ(verdict(c), BEFF_URING_SHORT);
	c.errors = 1;
	EXPECT_EQ(verdict(c), BEFF_INVALID);
}

static unsigned met(struct beff_conduct c)
{
	struct beff_criterion list[BEFF_CRITERIA];
	unsigned n = beff_criteria(&c, list), bits = 0;

	for (unsigned i = 0; i < n; i++)
		bits |= (unsigned)beff_meets(&list[i]) << i;
	return bits;
}

TEST(other_criteria)
{
	struct beff_conduct c = good;

	EXPECT_EQ(met(c), 0x3fff);
	c.least_bytes[BEFF_WRITE] = 19999;
	c.least_bytes[BEFF_READ] = 20001;
	EXPECT_EQ(met(c), 0x3f7f);
	c = good;
	c.seconds = 1799;
	EXPECT_EQ(met(c), 0x3fbf);
	c.seconds = 1800;
	EXPECT_EQ(met(c), 0x3fff);
	c.rewrite_all = true; /* with rewrite_all, the paper requires 45 minutes instead of 30 */
	EXPECT_EQ(met(c), 0x3fbf);
	c.seconds = 2700;
	EXPECT_EQ(met(c), 0x3fff);
}

/* A run may exceed its schedule by 10 %, for each access method and for the sum. */
TEST(scheduled_time_is_kept)
{
	struct beff_criterion list[BEFF_CRITERIA];
	struct beff_conduct c = good;

	ASSERT_EQ(beff_criteria(&c, list), BEFF_CRITERIA);
	EXPECT_NEAR(list[10].value, 1.1, 1e-12);
	EXPECT_NEAR(list[11].value, 1, 1e-12);
	EXPECT_NEAR(list[12].value, 0.1, 1e-12);
	EXPECT_NEAR(list[13].value, 1500 / 2300.0, 1e-12);
	c.used_ns[BEFF_WRITE] = 1101;
	EXPECT_EQ(met(c), 0x3bff);
	c.used_ns[BEFF_READ] = 1130; /* the sum, 2531 ns, is now 1 ns above the limit of 2530 ns */
	EXPECT_EQ(met(c), 0x0bff);
	EXPECT_EQ(verdict(c), BEFF_VALID);
}

TEST_MAIN
