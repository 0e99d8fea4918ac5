/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System data: the I/O of a whole system per interval, with a column for each kind of amount, such
 * as bytes read. A gap is a time without data between two intervals. A window is any range of time,
 * such as the time of a job. The I/O is assumed to be even within an interval (Madireddy and others
 * 2017, equations 2 to 4), so prefix sums give the amount in any window:
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
	u32 *gaps; /* .gaps[i]: number of gaps (times without data) before interval i */
	/* Median length of an interval in seconds. Before series_read_trace(), the caller sets this
	 * field to the length of the intervals to make. */
	double width_s;
	/* time to ask Prometheus for, which the caller sets before series_read_prometheus() */
	double from_s, to_s;
	struct column_sums *columns;
	u32 columns_n;
};

/* Adds a column with a copy of @name. The column is 0 in all existing intervals. A zeroed series is
 * ready for use. */
void series_column(struct series *s, const char *name, bool rate);

/* Adds the columns of enum io_column to a new series. */
enum io_column { READ_BYTES, WRITE_BYTES, READ_OPS, WRITE_OPS, IO_COLUMNS };
void series_io_columns(struct series *s);

/* Adds an interval and returns its number. All columns are 0 in the interval until the caller sets
 * them. A missing value is set to NaN, and series_finish() turns the interval into a gap. If
 * @start_s is NaN, the interval starts at the end of the previous one. If that end is too long ago,
 * the interval gets the usual length. */
u32 series_add(struct series *s, double start_s, double end_s);

/* Completes the series, after all intervals were added. Returns -EINVAL if the intervals are not in
 * order, or if there are too few to find their length; prints the error. */
int series_finish(struct series *s, const char *path);
void series_release(struct series *s);

/* Makes the series @to from @s: merges every @k successive intervals into one (Madireddy and others
 * 2017, section VI.B). Leaves out up to @k - 1 intervals at the end, and merged intervals with a
 * gap inside. */
void series_merge(struct series *to, const struct series *s, u32 k);

/* Returns true if the series has data for the whole window from @start_s to @end_s, without a
 * gap. */
bool series_covers(const struct series *s, double start_s, double end_s);

/* series_between() returns the amount of I/O in a window, which series_covers() must have accepted.
 * For the pseudo column SERIES_TIME, this is the length of the window in seconds. */
#define SERIES_TIME (~0U)
double series_between(const struct series *s, u32 column, double start_s, double end_s);

/* Returns the first interval that ends after @at_s, or s->n if there is none. */
u32 series_first(const struct series *s, double at_s);

/* Sets *@first and *@last to the first and the last interval that overlap the window from @start_s
 * to @end_s. series_covers() must have accepted the window. For a window of length 0, both are the
 * same interval: the one around the window. At a border of two intervals, this is the later one; in
 * a gap, the next interval; at the end of the series, the last interval. */
void series_touched(const struct series *s, double start_s, double end_s, u32 *first, u32 *last);

/* The system data of several systems, such as storage servers. A zeroed list is empty. */
struct series_list {
	struct series *all;
	u32 n;
};

/* Adds an empty series to the list. The pointer is valid until the next one is added. */
struct series *series_list_add(struct series_list *l);

/* Sets @to to the sum of the systems in @l, and releases @l. Columns with the same name are
 * added up; a column that a system lacks is 0 in it. The intervals are those of the system with
 * the longest ones. An interval that a system does not cover is left out. @path is for the
 * error, which is printed. If @ret is not 0, an error, only releases @l. Returns @ret, 0 or
 * -errno. */
int series_list_sum(struct series *to, struct series_list *l, const char *path, int ret);

#endif
