/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plots of all jobs together: their bytes beside those of the system, and the error of
 * predictions. */
#ifndef IOSPAN_CORRELATE_COVERAGE_HTML_H
#define IOSPAN_CORRELATE_COVERAGE_HTML_H

#include <stdio.h>

struct correlation_study;

/* coverage_html() plots the bytes of the system and of the jobs over time, each divided by its
 * maximum (Madireddy and others 2017, figure 13). If these bytes are unknown, it writes nothing.
 * prediction_html() plots the errors in c->prediction. Both return 0 or -errno; print the error. */
int coverage_html(FILE *f, const struct correlation_study *c);
int prediction_html(FILE *f, const struct correlation_study *c);

#endif
