/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gathers the data for the plots of a report in bounded memory: maps (numbers of accesses by time
 * and latency, or by time and offset), bars of processes, access sizes. A bar shows the times in
 * which a process had accesses in flight. */
#ifndef IOSPAN_PICTURE_H
#define IOSPAN_PICTURE_H

#include "tools/report/grid.h"
#include "tools/input/input.h"
#include "tools/report/timeline.h"

#define PICTURE_COLUMNS 1024
/* maximum number of offset maps; when it is reached, further disks and files get no map */
#define PICTURE_MAPS 32
#define PICTURE_BARS 1000 /* maximum number of bars; further processes get no bar */
#define SIZE_CLASSES 65	  /* number of classes of access sizes: 0, 1, 2 to 3, 4 to 7, ... bytes */

/* Map of the accesses by time and offset, for one disk, or for one file at one layer. */
struct offset_map {
	u32 kind, number; /* kind of the entity (disk or file), and the number of its name */
	u8 layer;
	u64 accesses;
	struct grid grid;
};

struct picture {
	u64 begin_ns;
	struct timeline layers[LAYERS];
	/* Maps by time and latency, one for each layer. A row of a map has the accesses of four
	 * adjacent buckets of the latency histogram (bpf/buckets.h). */
	struct grid latencies[LAYERS];
	struct offset_map *maps[PICTURE_MAPS];
	u32 maps_n;
	/* true if some disks or files have no map, because there are already PICTURE_MAPS maps */
	bool more_maps;
	struct timeline bars[PICTURE_BARS][LAYERS];
	/* number of accesses by layer, operation (OP_READ or OP_WRITE) and size class */
	u64 sizes[LAYERS][2][SIZE_CLASSES];
};
#define LATENCY_ROWS (HIST_BUCKETS / 4)

struct picture *picture_new(void);
void picture_free(struct picture *p);
void picture_begin(struct picture *p, u64 begin_ns);

/* Returns T (the time with accesses in flight) in slices of time, for process number @process at
 * @layer. Returns NULL if @process is at least PICTURE_BARS. The timeline belongs to @p. */
struct timeline *picture_bar(struct picture *p, u32 process, int layer);

/* Adds the accesses of a batch. Before, the caller stores the result of tally_op() for each stream
 * i in batch->streams->slots[TALLY_SLOT][i]. */
void picture_batch(struct picture *p, const struct input_batch *batch);

void picture_finish(struct picture *p);

#endif
