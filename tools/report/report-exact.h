/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes exact percentiles of latencies for all sums and table rows of a report. A sum has the
 * counters, T and histogram of a set of accesses. Without exact percentiles, a report computes them
 * from the buckets of the histograms. */
#ifndef IOSPAN_REPORT_REPORT_EXACT_H
#define IOSPAN_REPORT_REPORT_EXACT_H

#include "tools/report/report.h"

/* Computes the exact percentiles by reading the traces again. If @stop() returns true, the report
 * keeps the percentiles of the histograms. Returns 0 or -errno; prints the error. */
int report_exact(struct report_run *r, bool (*stop)(void *arg, const struct report_run *r),
		 void *arg);
void exact_sets_free(struct exact_sets *sets);

#endif
