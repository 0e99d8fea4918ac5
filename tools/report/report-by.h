/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of --by as arrays of the JSON document. A table has rows for each process, file,
 * cgroup or disk. The document does not store such an array, because it may need too much memory.
 * Its elements are made when the document is printed (struct made in user/result/place.h). */
#ifndef IOSPAN_REPORT_REPORT_BY_H
#define IOSPAN_REPORT_REPORT_BY_H

#include "tools/report/report.h"
#include "user/result/view.h"

/* Adds the column @sort to those tables of --by among @views that lack it. NULL: the rows are
 * sorted by name, so adds none. Call this once. */
void by_show_column(struct view *views, const struct metric *sort);

/* Sorts the table @l. Returns the array of its first @most rows (0: of all rows), which is printed
 * with a JSON document. The caller frees l->entities. */
struct made by_list_made(struct by_list *l, u64 most);
/* Returns an array as by_list_made() does, of the first run->top rows. Also adds the sum of all
 * other rows to @sums, and adds the list "top" to @doc: the processes, files, cgroups or disks with
 * the most bytes. */
struct made by_json(struct out *doc, struct out *sums, struct by_list *l);

/* Adds to @o the title and the names of entity @number: a process, file, cgroup or disk. */
void by_identity_json(struct out *o, const struct by *by, u32 number);

#endif
