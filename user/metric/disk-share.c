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
	if (!s.is_known || unknown)
		return (struct sharing){};
	s.alone = g->device;
	s.shared = g->shared;
	sum_take_away(&s.alone, &g->shared);
	sum_set_span(&s.alone, s.span_ns - s.shared_ns, g->device.elapsed_ns);
	sum_set_span(&s.shared, s.shared_ns, g->device.elapsed_ns);
	return s;
}

double sharing_fraction(const struct sharing *s)
{
	return s->is_known && s->span_ns ? (double)s->shared_ns / s->span_ns : NAN;
}

double sharing_slowdown(const struct sharing *s)
{
	return metric_value(&s->shared, KEY_LATENCY_MEAN) /
		metric_value(&s->alone, KEY_LATENCY_MEAN);
}

double group_shared_fraction(const struct group_sum *g)
{
	struct sharing s = group_sharing(g);

	return sharing_fraction(&s);
}

double group_slowdown(const struct group_sum *g)
{
	struct sharing s = group_sharing(g);

	return sharing_slowdown(&s);
}
