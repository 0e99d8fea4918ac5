/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the I/O of the jobs themselves as JSON. */
#ifndef IOSPAN_CORRELATE_JOB_IO_JSON_H
#define IOSPAN_CORRELATE_JOB_IO_JSON_H

#include "tools/correlate/correlate.h"

/* Adds job_io, different_jobs, coverage and jobs to @doc. */
void job_io_json(struct out *doc, const struct correlation_study *c);

#endif
