/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds up the system data of several systems, such as storage servers. */
#ifndef IOSPAN_CORRELATE_SERIES_SUM_H
#define IOSPAN_CORRELATE_SERIES_SUM_H

#include "tools/correlate/series.h"

/* The system data of several systems, such as storage servers. A zeroed list is empty. */
struct series_list {
	struct series *all;
	u32 n;
};

/* Adds an empty series to the list. The pointer is valid until the next one is added. */
struct series *series_list_add(struct series_list *l);

/* Sets @to to the sum of the systems in @l, and releases @l. Columns with the same name are
 * added up; a column that a system lacks is 0 in it. The intervals are those of the system with
 * the longest ones. An interval that a system does not cover is left out. @path is for the
 * error, which is printed. If @ret is not 0, an error, only releases @l. Returns @ret, 0 or
 * -errno. */
int series_list_sum(struct series *to, struct series_list *l, const char *path, int ret);

#endif
