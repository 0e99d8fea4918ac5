// SPDX-License-Identifier: GPL-2.0-or-later
/* The engines that a user can choose for a load. An engine issues the requests, for instance by
 * pread(). */
#include "bench/load/engines.h"

#include <stddef.h>

#include "user/base/words.h"

static const struct engine *const engines[] = {
	&engine_uring, &engine_psync, &engine_mmap, &engine_null, NULL,
};

const struct engine *engine_named(const char *name)
{
	return words_element("engine", engines, name);
}

int engine_reap_none(struct worker *w, bool wait, u64 until_ns)
{
	return 0;
}
