/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Members of a JSON document by paths; view.h describes the paths. */
#ifndef IOSPAN_RESULT_PLACE_H
#define IOSPAN_RESULT_PLACE_H

#include "user/base/out.h"

/* An array too large for memory: each view makes its elements again. */
struct made {
	const char *key;
	/* calls @add for each element; @add frees it */
	void (*each)(const void *source, void (*add)(void *to, struct out *element), void *to);
	const void *source;
};

/* The member at a '*' or at the end of a path. */
struct place {
	const struct out *node;
	const char *name; /* its key; NULL: an element of an array, or the whole document */
	const struct place *above;
	const struct made *made; /* arrays of the document; ends with a NULL key; NULL: none */
};

/* Calls @fn for each member at @path from @from. */
void each_place(const struct place *from, const char *path,
		void (*fn)(void *arg, const struct place *at), void *arg);

/* Returns the value at @path, or NULL. For "...@" or "=...", sets *@name to the text, else NULL. */
const struct out *value_at(const struct place *at, const char *path, const char **name);

#endif
