/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The busy fraction of each row of iospan top over the last intervals. */
#ifndef IOSPAN_TOP_HISTORY_H
#define IOSPAN_TOP_HISTORY_H

#include "user/metric/measurement.h"

#define HISTORY 60 /* intervals */

struct history_row; /* described in history.c */
struct history {
	struct history_row *rows; /* ordered by kind and id */
	unsigned n;
};

/* Adds the interval @m: T of @layer divided by the length of the interval. A row that is not in @m
 * was idle. A row that was idle in all intervals is forgotten. */
void history_add(struct history *h, const struct measurement *m, enum layer layer);
void history_release(struct history *h);

/* Return a text of @columns characters, the last one for the last interval. A blank is idle, a full
 * block is busy all the time. With @ascii, '#' stands for the block. The disk or group may be
 * unknown. The caller frees the text. */
char *history_of_disk(const struct history *h, const struct disk_sum *d, unsigned columns,
		      bool ascii);
char *history_of_group(const struct history *h, const struct group_sum *g, unsigned columns,
		       bool ascii);

#endif
