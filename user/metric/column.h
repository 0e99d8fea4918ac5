/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the metric of the column by which the user wants to sort. */
#ifndef IOSPAN_METRIC_COLUMN_H
#define IOSPAN_METRIC_COLUMN_H

#include "user/metric/metric.h"

/* Sets *@to to the metric with the title or key @word. The user may leave out "_ns" at the end of a
 * key. For the word "name", sets *@to to NULL. Returns 0, or -EUSAGE after an error message. */
int metric_of_column(const struct metric **to, const char *word);

#endif
