/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_REPORT_REPORT_SHOW_H
#define IOSPAN_REPORT_REPORT_SHOW_H

#include "tools/report/report.h"

/* The views are show_views. Sets r->made. The caller frees the document. */
struct out *report_document(struct report_run *r);

#endif
