// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes a table of report --by. An entity is a process, file, cgroup or disk. A row has the
 * accesses of one entity, layer and class of operations, such as reads and writes. A batch is
 * accesses that are read together. At the end of a batch, close_entity() adds its intervals to T of
 * each entity with accesses in the batch. T is the time with at least one access in flight. */
#include "tools/report/by.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/need.h"

const char *const by_classes[BY_CLASSES] = {
	READ_WRITE, "flush", "discard", "other", "sync", "open+close",
};

void by_init(struct by *by, u32 kind, const struct names *names, const struct metric *sort)
{
	*by = (struct by){ .kind = kind, .names = names, .sort = sort };
}

static void row_free(struct by_row *row)
{
	if (!row)
		return;
	gather_release(&row->gather);
	counts_release(&row->counts);
	tally_span_release(&row->span);
	exact_free(row->exact);
	free(row);
}

void by_release(struct by *by)
{
	for (u32 i = 0; i < by->n; i++) {
		struct by_entity *e = by->entities[i];

		for (int k = 0; e && k < BY_ROWS; k++)
			row_free(by_nth_row(e, k));
		free(e);
	}
	free(by->entities);
	free(by->touched);
}

static struct by_entity *find_entity(struct by *by, u32 number)
{
	struct by_entity *e;
	u32 parent;

	by->entities = need_index(by->entities, &by->n, number, sizeof(*by->entities));
	if (by->entities[number])
		return by->entities[number];
	e = by->entities[number] = need(calloc(1, sizeof(*e)));
	e->number = number;
	parent = by->kind == TRACE_GROUP ? by->names->of[by->kind][number]->parent : 0;
	if (parent)
		e->above = find_entity(by, parent);
	return e;
}

static struct by_row *find_row(struct by_entity *e, u8 layer, enum by_class class)
{
	struct by_row *row = e->rows[layer][class];

	if (row)
		return row;
	row = e->rows[layer][class] = need(calloc(1, sizeof(*row)));
	row->entity = e;
	row->layer = layer;
	row->class = class;
	gather_begin(&row->gather);
	return row;
}

struct by_row *by_find_row(struct by *by, const struct trace_stream *s)
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
	struct by_row *row;

	/* The disks below a stacked disk have the same accesses as the stacked disk. To count them
	 * once, only the table of disks includes the stacked disk. */
	if (by->kind != TRACE_DISK && by->names->of[TRACE_DISK][s->disk]->stacked)
		return NULL;
	row = find_row(find_entity(by, numbers[by->kind]), s->layer, classes[s->op]);
	for (struct by_entity *e = row->entity->above; e; e = e->above)
		find_row(e, s->layer, classes[s->op]);
	return row;
}

static void touch_entity(struct by *by, struct by_entity *e)
{
	for (; e && !e->touched; e = e->above) {
		by->touched = need_index(by->touched, &by->touched_room, by->touched_n,
					 sizeof(*by->touched));
		e->touched = true;
		by->touched[by->touched_n++] = e;
	}
}

/* Sorts entities by descending number. A cgroup has a greater number than its parent, so children
 * come first. */
static int by_number(const void *a, const void *b)
{
	const struct by_entity *const *x = a, *const *y = b;

	return ((*x)->number < (*y)->number) - ((*x)->number > (*y)->number);
}

static void join_entity(struct by_entity *e)
{
	for (int i = 0; i < BY_ROWS; i++) {
		struct by_row *row = by_nth_row(e, i);

		if (!row)
			continue;
		tally_span_join(&row->span, gather_end(&row->gather));
		if (e->above)
			tally_span_join(&by_nth_row(e->above, i)->span, row->span.joined);
	}
}

static void close_entity(struct by_entity *e)
{
	e->touched = false;
	for (int i = 0; i < BY_ROWS; i++) {
		struct by_row *row = by_nth_row(e, i);

		if (!row)
			continue;
		tally_span_close(&row->span);
		gather_begin(&row->gather);
		/* A table may have a million rows, so the buffers of each row are freed after each
		 * batch. */
		gather_release(&row->gather);
		parts_release(&row->span.buffers[0]);
		parts_release(&row->span.buffers[1]);
	}
}

