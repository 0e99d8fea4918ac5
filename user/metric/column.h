/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_METRIC_COLUMN_H
#define IOSPAN_METRIC_COLUMN_H

#include "user/metric/metric.h"

/* Sets *@to to the metric with title or key @word, with or without "_ns" at its end; NULL for
 * "name". Returns 0, or -EUSAGE after an error message. For OPT_SORT(). */
int metric_of_column(const struct metric **to, const char *word);

#endif
