/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where jobs and systems are read from: a file's begin says what it is. To add a source: write
 * its functions, declare them below, add its row in sources.c and describe it in
 * Documentation/iospan-correlate.rst. -errno, printed, as all of them. */
#ifndef IOSPAN_SOURCES_H
#define IOSPAN_SOURCES_H

#include "tools/correlate/timed-jobs.h"

/* Adds the jobs of @path. */
int sources_read_jobs(struct timed_jobs *to, const char *path);
int sources_read_series(struct series *to, const char *path);

int timed_jobs_read_trace(struct timed_jobs *to, const char *path);
int series_read_trace(struct series *to, const char *path);
int timed_jobs_read_darshan(struct timed_jobs *to, const char *path);
int series_read_stat(struct series *to, const char *path);
int series_read_iostat(struct series *to, const char *path);

#endif
