/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows (struct criterion) for the tables of criteria, and functions that several criteria use. */
#ifndef IOSPAN_CRITERIA_H
#define IOSPAN_CRITERIA_H

#include <math.h>
#include "tools/characterize/character.h"

typedef const struct character character;

#define ROW(number, key, title, kind, value) \
	{ \
		number, key, title, kind, false, value, NULL, false, NULL \
	}
/* A row for an exact sum: value() returns a double, @whole all digits. */
#define WHOLE(number, key, title, kind, value, whole) \
	{ \
		number, key, title, kind, false, value, NULL, false, whole \
	}
#define WORD(number, key, title, word) \
	{ \
		number, key, title, METRIC_COUNT, false, NULL, word, false, NULL \
	}
/* Rows for criteria with one result per --threshold. EACH_FRACTION: the value is from 0 to 1. */
#define EACH(number, key, title, value) \
	{ \
		number, key, title, METRIC_RATIO, true, value, NULL, false, NULL \
	}
#define EACH_FRACTION(number, key, title, value) \
	{ \
		number, key, title, METRIC_RATIO, true, value, NULL, true, NULL \
	}
#define LAST \
	{ \
		NULL, NULL, NULL, 0, false, NULL, NULL, false, NULL \
	}

/* Returns @a / @b, or NaN if @b is 0 or NaN, so that the criterion has no value. */
static inline double criteria_ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

/* Sum over all servers and intervals. @t is not used. */
double criteria_bytes(character *c, enum direction d, u32 t);
double criteria_operations(character *c, enum direction d, u32 t);

/* Returns T in ns; NaN if the input is a log of counters. */
double criteria_span_ns(character *c, enum direction d);

/* Returns what @get takes from the use of all files; NaN if no file is known. */
double criteria_of_files(character *c, u64 (*get)(const struct shared *s, enum direction d),
			 enum direction d);
double criteria_files(character *c, enum direction d, u32 t);

extern const struct criterion criteria_amounts[], criteria_patterns[], criteria_parallel[];

/* Calls @row in the report's order; for a criterion that depends on the threshold, once for
 * each. */
void criteria_each(const struct character *c, void *to,
		   void (*row)(void *to, const struct character *c, const struct criterion *what,
			       u32 threshold));

#endif
