/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads values from a JSON document that may be invalid. Prints only the first error, with its
 * position in the document. After an error, the caller may read on; it checks reading.failed at the
 * end. */
#ifndef IOSPAN_READING_H
#define IOSPAN_READING_H

#include <stdbool.h>
#include <stddef.h>

struct out;

struct reading {
	/* For messages: .path is the path of the file, and .what is the expected kind of
	 * document. */
	const char *path, *what;
	char where[64]; /* the object that is being read, such as "regions[1].size[3]" */
	bool failed;
};

/* Prints the error, unless an earlier error was printed. Sets r->failed. */
void reading_wrong(struct reading *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Sets the position for later messages: @object.@key, or @object if @key is NULL. If both are NULL,
 * the position is the whole document. */
void reading_at(struct reading *r, const char *object, const char *key);

/* Returns the number at @key of @object. If the number is missing, below @least or above @most,
 * reports an error and returns NaN. */
double reading_number(struct reading *r, const struct out *object, const char *key, double least,
		      double most);

/* Reads the array at @key of @object. Returns memory with @size bytes for each element of the
 * array, which the caller frees. Calls @fn for each element; @to points to the memory of this
 * element, which @fn fills. Sets *@n to the number of elements. If the array is missing, empty or
 * too long, or if @r->failed is set, returns NULL and sets *@n to 0. */
void *reading_array(struct reading *r, const struct out *object, const char *key,
		    void (*fn)(struct reading *r, const struct out *element, void *to), size_t size,
		    unsigned *n);

#endif
