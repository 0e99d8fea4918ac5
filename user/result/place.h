/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds members of a JSON document by their paths. A path is keys with dots between them, such as
 * "layers.*.bytes"; view.h has the whole syntax. A view describes how a part of the document is
 * shown. */
#ifndef IOSPAN_RESULT_PLACE_H
#define IOSPAN_RESULT_PLACE_H

#include "user/base/out.h"

/* An array that the document does not store, because it would be too large in memory. Each view
 * that shows the array makes its elements again. */
struct made {
	const char *key;
	/* makes each element, and calls @add with it; @add frees the element */
	void (*each)(const void *source, void (*add)(void *to, struct out *element), void *to);
	const void *source;
};

/* A member of a document: the member at a '*' of a path, or at the end of a path. */
struct place {
	const struct out *node;
	/* key of the member; NULL: it is an element of an array, or the whole document */
	const char *name;
	const struct place *above;
	/* list of the arrays that the document does not store; ends with a NULL key; NULL: none */
	const struct made *made;
};

/* Calls @fn for each member that @path names. The path starts at @from. */
void each_place(const struct place *from, const char *path,
		void (*fn)(void *arg, const struct place *at), void *arg);

/* Returns the value at @path, or NULL. Some paths stand for a text (view.h): they end with '@' or
 * start with '='. For such a path, *@name is set to the text. Otherwise *@name is set to NULL. */
const struct out *value_at(const struct place *at, const char *path, const char **name);

#endif
