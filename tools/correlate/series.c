// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes system data: the I/O of a whole system per interval. A gap is a time without data between
 * two intervals. */
#include "tools/correlate/series.h"

#include <float.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"

/* There is a gap between two intervals if their ends are further apart than this number of usual
 * interval lengths. */
#define LATE 1.5
/* Times are treated as equal if they differ by less than this fraction of the usual interval
 * length, because printed times are rounded. */
#define SAME 1e-6
/* Times are also treated as equal if they differ by less than this fraction of the time itself,
 * because a double rounds a time since 1970. */
#define SAME_DOUBLE (2 * DBL_EPSILON)

void series_column(struct series *s, const char *name, bool rate)
{
	s->columns = need(reallocarray(s->columns, s->columns_n + 1, sizeof(*s->columns)));
	s->columns[s->columns_n++] = (struct column_sums){
		.name = need(strdup(name)),
		.rate = rate,
		.values = need(calloc(s->room + 1, sizeof(double))),
	};
}

void series_io_columns(struct series *s)
{
	series_column(s, "read_bytes", false);
	series_column(s, "write_bytes", false);
	series_column(s, "read_ops", false);
	series_column(s, "write_ops", false);
}

static void grow_series(struct series *s)
{
	s->room = s->room * 2 + 64;
	s->start_s = need(reallocarray(s->start_s, s->room, sizeof(double)));
	s->end_s = need(reallocarray(s->end_s, s->room, sizeof(double)));
	for (u32 c = 0; c < s->columns_n; c++)
		s->columns[c].values =
			need(reallocarray(s->columns[c].values, s->room, sizeof(double)));
}

u32 series_add(struct series *s, double start_s, double end_s)
{
	if (s->n == s->room)
		grow_series(s);
	s->start_s[s->n] = start_s;
	s->end_s[s->n] = end_s;
	for (u32 c = 0; c < s->columns_n; c++)
		s->columns[c].values[s->n] = 0;
	return s->n++;
}

void series_release(struct series *s)
{
	for (u32 c = 0; c < s->columns_n; c++) {
		free(s->columns[c].name);
		free(s->columns[c].values);
		free(s->columns[c].before);
	}
	free(s->columns);
	free(s->start_s);
	free(s->end_s);
	free(s->gaps);
	*s = (struct series){};
}

/* Returns the median length of the intervals in seconds, or NaN if no length is known. */
static double usual_width(const struct series *s)
{
	double *widths = need(calloc(s->n + 1, sizeof(*widths))), width = NAN;
	u32 n = 0;

	for (u32 i = 0; i < s->n; i++) {
		if (!isnan(s->start_s[i]))
			widths[n++] = s->end_s[i] - s->start_s[i];
		else if (i)
			widths[n++] = s->end_s[i] - s->end_s[i - 1];
	}
	gsl_sort(widths, 1, n);
	if (n)
		width = widths[n / 2];
	free(widths);
	return width;
}

static void place_starts(struct series *s)
{
	for (u32 i = 0; i < s->n; i++) {
		double before = i ? s->end_s[i - 1] : -INFINITY;

		if (!isnan(s->start_s[i]))
			continue;
		s->start_s[i] = s->end_s[i] - before <= LATE * s->width_s ?
			before :
			s->end_s[i] - s->width_s;
	}
}

static int bad_interval(const char *path, u32 i, const char *what)
{
	return error(-EINVAL, "'%s': interval %u %s", path, i + 1, what);
}

/* Checks that each interval ends after its own start and after the end of the previous interval.
 * Accepts an unknown start (NaN). */
static int check_ends_in_order(const struct series *s, const char *path)
{
	for (u32 i = 0; i < s->n; i++) {
		if (s->end_s[i] <= s->start_s[i])
			return bad_interval(path, i, "does not end after its start");
		if (i && s->end_s[i] <= s->end_s[i - 1])
			return bad_interval(path, i, "does not end after the one before it");
	}
	return 0;
}

