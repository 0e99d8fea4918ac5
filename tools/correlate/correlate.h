/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Correlates the I/O time of jobs with the I/O of the whole system, as in Madireddy,
 * Balaprakash, Carns, Latham, Ross, Snyder and Wild, "Analysis and Correlation of Application
 * I/O Performance and System-Wide I/O Activity", IEEE NAS 2017. Other files cite it as
 * "Madireddy and others 2017".
 *
 * A form is one definition of I/O time (enum form). The window of a job is the time in which the
 * I/O of the system is compared with the job. */
#ifndef IOSPAN_CORRELATE_H
#define IOSPAN_CORRELATE_H

#include "user/base/out.h"
#include "tools/correlate/associate.h"
#include "tools/correlate/timed-jobs.h"

struct correlate_options {
	struct associate_options how;
	int form;    /* the detailed form: it has curves and granularity; FORMS: the best known */
	u32 sums;    /* the first columns are sums over others, which no conclusion names */
	bool rates;  /* divide each amount by its window, which differs between jobs */
	bool active; /* the window is only the intervals with I/O of the job */
	u32 granularity; /* merge up to this number of intervals; below 2: merge none */
	unsigned trees;	 /* number of trees of the random forest */
	unsigned points; /* number of points of a curve */
};

/* The association between one form of I/O time and one column of the system data. */
struct correlated {
	enum form form;
	u32 column;
	struct associated a;
	double holm[ASSOCIATIONS]; /* p, corrected for the number of columns (Holm 1979) */
};

/* One point of a curve, which shows the I/O time as a function of the amount in one column. NaN:
 * not defined. */
struct curve_point {
	double amount;
	double forest_s; /* mean of a random forest (Breiman 2001) */
	/* median, 5 % and 95 % quantile of the conditional density */
	double median_s, low_s, high_s;
};
struct column_curve {
	u32 column;
	struct curve_point *points;
	/* by job of the sample: amount of I/O of the system, and I/O time of the job */
	double *x, *y;
	size_t n;
};

/* The measures of association after each @k intervals of the system data were merged into one. */
struct grain {
	u32 k;
	u32 jobs; /* number of jobs that the merged intervals cover */
	double width_s;
	double intervals;      /* mean number of intervals per job */
	struct associated *of; /* indexed by column */
};

struct form_time {
	u32 n; /* number of jobs for which this I/O time is known */
	double mean_s, deviation_s;
};

struct correlation_study {
	const struct correlate_options *o;
	const struct timed_jobs *jobs;
	const struct series *system;
	u32 known; /* number of jobs that the system data covers; the others are left out */
	struct form_time times[FORMS];
	enum form form;		 /* the detailed form */
	struct correlated *list; /* by form, then as by correlated_sort() */
	u32 n;
	struct column_curve *curves; /* indexed by column */
	struct grain *grains;
	u32 grains_n;
};

/* Computes the study @c. It refers to the other arguments, which must exist as long as @c. Call
 * correlation_study_release() even after an error. Returns 0, or -ENODATA if no job can be used;
 * prints the error. */
int correlate_jobs(struct correlation_study *c, const struct correlate_options *o,
		   const struct timed_jobs *jobs, const struct series *system);
/* Sorts by p of @which, then by strength: a column that was active only once may have a high strength
 * by chance. Columns without a measure are last. */
void correlated_sort(struct correlated *list, u32 n, enum association which);
void correlation_study_release(struct correlation_study *c);
bool column_is_bytes(const struct correlation_study *c, u32 column);

#endif
