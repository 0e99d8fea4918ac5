/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plots of the HTML page of `characterize`. */
#ifndef IOSPAN_CHARACTERIZE_JOB_HTML_H
#define IOSPAN_CHARACTERIZE_JOB_HTML_H

#include "tools/characterize/job.h"

/* Writes the plots of @job, a struct job, into the HTML page @f. Returns 0 or -errno; prints the
 * error. */
int job_plots(FILE *f, const void *job);

#endif
