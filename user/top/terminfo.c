// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/top/terminfo.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *term, *description;
} known[] = {
#include "terminals.h"
};

const char *terminfo_find(const char *term)
{
	for (size_t i = 0; term && i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(known[i].term, term))
			return known[i].description;
	return NULL;
}
