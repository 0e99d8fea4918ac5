// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/load/engines.h"

#include <string.h>

#include "user/base/err.h"

static const struct engine *const engines[] = {
	&engine_uring, &engine_psync, &engine_mmap, &engine_null, NULL,
};

const struct engine *engine_named(const char *name)
{
	for (const struct engine *const *e = engines; *e; e++)
		if (!strcmp((*e)->name, name))
			return *e;
	error(-EUSAGE, "unknown engine '%s'; the engines are " ENGINES_HELP, name);
	return NULL;
}

int engine_reap_none(struct worker *w, unsigned min, u64 until_ns)
{
	return 0;
}
