// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds members of a JSON document by a path, which is a list of words such as "layers.*.bytes". A
 * word is a key, "*" for each member, or "key=text" for the element of an array that has this text
 * at this key. "struct made" describes an array that the document does not store. */
#include "user/result/place.h"
#include "user/base/out-read.h"

#include <string.h>

typedef void (*place_fn)(void *arg, const struct place *at);

struct walk {
	const char *rest; /* the part of the path that is still to be followed */
	const struct place *above;
	place_fn fn;
	void *arg;
	u64 index; /* position of the next member */
};

#define WORD 128 /* maximum size of a word of a path */

/* Copies the first word of *@path to @word. Sets *@path to the word after it. */
static void next_word(char *word, const char **path)
{
	size_t n = strcspn(*path, ".");

	memcpy(word, *path, n);
	word[n] = '\0';
	*path += n + ((*path)[n] == '.');
}

/* A search in an array: .found is set to the element that has the text .text at the key .key. */
struct choice {
	const char *key, *text;
	const struct out *found;
};

static void choose(void *choice, const char *name, const struct out *element)
{
	struct choice *c = choice;
	const char *text = out_get_str(element, c->key);

	if (text && !strcmp(text, c->text))
		c->found = element;
}

/* Returns the member with key @word of the object @node. If @word has the form "type=scatter",
 * returns the element of the array @node that has the text "scatter" at the key "type". */
static const struct out *named(const struct out *node, char *word)
{
	struct choice c = { .text = word };

	if (!strchr(word, '='))
		return out_get(node, word);
	c.key = strsep((char **)&c.text, "=");
	out_each(node, choose, &c);
	return c.found;
}

static void walk_path(const struct walk *w, const struct out *node);

static void walk_member(void *walk, const char *name, const struct out *node)
{
	struct walk *w = walk;
	const struct place at = { .node = node,
				  .name = name,
				  .above = w->above,
				  .index = w->index++ };
	const struct walk below = { w->rest, &at, w->fn, w->arg, 0 };

	if (out_is_null(node))
		return;
	if (*w->rest)
		walk_path(&below, node);
	else
		w->fn(w->arg, &at);
}

static void walk_made(void *walk, struct out *element)
{
	walk_member(walk, NULL, element);
	out_free(element);
}

/* Returns the description of the array @key if the document @at does not store this array.
 * Otherwise returns NULL. */
static const struct made *made_at(const struct place *at, const char *key)
{
	const struct made *m = at->made;

	while (m && m->key && strcmp(m->key, key))
		m++;
	return m && m->key ? m : NULL;
}

/* Calls w->fn for each member below @node that matches w->rest, the remaining part of the path. */
static void walk_path(const struct walk *w, const struct out *node)
{
	struct walk next = *w;
	const struct made *made;
	const struct out *member;
	char word[WORD];

	next.index = 0;
	next_word(word, &next.rest);
	made = node == w->above->node ? made_at(w->above, word) : NULL;
	member = out_get(node, word);
	if (!strcmp(word, "*")) {
		out_each(node, walk_member, &next);
	} else if (made) {
		/* Skips the next word of the path, which is "*": walk_made() is called for each
		 * element, and follows the path after this word. */
		next_word(word, &next.rest);
		made->each(made->source, walk_made, &next);
	} else if (member && *next.rest) {
		walk_path(&next, member);
	} else if (member) {
		w->fn(w->arg,
		      &(const struct place){ .node = member,
					     .name = w->above->name,
					     .above = w->above });
	}
}

void each_place(const struct place *from, const char *path, place_fn fn, void *arg)
{
	const char *next;

	do {
		size_t n = strcspn(path, "|");
		char one[n + 1];
		const struct walk w = { one, from, fn, arg, 0 };

		memcpy(one, path, n);
		one[n] = '\0';
		if (n)
			walk_path(&w, from->node);
		else
			fn(arg, from);
		next = strchr(path, '|');
		path = next ? next + 1 : NULL;
	} while (path);
}

const struct out *value_at(const struct place *at, const char *path, const char **name)
{
	const struct out *node;

	*name = *path == '=' ? path + 1 : NULL;
	if (*name)
		return NULL;
	for (; *path == '^'; path++)
		at = at->above;
	*name = *path == '@' ? at->name : NULL;
	node = *path == '@' ? NULL : at->node;
	while (node && *path && *path != '@') {
		char word[WORD];

		next_word(word, &path);
		node = named(node, word);
	}
	return node;
}
