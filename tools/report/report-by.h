/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_REPORT_REPORT_BY_H
#define IOSPAN_REPORT_REPORT_BY_H

#include "tools/report/report.h"

/* Returns the array of @doc. @sums gets the sum of the names after run->top. The caller frees
 * l->entities. */
struct made by_json(struct out *doc, struct out *sums, struct by_list *l);

#endif
