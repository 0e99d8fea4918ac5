/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs with their I/O time by several definitions (enum form), and the times at which they used
 * their files (Madireddy and others 2017, section III). A file is shared if all processes of the
 * job open it, and unique if only some do. The paper's symbols are in brackets. */
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
	/* time from the first to the last read of a file, for the file with the longest time,
	 * equation 6 [lambda^F_R] */
	FORM_READS,
	/* time from the first to the last write of a file, for the file with the longest time,
	 * equation 6 [lambda^F_W] */
	FORM_WRITES,
	/* total length of the intervals of the system data in which the job did I/O, equation 5
	 * [lambda^D] */
	FORM_INTERVALS,
	FORM_SPAN, /* time with at least one access of the job in flight (T); not in the paper */
	FORMS,
};
extern const char *const form_names[FORMS + 1]; /* values of option --form; ends with NULL */

/* An activity: the time from a job's first to its last read of a file, or from its first to its
 * last write. */
struct activity {
	u32 job;
	double first_s, last_s;
	enum form form; /* FORM_READS: reads; FORM_WRITES: writes; set by timed_jobs_activity() */
};

struct timed_job {
	char *name;
	double start_s, end_s;
	/* I/O time by each definition; NaN if unknown. FORM_INTERVALS depends on the system data:
	 * use timed_job_intervals_s(). */
	double seconds[FORMS];
	/* index of the job's first activity in timed_jobs.activities, and their number;
	 * timed_jobs_finish() sets both */
	u32 first, n;
};

struct timed_jobs {
	struct timed_job *list;
	u32 n, room;
	struct activity *activities;
	size_t activities_n, activities_room;
	/* copy of the activities of the job that has the most of them, for a plot; sorted by start,
	 * not joined */
	struct activity *example;
	size_t example_n;
};

/* Adds a job with a copy of @name. All its I/O times are unknown (NaN) at first. The returned
 * pointer is valid until the next job is added. */
struct timed_job *timed_jobs_add(struct timed_jobs *all, const char *name, double start_s,
				 double end_s);

/* Adds an activity of job a.job: its reads of a file (@form FORM_READS) or its writes
 * (FORM_WRITES). @seconds is the length. The length cannot be computed from a.first_s and a.last_s,
 * because the difference of two times since 1970, as doubles, has an error of about 200 ns. */
void timed_jobs_activity(struct timed_jobs *all, struct activity a, enum form form, double seconds);

/* Sorts the activities, joins those that overlap, and computes the I/O times that follow from
 * others. The caller calls this once, after it has added all jobs and activities. */
void timed_jobs_finish(struct timed_jobs *all);
void timed_jobs_release(struct timed_jobs *all);

/* ---- a job and the I/O of the system during it ---- */

/* Returns true if the system data @s has no gap from the job's start to its end, nor during its
 * activities. Other jobs cannot be correlated. */
bool timed_job_is_covered(const struct timed_jobs *all, const struct timed_job *j,
			  const struct series *s);

/* Returns the I/O time FORM_INTERVALS: the total length of the intervals of @s in which the job did
 * I/O (equation 5). Returns NaN if the job has no activities. */
double timed_job_intervals_s(const struct timed_jobs *all, const struct timed_job *j,
			     const struct series *s);

/* Returns the amount in @column of the system data @s from the job's start to its end (equations 2
 * and 3). With @active, counts only the intervals in which the job did I/O (equation 4), and
 * returns NaN if the job has no activities. */
double timed_job_amount(const struct timed_jobs *all, const struct timed_job *j,
			const struct series *s, u32 column, bool active);

#endif
