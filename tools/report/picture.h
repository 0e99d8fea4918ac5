/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data of the plots, gathered in one pass over the accesses, in bounded memory. */
#ifndef IOSPAN_PICTURE_H
#define IOSPAN_PICTURE_H

#include "tools/report/grid.h"
#include "tools/input/input.h"
#include "tools/report/timeline.h"

#define PICTURE_COLUMNS 1024
#define PICTURE_MAPS 32	  /* maps of offsets: the first disks and files */
#define PICTURE_BARS 1000 /* the first processes */
#define SIZE_CLASSES 65	  /* 0 bytes, 1, 2 to 3, 4 to 7, ... */

/* Offsets on one disk, or in one file at one layer. */
struct offset_map {
	u32 kind, number; /* kind and number of its name */
	u8 layer;
	u64 accesses;
	struct grid grid;
};

struct picture {
	u64 begin_ns;
	struct timeline layers[LAYERS];
	struct grid latencies[LAYERS]; /* a row is four buckets of bpf/buckets.h */
	struct offset_map *maps[PICTURE_MAPS];
	u32 maps_n;
	bool more_maps;				    /* there are further disks or files */
	struct timeline bars[PICTURE_BARS][LAYERS]; /* T of a process */
	u64 sizes[LAYERS][2][SIZE_CLASSES];	    /* reads and writes */
};
#define LATENCY_ROWS (HIST_BUCKETS / 4)

struct picture *picture_new(void);
void picture_free(struct picture *p);
/* Call it before the first batch. */
void picture_begin(struct picture *p, u64 begin_ns);

/* Returns the timeline for T of a process at a layer, or NULL beyond PICTURE_BARS. */
struct timeline *picture_bar(struct picture *p, u32 process, int layer);

/* Adds a batch; slot TALLY_SLOT of its streams is in use. */
void picture_batch(struct picture *p, const struct input_batch *batch);

/* Call it after the last batch. */
void picture_finish(struct picture *p);

#endif
