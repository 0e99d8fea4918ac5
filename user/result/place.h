/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Members of a JSON document by paths; view.h describes the paths. */
#ifndef IOSPAN_RESULT_PLACE_H
#define IOSPAN_RESULT_PLACE_H

#include "user/base/out.h"

/* An array of the document that is too large for memory: each view that shows it makes its elements
 * again. */
struct made {
	const char *key; /* in the document */
	/* Calls @add for each element. @add frees it. */
	void (*each)(const void *source, void (*add)(void *to, struct out *element), void *to);
	const void *source;
};

/* A member that a '*' stands for, or the one at the end of a path. */
struct place {
	const struct out *node;
	const char *name; /* its key; NULL: an element of an array, or the whole document */
	const struct place *above;
	const struct made *made; /* of the whole document; ends with a NULL key; NULL: none */
};

/* Calls @fn for each member that @path names, which starts at @from. */
void each_place(const struct place *from, const char *path,
		void (*fn)(void *arg, const struct place *at), void *arg);

/* Returns the value at @path, or NULL. If the path ends with '@' or starts with '=', sets *@name to
 * the text that it stands for and returns NULL; otherwise sets it to NULL. */
const struct out *value_at(const struct place *at, const char *path, const char **name);

#endif
