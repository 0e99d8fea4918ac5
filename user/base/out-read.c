// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads JSON documents by the library jansson, and returns their values. */
#include "user/base/out-read.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/infile.h"
#include "user/base/num.h"

struct source {
	FILE *f;
	uint64_t left; /* number of bytes that may still be read */
	bool too_large;
	bool is_binary; /* the file has a zero byte, so it is no text */
};

/* Reads up to @size bytes for jansson. Returns the number of bytes, 0 at the end of the file, or -1
 * if the file is too large or cannot be read. */
static size_t read_some(void *buffer, size_t size, void *source)
{
	struct source *s = source;
	size_t n = fread(buffer, 1, size, s->f);

	s->too_large = n > s->left;
	s->left -= s->too_large ? 0 : n;
	for (size_t i = 0; i < n; i++)
		s->is_binary |= !((unsigned char *)buffer)[i];
	return s->too_large || ferror(s->f) ? (size_t)-1 : n;
}

struct out *out_read_up_to(const char *path, uint64_t most_bytes)
{
	struct source s = { .f = infile_open(path), .left = most_bytes };
	char text[NUM_TEXT];
	json_error_t e;
	json_t *node;

	if (!s.f)
		return NULL;
	/* JSON_REJECT_DUPLICATES refuses an object that has the same key twice. Such an object is
	 * ambiguous: other programs may use the first or the second value of the key. */
	errno = 0;
	node = json_load_callback(read_some, &s, JSON_REJECT_DUPLICATES, &e);
	if (s.too_large) {
		error(-EFBIG, "cannot read '%s': it has more than %s", path,
		      num_bytes_text(text, most_bytes));
		json_decref(node);
		node = NULL;
	} else if (!node && ferror(s.f)) {
		error(-errno, "cannot read '%s': %s", path, strerror(errno));
	} else if (!node && s.is_binary) {
		error(-EINVAL,
		      "cannot read '%s': it is a binary file, such as a trace, but JSON is wanted",
		      path);
	} else if (!node) {
		error(-EINVAL, "cannot read '%s': line %d, column %d: %s", path, e.line, e.column,
		      e.text);
	}
	fclose(s.f);
	return (struct out *)node;
}

struct out *out_read(const char *path)
{
	return out_read_up_to(path, OUT_READ_MAX);
}

struct out *out_parse(const char *text, size_t size)
{
	return (struct out *)json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
}

const char *out_get_str(const struct out *object, const char *key)
{
	return json_string_value(json_object_get((const json_t *)object, key));
}

const struct out *out_get(const struct out *object, const char *key)
{
	json_t *node = json_object_get((const json_t *)object, key);

	return json_is_null(node) ? NULL : (const struct out *)node;
}

bool out_u64_of(const struct out *node, uint64_t *v)
{
	const json_t *of = (const json_t *)node;

	if (!json_is_integer(of) || json_integer_value(of) < 0)
		return false;
	*v = json_integer_value(of);
	return true;
}

bool out_get_u64(const struct out *object, const char *key, uint64_t *v)
{
	return out_u64_of(out_get(object, key), v);
}

bool out_f64_of(const struct out *node, double *v)
{
	if (json_is_number((const json_t *)node))
		*v = json_number_value((const json_t *)node);
	return json_is_number((const json_t *)node);
}

bool out_get_f64(const struct out *object, const char *key, double *v)
{
	return out_f64_of(out_get(object, key), v);
}

bool out_is(const struct out *node)
{
	return json_is_true((const json_t *)node);
}

bool out_is_null(const struct out *node)
{
	return json_is_null((const json_t *)node);
}

bool out_is_bool(const struct out *node)
{
	return json_is_boolean((const json_t *)node);
}

bool out_is_empty(const struct out *node)
{
	return json_is_array((const json_t *)node) && !json_array_size((const json_t *)node);
}

bool out_is_true(const struct out *object, const char *key)
{
	return out_is(out_get(object, key));
}

const char *out_text(const struct out *node)
{
	return json_string_value((const json_t *)node);
}

void out_each(const struct out *node,
	      void (*fn)(void *arg, const char *key, const struct out *value), void *arg)
{
	json_t *of = (json_t *)node, *value;
	const char *key;
	size_t i;

	json_array_foreach (of, i, value)
		fn(arg, NULL, (const struct out *)value);
	json_object_foreach (of, key, value)
		fn(arg, key, (const struct out *)value);
}
