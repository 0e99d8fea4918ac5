/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What plots of a trace are made of: gathered in the one pass, in memory that does not
 * grow with its length. */
#ifndef IOSPAN_PICTURE_H
#define IOSPAN_PICTURE_H

#include "tools/report/grid.h"
#include "tools/input/input.h"
#include "tools/report/timeline.h"

#define PICTURE_COLUMNS 1024
#define PICTURE_MAPS 32	  /* disks and files that are looked at, for a map of offsets */
#define PICTURE_BARS 1000 /* processes that are followed */
#define SIZE_CLASSES 65	  /* 0, then powers of two: 1, 2 to 3, 4 to 7 ... */

/* Offsets on one disk, or in one file at one layer. */
struct offset_map {
	u32 kind, number; /* its name */
	u8 layer;
	u64 accesses;
	struct grid grid;
};

/* When a process had something in flight, at a layer. */
struct bar {
	u32 process;
	u8 layer;
	struct timeline busy;
};

struct picture {
	const struct names *names;
	u64 begin_ns;
	struct timeline layers[LAYERS];
	struct grid latencies[LAYERS]; /* rows: buckets of bpf/buckets.h, four in one */
	struct offset_map *maps[PICTURE_MAPS];
	u32 maps_n;
	struct bar *bars[PICTURE_BARS * LAYERS]; /* by process and layer; NULL: none */
	bool more_maps, more_bars;		 /* there was no room for all */
	u64 sizes[LAYERS][2][SIZE_CLASSES];	 /* accesses, by read and write */
};
#define LATENCY_ROWS (HIST_BUCKETS / 4)

struct picture *picture_new(void);
void picture_free(struct picture *p);
void picture_begin(struct picture *p, u64 begin_ns, const struct names *names);

void picture_batch(struct picture *p, const struct piece *piece);
void picture_span(struct picture *p, int layer, u64 start_ns, u64 end_ns);
void picture_busy(struct picture *p, u32 process, int layer, u64 start_ns, u64 end_ns);
void picture_finish(struct picture *p);

#endif
