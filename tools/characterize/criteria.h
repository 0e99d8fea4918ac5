/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Macros for the rows of the tables of criteria (struct criterion), and functions that several
 * criteria use. */
#ifndef IOSPAN_CRITERIA_H
#define IOSPAN_CRITERIA_H

#include <math.h>
#include "tools/characterize/character.h"

typedef const struct character character;

/* Row for a criterion that is a number. More members may follow, as .whole = f. */
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

/* Return the bytes moved and the number of reads and writes, over all servers and intervals. Both
 * also serve as criterion.value(), so they have the unused parameter @t. */
double criteria_bytes(character *c, enum direction d, u32 t);
double criteria_operations(character *c, enum direction d, u32 t);

/* Returns T in ns, the time with at least one access in flight; NaN if the input is a log of
 * counters. */
double criteria_span_ns(character *c, enum direction d);

/* Returns the totals of all files with a known name; zeros if no file is known. */
struct shared criteria_shared(character *c);
/* criteria_files() returns the number of files used, criteria_files_of() the number of files in the
 * member of struct shared with the offset @member. Both return NaN if no file is known. */
double criteria_files(character *c, enum direction d, u32 t);
double criteria_files_of(character *c, enum direction d, u32 member);

extern const struct criterion criteria_amounts[], criteria_patterns[], criteria_parallel[];

/* Calls @row for each criterion @what, in the order of the report. If a criterion depends on the
 * threshold, calls @row once per threshold, with the index of the threshold in c->thresholds.
 * Passes @to on to @row. */
void criteria_each(const struct character *c, void *to,
		   void (*row)(void *to, const struct character *c, const struct criterion *what,
			       u32 threshold));

#endif
