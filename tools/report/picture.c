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
	for (u32 i = 0; i < PICTURE_BARS * LAYERS; i++) {
		if (p->bars[i])
			timeline_release(&p->bars[i]->busy);
		free(p->bars[i]);
	}
	free(p);
}

void picture_begin(struct picture *p, u64 begin_ns, const struct names *names)
{
	p->names = names;
	p->begin_ns = begin_ns;
	for (int layer = 0; layer < LAYERS; layer++) {
		timeline_init(&p->layers[layer], begin_ns, 1, PICTURE_COLUMNS, true);
		grid_init(&p->latencies[layer], begin_ns, LATENCY_ROWS, false);
	}
}

/* ---- offsets ---- */

static struct offset_map *map_of(struct picture *p, u32 kind, u32 number, u8 layer)
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

static void map_offset(struct picture *p, const struct trace_stream *s, const struct trace_batch *b,
		       u32 i)
{
	bool disk = s->layer == LAYER_DEVICE;
	struct offset_map *m;

	if (!b->offset || b->offset[i] == TRACE_NO_OFFSET || (!disk && !s->file))
		return;
	m = map_of(p, disk ? TRACE_DISK : TRACE_FILE, disk ? s->disk : s->file, s->layer);
	if (!m)
		return;
	m->accesses++;
	grid_add(&m->grid, b->end_ns[i] ? b->end_ns[i] - 1 : 0, b->offset[i]);
}

/* ---- accesses ---- */

static u32 size_class(u64 bytes)
{
	return bytes ? hist_log2(bytes) + 1 : 0;
}

static void draw(struct picture *p, const struct leaf *l, const struct trace_batch *b, u32 i)
{
	struct timeline *t = &p->layers[l->layer];
	u64 at = b->end_ns[i] ? b->end_ns[i] - 1 : 0;
	u8 flags = b->flags[i];
	struct slice *slice;

	if (!(flags & TRACE_UNSPANNED))
		timeline_flight(t, b->start_ns[i], b->end_ns[i]);
	if (flags & TRACE_PART)
		return;
	slice = timeline_end(t, b->end_ns[i]);
	slice->accesses++;
	slice->bytes += b->bytes[i];
	p->sizes[l->layer][l->op][size_class(b->bytes[i])]++;
	if (!(flags & COUNTS_UNTIMED))
		grid_add(&p->latencies[l->layer], at, hist_index(access_latency_ns(b, i)) / 4);
}

void picture_batch(struct picture *p, const struct piece *piece)
{
	const struct trace_batch *b = piece->batch;

	for (u32 i = 0; i < b->n; i++) {
		const struct leaf *l = piece->ways->slots[TALLY_SLOT][b->stream[i]];

		if (!l || l->op > OP_WRITE)
			continue;
		if (!(b->flags[i] & TRACE_PART))
			map_offset(p, &piece->ways->streams[b->stream[i]], b, i);
		if (!l->disk || !l->disk->stacked)
			draw(p, l, b, i);
	}
}

/* ---- T ---- */

void picture_span(struct picture *p, int layer, u64 start_ns, u64 end_ns)
{
	timeline_span(&p->layers[layer], start_ns, end_ns);
}

static struct bar *new_bar(struct picture *p, u32 process, u8 layer)
{
	struct bar *bar = need(calloc(1, sizeof(*bar)));

	bar->process = process;
	bar->layer = layer;
	timeline_init(&bar->busy, p->begin_ns, 1, PICTURE_COLUMNS, true);
	return bar;
}

void picture_busy(struct picture *p, u32 process, int layer, u64 start_ns, u64 end_ns)
{
	u32 at = process * LAYERS + layer;

	if (process >= PICTURE_BARS) {
		p->more_bars = true;
		return;
	}
	if (!p->bars[at])
		p->bars[at] = new_bar(p, process, layer);
	timeline_span(&p->bars[at]->busy, start_ns, end_ns);
}

void picture_finish(struct picture *p)
{
	for (int layer = 0; layer < LAYERS; layer++)
		timeline_finish(&p->layers[layer]);
}
