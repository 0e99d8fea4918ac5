/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The I/O of a whole system per interval (system data). series_between() has the amount in any
 * window, assuming even I/O within an interval (Madireddy and others 2017, equations 2 to 4), from
 * prefix sums:
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

/* Values are 0 in existing intervals. Zero @s before use. */
void series_column(struct series *s, const char *name, bool rate);

/* Returns the new interval's number. The caller sets its columns, which are 0; NaN: missing, a gap
 * after series_finish(). @start_s NaN: starts at the previous end, unless that makes it much too
 * long. */
u32 series_add(struct series *s, double start_s, double end_s);

/* After all intervals. Returns -EINVAL if they are out of order, or too few to find their length;
 * prints the error with @path. */
int series_finish(struct series *s, const char *path);
void series_release(struct series *s);

/* CSV with t_end_s, optionally t_start_s, and amounts; names that end with _Bps or _per_s are
 * rates. Returns 0 or -errno; prints the error. */
int series_read_csv(struct series *to, const char *path);

/* Merges @k successive intervals into one (section VI.B), without an incomplete last one and those
 * with a gap inside. */
void series_merge(struct series *to, const struct series *s, u32 k);

/* True if the window has no gap. */
bool series_covers(const struct series *s, double start_s, double end_s);

/* As column of series_between(): the window's length in seconds. series_between() returns the
 * amount in a window that series_covers() accepts. */
#define SERIES_TIME (~0U)
double series_between(const struct series *s, u32 column, double start_s, double end_s);

/* First interval that ends after @at_s, last that starts before. Both exist if @at_s is covered and
 * no end of the series. */
u32 series_first(const struct series *s, double at_s);
u32 series_last(const struct series *s, double at_s);

/* First and last interval of a covered window. Of length 0: the interval that starts there, or the
 * last one. */
void series_touched(const struct series *s, double start_s, double end_s, u32 *first, u32 *last);

#endif
