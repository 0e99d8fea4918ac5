/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Macros for the rows (struct criterion) of the tables of criteria, and functions that several
 * criteria use. A criterion is a number or word about the I/O of a job. A server is a disk or a
 * file system. An interval has I/O if at least one server moved more bytes in it than a threshold
 * (--threshold). */
#ifndef IOSPAN_CRITERIA_H
#define IOSPAN_CRITERIA_H

#include <math.h>
#include "tools/characterize/character.h"

typedef const struct character character;

#define ROW(number, key, title, kind, value) \
	{ \
		number, key, title, kind, false, value, NULL, false, NULL, 0 \
	}
/* Row for a criterion that is a whole number of up to 128 bits, such as a sum of bytes. value()
 * returns the number as a double, @whole returns it exactly. */
#define WHOLE(number, key, title, kind, value, whole) \
	{ \
		number, key, title, kind, false, value, NULL, false, whole, 0 \
	}
/* Rows for criteria with a value() and @whole that return the number that @of selects. */
#define ROW_OF(number, key, title, kind, value, of) \
	{ \
		number, key, title, kind, false, value, NULL, false, NULL, of \
	}
#define WHOLE_OF(number, key, title, kind, value, whole, of) \
	{ \
		number, key, title, kind, false, value, NULL, false, whole, of \
	}
#define WORD(number, key, title, word) \
	{ \
		number, key, title, METRIC_COUNT, false, NULL, word, false, NULL, 0 \
	}
/* Rows for criteria with one result per --threshold. EACH_FRACTION is for values from 0 to 1. */
#define EACH(number, key, title, value) \
	{ \
		number, key, title, METRIC_RATIO, true, value, NULL, false, NULL, 0 \
	}
#define EACH_FRACTION(number, key, title, value) \
	{ \
		number, key, title, METRIC_RATIO, true, value, NULL, true, NULL, 0 \
	}
#define LAST \
	{ \
		NULL, NULL, NULL, 0, false, NULL, NULL, false, NULL, 0 \
	}

/* Returns @a / @b. Returns NaN if @b is 0 or NaN: the criterion then has no value. */
static inline double criteria_ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

/* criteria_bytes() returns the bytes moved over all servers and intervals. criteria_operations()
 * returns the number of reads and writes. Both functions also serve as criterion.value(), so they
 * have the parameter @t, the index of a threshold, but do not use it. */
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
