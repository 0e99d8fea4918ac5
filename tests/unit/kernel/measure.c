// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests T, the time in which any access is in flight. Here, the end of an access is lost, so the
 * access seems to stay in flight and T grows. A repair then ends the access. The maps are the
 * memory in which the BPF programs count. */
#include <stdlib.h>
#include "user/kernel/maps.h"
#include "user/metric/measurement.h"
#include "tests/lib/harness.h"
#include "user/kernel/measure.h"

struct made {
	struct span span;
	struct app_area *app;
	struct span_total total;
	struct maps maps;
};

static struct made *made(void)
{
	struct made *m = calloc(1, sizeof(*m));

	m->app = calloc(1, sizeof(*m->app));
	m->maps = (struct maps){ .spans = &m->span,
				 .max_spans = 1,
				 .app = m->app,
				 .totals = &m->total };
	return m;
}

static void done(struct made *m)
{
	free(m->app);
	free(m);
}

static void busy(struct made *m, u64 from, u64 to)
{
	span_enter(&m->span, from);
	span_leave(&m->span, to);
}

/* Makes an access that starts at 3000, and loses its end. The access seems to be in flight until
 * 9000, so iospan adds this time to T. Then the repair ends the access at 3000. @read: a report has
 * already shown T before the repair. */
static void lose_one(struct made *m, bool read)
{
	busy(m, 1000, 2000);
	span_enter(&m->span, 3000);
	maps_sample(&m->maps, 9000);
	EXPECT_EQ(m->total.ns, 7000);
	if (read)
		m->total.read_ns = m->total.ns;
	span_leave(&m->span, 3000);
	maps_sample(&m->maps, 9500);
}

TEST(repair_subtracts_sampled_time)
{
	struct made *m = made();

	lose_one(m, false);
	EXPECT_EQ(m->total.ns, 1000);
	busy(m, 10000, 14000);
	maps_sample(&m->maps, 20000);
	EXPECT_EQ(m->total.ns, 5000);
	done(m);
}

TEST(repair_keeps_reported_time)
{
	struct made *m = made();

	lose_one(m, true);
	busy(m, 10000, 14000);
	maps_sample(&m->maps, 20000);
	EXPECT_EQ(m->total.ns, 7000);
	busy(m, 30000, 36000);
	maps_sample(&m->maps, 40000);
	EXPECT_EQ(m->total.ns, 11000);
	done(m);
}

TEST(repair_of_the_first_access_leaves_nothing)
{
	struct made *m = made();

	span_enter(&m->span, 3000);
	maps_sample(&m->maps, 9000);
	EXPECT_EQ(m->total.ns, 6000);
	span_leave(&m->span, 3000);
	EXPECT_EQ(m->span.word, 0);
	maps_sample(&m->maps, 9500);
	EXPECT_EQ(m->total.ns, 0);
	done(m);
}

TEST(restart_subtracts_sampled_time)
{
	struct made *m = made();

	busy(m, 1000, 2000);
	span_enter(&m->span, 3000);
	maps_sample(&m->maps, 9000);
	span_leave(&m->span, 3000);
	maps_restart(&m->maps, 9600);
	EXPECT_EQ(m->total.ns, 1000);
	done(m);
}

/* A lost access made T too long, and this T was reported. Then the access was repaired, and the
 * counters were restarted. T must now grow by the full length of later accesses. */
TEST(restarted_maps_count_all_later_accesses)
{
	struct made *m = made();

	lose_one(m, true);
	maps_restart(&m->maps, 9600);
	busy(m, 10000, 14000);
	maps_sample(&m->maps, 20000);
	EXPECT_EQ(m->total.ns, 11000);
	maps_restart(&m->maps, 21000);
	EXPECT_EQ(m->total.last_ns, 5000);
	done(m);
}

TEST_MAIN
