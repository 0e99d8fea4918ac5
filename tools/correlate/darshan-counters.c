// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/correlate/darshan-counters.h"

#include <stddef.h>
#include <string.h>

/* The open has two names, because versions of Darshan differ. */
static const struct {
	const char *name; /* without the prefix */
	enum stamp stamp;
} counters[] = {
	{ "OPEN_START_TIMESTAMP", OPEN },
	{ "OPEN_TIMESTAMP", OPEN },
	{ "READ_START_TIMESTAMP", READ_BEGIN },
	{ "READ_END_TIMESTAMP", READ_END },
	{ "WRITE_START_TIMESTAMP", WRITE_BEGIN },
	{ "WRITE_END_TIMESTAMP", WRITE_END },
	{ "META_TIME", META },
	{ "READ_TIME", READ },
	{ "WRITE_TIME", WRITE },
	{ "BYTES_READ", READ_BYTES },
	{ "BYTES_WRITTEN", WRITE_BYTES },
};

int darshan_stamp(const char *name)
{
	static const char *const before[] = { "POSIX_F_", "CP_F_POSIX_", "CP_F_", "POSIX_", "CP_" };

	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++) {
		size_t len = strlen(before[i]);

		for (size_t c = 0; c < sizeof(counters) / sizeof(*counters); c++)
			if (!strncmp(name, before[i], len) && !strcmp(name + len, counters[c].name))
				return counters[c].stamp;
	}
	return -1;
}
