/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The I/O of a whole system per interval, and the amount in any window of time. Within an interval
 * the I/O is assumed to be even (Madireddy and others 2017, equations 2 to 4).
 *
 *	interval    |  0  |  1  |  gap  |  2  |
 *	before[]    0    v0   v0+v1   v0+v1   v0+v1+v2		of each column
 */
#ifndef IOSPAN_SERIES_H
#define IOSPAN_SERIES_H

#include "bpf/types.h"

struct column_sums {
	char *name;
	bool rate;	/* the values are per second, until series_finish() */
	double *values; /* [interval] */
	double *before; /* n + 1 sums: [i] is that of the intervals before i */
};

struct series {
	u32 n, room;
	double *start_s, *end_s;
	u32 *gaps;	/* number of gaps before each interval */
	double width_s; /* median; for series_read_trace() the requested width */
	struct column_sums *columns;
	u32 columns_n;
};

/* Adds a column, which is 0 in existing intervals. The name is copied. A zeroed series is empty. */
void series_column(struct series *s, const char *name, bool rate);
u32 series_find(const struct series *s, const char *name); /* columns_n: not found */

/* Adds an interval and returns its number. Its values are 0. If the caller sets one to NaN,
 * series_finish() makes the interval a gap. @start_s NaN: the interval starts at the end of the one
 * before, unless it would be much longer than usual. */
u32 series_add(struct series *s, double start_s, double end_s);

/* Completes the series; call once. Returns -EINVAL if the intervals are not in order or too few to
 * know their width; prints the error, with @path as its name. */
int series_finish(struct series *s, const char *path);
void series_release(struct series *s);

/* Reads CSV with the column t_end_s, optionally t_start_s, and columns of amounts. A name that ends
 * with _Bps or _per_s is a rate. Returns 0 or -errno; prints the error. */
int series_read_csv(struct series *to, const char *path);

/* Makes @to from @s with @k intervals merged into one, from the first on (Madireddy and others
 * 2017, section VI.B). Drops an incomplete last interval, and those that contain a gap. */
void series_merge(struct series *to, const struct series *s, u32 k);

/* True if the intervals cover all from @start_s to @end_s. */
bool series_covers(const struct series *s, double start_s, double end_s);

/* Returns the amount of a column in a covered window, or with SERIES_TIME its length in seconds. */
#define SERIES_TIME (~0U)
double series_between(const struct series *s, u32 column, double start_s, double end_s);

/* Return the first interval that ends after @at_s, and the last one that starts before. Both exist
 * if @at_s is covered and not at a border of the series. */
u32 series_first(const struct series *s, double at_s);
u32 series_last(const struct series *s, double at_s);

/* Sets the first and last interval that overlap a covered window. A window of length 0 is in the
 * interval that starts there, or in the last one at the end of the series. */
void series_touched(const struct series *s, double start_s, double end_s, u32 *first, u32 *last);

#endif
