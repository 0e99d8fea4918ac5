/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_CORRELATE_CORRELATE_HTML_H
#define IOSPAN_CORRELATE_CORRELATE_HTML_H

#include "tools/correlate/correlate.h"

/* The plots, as a part of a page. */
int correlate_plots_html(FILE *f, const struct correlation_study *c);
/* A page with them; @study is a struct correlation_study. -errno, printed. */
int correlate_html(FILE *f, const void *study);

#endif
