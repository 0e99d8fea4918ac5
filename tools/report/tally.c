// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/report/tally.h"

#include "tools/input/access.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/metric/measurement.h"

/* ---- sets ---- */

void set_join(struct set *s, const struct parts *l)
{
	struct parts *to = s->now == &s->mine[0] ? &s->mine[1] : &s->mine[0];

	if (!l || !l->n)
		return;
	if (!s->now) {
		s->now = l;
		return;
	}
	parts_merge(to, s->now, l);
	s->now = to;
}

void set_close(struct set *s)
{
	if (s->now)
		cover_add_parts(&s->cover, s->now);
	s->now = NULL;
}

void set_release(struct set *s)
{
	cover_release(&s->cover);
	parts_release(&s->mine[0]);
	parts_release(&s->mine[1]);
}

/* ---- leaves ---- */

static void leaf_init(struct leaf *l, u8 layer, u8 source, u8 op, struct disk_tally *disk)
{
	*l = (struct leaf){ .layer = layer, .source = source, .op = op, .disk = disk };
	gather_begin(&l->gather);
}

static void leaf_release(struct leaf *l)
{
	gather_release(&l->gather);
	counts_release(&l->counts);
}

void tally_init(struct tally *t)
{
	*t = (struct tally){};
	for (u8 layer = 0; layer < LAYER_DEVICE; layer++)
		for (u8 source = 0; source < SRC_MAX; source++)
			for (u8 op = 0; op < CALL_OPS; op++)
				leaf_init(&t->calls[layer][source][op], layer, source, op, NULL);
}

static void disk_free(struct disk_tally *d)
{
	if (!d)
		return;
	for (int op = 0; op < DEVICE_OPS; op++) {
		leaf_release(&d->leaves[op]);
		set_release(&d->ops[op]);
	}
	set_release(&d->all);
	free(d);
}

void tally_release(struct tally *t)
{
	for (int layer = 0; layer < LAYER_DEVICE; layer++) {
		for (int op = 0; op < CALL_OPS; op++) {
			for (int source = 0; source < SRC_MAX; source++)
				leaf_release(&t->calls[layer][source][op]);
			set_release(&t->call_ops[layer][op]);
		}
		set_release(&t->joint[layer]);
	}
	for (int layer = 0; layer < LAYERS; layer++)
		set_release(&t->layers[layer]);
	for (u32 i = 0; i < t->disks_n; i++)
		disk_free(t->disks[i]);
	free(t->disks);
	free(t->touched);
}

static struct disk_tally *disk_of(struct tally *t, u32 name, bool stacked)
{
	struct disk_tally *d;

	if (name >= t->disks_n) {
		t->disks = need(reallocarray(t->disks, name + 1, sizeof(*t->disks)));
		memset(t->disks + t->disks_n, 0, (name + 1 - t->disks_n) * sizeof(*t->disks));
		t->disks_n = name + 1;
	}
	if (t->disks[name])
		return t->disks[name];
	d = t->disks[name] = need(calloc(1, sizeof(*d)));
	d->name = name;
	d->stacked = stacked;
	for (u8 op = 0; op < DEVICE_OPS; op++)
		leaf_init(&d->leaves[op], LAYER_DEVICE, 0, op, d);
	return d;
}

struct leaf *tally_leaf(struct tally *t, const struct trace_stream *s, bool stacked)
{
	if (!access_is_countable(s))
		return NULL;
	if (s->layer == LAYER_DEVICE)
		return &disk_of(t, s->disk, stacked)->leaves[s->op];
	return &t->calls[s->layer][s->source][access_call_op(s->op)];
}

/* ---- a batch ---- */

static void touch(struct tally *t, struct leaf *l)
{
	if (t->touched_n == t->touched_room) {
		t->touched_room = 2 * t->touched_room + 64;
		t->touched = need(reallocarray(t->touched, t->touched_room, sizeof(*t->touched)));
	}
	l->touched = true;
	t->touched[t->touched_n++] = l;
}

static void count(struct tally *t, const struct trace_batch *b, void *const *leaves)
{
	for (u32 i = 0; i < b->n; i++) {
		struct leaf *l = leaves[b->stream[i]];

		if (!l->touched)
			touch(t, l);
		counts_take(&l->counts, b, i);
		if (!(b->flags[i] & TRACE_UNSPANNED))
			gather_add(&l->gather, b->start_ns[i], b->end_ns[i]);
	}
}

static bool is_read_or_write(const struct leaf *l)
{
	_Static_assert((int)VFS_READ == OP_READ && (int)VFS_WRITE == OP_WRITE, "two of both");
	return l->op == OP_READ || l->op == OP_WRITE;
}

/* Into the sets right above the leaf. Reads and writes make the totals. */
static void join_leaf(struct tally *t, struct leaf *l)
{
	const struct parts *list = gather_end(&l->gather);

	if (!l->disk) {
		set_join(&t->call_ops[l->layer][l->op], list);
		return;
	}
	set_join(&l->disk->ops[l->op], list);
	if (is_read_or_write(l))
		set_join(&l->disk->all, list);
}

static void join_above(struct tally *t)
{
	for (int layer = 0; layer < LAYER_DEVICE; layer++) {
		set_join(&t->layers[layer], t->call_ops[layer][VFS_READ].now);
		set_join(&t->layers[layer], t->call_ops[layer][VFS_WRITE].now);
	}
	for (u32 i = 0; i < t->touched_n; i++) {
		struct disk_tally *d = t->touched[i]->disk;

		if (!d || d->touched)
			continue;
		d->touched = true;
		if (!d->stacked)
			set_join(&t->layers[LAYER_DEVICE], d->all.now);
	}
	for (int layer = 0; layer < LAYER_DEVICE; layer++) {
		set_join(&t->joint[layer], t->layers[layer].now);
		set_join(&t->joint[layer], t->layers[LAYER_DEVICE].now);
	}
}

