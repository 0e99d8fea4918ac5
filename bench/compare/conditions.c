// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares the conditions under which two results were measured, such as page cache and memory
 * limit. */
#include "bench/compare/conditions.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/base/out-print.h"
#include "user/base/out-read.h"
#include "user/base/out.h"
#include "user/result/value.h"

static void keep_first(void *to, const char *key, const struct out *value)
{
	const struct out **first = to;

	*first = *first ?: value;
}

static void count_element(void *to, const char *key, const struct out *value)
{
	++*(uint64_t *)to;
}

static const struct out *first_of(const struct out *array)
{
	const struct out *first = NULL;

	if (array)
		out_each(array, keep_first, &first);
	return first;
}

static void put_array_count(struct out *o, const char *key, const struct out *array,
			    void (*fn)(void *to, const char *key, const struct out *value))
{
	uint64_t n = 0;

	if (array)
		out_each(array, fn, &n);
	out_u64_or_null(o, key, array, n);
}

static void count_unsteady(void *to, const char *key, const struct out *point)
{
	*(uint64_t *)to += !out_is_true(point, "steady");
}

/* Returns the conditions under which the result @m was measured. A condition that is not known is
 * null. */
static struct out *conditions_of(const struct model *m)
{
	const struct out *environment = out_get(m->doc, "environment");
	const struct out *device = first_of(out_get(environment, "devices"));
	const struct out *bytes = out_get(out_get(m->doc, "axes"), "unique_bytes");
	struct out *o = out_object();
	bool direct = out_is_true(m->doc, "direct");

	out_str(o, "page_cache", direct ? "direct" : "buffered");
	/* direct I/O bypasses the page cache, so a memory limit does not matter */
	out_share(o, "memory_limit_bytes", direct ? NULL : out_get(m->doc, "memory_limit_bytes"));
	out_share(o, "target", first_of(out_get(m->doc, "targets")));
	out_share(o, "file_system", out_get(out_get(environment, "target"), "file_system"));
	out_share(o, "device", out_get(device, "name"));
	out_share(o, "device_class", out_get(device, "class"));
	out_share(o, "maximum_bytes", out_get(bytes, "max"));
	put_array_count(o, "regions", out_get(m->doc, "regions"), count_element);
	out_str(o, "depth_engine",
		out_get(out_get(m->doc, "axes"), "depth") ? point_engines[true] : NULL);
	out_share(o, "budget_ns", out_get(m->doc, "budget_ns"));
	out_share(o, "elapsed_ns", out_get(m->doc, "elapsed_ns"));
	put_array_count(o, "points", out_get(m->doc, "points"), count_element);
	put_array_count(o, "points_not_steady", out_get(m->doc, "points"), count_unsteady);
	out_share(o, "processor_count", out_get(environment, "processor_count"));
	out_share(o, "kernel", out_get(environment, "kernel"));
	out_str(o, "result", m->complete ? "complete" : "incomplete");
	return o;
}

/* Returns true if results that differ in the condition @key cannot be compared fairly. */
static bool is_unfair(const char *key)
{
	return !strcmp(key, "page_cache") || !strcmp(key, "memory_limit_bytes");
}

static bool differ(const struct out *a, const struct out *b)
{
	char *one, *other;
	bool same;

	if (!a || !b)
		return a != b;
	one = out_canonical(a, NULL);
	other = out_canonical(b, NULL);
	same = !strcmp(one, other);
	free(one);
	free(other);
	return !same;
}

struct both {
	const struct out *a, *b; /* conditions of the two results */
	struct out *json;
};

static void add_condition(void *arg, const char *key, const struct out *value)
{
	struct both *to = arg;
	const struct out *x = out_get(to->a, key), *y = out_get(to->b, key);
	struct out *o = out_object();
	bool differs = differ(x, y);

	out_share(o, "a", x);
	out_share(o, "b", y);
	out_bool(o, "differs", differs);
	out_bool(o, "unfair", differs && is_unfair(key));
	out_put(to->json, key, o);
}

struct out *conditions_json(const struct model *a, const struct model *b)
{
	struct out *one = conditions_of(a), *other = conditions_of(b);
	struct both both = { one, other, out_object() };

	out_each(one, add_condition, &both);
	out_free(one);
	out_free(other);
	return both.json;
}

static void add_unfair(void *list, const char *key, const struct out *condition)
{
	char **text = list, *before = *text, *name;

	if (!out_is_true(condition, "unfair"))
		return;
	name = value_name(key);
	*text = need_text("%s%s%s", before ?: "", before ? ", " : "", name);
	free(before);
	free(name);
}

char *conditions_unfair(const struct out *both)
{
	char *keys = NULL;

	out_each(both, add_unfair, &keys);
	return keys;
}
