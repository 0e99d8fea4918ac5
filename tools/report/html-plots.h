/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_REPORT_HTML_PLOTS_H
#define IOSPAN_REPORT_HTML_PLOTS_H

#include "tools/report/html.h"

int html_plots(FILE *f, const struct report_run *r); /* over time, sizes */
int html_sizes(FILE *f, const struct picture *pic);  /* alone */
struct time_axis time_axis(u64 elapsed_ns);
/* "set xrange ..." and the label. */
void time_axis_commands(FILE *script, const struct time_axis *x);

#endif
