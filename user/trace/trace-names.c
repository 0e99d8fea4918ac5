// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of names and streams of a trace writer. An item is one name or one stream. In a file,
 * it is stored as a record. Each file of a split trace has its own records, and numbers the items
 * in its own way. */
#include "user/trace/pack.h"

#include <stdlib.h>

#include "user/base/err.h"
#include "user/trace/format.h"

const char *const trace_kind_names[TRACE_KINDS + 1] = {
	[TRACE_DISK] = "device",
	[TRACE_GROUP] = "cgroup",
	[TRACE_PROCESS] = "process",
	[TRACE_FILE] = "file",
};

u8 *bytes_add(struct bytes *b, size_t n)
{
	if (b->room - b->n < n) {
		b->room = 2 * b->room > b->n + n ? 2 * b->room : b->n + n;
		b->at = need(realloc(b->at, b->room));
	}
	b->n += n;
	return b->at + b->n - n;
}

static u64 hash_mix(u64 hash, u64 v)
{
	hash = (hash ^ v) * 0x9e3779b97f4a7c15ULL;
	return hash ^ hash >> 29;
}

static u64 hash_stream(const struct trace_stream *s)
{
	u64 h = hash_mix(1, s->layer | s->op << 8 | s->source << 16 | (u64)s->disk << 32);

	return hash_mix(hash_mix(h, (u64)s->group << 32 | s->process), s->file);
}

static u64 hash_name(const struct trace_name *n)
{
	u64 h = hash_mix(hash_mix(hash_mix(n->stacked, n->id), n->dev), n->parent);

	for (const char *c = n->text; *c; c++)
		h = hash_mix(h, (u8)*c);
	return h;
}

static bool equal_stream(const struct trace_stream *a, const struct trace_stream *b)
{
	return a->layer == b->layer && a->op == b->op && a->source == b->source &&
		a->disk == b->disk && a->group == b->group && a->process == b->process &&
		a->file == b->file;
}

static bool equal_name(const struct trace_name *a, const struct trace_name *b)
{
	return a->id == b->id && a->dev == b->dev && a->parent == b->parent &&
		a->stacked == b->stacked && !strcmp(a->text, b->text);
}

static u64 hash_item(const struct name_item *i, u32 list)
{
	return list == TRACE_KINDS ? hash_stream(&i->stream) : hash_name(&i->name);
}

static bool equal_item(const struct name_item *a, const struct name_item *b, u32 list)
{
	return list == TRACE_KINDS ? equal_stream(&a->stream, &b->stream) :
				     equal_name(&a->name, &b->name);
}

/* Returns the element of the hash table l->slots that refers to an item equal to @item. If there is
 * none, returns the free element where @item belongs. The items of @l are streams if @list is
 * TRACE_KINDS, and otherwise names. */
static u32 *find_slot(const struct name_list *l, const struct name_item *item, u32 list)
{
	u32 at = hash_item(item, list) & (l->n_slots - 1);

	while (l->slots[at] && !equal_item(&l->items[l->slots[at] - 1], item, list))
		at = (at + 1) & (l->n_slots - 1);
	return &l->slots[at];
}

static void grow_list(struct name_list *l, u32 list)
{
	if (l->n == l->room) {
		l->room = l->room ? 2 * l->room : 64;
		l->items = need(reallocarray(l->items, l->room, sizeof(*l->items)));
	}
	if (2 * l->n < l->n_slots)
		return;
	free(l->slots);
	l->n_slots = l->n_slots ? 2 * l->n_slots : 256;
	l->slots = need(calloc(l->n_slots, sizeof(*l->slots)));
	for (u32 i = 0; i < l->n; i++)
		*find_slot(l, &l->items[i], list) = i + 1;
}

/* Copies the text of @n, and the names of its container, into one block of memory. The block starts
 * at n->text, so free(n->text) releases it. */
static void copy_text(struct trace_name *n)
{
	size_t length = strlen(n->text), more = n->names ? strlen(n->names) : 0;
	char *text = need(calloc(1, length + more + 2));

	if (length + 1 + more >= TRACE_TEXT)
		more = 0;
	memcpy(text, n->text, length);
	if (more)
		memcpy(text + length + 1, n->names, more);
	n->text = text;
	n->names = more ? text + length + 1 : NULL;
}

static u32 add_item(struct name_table *t, u32 list, const struct name_item *item)
{
	struct name_list *l = &t->lists[list];
	u32 *slot;

	grow_list(l, list);
	slot = find_slot(l, item, list);
	if (*slot)
		return *slot;
	l->items[l->n] = *item;
	if (list != TRACE_KINDS)
		copy_text(&l->items[l->n].name);
	return *slot = ++l->n;
}

