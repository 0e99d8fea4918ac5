/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System data: the I/O of a whole system per interval, with a column for each kind of amount, such
 * as bytes read. A gap is a time without data between two intervals. A window is any range of time,
 * such as the time of a job. The I/O is assumed to be even within an interval (Madireddy and others
 * 2017, equations 2 to 4). So the amount in any window can be computed from prefix sums (before[]);
 * v0 is the amount in interval 0:
 *
 * interval    |  0  |  1  |  gap  |  2  |
 * before[]    0    v0   v0+v1   v0+v1   v0+v1+v2 */
#ifndef IOSPAN_SERIES_H
#define IOSPAN_SERIES_H

#include "bpf/types.h"

struct column_sums {
	char *name;
	/* true: the values are amounts per second; series_finish() converts them to amounts */
	bool rate;
	double *values; /* amount of I/O in each interval */
	/* prefix sums: before[i] is the sum of values[0] to values[i - 1], for i up to n */
	double *before;
};

struct series {
	u32 n, room;
	double *start_s, *end_s;
	u32 *gaps; /* .gaps[i]: number of gaps (times without data) before interval i */
	/* Median length of an interval in seconds. The caller of series_read_trace() sets this
	 * field to the length of the intervals to make. */
	double width_s;
	/* time range of the query to Prometheus; the caller of series_read_prometheus() sets it */
	double from_s, to_s;
	struct column_sums *columns;
	u32 columns_n;
};

/* Adds a column with a copy of @name. In existing intervals, the amount is 0. A zeroed series is
 * ready for use. */
void series_column(struct series *s, const char *name, bool rate);

enum io_column { READ_BYTES, WRITE_BYTES, READ_OPS, WRITE_OPS, IO_COLUMNS };
void series_io_columns(struct series *s);

/* Adds an interval and returns its number. All columns have the amount 0 in it. The caller then
 * sets the amounts, or NaN for a missing amount: series_finish() removes such an interval. If
 * @start_s is NaN, the interval starts at the end of the previous interval. If that end is too long
 * ago, the interval gets the usual length. */
u32 series_add(struct series *s, double start_s, double end_s);

/* Completes the series after all intervals were added. Returns -EINVAL if the intervals are not in
 * order, or if their usual length cannot be found; prints the error. */
int series_finish(struct series *s, const char *path);
void series_release(struct series *s);

/* Makes the series @to from @s: merges each @k successive intervals into one (Madireddy and others
 * 2017, section VI.B). If fewer than @k intervals remain at the end, leaves them out. Leaves out
 * merged intervals that contain a gap. */
void series_merge(struct series *to, const struct series *s, u32 k);

/* Returns true if the series has data for the whole window from @start_s to @end_s. */
bool series_covers(const struct series *s, double start_s, double end_s);

/* Returns the amount of I/O in a window. series_covers() must be true for the window. If @column is
 * SERIES_TIME, returns the length of the window in seconds instead. */
#define SERIES_TIME (~0U)
double series_between(const struct series *s, u32 column, double start_s, double end_s);

/* Returns the number of the first interval that ends after @at_s, or s->n if there is none. */
u32 series_first(const struct series *s, double at_s);

/* Sets *@first and *@last to the numbers of the first and the last interval that overlap the window
 * from @start_s to @end_s. series_covers() must be true for the window. For a window of length 0,
 * both are one interval:
 *
 * inside of an interval         this interval
 * at a border of two intervals  the later one
 * in a gap                      the next one
 * at the end of the series      the last one */
void series_touched(const struct series *s, double start_s, double end_s, u32 *first, u32 *last);

/* Systems to add up, such as the storage servers of a cluster. A zeroed list is empty. */
struct series_list {
	struct series *all;
	u32 n;
};

/* Adds an empty series to the list. The pointer is valid until the next series is added. */
struct series *series_list_add(struct series_list *l);

/* Sets @to to the sum of the systems in @l. Adds up columns with the same name. If a system lacks a
 * column, its amount is 0. @to gets the intervals of the system with the longest intervals. Leaves
 * out an interval that some system does not cover. @path is used in error messages. If @ret is an
 * error, sets nothing and returns @ret. Otherwise returns 0 or -errno; prints the error. Always
 * releases @l. */
int series_list_sum(struct series *to, struct series_list *l, const char *path, int ret);

#endif
