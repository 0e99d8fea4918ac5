// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/load/engines.h"

#include <stdio.h>
#include <string.h>

#include "user/base/err.h"

static const struct engine *const engines[] = {
	&engine_uring, &engine_psync, &engine_mmap, &engine_null, NULL,
};

const char *engines_help(char buf[ENGINES_HELP])
{
	size_t n = 0;

	for (const struct engine *const *e = engines; *e && n < ENGINES_HELP; e++)
		n += snprintf(buf + n, ENGINES_HELP - n, "%s%s (%s)", n ? ", " : "", (*e)->name,
			      (*e)->help);
	return buf;
}

const struct engine *engine_named(const char *name)
{
	char help[ENGINES_HELP];

	for (const struct engine *const *e = engines; *e; e++)
		if (!strcmp((*e)->name, name))
			return *e;
	error(-EUSAGE, "unknown engine '%s'; the engines are %s", name, engines_help(help));
	return NULL;
}

int engine_reap_none(struct worker *w, unsigned min, u64 until_ns)
{
	return 0;
}
