/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints an interval as a table, or as a line of JSON. */
#ifndef IOSPAN_INTERVAL_SHOW_H
#define IOSPAN_INTERVAL_SHOW_H

#include "user/show/show.h"

struct interval_view {
	bool groups, processes;	     /* rows of cgroups, of processes; else of disks */
	bool extended, human, clock; /* all metrics; with units; with the time */
	const char *disk, *group;    /* name, number or pattern; NULL: all */
	uint64_t min_rate;	     /* least bytes per second of a row */
};

/* Removes from @m the disks and groups that the view does not select. If a filter leaves no row, sets
 * m->unmatched to the reason. */
void interval_select(const struct interval_view *v, struct measurement *m);

/* After interval_select().
 *
 * device     IOPS  bandwidth(MiB/s)   T(ms)  ...
 * (device)  412.0             12.10  83.104
 * vda       412.0             12.10  83.104 */
void interval_text(FILE *f, const struct interval_view *v, const struct report *r);
void interval_json(FILE *f, const struct report *r); /* prints one line */

#endif
