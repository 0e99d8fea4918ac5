/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds members of a JSON document by their paths, which view.h describes. */
#ifndef IOSPAN_RESULT_PLACE_H
#define IOSPAN_RESULT_PLACE_H

#include "user/base/out.h"

/* An array that would be too large in memory, so the document does not store it. Each view that
 * shows the array makes its elements again. */
struct made {
	const char *key;
	/* makes each element, and calls @add with it; @add frees the element */
	void (*each)(const void *source, void (*add)(void *to, struct out *element), void *to);
	const void *source;
};

/* A member of the document that a path has led to: at a '*' of the path, or at its end. */
struct place {
	const struct out *node;
	/* key of the member; NULL: it is an element of an array, or the whole document */
	const char *name;
	const struct place *above;
	/* arrays that are not stored in the document; the last has a NULL key; NULL: none */
	const struct made *made;
};

/* Calls @fn for each member that @path names; the path starts at @from. */
void each_place(const struct place *from, const char *path,
		void (*fn)(void *arg, const struct place *at), void *arg);

/* Returns the value at @path, or NULL. If the path ends with '@' or starts with '=', it stands for
 * a text (view.h), and *@name is set to this text. Otherwise *@name is set to NULL. */
const struct out *value_at(const struct place *at, const char *path, const char **name);

#endif
