// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/metric/burst.h"

#include <math.h>

void burst_add(struct burst *b, u32 servers)
{
	bool h = servers > 0;

	if (!b->intervals || h != b->last)
		(*(h ? &b->runs_io : &b->runs_idle))++;
	b->last = h;
	b->intervals++;
	b->active += h;
	b->deltas += servers;
}

double burst_io_length(const struct burst *b)
{
	return b->runs_io ? (double)b->active / b->runs_io : 0;
}

double burst_idle_length(const struct burst *b)
{
	return b->runs_idle ? (double)(b->intervals - b->active) / b->runs_idle : 0;
}

double burst_rho(const struct burst *b)
{
	double idle = burst_idle_length(b);

	return idle > 0 ? 1 - tanh(burst_io_length(b) / idle) : 0;
}

double burst_pi(const struct burst *b, u32 servers)
{
	return b->active ? (double)b->deltas / servers / b->active : NAN;
}

double burst_p(const struct burst *b, u32 servers)
{
	/* S Pi - 1 is exactly 0 if one server at a time does I/O. A product with Pi, which is rounded,
	 * could be negative. */
	return servers > 1 && b->active ?
		(double)(b->deltas - b->active) / b->active / (servers - 1.0) :
		NAN;
}
