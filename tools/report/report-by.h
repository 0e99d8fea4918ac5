/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of --by as arrays of the JSON document. A table has rows for each process, file,
 * cgroup or disk. The document does not store such an array, because it may need too much memory.
 * Its elements are made when the document is printed (struct made in user/result/place.h). */
#ifndef IOSPAN_REPORT_REPORT_BY_H
#define IOSPAN_REPORT_REPORT_BY_H

#include "tools/report/report.h"

/* Sorts the table @l, and returns the array of its first @most rows (0: all rows) for a document.
 * The caller frees l->entities. */
struct made by_list_made(struct by_list *l, u64 most);
/* Returns the array of the first run->top rows, as by_list_made() does. Adds the sum of all other
 * rows to @sums. Adds the entities with the most bytes to the list "top" of @doc. */
struct made by_json(struct out *doc, struct out *sums, struct by_list *l);

/* Adds to @o the title and the names of entity @number: a process, file, cgroup or disk. */
void by_identity_json(struct out *o, const struct by *by, u32 number);

#endif
