// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the model by which `iospan neighbours` explains the I/O time of jobs from all cgroups
 * together. The jobs are synthetic. Two cgroups are on or off, independently of each other; if on,
 * they slow the job down. A third cgroup has random I/O, which does not affect the jobs. */
#include <math.h>
#include <string.h>
#include "tools/correlate/correlate.h"
#include "tools/neighbours/joint.h"
#include "tests/lib/harness.h"

#define JOBS 48
#define SUMS 2

static struct joint compute(double first_s, double second_s)
{
	static struct column_sums columns[] = {
		{ .name = "(all others) bytes" }, { .name = "(all others) ops" },
		{ .name = "/idle bytes" },	  { .name = "/idle ops" },
		{ .name = "/one bytes" },	  { .name = "/one ops" },
		{ .name = "/two bytes" },	  { .name = "/two ops" },
	};
	static double x[8][JOBS], y[JOBS];
	static struct column_curve curves[8];
	const struct correlate_options o = { .how = { .permutations = 99, .seed = 1 } };
	const struct series system = { .columns = columns, .columns_n = 8 };
	const struct correlation_study c = { .o = &o, .system = &system, .curves = curves };
	struct joint j;

	for (int i = 0; i < JOBS; i++) {
		bool one = i & 1, two = i >> 1 & 1;

		y[i] = 1 + one * first_s + two * second_s;
		for (int k = 0; k < 2; k++) {
			x[2 + k][i] = (i * 7919 >> 3) % 11;
			x[4 + k][i] = one * (1000 + i * (1 - k));
			x[6 + k][i] = two * (1000 + i * (1 - k));
		}
	}
	for (int k = 0; k < 8; k++)
		curves[k] = (struct column_curve){ .column = k, .x = x[k], .y = y, .n = JOBS };
	joint_compute(&j, &c, SUMS);
	EXPECT_EQ(j.n, JOBS);
	return j;
}

TEST(two_neighbours_explain_more_together)
{
	struct joint j = compute(1, 1);

	ASSERT_EQ(j.groups_n, 3);
	EXPECT_GT(j.explained, 0.99);
	EXPECT_NEAR(j.p, 0.01, 1e-9);
	for (int i = 0; i < 2; i++)
		EXPECT_LT(j.groups[i].without, 0.9);
	EXPECT_EQ(strncmp(j.groups[2].name, "/idle bytes", j.groups[2].length), 0);
	EXPECT_EQ(j.groups[2].length, 5);
	EXPECT_GT(j.groups[2].without, 0.99);
	joint_release(&j);
}

TEST(nothing_to_explain)
{
	struct joint j = compute(0, 0);

	EXPECT_TRUE(isnan(j.explained) && isnan(j.p));
	joint_release(&j);
}

TEST_MAIN
