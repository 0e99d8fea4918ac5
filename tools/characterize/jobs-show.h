/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the jobs of a log. The text has only the distributions over the jobs, CSV has each job,
 * and JSON has both. */
#ifndef IOSPAN_CHARACTERIZE_JOBS_SHOW_H
#define IOSPAN_CHARACTERIZE_JOBS_SHOW_H

#include "tools/characterize/job.h"

void jobs_text(FILE *f, const struct job *j);
void jobs_csv(FILE *f, const struct job *j);
void jobs_json(struct out *doc, const struct job *j);

#endif
