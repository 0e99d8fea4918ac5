/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_REPORT_REPORT_EXACT_H
#define IOSPAN_REPORT_REPORT_EXACT_H

#include "tools/report/report.h"

/* A second look at all accesses, for --exact. When it is stopped, percentiles are those of
 * the histogram. -errno, printed. */
int report_exact(struct report_run *r, bool (*stop)(void *arg, const struct report_run *r),
		 void *arg);
void exact_sets_free(struct exact_sets *sets);

#endif
