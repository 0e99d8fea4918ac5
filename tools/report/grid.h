/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many accesses were when and at which value: a map with few cells, each of which
 * stands for more when there is more to show. */
#ifndef IOSPAN_GRID_H
#define IOSPAN_GRID_H

#include <stdbool.h>
#include "bpf/types.h"

#define GRID_COLUMNS 1024 /* at most; more than half of them unless time is short */

struct grid {
	u64 begin_ns, width_ns; /* of a column */
	u64 low, height;	/* of the lowest row; of a row */
	u64 first, last;	/* least and greatest value so far */
	u32 columns, rows;	/* columns in use */
	bool grows;		/* height is doubled as needed; else higher ones are in the
				 * highest row */
	u32 *cells;		/* column by column */
};

void grid_init(struct grid *g, u64 begin_ns, u32 rows, bool grows);
void grid_release(struct grid *g);
void grid_add(struct grid *g, u64 ns, u64 value);

/* Wider columns and, in one that grows, higher rows: so that there are no more. @rows > 1. */
void grid_narrow(struct grid *g, u32 columns, u32 rows);

static inline u32 grid_cell(const struct grid *g, u32 column, u32 row)
{
	return g->cells[column * g->rows + row];
}

#endif
