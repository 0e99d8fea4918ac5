/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The I/O of each cgroup per interval, as the columns "PATH bytes" and "PATH ops" of a series. A
 * cgroup may appear in any interval, so the columns are made at the end. */
#ifndef IOSPAN_GROUP_COLUMNS_H
#define IOSPAN_GROUP_COLUMNS_H

#include <stddef.h>
#include "tools/correlate/series.h"

#define MOST_GROUPS 100

struct group_amount {
	const char *path;
	double bytes, ops;
};

/* Subtracts from each group the amounts of the groups below it. In @list, a group is directly
 * followed by those below it. Joins entries of one path and returns the number left. Groups are
 * not read at the same instant, so a result below 0 becomes 0. */
u32 group_amounts_exclusive(struct group_amount *list, u32 n);

struct group_columns {
	void *paths; /* of tsearch(3) */
	struct seen_group {
		char *path;
		u32 number, column;
		double bytes, ops;
	} * *groups;
	u32 groups_n;
	double bytes, ops; /* of all groups */
	struct group_share {
		u32 interval, group;
		double bytes, ops;
	} * shares;
	size_t n, room;
};

/* A zeroed struct is empty. The path is copied. */
void group_columns_add(struct group_columns *c, u32 interval, const struct group_amount *g);

/* Adds the columns to @to, which already has all intervals: up to @most groups by bytes, each with
 * at least the fraction @least of all bytes or of all operations. */
void group_columns_fill(const struct group_columns *c, struct series *to, u32 most, double least);
void group_columns_release(struct group_columns *c);

#endif
