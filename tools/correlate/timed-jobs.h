/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs, how long each of them took for its I/O in the forms of Madireddy and others (2017), and
 * when it did some. */
#ifndef IOSPAN_TIMED_JOBS_H
#define IOSPAN_TIMED_JOBS_H

#include <stddef.h>
#include "tools/correlate/series.h"

enum form {
	FORM_RUN,	/* all of the job */
	FORM_METADATA,	/* of files that not all processes opened, of the slowest process */
	FORM_TRANSFER,	/* the same: reads and writes */
	FORM_SHARED,	/* of files that all of them opened, from open to last I/O */
	FORM_IO,	/* these three: equation 1 */
	FORM_READS,	/* of one file, first to last, of that which took longest: */
	FORM_WRITES,	/* equation 6 */
	FORM_INTERVALS, /* of the system's, in which there was some: equation 5 */
	FORM_SPAN,	/* T: at least one access in flight */
	FORMS,
};
extern const char *const form_names[FORMS + 1]; /* ends with a NULL */

/* From the first to the last read or write of a file. */
struct activity {
	u32 job;
	double first_s, last_s;
	enum form form; /* FORM_READS or FORM_WRITES, for timed_jobs_activity() to fill in */
};

struct timed_job {
	char *name;
	double start_s, end_s;
	double seconds[FORMS]; /* NaN: not known. FORM_INTERVALS: timed_job_intervals_s() */
	u32 first, n;	       /* of the activities, when they are sorted */
};

struct timed_jobs {
	struct timed_job *list;
	u32 n, room;
	struct activity *activities;
	size_t activities_n, activities_room;
	struct activity *example; /* those of the job with most, as they were, by begin */
	size_t example_n;
};

/* Another job, of which no form is known; the name is copied. It lasts until the next call. */
struct timed_job *timed_jobs_add(struct timed_jobs *all, const char *name, double start_s,
				 double end_s);

/* A job read or wrote a file, which took @seconds: since 1970 a double does not tell 200 ns
 * apart. */
void timed_jobs_activity(struct timed_jobs *all, struct activity a, enum form form, double seconds);

/* When all are there: sorts activities and joins those that overlap, and fills in the forms that
 * others make up. */
void timed_jobs_finish(struct timed_jobs *all);
void timed_jobs_release(struct timed_jobs *all);

/* ---- a job in a system ---- */

/* Does the system know about all of it? */
bool timed_job_is_known(const struct timed_jobs *all, const struct timed_job *j,
			const struct series *s);

/* How long the intervals in which it did I/O are together. NaN: it did none. */
double timed_job_intervals_s(const struct timed_jobs *all, const struct timed_job *j,
			     const struct series *s);

/* What the system did from its begin to its end (equations 2 and 3); with @active, only in
 * those intervals (equation 4). */
double timed_job_amount(const struct timed_jobs *all, const struct timed_job *j,
			const struct series *s, u32 column, bool active);

#endif