void by_batch(struct by *by, const struct trace_batch *b, void *const *rows)
{
	for (u32 i = 0; i < b->n; i++) {
		struct by_row *row = rows[b->stream[i]];

		if (!row)
			continue;
		if (!row->entity->touched)
			touch_entity(by, row->entity);
		counts_access(&row->counts, b, i);
		if (!(b->flags[i] & TRACE_UNSPANNED))
			gather_add(&row->gather, b->start_ns[i], b->end_ns[i]);
	}
	if (by->touched_n)
		qsort(by->touched, by->touched_n, sizeof(*by->touched), by_number);
	for (u32 i = 0; i < by->touched_n; i++)
		join_entity(by->touched[i]);
}

static void settle_entity(struct by_entity *e, u64 before_ns)
{
	for (int i = 0; i < BY_ROWS; i++)
		if (by_nth_row(e, i))
			tally_span_settle(&by_nth_row(e, i)->span, before_ns);
}

void by_settle(struct by *by, u64 before_ns)
{
	/* Closes parents before their children. If a parent still refers to a list of intervals of
	 * a child, it must be closed first, because closing the child frees this list. */
	for (u32 i = by->touched_n; i-- > 0;) {
		close_entity(by->touched[i]);
		settle_entity(by->touched[i], before_ns);
	}
	by->touched_n = 0;
	for (u32 i = 0; before_ns == ~0ULL && i < by->n; i++)
		if (by->entities[i])
			settle_entity(by->entities[i], before_ns);
}

void by_add_up(struct by *by)
{
	for (u32 number = by->n; number-- > 0;) {
		struct by_entity *e = by->entities[number];

		for (int i = 0; e && e->above && i < BY_ROWS; i++)
			if (by_nth_row(e, i))
				counts_add(&by_nth_row(e->above, i)->counts,
					   &by_nth_row(e, i)->counts);
	}
}

void by_sum(const struct by_row *row, u64 elapsed_ns, struct sum *to)
{
	*to = (struct sum){ .span_ns = row->span.cover.settled_ns,
			    .has_span = true,
			    .elapsed_ns = elapsed_ns };
	counts_add_to(&row->counts, to);
	to->exact = exact_result(row->exact);
}

struct ranked {
	struct by_entity *entity;
	double value;
};

/* Returns the largest value of metric @m for the reads and writes of entity @e at any layer. */
static double entity_value(const struct by_entity *e, const struct metric *m)
{
	double most = NAN;
	struct sum s;

	for (int layer = 0; layer < LAYERS; layer++)
		if (e->rows[layer][BY_RW]) {
			/* by_sum() needs an elapsed time; 1 ns will do, because any time gives the
			 * same order */
			by_sum(e->rows[layer][BY_RW], 1, &s);
			most = fmax(most, m->value(&s));
		}
	return most;
}

/* Sorts by descending value. Entities without a value come last. Among entities with equal values,
 * a cgroup comes before its children. */
static int by_value(const void *a, const void *b, void *by)
{
	const struct ranked *x = a, *y = b;

	if (isnan(x->value) != isnan(y->value))
		return isnan(x->value) - isnan(y->value);
	if (isnan(x->value) || x->value == y->value)
		return by_number(&y->entity, &x->entity);
	return x->value < y->value ? 1 : -1;
}

/* Sorts entities by name. '/' sorts before all other characters, so that the children of a cgroup
 * directly follow it. */
static int by_name(const void *a, const void *b, void *arg)
{
	const struct by *by = arg;
	const struct by_entity *x = ((const struct ranked *)a)->entity;
	const struct by_entity *y = ((const struct ranked *)b)->entity;
	const unsigned char *s = (const void *)by->names->of[by->kind][x->number]->text;
	const unsigned char *t = (const void *)by->names->of[by->kind][y->number]->text;

	while (*s && *s == *t) {
		s++;
		t++;
	}
	if (*s == *t)
		return by_number(&y, &x);
	return (*s == '/' ? 1 : *s) - (*t == '/' ? 1 : *t);
}

struct by_entity **by_sorted(const struct by *by)
{
	struct by_entity **list = need(calloc(by->n + 1, sizeof(*list)));
	struct ranked *ranked = need(calloc(by->n + 1, sizeof(*ranked)));
	u32 n = 0;

	for (u32 i = 0; i < by->n; i++)
		if (by->entities[i])
			ranked[n++] = (struct ranked){
				by->entities[i],
				by->sort ? entity_value(by->entities[i], by->sort) : 0,
			};
	qsort_r(ranked, n, sizeof(*ranked), by->sort ? by_value : by_name, (void *)by);
	for (u32 i = 0; i < n; i++)
		list[i] = ranked[i].entity;
	free(ranked);
	return list;
}
