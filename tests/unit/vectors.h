/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads reference values from CSV files below tests/data. The first line of such a file has
 * titles. */
#ifndef IOSPAN_TESTS_VECTORS_H
#define IOSPAN_TESTS_VECTORS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/lib/harness.h"

#define VECTOR_CELLS 16
#define VECTOR_PAIRS 2048

struct vectors {
	FILE *f;
	char line[8192];
	char *cell[VECTOR_CELLS];
};

static inline bool vectors_open(struct vectors *v, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "tests/data/%s.csv", name);
	v->f = fopen(path, "r");
	return v->f && fgets(v->line, sizeof(v->line), v->f);
}

static inline bool vectors_next(struct vectors *v)
{
	char *rest = v->line;

	if (!fgets(v->line, sizeof(v->line), v->f)) {
		fclose(v->f);
		return false;
	}
	v->line[strcspn(v->line, "\n")] = '\0';
	for (int i = 0; i < VECTOR_CELLS; i++)
		v->cell[i] = rest ? strsep(&rest, ",") : "";
	return true;
}

static inline double vectors_number(const struct vectors *v, int cell)
{
	return strtod(v->cell[cell], NULL);
}

/* Reads the pairs x,y of a file, but at most VECTOR_PAIRS. Numbers may be NaN. Returns the number
 * of pairs. */
static inline size_t vectors_pairs(const char *folder, const char *name, double *x, double *y)
{
	struct vectors v;
	char path[128];
	size_t n = 0;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (!vectors_open(&v, path))
		test_fail(TEST_HERE, "there is no %s", path);
	for (; n < VECTOR_PAIRS && vectors_next(&v); n++) {
		x[n] = vectors_number(&v, 0);
		y[n] = vectors_number(&v, 1);
	}
	return n;
}

static inline void expect_same(const char *what, double seen, double expected, double tolerance)
{
	if (isnan(seen) != isnan(expected) || fabs(seen - expected) > tolerance)
		test_fail(TEST_HERE, "%s: %.17g, not %.17g", what, seen, expected);
}

#endif
