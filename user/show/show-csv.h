/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a report as CSV. There is one row for each layer, operation, source, cgroup and disk, with
 * all metrics. */
#ifndef IOSPAN_SHOW_SHOW_CSV_H
#define IOSPAN_SHOW_SHOW_CSV_H

#include "user/show/show.h"

void show_csv(FILE *f, const struct report *r);
/* Prints the losses as warnings, because CSV has no rows for them. */
void show_csv_losses(const struct report *r);

/* Add the titles, or the rows, of show_csv() to @t. */
void show_csv_titles(struct table *t);
void show_csv_numbers(struct table *t, const struct report *r);

/* Says which accesses a row is about. @kind is "layer", "source", "cgroup", "device", "process",
 * "file" or "slice". @name is NULL for a layer. */
struct csv_subject {
	const char *layer, *kind, *name, *op;
};

/* Adds one row with all metrics of @s. */
void show_csv_sum(struct table *t, const struct csv_subject *of, const struct sum *s);

/* Adds one row with the metrics of @s for which @has returns true. The cells of other metrics are
 * empty. */
void show_csv_some(struct table *t, const struct csv_subject *of, const struct sum *s,
		   bool (*has)(const struct metric *m));

#endif