static void close_disk(struct disk_tally *d)
{
	if (!d || !d->touched)
		return;
	d->touched = false;
	set_close(&d->all);
	for (int op = 0; op < DEVICE_OPS; op++)
		set_close(&d->ops[op]);
}

static void close_all(struct tally *t)
{
	for (int layer = 0; layer < LAYER_DEVICE; layer++) {
		for (int op = 0; op < CALL_OPS; op++)
			set_close(&t->call_ops[layer][op]);
		set_close(&t->joint[layer]);
	}
	for (int layer = 0; layer < LAYERS; layer++)
		set_close(&t->layers[layer]);
	for (u32 i = 0; i < t->touched_n; i++)
		close_disk(t->touched[i]->disk);
}

void tally_batch(struct tally *t, const struct trace_batch *b, void *const *leaves)
{
	count(t, b, leaves);
	for (u32 i = 0; i < t->touched_n; i++)
		join_leaf(t, t->touched[i]);
	join_above(t);
	close_all(t);
	for (u32 i = 0; i < t->touched_n; i++) {
		gather_begin(&t->touched[i]->gather);
		t->touched[i]->touched = false;
	}
	t->touched_n = 0;
}

/* ---- settling ---- */

struct layer_part {
	const struct follower *f;
	int layer;
};

static void tell(void *arg, u64 start_ns, u64 end_ns)
{
	const struct layer_part *p = arg;

	p->f->part(p->f->arg, p->layer, start_ns, end_ns);
}

static void settle(struct set *s, u64 before_ns)
{
	cover_settle(&s->cover, before_ns, NULL, NULL);
}

void tally_settle(struct tally *t, u64 before_ns, const struct follower *f)
{
	for (int layer = 0; layer < LAYER_DEVICE; layer++) {
		for (int op = 0; op < CALL_OPS; op++)
			settle(&t->call_ops[layer][op], before_ns);
		settle(&t->joint[layer], before_ns);
	}
	for (int layer = 0; layer < LAYERS; layer++) {
		struct layer_part p = { f, layer };

		cover_settle(&t->layers[layer].cover, before_ns, f ? tell : NULL, &p);
	}
	for (u32 i = 0; i < t->disks_n; i++) {
		struct disk_tally *d = t->disks[i];

		if (!d)
			continue;
		settle(&d->all, before_ns);
		for (int op = 0; op < DEVICE_OPS; op++)
			settle(&d->ops[op], before_ns);
	}
}

/* ---- the sums as a measurement, as `iospan run` makes it ---- */

static void set_span(struct sum *to, const struct set *s, u64 elapsed_ns)
{
	sum_set_span(to, s->cover.settled_ns, elapsed_ns);
}

static void measure_calls(const struct tally *t, int layer, struct sum *ops, struct measurement *m)
{
	for (int op = 0; op < CALL_OPS; op++) {
		for (int source = 0; source < SRC_MAX; source++) {
			const struct counts *c = &t->calls[layer][source][op].counts;

			counts_add_to(c, &ops[op]);
			if (op >= VFS_OPS)
				continue;
			if (layer == LAYER_VFS)
				counts_add_to(c, &m->vfs_sources[source]);
			else if (source == SRC_RING || source == SRC_AIO)
				counts_add_to(c, &m->app_ring);
		}
		set_span(&ops[op], &t->call_ops[layer][op], m->elapsed_ns);
		if (op <= VFS_WRITE)
			sum_add_row(&m->layers[layer], &ops[op].row);
	}
}

static void measure_disk(const struct disk_tally *t, const struct names *names,
			 struct measurement *m)
{
	const struct trace_name *name = names->of[TRACE_DISK][t->name];
	struct disk_sum *d = &m->disks[m->disks_n++];

	snprintf(d->name, sizeof(d->name), "%s", name->text);
	d->dev = name->id;
	d->stacked = t->stacked;
	set_span(&d->all, &t->all, m->elapsed_ns);
	for (int op = 0; op < DEVICE_OPS; op++) {
		counts_add_to(&t->leaves[op].counts, &d->ops[op]);
		set_span(&d->ops[op], &t->ops[op], m->elapsed_ns);
	}
	disk_add_up(d, &m->layers[LAYER_DEVICE]);
}

struct measurement *tally_measure(const struct tally *t, const struct names *names, u64 elapsed_ns)
{
	struct measurement *m = need(calloc(1, sizeof(*m)));

	m->elapsed_ns = elapsed_ns;
	measure_calls(t, LAYER_APP, m->app_ops, m);
	measure_calls(t, LAYER_VFS, m->vfs_ops, m);
	m->disks = need(calloc(t->disks_n + 1, sizeof(*m->disks)));
	for (u32 i = 0; i < t->disks_n; i++)
		if (t->disks[i])
			measure_disk(t->disks[i], names, m);
	for (int layer = 0; layer < LAYERS; layer++)
		set_span(&m->layers[layer], &t->layers[layer], elapsed_ns);
	m->app_device_ns = t->joint[LAYER_APP].cover.settled_ns;
	m->vfs_device_ns = t->joint[LAYER_VFS].cover.settled_ns;
	return m;
}
