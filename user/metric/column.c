// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/metric/column.h"

#include <string.h>

#include "user/base/err.h"

int metric_of_column(const struct metric **to, const char *word)
{
	size_t n = strlen(word);

	*to = NULL;
	if (!strcmp(word, "name"))
		return 0;
	for (const struct metric *m = metrics; m->key; m++)
		if (!strcasecmp(m->title, word) ||
		    (!strncmp(m->key, word, n) && (!m->key[n] || !strcmp(m->key + n, "_ns")))) {
			*to = m;
			return 0;
		}
	return error(-EUSAGE, "'%s' is no column to sort by; it is 'name' or a title such as 'p99'",
		     word);
}
