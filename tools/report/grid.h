/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A grid counts accesses by their time (columns) and by a value such as the latency (rows). If a
 * time is outside of the grid, all columns become wider. If a value is in no row, a grid that grows
 * moves its rows, or makes them higher. In other grids, the top row counts all greater values. */
#ifndef IOSPAN_GRID_H
#define IOSPAN_GRID_H

#include <stdbool.h>
#include "bpf/types.h"

#define GRID_COLUMNS 1024 /* maximum number of columns; if more are needed, all become wider */

struct grid {
	/* .begin_ns: start of the first column. .width_ns: width of a column. */
	u64 begin_ns, width_ns;
	/* .low: smallest value of the first row. .height: size of the range of values that a row
	 * covers. */
	u64 low, height;
	u64 first, last;   /* smallest and greatest value that was added so far */
	u32 columns, rows; /* .columns: number of columns in use. .rows: number of rows. */
	/* true: if a value is in no row, the rows move or .height doubles. false: the top row also
	 * counts all greater values. */
	bool grows;
	u32 *cells; /* numbers of accesses, indexed by column * rows + row */
};

void grid_init(struct grid *g, u64 begin_ns, u32 rows, bool grows);
void grid_release(struct grid *g);
void grid_add(struct grid *g, u64 ns, u64 value);

/* Doubles the width of the columns until there are at most @columns columns, and each is at least
 * @width_ns wide. If g->grows is set, also doubles the height of the rows until the values need at
 * most @rows rows. @rows must be greater than 1. */
void grid_narrow(struct grid *g, u32 columns, u64 width_ns, u32 rows);

static inline u32 grid_cell(const struct grid *g, u32 column, u32 row)
{
	return g->cells[column * g->rows + row];
}

#endif
