// SPDX-License-Identifier: GPL-2.0-or-later
/* Measures intervals. A cut is a reading of all counters during the measurement. An interval is the
 * difference between two cuts. */
#include "user/kernel/interval.h"

#include <string.h>

#include "user/base/clock.h"

static void set_elapsed(struct group_sum *g, u64 elapsed_ns)
{
	for (enum group_set set = 0; set < GROUP_SETS; set++)
		group_set(g, set)->elapsed_ns = elapsed_ns;
}

/* Moves the groups (cgroups or processes) of @cut to @to. Their counters have only the accesses
 * since the previous cut, so nothing is subtracted from them. */
static void move_groups(struct measurement *to, struct measurement *cut)
{
	to->groups = cut->groups;
	to->groups_n = cut->groups_n;
	to->others = cut->others;
	to->parts = cut->parts;
	to->shares = cut->shares;
	cut->groups = NULL;
	cut->groups_n = 0;
	cut->parts = NULL;
	cut->shares = NULL;
	for (unsigned i = 0; i < to->groups_n; i++)
		set_elapsed(&to->groups[i], to->elapsed_ns);
	set_elapsed(&to->others, to->elapsed_ns);
}

int cuts_begin(struct cuts *c, struct tracer *t)
{
	*c = (struct cuts){ .tracer = t };
	return tracer_cut(t, now_ns(), &c->last);
}

int cuts_next(struct cuts *c, struct measurement **m)
{
	struct measurement *now;
	int ret = tracer_cut(c->tracer, c->last->begin_ns, &now);

	if (ret)
		return ret;
	*m = measurement_since(now, c->last);
	move_groups(*m, now);
	measurement_free(c->last);
	c->last = now;
	return 0;
}

void cuts_end(struct cuts *c)
{
	measurement_free(c->last);
	c->last = NULL;
}
