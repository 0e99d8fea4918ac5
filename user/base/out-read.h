/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads JSON documents and their values. */
#ifndef IOSPAN_BASE_OUT_READ_H
#define IOSPAN_BASE_OUT_READ_H

#include <stddef.h>

#include "user/base/out.h"

/* Maximum size in bytes of a file for out_read(). In memory, a document takes up to 50 times its
 * size. */
#define OUT_READ_MAX (16 << 20)

/* Reads the JSON file @path. If the file is invalid or has more than OUT_READ_MAX bytes, prints an
 * error and returns NULL. The caller frees the document. out_parse() reads JSON from memory. It
 * accepts any size, and prints nothing. */
struct out *out_read(const char *path);

/* like out_read(), with @most_bytes as the limit */
struct out *out_read_up_to(const char *path, uint64_t most_bytes);
struct out *out_parse(const char *text, size_t size);

/* Return a value, which still belongs to @object or @node. If the value is missing or has another
 * type, return NULL or false. @object may be NULL. For JSON's null, out_get() returns NULL. */
const struct out *out_get(const struct out *object, const char *key);
const char *out_get_str(const struct out *object, const char *key);
bool out_get_u64(const struct out *object, const char *key, uint64_t *v);
bool out_get_f64(const struct out *object, const char *key, double *v);
bool out_is_true(const struct out *object, const char *key);
const char *out_text(const struct out *node);
bool out_is(const struct out *node); /* returns true if @node is JSON's true */
bool out_is_null(const struct out *node);
bool out_is_bool(const struct out *node);
bool out_is_empty(const struct out *node); /* true if @node is an empty array */
bool out_f64_of(const struct out *node, double *v);
bool out_u64_of(const struct out *node, uint64_t *v);

/* Calls @fn for each element of @node. @key is NULL in an array. */
void out_each(const struct out *node,
	      void (*fn)(void *arg, const char *key, const struct out *value), void *arg);

#endif
