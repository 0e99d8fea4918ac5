// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads a trace twice. The first reading sums all layers, and chooses the layer to replay. The
 * second reading stores the accesses of that layer. */
#include "bench/replay/replay-read.h"

#include <stdlib.h>
#include <string.h>

#include "bench/load/load.h"
#include "bench/replay/replay-order.h"
#include "tools/input/input.h"
#include "user/base/err.h"
#include "user/base/out-read.h"
#include "user/base/signals.h"
#include "user/metric/measurement.h"
#include "user/metric/span.h"
#include "user/trace/trace-read.h"

/* alignment of the regions of the target, in bytes */
#define REGION_ALIGN (1ULL << 20)
#define TARGET_MOST (1ULL << 62)

struct reading {
	struct replay *r;
	struct input in;
	/* to compute T of each layer: the time in which a read or write was in flight */
	struct cover covers[LAYERS + 1];
	/* to compute W of each layer: the time in which a read, write, sync or flush was in
	 * flight */
	struct cover waits[LAYERS + 1];
	/* Converts the number of a process in in.names: processes[number] - 1 is its index in
	 * r->processes. 0: the process has no index. */
	u32 *processes;
	/* Converts the number of a file or disk in in.names: regions[number] - 1 is its index in
	 * r->regions. 0: the file or disk has no index. */
	u32 *regions;
	/* .room: number of elements of r->accesses. .processes_room and .regions_room: numbers of
	 * elements of .processes and .regions. */
	u64 room;
	u32 processes_room, regions_room;
	/* true: the trace needs more room than at the first reading, so it has changed meanwhile */
	bool changed;
};

static enum fate fate_of(const struct trace_stream *s, const struct trace_batch *b, u32 i)
{
	if (b->flags[i] & TRACE_PART || s->op >= OP_OPEN)
		return FATE_NONE;
	if (s->op == OP_DISCARD || s->op == OP_OTHER)
		return FATE_OPERATION;
	if (b->flags[i] & TRACE_FAILED)
		return FATE_FAILED;
	if (b->flags[i] & (TRACE_UNTIMED | TRACE_UNSPANNED))
		return FATE_UNTIMED;
	if (s->op > OP_WRITE)
		return FATE_REPLAYED;
	if (!b->bytes[i])
		return FATE_EMPTY;
	if (b->bytes[i] > REPLAY_MOST_BYTES)
		return FATE_LARGE;
	if (s->layer != LAYER_DEVICE && !s->file)
		return FATE_UNPLACED;
	return b->offset[i] < TARGET_MOST ? FATE_REPLAYED : FATE_UNPLACED;
}

static void settle(struct reading *g, int layer, u64 before_ns)
{
	cover_settle(&g->covers[layer], before_ns, NULL, NULL);
	cover_settle(&g->waits[layer], before_ns, NULL, NULL);
}

static int each_access(struct reading *g,
		       void (*fn)(struct reading *g, const struct trace_stream *s,
				  const struct trace_batch *b, u32 i))
{
	struct input_batch batch;
	int ret;

	while ((ret = input_next(&g->in, &batch)) > 0) {
		const struct trace_batch *b = batch.accesses;

		for (u32 i = 0; i < b->n; i++)
			fn(g, &batch.streams->list[b->stream[i]], b, i);
		for (int layer = 0; layer <= STACKED; layer++)
			settle(g, layer, batch.before_ns);
		if (signals_pending())
			return -EINTR;
	}
	return ret;
}

static void sum_access(struct reading *g, int layer, const struct trace_batch *b, u32 i)
{
	struct row *row = &g->r->recorded[layer].row;
	u8 flags = b->flags[i];

	if (!(flags & TRACE_UNSPANNED))
		cover_add(&g->covers[layer], b->start_ns[i], b->end_ns[i]);
	if (flags & TRACE_PART)
		return;
	if (flags & (TRACE_UNTIMED | TRACE_UNSPANNED)) {
		row->accesses++;
		row->bytes += b->bytes[i];
	} else {
		row_add(row, b->bytes[i], b->held_ns[i] ?: b->end_ns[i] - b->start_ns[i]);
	}
	row->errors += !!(flags & TRACE_FAILED);
}

