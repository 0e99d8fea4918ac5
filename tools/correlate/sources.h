/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads jobs, or system data (the I/O of a whole system per interval), from a file. The first
 * bytes of the file show its format. A new format needs its functions declared below, a row in
 * sources.c and a section of Documentation/iospan-correlate.rst. All functions return 0 or -errno,
 * and print the error. */
#ifndef IOSPAN_SOURCES_H
#define IOSPAN_SOURCES_H

#include "tools/correlate/timed-jobs.h"

/* sources_read_jobs() adds the jobs in the file @path to @to. sources_read_system() sets @to to
 * the sum of the systems in the files @paths; the list ends with NULL. A file may have any known
 * format, and a system may be a URL of Prometheus. */
int sources_read_jobs(struct timed_jobs *to, const char *path);
int sources_read_system(struct series *to, const char *const *paths);

/* Converts a time in text form to seconds since 1970: ISO 8601, the local times that iostat and
 * sacct print, or a number. Returns NaN if the form is unknown. */
double sources_time(const char *text);

/* Reads of a CSV file: timed_jobs_read_csv() jobs, timed_jobs_read_activities() when the jobs in @to
 * used their files, timed_jobs_read_pairs() pairs of I/O times and amounts, and series_read_csv()
 * the I/O of a system. Documentation/iospan-correlate.rst has the columns. */
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
int series_read_iostat(struct series *to, const char *path);

#endif
