/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Correlates the I/O time of jobs with the I/O of the whole system: Madireddy, Balaprakash, Carns,
 * Latham, Ross, Snyder and Wild, "Analysis and Correlation of Application I/O Performance and
 * System-Wide I/O Activity", IEEE NAS 2017. Other files cite it as "Madireddy and others 2017". */
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
	unsigned trees;	 /* trees of the random forest */
	unsigned points; /* points of a curve */
};

/* The measures of one form and one column of the system. */
struct correlated {
	enum form form;
	u32 column;
	struct associated a;
	double holm[ASSOCIATIONS]; /* p, corrected for the number of columns (Holm 1979) */
};

/* The detailed form as a function of one column; NaN: not defined. */
struct curve_point {
	double amount;
	double forest_s;		/* mean of a random forest (Breiman 2001) */
	double median_s, low_s, high_s; /* of the conditional density; low, high: 5 and 95 % */
};
struct column_curve {
	u32 column;
	struct curve_point *points;
	double *x, *y; /* the sample: amounts and I/O times */
	size_t n;
};

/* The measures with @k intervals merged into one. */
struct grain {
	u32 k;
	u32 jobs; /* jobs that the merged intervals cover */
	double width_s;
	double intervals;      /* used by a job, mean */
	struct associated *of; /* [column] */
};

struct form_time {
	u32 n; /* jobs for which the form is known */
	double mean_s, deviation_s;
};

struct correlation_study {
	const struct correlate_options *o;
	const struct timed_jobs *jobs;
	const struct series *system;
	u32 known; /* jobs that the system covers; the others are left out */
	struct form_time times[FORMS];
	enum form form;		 /* the detailed form */
	struct correlated *list; /* by form, then as by correlated_sort() */
	u32 n;
	struct column_curve *curves; /* [column] */
	struct grain *grains;
	u32 grains_n;
};

/* Fills @c, which refers to the other arguments and is to be released even after an error. Returns
 * 0, or -ENODATA if no job can be used; prints the error. */
int correlate_jobs(struct correlation_study *c, const struct correlate_options *o,
		   const struct timed_jobs *jobs, const struct series *system);
/* Sorts by p of @which, then by strength: a column that was active only once may have a high strength
 * by chance. Columns without a measure are last. */
void correlated_sort(struct correlated *list, u32 n, enum association which);
void correlation_study_release(struct correlation_study *c);
bool column_is_bytes(const struct correlation_study *c, u32 column);

#endif
