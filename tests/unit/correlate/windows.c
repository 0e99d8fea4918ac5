// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests how iospan correlate computes the I/O of the whole system during a job. The expected
 * results were computed second by second. */
#include "tools/correlate/sources.h"
#include "tests/unit/vectors.h"
#include "user/base/err.h"

static struct timed_jobs jobs;
/* The I/O of the system. In systems[n], n intervals of systems[1] are merged into one. */
static struct series systems[8];

static void read_all(void)
{
	static const u32 merged[] = { 2, 4, 5 };

	ASSERT_EQ(timed_jobs_read_csv(&jobs, "tests/data/sysio/jobs.csv"), 0);
	ASSERT_EQ(timed_jobs_read_activities(&jobs, "tests/data/sysio/job_files.csv"), 0);
	ASSERT_EQ(series_read_csv(&systems[1], "tests/data/sysio/iostat_60s.csv"), 0);
	timed_jobs_finish(&jobs);
	for (int i = 0; i < 3; i++)
		series_merge(&systems[merged[i]], &systems[1], merged[i]);
}

static void drop_all(void)
{
	timed_jobs_release(&jobs);
	for (int i = 0; i < 8; i++)
		series_release(&systems[i]);
}

static const struct timed_job *job_of(const struct vectors *v)
{
	for (u32 i = 0; i < jobs.n; i++)
		if (!strcmp(jobs.list[i].name, v->cell[0]))
			return &jobs.list[i];
	test_fail(TEST_HERE, "no job %s", v->cell[0]);
	return &jobs.list[0];
}

static void expect_amounts(const struct vectors *v, int cell, u32 columns, bool active)
{
	const struct series *s = &systems[(int)vectors_number(v, 1)];

	EXPECT_NEAR(s->width_s, vectors_number(v, 2), 0);
	EXPECT_TRUE(timed_job_is_covered(&jobs, job_of(v), s));
	for (u32 i = 0; i < columns; i++) {
		double expected = vectors_number(v, cell + i);

		expect_same(v->cell[0], timed_job_amount(&jobs, job_of(v), s, i, active), expected,
			    1e-12 * (expected + s->columns[i].before[s->n]));
	}
}

TEST(whole_windows)
{
	struct vectors v;
	int cases = 0;

	read_all();
	ASSERT_TRUE(vectors_open(&v, "sysio/psi_expected"));
	for (; vectors_next(&v); cases++)
		expect_amounts(&v, 3, 4, false);
	EXPECT_EQ(cases, 32);
	drop_all();
}

TEST(intervals_with_activity)
{
	struct vectors v;
	int cases = 0;

	read_all();
	ASSERT_TRUE(vectors_open(&v, "sysio/psiD_expected"));
	for (; vectors_next(&v); cases++) {
		const struct timed_job *j = job_of(&v);
		const struct series *s = &systems[(int)vectors_number(&v, 1)];

		expect_amounts(&v, 5, 2, true);
		expect_same(j->name, timed_job_intervals_s(&jobs, j, s), vectors_number(&v, 4),
			    1e-9);
		expect_same(j->name, j->seconds[FORM_READS], vectors_number(&v, 7), 0);
		/* if a job wrote nothing, the reference file has 0, and iospan has NaN */
		if (vectors_number(&v, 8))
			expect_same(j->name, j->seconds[FORM_WRITES], vectors_number(&v, 8), 0);
		else
			EXPECT_TRUE(isnan(j->seconds[FORM_WRITES]));
	}
	EXPECT_EQ(cases, 20);
	drop_all();
}

/* Makes intervals of 10 s, with a gap from 40 to 60 s. The interval that ends at 10 * i s has the
 * amount i. */
static void make_gap(struct series *s)
{
	*s = (struct series){};
	series_column(s, "amount", false);
	for (int i = 0; i < 10; i++)
		if (i != 4 && i != 5) {
			u32 at = series_add(s, NAN, 10 * (i + 1));

			s->columns[0].values[at] = i + 1;
		}
	ASSERT_EQ(series_finish(s, "made"), 0);
}

TEST(a_gap_is_not_covered)
{
	struct series s;

	make_gap(&s);
	EXPECT_NEAR(s.width_s, 10, 0);
	EXPECT_TRUE(series_covers(&s, 0, 40));
	EXPECT_TRUE(series_covers(&s, 60, 100));
	EXPECT_TRUE(series_covers(&s, 5, 5));
	EXPECT_TRUE(!series_covers(&s, 5, 41));
	EXPECT_TRUE(!series_covers(&s, 59, 70));
	EXPECT_TRUE(!series_covers(&s, 30, 70));
	EXPECT_TRUE(!series_covers(&s, 45, 55));
	EXPECT_TRUE(!series_covers(&s, -1, 5));
	EXPECT_TRUE(!series_covers(&s, 95, 101));
	EXPECT_TRUE(!series_covers(&s, 20, 10));
	EXPECT_TRUE(!series_covers(&s, NAN, 10));
	EXPECT_NEAR(series_between(&s, 0, 35, 40), 2, 1e-12);
	EXPECT_NEAR(series_between(&s, 0, 60, 75), 7 + 4, 1e-12);
	series_release(&s);
}

TEST(merged_intervals_have_no_gap)
{
	struct series s, two, three;

	make_gap(&s);
	series_merge(&two, &s, 2);
	EXPECT_EQ(two.n, 4);
	EXPECT_NEAR(series_between(&two, 0, 60, 100), 7 + 8 + 9 + 10, 1e-12);
	EXPECT_TRUE(!series_covers(&two, 30, 70));
	/* Groups of three intervals are merged: 1 2 3 | 4 7 8 | 9 10. Only the group 1 2 3 is
	 * complete and has no gap. */
	series_merge(&three, &s, 3);
	EXPECT_EQ(three.n, 1);
	EXPECT_NEAR(three.width_s, 30, 0);
	EXPECT_NEAR(series_between(&three, 0, 0, 30), 6, 1e-12);
	series_release(&s);
	series_release(&two);
	series_release(&three);
}

TEST(invalid_series_are_refused)
{
	struct series s = {};

	series_column(&s, "amount", false);
	series_add(&s, NAN, 10);
	EXPECT_EQ(series_finish(&s, "one"), -EINVAL);
	series_add(&s, NAN, 20);
	series_add(&s, NAN, 15);
	EXPECT_EQ(series_finish(&s, "disordered"), -EINVAL);
	series_release(&s);
}

TEST_MAIN
