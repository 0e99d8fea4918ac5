/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds, prints and reads JSON documents. Only out.c calls the JSON library, jansson. */
#ifndef IOSPAN_OUT_H
#define IOSPAN_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum out_format { OUT_TEXT, OUT_JSON, OUT_CSV };

struct table; /* described in table.h */

/* ---- building ----
 * An object keeps its keys in the order in which they were set. If memory runs out, the program
 * exits. A struct out that is added to another one is owned by it, except in out_share(). */
struct out;
struct out *out_object(void);
struct out *out_array(void);
void out_free(struct out *node); /* @node may be NULL */

/* Both add a number. A number above 2^63 - 1 is stored as the nearest double. */
void out_u64(struct out *object, const char *key, uint64_t v);
void out_u128(struct out *object, const char *key, unsigned __int128 v);
void out_f64(struct out *object, const char *key, double v); /* NaN and infinity become null */
/* @v may contain any bytes; invalid UTF-8 is replaced, see out_utf8(). NULL becomes null. */
void out_str(struct out *object, const char *key, const char *v);
void out_strf(struct out *object, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void out_null(struct out *object, const char *key);
void out_bool(struct out *object, const char *key, int v);
void out_put(struct out *object, const char *key, struct out *node); /* @node NULL becomes null */
/* Adds @node to @object without taking ownership: the caller still frees its own reference.
 * Afterwards neither the caller nor @object may change @node. NULL becomes null. */
void out_share(struct out *object, const char *key, const struct out *node);
/* Adds an array of the strings in @words, which ends with NULL. If @words is NULL, adds null. */
void out_words(struct out *object, const char *key, char *const *words);

/* Returns the array at @key of @object, which keeps ownership. If there is none, first adds an
 * empty one. */
struct out *out_list(struct out *object, const char *key);
void out_append(struct out *array, struct out *node); /* @node NULL becomes null */
void out_append_str(struct out *array, const char *v);
void out_append_strf(struct out *array, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void out_append_f64(struct out *array, double v);

/* Returns a copy of @s in valid UTF-8: each invalid byte is replaced by U+FFFD. The caller frees
 * it. */
char *out_utf8(const char *s);
/* Returns the length in bytes of the UTF-8 character at @text, or 0 if the bytes are not a
 * well-formed character. */
int utf8_length(const char *text);

/* ---- printing ---- */

/* Print @node and a newline: out_json() with indentation, out_json_line() in one line. A write
 * error stays in @f, so that out_finish() reports it. */
void out_json(FILE *f, struct out *node);
void out_json_line(FILE *f, struct out *node);

/* Returns @node as one line of text that depends only on its content: keys are sorted by their
 * bytes and there are no blanks. The key @except of the outermost object is left out; NULL: none
 * is. The caller frees the text. */
char *out_canonical(const struct out *node, const char *except);

/* ---- reading ---- */

/* Largest JSON file that out_read() reads. In memory, a document takes up to 50 times its size. */
#define OUT_READ_MAX (16 << 20)

/* Reads the JSON file @path. If it is not valid JSON or has more than OUT_READ_MAX bytes, prints an
 * error and returns NULL. The caller frees the document. out_parse() does the same with text in
 * memory, but prints nothing. */
struct out *out_read(const char *path);

/* Calls out_read() with another limit than OUT_READ_MAX. */
struct out *out_read_up_to(const char *path, uint64_t most_bytes);
struct out *out_parse(const char *text, size_t size);

/* Returns another reference to @node, through which @node may not be changed. The caller releases
 * it by out_free(). */
struct out *out_keep(const struct out *node);

/* Return a value that stays owned by @object or @node. If the key does not exist or its value has
 * another type, they return NULL or false. @object may be NULL. For a JSON null, out_get() returns
 * NULL. */
const struct out *out_get(const struct out *object, const char *key);
const char *out_get_str(const struct out *object, const char *key);
bool out_get_u64(const struct out *object, const char *key, uint64_t *v);
bool out_get_f64(const struct out *object, const char *key, double *v);
bool out_is_true(const struct out *object, const char *key);
const char *out_text(const struct out *node);
bool out_is(const struct out *node); /* true if it is JSON's true */
bool out_is_null(const struct out *node);
bool out_is_bool(const struct out *node);
bool out_is_empty(const struct out *node); /* true if it is an empty array */
bool out_f64_of(const struct out *node, double *v);
/* Returns a scalar as text: a string without quotes, a number with all digits. NULL and null give
 * an empty text. The caller frees it. */
char *out_plain(const struct out *node);
bool out_u64_of(const struct out *node, uint64_t *v);

/* Calls @fn for each element of @node. If @node is an array, @key is NULL. */
void out_each(const struct out *node,
	      void (*fn)(void *arg, const char *key, const struct out *value), void *arg);

#endif
