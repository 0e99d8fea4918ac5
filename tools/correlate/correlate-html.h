/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_CORRELATE_CORRELATE_HTML_H
#define IOSPAN_CORRELATE_CORRELATE_HTML_H

#include "tools/correlate/correlate.h"

/* Writes the plots of @c into an HTML page that the caller has started. Returns 0 or -errno;
 * prints the error. */
int correlate_plots_html(FILE *f, const struct correlation_study *c);
/* Writes a whole HTML page. @study is a struct correlation_study. Returns 0 or -errno; prints
 * the error. */
int correlate_html(FILE *f, const void *study);

#endif
