// SPDX-License-Identifier: GPL-2.0-or-later
/* Divides the time limit of an evaluation (--budget) among the points (workloads to measure). */
#include "bench/scale/pace.h"

#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/num.h"

#define SHARES 40 /* one point may take at most 1 / SHARES of the time limit */
/* after this number of points, the time that the remaining points need can be estimated */
#define KNOWN_POINTS 8

u64 pace_gone(const struct pace *p)
{
	return p->earlier_ns + now_ns() - p->started_ns;
}

u64 pace_left(const struct pace *p)
{
	u64 gone = pace_gone(p);

	return gone < p->result->budget_ns ? p->result->budget_ns - gone : 0;
}

bool pace_over(const struct pace *p)
{
	return p->result->budget_ns && !pace_left(p);
}

u64 pace_point(const struct pace *p)
{
	u64 left = pace_left(p), most = p->result->budget_ns / SHARES, each;

	left = left > p->kept_ns ? left - p->kept_ns : 0;
	each = left / p->result->evaluation.expected;
	return each < most ? each : most;
}

void pace_check(struct pace *p)
{
	u64 now = now_ns(), needed;
	char budget[NUM_TEXT];

	p->points_ns = p->points_ns ?: now;
	if (p->warned || !p->result->budget_ns || p->measured < KNOWN_POINTS ||
	    pace_point(p) > RIG_LEAST_NS)
		return;
	needed = (now - p->points_ns) / p->measured * p->result->evaluation.expected;
	if (needed <= pace_left(p))
		return;
	p->warned = true;
	warn("--budget %s is too short: about %u more points take some %.0f s; the evaluation "
	     "stops when it is over, without a whole result",
	     num_time_arg(budget, p->result->budget_ns), p->result->evaluation.expected,
	     needed / 1e9);
}