static void count_access(struct reading *g, const struct trace_stream *s,
			 const struct trace_batch *b, u32 i)
{
	int layer = input_is_stacked(&g->in, s) ? STACKED : s->layer;
	enum fate fate = fate_of(s, b, i);

	g->r->fates[layer][fate]++;
	if ((s->op <= OP_WRITE || s->op == OP_SYNC || s->op == OP_FLUSH) &&
	    !(b->flags[i] & TRACE_UNSPANNED))
		cover_add(&g->waits[layer], b->start_ns[i], b->end_ns[i]);
	if (s->op > OP_WRITE)
		return;
	sum_access(g, layer, b, i);
	g->r->seen[layer] += fate != FATE_NONE;
	g->r->transfers[layer] += fate == FATE_REPLAYED;
}

static void use_stacked(struct reading *g)
{
	struct cover unused = g->covers[LAYER_DEVICE], no_waits = g->waits[LAYER_DEVICE];
	struct replay *r = g->r;

	r->stacked = !r->seen[LAYER_DEVICE] && r->seen[STACKED];
	if (!r->stacked)
		return;
	r->seen[LAYER_DEVICE] = r->seen[STACKED];
	r->transfers[LAYER_DEVICE] = r->transfers[STACKED];
	memcpy(r->fates[LAYER_DEVICE], r->fates[STACKED], sizeof(r->fates[STACKED]));
	r->recorded[LAYER_DEVICE] = r->recorded[STACKED];
	g->covers[LAYER_DEVICE] = g->covers[STACKED];
	g->covers[STACKED] = unused;
	g->waits[LAYER_DEVICE] = g->waits[STACKED];
	g->waits[STACKED] = no_waits;
}

static void add_loss(void *arg, const char *key, const struct out *value)
{
	struct replay *r = arg;
	char *text;
	u64 n;

	if (!out_u64_of(value, &n) || !n)
		return;
	r->losses += n;
	text = loss_text(key, n);
	warn("'%s': %s", r->path, text);
	free(text);
}

static void note_file(void *arg, const char *path, const struct trace_reader *reader)
{
	const struct trace_state *s = trace_state(reader);
	struct replay *r = arg;

	out_each(out_get(trace_sums(reader), "losses"), add_loss, r);
	r->damaged |= !s->whole || s->bad_chunks || s->unknown || s->ignored_bytes;
}

static int lowest_layer(const u64 of[LAYERS])
{
	int layer = LAYER_DEVICE;

	while (layer >= 0 && !of[layer])
		layer--;
	return layer;
}

static int choose_layer(struct replay *r)
{
	int with = lowest_layer(r->transfers);

	if (lowest_layer(r->seen) < 0)
		return error(-ENODATA, "'%s' has no reads or writes", r->path);
	if (with < 0)
		return error(-ENODATA,
			     "'%s' has no offsets and times, so it cannot be replayed; record the "
			     "job with 'iospan record'",
			     r->path);
	if (r->layer < 0)
		r->layer = with;
	if (r->transfers[r->layer])
		return 0;
	return error(-ENODATA,
		     "'%s' has no reads or writes with offsets at layer %s; use --layers %s",
		     r->path, layer_names[r->layer], layer_names[with]);
}

/* Returns the index for name @number. The first call for a name gives it the next index, *@n. */
static u32 index_of(u32 *indexes, u32 number, u32 *n)
{
	if (!indexes[number])
		indexes[number] = ++*n;
	return indexes[number] - 1;
}

/* Returns the index of the worker for process @number of the trace. At the device layer, all
 * accesses have one worker, because processes depend on each other there: a program waits for the
 * journal and for writeback, and these wait for the program. */
static u32 worker_of(struct reading *g, u32 number)
{
	return index_of(g->processes, g->r->layer == LAYER_DEVICE ? 0 : number, &g->r->processes_n);
}

static u32 region_kind(const struct replay *r)
{
	return r->layer == LAYER_DEVICE ? TRACE_DISK : TRACE_FILE;
}

static u32 region_of(struct reading *g, u32 number)
{
	struct replay *r = g->r;
	u32 before = r->regions_n, region = index_of(g->regions, number, &r->regions_n);

	if (region == before)
		r->regions[region].name = names_title(&g->in.names, region_kind(r), number);
	return region;
}

/* Returns true if the replay leaves out the accesses of @s because their disk is stacked, or
 * because it is not: see replay.stacked. */
static bool is_left_to_others(const struct reading *g, const struct trace_stream *s)
{
	return s->layer == LAYER_DEVICE && input_is_stacked(&g->in, s) != g->r->stacked;
}

/* Stores the access. Until place_accesses() runs, .think_ns of a read or write contains the index
 * of its region. */
