/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads jobs, or system data (the I/O of a whole system per interval), from a file. The first bytes
 * of the file show its format. To add a format, declare its functions below, add an element to
 * sources[] in sources.c, and describe it in Documentation/iospan-correlate.rst. All functions that
 * read return 0 or -errno, and print the error. */
#ifndef IOSPAN_SOURCES_H
#define IOSPAN_SOURCES_H

#include "tools/correlate/timed-jobs.h"

/* sources_read_jobs() adds the jobs in the file @path to @to. sources_read_system() sets @to to the
 * sum of the systems in @paths, which ends with NULL. A path is a file of any known format, or a
 * URL of Prometheus. */
int sources_read_jobs(struct timed_jobs *to, const char *path);
int sources_read_system(struct series *to, const char *const *paths);

/* Checks that the option --interval has an effect on the system data @paths, which ends with NULL.
 * Prints an error and returns -EUSAGE if all files of system data have intervals of their own.
 * Prints an error and returns another -errno if a file cannot be read. Otherwise returns 0. */
int sources_check_interval(const char *const *paths);

/* Converts a text to seconds since 1970. Accepts ISO 8601, the local times that iostat and sacct
 * print, and a number. Returns NaN for any other form. */
double sources_time(const char *text);

/* Read a CSV file (columns: see Documentation/iospan-correlate.rst):
 * timed_jobs_read_csv()         jobs
 * timed_jobs_read_activities()  the times at which the jobs in @to used their files
 * timed_jobs_read_pairs()       pairs of an I/O time and an amount
 * series_read_csv()             the I/O of a system */
int timed_jobs_read_csv(struct timed_jobs *to, const char *path);
int timed_jobs_read_activities(struct timed_jobs *to, const char *path);
int timed_jobs_read_pairs(struct timed_jobs *to, struct series *system, const char *path);
int series_read_csv(struct series *to, const char *path);

int timed_jobs_read_trace(struct timed_jobs *to, const char *path);
int series_read_trace(struct series *to, const char *path);
int timed_jobs_read_darshan(struct timed_jobs *to, const char *path);
int timed_jobs_read_sacct(struct timed_jobs *to, const char *path);
int series_read_prometheus(struct series *to, const char *path);
int series_read_stat(struct series *to, const char *path);
int series_read_sysstat(struct series *to, const char *path);

#endif
