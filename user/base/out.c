// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes JSON documents by the library jansson. */
#include "user/base/out.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"

/* Overlong forms, surrogates and values above U+10FFFF are not well-formed UTF-8, so they have the
 * length 0 (Unicode, table 3-7). */
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

/* Sets @key of @object to @value. Replaces invalid UTF-8 in @key, such as in the name of a cgroup.
 * Otherwise, jansson would print the document only up to the invalid byte. */
static void set_value(struct out *object, const char *key, json_t *value)
{
	char *clean = out_utf8(key);

	if (json_object_set_new_nocheck(json(object), clean, need(value)) < 0)
		need(NULL);
	free(clean);
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
	if (!json_is_array(json_object_get(json(object), key)))
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
