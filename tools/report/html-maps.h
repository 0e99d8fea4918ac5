/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_REPORT_HTML_MAPS_H
#define IOSPAN_REPORT_HTML_MAPS_H

#include "tools/report/html.h"

int html_maps(FILE *f, const struct report_run *r);

#endif
