/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints one interval of iospan stat as a table or as a line of JSON. */
#ifndef IOSPAN_INTERVAL_SHOW_H
#define IOSPAN_INTERVAL_SHOW_H

#include "user/show/show.h"

struct interval_view {
	/* rows are cgroups; rows are processes; if both are false, rows are disks */
	bool groups, processes;
	/* print all metrics; numbers with units; the time above the table */
	bool extended, human, clock;
	const char *disk, *group; /* filter: name, number or pattern; NULL: no filter */
	/* rows are sorted by @sort, or by name if it is NULL; false: as the tracer has them */
	bool is_sorted;
	const struct metric *sort;
	uint64_t top;	   /* rows of text; the others are summed; 0: all rows */
	bool parts;	   /* text: print each row also by operation */
	uint64_t min_rate; /* rows with fewer bytes per second are left out */
};

/* Removes what @v does not select, and sorts the rest. If a filter leaves no row, m->unmatched has
 * the reason. */
void interval_select(const struct interval_view *v, struct measurement *m);

/* After interval_select(), prints for example:
 *
 *   device     IOPS  bandwidth(MiB/s)   T(ms)  ...
 *   (device)  412.0             12.10  83.104
 *   vda       412.0             12.10  83.104 */
void interval_text(FILE *f, const struct interval_view *v, const struct report *r);
/* Print the titles, and the rows of an interval, which start with its times. */
void interval_csv_titles(FILE *f, const struct report *r);
void interval_csv(FILE *f, const struct report *r);
void interval_json(FILE *f, const struct report *r); /* prints the interval as one line of JSON */

#endif
