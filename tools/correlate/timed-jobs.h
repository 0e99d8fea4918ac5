/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs with their I/O times by several definitions (Madireddy and others 2017, section III; symbols
 * in brackets). A file is shared if all processes of the job open it, otherwise unique. */
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
	/* longest time from first to last read of a file, equation 6 [lambda^F_R] */
	FORM_READS,
	/* longest time from first to last write of a file, equation 6 [lambda^F_W] */
	FORM_WRITES,
	/* length of the data's intervals in which the job did I/O, equation 5 [lambda^D] */
	FORM_INTERVALS,
	FORM_SPAN, /* time with at least one access of the job in flight (T); not in the paper */
	FORMS,
};
extern const char *const form_names[FORMS + 1]; /* values of option --form; ends with NULL */

/* An activity: from a job's first to its last read of a file, or from first to last write. */
struct activity {
	u32 job;
	double first_s, last_s;
	enum form form; /* FORM_READS: reads; FORM_WRITES: writes; set by timed_jobs_activity() */
};

struct timed_job {
	char *name;
	double start_s, end_s;
	/* by form; NaN: unknown. timed_job_intervals_s() has FORM_INTERVALS. */
	double seconds[FORMS];
	/* in timed_jobs.activities; set by timed_jobs_finish() */
	u32 first, n;
};

struct timed_jobs {
	struct timed_job *list;
	u32 n, room;
	struct activity *activities;
	size_t activities_n, activities_room;
	/* of the job with the most activities, for a plot; sorted by start, not joined */
	struct activity *example;
	size_t example_n;
};

/* Adds a job with all I/O times NaN. The pointer is valid until the next job is added. */
struct timed_job *timed_jobs_add(struct timed_jobs *all, const char *name, double start_s,
				 double end_s);

/* The caller gives the length, @seconds, because a difference of two times since 1970, as doubles,
 * has an error of about 200 ns. */
void timed_jobs_activity(struct timed_jobs *all, struct activity a, enum form form, double seconds);

/* Call it once after the last job and activity. It computes the I/O times that follow from
 * others. */
void timed_jobs_finish(struct timed_jobs *all);
void timed_jobs_release(struct timed_jobs *all);

/* Returns true if @s has no gap during the job and its activities; others cannot be correlated. */
bool timed_job_is_covered(const struct timed_jobs *all, const struct timed_job *j,
			  const struct series *s);

/* Returns FORM_INTERVALS (equation 5); NaN without activities. */
double timed_job_intervals_s(const struct timed_jobs *all, const struct timed_job *j,
			     const struct series *s);

/* Returns the amount in @column during the job (equations 2 and 3); with @active, only in intervals
 * with the job's I/O (equation 4). */
double timed_job_amount(const struct timed_jobs *all, const struct timed_job *j,
			const struct series *s, u32 column, bool active);

#endif
