// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes counts and T (the time with at least one access in flight) of layers, operations and
 * disks. Works batch by batch; a batch is accesses that are read from a trace together. T is final
 * up to a time if no later access can start before this time. */
#include "tools/report/tally.h"

#include "tools/input/access.h"
#include "tools/report/timeline.h"

#include <stdlib.h>

#include "user/base/need.h"
#include "user/metric/measurement.h"

void tally_span_join(struct tally_span *s, const struct parts *list)
{
	struct parts *to = s->joined == &s->buffers[0] ? &s->buffers[1] : &s->buffers[0];

	if (!list || !list->n)
		return;
	if (!s->joined) {
		s->joined = list;
		return;
	}
	parts_merge(to, s->joined, list);
	s->joined = to;
}

void tally_span_close(struct tally_span *s)
{
	if (s->joined)
		cover_add_parts(&s->cover, s->joined);
	s->joined = NULL;
}

static void enter_interval(void *arg, u64 start_ns, u64 end_ns)
{
	const struct tally_span *s = arg;

	for (int i = 0; i < TALLY_TIMELINES && s->timelines[i]; i++)
		timeline_span(s->timelines[i], start_ns, end_ns);
}

void tally_span_settle(struct tally_span *s, u64 before_ns)
{
	cover_settle(&s->cover, before_ns, s->timelines[0] ? enter_interval : NULL, s);
}

void tally_span_release(struct tally_span *s)
{
	cover_release(&s->cover);
	parts_release(&s->buffers[0]);
	parts_release(&s->buffers[1]);
}

static void op_init(struct op_tally *o, u8 layer, u8 source, u8 op, struct disk_tally *disk)
{
	*o = (struct op_tally){ .layer = layer, .source = source, .op = op, .disk = disk };
	gather_begin(&o->gather);
}

static void op_release(struct op_tally *o)
{
	gather_release(&o->gather);
	counts_release(&o->counts);
}

void tally_init(struct tally *t)
{
	*t = (struct tally){};
	for (u8 layer = 0; layer < LAYER_DEVICE; layer++)
		for (u8 source = 0; source < SRC_MAX; source++)
			for (u8 op = 0; op < CALL_OPS; op++)
				op_init(&t->calls[layer][source][op], layer, source, op, NULL);
}

static void disk_free(struct disk_tally *d)
{
	if (!d)
		return;
	for (int op = 0; op < DEVICE_OPS; op++) {
		op_release(&d->ops[op]);
		tally_span_release(&d->spans[op]);
	}
	tally_span_release(&d->all);
	free(d);
}

void tally_release(struct tally *t)
{
	for (int layer = 0; layer < LAYER_DEVICE; layer++) {
		for (int op = 0; op < CALL_OPS; op++) {
			for (int source = 0; source < SRC_MAX; source++)
				op_release(&t->calls[layer][source][op]);
			tally_span_release(&t->call_spans[layer][op]);
		}
		tally_span_release(&t->joint[layer]);
	}
	for (int layer = 0; layer < LAYERS; layer++) {
		tally_span_release(&t->waits[layer]);
		tally_span_release(&t->layers[layer]);
	}
	for (u32 i = 0; i < t->disks_n; i++)
		disk_free(t->disks[i]);
	free(t->disks);
	free(t->touched);
}

static struct disk_tally *find_disk_tally(struct tally *t, u32 name, bool stacked)
{
	struct disk_tally *d;

	t->disks = need_index(t->disks, &t->disks_n, name, sizeof(*t->disks));
	if (t->disks[name])
		return t->disks[name];
	d = t->disks[name] = need(calloc(1, sizeof(*d)));
	d->name = name;
	d->stacked = stacked;
	for (u8 op = 0; op < DEVICE_OPS; op++)
		op_init(&d->ops[op], LAYER_DEVICE, 0, op, d);
	return d;
}

struct op_tally *tally_op(struct tally *t, const struct trace_stream *s, bool stacked)
{
	if (!access_is_countable(s))
		return NULL;
	if (s->layer == LAYER_DEVICE)
		return &find_disk_tally(t, s->disk, stacked)->ops[s->op];
	return &t->calls[s->layer][s->source][access_call_op(s->op)];
}

static void touch_op(struct tally *t, struct op_tally *o)
{
	t->touched = need_index(t->touched, &t->touched_room, t->touched_n, sizeof(*t->touched));
	o->touched = true;
	t->touched[t->touched_n++] = o;
}

static void count_batch(struct tally *t, const struct trace_batch *b, void *const *ops)
{
	for (u32 i = 0; i < b->n; i++) {
		struct op_tally *o = ops[b->stream[i]];

		if (!o->touched)
			touch_op(t, o);
		counts_access(&o->counts, b, i);
		if (!(b->flags[i] & TRACE_UNSPANNED))
			gather_add(&o->gather, b->start_ns[i], b->end_ns[i]);
	}
}

static bool is_read_or_write(const struct op_tally *o)
{
	_Static_assert((int)VFS_READ == OP_READ && (int)VFS_WRITE == OP_WRITE, "enum op, vfs_op");
	return o->op == OP_READ || o->op == OP_WRITE;
}

