/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints one interval of iospan stat as a table or as a line of JSON. */
#ifndef IOSPAN_INTERVAL_SHOW_H
#define IOSPAN_INTERVAL_SHOW_H

#include <stdio.h>

#include "user/show/interval-select.h"
#include "user/show/show.h"

/* Prints the interval as a table. Call interval_select() first. Example:
 *
 *   device     IOPS  bandwidth(MiB/s)   T(ms)  ...
 *   (device)  412.0             12.10  83.104
 *   vda       412.0             12.10  83.104 */
void interval_text(FILE *f, const struct interval_view *v, const struct report *r);
/* Print the interval as CSV. Each row starts with the start and end time of the interval. */
void interval_csv_titles(FILE *f, const struct report *r);
void interval_csv(FILE *f, const struct report *r);
void interval_json(FILE *f, const struct report *r);

#endif
