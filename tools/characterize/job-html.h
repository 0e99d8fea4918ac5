/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_CHARACTERIZE_JOB_HTML_H
#define IOSPAN_CHARACTERIZE_JOB_HTML_H

#include "tools/characterize/job.h"

/* Writes an HTML page with plots of @j. Returns 0 or -errno; prints the error. */
int job_html(FILE *f, const struct job *j);

#endif
