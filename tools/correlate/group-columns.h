/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns "PATH bytes" and "PATH ops" for cgroups. They are made at the end, because a cgroup may
 * first appear in a late interval. */
#ifndef IOSPAN_GROUP_COLUMNS_H
#define IOSPAN_GROUP_COLUMNS_H

#include <stddef.h>
#include "tools/correlate/series.h"

#define MOST_GROUPS 100

struct group_amount {
	const char *path;
	double bytes, ops;
};

/* Subtracts descendants, which follow each cgroup in @list. Joins equal paths; returns the number
 * left. A negative difference becomes 0: counters are read at slightly different times. */
u32 group_amounts_exclusive(struct group_amount *list, u32 n);

struct group_columns {
	void *paths; /* tree of tsearch(3) that finds a cgroup by its path */
	struct seen_group {
		char *path;
		u32 number, column;
		double bytes, ops;
	} * *groups;
	u32 groups_n;
	double bytes, ops;
	struct group_share {
		u32 interval, group;
		double bytes, ops;
	} * shares;
	size_t n, room;
};

/* Adds I/O of a cgroup, and copies its path. A zeroed @c is ready for use. */
void group_columns_add(struct group_columns *c, u32 interval, const struct group_amount *g);

/* Adds columns for cgroups with at least @least of all bytes or operations, at most @most: those
 * with the most bytes. @to must have all intervals. */
void group_columns_fill(const struct group_columns *c, struct series *to, u32 most, double least);
void group_columns_release(struct group_columns *c);

#endif
