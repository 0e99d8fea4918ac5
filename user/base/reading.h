/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads values from a JSON document of unknown origin. The first error is printed with its place in
 * the document; later ones are not. The caller reads on and checks @failed at the end. */
#ifndef IOSPAN_READING_H
#define IOSPAN_READING_H

#include <stdbool.h>
#include <stddef.h>

struct out;

struct reading {
	const char *path, *what; /* the file, and the kind of document expected, for messages */
	char where[64];		 /* the object that is read: "regions[1].size[3]" */
	bool failed;
};

/* Prints the error and sets @failed, unless it is set. */
void reading_wrong(struct reading *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Sets the object that is read: @object.@key, or @object without a @key; NULL: the document. */
void reading_at(struct reading *r, const char *object, const char *key);

/* Returns the number @key of @object. If it is missing or not within @least and @most, reports the
 * error and returns NaN. */
double reading_number(struct reading *r, const struct out *object, const char *key, double least,
		      double most);

/* Reads the array @key of @object: allocates an element of @size bytes for each of its values, and
 * calls @fn to fill it. *@n is their number. Returns NULL, and 0 in *@n, if the array is missing,
 * empty or wrong. The caller frees the elements. */
void *reading_array(struct reading *r, const struct out *object, const char *key,
		    void (*fn)(struct reading *r, const struct out *element, void *to), size_t size,
		    unsigned *n);

#endif
