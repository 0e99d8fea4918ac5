/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The number of accesses by time and by value, in cells that are widened as needed. */
#ifndef IOSPAN_GRID_H
#define IOSPAN_GRID_H

#include <stdbool.h>
#include "bpf/types.h"

#define GRID_COLUMNS 1024 /* most columns; widening leaves half of them */

struct grid {
	u64 begin_ns, width_ns; /* start of the first column; width of each */
	u64 low, height;	/* value at the bottom; height of a row */
	u64 first, last;	/* least and greatest value so far */
	u32 columns, rows;	/* columns in use; all rows */
	bool grows;		/* @height doubles as needed; else the top row has the excess */
	u32 *cells;		/* [column * rows + row] */
};

void grid_init(struct grid *g, u64 begin_ns, u32 rows, bool grows);
void grid_release(struct grid *g);
void grid_add(struct grid *g, u64 ns, u64 value);

/* Doubles the width of columns, and the height of rows if @grows, until there are at most @columns,
 * each of at least @width_ns, and at most @rows. @rows > 1. */
void grid_narrow(struct grid *g, u32 columns, u64 width_ns, u32 rows);

static inline u32 grid_cell(const struct grid *g, u32 column, u32 row)
{
	return g->cells[column * g->rows + row];
}

#endif
