/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results: a JSON document or a table, written whole or reported as an error.
 * The only file that knows the JSON library. */
#ifndef IOSPAN_OUT_H
#define IOSPAN_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum out_format { OUT_TEXT, OUT_JSON, OUT_CSV };

/* ---- a JSON document ----
 * Order of keys is order of setting. Out of memory ends the program, as
 * nothing sensible can be reported then. A setter that takes a node owns it. */
struct out;
struct out *out_object(void);
struct out *out_array(void);
void out_u64(struct out *object, const char *key, uint64_t v);
void out_u128(struct out *object, const char *key, unsigned __int128 v); /* both: above
		2^63 - 1 the nearest double */
void out_f64(struct out *object, const char *key, double v);		 /* NaN, inf: null */
void out_str(struct out *object, const char *key, const char *v);	 /* NULL: null;
		any bytes: what is not UTF-8 is written as U+FFFD */
void out_null(struct out *object, const char *key);
void out_bool(struct out *object, const char *key, int v);
void out_put(struct out *object, const char *key, struct out *node);	     /* NULL: null */
void out_share(struct out *object, const char *key, const struct out *node); /* which
		stays its owner's as well, and as it is; NULL: null */
void out_append(struct out *array, struct out *node);
void out_append_str(struct out *array, const char *v);
/* An array of texts, as many as there are before a NULL. @words NULL: null. */
void out_words(struct out *object, const char *key, char *const *words);
void out_append_f64(struct out *array, double v);
void out_json(FILE *f, struct out *node);     /* indented, newline; what fails, who ends @f finds */
int out_json_line(FILE *f, struct out *node); /* the same in one line, and flushed */
void out_free(struct out *node);	      /* NULL is fine */

/* A document that was written, read back; NULL after an error was printed that
 * says where it is no JSON. */
struct out *out_read(const char *path);
struct out *out_parse(const char *text, size_t size); /* NULL: it is no JSON; silent */
const char *out_get_str(const struct out *object, const char *key); /* NULL: no text */
/* NULL: there is none, or null. The object's own. */
const struct out *out_get(const struct out *object, const char *key);
bool out_get_u64(const struct out *object, const char *key, uint64_t *v); /* false: no such */
bool out_get_f64(const struct out *object, const char *key, double *v);	  /* false: no number */
bool out_is_true(const struct out *object, const char *key);
const char *out_text(const struct out *node);	      /* NULL: no text */
bool out_u64_of(const struct out *node, uint64_t *v); /* false: no such number */
struct out *out_keep(const struct out *node); /* the same, to be freed once more; not changed */
/* Calls @fn for each element of an array, with a NULL key, or of an object. */
void out_each(const struct out *node,
	      void (*fn)(void *arg, const char *key, const struct out *value), void *arg);
/* One line that is the same for the same contents: keys in the order of their bytes,
 * no blanks; without key @except of the outermost object. The caller frees it. */
char *out_canonical(const struct out *node, const char *except);

/* ---- a table ----
 * The first row is the header. Columns are as wide as their widest cell;
 * the first @left columns are left-aligned, the others right-aligned. */
struct table;

/* @s as UTF-8, each stray byte as U+FFFD; the caller frees it. */
char *out_utf8(const char *s);

#endif
