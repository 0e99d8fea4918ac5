/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_CORRELATE_TIMED_CSV_H
#define IOSPAN_CORRELATE_TIMED_CSV_H

#include "tools/correlate/timed-jobs.h"

/* Read CSV: jobs with the columns job, t_start_s, t_end_s and optionally run_s, metadata_s ...; or
 * the use of their files with job, first_io_s, last_io_s, op. Return 0 or -errno; print the
 * error. */
int timed_jobs_read_csv(struct timed_jobs *to, const char *path);
int timed_jobs_read_activities(struct timed_jobs *to, const char *path);

#endif
