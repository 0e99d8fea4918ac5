// SPDX-License-Identifier: GPL-2.0-or-later
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "user/base/err.h"
#include "user/base/infile.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out.h"

/* Returns 0 for overlong forms, surrogates and values above U+10FFFF (Unicode, table 3-7). */
int utf8_length(const char *text)
{
	const unsigned char *s = (const void *)text;
	int len = s[0] < 0x80 ? 1 :
		s[0] < 0xc2   ? 0 :
		s[0] < 0xe0   ? 2 :
		s[0] < 0xf0   ? 3 :
		s[0] < 0xf5   ? 4 :
				0;

	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	for (int i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

char *out_utf8(const char *s)
{
	char *clean = need(malloc(3 * strlen(s) + 1)), *end = clean;

	while (*s) {
		int len = utf8_length(s);

		end = mempcpy(end, len ? s : "\xef\xbf\xbd", len ? len : 3);
		s += len ? len : 1;
	}
	*end = '\0';
	return clean;
}

/* A struct out * is a json_t * of jansson. */

static json_t *json(struct out *node)
{
	return (json_t *)node;
}

static struct out *out(json_t *node)
{
	return need(node);
}

static void set_value(struct out *object, const char *key, json_t *value)
{
	if (json_object_set_new_nocheck(json(object), key, need(value)) < 0)
		need(NULL);
}

static json_t *string(const char *v)
{
	char *clean = out_utf8(v);
	json_t *node = json_string_nocheck(clean);

	free(clean);
	return node;
}

struct out *out_object(void)
{
	return out(json_object());
}

struct out *out_array(void)
{
	return out(json_array());
}

void out_u64(struct out *object, const char *key, uint64_t v)
{
	out_u128(object, key, v);
}

void out_u128(struct out *object, const char *key, unsigned __int128 v)
{
	/* jansson stores integers as signed 64-bit numbers; larger values become doubles */
	set_value(object, key, v <= INT64_MAX ? json_integer(v) : json_real(v));
}

void out_f64(struct out *object, const char *key, double v)
{
	set_value(object, key, isfinite(v) ? json_real(v) : json_null());
}

void out_str(struct out *object, const char *key, const char *v)
{
	set_value(object, key, v ? string(v) : json_null());
}

void out_strf(struct out *object, const char *key, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = need_vtext(fmt, args);
	va_end(args);
	out_str(object, key, text);
	free(text);
}

void out_null(struct out *object, const char *key)
{
	set_value(object, key, json_null());
}

void out_bool(struct out *object, const char *key, int v)
{
	set_value(object, key, json_boolean(v));
}

void out_put(struct out *object, const char *key, struct out *node)
{
	set_value(object, key, node ? json(node) : json_null());
}

void out_u64_or_null(struct out *object, const char *key, bool known, uint64_t v)
{
	if (known)
		out_u64(object, key, v);
	else
		out_null(object, key);
}

struct out *out_keep(const struct out *node)
{
	return (struct out *)json_incref((json_t *)node);
}

void out_share(struct out *object, const char *key, const struct out *node)
{
	out_put(object, key, out_keep(node));
}

struct out *out_list(struct out *object, const char *key)
{
	if (!out_get(object, key))
		out_put(object, key, out_array());
	return out(json_object_get(json(object), key));
}

void out_append(struct out *array, struct out *node)
{
	if (json_array_append_new(json(array), node ? json(node) : json_null()) < 0)
		need(NULL);
}

void out_append_str(struct out *array, const char *v)
{
	out_append(array, out(string(v)));
}

void out_append_strf(struct out *array, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = need_vtext(fmt, args);
	va_end(args);
	out_append_str(array, text);
	free(text);
}

void out_words(struct out *object, const char *key, char *const *words)
{
	struct out *list = words ? out_array() : NULL;

	for (; words && *words; words++)
		out_append_str(list, *words);
	out_put(object, key, list);
}

void out_append_f64(struct out *array, double v)
{
	out_append(array, out(isfinite(v) ? json_real(v) : json_null()));
}

void out_free(struct out *node)
{
	json_decref(json(node));
}

static void print_string(FILE *f, const char *s)
{
	json_t *node = need(json_string_nocheck(s));

	json_dumpf(node, f, JSON_ENCODE_ANY);
	json_decref(node);
}

/* Prints a number, string, boolean or null. jansson would print all doubles with the same
 * precision: 0.1 as 0.10000000000000001, or other numbers with lost digits. -0 is printed as 0,
 * because a reader may drop the sign, which would change the hash of seal.h. */
static void print_scalar(FILE *f, json_t *node)
{
	char buf[NUM_TEXT];

	if (json_is_real(node))
		fputs(num_exact_text(buf, json_real_value(node) + 0.0), f);
	else
		json_dumpf(node, f, JSON_ENCODE_ANY);
}

static void print_node(FILE *f, json_t *node, int depth);

/* depth of the outermost node if JSON is in one line: so low that all inner depths are negative */
#define ONE_LINE -1000

/* Prints the separator before an element: a newline and the indentation for @depth, or a blank if
 * @depth is negative. */
static void print_break(FILE *f, const char *comma, int depth)
{
	if (depth < 0)
		fprintf(f, "%s%s", comma, *comma ? " " : "");
	else
		fprintf(f, "%s\n%*s", comma, 2 * depth, "");
}

static void print_object(FILE *f, json_t *object, int depth)
{
	const char *key, *comma = "";
	json_t *value;

	fputc('{', f);
	json_object_foreach (object, key, value) {
		print_break(f, comma, depth + 1);
		print_string(f, key);
		fputs(": ", f);
		print_node(f, value, depth + 1);
		comma = ",";
	}
	if (*comma)
		print_break(f, "", depth);
	fputc('}', f);
}

static void print_array(FILE *f, json_t *array, int depth)
{
	const char *comma = "";
	json_t *value;
	size_t i;

	fputc('[', f);
	json_array_foreach (array, i, value) {
		print_break(f, comma, depth + 1);
		print_node(f, value, depth + 1);
		comma = ",";
	}
	if (*comma)
		print_break(f, "", depth);
	fputc(']', f);
}

static void print_node(FILE *f, json_t *node, int depth)
{
	switch (json_typeof(node)) {
	case JSON_OBJECT:
		print_object(f, node, depth);
		break;
	case JSON_ARRAY:
		print_array(f, node, depth);
		break;
	default:
		print_scalar(f, node);
	}
}

char *out_plain(const struct out *node)
{
	const json_t *of = (const json_t *)node;
	char buf[NUM_TEXT] = "";

	if (json_is_string(of))
		return need(strdup(json_string_value(of)));
	if (json_is_real(of))
		num_exact_text(buf, json_real_value(of) + 0.0);
	else if (json_is_integer(of))
		sprintf(buf, "%lld", json_integer_value(of));
	else if (json_is_boolean(of))
		strcpy(buf, json_is_true(of) ? "true" : "false");
	return need(strdup(buf));
}

void out_json(FILE *f, struct out *node)
{
	print_node(f, json(node), 0);
	fputc('\n', f);
}

void out_json_line(FILE *f, struct out *node)
{
	print_node(f, json(node), ONE_LINE);
	fputc('\n', f);
}

struct source {
	FILE *f;
	uint64_t left; /* number of bytes that may still be read */
	bool too_large;
};

/* Reads up to @size bytes for jansson. Returns 0 at the end; -1: error, or too large. */
static size_t read_some(void *buffer, size_t size, void *source)
{
	struct source *s = source;
	size_t n = fread(buffer, 1, size, s->f);

	s->too_large = n > s->left;
	s->left -= s->too_large ? 0 : n;
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
	/* refuses a key that occurs twice, because programs differ in the value that they use */
	errno = 0;
	node = json_load_callback(read_some, &s, JSON_REJECT_DUPLICATES, &e);
	if (s.too_large) {
		error(-EFBIG, "cannot read '%s': it has more than %s", path,
		      num_bytes_text(text, most_bytes));
		json_decref(node);
		node = NULL;
	} else if (!node && ferror(s.f)) {
		error(-errno, "cannot read '%s': %s", path, strerror(errno));
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

static int compare_keys(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_canonical(FILE *f, json_t *node, const char *except)
{
	size_t n = json_object_size(node), i = 0;
	const char **keys, *key, *comma = "";
	json_t *value;

	if (json_is_array(node)) {
		fputc('[', f);
		json_array_foreach (node, i, value) {
			fputs(i ? "," : "", f);
			print_canonical(f, value, NULL);
		}
		fputc(']', f);
		return;
	}
	if (!json_is_object(node)) {
		print_scalar(f, node);
		return;
	}
	keys = need(malloc((n + 1) * sizeof(*keys)));
	json_object_foreach (node, key, value)
		keys[i++] = key;
	qsort(keys, n, sizeof(*keys), compare_keys);
	fputc('{', f);
	for (i = 0; i < n; i++) {
		if (except && !strcmp(keys[i], except))
			continue;
		fputs(comma, f);
		print_string(f, keys[i]);
		fputc(':', f);
		print_canonical(f, json_object_get(node, keys[i]), NULL);
		comma = ",";
	}
	fputc('}', f);
	free(keys);
}

char *out_canonical(const struct out *node, const char *except)
{
	char *text = NULL;
	size_t size;
	FILE *f = need(open_memstream(&text, &size));

	print_canonical(f, (json_t *)node, except);
	if (fclose(f))
		need(NULL);
	return need(text);
}
