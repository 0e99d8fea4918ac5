/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads jobs, or the I/O of a system, in the format that a file's first bytes show. To add a
 * format, declare its functions below, add a row in sources.c and describe it in
 * Documentation/iospan-correlate.rst. All return 0 or -errno and print the error. */
#ifndef IOSPAN_SOURCES_H
#define IOSPAN_SOURCES_H

#include "tools/correlate/timed-jobs.h"

/* Add the jobs, or the columns and intervals, of a file in any known format. */
int sources_read_jobs(struct timed_jobs *to, const char *path);
int sources_read_series(struct series *to, const char *path);

int timed_jobs_read_trace(struct timed_jobs *to, const char *path);
int series_read_trace(struct series *to, const char *path);
int timed_jobs_read_darshan(struct timed_jobs *to, const char *path);
int series_read_stat(struct series *to, const char *path);
int series_read_iostat(struct series *to, const char *path);

#endif
