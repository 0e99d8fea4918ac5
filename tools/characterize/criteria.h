/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the criteria are computed from: for the files that have them. */
#ifndef IOSPAN_CRITERIA_H
#define IOSPAN_CRITERIA_H

#include <math.h>
#include "tools/characterize/character.h"

typedef const struct character character;

#define ROW(number, key, title, kind, value) \
	{ \
		number, key, title, kind, false, value, NULL, false, NULL \
	}
/* A sum that may have more digits than a double. */
#define WHOLE(number, key, title, kind, value, whole) \
	{ \
		number, key, title, kind, false, value, NULL, false, whole \
	}
#define WORD(number, key, title, word) \
	{ \
		number, key, title, METRIC_COUNT, false, NULL, word, false, NULL \
	}
/* For each threshold. */
#define EACH(number, key, title, value) \
	{ \
		number, key, title, METRIC_RATIO, true, value, NULL, false, NULL \
	}
#define EACH_SHARE(number, key, title, value) \
	{ \
		number, key, title, METRIC_RATIO, true, value, NULL, true, NULL \
	}
#define LAST \
	{ \
		NULL, NULL, NULL, 0, false, NULL, NULL, false, NULL \
	}

static inline double per(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

/* Both of all servers and intervals. */
double criteria_bytes(character *c, enum direction d, u32 t);
double criteria_operations(character *c, enum direction d, u32 t);

/* T; NaN: only requests have one. */
double criteria_span_ns(character *c, enum direction d);

/* What @get has, of the files whose names are known; NaN without any. */
double criteria_of_files(character *c, u64 (*get)(const struct shared *s, enum direction d),
			 enum direction d);
double criteria_files(character *c, enum direction d, u32 t);

extern const struct criterion criteria_amounts[], criteria_patterns[], criteria_parallel[];

/* Calls @row for each of them and, where there is one, each threshold. */
void criteria_each(const struct character *c, void *to,
		   void (*row)(void *to, const struct character *c, const struct criterion *what,
			       u32 threshold));

#endif
