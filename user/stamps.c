// SPDX-License-Identifier: GPL-2.0-or-later
#include "stamps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"

bool stamps_wanted(void)
{
	return getenv(STAMPS_ENV) != NULL;
}

void stamps_keep(struct maps *m, u32 cell, u64 start, u64 end)
{
	u64 at;

	if (!stamps_wanted())
		return;
	at = __atomic_fetch_add(m->stamps_n, 1, __ATOMIC_RELAXED);
	if (at < STAMPS_ROOM)
		m->stamps[at] = (struct stamp){ start, end, cell };
}

static void write_stamp(FILE *f, const struct maps *m, const struct stamp *s)
{
	const struct cell *c = &m->cells[s->cell < m->max_cells ? s->cell : 0];
	u32 group = c->group & ~GROUP_OTHER;

	fprintf(f, "%s %s %llu %llu %llu\n", m->disks[c->disk < MAX_DISKS ? c->disk : 0].is.name,
		op_names[c->op < OP_MAX ? c->op : OP_OTHER], (unsigned long long)m->groups[group].id,
		(unsigned long long)s->start_ns, (unsigned long long)s->end_ns);
}

int stamps_write(const struct maps *m)
{
	const char *path = getenv(STAMPS_ENV);
	FILE *f;

	if (!path)
		return 0;
	if (*m->stamps_n > STAMPS_ROOM)
		return error(-ENOSPC, "%llu time stamps, and room for %d",
			     (unsigned long long)*m->stamps_n, STAMPS_ROOM);
	f = fopen(path, "we");
	if (!f)
		return error(-errno, "cannot write '%s': %s", path, strerror(errno));
	for (u64 i = 0; i < *m->stamps_n; i++)
		write_stamp(f, m, &m->stamps[i]);
	if (fclose(f))
		return error(-errno, "cannot write '%s': %s", path, strerror(errno));
	return 0;
}
