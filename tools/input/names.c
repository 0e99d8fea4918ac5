// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers the names of several traces. A search tree per kind finds the number of a known name. */
#include "tools/input/names.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"

/* A name with its number, as an element of the search trees names->tree. */
struct numbered {
	struct trace_name is;
	u32 number;
};

static int compare_u64(u64 a, u64 b)
{
	return (a > b) - (a < b);
}

static int compare_names(const void *a, const void *b)
{
	const struct trace_name *x = a, *y = b;
	int c = compare_u64(x->id, y->id);

	c = c ? c : compare_u64(x->parent, y->parent);
	c = c ? c : compare_u64(x->dev, y->dev);
	c = c ? c : compare_u64(x->stacked, y->stacked);
	return c ? c : strcmp(x->text, y->text);
}

static u32 names_append(struct names *all, struct numbered *one)
{
	u32 kind = one->is.kind;

	all->of[kind] =
		need_index(all->of[kind], &all->room[kind], all->n[kind], sizeof(*all->of[kind]));
	one->number = all->n[kind]++;
	all->of[kind][one->number] = &one->is;
	return one->number;
}

static struct numbered *copy(const struct trace_name *n, const char *text)
{
	struct numbered *one = need(calloc(1, sizeof(*one)));

	one->is = *n;
	one->is.text = text;
	one->is.names = n->names ? need(strdup(n->names)) : NULL;
	return one;
}

void names_init(struct names *all)
{
	*all = (struct names){};
	for (u32 kind = 0; kind < TRACE_KINDS; kind++) {
		struct trace_name unknown = { .kind = kind };

		names_append(all, copy(&unknown, need(strdup("(unknown)"))));
	}
}

/* For tdestroy(), which requires a function that frees a node. names_drop() frees the names
 * itself. */
static void free_nothing(void *node)
{
}

void names_drop(struct names *all)
{
	for (u32 kind = 0; kind < TRACE_KINDS; kind++) {
		tdestroy(all->tree[kind], free_nothing);
		for (u32 i = 0; i < all->n[kind]; i++) {
			free((char *)all->of[kind][i]->text);
			free((char *)all->of[kind][i]->names);
			free(all->of[kind][i]);
		}
		free(all->of[kind]);
	}
}

u32 names_number(struct names *all, const struct trace_name *n, const char *host)
{
	struct numbered *one;
	char *text;
	void *at;

	text = need_text("%s%s%s", host ? host : "", host ? ":" : "", n->text);
	one = copy(n, text);
	at = need(tsearch(one, &all->tree[n->kind], compare_names));
	if (*(struct numbered **)at == one)
		return names_append(all, one);
	free((char *)one->is.names);
	free(text);
	free(one);
	return (*(struct numbered **)at)->number;
}

char *names_title(const struct names *all, u32 kind, u32 number)
{
	const struct trace_name *n = all->of[kind][number];

	if (kind == TRACE_PROCESS && n->id)
		return need_text("%s[%llu]", n->text, (unsigned long long)n->id);
	return need_text("%s%s", n->text, n->stacked ? "*" : "");
}

const struct trace_name *names_name(const void *all, u32 kind, u32 number)
{
	return ((const struct names *)all)->of[kind][number];
}
