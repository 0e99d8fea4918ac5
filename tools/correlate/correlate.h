/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The I/O time of jobs against what the whole system did meanwhile (Madireddy and others 2017). */
#ifndef IOSPAN_CORRELATE_H
#define IOSPAN_CORRELATE_H

#include "user/base/out.h"
#include "tools/correlate/associate.h"
#include "tools/correlate/timed-jobs.h"

struct correlate_options {
	struct associate_options how;
	int form;		/* that is looked at closely; FORMS: the best that is known */
	bool rates;		/* amounts per second of the window: those of a longer one are not
				 * more only because it is longer */
	bool active;		/* of a job's window, only intervals with I/O of it */
	u32 granularity;	/* intervals are merged up to so many; below 2: not at all */
	unsigned trees, points; /* of the curve */
};

/* One form and one column of the system. */
struct correlated {
	enum form form;
	u32 column;
	struct associated a;
	double holm[ASSOCIATIONS]; /* p, corrected: of all columns of this form */
};

/* The form that is looked at closely, by one column. */
struct curve_point {
	double amount, forest_s, median_s, low_s, high_s; /* NaN: there is none */
};
struct column_curve {
	u32 column;
	struct curve_point *points;
	double *x, *y; /* the jobs that it is of: */
	size_t n;
};

struct grain {
	u32 k, jobs;		   /* whose windows are known */
	double width_s, intervals; /* intervals: in use by a job, mean */
	struct associated *of;	   /* by column */
};

struct form_time {
	u32 n; /* jobs of which it is known */
	double mean_s, deviation_s;
};

struct correlation_study {
	const struct correlate_options *o;
	const struct timed_jobs *jobs;
	const struct series *system;
	u32 known; /* jobs */
	struct form_time times[FORMS];
	enum form form;		 /* looked at closely */
	struct correlated *list; /* by form, and of each the strongest first */
	u32 n;
	struct column_curve *curves; /* one of each column */
	struct grain *grains;
	u32 grains_n;
};

/* -ENODATA, printed: there is nothing to look at. */
int correlate_jobs(struct correlation_study *c, const struct correlate_options *o,
		   const struct timed_jobs *jobs, const struct series *system);
void correlation_study_release(struct correlation_study *c);
bool column_is_bytes(const struct correlation_study *c, u32 column);

#endif
