/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slices of time of a report: equal parts of the observation, with sums for each layer.
 * each_slice() makes the elements of the array "slices" of the document when it is printed (struct
 * made). */
#ifndef IOSPAN_REPORT_SLICES_H
#define IOSPAN_REPORT_SLICES_H

#include "tools/report/report.h"

void each_slice(const void *run, void (*add)(void *to, struct out *element), void *to);
/* Returns the number of slices of the whole observation; 0: the report has no slices. */
u64 slices_count(const struct report_run *r);

#endif
