// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds a column by which the user can sort rows: a metric, or a column that only groups have. A
 * group is a cgroup or process. */
#include "user/metric/column.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/base/words.h"

static double psi_some(const struct group_sum *g)
{
	return g->pressure.has_psi ? g->pressure.some_ns : NAN;
}

static double psi_full(const struct group_sum *g)
{
	return g->pressure.has_psi ? g->pressure.full_ns : NAN;
}

static double dirty_throttled(const struct group_sum *g)
{
	return g->pressure.has_dirty ? g->pressure.dirty_ns : NAN;
}

const struct group_column group_columns[] = {
	{ KEY_PRESSURE "." KEY_PSI_SOME, "PSI some", "(ms)", .value = psi_some },
	{ KEY_PRESSURE "." KEY_PSI_FULL, "PSI full", "(ms)", .value = psi_full },
	{ KEY_PRESSURE "." KEY_DIRTY, "dirty throttled", "(ms)", .value = dirty_throttled },
	{ KEY_SHARING "." KEY_SHARED_FRACTION, "shared", "", .value = group_shared_fraction,
	  .of_processes = true, .is_fraction = true },
	{ KEY_SHARING "." KEY_SLOWDOWN, "slowdown", "", .value = group_slowdown,
	  .of_processes = true },
	{},
};

/* Prints the error that there is no column @word. The error lists the titles of all metrics and, if
 * @groups is true, of all columns of groups. Returns -EUSAGE. */
static int column_error(const char *word, bool groups)
{
	const char **titles;
	size_t n = 1, room = 1;

	for (const struct metric *m = metrics; m->key; m++)
		room++;
	for (const struct group_column *c = group_columns; c->path; c++)
		room++;
	titles = need(calloc(room + 1, sizeof(*titles)));
	titles[0] = "name";
	for (const struct metric *m = metrics; m->key; m++)
		titles[n++] = m->title;
	for (const struct group_column *c = group_columns; groups && c->path; c++)
		titles[n++] = c->title;
	words_error("column to sort by", titles, word, "");
	free(titles);
	return -EUSAGE;
}

static bool is_key(const char *key, const char *word)
{
	size_t n = strlen(word);

	return !strncmp(key, word, n) && (!key[n] || !strcmp(key + n, "_ns"));
}

/* Returns true if @word is @title, or @title with its unit in parentheses. */
static bool is_title(const char *title, const char *unit, const char *word)
{
	char *shown = need_text("%s%s", title, unit);
	bool is_it = !strcasecmp(title, word) || !strcasecmp(shown, word);

	free(shown);
	return is_it;
}

static const struct metric *find_metric(const char *word)
{
	const struct metric *found = NULL;

	for (const struct metric *m = metrics; m->key && !found; m++) {
		char *unit = need_text(*metric_unit(m) ? "(%s)" : "%s", metric_unit(m));

		if (is_title(m->title, unit, word) || is_key(m->key, word))
			found = m;
		free(unit);
	}
	return found;
}

static const struct group_column *find_group_column(const char *word)
{
	for (const struct group_column *c = group_columns; c->path; c++)
		if (is_title(c->title, c->unit, word) || is_key(strchr(c->path, '.') + 1, word))
			return c;
	return NULL;
}

int metric_of_column(const struct metric **to, const char *word)
{
	*to = find_metric(word);
	return *to || !strcmp(word, "name") ? 0 : column_error(word, false);
}

int sort_column_named(struct sort_column *to, const char *word)
{
	*to = (struct sort_column){ find_metric(word), find_group_column(word) };
	return to->metric || to->of_group || !strcmp(word, "name") ? 0 : column_error(word, true);
}
