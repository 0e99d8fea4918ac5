/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads values from a JSON document that may be invalid. Prints only the first error, with the
 * position in the document. After an error the caller may read on, and checks @failed at the
 * end. */
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

/* If no error was printed before, prints this one and sets @failed. */
void reading_wrong(struct reading *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Sets the position for later messages: @object.@key, or @object if @key is NULL. If @object is
 * NULL, the position is the whole document. */
void reading_at(struct reading *r, const char *object, const char *key);

/* Returns the number at @key of @object. If it is missing or not from @least to @most, reports the
 * error and returns NaN. */
double reading_number(struct reading *r, const struct out *object, const char *key, double least,
		      double most);

/* Reads the array at @key of @object. Allocates an element of @size bytes for each value of the
 * array and calls @fn to fill it. Stores the number of elements in *@n. Returns NULL, with 0 in
 * *@n, if the array is missing or empty, or if it is invalid. The caller frees the elements. */
void *reading_array(struct reading *r, const struct out *object, const char *key,
		    void (*fn)(struct reading *r, const struct out *element, void *to), size_t size,
		    unsigned *n);

#endif
