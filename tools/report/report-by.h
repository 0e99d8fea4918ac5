/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of tools/report/by.h as JSON. */
#ifndef IOSPAN_REPORT_REPORT_BY_H
#define IOSPAN_REPORT_REPORT_BY_H

#include "tools/report/report.h"

extern const char *const by_keys[TRACE_KINDS]; /* JSON key of each table */

/* Adds a table to @doc, and to @sums the sum of the names after the first r->top. */
void by_json(struct out *doc, struct out *sums, const struct report_run *r, u32 kind);

#endif
