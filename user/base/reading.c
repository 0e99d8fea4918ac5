// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads values from a JSON document, and reports the first one that is missing or invalid. */
#include "user/base/reading.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/out-read.h"

#define MOST 100000 /* maximum number of elements of an array */

void reading_wrong(struct reading *r, const char *fmt, ...)
{
	char why[200];
	va_list args;

	if (r->failed)
		return;
	va_start(args, fmt);
	vsnprintf(why, sizeof(why), fmt, args);
	va_end(args);
	error(-EINVAL, "'%s' is no %s: %s%s%s", r->path, r->what, r->where, *r->where ? ": " : "",
	      why);
	r->failed = true;
}

void reading_at(struct reading *r, const char *object, const char *key)
{
	snprintf(r->where, sizeof(r->where), "%s%s%s", object ?: "", key ? "." : "", key ?: "");
}

double reading_number(struct reading *r, const struct out *object, const char *key, double least,
		      double most)
{
	double v;

	if (out_get_f64(object, key, &v) && v >= least && v <= most)
		return v;
	if (isinf(most))
		reading_wrong(r, "'%s' is no number from %g on", key, least);
	else
		reading_wrong(r, "'%s' is no number from %g to %g", key, least, most);
	return NAN;
}

struct elements {
	struct reading *r;
	void (*fn)(struct reading *r, const struct out *element, void *to);
	char *to;
	size_t size;
	unsigned n;
};

static void count_element(void *arg, const char *key, const struct out *value)
{
	struct elements *e = arg;

	/* If there is a key, the value is an object and not an array. In this case, makes the
	 * number of elements too large, so that reading_array() reports an error. */
	e->n = key ? MOST + 1 : e->n + 1;
}

static void fill_element(void *arg, const char *key, const struct out *value)
{
	struct elements *e = arg;
	size_t before = strlen(e->r->where);

	if (e->r->failed)
		return;
	snprintf(e->r->where + before, sizeof(e->r->where) - before, "[%u]", e->n);
	e->fn(e->r, value, e->to + e->n++ * e->size);
	e->r->where[before] = '\0';
}

void *reading_array(struct reading *r, const struct out *object, const char *key,
		    void (*fn)(struct reading *r, const struct out *element, void *to), size_t size,
		    unsigned *n)
{
	const struct out *array = out_get(object, key);
	struct elements e = { .r = r, .fn = fn, .size = size };
	size_t before = strlen(r->where);

	*n = 0;
	snprintf(r->where + before, sizeof(r->where) - before, "%s%s", before ? "." : "", key);
	out_each(array, count_element, &e);
	if (e.n > MOST)
		reading_wrong(r, "is no array of at most %d", MOST);
	if (e.n && !r->failed) {
		*n = e.n;
		e.n = 0;
		e.to = need(calloc(*n, size));
		out_each(array, fill_element, &e);
	}
	r->where[before] = '\0';
	return e.to;
}
