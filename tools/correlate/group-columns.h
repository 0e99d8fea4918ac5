/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The I/O of each cgroup per interval, as the columns "PATH bytes" and "PATH ops" of a series. A
 * cgroup may first appear in any interval. So the amounts are collected first, and the columns
 * are made at the end. */
#ifndef IOSPAN_GROUP_COLUMNS_H
#define IOSPAN_GROUP_COLUMNS_H

#include <stddef.h>
#include "tools/correlate/series.h"

#define MOST_GROUPS 100

struct group_amount {
	const char *path;
	double bytes, ops;
};

/* Subtracts from each cgroup the amounts of its descendants, which must directly follow it in
 * @list. Joins entries with the same path. Returns the number of entries left. The cgroups were
 * not read at the same instant, so a result below 0 is set to 0. */
u32 group_amounts_exclusive(struct group_amount *list, u32 n);

struct group_columns {
	void *paths; /* a binary tree of tsearch(3) */
	struct seen_group {
		char *path;
		u32 number, column;
		double bytes, ops;
	} * *groups;
	u32 groups_n;
	double bytes, ops; /* sums over all cgroups */
	struct group_share {
		u32 interval, group;
		double bytes, ops;
	} * shares;
	size_t n, room;
};

/* Adds the amounts of @g in an interval. A zeroed @c is ready for use. The path is copied. */
void group_columns_add(struct group_columns *c, u32 interval, const struct group_amount *g);

/* Adds the columns to @to, which must already have all intervals. Only cgroups with at least the
 * fraction @least of all bytes or of all operations get columns, and at most @most, those with
 * the most bytes. */
void group_columns_fill(const struct group_columns *c, struct series *to, u32 most, double least);
void group_columns_release(struct group_columns *c);

#endif
