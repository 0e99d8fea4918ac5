/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Macros for the elements of the tables of criteria (struct criterion), and functions that several
 * criteria use. */
#ifndef IOSPAN_CRITERIA_H
#define IOSPAN_CRITERIA_H

#include <math.h>
#include "tools/characterize/character.h"

typedef const struct character character;

/* Element of a table: a criterion that is a number. Further arguments set more fields, such as
 * .whole = f. */
#define ROW(n, k, t, of_kind, f, ...) \
	{ \
		.number = n, .key = k, .title = t, .kind = of_kind, .value = f, __VA_ARGS__ \
	}
#define WORD(n, k, t, f) \
	{ \
		.number = n, .key = k, .title = t, .kind = METRIC_COUNT, .word = f \
	}

/* Returns @a / @b. Returns NaN if @b is 0 or NaN: the criterion then has no value. */
static inline double criteria_ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

/* criteria_bytes() returns the bytes moved, and criteria_operations() the number of reads and
 * writes, over all servers and intervals. They also serve as criterion.value(), so they have the
 * unused parameter @t. */
double criteria_bytes(character *c, enum direction d, u32 t);
double criteria_operations(character *c, enum direction d, u32 t);

/* Returns T in ns, the time with at least one access in flight; NaN if the input is a log of
 * counters. */
double criteria_span_ns(character *c, enum direction d);

/* Returns the totals of all files with a known name; zeros if no file is known. */
struct shared criteria_shared(character *c);
/* criteria_files() returns the number of files that were used. criteria_files_of() returns the
 * field of struct shared at offset @member, which is a number of files. It returns NaN for any
 * direction except DIR_BOTH. Both functions return NaN if no file is known. */
double criteria_files(character *c, enum direction d, u32 t);
double criteria_files_of(character *c, enum direction d, u32 member);

extern const struct criterion criteria_amounts[], criteria_patterns[], criteria_parallel[];

/* Calls @row for each criterion, in the order of the report. If a criterion depends on the
 * threshold, calls @row once per threshold, and passes the index in c->thresholds. @to is passed to
 * @row. */
void criteria_each(const struct character *c, void *to,
		   void (*row)(void *to, const struct character *c, const struct criterion *what,
			       u32 threshold));

#endif
