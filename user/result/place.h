/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds members of a JSON document by their paths. A path is keys with dots between them, such as
 * "layers.*.bytes"; view.h has the whole syntax. A view describes how a part of the document is
 * shown. */
#ifndef IOSPAN_RESULT_PLACE_H
#define IOSPAN_RESULT_PLACE_H

#include "bpf/types.h"
#include "user/base/out.h"

/* An array that the document does not store, because it would be too large in memory. Each view
 * that shows the array makes its elements again. */
struct made {
	const char *key;
	/* makes the elements one by one, and calls @add with each; @add frees the element */
	void (*each)(const void *source, void (*add)(void *to, struct out *element), void *to);
	const void *source;
};

/* A member of a document, found by following a path. .above is the last member before it that a "*"
 * of the path stands for. For "bytes" in "layers.*.bytes", this is the layer. If there is no such
 * member, .above is the place at which the path started. */
struct place {
	const struct out *node;
	/* Key of the member that the last "*" of the path stands for. In "layers.*.bytes", this is
	 * the name of the layer. NULL: the member is an element of an array, or the path has no
	 * "*". */
	const char *name;
	const struct place *above;
	u64 index; /* position of the member in its array or object */
	/* arrays that the document does not store; the last element has key NULL; NULL: the
	 * document stores all arrays */
	const struct made *made;
	/* Only set for a whole document. Maximum number of members of a list, such as processes,
	 * that get a histogram in views with .limited (view.h); 0: no maximum. */
	u64 most;
};

/* Calls @fn for each member that @path names. The path starts at @from. */
void each_place(const struct place *from, const char *path,
		void (*fn)(void *arg, const struct place *at), void *arg);

/* Returns the value at @path, or NULL if there is none. If @path starts with '=' or ends with '@',
 * it stands for a text (view.h): sets *@name to this text, and returns NULL. Otherwise sets *@name
 * to NULL. */
const struct out *value_at(const struct place *at, const char *path, const char **name);

#endif
