/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_METRIC_COLUMN_H
#define IOSPAN_METRIC_COLUMN_H

#include "user/metric/metric.h"

/* Sets *@to to the metric with the title, the key, or the key without "_ns", that is @word; "name"
 * is NULL. Returns 0, or -EUSAGE after it has printed an error. It is for OPT_SORT(). */
int metric_of_column(const struct metric **to, const char *word);

#endif
