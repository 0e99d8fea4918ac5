// SPDX-License-Identifier: GPL-2.0-or-later
/* The engines that a user can choose for a load. An engine issues the requests, for instance by
 * pread(). */
#include "bench/load/engines.h"

#include <string.h>

#include "user/base/words.h"

static const struct engine *const engines[] = {
	&engine_uring, &engine_psync, &engine_mmap, &engine_null, NULL,
};

const struct engine *engine_named(const char *name)
{
	const char *names[sizeof(engines) / sizeof(*engines)] = {};

	for (int i = 0; engines[i]; i++) {
		if (!strcmp(engines[i]->name, name))
			return engines[i];
		names[i] = engines[i]->name;
	}
	words_error("engine", names, name);
	return NULL;
}

int engine_reap_none(struct worker *w, unsigned min, u64 until_ns)
{
	return 0;
}
