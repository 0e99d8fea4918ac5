/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads jobs, with their start, end and I/O times, from CSV. */
#ifndef IOSPAN_CORRELATE_TIMED_CSV_H
#define IOSPAN_CORRELATE_TIMED_CSV_H

#include "tools/correlate/timed-jobs.h"

/* timed_jobs_read_csv() reads jobs from CSV, with the columns job, t_start_s, t_end_s and
 * optionally I/O times such as run_s. timed_jobs_read_activities() reads when the jobs used their
 * files, with the columns job, first_io_s, last_io_s, op, and mount for option --mount.
 * timed_jobs_read_pairs() reads pairs of I/O times and amounts: columns of I/O times such as io_s,
 * optionally job, and any columns of amounts, which become the columns of @system. All return 0 or
 * -errno, and print the error. */
int timed_jobs_read_csv(struct timed_jobs *to, const char *path);
int timed_jobs_read_activities(struct timed_jobs *to, const char *path);
int timed_jobs_read_pairs(struct timed_jobs *to, struct series *system, const char *path);

#endif
