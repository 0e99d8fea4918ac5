/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of iospan top: rows, order and page, independent of the terminal. screen.h draws it. */
#ifndef IOSPAN_TOP_TOP_VIEW_H
#define IOSPAN_TOP_TOP_VIEW_H

#include <stdio.h>
#include <time.h>

#include "user/base/num.h"
#include "user/show/show.h"
#include "user/top/history.h"

/* ---- columns: the name is first; a narrow terminal leaves out columns at the right ---- */

enum top_rows { TOP_DISKS, TOP_GROUPS, TOP_PROCESSES };

struct top_view;

struct top_column {
	const char *word;
	char letter;
	const char *layer_title;
	enum layer layer;
	const char *metric;
	const char *title;
	/* The rows that have a value in the column, and the accesses from which the value is
	 * computed. TOP_OF_ALL: all rows. TOP_OF_GROUP: cgroups and processes. TOP_OF_SYNC: syncs
	 * of cgroups and processes. TOP_OF_OP: operation .op of disks. */
	enum { TOP_OF_ALL, TOP_OF_GROUP, TOP_OF_SYNC, TOP_OF_OP } of;
	enum op op;
};
#define TOP_COLUMNS 15
enum { TOP_NAME, TOP_AMPLIFICATION = 7, TOP_PSI = 14 };
extern const struct top_column top_columns[TOP_COLUMNS];

/* Returns true if the view has rows for which the column has a value. */
bool top_has_column(const struct top_view *v, const struct top_column *c);

/* Returns the index of the column with the name or title @word. If there is none, prints an error
 * and returns -EUSAGE. */
int top_column_named(const char *word);

struct top_row {
	const struct disk_sum *disk;
	const struct group_sum *group;
	const struct sum *sums[LAYERS]; /* sums by layer; NULL: the layer is not measured */
	unsigned place;			/* index of the row before sorting */
	double key; /* value of the row in the column by which the table is sorted */
};

#define TOP_FILTER 256

struct top_view {
	enum top_rows rows;
	int sort; /* index of the column by which the table is sorted */
	bool reverse, human, paused, help;
	/* only rows with this text in their names are shown; "": all rows */
	char filter[TOP_FILTER];
	bool typing;
	char filter_before[TOP_FILTER];
	unsigned page;
	unsigned columns;
	u64 most; /* maximum number of rows in @list; further rows are only counted; 0: no limit */

	/* report of the interval that is shown; before the first interval has ended, report.m is
	 * NULL */
	struct report report;
	time_t cut;
	struct top_row *list;
	unsigned n, first; /* number of rows in @list; index of the first row on the page */
	unsigned matching;
	struct history history;
};

void top_view_release(struct top_view *v);

void top_view_list(struct top_view *v);

void top_view_page(struct top_view *v, unsigned page);

char *top_row_name(const struct top_row *r);

/* Return the title of column @c, and its value in row @r. @buf has NUM_TEXT bytes and may hold the
 * result. */
const char *top_title(char buf[NUM_TEXT], const struct top_view *v, const struct top_column *c);
const char *top_value(char buf[NUM_TEXT], const struct top_view *v, const struct top_column *c,
		      const struct top_row *r);

bool top_is_busy(const struct top_column *c, const struct top_row *r);

char *top_history(const struct top_view *v, const struct top_row *r, unsigned columns, bool ascii);

void top_head(FILE *f, const struct top_view *v);

/* Keys that are no characters. A key that is a character is passed as its Unicode number. */
enum top_key {
	TOP_UP = 0x110000,
	TOP_DOWN,
	TOP_PAGE_UP,
	TOP_PAGE_DOWN,
	TOP_HOME,
	TOP_END,
	TOP_ENTER,
	TOP_ERASE,
	TOP_ESCAPE,
};

#endif
