/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Macros and functions for the files that define criteria. A macro here makes one struct
 * criterion. */
#ifndef IOSPAN_CRITERIA_H
#define IOSPAN_CRITERIA_H

#include <math.h>
#include "tools/characterize/character.h"

typedef const struct character character;

#define ROW(number, key, title, kind, value) \
	{ \
		number, key, title, kind, false, value, NULL, false, NULL \
	}
/* A criterion that is a sum, which may need more digits than a double has. */
#define WHOLE(number, key, title, kind, value, whole) \
	{ \
		number, key, title, kind, false, value, NULL, false, whole \
	}
#define WORD(number, key, title, word) \
	{ \
		number, key, title, METRIC_COUNT, false, NULL, word, false, NULL \
	}
/* EACH and EACH_FRACTION describe a criterion with a value for each --threshold. */
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

/* Returns @a / @b, or NaN if @b is 0 or NaN. */
static inline double criteria_ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

/* criteria_bytes() and criteria_operations() return totals over all servers and intervals. */
double criteria_bytes(character *c, enum direction d, u32 t);
double criteria_operations(character *c, enum direction d, u32 t);

/* Returns T, or NaN if the input is a log of counters. */
double criteria_span_ns(character *c, enum direction d);

/* Returns the number that @get takes from the totals over all files. Returns NaN if no file is
 * known. */
double criteria_of_files(character *c, u64 (*get)(const struct shared *s, enum direction d),
			 enum direction d);
double criteria_files(character *c, enum direction d, u32 t);

extern const struct criterion criteria_amounts[], criteria_patterns[], criteria_parallel[];

/* Calls @row for each criterion. If a criterion has thresholds, calls @row for each of them. */
void criteria_each(const struct character *c, void *to,
		   void (*row)(void *to, const struct character *c, const struct criterion *what,
			       u32 threshold));

#endif
