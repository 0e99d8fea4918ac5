/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of `iospan report` as a JSON document. The tables of --by and the slices of time may
 * need too much memory. So the document does not store their rows; they are made when the document
 * is printed (struct made in user/result/place.h). */
#ifndef IOSPAN_REPORT_REPORT_SHOW_H
#define IOSPAN_REPORT_REPORT_SHOW_H

#include "tools/report/report.h"
#include "user/result/view.h"

/* Returns the document of the report. The views in show_views print it. The caller frees it. Sets
 * r->made and r->page_made. */
struct out *report_document(struct report_run *r);

/* Adds a column for the metric @sort to each table of --by in @views without this column. If @sort
 * is NULL, adds nothing. If @sort is not bytes, hides the list "top" of the entities with the most
 * bytes. Call this once. */
void by_show_column(struct view *views, const struct metric *sort);

/* Sorts the table @l. Returns an array of its first @most rows (0: of all rows), and of the row
 * "(unknown)", if there is one. The rows are made when the JSON document is printed. The caller
 * frees l->entities. */
struct made by_list_made(struct by_list *l, u64 most);
/* Returns an array of the first run->top rows, like by_list_made(). Adds the sum of all other rows
 * to @sums. Also adds the list "top" to @doc: the entities with the most bytes. The table of disks
 * has no such list. */
struct made by_json(struct out *doc, struct out *sums, struct by_list *l);

/* Adds to @o the title and the names of entity @number: a process, file, cgroup or disk. */
void by_identity_json(struct out *o, const struct by *by, u32 number);

/* Returns the number of slices of the whole observation; 0: the report has no slices. */
u64 slices_count(const struct report_run *r);

#endif