/* Returns the rounding error, in seconds, that the start of interval @i may have. */
static double rounding_s(const struct series *s, u32 i)
{
	return fmax(SAME * s->width_s, SAME_DOUBLE * fabs(s->start_s[i]));
}

static int check_overlap(const struct series *s, const char *path)
{
	for (u32 i = 1; i < s->n; i++)
		if (s->start_s[i] < s->end_s[i - 1] - rounding_s(s, i))
			return bad_interval(path, i, "starts before the end of the one before it");
	return 0;
}

static bool has_all_values(const struct series *s, u32 i)
{
	for (u32 c = 0; c < s->columns_n; c++)
		if (isnan(s->columns[c].values[i]))
			return false;
	return true;
}

/* Removes intervals in which an amount is missing (NaN). Call place_starts() first, because it uses
 * the ends of all intervals, including those that are removed here. */
static void drop_incomplete(struct series *s)
{
	u32 n = 0;

	for (u32 i = 0; i < s->n; i++) {
		if (!has_all_values(s, i))
			continue;
		s->start_s[n] = s->start_s[i];
		s->end_s[n] = s->end_s[i];
		for (u32 c = 0; c < s->columns_n; c++)
			s->columns[c].values[n] = s->columns[c].values[i];
		n++;
	}
	s->n = n;
}

static void sum_columns(struct series *s)
{
	s->gaps = need(calloc(s->n + 1, sizeof(*s->gaps)));
	for (u32 i = 1; i < s->n; i++) {
		bool gap = s->start_s[i] > s->end_s[i - 1] + rounding_s(s, i);

		s->gaps[i] = s->gaps[i - 1] + gap;
		if (!gap)
			s->start_s[i] = s->end_s[i - 1];
	}
	for (u32 c = 0; c < s->columns_n; c++) {
		struct column_sums *of = &s->columns[c];

		of->before = need(calloc(s->n + 1, sizeof(*of->before)));
		for (u32 i = 0; i < s->n; i++) {
			if (of->rate)
				of->values[i] *= s->end_s[i] - s->start_s[i];
			of->before[i + 1] = of->before[i] + of->values[i];
		}
		of->rate = false;
	}
}

int series_finish(struct series *s, const char *path)
{
	int ret = check_ends_in_order(s, path);

	if (ret)
		return ret;
	s->width_s = usual_width(s);
	if (isnan(s->width_s))
		return error(-EINVAL,
			     "'%s': at least two intervals are needed to know their "
			     "length, or one with its start",
			     path);
	place_starts(s);
	ret = check_overlap(s, path);
	if (ret)
		return ret;
	drop_incomplete(s);
	sum_columns(s);
	return 0;
}

void series_merge(struct series *to, const struct series *s, u32 k)
{
	*to = (struct series){ .width_s = s->width_s * k };
	for (u32 c = 0; c < s->columns_n; c++)
		series_column(to, s->columns[c].name, false);
	for (u32 i = 0; i + k <= s->n; i += k) {
		u32 last = i + k - 1, at;

		if (s->gaps[last] != s->gaps[i])
			continue;
		at = series_add(to, s->start_s[i], s->end_s[last]);
		for (u32 c = 0; c < s->columns_n; c++)
			to->columns[c].values[at] =
				s->columns[c].before[last + 1] - s->columns[c].before[i];
	}
	sum_columns(to);
}

/* Returns how many of the @n ascending times @v are before @at_s. If @until is true, times equal to
 * @at_s are included. */
