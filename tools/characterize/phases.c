// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/phases.h"

#include "user/metric/burst.h"

static u32 servers_active(const struct counters *c, u32 interval, enum direction d, u64 threshold)
{
	u32 n = 0;

	for (u32 s = 0; s < c->servers_n; s++)
		n += moved_bytes(counters_cell(c, s, interval), d) > threshold;
	return n;
}

struct phases phases_of(const struct counters *c, enum direction d, u64 threshold)
{
	struct burst b = {};

	for (u32 i = 0; i < c->n; i++)
		burst_add(&b, servers_active(c, i, d, threshold));
	return (struct phases){
		.intervals = b.intervals,
		.active = b.active,
		.runs_io = b.runs_io,
		.runs_idle = b.runs_idle,
		.l_io = burst_io_length(&b),
		.l_idle = burst_idle_length(&b),
		.rho = burst_rho(&b),
		.pi = burst_pi(&b, c->servers_n),
		.p = burst_p(&b, c->servers_n),
	};
}