bool op_tally_is_in_total(const struct op_tally *o)
{
	return is_read_or_write(o) && !(o->disk && o->disk->stacked);
}

static void join_op(struct tally *t, struct op_tally *o)
{
	const struct parts *list = gather_end(&o->gather);

	if (!o->disk) {
		tally_span_join(&t->call_spans[o->layer][o->op], list);
		return;
	}
	tally_span_join(&o->disk->spans[o->op], list);
	if (is_read_or_write(o))
		tally_span_join(&o->disk->all, list);
}

/* Adds the intervals of this batch to the spans of each layer: t->layers has reads and writes,
 * t->waits also has syncs and flushes. Then adds the intervals of t->waits to the joint spans:
 * those of the app and device layers, and those of the vfs and device layers. */
static void join_layers(struct tally *t)
{
	for (int layer = 0; layer < LAYER_DEVICE; layer++) {
		tally_span_join(&t->layers[layer], t->call_spans[layer][VFS_READ].joined);
		tally_span_join(&t->layers[layer], t->call_spans[layer][VFS_WRITE].joined);
		tally_span_join(&t->waits[layer], t->layers[layer].joined);
		tally_span_join(&t->waits[layer], t->call_spans[layer][VFS_SYNC].joined);
	}
	for (u32 i = 0; i < t->touched_n; i++) {
		struct disk_tally *d = t->touched[i]->disk;

		if (!d || d->touched)
			continue;
		d->touched = true;
		if (d->stacked)
			continue;
		tally_span_join(&t->layers[LAYER_DEVICE], d->all.joined);
		tally_span_join(&t->waits[LAYER_DEVICE], d->all.joined);
		tally_span_join(&t->waits[LAYER_DEVICE], d->spans[OP_FLUSH].joined);
	}
	for (int layer = 0; layer < LAYER_DEVICE; layer++) {
		tally_span_join(&t->joint[layer], t->waits[layer].joined);
		tally_span_join(&t->joint[layer], t->waits[LAYER_DEVICE].joined);
	}
}

static void close_disk(struct disk_tally *d)
{
	if (!d || !d->touched)
		return;
	d->touched = false;
	tally_span_close(&d->all);
	for (int op = 0; op < DEVICE_OPS; op++)
		tally_span_close(&d->spans[op]);
}

static void close_spans(struct tally *t)
{
	for (int layer = 0; layer < LAYER_DEVICE; layer++) {
		for (int op = 0; op < CALL_OPS; op++)
			tally_span_close(&t->call_spans[layer][op]);
		tally_span_close(&t->joint[layer]);
	}
	for (int layer = 0; layer < LAYERS; layer++) {
		tally_span_close(&t->waits[layer]);
		tally_span_close(&t->layers[layer]);
	}
	for (u32 i = 0; i < t->touched_n; i++)
		close_disk(t->touched[i]->disk);
}

void tally_batch(struct tally *t, const struct trace_batch *b, void *const *ops)
{
	count_batch(t, b, ops);
	for (u32 i = 0; i < t->touched_n; i++)
		join_op(t, t->touched[i]);
	join_layers(t);
	close_spans(t);
	for (u32 i = 0; i < t->touched_n; i++) {
		gather_begin(&t->touched[i]->gather);
		t->touched[i]->touched = false;
	}
	t->touched_n = 0;
}

void tally_settle(struct tally *t, u64 before_ns)
{
	for (int layer = 0; layer < LAYER_DEVICE; layer++) {
		for (int op = 0; op < CALL_OPS; op++)
			tally_span_settle(&t->call_spans[layer][op], before_ns);
		tally_span_settle(&t->joint[layer], before_ns);
	}
	for (int layer = 0; layer < LAYERS; layer++) {
		tally_span_settle(&t->waits[layer], before_ns);
		tally_span_settle(&t->layers[layer], before_ns);
	}
	for (u32 i = 0; i < t->disks_n; i++) {
		struct disk_tally *d = t->disks[i];

		if (!d)
			continue;
		tally_span_settle(&d->all, before_ns);
		for (int op = 0; op < DEVICE_OPS; op++)
			tally_span_settle(&d->spans[op], before_ns);
	}
}

static void set_span(struct sum *to, const struct tally_span *s, u64 elapsed_ns)
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
		set_span(&ops[op], &t->call_spans[layer][op], m->elapsed_ns);
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
		counts_add_to(&t->ops[op].counts, &d->ops[op]);
		set_span(&d->ops[op], &t->spans[op], m->elapsed_ns);
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
	for (int layer = 0; layer < LAYERS; layer++) {
		set_span(&m->layers[layer], &t->layers[layer], elapsed_ns);
		sum_set_wait(&m->layers[layer], t->waits[layer].cover.settled_ns);
	}
	m->app_device_ns = t->joint[LAYER_APP].cover.settled_ns;
	m->vfs_device_ns = t->joint[LAYER_VFS].cover.settled_ns;
	return m;
}