static void store_access(struct reading *g, const struct trace_stream *s,
			 const struct trace_batch *b, u32 i)
{
	struct replay *r = g->r;
	u32 place = region_kind(r) == TRACE_DISK ? s->disk : s->file;
	struct replay_access *a = &r->accesses[r->n];
	struct replay_region *region;

	if (s->layer != r->layer || is_left_to_others(g, s) || fate_of(s, b, i) != FATE_REPLAYED)
		return;
	g->changed |= r->n == g->room || s->process >= g->processes_room ||
		place >= g->regions_room;
	if (g->changed)
		return;
	*a = (struct replay_access){
		.start_ns = b->start_ns[i],
		.end_ns = b->end_ns[i],
		.op = s->op > OP_WRITE ? OP_SYNC : s->op,
		.process = worker_of(g, s->process),
	};
	r->n++;
	r->syncs += a->op == OP_SYNC;
	if (a->op == OP_SYNC)
		return;
	a->offset = b->offset[i];
	a->bytes = b->bytes[i];
	a->think_ns = region_of(g, place);
	region = &r->regions[a->think_ns];
	if (a->offset + a->bytes > region->bytes)
		region->bytes = a->offset + a->bytes;
	r->alignment |= a->offset | a->bytes;
	r->written_bytes += a->op == OP_WRITE ? a->bytes : 0;
}

/* Chooses the offset of each region in the target, and adds it to the offsets of the region's
 * accesses. */
static int place_accesses(struct replay *r)
{
	for (u32 i = 0; i < r->regions_n; i++) {
		r->regions[i].offset = (r->bytes + REGION_ALIGN - 1) & ~(REGION_ALIGN - 1);
		r->bytes = r->regions[i].offset + r->regions[i].bytes;
		if (r->bytes > TARGET_MOST)
			return error(-EFBIG, "the files of '%s' are too large for one target",
				     r->path);
	}
	for (u64 i = 0; i < r->n; i++)
		if (r->accesses[i].op != OP_SYNC)
			r->accesses[i].offset += r->regions[r->accesses[i].think_ns].offset;
	return 0;
}

static int store(struct reading *g)
{
	struct replay *r = g->r;
	u64 n = r->fates[r->layer][FATE_REPLAYED];
	int ret = load_check_memory(n * (sizeof(*r->accesses) + 2 * sizeof(u64)), "the accesses",
				    REPLAY_ADVICE);

	if (!ret && n > UINT32_MAX)
		ret = error(-E2BIG, "'%s' has more than 2^32 accesses; use --from and --to",
			    r->path);
	if (ret)
		return ret;
	g->room = n;
	g->processes_room = g->in.names.n[TRACE_PROCESS] + 1;
	g->regions_room = g->in.names.n[region_kind(r)] + 1;
	/* one element more, because store_access() forms a pointer to it even if it stores
	 * nothing */
	r->accesses = need(calloc(n + 1, sizeof(*r->accesses)));
	g->processes = need(calloc(g->processes_room, sizeof(u32)));
	g->regions = need(calloc(g->regions_room, sizeof(u32)));
	r->regions = need(calloc(g->regions_room, sizeof(*r->regions)));
	g->in.done = NULL;
	ret = input_rewind(&g->in) ?: each_access(g, store_access);
	if (!ret && (g->changed || r->n != g->room))
		ret = error(-EAGAIN,
			    "'%s' changed while it was read; replay it when it is complete",
			    r->path);
	if (!ret)
		ret = place_accesses(r);
	if (!ret)
		replay_order(r);
	free(g->processes);
	free(g->regions);
	return ret;
}

int replay_read(struct replay *r)
{
	struct reading g = { .r = r, .in = { .filter = r->filter, .done = note_file, .arg = r } };
	char *const paths[] = { (char *)r->path };
	const s64 none = 0;
	int ret =
		input_open(&g.in, paths, 1, &none, TRACE_OFFSET | TRACE_HELD, r->from_ns, r->to_ns);

	if (!ret)
		ret = each_access(&g, count_access);
	use_stacked(&g);
	if (!ret)
		ret = input_check_matches(&g.in) ?: choose_layer(r) ?: store(&g);
	for (int layer = 0; layer <= STACKED; layer++) {
		sum_set_span(&r->recorded[layer], cover_total_ns(&g.covers[layer]), r->elapsed_ns);
		sum_set_wait(&r->recorded[layer], cover_total_ns(&g.waits[layer]));
		cover_release(&g.covers[layer]);
		cover_release(&g.waits[layer]);
	}
	input_close(&g.in);
	return ret;
}

void replay_release(struct replay *r)
{
	for (u32 i = 0; i < r->regions_n; i++)
		free(r->regions[i].name);
	free(r->regions);
	free(r->accesses);
	free(r->ended);
	free(r->processes);
}
