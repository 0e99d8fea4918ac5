// SPDX-License-Identifier: GPL-2.0-or-later
/* Adds up the counters in the BPF maps. A row (struct row) has the counters of a set of accesses,
 * in several copies (stripes), so that CPUs do not share one. The value of a row is the sum of its
 * copies. */
#include "user/kernel/maps.h"

#include <errno.h>
#include <signal.h>

static const struct row *stripe(const struct maps *m, u32 row, u32 i)
{
	return &m->rows[maps_stripe(m, row, i)];
}

u64 maps_accesses(const struct maps *m, u32 row)
{
	u64 n = 0;

	for (u32 i = 0; i < maps_stripes(m, row); i++)
		n += stripe(m, row, i)->accesses;
	return n;
}

/* Skips stripes without accesses to save time: most stripes of a group's rows have none. */
void maps_add_row(const struct maps *m, u32 row, struct sum *to)
{
	for (u32 i = 0; i < maps_stripes(m, row); i++)
		if (stripe(m, row, i)->accesses)
			sum_add_row(to, stripe(m, row, i));
}

void maps_add_counts(struct cell_counts *to, const struct cell_counts *from)
{
	to->accesses += from->accesses;
	to->bytes += from->bytes;
	to->errors += from->errors;
	to->latency_ns += from->latency_ns;
}

bool maps_process_exited(const struct maps *m, u32 tgid)
{
	return m->init_pidns && kill(tgid, 0) && errno == ESRCH;
}
