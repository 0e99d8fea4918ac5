/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report as CSV: a row per layer, operation, source, cgroup and disk, with all metrics. */
#ifndef IOSPAN_SHOW_SHOW_CSV_H
#define IOSPAN_SHOW_SHOW_CSV_H

#include "user/show/show.h"

void show_csv(FILE *f, const struct report *r);

/* The rows of show_csv(), and their titles. */
void show_csv_titles(struct table *t);
void show_csv_numbers(struct table *t, const struct report *r);

/* The subject of a row. @kind: "layer", "source", "cgroup", "device", "process", "file" or "slice".
 * @name: NULL for a layer. */
struct csv_subject {
	const char *layer, *kind, *name, *op;
};

/* One row of the metrics of @s. */
void show_csv_sum(struct table *t, const struct csv_subject *of, const struct sum *s);

/* As show_csv_sum(), but only the metrics that @has accepts; the other cells are empty. */
void show_csv_some(struct table *t, const struct csv_subject *of, const struct sum *s,
		   bool (*has)(const struct metric *m));

#endif
