/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The history of each row of iospan top: its busy fraction in each of the last intervals. A row is
 * a disk or a group, and a group is a cgroup or process. */
#ifndef IOSPAN_TOP_HISTORY_H
#define IOSPAN_TOP_HISTORY_H

#include "user/metric/measurement.h"

#define HISTORY 60

struct history_row;
struct history {
	struct history_row *rows;
	unsigned n;
};

/* Adds the interval @m: the busy fraction of each disk, and of each group at @layer. The busy
 * fraction is the time with accesses in flight, divided by the length of the interval. Forgets rows
 * that were idle in all stored intervals. */
void history_add(struct history *h, const struct measurement *m, enum layer layer);
void history_release(struct history *h);

/* Returns the history of disk @d, or of group @g if @d is NULL. The text has one character for each
 * of the last @columns intervals. A blank stands for idle, a full block for always busy. If @ascii
 * is true, all characters are ASCII, and '#' stands for always busy. The caller frees it. */
char *history_text(const struct history *h, const struct disk_sum *d, const struct group_sum *g,
		   unsigned columns, bool ascii);

#endif
