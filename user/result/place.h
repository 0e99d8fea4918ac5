/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Members of a JSON document by paths; view.h describes the paths. */
#ifndef IOSPAN_RESULT_PLACE_H
#define IOSPAN_RESULT_PLACE_H

#include "user/base/out.h"

/* An array of the document that is too large for memory: each view that shows it makes its elements
 * again. */
struct made {
	const char *key;
	/* calls @add for each element; @add frees it */
	void (*each)(const void *source, void (*add)(void *to, struct out *element), void *to);
	const void *source;
};

/* A member of the document that a '*' in a path stands for, or the one at the end of the path. */
struct place {
	const struct out *node;
	/* key of the member; NULL: it is an element of an array, or the whole document */
	const char *name;
	const struct place *above;
	/* arrays that the document has only as struct made; the last has a NULL key; NULL: none */
	const struct made *made;
};

/* Calls @fn for each member that @path names; the path starts at @from. */
void each_place(const struct place *from, const char *path,
		void (*fn)(void *arg, const struct place *at), void *arg);

/* Returns the value at @path, or NULL. If the path ends with '@' or starts with '=', sets *@name to
 * the text that it stands for, otherwise to NULL. */
const struct out *value_at(const struct place *at, const char *path, const char **name);

#endif
