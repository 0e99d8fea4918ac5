/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of the rows of an interval, and the sum of those that are not shown. */
#ifndef IOSPAN_SHOW_INTERVAL_ROWS_H
#define IOSPAN_SHOW_INTERVAL_ROWS_H

#include "user/metric/measurement.h"

/* Largest first, rows without a value last; NULL: by name. A group counts with its largest
 * layer. */
void interval_sort(const struct metric *sort, struct measurement *m);

/* Sets *@rest to the sum of the disks from index @first on that are not stacked. Returns their
 * number. T of several rows is not known. */
unsigned interval_rest_of_disks(const struct measurement *m, unsigned first, struct sum *rest);
/* Returns the sum of the groups from index @first on, without those below another one of them. */
struct group_sum interval_rest_of_groups(const struct measurement *m, unsigned first);

#endif
