/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs with their I/O times by several definitions (Madireddy and others 2017, section III;
 * symbols in brackets). A file is shared if all processes of the job open it, otherwise unique. An
 * activity is the time from a job's first to its last read of a file, or from its first to its
 * last write. The system data has the I/O of the whole system per interval; a gap is a time
 * without data. */
#ifndef IOSPAN_TIMED_JOBS_H
#define IOSPAN_TIMED_JOBS_H

#include <stddef.h>
#include "tools/correlate/series.h"

enum form {
	FORM_RUN, /* elapsed time of the job [lambda_J] */
	/* time in metadata calls to unique files, of the slowest process [lambda^U_M] */
	FORM_METADATA,
	/* time in reads and writes of unique files, of the slowest process [lambda^U_RW] */
	FORM_TRANSFER,
	FORM_SHARED, /* time from the first open to the last I/O of shared files [lambda^S] */
	FORM_IO,     /* sum of METADATA, TRANSFER and SHARED, equation 1 [lambda] */
	/* time from the first to the last read of a file; the longest such time of all files
	 * [lambda^F_R, equation 6] */
	FORM_READS,
	/* time from the first to the last write of a file; the longest such time of all files
	 * [lambda^F_W, equation 6] */
	FORM_WRITES,
	/* length of the system data's intervals in which the job did I/O, equation 5 [lambda^D] */
	FORM_INTERVALS,
	/* T, the time with at least one access of the job in flight; not in Madireddy and others
	 * 2017 */
	FORM_SPAN,
	FORMS,
};
extern const char *const form_names[FORMS + 1]; /* values of option --form; ends with NULL */

/* The I/O of a job itself [eta], and its processes and files: the columns of table I. */
enum volume {
	VOLUME_PROCESSES,
	VOLUME_UNIQUE, /* files that not all processes open */
	VOLUME_SHARED, /* files that all processes open */
	VOLUME_READ,   /* bytes */
	VOLUME_WRITE,
	VOLUMES,
};
extern const char *const volume_names[VOLUMES + 1]; /* keys in JSON, and columns of CSV */

/* An activity: from a job's first to its last read of a file, or from first to last write. */
struct activity {
	u32 job;
	double first_s, last_s;
	/* FORM_READS for an activity of reads, FORM_WRITES for one of writes; timed_jobs_activity()
	 * sets this field */
	enum form form;
};

struct timed_job {
	char *name;
	double start_s, end_s;
	/* I/O time by enum form; NaN: unknown. FORM_INTERVALS depends on the system data, so
	 * timed_job_intervals_s() computes it. */
	double seconds[FORMS];
	/* .all: on all file systems. .selected: on those that timed_jobs.mounts selects. NaN:
	 * unknown. */
	double all[VOLUMES], selected[VOLUMES];
	/* The job's activities are elements .first to .first + .n - 1 of timed_jobs.activities.
	 * timed_jobs_finish() sets both fields. */
	u32 first, n;
};

struct timed_jobs {
	struct timed_job *list;
	u32 n, room;
	struct activity *activities;
	size_t activities_n, activities_room;
	/* Copy of the activities of the job with the most activities, for a plot. The copy is
	 * sorted by start. Unlike in .activities, overlapping activities are not joined. */
	struct activity *example;
	size_t example_n;
	/* option --mount: patterns for the mount points of the files that count; NULL: all files */
	const char *mounts;
	/* true: the jobs are ready-made pairs of an I/O time and an amount. Their starts and ends
	 * then only number the intervals that hold the amounts. */
	bool are_pairs;
};

/* Returns true if files below the mount point @mount count. */
bool timed_jobs_mount_counts(const struct timed_jobs *all, const char *mount);

/* Returns the I/O of job @j itself that counts: .selected with --mount, else .all. */
const double *timed_job_volumes(const struct timed_jobs *all, const struct timed_job *j);

/* Adds a job with a copy of @name, for which all I/O times are unknown (NaN). The pointer is valid
 * until the next job is added. */
struct timed_job *timed_jobs_add(struct timed_jobs *all, const char *name, double start_s,
				 double end_s);

/* Adds an activity of a job. @seconds is the exact length of the activity. The caller must give it,
 * because a.first_s and a.last_s are times since 1970, so that their difference has a rounding
 * error of up to 240 ns. */
void timed_jobs_activity(struct timed_jobs *all, struct activity a, enum form form, double seconds);

/* Sorts and joins the activities. Computes the missing I/O times FORM_RUN and FORM_IO from other
 * times. Call it once, after the last job and activity were added. */
void timed_jobs_finish(struct timed_jobs *all);
void timed_jobs_release(struct timed_jobs *all);

/* Returns true if the system data @s covers the job and its activities without a gap. Other jobs
 * cannot be correlated. */
bool timed_job_is_covered(const struct timed_jobs *all, const struct timed_job *j,
			  const struct series *s);

/* Returns the I/O time FORM_INTERVALS: the total length of the intervals of @s in which the job did
 * I/O (Madireddy and others 2017, equation 5). NaN: the job has no activities. */
double timed_job_intervals_s(const struct timed_jobs *all, const struct timed_job *j,
			     const struct series *s);

/* Returns the amount in @column of the system data @s from the job's start to its end (equations 2
 * and 3). If @active is true, uses only the intervals in which the job did I/O (equation 4), and
 * returns NaN if the job has no activities. */
double timed_job_amount(const struct timed_jobs *all, const struct timed_job *j,
			const struct series *s, u32 column, bool active);

#endif
