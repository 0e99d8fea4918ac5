// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/metric/column.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/base/words.h"

static int column_error(const char *word)
{
	const char **titles;
	size_t n = 0;

	while (metrics[n].key)
		n++;
	titles = need(calloc(n + 2, sizeof(*titles)));
	titles[0] = "name";
	for (size_t i = 0; i < n; i++)
		titles[1 + i] = metrics[i].title;
	words_error("column to sort by", titles, word, "");
	free(titles);
	return -EUSAGE;
}

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
	return column_error(word);
}
