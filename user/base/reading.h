/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a JSON document that anybody may have written: what is not as it should be is
 * said once, with its place, and nothing is read any more then. */
#ifndef IOSPAN_READING_H
#define IOSPAN_READING_H

#include <stdbool.h>
#include <stddef.h>

struct out;

struct reading {
	const char *path, *what; /* the file, and what it should be */
	char where[64];		 /* the object that is read: "regions[1].size[3]" */
	bool failed;
};

/* Says what is wrong, unless something was before. */
void reading_wrong(struct reading *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* What is read next is @key of @object, or without a @key all of it; NULL: the document. */
void reading_at(struct reading *r, const char *object, const char *key);

/* The number @key of @object, at least @least and at most @most; NaN when it is wrong. */
double reading_number(struct reading *r, const struct out *object, const char *key, double least,
		      double most);

/* Elements of @size, as many as the array @key of @object has, filled by @fn. NULL and 0: it
 * is not there, has none, or is wrong. The caller frees them. */
void *reading_array(struct reading *r, const struct out *object, const char *key,
		    void (*fn)(struct reading *r, const struct out *element, void *to), size_t size,
		    unsigned *n);

#endif
