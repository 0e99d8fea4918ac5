/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints one interval of iospan stat as a table or as a line of JSON. A row is a disk, cgroup or
 * process. A group is a cgroup or process. The pattern of a filter may contain * and ?. */
#ifndef IOSPAN_INTERVAL_SHOW_H
#define IOSPAN_INTERVAL_SHOW_H

#include <stdio.h>

#include "user/show/show.h"

struct interval_view {
	/* .groups: rows are cgroups; .processes: rows are processes; both false: rows are disks */
	bool groups, processes;
	/* .extended: print all metrics. .human: print numbers with units. .clock: print the time
	 * above the table. */
	bool extended, human, clock;
	const char *disk, *group; /* filter: name, number or pattern; NULL: no filter */
	/* true: rows are sorted by the metric .sort (NULL: by name); false: rows are not sorted */
	bool is_sorted;
	const struct metric *sort;
	/* maximum number of rows in text; one more row has the sum of the rows left out; 0: no
	 * limit */
	uint64_t top;
	bool parts;	   /* true: in text, rows per operation follow each row */
	uint64_t min_rate; /* rows with fewer bytes per second are left out */
};

/* Removes from @m the disks and groups that @v does not select, and sorts the selected ones. If no
 * row is left because of the filter, sets m->unmatched to a text with the reason. */
void interval_select(const struct interval_view *v, struct measurement *m);

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
