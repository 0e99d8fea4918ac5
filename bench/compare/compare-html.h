/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plots a comparison of two systems (Chen and Patterson 1993, figures 10 and 15). */
#ifndef IOSPAN_COMPARE_HTML_H
#define IOSPAN_COMPARE_HTML_H

#include <stdio.h>

/* Writes two plots of @comparison, a struct comparison. The first shows the bandwidth of both
 * systems over uniqueBytes. The second shows the measured ratio A / B over the predicted ratio. The
 * second plot needs workloads that were measured on both systems, in the validations or as random
 * probes. Returns 0 or -errno; prints the error. */
int comparison_plots(FILE *f, const void *comparison);

#endif
