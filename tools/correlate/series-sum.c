// SPDX-License-Identifier: GPL-2.0-or-later
/* Adds up the system data of several systems, such as storage servers. System data is a table
 * with a row per interval and a column per kind of I/O. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "tools/correlate/series-sum.h"

static u32 find_or_add_column(struct series *s, const char *name)
{
	u32 c = 0;

	while (c < s->columns_n && strcmp(s->columns[c].name, name) != 0)
		c++;
	if (c == s->columns_n)
		series_column(s, name, false);
	return c;
}

static void add_system(struct series *to, const struct series *part)
{
	u32 *column = need(calloc(part->columns_n + 1, sizeof(*column)));

	for (u32 c = 0; c < part->columns_n; c++)
		column[c] = find_or_add_column(to, part->columns[c].name);
	for (u32 i = 0; i < to->n; i++)
		for (u32 c = 0; c < part->columns_n; c++)
			to->columns[column[c]].values[i] +=
				series_between(part, c, to->start_s[i], to->end_s[i]);
	free(column);
}

static bool all_cover(const struct series *parts, u32 n, double start_s, double end_s)
{
	for (u32 k = 0; k < n; k++)
		if (!series_covers(&parts[k], start_s, end_s))
			return false;
	return true;
}

static int sum_systems(struct series *to, const struct series_list *l, const char *path)
{
	const struct series *parts = l->all, *longest = parts;
	u32 n = l->n;

	for (u32 k = 1; k < n; k++)
		if (parts[k].width_s > longest->width_s)
			longest = &parts[k];
	for (u32 i = 0; i < longest->n; i++)
		if (all_cover(parts, n, longest->start_s[i], longest->end_s[i]))
			series_add(to, longest->start_s[i], longest->end_s[i]);
	if (!to->n)
		return error(-ENODATA, "'%s': there is no interval that all %u systems cover", path,
			     n);
	for (u32 k = 0; k < n; k++)
		add_system(to, &parts[k]);
	return series_finish(to, path);
}

struct series *series_list_add(struct series_list *l)
{
	l->all = need(reallocarray(l->all, l->n + 1, sizeof(*l->all)));
	l->all[l->n] = (struct series){};
	return &l->all[l->n++];
}

int series_list_sum(struct series *to, struct series_list *l, const char *path, int ret)
{
	if (!ret && l->n == 1) {
		*to = l->all[0];
		l->n = 0;
	} else if (!ret) {
		ret = sum_systems(to, l, path);
	}
	for (u32 i = 0; i < l->n; i++)
		series_release(&l->all[i]);
	free(l->all);
	*l = (struct series_list){};
	return ret;
}
