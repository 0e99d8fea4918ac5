// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/report/by.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"

const char *const by_classes[BY_CLASSES] = {
	"r+w", "flush", "discard", "other", "sync", "open+close",
};

void by_init(struct by *by, u32 kind, const struct names *names)
{
	*by = (struct by){ .kind = kind, .names = names };
}

static void part_free(struct by_part *p)
{
	if (!p)
		return;
	gather_release(&p->gather);
	counts_release(&p->counts);
	set_release(&p->set);
	exact_free(p->exact);
	free(p);
}

void by_release(struct by *by)
{
	for (u32 i = 0; i < by->n; i++) {
		struct by_entity *e = by->entities[i];

		for (int p = 0; e && p < BY_PARTS; p++)
			part_free(by_nth(e, p));
		free(e);
	}
	free(by->entities);
	free(by->touched);
}

/* ---- who is there ---- */

static struct by_entity *entity_of(struct by *by, u32 number)
{
	struct by_entity *e;
	u32 parent, room = by->names->n[by->kind];

	if (number >= by->n) {
		by->entities = need(reallocarray(by->entities, room, sizeof(e)));
		memset(by->entities + by->n, 0, (room - by->n) * sizeof(e));
		by->n = room;
	}
	if (by->entities[number])
		return by->entities[number];
	e = by->entities[number] = need(calloc(1, sizeof(*e)));
	e->number = number;
	parent = by->kind == TRACE_GROUP ? by->names->of[by->kind][number]->parent : 0;
	if (parent)
		e->above = entity_of(by, parent);
	return e;
}

static struct by_part *part_of(struct by_entity *e, u8 layer, enum by_class class)
{
	struct by_part *p = e->parts[layer][class];

	if (p)
		return p;
	p = e->parts[layer][class] = need(calloc(1, sizeof(*p)));
	p->of = e;
	p->layer = layer;
	p->class = class;
	gather_begin(&p->gather);
	return p;
}

struct by_part *by_part(struct by *by, const struct trace_stream *s)
{
	static const enum by_class classes[OP_MAX] = {
		[OP_FLUSH] = BY_FLUSH, [OP_DISCARD] = BY_DISCARD, [OP_OTHER] = BY_OTHER,
		[OP_SYNC] = BY_SYNC,   [OP_OPEN] = BY_OPEN,	  [OP_CREATE] = BY_OPEN,
		[OP_CLOSE] = BY_OPEN,
	};
	const u32 numbers[TRACE_KINDS] = {
		[TRACE_DISK] = s->disk,
		[TRACE_GROUP] = s->group,
		[TRACE_PROCESS] = s->process,
		[TRACE_FILE] = s->file,
	};
	struct by_part *p;

	/* what is on other disks counts there: only its own row has it */
	if (by->kind != TRACE_DISK && by->names->of[TRACE_DISK][s->disk]->stacked)
		return NULL;
	p = part_of(entity_of(by, numbers[by->kind]), s->layer, classes[s->op]);
	for (struct by_entity *e = p->of->above; e; e = e->above)
		part_of(e, s->layer, classes[s->op]);
	return p;
}

/* ---- a batch ---- */

static void touch(struct by *by, struct by_entity *e)
{
	for (; e && !e->touched; e = e->above) {
		if (by->touched_n == by->touched_room) {
			by->touched_room = 2 * by->touched_room + 64;
			by->touched = need(
				reallocarray(by->touched, by->touched_room, sizeof(*by->touched)));
		}
		e->touched = true;
		by->touched[by->touched_n++] = e;
	}
}

/* Those below come first: their numbers are greater. */
static int by_number(const void *a, const void *b)
{
	const struct by_entity *const *x = a, *const *y = b;

	return ((*x)->number < (*y)->number) - ((*x)->number > (*y)->number);
}

static void join_above(struct by_entity *e)
{
	for (int i = 0; i < BY_PARTS; i++) {
		struct by_part *p = by_nth(e, i);

		if (!p)
			continue;
		set_join(&p->set, gather_end(&p->gather));
		if (e->above)
			set_join(&by_nth(e->above, i)->set, p->set.now);
	}
}

static void close_entity(struct by_entity *e)
{
	e->touched = false;
	for (int i = 0; i < BY_PARTS; i++) {
		struct by_part *p = by_nth(e, i);

		if (!p)
			continue;
		set_close(&p->set);
		gather_begin(&p->gather);
		/* there may be a million of them */
		gather_release(&p->gather);
		parts_release(&p->set.mine[0]);
		parts_release(&p->set.mine[1]);
	}
}

