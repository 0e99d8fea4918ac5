/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON documents: built, printed, read. Only out.c knows the JSON library. */
#ifndef IOSPAN_OUT_H
#define IOSPAN_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum out_format { OUT_TEXT, OUT_JSON, OUT_CSV };

struct table; /* see table.h */

/* ---- building ----
 * Keys keep the order in which they are set. The program ends if memory runs out. A function that
 * is given a struct out to add owns it from then on; out_share() is the exception. */
struct out;
struct out *out_object(void);
struct out *out_array(void);
void out_free(struct out *node); /* NULL is fine */

/* Above 2^63 - 1, both set the nearest double. */
void out_u64(struct out *object, const char *key, uint64_t v);
void out_u128(struct out *object, const char *key, unsigned __int128 v);
void out_f64(struct out *object, const char *key, double v); /* NaN and infinity: null */
/* @v may hold any bytes; see out_utf8(). NULL: null. */
void out_str(struct out *object, const char *key, const char *v);
void out_strf(struct out *object, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void out_null(struct out *object, const char *key);
void out_bool(struct out *object, const char *key, int v);
void out_put(struct out *object, const char *key, struct out *node); /* NULL: null */
/* Sets a second reference to @node, which its owner keeps. Neither may change it. NULL: null. */
void out_share(struct out *object, const char *key, const struct out *node);
/* Sets an array of the texts in @words, which ends with NULL. @words NULL: null. */
void out_words(struct out *object, const char *key, char *const *words);

void out_append(struct out *array, struct out *node); /* NULL: null */
void out_append_str(struct out *array, const char *v);
void out_append_strf(struct out *array, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void out_append_f64(struct out *array, double v);

/* Returns @s as UTF-8, each invalid byte replaced by U+FFFD. The caller frees it. */
char *out_utf8(const char *s);
/* Returns the length in bytes of the well-formed character at @text, or 0 if there is none. */
int utf8_length(const char *text);

/* ---- printing ---- */

/* Print @node with indentation, or in one line, and a newline. Write errors remain in @f, for
 * out_finish(). */
void out_json(FILE *f, struct out *node);
void out_json_line(FILE *f, struct out *node);

/* Returns one line that is equal for equal contents: keys in byte order, no blanks, without key
 * @except of the outermost object (NULL: with all keys). The caller frees it. */
char *out_canonical(const struct out *node, const char *except);

/* ---- reading ---- */

/* Reads the file @path. Returns NULL if it is no JSON; prints the error with its line. The caller
 * frees the document. out_parse() does the same for text in memory and prints nothing. */
struct out *out_read(const char *path);
struct out *out_parse(const char *text, size_t size);

/* Returns another reference to @node, which may not be changed. out_free() releases it. */
struct out *out_keep(const struct out *node);

/* Values of @object and @node, which own them. NULL or false if there is no such key, or its value
 * has another type. @object may be NULL. out_get() also returns NULL for null. */
const struct out *out_get(const struct out *object, const char *key);
const char *out_get_str(const struct out *object, const char *key);
bool out_get_u64(const struct out *object, const char *key, uint64_t *v);
bool out_get_f64(const struct out *object, const char *key, double *v);
bool out_is_true(const struct out *object, const char *key);
const char *out_text(const struct out *node);
bool out_is(const struct out *node); /* true if it is JSON's true */
bool out_is_bool(const struct out *node);
bool out_f64_of(const struct out *node, double *v);
/* Returns a scalar as text: a string without quotes, a number with all digits. NULL and null give
 * an empty text. The caller frees it. */
char *out_plain(const struct out *node);
bool out_u64_of(const struct out *node, uint64_t *v);

/* Calls @fn for each element of an array, with a NULL key, or of an object. */
void out_each(const struct out *node,
	      void (*fn)(void *arg, const char *key, const struct out *value), void *arg);

#endif
