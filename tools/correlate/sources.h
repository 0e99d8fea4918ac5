/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads jobs, or the I/O of a system, from files of several formats. The first bytes of a file
 * decide its format. To add a format, write its functions, declare them below, add its row in
 * sources.c and describe it in Documentation/iospan-correlate.rst. All functions here return 0 or
 * -errno and print the error. */
#ifndef IOSPAN_SOURCES_H
#define IOSPAN_SOURCES_H

#include "tools/correlate/timed-jobs.h"

/* Read the file @path in any known format, and add its jobs, or its columns and intervals, to
 * @to. */
int sources_read_jobs(struct timed_jobs *to, const char *path);
int sources_read_series(struct series *to, const char *path);

int timed_jobs_read_trace(struct timed_jobs *to, const char *path);
int series_read_trace(struct series *to, const char *path);
int timed_jobs_read_darshan(struct timed_jobs *to, const char *path);
int series_read_stat(struct series *to, const char *path);
int series_read_iostat(struct series *to, const char *path);

#endif
