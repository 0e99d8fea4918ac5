// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks a JSON result of b_eff_io: computes all results again from its bytes and times, so that a
 * changed or wrong number is found. */
#include "bench/beff/beff-verify.h"
#include "bench/beff/beff-read.h"
#include "bench/beff/beff-json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out-read.h"
#include "user/base/out.h"
#include "user/base/table.h"
#include "user/base/seal.h"
#include "bench/beff/compute.h"

#define NEAR 1e-9 /* two numbers are equal if they differ by at most this fraction */

struct comparison {
	FILE *f;
	const struct out *computed, *stored;
	const char *path;
	unsigned children;
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

static const struct out *list_element(const struct out *list, unsigned n)
{
	struct search s = { .left = n };

	out_each(list, count_down, &s);
	return s.found;
}

/* Returns the number at @key of @object. Returns 1 if the value is true, and NaN if it is not a
 * number. */
static double number_at(const struct out *object, const char *key)
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

static void compare_number(const struct comparison *c, const char *key, const char *path)
{
	double computed = number_at(c->computed, key), stored = number_at(c->stored, key);
	char a[NUM_TEXT], b[NUM_TEXT];

	if (!differs(computed, stored))
		return;
	out_line_format(c->f, "%s: document has %s, computed %s", path, num_exact_text(a, stored),
			num_exact_text(b, computed));
	fputc('\n', c->f);
	++*c->differences;
}

static void compare_node(void *arg, const char *key, const struct out *value)
{
	struct comparison *parent = arg, c = *parent;
	char *path = key ? need_text("%s%s%s", parent->path, *parent->path ? "." : "", key) :
			   need_text("%s[%u]", parent->path, parent->children);

	if (key)
		compare_number(parent, key, path);
	c.computed = value;
	c.stored = key ? out_get(parent->stored, key) :
			 list_element(parent->stored, parent->children);
	c.path = path;
	c.children = 0;
	parent->children++;
	out_each(value, compare_node, &c);
	free(path);
}

static int verify_document(FILE *f, const char *path, const struct out *doc)
{
	struct beff *b = need(calloc(1, sizeof(*b)));
	struct out *computed = out_object();
	int differences = 0, ret = beff_read(b, path, doc);
	struct comparison c = { f, computed, doc, "", 0, &differences };

	if (!ret) {
		beff_results_json(computed, b);
		out_each(computed, compare_node, &c);
	}
	beff_forget(b);
	free(b);
	out_free(computed);
	return ret ?: differences;
}

int beff_verify(FILE *f, const char *path)
{
	struct out *doc = out_read(path);
	int ret = doc ? verify_document(f, path, doc) : -EINVAL;

	if (ret >= 0 && seal_check(doc))
		ret = error(-EBADMSG, "'%s' was changed after it was written: its hash differs",
			    path);
	out_free(doc);
	return ret;
}
