/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plots the distribution of the errors of predictions (Chen and Patterson 1993, figure 12b). */
#ifndef IOSPAN_MODEL_ERRORS_HTML_H
#define IOSPAN_MODEL_ERRORS_HTML_H

#include <stdio.h>
#include "bench/model/model.h"

/* Writes a plot that shows which fraction of the workloads in m->seen has at most a given
 * prediction error. It has a line for each method of prediction, and a line for each single-point
 * benchmark. A single-point benchmark predicts the bandwidth at a focal point for all workloads.
 * Returns 0 or -errno; prints the error. */
int errors_html(FILE *f, const struct model *m);

#endif
