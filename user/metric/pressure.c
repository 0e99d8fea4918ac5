// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/metric/pressure.h"

struct pressure pressure_since(const struct pressure *now, const struct pressure *before)
{
	return (struct pressure){
		.some_ns = now->some_ns - before->some_ns,
		.full_ns = now->full_ns - before->full_ns,
		.dirty_ns = now->dirty_ns - before->dirty_ns,
		.has_psi = now->has_psi && before->has_psi && now->some_ns >= before->some_ns &&
			now->full_ns >= before->full_ns,
		.has_dirty = now->has_dirty && before->has_dirty &&
			now->dirty_ns >= before->dirty_ns,
	};
}

bool pressure_is_some(const struct pressure *p)
{
	return (p->has_psi && p->some_ns) || (p->has_dirty && p->dirty_ns);
}

void pressure_json(struct out *o, const struct pressure *p)
{
	struct out *times = out_object();

	out_u64_or_null(times, KEY_PSI_SOME, p->has_psi, p->some_ns);
	out_u64_or_null(times, KEY_PSI_FULL, p->has_psi, p->full_ns);
	out_u64_or_null(times, KEY_DIRTY, p->has_dirty, p->dirty_ns);
	out_put(o, KEY_PRESSURE, times);
}
