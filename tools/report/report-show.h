/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of `iospan report` as a JSON document. */
#ifndef IOSPAN_REPORT_REPORT_SHOW_H
#define IOSPAN_REPORT_REPORT_SHOW_H

#include "tools/report/report.h"

/* Returns the document of the report. The views in show_views print it. The caller frees it. Sets
 * r->made and r->page_made. */
struct out *report_document(struct report_run *r);

#endif
