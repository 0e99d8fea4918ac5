/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plots of the HTML page of `correlate`. */
#ifndef IOSPAN_CORRELATE_CORRELATE_HTML_H
#define IOSPAN_CORRELATE_CORRELATE_HTML_H

#include <stdio.h>

/* Writes the plots of @study, a struct correlation_study, into the HTML page @f. Returns 0 or
 * -errno; prints the error. */
int correlate_plots_html(FILE *f, const void *study);

#endif
