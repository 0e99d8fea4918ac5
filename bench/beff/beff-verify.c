// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks a JSON result of b_eff_io: computes all results again from its bytes and times, so that a
 * changed or wrong number is found. */
#include "bench/beff/beff-verify.h"
#include "bench/beff/beff-read.h"
#include "bench/beff/beff-json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out-read.h"
#include "user/base/out.h"
#include "user/base/seal.h"
#include "bench/beff/compute.h"

#define NEAR 1e-9 /* two numbers are equal if they differ by at most this fraction */

struct comparison {
	const struct out *computed, *stored;
	const char *path;
	unsigned children;
	struct out *wrong; /* array of the values that differ */
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
	struct out *wrong;

	if (!differs(computed, stored))
		return;
	wrong = out_object();
	out_str(wrong, "path", path);
	out_f64(wrong, "value", stored);
	out_f64(wrong, "computed_value", computed);
	out_append(c->wrong, wrong);
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

/* Adds each value of @doc that differs from the computed value to the array @wrong. Returns the
 * number of these values, or -errno; prints the error. */
static int verify_document(const char *path, const struct out *doc, struct out *wrong)
{
	struct beff *b = need(calloc(1, sizeof(*b)));
	struct out *computed = out_object();
	int differences = 0, ret = beff_read(b, path, doc);
	struct comparison c = { computed, doc, "", 0, wrong, &differences };

	if (!ret) {
		beff_results_json(computed, b);
		out_each(computed, compare_node, &c);
	}
	beff_forget(b);
	free(b);
	out_free(computed);
	return ret ?: differences;
}

/* Returns a document with the values that differ. Sets *@differences to the number of these values.
 * Returns NULL after an error, which it prints. */
static struct out *verify(const char *path, int *differences)
{
	struct out *doc = out_read(path), *found = doc ? out_object() : NULL;

	if (!doc)
		return NULL;
	out_str(found, "iospan", VERSION);
	out_str(found, "command", "bench beff");
	out_str(found, "checked_file", path);
	*differences = verify_document(path, doc, out_list(found, "wrong_values"));
	out_bool(found, "hash_is_right", !seal_check(doc));
	out_free(doc);
	if (*differences >= 0)
		return found;
	out_free(found);
	return NULL;
}

static const struct view_column wrong_values[] = {
	COLUMN("path", .title = "wrong value"),
	COLUMN_OF("value", "in the file", VIEW_DIGITS),
	COLUMN_OF("computed_value", "computed", VIEW_DIGITS),
	{},
};

static const struct view views[] = {
	VIEW("wrong_values.*", .columns = wrong_values, .left = 1, .is_csv = true),
	{},
};

int beff_verify(const char *path, enum out_format format)
{
	int differences = 0, ret;
	struct out *doc = verify(path, &differences);
	struct result result = { .doc = doc, .views = views };
	struct output none = OUTPUT_NONE;

	if (!doc)
		return -EINVAL;
	ret = result_print(&result, format, &none);
	if (!ret && differences)
		ret = error(-EBADMSG, "%d value%s in '%s' do%s not follow from its bytes and times",
			    differences, num_word(differences, "", "s"), path,
			    num_word(differences, "es", ""));
	else if (!ret && !out_is_true(doc, "hash_is_right"))
		ret = error(-EBADMSG, "'%s' was changed after it was written: its hash differs",
			    path);
	out_free(doc);
	return ret;
}