static u32 count_times(const double *v, u32 n, double at_s, bool until)
{
	u32 low = 0, high = n;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (v[mid] < at_s || (until && v[mid] == at_s))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

u32 series_first(const struct series *s, double at_s)
{
	return count_times(s->end_s, s->n, at_s, true);
}

/* Returns the number of the last interval that starts before @at_s, or (u32)-1 if there is none. */
static u32 series_last(const struct series *s, double at_s)
{
	return count_times(s->start_s, s->n, at_s, false) - 1;
}

void series_touched(const struct series *s, double start_s, double end_s, u32 *first, u32 *last)
{
	*first = series_first(s, start_s);
	if (*first == s->n)
		(*first)--;
	*last = series_last(s, end_s);
	if (*last == (u32)-1 || *last < *first)
		*last = *first;
}

bool series_covers(const struct series *s, double start_s, double end_s)
{
	u32 first = series_first(s, start_s), last = series_last(s, end_s);

	if (!s->n || !(start_s <= end_s) || start_s < s->start_s[0] || end_s > s->end_s[s->n - 1])
		return false;
	/* A window of length 0 may overlap no interval. The amount of I/O in it is 0, so the window
	 * is covered. */
	if (first >= s->n || last >= s->n || last < first)
		return start_s == end_s;
	return s->start_s[first] <= start_s && end_s <= s->end_s[last] &&
		s->gaps[first] == s->gaps[last];
}

/* @value is the amount of I/O in interval @i. Returns the part of it in a window from @start_s to
 * @end_s, which must lie within the interval. The I/O is assumed to be even over the interval. */
static double prorate(const struct series *s, u32 i, double value, double start_s, double end_s)
{
	return value * (end_s - start_s) / (s->end_s[i] - s->start_s[i]);
}

double series_between(const struct series *s, u32 column, double start_s, double end_s)
{
	const struct column_sums *c;
	u32 first, last;

	if (!(end_s > start_s))
		return 0;
	if (column == SERIES_TIME)
		return end_s - start_s;
	c = &s->columns[column];
	first = series_first(s, start_s);
	last = series_last(s, end_s);
	if (first == last)
		return prorate(s, first, c->values[first], start_s, end_s);
	return prorate(s, first, c->values[first], start_s, s->end_s[first]) +
		(c->before[last] - c->before[first + 1]) +
		prorate(s, last, c->values[last], s->start_s[last], end_s);
}

static u32 find_or_add_column(struct series *s, const char *name)
{
	u32 c = 0;

	while (c < s->columns_n && strcmp(s->columns[c].name, name) != 0)
		c++;
	if (c == s->columns_n)
		series_column(s, name, false);
	return c;
}

static void add_system(struct series *to, const struct series *part)
{
	u32 *column = need(calloc(part->columns_n + 1, sizeof(*column)));

	for (u32 c = 0; c < part->columns_n; c++)
		column[c] = find_or_add_column(to, part->columns[c].name);
	for (u32 i = 0; i < to->n; i++)
		for (u32 c = 0; c < part->columns_n; c++)
			to->columns[column[c]].values[i] +=
				series_between(part, c, to->start_s[i], to->end_s[i]);
	free(column);
}

static bool all_cover(const struct series *parts, u32 n, double start_s, double end_s)
{
	for (u32 k = 0; k < n; k++)
		if (!series_covers(&parts[k], start_s, end_s))
			return false;
	return true;
}

static int sum_systems(struct series *to, const struct series_list *l, const char *path)
{
	const struct series *parts = l->all, *longest = parts;
	u32 n = l->n;

	for (u32 k = 1; k < n; k++)
		if (parts[k].width_s > longest->width_s)
			longest = &parts[k];
	for (u32 i = 0; i < longest->n; i++)
		if (all_cover(parts, n, longest->start_s[i], longest->end_s[i]))
			series_add(to, longest->start_s[i], longest->end_s[i]);
	if (!to->n)
		return error(-ENODATA, "'%s': there is no interval that all %u systems cover", path,
			     n);
	for (u32 k = 0; k < n; k++)
		add_system(to, &parts[k]);
	return series_finish(to, path);
}

struct series *series_list_add(struct series_list *l)
{
	l->all = need(reallocarray(l->all, l->n + 1, sizeof(*l->all)));
	l->all[l->n] = (struct series){};
	return &l->all[l->n++];
}

int series_list_sum(struct series *to, struct series_list *l, const char *path, int ret)
{
	if (!ret && l->n == 1) {
		*to = l->all[0];
		l->n = 0;
	} else if (!ret) {
		ret = sum_systems(to, l, path);
	}
	for (u32 i = 0; i < l->n; i++)
		series_release(&l->all[i]);
	free(l->all);
	*l = (struct series_list){};
	return ret;
}
