// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/phases.h"

#include <math.h>

static u32 servers_active(const struct counters *c, u32 interval, enum direction d, u64 threshold)
{
	u32 n = 0;

	for (u32 s = 0; s < c->servers_n; s++)
		n += moved_bytes(counters_cell(c, s, interval), d) > threshold;
	return n;
}

static double mean_length(u64 intervals, u64 runs)
{
	return runs ? (double)intervals / runs : 0;
}

struct phases phases_of(const struct counters *c, enum direction d, u64 threshold)
{
	struct phases p = { .intervals = c->n };
	u64 deltas = 0;
	int before = -1;

	for (u32 i = 0; i < c->n; i++) {
		u32 active = servers_active(c, i, d, threshold);
		int h = active > 0;

		deltas += active;
		p.active += h;
		if (h != before)
			(*(h ? &p.runs_io : &p.runs_idle))++;
		before = h;
	}
	p.l_io = mean_length(p.active, p.runs_io);
	p.l_idle = mean_length(p.intervals - p.active, p.runs_idle);
	p.rho = p.l_idle > 0 ? 1 - tanh(p.l_io / p.l_idle) : 0;
	p.pi = p.active ? (double)deltas / c->servers_n / p.active : NAN;
	p.p = c->servers_n > 1 ? (c->servers_n * p.pi - 1) / (c->servers_n - 1.0) : NAN;
	return p;
}
