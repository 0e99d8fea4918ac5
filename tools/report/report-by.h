/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_REPORT_REPORT_BY_H
#define IOSPAN_REPORT_REPORT_BY_H

#include "tools/report/report.h"

/* Sorts the table @l, and returns its rows as an array for @doc. Adds to @doc the names with the
 * most bytes, and to @sums the sum of the names after the first of run->top. The caller frees
 * l->entities. */
struct made by_json(struct out *doc, struct out *sums, struct by_list *l);

#endif
