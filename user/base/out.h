/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON documents. Only out.c, out-print.c and out-read.c call the JSON library, jansson. */
#ifndef IOSPAN_OUT_H
#define IOSPAN_OUT_H

#include <stdbool.h>
#include <stdint.h>

enum out_format { OUT_TEXT, OUT_JSON, OUT_CSV };

struct table;

/* A JSON value. An object keeps its keys in the order in which they were set. If memory runs out,
 * the program ends. An object or array owns each value that is added to it. A value added by
 * out_share() still belongs to the caller, too. If an added value is NULL, it becomes JSON's
 * null. */
struct out;
struct out *out_object(void);
struct out *out_array(void);
void out_free(struct out *node);

/* out_u64() and out_u128() add a number. A number above 2^63 - 1 becomes the nearest double. */
void out_u64(struct out *object, const char *key, uint64_t v);
void out_u128(struct out *object, const char *key, unsigned __int128 v);
void out_f64(struct out *object, const char *key, double v); /* NaN and infinity become null */
/* NULL becomes null; invalid UTF-8 is replaced, see out_utf8() */
void out_str(struct out *object, const char *key, const char *v);
void out_strf(struct out *object, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void out_null(struct out *object, const char *key);
void out_bool(struct out *object, const char *key, int v);
/* Sets the key to @v if @known is true, else to null. */
void out_u64_or_null(struct out *object, const char *key, bool known, uint64_t v);
void out_put(struct out *object, const char *key, struct out *node);
/* Adds @node to @object, but the caller keeps its own reference. Nobody may change @node from then
 * on. */
void out_share(struct out *object, const char *key, const struct out *node);
/* Adds an array of the strings in @words, which ends with NULL. If @words is NULL, adds null. */
void out_words(struct out *object, const char *key, char *const *words);

/* Returns the array at @key of @object. If there is none, adds an empty array. The array belongs to
 * @object. */
struct out *out_list(struct out *object, const char *key);
void out_append(struct out *array, struct out *node);
void out_append_str(struct out *array, const char *v);
void out_append_strf(struct out *array, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void out_append_f64(struct out *array, double v);

/* Returns a copy of @s with U+FFFD for each invalid byte of UTF-8. The caller frees the copy. */
char *out_utf8(const char *s);
/* Returns the length in bytes of the UTF-8 character at @text, or 0 if it is not well-formed. */
int utf8_length(const char *text);

/* Returns another reference to @node, through which the caller must not change @node. The caller
 * releases the reference by out_free(). */
struct out *out_keep(const struct out *node);

#endif
