/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of iospan top. The first column has the name of the row. On a narrow terminal, the
 * last columns are not shown. */
#ifndef IOSPAN_TOP_TOP_COLUMNS_H
#define IOSPAN_TOP_TOP_COLUMNS_H

#include "user/base/num.h"
#include "user/metric/measurement.h"

enum top_rows { TOP_DISKS, TOP_GROUPS, TOP_PROCESSES };

struct top_view;

struct top_row {
	const struct disk_sum *disk;
	const struct group_sum *group;
	const struct sum *sums[LAYERS]; /* sums by layer; NULL: the layer is not measured */
	unsigned place;			/* index of the row before sorting */
	double key; /* value of the row in the column by which the table is sorted */
};

struct top_column {
	const char *word;
	char letter;
	const char *layer_title;
	enum layer layer;
	const char *metric;
	const char *title;
	/* The rows that have a value in this column:
	 *
	 * TOP_OF_ALL    all rows
	 * TOP_OF_GROUP  cgroups and processes
	 * TOP_OF_SYNC   cgroups and processes; the value is computed from their syncs
	 * TOP_OF_OP     all rows; the value is computed from their accesses with operation .op */
	enum { TOP_OF_ALL, TOP_OF_GROUP, TOP_OF_SYNC, TOP_OF_OP } of;
	enum op op;
	/* Computes the value of the column: a fraction if .is_fraction is true, otherwise a ratio.
	 * NULL: the column shows a metric (metric.h). */
	double (*value)(const struct top_row *r);
	bool is_fraction;
};
#define TOP_COLUMNS 18
enum { TOP_NAME, TOP_AMPLIFICATION = 7 };
extern const struct top_column top_columns[TOP_COLUMNS];

/* Returns true if column @c can have values for the rows that the view @v shows (disks, cgroups or
 * processes). */
bool top_has_column(const struct top_view *v, const struct top_column *c);

/* Returns the index of the column with the name or title @word. If there is none, prints an error
 * and returns -EUSAGE. */
int top_column_named(const char *word);

/* Return the title of column @c, and its value in row @r. @buf has NUM_TEXT bytes and may hold the
 * result. */
const char *top_title(char buf[NUM_TEXT], const struct top_view *v, const struct top_column *c);
const char *top_value(char buf[NUM_TEXT], const struct top_view *v, const struct top_column *c,
		      const struct top_row *r);
/* Returns the value of column @c in row @r; NaN: the row has no value. */
double top_number(const struct top_column *c, const struct top_row *r);

bool top_is_busy(const struct top_column *c, const struct top_row *r);

/* Returns the fraction of the interval in which at least one task waited for I/O (PSI "some"). */
double top_psi(const struct pressure *p, u64 elapsed_ns);

#endif
