/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the accesses of a job from traces. */
#ifndef IOSPAN_CHARACTERIZE_JOB_TRACES_H
#define IOSPAN_CHARACTERIZE_JOB_TRACES_H

#include "tools/characterize/job.h"

/* Reads the traces j->paths, and adds their accesses to j->of, by layer. Returns 0 or -errno;
 * prints the error. */
int job_read_traces(struct job *j);

#endif
