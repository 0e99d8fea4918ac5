// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes columns for the I/O of cgroups in the system data, a table with an interval per row. */
#include "tools/correlate/group-columns.h"

#include <ctype.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/metric/measurement.h"

static u32 join_equal_paths(struct group_amount *list, u32 n)
{
	u32 m = 0;

	for (u32 i = 0; i < n; i++) {
		if (!m || strcmp(list[m - 1].path, list[i].path)) {
			list[m++] = list[i];
			continue;
		}
		list[m - 1].bytes += list[i].bytes;
		list[m - 1].ops += list[i].ops;
	}
	return m;
}

u32 group_amounts_exclusive(struct group_amount *list, u32 n)
{
	/* above[i] - 1 is the index in the list of the closest ancestor of list[i]; above[i] = 0:
	 * the list has no ancestor */
	u32 *above, at;

	n = join_equal_paths(list, n);
	above = need(calloc(n + 1, sizeof(*above)));
	for (u32 i = 0; i < n; i++) {
		for (at = i; at && !group_is_below(list[i].path, list[at - 1].path);)
			at = above[at - 1];
		above[i] = at;
		if (!at)
			continue;
		/* Subtract the I/O of list[i] from its parent, the closest ancestor in the list.
		 * The I/O of list[i] still includes its own descendants, because they come later in
		 * the list. */
		list[at - 1].bytes -= list[i].bytes;
		list[at - 1].ops -= list[i].ops;
	}
	for (u32 i = 0; i < n; i++) {
		list[i].bytes = fmax(list[i].bytes, 0);
		list[i].ops = fmax(list[i].ops, 0);
	}
	free(above);
	return n;
}

bool group_is_of_iospan(const char *path)
{
	static const char prefix[] = "/iospan-";

	while ((path = strstr(path, prefix))) {
		path += strlen(prefix);
		if (isdigit((unsigned char)*path) && path[strspn(path, "0123456789")] == '-')
			return true;
	}
	return false;
}

static int by_group_path(const void *a, const void *b)
{
	const struct seen_group *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static struct seen_group *find_or_add_group(struct group_columns *c, const char *path)
{
	struct seen_group wanted = { .path = (char *)path }, *g;
	struct seen_group **found = need(tsearch(&wanted, &c->paths, by_group_path));

	if (*found != &wanted)
		return *found;
	g = need(malloc(sizeof(*g)));
	*g = (struct seen_group){ .path = need(strdup(path)), .number = c->groups_n };
	c->groups = need(reallocarray(c->groups, c->groups_n + 1, sizeof(*c->groups)));
	c->groups[c->groups_n++] = *found = g;
	return g;
}

void group_columns_add(struct group_columns *c, u32 interval, const struct group_amount *g)
{
	struct seen_group *to;

	if (!g->bytes && !g->ops)
		return;
	to = find_or_add_group(c, g->path);
	to->bytes += g->bytes;
	to->ops += g->ops;
	c->bytes += g->bytes;
	c->ops += g->ops;
	if (c->n == c->room) {
		c->room = c->room * 2 + 64;
		c->shares = need(reallocarray(c->shares, c->room, sizeof(*c->shares)));
	}
	c->shares[c->n++] = (struct group_share){ interval, to->number, g->bytes, g->ops };
}

static int by_group_bytes(const void *a, const void *b)
{
	const struct seen_group *x = *(struct seen_group *const *)a;
	const struct seen_group *y = *(struct seen_group *const *)b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static void add_column(struct series *to, const struct seen_group *g, const char *of)
{
	char *name = need_text("%s %s", g->path, of);

	series_column(to, name, false);
	free(name);
}

void group_columns_fill(const struct group_columns *c, struct series *to, u32 most, double least)
{
	struct seen_group **sorted = need(calloc(c->groups_n + 1, sizeof(*sorted)));
	u32 n = 0;

	for (u32 i = 0; i < c->groups_n; i++) {
		struct seen_group *g = c->groups[i];

		g->column = 0;
		if (g->bytes >= least * c->bytes || g->ops >= least * c->ops)
			sorted[n++] = g;
	}
	qsort(sorted, n, sizeof(*sorted), by_group_bytes);
	for (u32 i = 0; i < n && i < most; i++) {
		add_column(to, sorted[i], "bytes");
		add_column(to, sorted[i], "ops");
		sorted[i]->column = to->columns_n - 1;
	}
	for (size_t i = 0; i < c->n; i++) {
		const struct group_share *s = &c->shares[i];
		u32 column = c->groups[s->group]->column;

		if (!column)
			continue;
		to->columns[column - 1].values[s->interval] += s->bytes;
		to->columns[column].values[s->interval] += s->ops;
	}
	free(sorted);
}

void group_columns_release(struct group_columns *c)
{
	for (u32 i = 0; i < c->groups_n; i++) {
		tdelete(c->groups[i], &c->paths, by_group_path);
		free(c->groups[i]->path);
		free(c->groups[i]);
	}
	free(c->groups);
	free(c->shares);
	*c = (struct group_columns){};
}
