// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the JSON result of an earlier run of b_eff_io, and checks it. All results are computed
 * again from the bytes and times, so that a changed or wrong number is found. */
#include "bench/beff/beff.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out-read.h"
#include "user/result/result.h"
#include "user/base/out.h"
#include "user/base/seal.h"

struct reader {
	struct beff *b;
	struct beff_partition *partition;
	enum beff_access access;
	/* Progress of reading. .types: number of pattern types that have been read for .access.
	 * .patterns: number of patterns that have been read in the current type. */
	unsigned types, patterns;
	bool good;
};

static void read_u64(struct reader *r, const struct out *from, const char *key, u64 *to)
{
	r->good &= out_get_u64(from, key, to);
}

static void read_pattern(void *arg, const char *key, const struct out *from)
{
	struct reader *r = arg;
	unsigned pattern = beff_find(r->types, BEFF_FIRST) + r->patterns++;
	struct beff_cell *c;

	if (pattern >= BEFF_PATTERNS || beff_patterns[pattern].type != r->types) {
		r->good = false;
		return;
	}
	c = &r->partition->cells[r->access][pattern];
	read_u64(r, from, "bytes", &c->bytes);
	read_u64(r, from, "elapsed_ns", &c->of.ns);
	read_u64(r, from, "io_ns", &c->of.io_ns);
	read_u64(r, from, "barrier_ns", &c->of.barrier_ns);
	read_u64(r, from, "sync_ns", &c->of.sync_ns);
	read_u64(r, from, "errors", &c->of.errors);
	read_u64(r, from, "repetitions", &c->of.repetitions);
	r->partition->shape.repetitions[pattern] = c->of.repetitions;
	beff_set_layers(c, out_keep(out_get(from, "layers")));
}

static void read_type(void *arg, const char *key, const struct out *from)
{
	struct reader *r = arg;
	struct beff_total *t;

	if (r->types == BEFF_TYPES) {
		r->good = false;
		return;
	}
	t = &r->partition->totals[r->access][r->types];
	read_u64(r, from, "open_ns", &t->open_ns);
	read_u64(r, from, "close_ns", &t->close_ns);
	t->done = out_is_true(from, "complete");
	r->patterns = 0;
	out_each(out_get(from, "patterns"), read_pattern, r);
	r->types++;
}

static void read_partition(void *arg, const char *key, const struct out *from)
{
	struct reader *r = arg;
	const struct out *accesses = out_get(from, "access_methods");
	struct beff_partition *p = &r->b->partitions[r->b->partitions_n];
	u64 ranks = 0;

	read_u64(r, from, "process_count", &ranks);
	r->good &= ranks > 0 && ranks <= BEFF_RANKS && r->b->partitions_n < BEFF_PARTITIONS;
	if (!r->good)
		return;
	r->b->partitions_n++;
	r->partition = p;
	p->shape.ranks = ranks;
	p->shape.mpart = r->b->setup.mpart;
	read_u64(r, from, "node_count", &p->nodes);
	read_u64(r, from, "node_process_count", &p->node_ranks);
	read_u64(r, from, "segment_bytes", &p->shape.segment);
	read_u64(r, from, "filler_bytes", &p->shape.filler);
	read_u64(r, from, "checked_bytes", &p->checked_bytes);
	read_u64(r, from, "wrong_chunks", &p->wrong);
	for (r->access = 0; r->access < BEFF_ACCESSES; r->access++) {
		const struct out *access = out_get(accesses, beff_access_names[r->access]);

		r->types = 0;
		out_each(out_get(access, "types"), read_type, r);
	}
}

int beff_read(struct beff *b, const char *path, const struct out *doc)
{
	const char *command = out_get_str(doc, "command"), *averages = out_get_str(doc, "averages");
	const char *engine = out_get_str(doc, "engine");
	u64 scheduled_ns = 0, partition_ns = 0;
	struct reader r = { .b = b, .good = command && !strcmp(command, "bench beff") };

	read_u64(&r, doc, "scheduled_ns", &scheduled_ns);
	read_u64(&r, doc, "partition_ns", &partition_ns);
	b->seconds = scheduled_ns / SECOND;
	b->partition_seconds = partition_ns / SECOND;
	read_u64(&r, doc, "memory_bytes", &b->memory);
	read_u64(&r, doc, "mpart_bytes", &b->setup.mpart);
	read_u64(&r, doc, "cache_bytes", &b->cache_bytes);
	b->engine = engine && !strcmp(engine, beff_mpiio.name) ? &beff_mpiio : &beff_uring;
	b->version_1 = averages && !strcmp(averages, "1.x");
	b->rewrite_all = out_is_true(doc, "rewrite_all");
	b->repeated = out_is_true(doc, "repeated");
	b->setup.shared_pointer = out_is_true(doc, "shared_pointer");
	b->end = out_is_true(doc, "complete") ? BEFF_DONE : BEFF_SIGNAL;
	out_each(out_get(doc, "partitions"), read_partition, &r);
	if (!r.good || !b->partitions_n)
		return error(-EINVAL, "'%s' is no result of bench beff", path);
	beff_compute(b);
	return 0;
}

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

/* Returns the number at @key of @object. Returns 1 if the value is true. Returns NaN if the value
 * is neither a number nor true. */
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

/* Computes the values of @doc again, and adds those that differ to the array @wrong. Returns their
 * number, or -errno; prints the error. */
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
