/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs: their I/O time in several forms, and the times at which they accessed their files
 * (Madireddy and others 2017, section III). All processes of a job open a shared file; only some
 * open a unique file. The paper's symbol of each form is in brackets. */
#ifndef IOSPAN_TIMED_JOBS_H
#define IOSPAN_TIMED_JOBS_H

#include <stddef.h>
#include "tools/correlate/series.h"

enum form {
	FORM_RUN,      /* run time of the job [lambda_J] */
	FORM_METADATA, /* metadata of unique files, slowest process [lambda^U_M] */
	FORM_TRANSFER, /* reads and writes of unique files, slowest process [lambda^U_RW] */
	FORM_SHARED,   /* from the first open to the last I/O of shared files [lambda^S] */
	FORM_IO,       /* METADATA + TRANSFER + SHARED, equation 1 [lambda] */
	FORM_READS,    /* longest time from first to last read of a file, equation 6 [lambda^F_R] */
	/* longest time from first to last write of a file, equation 6 [lambda^F_W] */
	FORM_WRITES,
	/* total length of the intervals with I/O of the job, equation 5 [lambda^D] */
	FORM_INTERVALS,
	FORM_SPAN, /* T of the job; not in the paper */
	FORMS,
};
extern const char *const form_names[FORMS + 1]; /* the last element is NULL */

/* The time from the first to the last read, or from the first to the last write, of a file by a
 * job. */
struct activity {
	u32 job;
	double first_s, last_s;
	enum form form; /* FORM_READS or FORM_WRITES; timed_jobs_activity() sets it */
};

struct timed_job {
	char *name;
	double start_s, end_s;
	/* NaN if not known; for FORM_INTERVALS use timed_job_intervals_s() */
	double seconds[FORMS];
	/* index and number of its activities; timed_jobs_finish() sets them */
	u32 first, n;
};

struct timed_jobs {
	struct timed_job *list;
	u32 n, room;
	struct activity *activities;
	size_t activities_n, activities_room;
	/* activities of the job that has the most, sorted by start, not joined */
	struct activity *example;
	size_t example_n;
};

/* Adds a job. Its I/O times are not known yet (NaN). Copies @name. The returned pointer is valid
 * until the next call. */
struct timed_job *timed_jobs_add(struct timed_jobs *all, const char *name, double start_s,
				 double end_s);

/* Adds an activity: of reads if @form is FORM_READS, or of writes if it is FORM_WRITES. @seconds
 * is its length. It is not computed from the times of @a, because the difference of two times
 * since 1970 has an error of about 200 ns in a double. */
void timed_jobs_activity(struct timed_jobs *all, struct activity a, enum form form, double seconds);

/* Sorts the activities, joins those that overlap, and computes the I/O times that follow from
 * others. Call this once, after all jobs and activities were added. */
void timed_jobs_finish(struct timed_jobs *all);
void timed_jobs_release(struct timed_jobs *all);

/* ---- a job and the data of the system ---- */

/* Returns true if the system data @s covers the job and its activities. */
bool timed_job_is_covered(const struct timed_jobs *all, const struct timed_job *j,
			  const struct series *s);

/* Returns the total length of the intervals in which the job did I/O (equation 5), or NaN if it
 * has no activities. */
double timed_job_intervals_s(const struct timed_jobs *all, const struct timed_job *j,
			     const struct series *s);

/* Returns the amount in @column of the system data between the job's start and end (equations 2
 * and 3). With @active, only the intervals in which the job did I/O count (equation 4); then the
 * result is NaN if the job has no activities. */
double timed_job_amount(const struct timed_jobs *all, const struct timed_job *j,
			const struct series *s, u32 column, bool active);

#endif
