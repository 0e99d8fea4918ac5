/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maps that show latencies over time and offsets over time. */
#ifndef IOSPAN_REPORT_HTML_MAPS_H
#define IOSPAN_REPORT_HTML_MAPS_H

#include "tools/report/html.h"

/* Writes the maps to @f. Returns 0 or -errno; prints the error. */
int html_maps(FILE *f, const struct report_run *r);

#endif
