/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns by which the user can sort rows: the metrics, and the columns that only groups have.
 * A group is a cgroup or process. */
#ifndef IOSPAN_METRIC_COLUMN_H
#define IOSPAN_METRIC_COLUMN_H

#include "user/metric/measurement.h"

struct group_column {
	/* path of the value in the JSON of a group, such as "pressure.psi_some_ns" */
	const char *path;
	const char *title; /* title without the unit */
	const char *unit;  /* unit in the text table, such as "(ms)"; "": none */
	double (*value)(const struct group_sum *g); /* returns NaN if the value is undefined */
	bool of_processes;			    /* false: only cgroups have a value */
	bool is_fraction;
};
extern const struct group_column group_columns[]; /* the last entry has a path of NULL */

/* A column to sort by: a metric, or a column that only groups have. If both are NULL, rows are
 * sorted by name. */
struct sort_column {
	const struct metric *metric;
	const struct group_column *of_group;
};

/* Sets *@to to the column with the title or key @word. A title may end with its unit, as the table
 * shows it: "T(ms)". The user may leave out "_ns" at the end of a key. For the word "name", sets
 * both members of *@to to NULL. Returns 0, or -EUSAGE after an error message.
 *
 * metric_of_column() does not accept the columns that only groups have. */
int sort_column_named(struct sort_column *to, const char *word);
int metric_of_column(const struct metric **to, const char *word);

#endif
