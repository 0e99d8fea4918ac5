/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selects the rows of an interval of iospan stat. A row is a disk, cgroup or process. A group is a
 * cgroup or process. The pattern of a filter may contain * and ?. */
#ifndef IOSPAN_INTERVAL_SELECT_H
#define IOSPAN_INTERVAL_SELECT_H

#include "user/metric/column.h"

struct interval_view {
	/* .groups: rows are cgroups; .processes: rows are processes; both false: rows are disks */
	bool groups, processes;
	/* .extended: print all metrics. .human: print numbers with units. .clock: print the time
	 * above the table. */
	bool extended, human, clock;
	const char *disk, *group; /* filter: name, number or pattern; NULL: no filter */
	bool is_sorted;
	struct sort_column sort;
	/* maximum number of rows in the text output; 0: no limit. A further row has the sum of all
	 * rows that are not shown. */
	uint64_t top;
	/* maximum number of rows with a histogram in the text output; 0: no limit */
	uint64_t histograms;
	/* true: in the text output, each row is followed by one row per operation */
	bool parts;
	uint64_t min_rate; /* rows with fewer bytes per second than this are left out */
};

/* NO_DISK: the filter for disks matches no disk. NO_GROUP: the filter for cgroups or processes
 * matches none that has I/O in the interval. */
enum interval_match { INTERVAL_MATCHES, INTERVAL_NO_DISK, INTERVAL_NO_GROUP };

/* Returns a noun for messages: the kind of the rows that the user's filter selects. */
static inline const char *interval_group_noun(const struct interval_view *v)
{
	return v->processes ? "process with I/O" : "cgroup with I/O";
}

/* Removes from @m the disks and groups that @v does not select, and sorts the selected ones. If no
 * row is left because of the filter, sets m->unmatched to a text with the reason. */
enum interval_match interval_select(const struct interval_view *v, struct measurement *m);

/* Sets m->unmatched to a text that says: the filters match, but the matching disks, cgroups or
 * processes are idle. Frees the previous text. */
void interval_set_idle(const struct interval_view *v, struct measurement *m);

/* Sorts the disks and groups of @m by the column @sort, the largest value first, or by name. A
 * metric of a group has one value at the device layer and one at the vfs layer; the larger value is
 * used. Rows without a value are last. */
void interval_sort(const struct sort_column *sort, struct measurement *m);

/* Sets *@rest to the sum of the disks with index @first or higher, without stacked disks (dm, md).
 * Returns the number of these disks. The sum has no T, because the time in which at least one of
 * several disks was busy is not known. */
unsigned interval_rest_of_disks(const struct measurement *m, unsigned first, struct sum *rest);
/* Returns the sum of the groups with index @first or higher. A group includes its descendants, so a
 * group is skipped if one of its ancestors is added. */
struct group_sum interval_rest_of_groups(const struct measurement *m, unsigned first);

#endif
