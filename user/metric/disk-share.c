// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/metric/disk-share.h"

#include <math.h>

struct sharing group_sharing(const struct group_sum *g)
{
	struct sharing s = {};
	bool unknown = false;

	for (unsigned i = 0; i < g->shares_n; i++) {
		if (g->shares[i].stacked)
			continue;
		s.is_known = true;
		unknown |= !g->shares[i].is_known;
		s.span_ns += g->shares[i].span_ns;
		s.shared_ns += g->shares[i].shared_ns;
	}
	return s.is_known && !unknown ? s : (struct sharing){};
}

void sharing_sums(const struct group_sum *g, const struct sharing *s, struct sum *alone,
		  struct sum *shared)
{
	*alone = g->device;
	*shared = g->shared;
	sum_take_away(alone, shared);
	sum_set_span(alone, s->span_ns - s->shared_ns, g->device.elapsed_ns);
	sum_set_span(shared, s->shared_ns, g->device.elapsed_ns);
}

double group_shared_fraction(const struct group_sum *g)
{
	struct sharing s = group_sharing(g);

	return s.span_ns ? (double)s.shared_ns / s.span_ns : NAN;
}

static double mean_ns(u128 latency_ns, u64 timed)
{
	return timed ? (double)latency_ns / timed : NAN;
}

double group_slowdown(const struct group_sum *g)
{
	const struct row *all = &g->device.row, *shared = &g->shared.row;

	if (!group_sharing(g).is_known)
		return NAN;
	return mean_ns(shared->latency_ns, shared->timed) /
		mean_ns(all->latency_ns - shared->latency_ns, all->timed - shared->timed);
}
