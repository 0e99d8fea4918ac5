/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the slices of time of a report, with a row for each slice and layer. */
#ifndef IOSPAN_REPORT_SLICES_H
#define IOSPAN_REPORT_SLICES_H

#include "tools/report/report.h"

/* Returns the number of slices of the whole observation; 0: none were asked for. */
u64 slices_count(const struct report_run *r);

void slices_text(FILE *f, const struct report_run *r);
struct out *slices_json(const struct report_run *r);
void slices_csv(struct table *t, const struct report_run *r);

#endif
