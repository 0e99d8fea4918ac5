/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes columns for the I/O of cgroups in the system data, a table with an interval per row: "PATH
 * bytes" and "PATH ops" for each cgroup. The columns are made after the last interval, because a
 * cgroup may first appear in a late interval. */
#ifndef IOSPAN_GROUP_COLUMNS_H
#define IOSPAN_GROUP_COLUMNS_H

#include <stddef.h>
#include "tools/correlate/series.h"

#define MOST_GROUPS 100

struct group_amount {
	const char *path;
	double bytes, ops;
};

/* Subtracts from the I/O of each cgroup the I/O of its descendants, which must directly follow the
 * cgroup in @list. Joins elements with the same path. Returns the number of elements left. The
 * counters of parent and child are read at slightly different times, so a difference may be
 * negative; it is then set to 0. */
u32 group_amounts_exclusive(struct group_amount *list, u32 n);

/* Returns true if @path is a cgroup that iospan made for a command, such as "/iospan-12-1f", or a
 * descendant of such a cgroup. */
bool group_is_of_iospan(const char *path);

struct group_columns {
	void *paths; /* search tree of the cgroups by path (tsearch(3)) */
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

/* Adds the I/O of cgroup @g in interval @interval. Copies the path of @g. A zeroed @c is ready for
 * use. */
void group_columns_add(struct group_columns *c, u32 interval, const struct group_amount *g);

/* Adds columns for the cgroups to @to, which must already have all intervals. A cgroup gets columns
 * only if it has at least the fraction @least of all bytes, or of all operations. If this is true
 * for more than @most cgroups, those with the fewest bytes get no columns. */
void group_columns_fill(const struct group_columns *c, struct series *to, u32 most, double least);
void group_columns_release(struct group_columns *c);

#endif
