/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Correlates the I/O time of jobs with the I/O of the whole system, as in Madireddy, Balaprakash,
 * Carns, Latham, Ross, Snyder and Wild, "Analysis and Correlation of Application I/O Performance
 * and System-Wide I/O Activity", IEEE NAS 2017 ("Madireddy and others 2017"). The system data is a
 * table with an interval of time per row. A column is one kind of I/O, such as the bytes of a
 * cgroup. enum form lists the definitions of a job's I/O time. The window of a job is the time over
 * which a column is summed, usually from the start of the job to its end. A measure, such as
 * Pearson's correlation, is a number for the dependence of I/O time and column. */
#ifndef IOSPAN_CORRELATE_H
#define IOSPAN_CORRELATE_H

#include "user/base/out.h"
#include "tools/correlate/associate.h"
#include "tools/correlate/prediction.h"
#include "tools/correlate/timed-jobs.h"

struct correlate_options {
	struct associate_options how;
	/* I/O time to examine in detail, a value of enum form. If this is FORMS, iospan chooses the
	 * I/O time that is closest to the time that a job waited for I/O. */
	int form;
	/* Number of columns of the system data that are sums over all cgroups. These columns come
	 * first. The report never names them as the cause of long I/O times. */
	u32 sums;
	/* true: divide the I/O in a window by the length of the window, because windows differ in
	 * length */
	bool rates;
	bool active; /* true: a job's window has only the intervals in which the job did I/O */
	/* The measures are also computed for longer intervals: up to this number of successive
	 * intervals are merged into one. 0 or 1: no merging. */
	u64 granularity;
	u64 trees, points; /* number of trees of a random forest, and number of points of a curve */
	/* amounts of I/O at which a curve has its points; NULL: the points are equally spaced from
	 * the smallest to the largest amount of the jobs */
	const double *at;
};

/* How one kind of I/O time of the jobs depends on the I/O in one column of the system data. */
struct correlated {
	enum form form;
	u32 column;
	double mean_amount; /* I/O in this column during a job; mean over the jobs */
	struct associated a;
	/* p-values corrected by the method of Holm 1979, because many columns are tested */
	double holm[ASSOCIATIONS];
};

/* A point of a curve: the expected I/O time of a job, in seconds, if the system does .amount of I/O
 * during the job. Each method has its own estimate; NaN: it has none. */
struct curve_point {
	double amount;
	double forest_s; /* I/O time by a random forest (Breiman 2001) */
	/* median, 5 % and 95 % quantile of the I/O time, by a kernel density estimate */
	double median_s, low_s, high_s;
};
struct column_curve {
	u32 column;
	struct curve_point *points;
	/* .x: I/O of the system during each job. .y: I/O time of each job in seconds. If there are
	 * many jobs, only a random selection is used. */
	double *x, *y;
	size_t n;
};

/* Measures of dependence for longer intervals: each .k successive intervals of the system data are
 * merged into one. */
struct grain {
	u32 k;
	/* number of jobs that run within the time of the merged intervals */
	u32 jobs;
	double width_s;
	/* number of merged intervals in which a job did I/O; mean over the jobs */
	double intervals;
	/* measures of dependence, one element for each column of the system data */
	struct associated *of;
};

/* correlate_options.granularity is the largest number of intervals to merge into one. If it is at
 * most GRAINS_EACH, the numbers 1, 2, 3, 4, ... are tested. If it is larger, the numbers 1, 2, 5,
 * 10, 20, 50, ... are tested. */
#define GRAINS_EACH 20
#define GRAINS_MOST 40

struct form_time {
	u32 n; /* number of jobs for which this I/O time is known */
	double mean_s, deviation_s;
};

struct correlation_study {
	const struct correlate_options *o;
	const struct timed_jobs *jobs;
	const struct series *system;
	/* number of jobs that run within the time of the system data; all other jobs are left
	 * out */
	u32 known;
	struct form_time times[FORMS];
	enum form form;
	/* grouped by I/O time (enum form), and sorted by p-value in each group
	 * (correlated_sort()) */
	struct correlated *list;
	u32 n;
	struct column_curve *curves; /* one curve per column of the system data */
	struct grain *grains;
	u32 grains_n;
	struct prediction prediction;
};

/* Computes the results @c for all jobs. @c has pointers to the other arguments, so they must exist
 * until correlation_study_release(). The caller calls correlation_study_release() even after an
 * error. Returns 0, or -ENODATA if no job can be used; prints the error. */
int correlate_jobs(struct correlation_study *c, const struct correlate_options *o,
		   const struct timed_jobs *jobs, const struct series *system);
/* For each of the @n @points: estimates the I/O time of a job if the system does .amount of I/O
 * during the job. The estimates follow from the jobs in @v. */
void curve_estimate(const struct correlate_options *o, const struct column_curve *v, unsigned n,
		    struct curve_point *points);
/* Sorts the elements by the p-value of the measure @which, not by the measure itself: a column with
 * I/O in only one interval may have a large measure by chance, but it has no small p-value.
 * Elements with equal p-values are sorted by the measure. Elements without a value are last. */
void correlated_sort(struct correlated *list, u32 n, enum association which);
/* Returns the element of c->list with the smallest p-value for the I/O time @form. Skips the first
 * c->o->sums columns, which are sums over all cgroups. Returns NULL if there is no other column. */
const struct correlated *correlated_strongest(const struct correlation_study *c, enum form form);
void correlation_study_release(struct correlation_study *c);
bool column_is_bytes(const struct correlation_study *c, u32 column);

#endif
