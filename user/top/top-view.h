/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of iospan top: rows, order and page, independent of the terminal. A row is a disk,
 * cgroup or process. screen.h draws the table. */
#ifndef IOSPAN_TOP_TOP_VIEW_H
#define IOSPAN_TOP_TOP_VIEW_H

#include <stdio.h>
#include <time.h>

#include "user/base/num.h"
#include "user/show/show.h"
#include "user/top/history.h"
#include "user/top/top-columns.h"

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
	/* maximum number of rows in .list; .matching also counts the rows beyond it; 0: no limit */
	u64 most;

	/* report of the interval that is shown; before the first interval has ended, report.m is
	 * NULL */
	struct report report;
	time_t cut;
	struct top_row *list;
	/* .n: number of rows in .list. .first: index of the first row on the page. */
	unsigned n, first;
	unsigned matching;
	/* .selected: id of the cgroup or process in the selected row; 0: no row is selected.
	 * .selected_cuts: number of intervals that have ended since the user selected the row. */
	u64 selected;
	unsigned selected_cuts;
	struct history history;
};

void top_view_release(struct top_view *v);

void top_view_list(struct top_view *v);

void top_view_page(struct top_view *v, unsigned page);

char *top_row_name(const struct top_row *r);

void top_head(FILE *f, const struct top_view *v);

/* Selects the row above (@step -1) or below (@step 1) the selected row. If no row on the page is
 * selected, selects the first row of the page. Does nothing if the rows are disks. */
void top_select(struct top_view *v, int step);

bool top_is_selected(const struct top_view *v, const struct top_row *r);

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
