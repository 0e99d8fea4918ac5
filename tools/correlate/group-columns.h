/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each cgroup of a system did, interval after interval, as columns of a series: of each "PATH
 * bytes" and "PATH ops", of those with most bytes. Somebody may come at any time. */
#ifndef IOSPAN_GROUP_COLUMNS_H
#define IOSPAN_GROUP_COLUMNS_H

#include <stddef.h>
#include "tools/correlate/series.h"

#define MOST_GROUPS 100

struct group_amount {
	const char *path;
	double bytes, ops;
};

/* The groups of an interval, each with those below it, which follow it: what each did without
 * those. Of the same path one is left; how many are. Two groups are not read at one time: what
 * would be below 0 is 0. */
u32 group_amounts_own(struct group_amount *list, u32 n);

struct group_columns {
	void *paths; /* of tsearch(3) */
	struct seen_group {
		char *path;
		u32 number, column;
		double bytes, ops;
	} * *groups;
	u32 groups_n;
	double bytes, ops; /* of all */
	struct group_share {
		u32 interval, group;
		double bytes, ops;
	} * shares;
	size_t n, room;
};

/* Zeroes are empty ones. */
void group_columns_add(struct group_columns *c, u32 interval, const struct group_amount *g);

/* When all are there: those of @most, which had the @least share of all bytes or ops, into @to,
 * which has these intervals. */
void group_columns_put(const struct group_columns *c, struct series *to, u32 most, double least);
void group_columns_release(struct group_columns *c);

#endif
