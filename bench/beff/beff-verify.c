// SPDX-License-Identifier: GPL-2.0-or-later
/* A document of b_eff_io, checked: all that follows from its bytes and times, again. */
#include "bench/beff/beff-verify.h"
#include "bench/beff/beff-read.h"
#include "bench/beff/beff-json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out.h"
#include "user/base/seal.h"
#include "bench/beff/compute.h"

#define NEAR 1e-9 /* relative; printed numbers read back as the same */

struct comparison {
	FILE *f;
	const struct out *computed, *said; /* the same place of both */
	const char *place;
	unsigned children; /* of a list, so far */
	int *differences;
};

struct search {
	unsigned left;
	const struct out *found;
};

static void count_down(void *arg, const char *key, const struct out *value)
{
	struct search *s = arg;

	if (!s->left--)
		s->found = value;
}

static const struct out *child_number(const struct out *list, unsigned n)
{
	struct search s = { .left = n };

	out_each(list, count_down, &s);
	return s.found;
}

/* A number, or 1 or 0 for true or not; else NaN. */
static double number_of(const struct out *object, const char *key)
{
	double v = NAN;

	if (!out_get_f64(object, key, &v) && out_is_true(object, key))
		v = 1;
	return v;
}

static bool differs(double a, double b)
{
	return isnan(a) != isnan(b) || fabs(a - b) > NEAR * fmax(fabs(a), fabs(b));
}

static void compare_number(const struct comparison *c, const char *key, const char *place)
{
	double computed = number_of(c->computed, key), said = number_of(c->said, key);
	char a[NUM_TEXT], b[NUM_TEXT];

	if (!differs(computed, said))
		return;
	fprintf(c->f, "%s: said %s, computed %s\n", place, num_exact_text(a, said),
		num_exact_text(b, computed));
	++*c->differences;
}

static void compare(void *arg, const char *key, const struct out *value)
{
	struct comparison *above = arg, c = *above;
	char *place = key ? need_text("%s%s%s", above->place, *above->place ? "." : "", key) :
			    need_text("%s[%u]", above->place, above->children);

	if (key)
		compare_number(above, key, place);
	c.computed = value;
	c.said = key ? out_get(above->said, key) : child_number(above->said, above->children);
	c.place = place;
	c.children = 0;
	above->children++;
	out_each(value, compare, &c);
	free(place);
}

static int verify(FILE *f, const char *path, const struct out *doc)
{
	struct beff *b = need(calloc(1, sizeof(*b)));
	struct out *computed = out_object();
	int differences = 0, ret = beff_read(b, path, doc);
	struct comparison c = { f, computed, doc, "", 0, &differences };

	if (!ret) {
		beff_results_json(computed, b);
		out_each(computed, compare, &c);
	}
	beff_forget(b);
	free(b);
	out_free(computed);
	return ret ?: differences;
}

int beff_verify(FILE *f, const char *path)
{
	struct out *doc = out_read(path);
	int ret = doc ? verify(f, path, doc) : -EINVAL;

	if (ret >= 0 && seal_check(doc))
		ret = error(-EBADMSG, "'%s' is not as it was written", path);
	out_free(doc);
	return ret;
}
