// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/report/picture.h"
#include "tools/report/tally.h"

#include <stdlib.h>

#include "user/base/err.h"

struct picture *picture_new(void)
{
	return need(calloc(1, sizeof(struct picture)));
}

void picture_free(struct picture *p)
{
	if (!p)
		return;
	for (int layer = 0; layer < LAYERS; layer++) {
		timeline_release(&p->layers[layer]);
		grid_release(&p->latencies[layer]);
	}
	for (u32 i = 0; i < p->maps_n; i++) {
		grid_release(&p->maps[i]->grid);
		free(p->maps[i]);
	}
	for (u32 process = 0; process < PICTURE_BARS; process++)
		for (int layer = 0; layer < LAYERS; layer++)
			timeline_release(&p->bars[process][layer]);
	free(p);
}

static void begin_timeline(struct timeline *t, u64 begin_ns)
{
	timeline_init(t, begin_ns, 1, PICTURE_COLUMNS, true);
}

void picture_begin(struct picture *p, u64 begin_ns)
{
	p->begin_ns = begin_ns;
	for (int layer = 0; layer < LAYERS; layer++) {
		begin_timeline(&p->layers[layer], begin_ns);
		grid_init(&p->latencies[layer], begin_ns, LATENCY_ROWS, false);
		for (u32 process = 0; process < PICTURE_BARS; process++)
			begin_timeline(&p->bars[process][layer], begin_ns);
	}
}

struct timeline *picture_bar(struct picture *p, u32 process, int layer)
{
	return process < PICTURE_BARS ? &p->bars[process][layer] : NULL;
}

static struct offset_map *find_map(struct picture *p, u32 kind, u32 number, u8 layer)
{
	struct offset_map *m;

	for (u32 i = 0; i < p->maps_n; i++) {
		m = p->maps[i];
		if (m->kind == kind && m->number == number && m->layer == layer)
			return m;
	}
	if (p->maps_n == PICTURE_MAPS) {
		p->more_maps = true;
		return NULL;
	}
	m = p->maps[p->maps_n++] = need(calloc(1, sizeof(*m)));
	m->kind = kind;
	m->number = number;
	m->layer = layer;
	grid_init(&m->grid, p->begin_ns, 256, true);
	return m;
}

static u64 final_ns(const struct trace_batch *b, u32 i)
{
	return b->end_ns[i] ? b->end_ns[i] - 1 : 0;
}

static void map_offset(struct picture *p, const struct trace_stream *s, const struct trace_batch *b,
		       u32 i)
{
	bool disk = s->layer == LAYER_DEVICE;
	struct offset_map *m;

	if (!b->offset || b->offset[i] == TRACE_NO_OFFSET || (!disk && !s->file))
		return;
	m = find_map(p, disk ? TRACE_DISK : TRACE_FILE, disk ? s->disk : s->file, s->layer);
	if (!m)
		return;
	m->accesses++;
	grid_add(&m->grid, final_ns(b, i), b->offset[i]);
}

static u32 size_class(u64 bytes)
{
	return bytes ? hist_log2(bytes) + 1 : 0;
}

static void draw_access(struct picture *p, const struct op_tally *o, const struct trace_batch *b,
			u32 i)
{
	u8 flags = b->flags[i];

	timeline_access(&p->layers[o->layer], b, i);
	if (flags & TRACE_PART)
		return;
	p->sizes[o->layer][o->op][size_class(b->bytes[i])]++;
	if (!(flags & COUNTS_UNTIMED))
		grid_add(&p->latencies[o->layer], final_ns(b, i),
			 hist_index(access_latency_ns(b, i)) / 4);
}

void picture_batch(struct picture *p, const struct input_batch *batch)
{
	const struct trace_batch *b = batch->accesses;

	for (u32 i = 0; i < b->n; i++) {
		const struct op_tally *o = batch->streams->slots[TALLY_SLOT][b->stream[i]];

		if (o->op > OP_WRITE)
			continue;
		if (!(b->flags[i] & TRACE_PART))
			map_offset(p, &batch->streams->list[b->stream[i]], b, i);
		if (op_tally_is_in_total(o))
			draw_access(p, o, b, i);
	}
}

void picture_finish(struct picture *p)
{
	for (int layer = 0; layer < LAYERS; layer++)
		timeline_finish(&p->layers[layer]);
}