void by_batch(struct by *by, const struct trace_batch *b, void *const *parts)
{
	for (u32 i = 0; i < b->n; i++) {
		struct by_part *p = parts[b->stream[i]];

		if (!p)
			continue;
		if (!p->of->touched)
			touch(by, p->of);
		counts_take(&p->counts, b, i);
		if (!(b->flags[i] & TRACE_UNSPANNED))
			gather_add(&p->gather, b->start_ns[i], b->end_ns[i]);
	}
	if (by->touched_n)
		qsort(by->touched, by->touched_n, sizeof(*by->touched), by_number);
	for (u32 i = 0; i < by->touched_n; i++)
		join_above(by->touched[i]);
}

/* What the callback of an interval has to know. */
struct listener {
	void (*part)(void *arg, const struct by_part *p, u64 start_ns, u64 end_ns);
	void *arg;
	const struct by_part *of;
};

static void tell(void *arg, u64 start_ns, u64 end_ns)
{
	const struct listener *l = arg;

	l->part(l->arg, l->of, start_ns, end_ns);
}

static void
settle_entity(struct by_entity *e, u64 before_ns,
	      void (*part)(void *arg, const struct by_part *p, u64 start_ns, u64 end_ns), void *arg)
{
	for (int i = 0; i < BY_PARTS; i++) {
		struct by_part *p = by_nth(e, i);
		struct listener l = { part, arg, p };

		if (p)
			cover_settle(&p->set.cover, before_ns,
				     part && p->class == BY_RW ? tell : NULL, &l);
	}
}

/* Those that had nothing in this batch can wait, but for the end. */
void by_settle(struct by *by, u64 before_ns,
	       void (*part)(void *arg, const struct by_part *p, u64 start_ns, u64 end_ns),
	       void *arg)
{
	/* The other way round than they were joined: a group may have its list from one below. */
	for (u32 i = by->touched_n; i-- > 0;) {
		close_entity(by->touched[i]);
		settle_entity(by->touched[i], before_ns, part, arg);
	}
	by->touched_n = 0;
	for (u32 i = 0; before_ns == ~0ULL && i < by->n; i++)
		if (by->entities[i])
			settle_entity(by->entities[i], before_ns, part, arg);
}

/* ---- the end ---- */

void by_add_up(struct by *by)
{
	for (u32 number = by->n; number-- > 0;) {
		struct by_entity *e = by->entities[number];

		for (int i = 0; e && e->above && i < BY_PARTS; i++) {
			struct by_part *p = by_nth(e, i);

			if (p)
				counts_add(&by_nth(e->above, i)->counts, &p->counts);
		}
	}
}

void by_sum(const struct by_part *p, u64 elapsed_ns, struct sum *to)
{
	*to = (struct sum){ .span_ns = p->set.cover.settled_ns,
			    .has_span = true,
			    .elapsed_ns = elapsed_ns };
	counts_add_to(&p->counts, to);
	to->exact = exact_result(p->exact);
}

static u128 bytes_of(const struct by_entity *e)
{
	u128 bytes = 0;

	for (int layer = 0; layer < LAYERS; layer++)
		bytes += e->parts[layer][BY_RW] ? e->parts[layer][BY_RW]->counts.bytes : 0;
	return bytes;
}

static int by_bytes(const void *a, const void *b, void *arg)
{
	u128 x = bytes_of(*(struct by_entity *const *)a);
	u128 y = bytes_of(*(struct by_entity *const *)b);

	return x == y ? by_number(b, a) : (x < y) - (x > y);
}

/* A group's path comes right before those below it. */
static int by_path(const void *a, const void *b, void *arg)
{
	const struct by *by = arg;
	const struct by_entity *x = *(struct by_entity *const *)a;
	const struct by_entity *y = *(struct by_entity *const *)b;
	const unsigned char *s = (const void *)by->names->of[by->kind][x->number]->text;
	const unsigned char *t = (const void *)by->names->of[by->kind][y->number]->text;

	while (*s && *s == *t) {
		s++;
		t++;
	}
	if (*s == *t)
		return by_number(b, a);
	return (*s == '/' ? 1 : *s) - (*t == '/' ? 1 : *t);
}

struct by_entity **by_sorted(const struct by *by)
{
	struct by_entity **list = need(calloc(by->n + 1, sizeof(*list)));
	u32 n = 0;

	for (u32 i = 0; i < by->n; i++)
		if (by->entities[i])
			list[n++] = by->entities[i];
	qsort_r(list, n, sizeof(*list), by->kind == TRACE_GROUP ? by_path : by_bytes, (void *)by);
	return list;
}
