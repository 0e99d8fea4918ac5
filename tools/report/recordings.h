/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The head of a report: how each trace was made. */
#ifndef IOSPAN_REPORT_RECORDINGS_H
#define IOSPAN_REPORT_RECORDINGS_H

#include "tools/report/evidence.h"

/* Adds the list "recordings" to @doc: for each trace the command, start, duration, exit status,
 * host and kernel, and a sentence with all of these. The files of a trace are one recording. */
void recordings_json(struct out *doc, const struct evidence *e);

#endif
