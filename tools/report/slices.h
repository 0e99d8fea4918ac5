/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a row for each slice of time and layer. */
#ifndef IOSPAN_REPORT_SLICES_H
#define IOSPAN_REPORT_SLICES_H

#include "tools/report/report.h"

void slices_text(FILE *f, const struct report_run *r);
struct out *slices_json(const struct report_run *r);
void slices_csv(struct table *t, const struct report_run *r);

#endif