u32 names_add(struct name_table *t, const struct trace_name *n)
{
	struct name_item item = { .name = *n };
	char cut[TRACE_TEXT];

	if (strnlen(n->text, TRACE_TEXT) == TRACE_TEXT) {
		memcpy(cut, n->text, TRACE_TEXT - 1);
		cut[TRACE_TEXT - 1] = '\0';
		item.name.text = cut;
	}
	return add_item(t, n->kind, &item);
}

u32 names_add_stream(struct name_table *t, const struct trace_stream *s)
{
	struct name_item item = { .stream = *s };

	return add_item(t, TRACE_KINDS, &item);
}

void names_release(struct name_table *t)
{
	for (u32 list = 0; list < TRACE_LISTS; list++) {
		struct name_list *l = &t->lists[list];

		for (u32 i = 0; list != TRACE_KINDS && i < l->n; i++)
			free((char *)l->items[i].name.text);
		free(l->items);
		free(l->slots);
	}
}

void names_next_file(struct name_table *t)
{
	t->file++;
	for (u32 list = 0; list < TRACE_LISTS; list++) {
		t->lists[list].numbers = 0;
		t->lists[list].new_from = t->lists[list].kept_from;
	}
}

void names_kept(struct name_table *t)
{
	for (u32 list = 0; list < TRACE_LISTS; list++)
		t->lists[list].kept_from = t->lists[list].new_from;
}

static u32 put_name(struct name_table *t, u32 kind, u32 number, struct bytes *to);

/* Returns the number that a name has in the current file. @number is its number in the table. If
 * the file does not have the name yet, appends its record to @to first. Adds the number of appended
 * records to *@put. */
static u32 number_in_file(struct name_table *t, u32 kind, u32 number, struct bytes *to, u32 *put)
{
	if (!number || number > t->lists[kind].n)
		return 0;
	*put += put_name(t, kind, number, to);
	return t->lists[kind].items[number - 1].number;
}

static void assign_number(struct name_table *t, u32 list, struct name_item *i)
{
	i->file = t->file;
	i->number = ++t->lists[list].numbers;
}

static void put_head(u8 *to, u32 length, u8 kind, u8 fixed, u32 number)
{
	put16(to, length);
	to[2] = kind;
	to[3] = fixed;
	put32(to + 4, number);
}

/* If the current file lacks the name, appends the name's record to @to. The parent of a cgroup
 * comes before the cgroup. A parent has a smaller number, so the recursion ends. Returns the number
 * of appended records. */
static u32 put_name(struct name_table *t, u32 kind, u32 number, struct bytes *to)
{
	struct name_item *item = &t->lists[kind].items[number - 1];
	const struct trace_name *n = &item->name;
	u32 length = strlen(n->text) + (n->names ? 1 + strlen(n->names) : 0), parent = 0, put = 0;
	u8 *at;

	if (item->file == t->file)
		return 0;
	if (kind == TRACE_GROUP && n->parent < number)
		parent = number_in_file(t, kind, n->parent, to, &put);
	assign_number(t, kind, item);
	at = bytes_add(to, NAME_HEAD + NAME_FIXED + length);
	put_head(at, NAME_HEAD + NAME_FIXED + length, kind, NAME_FIXED, item->number);
	put32(at + 8, parent);
	put64(at + 12, n->id);
	put64(at + 20, n->dev);
	put32(at + 28, n->stacked);
	memcpy(at + NAME_HEAD + NAME_FIXED, n->text, length);
	return put + 1;
}

u32 names_put_stream(struct name_table *t, u32 stream, struct bytes *to)
{
	struct name_item *item = &t->lists[TRACE_KINDS].items[stream - 1];
	struct trace_stream *s = &item->stream;
	u32 refs[TRACE_KINDS], put = 0;
	u8 *at;

	if (item->file == t->file)
		return 0;
	refs[0] = number_in_file(t, TRACE_DISK, s->disk, to, &put);
	refs[1] = number_in_file(t, TRACE_GROUP, s->group, to, &put);
	refs[2] = number_in_file(t, TRACE_PROCESS, s->process, to, &put);
	refs[3] = number_in_file(t, TRACE_FILE, s->file, to, &put);
	assign_number(t, TRACE_KINDS, item);
	at = bytes_add(to, NAME_HEAD + STREAM_FIXED);
	put_head(at, NAME_HEAD + STREAM_FIXED, KIND_STREAM, STREAM_FIXED, item->number);
	at[8] = s->layer;
	at[9] = s->op;
	at[10] = s->source;
	at[11] = 0;
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		put32(at + 12 + 4 * kind, refs[kind]);
	return put + 1;
}

u32 names_put_new(struct name_table *t, u32 most, struct bytes *to)
{
	u32 put = 0;

	for (u32 list = 0; list < TRACE_LISTS; list++) {
		struct name_list *l = &t->lists[list];

		for (; l->new_from < l->n && to->n < most; l->new_from++)
			put += list == TRACE_KINDS ? names_put_stream(t, l->new_from + 1, to) :
						     put_name(t, list, l->new_from + 1, to);
	}
	return put;
}
