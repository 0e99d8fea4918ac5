/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs with their I/O times by several definitions (Madireddy and others 2017, section III; symbols
 * in brackets). A file is shared if all processes of the job open it, otherwise unique. An activity
 * is the time from a job's first to its last read of one file, or from its first to its last write
 * of one file. The system data has the I/O of the whole system per interval; a gap is a time
 * without data. */
#ifndef IOSPAN_TIMED_JOBS_H
#define IOSPAN_TIMED_JOBS_H

#include <stddef.h>
#include "tools/correlate/series.h"

enum form {
	FORM_RUN, /* elapsed time of the job [lambda_J] */
	/* for unique files: time that the slowest process spent in metadata calls [lambda^U_M] */
	FORM_METADATA,
	/* for unique files: time that the slowest process spent in reads and writes
	 * [lambda^U_RW] */
	FORM_TRANSFER,
	FORM_SHARED, /* for shared files: time from the first open to the last I/O [lambda^S] */
	FORM_IO,     /* sum of FORM_METADATA, FORM_TRANSFER and FORM_SHARED, equation 1 [lambda] */
	/* time from the first to the last read of one file; the longest time over all files
	 * [lambda^F_R, equation 6] */
	FORM_READS,
	/* time from the first to the last write of one file; the longest time over all files
	 * [lambda^F_W, equation 6] */
	FORM_WRITES,
	/* total length of the intervals of the system data in which the job did I/O, equation 5
	 * [lambda^D] */
	FORM_INTERVALS,
	/* T, the time with at least one access of the job in flight; not defined by Madireddy and
	 * others 2017 */
	FORM_SPAN,
	FORMS,
};
extern const char *const form_names[FORMS + 1]; /* values of option --form; ends with NULL */

/* The I/O of a job itself [eta], and its numbers of processes and files (table I of the paper). */
enum volume {
	VOLUME_PROCESSES,
	VOLUME_UNIQUE, /* number of files that at least one process does not open */
	VOLUME_SHARED, /* number of files that all processes open */
	VOLUME_READ,   /* bytes read */
	VOLUME_WRITE,
	VOLUMES,
};
extern const char *const volume_names[VOLUMES + 1]; /* keys in JSON, and names of columns in CSV */

struct activity {
	u32 job;
	double first_s, last_s;
	/* FORM_READS for an activity of reads, FORM_WRITES for an activity of writes; set by
	 * timed_jobs_activity() */
	enum form form;
};

struct timed_job {
	char *name;
	double start_s, end_s;
	/* I/O times by enum form; NaN: unknown. FORM_INTERVALS is not in this array, because it
	 * depends on the system data (timed_job_intervals_s()). */
	double seconds[FORMS];
	/* .all: I/O on all file systems. .selected: I/O on the file systems that timed_jobs.mounts
	 * selects. NaN: unknown. */
	double all[VOLUMES], selected[VOLUMES];
	/* The activities of the job start at element .first of timed_jobs.activities; .n is their
	 * number. timed_jobs_finish() sets both fields. */
	u32 first, n;
};

struct timed_jobs {
	struct timed_job *list;
	u32 n, room;
	struct activity *activities;
	size_t activities_n, activities_room;
	/* Copy of the activities of the job with the most activities, sorted by start, for a plot.
	 * In .activities, overlapping activities are joined; here they are not. */
	struct activity *example;
	size_t example_n;
	/* option --mount: patterns for mount points; the files below them are the selected files.
	 * NULL: all files are selected. */
	const char *mounts;
	/* true: each job is a pair of an I/O time and an amount, as read from a file. A pair has no
	 * time, so pair i becomes a job from second i to second i + 1. The system data has the
	 * amount of the pair in this second. */
	bool are_pairs;
};

/* Returns true if the option --mount selects the files below the mount point @mount. */
bool timed_jobs_mount_counts(const struct timed_jobs *all, const char *mount);

/* Returns the I/O of job @j: .selected if the option --mount is given, else .all. */
const double *timed_job_volumes(const struct timed_jobs *all, const struct timed_job *j);

/* Adds a job with a copy of @name. Its I/O times are unknown (NaN). The pointer is valid until the
 * next job is added. */
struct timed_job *timed_jobs_add(struct timed_jobs *all, const char *name, double start_s,
				 double end_s);

/* Adds an activity of a job. @seconds is the exact length of the activity. It is a parameter
 * because a.first_s and a.last_s are times since 1970: their difference has a rounding error of up
 * to 240 ns. */
void timed_jobs_activity(struct timed_jobs *all, struct activity a, enum form form, double seconds);

/* Sorts the activities of each job, and merges those that overlap. If FORM_RUN or FORM_IO is unknown
 * for a job, computes it from other times. Call this once, after all jobs and activities were added. */
void timed_jobs_finish(struct timed_jobs *all);
void timed_jobs_release(struct timed_jobs *all);

/* Returns true if the system data @s covers the job and its activities without a gap. If it does
 * not, the job cannot be correlated. */
bool timed_job_is_covered(const struct timed_jobs *all, const struct timed_job *j,
			  const struct series *s);

/* Returns the I/O time FORM_INTERVALS: the total length of the intervals of @s in which the job did
 * I/O (Madireddy and others 2017, equation 5). NaN: the job has no activities. */
double timed_job_intervals_s(const struct timed_jobs *all, const struct timed_job *j,
			     const struct series *s);

/* Returns the amount in @column of the system data @s from the start of job @j to its end
 * (equations 2 and 3). If @active is true, includes only the intervals in which the job did I/O
 * (equation 4). In that case, returns NaN if the job has no activities. */
double timed_job_amount(const struct timed_jobs *all, const struct timed_job *j,
			const struct series *s, u32 column, bool active);

#endif
