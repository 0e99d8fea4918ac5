/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_REPORT_SLICES_H
#define IOSPAN_REPORT_SLICES_H

#include "tools/report/report.h"

/* A layer in one slice: what a slice has no number for is 0 or null. */
struct sum slice_sum(const struct report_run *r, int layer, u32 slice);
u32 slices_count(const struct report_run *r);
void slices_text(FILE *f, const struct report_run *r);
struct out *slices_json(const struct report_run *r);
void slices_csv(struct table *t, const struct report_run *r);

#endif
