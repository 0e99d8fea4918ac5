// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/result/place.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"

typedef void (*place_fn)(void *arg, const struct place *at);

struct walk {
	const char *rest; /* of the path */
	const struct place *above;
	place_fn fn;
	void *arg;
};

/* An element of an array, with the text @text at @key. */
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

/* Returns the member or, for a word such as "type=scatter", the element that the word names. */
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
	const struct walk *w = walk;
	const struct place at = { node, name, w->above };
	const struct walk below = { w->rest, &at, w->fn, w->arg };

	if (out_is_null(node))
		return;
	if (*w->rest)
		walk_path(&below, node);
	else
		w->fn(w->arg, &at);
}

/* Returns the first word of the path *@path and goes to the next one. The caller frees it. */
static char *next_word(const char **path)
{
	size_t n = strcspn(*path, ".");
	char *word = need(strndup(*path, n));

	*path += n + ((*path)[n] == '.');
	return word;
}

/* Calls w->fn for each match of the rest of the path below @node. */
static void walk_path(const struct walk *w, const struct out *node)
{
	struct walk next = *w;
	char *word = next_word(&next.rest);

	if (!strcmp(word, "*"))
		out_each(node, walk_member, &next);
	else if (out_get(node, word) && *next.rest)
		walk_path(&next, out_get(node, word));
	else if (out_get(node, word))
		w->fn(w->arg,
		      &(const struct place){ out_get(node, word), w->above->name, w->above });
	free(word);
}

void each_place(const struct place *from, const char *path, place_fn fn, void *arg)
{
	const char *next;

	do {
		char *one = need(strndup(path, strcspn(path, "|")));
		const struct walk w = { one, from, fn, arg };

		if (*one)
			walk_path(&w, from->node);
		else
			fn(arg, from);
		free(one);
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
		char *word = next_word(&path);

		node = named(node, word);
		free(word);
	}
	return node;
}
