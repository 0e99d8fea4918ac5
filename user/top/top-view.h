/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of `top`: their selection, order and page. Independent of the terminal. */
#ifndef IOSPAN_TOP_TOP_VIEW_H
#define IOSPAN_TOP_TOP_VIEW_H

#include <time.h>

#include "user/base/num.h"
#include "user/show/show.h"

/* ---- columns: the name first; a narrow terminal leaves out the last ones ---- */

struct top_column {
	const char *word;	 /* word for --sort */
	char letter;		 /* the key that sorts by this column */
	const char *layer_title; /* before the metric's title: "vfs " */
	enum layer layer;
	const char *metric; /* NULL: the name, or amplification */
};
#define TOP_COLUMNS 10
enum { TOP_NAME, TOP_AMPLIFICATION = 6 };
extern const struct top_column top_columns[TOP_COLUMNS];

/* Returns the index of the column with that word, or -1. */
int top_column_named(const char *word);

/* ---- rows ---- */

enum top_rows { TOP_DISKS, TOP_GROUPS, TOP_PROCESSES };

struct top_row {
	const struct disk_sum *disk;	/* NULL: a cgroup or process */
	const struct group_sum *group;	/* NULL: a disk */
	const struct sum *sums[LAYERS]; /* NULL: not measured */
	unsigned place;			/* index before sorting */
	double key;			/* value of the sort column */
};

#define TOP_FILTER 256

struct top_view {
	enum top_rows rows;
	int sort; /* column */
	bool reverse, human, paused, help;
	char filter[TOP_FILTER];	/* text in the names of rows; "": all rows */
	bool typing;			/* the user edits the filter */
	char filter_before[TOP_FILTER]; /* filter before the edit */
	unsigned page;			/* rows that fit on the screen */

	struct report report; /* report of the interval that is shown; .m NULL: none yet */
	time_t cut;	      /* end of that interval */
	struct top_row *list; /* rows that pass the filter, sorted */
	unsigned n, first;    /* number of rows in list; index of the first on the page */
};

void top_view_release(struct top_view *v);

/* Rebuilds the list after a change of the report, the order or the filter. */
void top_view_list(struct top_view *v);

/* Sets the number of rows on a page. */
void top_view_page(struct top_view *v, unsigned page);

/* The name in the first column; the caller frees it. */
char *top_row_name(const struct top_row *r);

/* The title of a column, and its cell in a row; @buf as in num.h. */
const char *top_title(char buf[NUM_TEXT], const struct top_view *v, const struct top_column *c);
const char *top_value(char buf[NUM_TEXT], const struct top_view *v, const struct top_column *c,
		      const struct top_row *r);

/* Prints the lines above the table. */
void top_head(FILE *f, const struct top_view *v);

/* ---- keys ---- */

/* Other keys are characters, in Unicode. */
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
