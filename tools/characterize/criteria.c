// SPDX-License-Identifier: GPL-2.0-or-later
/* The 21 criteria. The paper defines 2.9 and 3.1, and what 1.1 and 1.2 count; the others
 * are names there, and are here what iospan-characterize(1) says. */
#include "tools/characterize/criteria.h"

double criteria_bytes(character *c, enum direction d, u32 t)
{
	return moved_bytes(&c->course.total, d);
}

double criteria_operations(character *c, enum direction d, u32 t)
{
	return moved_operations(&c->course.total, d);
}

double criteria_span_ns(character *c, enum direction d)
{
	return c->requests ? cover_total_ns(&c->requests->busy[d]) : NAN;
}

double criteria_of_files(character *c, u64 (*get)(const struct shared *s, enum direction d),
			 enum direction d)
{
	struct shared s;

	if (!c->requests)
		return NAN;
	s = sharing_sum(&c->requests->sharing);
	return s.files[DIR_BOTH] ? get(&s, d) : NAN;
}

static u64 get_files(const struct shared *s, enum direction d)
{
	return s->files[d];
}

double criteria_files(character *c, enum direction d, u32 t)
{
	return criteria_of_files(c, get_files, d);
}

void criteria_each(const struct character *c, void *to,
		   void (*row)(void *to, const struct character *c, const struct criterion *what,
			       u32 threshold))
{
	static const struct criterion *const parts[] = {
		criteria_amounts,
		criteria_patterns,
		criteria_parallel,
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		for (const struct criterion *what = parts[i]; what->key; what++)
			for (u32 t = 0; t < (what->by_threshold ? c->thresholds_n : 1); t++)
				row(to, c, what, t);
}
