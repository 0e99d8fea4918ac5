/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a report as text, JSON or CSV. */
#ifndef IOSPAN_REPORT_REPORT_SHOW_H
#define IOSPAN_REPORT_REPORT_SHOW_H

#include "tools/report/report.h"

void report_text(FILE *f, const struct report_run *r);
void report_json(FILE *f, const struct report_run *r);
void report_csv(FILE *f, const struct report_run *r);

#endif
