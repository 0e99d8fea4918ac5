/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_CHARACTERIZE_JOB_SHOW_H
#define IOSPAN_CHARACTERIZE_JOB_SHOW_H

#include "tools/characterize/job.h"

void job_text(FILE *f, const struct job *j);
/* Returns 0, or -E2BIG if there are too many jobs for JSON; prints the error. */
int job_json(FILE *f, const struct job *j);
void job_csv(FILE *f, const struct job *j);

#endif
