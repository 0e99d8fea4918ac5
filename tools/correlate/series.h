/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The I/O of a whole system per interval, from which series_between() computes the amount in any
 * window of time. It assumes that the I/O is even within an interval (Madireddy and others 2017,
 * equations 2 to 4). v0, v1, ... are the values of a column:
 *
 *	interval    |  0  |  1  |  gap  |  2  |
 *	before[]    0    v0   v0+v1   v0+v1   v0+v1+v2
 */
#ifndef IOSPAN_SERIES_H
#define IOSPAN_SERIES_H

#include "bpf/types.h"

struct column_sums {
	char *name;
	bool rate;	/* true if the values are per second; series_finish() makes them amounts */
	double *values; /* indexed by interval */
	double *before; /* n + 1 sums: before[i] is the sum of the intervals before i */
};

struct series {
	u32 n, room;
	double *start_s, *end_s;
	u32 *gaps;	/* number of gaps before each interval */
	double width_s; /* median width; for series_read_trace(), the requested width */
	struct column_sums *columns;
	u32 columns_n;
};

/* Adds a column, which is 0 in existing intervals. Copies @name. A zeroed series is ready for
 * use. */
void series_column(struct series *s, const char *name, bool rate);

/* Adds an interval and returns its number. All its values are 0. If the caller sets a value to
 * NaN, series_finish() makes the interval a gap. If @start_s is NaN, the interval starts at the
 * end of the one before, unless it would then be much longer than usual. */
u32 series_add(struct series *s, double start_s, double end_s);

/* Completes the series. Call this once, after the last series_add(). Returns -EINVAL if the
 * intervals are not in order, or too few to know their width; prints the error, in which @path
 * names the series. */
int series_finish(struct series *s, const char *path);
void series_release(struct series *s);

/* Reads CSV with a column t_end_s, optionally a column t_start_s, and columns of amounts. If the
 * name of a column ends with _Bps or _per_s, its values are rates. Returns 0 or -errno; prints
 * the error. */
int series_read_csv(struct series *to, const char *path);

/* Makes the series @to from @s by merging each @k intervals into one, starting with the first
 * (Madireddy and others 2017, section VI.B). An incomplete last interval is dropped, and so are
 * merged intervals that contain a gap. */
void series_merge(struct series *to, const struct series *s, u32 k);

/* Returns true if the intervals cover the whole window from @start_s to @end_s. */
bool series_covers(const struct series *s, double start_s, double end_s);

/* Returns the amount of a column in a window that is covered. For SERIES_TIME, returns the
 * length of the window in seconds. */
#define SERIES_TIME (~0U)
double series_between(const struct series *s, u32 column, double start_s, double end_s);

/* series_first() returns the first interval that ends after @at_s, series_last() the last one
 * that starts before @at_s. Both exist if @at_s is covered and not at a border of the series. */
u32 series_first(const struct series *s, double at_s);
u32 series_last(const struct series *s, double at_s);

/* Sets *@first and *@last to the first and last interval that overlap a covered window. A window
 * of length 0 overlaps the interval that starts there. At the end of the series, it overlaps the
 * last interval. */
void series_touched(const struct series *s, double start_s, double end_s, u32 *first, u32 *last);

#endif
