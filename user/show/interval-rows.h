/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of the rows of an interval, and the sum of the rows that are not shown. A row is a
 * disk, or a group: a cgroup or process. */
#ifndef IOSPAN_SHOW_INTERVAL_ROWS_H
#define IOSPAN_SHOW_INTERVAL_ROWS_H

#include "user/metric/measurement.h"

/* Sorts the disks and groups of @m by the metric @sort, the largest value first; NULL: by name. The
 * value of a group is the largest among its layers. Rows without a value are last. */
void interval_sort(const struct metric *sort, struct measurement *m);

/* Sets *@rest to the sum of the disks with index @first or higher, without stacked disks. Returns
 * the number of these disks. T of several disks together is not known. */
unsigned interval_rest_of_disks(const struct measurement *m, unsigned first, struct sum *rest);
/* Returns the sum of the groups with index @first or higher. If a group and one of its ancestors
 * are both among them, only the ancestor is added, because it includes the group. */
struct group_sum interval_rest_of_groups(const struct measurement *m, unsigned first);

#endif
