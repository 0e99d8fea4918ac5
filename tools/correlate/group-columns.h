/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns "PATH bytes" and "PATH ops" for the I/O of cgroups. A cgroup may first appear late, so
 * the columns are made at the end. */
#ifndef IOSPAN_GROUP_COLUMNS_H
#define IOSPAN_GROUP_COLUMNS_H

#include <stddef.h>
#include "tools/correlate/series.h"

#define MOST_GROUPS 100

struct group_amount {
	const char *path;
	double bytes, ops;
};

/* Subtracts descendants, which directly follow in @list, and joins equal paths. Returns the number
 * left. Counters are read at slightly different times, so negative results become 0. */
u32 group_amounts_exclusive(struct group_amount *list, u32 n);

struct group_columns {
	void *paths; /* tree of tsearch(3) that finds a cgroup by its path */
	struct seen_group {
		char *path;
		u32 number, column;
		double bytes, ops;
	} * *groups;
	u32 groups_n;
	double bytes, ops; /* I/O of all cgroups together */
	struct group_share {
		u32 interval, group;
		double bytes, ops;
	} * shares;
	size_t n, room;
};

/* Copies the path. Zero @c before use. */
void group_columns_add(struct group_columns *c, u32 interval, const struct group_amount *g);

/* @to must have all intervals. A cgroup gets columns if it has at least @least of all bytes or
 * operations; at most @most, those with the most bytes. */
void group_columns_fill(const struct group_columns *c, struct series *to, u32 most, double least);
void group_columns_release(struct group_columns *c);

#endif
