/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a whole system did, interval after interval, and how much of it lies in any window of
 * time. In an interval it is taken to be even (Madireddy and others 2017, equations 2 to 4).
 *
 *	start_s  0    60   120        240		nobody knows about 180 to 240: a gap
 *	         |     |     |     ....     |
 *	sum      0    s1   s1+s2     s1+s2+s3		of each column, up to there
 */
#ifndef IOSPAN_SERIES_H
#define IOSPAN_SERIES_H

#include "bpf/types.h"

struct column_sums {
	char *name;
	bool rate;	/* its values are per second */
	double *values; /* of each interval: series_finish() makes amounts of rates */
	double *before; /* sums of all intervals before each, and at the end of all */
};

struct series {
	u32 n, room;
	double *start_s, *end_s;
	u32 *gaps;	/* how many are before each interval */
	double width_s; /* the usual one; before, that which a trace is cut into */
	struct column_sums *columns;
	u32 columns_n;
};

/* Zeroes are an empty one. In intervals before it, a column is 0; the name is
 * copied. */
void series_column(struct series *s, const char *name, bool rate);
u32 series_find(const struct series *s, const char *name); /* columns_n: none */

/* Another interval, of which the values are yet 0; with one of NaN it becomes a gap. A @start_s
 * of NaN: where the one before ends, if that is about the usual width. */
u32 series_add(struct series *s, double start_s, double end_s);

/* When all are there, once. -EINVAL, printed: they are in no order, or too few to know how
 * long one is. @path is for the message. */
int series_finish(struct series *s, const char *path);
void series_release(struct series *s);

/* CSV with the columns t_end_s, perhaps t_start_s, and any of amounts: those whose name ends with
 * _Bps or _per_s are per second. -errno, printed. */
int series_read_csv(struct series *to, const char *path);

/* @to becomes @s with @k intervals in one, from the first on. What is left at the end is
 * dropped, and so is what has a gap in it. */
void series_merge(struct series *to, const struct series *s, u32 k);

/* Is all from @start_s to @end_s known? */
bool series_knows(const struct series *s, double start_s, double end_s);

/* How much of a column is between two times that are known; of time itself, as many seconds. */
#define SERIES_TIME (~0U)
double series_between(const struct series *s, u32 column, double start_s, double end_s);

/* The first interval that ends after a time, and the last that begins before it; both are
 * there, if the time is known. */
u32 series_first(const struct series *s, double at_s);
u32 series_last(const struct series *s, double at_s);

/* The first and last interval in which something was, in a time that is known. A moment is in
 * the interval that begins there, except at the very end. */
void series_touched(const struct series *s, double start_s, double end_s, u32 *first, u32 *last);

#endif
