/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads values from a JSON document that may be invalid. Prints only the first error, with its
 * position. The caller may read on, and checks @failed at the end. */
#ifndef IOSPAN_READING_H
#define IOSPAN_READING_H

#include <stdbool.h>
#include <stddef.h>

struct out;

struct reading {
	/* for messages: path of the file, and the kind of document expected */
	const char *path, *what;
	char where[64]; /* the object that is being read, such as "regions[1].size[3]" */
	bool failed;
};

/* Prints this error if it is the first, and sets @failed. */
void reading_wrong(struct reading *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Sets the position for messages: @object.@key. @key NULL: @object; both NULL: the document. */
void reading_at(struct reading *r, const char *object, const char *key);

/* Returns the number at @key of @object; NaN, with an error, if not from @least to @most. */
double reading_number(struct reading *r, const struct out *object, const char *key, double least,
		      double most);

/* Reads the array at @key of @object: @fn fills an element of @size bytes per value. Returns NULL
 * and 0 in *@n if it is missing, empty or invalid. The caller frees the elements. */
void *reading_array(struct reading *r, const struct out *object, const char *key,
		    void (*fn)(struct reading *r, const struct out *element, void *to), size_t size,
		    unsigned *n);

#endif
