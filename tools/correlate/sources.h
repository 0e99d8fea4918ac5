/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file formats from which jobs and the I/O of a system can be read. The first bytes of a
 * file determine its format. To add a format, write its functions, declare them below, add its
 * row in sources.c and describe it in Documentation/iospan-correlate.rst. All functions here
 * return 0 or -errno and print the error. */
#ifndef IOSPAN_SOURCES_H
#define IOSPAN_SOURCES_H

#include "tools/correlate/timed-jobs.h"

/* Adds the jobs of the file @path, or its columns and intervals. */
int sources_read_jobs(struct timed_jobs *to, const char *path);
int sources_read_series(struct series *to, const char *path);

int timed_jobs_read_trace(struct timed_jobs *to, const char *path);
int series_read_trace(struct series *to, const char *path);
int timed_jobs_read_darshan(struct timed_jobs *to, const char *path);
int series_read_stat(struct series *to, const char *path);
int series_read_iostat(struct series *to, const char *path);

#endif
