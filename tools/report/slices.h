/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slices of time of a report: equal parts of the observation, with sums for each layer. The
 * document does not store the array "slices", because it may be large. each_slice() makes the
 * elements when the document is printed. */
#ifndef IOSPAN_REPORT_SLICES_H
#define IOSPAN_REPORT_SLICES_H

#include "tools/report/report.h"

void each_slice(const void *run, void (*add)(void *to, struct out *element), void *to);
/* Returns the number of slices of the whole observation; 0: the report has no slices. */
u64 slices_count(const struct report_run *r);

#endif
