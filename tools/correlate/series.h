/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System data: the I/O of a whole system per interval. It is taken to be even within an interval
 * (Madireddy and others 2017, equations 2 to 4), so prefix sums give the amount in any window:
 *
 * interval    |  0  |  1  |  gap  |  2  |
 * before[]    0    v0   v0+v1   v0+v1   v0+v1+v2 */
#ifndef IOSPAN_SERIES_H
#define IOSPAN_SERIES_H

#include "bpf/types.h"

struct column_sums {
	char *name;
	bool rate; /* true if the values are per second; series_finish() converts them to amounts */
	double *values; /* amount of I/O in each interval */
	/* prefix sums: before[i] is the sum of values[0] to values[i - 1], for i up to n */
	double *before;
};

struct series {
	u32 n, room;
	double *start_s, *end_s;
	u32 *gaps; /* gaps[i]: number of gaps (times without data) before interval i */
	/* median length of an interval in seconds; for series_read_trace(): the length to make */
	double width_s;
	struct column_sums *columns;
	u32 columns_n;
};

/* Adds a column with 0 in all existing intervals. A zeroed series is ready for use. */
void series_column(struct series *s, const char *name, bool rate);

/* Returns the number of the new interval, with 0 in all columns. If the caller sets a value to NaN,
 * the interval becomes a gap. If @start_s is NaN, it starts at the previous end, unless it were too
 * long then. */
u32 series_add(struct series *s, double start_s, double end_s);

/* Call it after all intervals. Returns -EINVAL if they are not in order, or too few; prints the
 * error. */
int series_finish(struct series *s, const char *path);
void series_release(struct series *s);

/* Reads CSV with the column t_end_s, optionally t_start_s, and amounts, or rates if the name ends
 * with _Bps or _per_s. Returns 0 or -errno; prints the error. */
int series_read_csv(struct series *to, const char *path);

/* Merges @k intervals into one (section VI.B). Leaves out an incomplete one, and those with a
 * gap. */
void series_merge(struct series *to, const struct series *s, u32 k);

/* Returns true if the series has no gap in the window. */
bool series_covers(const struct series *s, double start_s, double end_s);

/* The pseudo column SERIES_TIME has the length of the window. series_covers() must have accepted
 * the window. */
#define SERIES_TIME (~0U)
double series_between(const struct series *s, u32 column, double start_s, double end_s);

/* Return the first interval that ends after @at_s, and the last one that starts before it. */
u32 series_first(const struct series *s, double at_s);
u32 series_last(const struct series *s, double at_s);

/* Returns the intervals that overlap a covered window; of length 0: the one that starts there, or
 * the last. */
void series_touched(const struct series *s, double start_s, double end_s, u32 *first, u32 *last);

#endif
