/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of the rows of an interval, and the sum of the rows that are not shown. A row is a
 * disk, or a group: a cgroup or process. */
#ifndef IOSPAN_SHOW_INTERVAL_ROWS_H
#define IOSPAN_SHOW_INTERVAL_ROWS_H

#include "user/metric/column.h"

/* Sorts the disks and groups of @m by the column @sort, the largest value first, or by name. If the
 * column is a metric, the value of a group is the larger of its values at the device and vfs
 * layers. Rows without a value are last. */
void interval_sort(const struct sort_column *sort, struct measurement *m);

/* Sets *@rest to the sum of the disks with index @first or higher, without stacked disks (dm, md).
 * Returns the number of these disks. The sum has no T, because the time in which at least one of
 * several disks was busy is not known. */
unsigned interval_rest_of_disks(const struct measurement *m, unsigned first, struct sum *rest);
/* Returns the sum of the groups with index @first or higher. If a group and one of its ancestors
 * are both among them, only the ancestor is added, because it includes the group. */
struct group_sum interval_rest_of_groups(const struct measurement *m, unsigned first);

#endif
