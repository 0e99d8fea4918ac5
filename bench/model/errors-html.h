/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plots the distribution of the errors of predictions (Chen and Patterson 1993, figure 12b). */
#ifndef IOSPAN_MODEL_ERRORS_HTML_H
#define IOSPAN_MODEL_ERRORS_HTML_H

#include <stdio.h>
#include "bench/model/model.h"

/* Writes a plot of the fraction of workloads over their largest error, for the workloads in
 * m->seen. It has a line for each method, and for the bandwidth at each focal point, which a
 * single-point benchmark predicts for all workloads. Returns 0 or -errno; prints the error. */
int errors_html(FILE *f, const struct model *m);

#endif
