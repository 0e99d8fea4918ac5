/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plots of the HTML page of `iospan report`. */
#ifndef IOSPAN_HTML_H
#define IOSPAN_HTML_H

#include "tools/report/report.h"

/* Writes the plots of @run, a struct report_run, into the HTML page @f. Returns 0 or -errno; prints
 * the error. */
int html_report(FILE *f, const void *run);

#endif
