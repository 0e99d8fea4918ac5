/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_METRIC_COLUMN_H
#define IOSPAN_METRIC_COLUMN_H

#include "user/metric/metric.h"

/* Sets *@to to the metric that has the title or key @word. The "_ns" at the end of a key may be
 * left out. If @word is "name", sets *@to to NULL. Returns 0, or -EUSAGE after it has
 * printed an error. Commands with the option OPT_SORT() use this. */
int metric_of_column(const struct metric **to, const char *word);

#endif
