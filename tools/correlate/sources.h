/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads jobs, or system data (the I/O of a whole system per interval), from a file. The first
 * bytes of the file show its format. A new format needs its functions declared below, a row in
 * sources.c and a section of Documentation/iospan-correlate.rst. All functions return 0 or -errno,
 * and print the error. */
#ifndef IOSPAN_SOURCES_H
#define IOSPAN_SOURCES_H

#include "tools/correlate/timed-jobs.h"

/* sources_read_jobs() adds the jobs in the file @path to @to. sources_read_series() adds the
 * columns and intervals of the file @path. The file may have any known format. */
int sources_read_jobs(struct timed_jobs *to, const char *path);
int sources_read_series(struct series *to, const char *path);

int timed_jobs_read_trace(struct timed_jobs *to, const char *path);
int series_read_trace(struct series *to, const char *path);
int timed_jobs_read_darshan(struct timed_jobs *to, const char *path);
int series_read_stat(struct series *to, const char *path);
int series_read_iostat(struct series *to, const char *path);

#endif
