/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs: their I/O times in several forms, and the times of their I/O (Madireddy and others 2017,
 * section III). All processes of a job open a shared file; only some open a unique file. The
 * paper's symbol of each form is in brackets. */
#ifndef IOSPAN_TIMED_JOBS_H
#define IOSPAN_TIMED_JOBS_H

#include <stddef.h>
#include "tools/correlate/series.h"

enum form {
	FORM_RUN,      /* run time of the job [lambda_J] */
	FORM_METADATA, /* metadata of unique files by the slowest process [lambda^U_M] */
	FORM_TRANSFER, /* reads and writes of unique files by the slowest process [lambda^U_RW] */
	FORM_SHARED,   /* from first open to last I/O of shared files [lambda^S] */
	FORM_IO,       /* sum of the three above, equation 1 [lambda] */
	FORM_READS,    /* longest time from first to last read of a file, equation 6 [lambda^F_R] */
	FORM_WRITES,   /* the corresponding time of writes, equation 6 [lambda^F_W] */
	FORM_INTERVALS, /* length of the intervals with I/O of the job, equation 5 [lambda^D] */
	FORM_SPAN,	/* T; not in the paper */
	FORMS,
};
extern const char *const form_names[FORMS + 1]; /* ends with a NULL */

/* The time from the first to the last read, or write, of a file. */
struct activity {
	u32 job;
	double first_s, last_s;
	enum form form; /* FORM_READS or FORM_WRITES, set by timed_jobs_activity() */
};

struct timed_job {
	char *name;
	double start_s, end_s;
	double seconds[FORMS]; /* NaN: not known. Except FORM_INTERVALS: timed_job_intervals_s() */
	u32 first, n;	       /* its activities: index, number; set by timed_jobs_finish() */
};

struct timed_jobs {
	struct timed_job *list;
	u32 n, room;
	struct activity *activities;
	size_t activities_n, activities_room;
	struct activity *example; /* those of the job with most, by start, not joined */
	size_t example_n;
};

/* Adds a job with unknown forms. The name is copied. The pointer is valid until the next call. */
struct timed_job *timed_jobs_add(struct timed_jobs *all, const char *name, double start_s,
				 double end_s);

/* Adds an activity. @seconds is its length, because the difference of two times since 1970 has an
 * error of about 200 ns in a double. */
void timed_jobs_activity(struct timed_jobs *all, struct activity a, enum form form, double seconds);

/* Sorts the activities, joins those that overlap, and computes the forms that follow from others.
 * Call once, when all jobs and activities are added. */
void timed_jobs_finish(struct timed_jobs *all);
void timed_jobs_release(struct timed_jobs *all);

/* ---- a job in a system ---- */

/* True if the system data covers the job and its activities. */
bool timed_job_is_covered(const struct timed_jobs *all, const struct timed_job *j,
			  const struct series *s);

/* The total length of the intervals in which the job did I/O (equation 5). NaN without
 * activities. */
double timed_job_intervals_s(const struct timed_jobs *all, const struct timed_job *j,
			     const struct series *s);

/* The system's amount of @column between the job's start and end (equations 2 and 3); with @active,
 * only in the intervals in which the job did I/O (equation 4). NaN without activities. */
double timed_job_amount(const struct timed_jobs *all, const struct timed_job *j,
			const struct series *s, u32 column, bool active);

#endif
