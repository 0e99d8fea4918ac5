/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `top` shows of an interval: which rows, in which order, from where on; and what a key
 * makes of that. Nothing here knows a terminal. */
#ifndef IOSPAN_TOP_VIEW_H
#define IOSPAN_TOP_VIEW_H

#include <time.h>

#include "user/base/num.h"
#include "user/show/show.h"

/* ---- columns: the first is the name; where there is no room, the last ones are left out ---- */

struct top_column {
	const char *word;	 /* as --sort takes it */
	char letter;		 /* sorts by it */
	const char *layer_title; /* goes before the metric's: "vfs " */
	enum layer layer;
	const char *metric; /* NULL: of no metric */
};
#define TOP_COLUMNS 10
enum { TOP_NAME, TOP_AMPLIFICATION = 6 };
extern const struct top_column top_columns[TOP_COLUMNS];

/* The column of that word; -1: there is none. */
int top_column_named(const char *word);

/* ---- rows ---- */

enum top_rows { TOP_DISKS, TOP_GROUPS, TOP_PROCESSES };

struct top_row {
	const struct disk_sum *disk;	/* one of the two */
	const struct group_sum *group;	/* or process */
	const struct sum *sums[LAYERS]; /* NULL: nobody knows */
	unsigned place;			/* in the measurement */
	double key;			/* by which it is sorted */
};

#define TOP_FILTER 256

struct top_view {
	enum top_rows rows;
	int sort; /* column */
	bool reverse, human, paused, help;
	char filter[TOP_FILTER];	/* only rows with this text in their name; "": all */
	bool typing;			/* it */
	char filter_before[TOP_FILTER]; /* when that began */
	unsigned page;			/* rows that there is room for */

	struct report report; /* what is shown, if its measurement is not NULL */
	time_t cut;	      /* when that was */
	struct top_row *list; /* of those that the filter passes, in order */
	unsigned n, first;    /* how many; the one at the top of the page */
};

void top_view_release(struct top_view *v);

/* Makes the list again: there is another report, order or filter. */
void top_view_list(struct top_view *v);

/* There is room for so many rows. */
void top_view_page(struct top_view *v, unsigned page);

/* What the row is called; the caller frees it. */
char *top_row_name(const struct top_row *r);

/* What stands above a column, in a row of it; @buf as in num.h. */
const char *top_title(char buf[NUM_TEXT], const struct top_view *v, const struct top_column *c);
const char *top_value(char buf[NUM_TEXT], const struct top_view *v, const struct top_column *c,
		      const struct top_row *r);

/* The lines above the table, with what @all, from the start on, has lost. */
void top_head(FILE *f, const struct top_view *v, const struct measurement *all);

/* ---- keys ---- */

/* Characters are themselves. */
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

/* Lines that tell what the keys are; the last is NULL. */
extern const char *const top_help[];

#endif
