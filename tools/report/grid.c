// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts accesses in the cells of a grid. Columns are times, rows are values such as the latency.
 * Columns and rows adapt to the values that are added. */
#include "tools/report/grid.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"

void grid_init(struct grid *g, u64 begin_ns, u32 rows, bool grows)
{
	*g = (struct grid){ .begin_ns = begin_ns,
			    .width_ns = 1,
			    .height = 1,
			    .rows = rows,
			    .grows = grows,
			    .first = ~0ULL };
}

void grid_release(struct grid *g)
{
	free(g->cells);
}

static void halve_columns(struct grid *g)
{
	u32 n = (g->columns + 1) / 2;

	for (u32 c = 0; c < n; c++)
		for (u32 row = 0; row < g->rows; row++) {
			u32 sum = grid_cell(g, 2 * c, row);

			if (2 * c + 1 < g->columns)
				sum += grid_cell(g, 2 * c + 1, row);
			g->cells[c * g->rows + row] = sum;
		}
	memset(g->cells + n * g->rows, 0, (g->columns - n) * g->rows * sizeof(*g->cells));
	g->columns = n;
	g->width_ns *= 2;
}

/* Changes the bottom value and the height of the rows. Rows start at multiples of their height, so
 * no old row is divided between two new rows. */
static void remap(struct grid *g, u64 low, u64 height)
{
	u32 *column = need(malloc(g->rows * sizeof(*column)));

	low -= low % height;
	for (u32 c = 0; c < g->columns; c++) {
		memset(column, 0, g->rows * sizeof(*column));
		for (u32 row = 0; row < g->rows; row++) {
			u64 value = g->low + row * g->height;

			if (grid_cell(g, c, row))
				column[(value - low) / height] += grid_cell(g, c, row);
		}
		memcpy(g->cells + c * g->rows, column, g->rows * sizeof(*column));
	}
	free(column);
	g->low = low;
	g->height = height;
}

/* Moves the rows or makes them higher, so that @value lies in one of them. */
static void fit_rows(struct grid *g, u64 value)
{
	u64 first = value < g->first ? value : g->first;
	u64 last = value > g->last ? value : g->last;
	u64 below;

	if (g->first > g->last) {
		g->low = value;
		return;
	}
	/* remap() rounds g->low down to a multiple of the height, so the values may need one row
	 * more. */
	while ((last - first) / g->height >= g->rows - 1)
		remap(g, g->first, 2 * g->height);
	if (first >= g->low && (last - g->low) / g->height < g->rows)
		return;
	/* Half of the free rows are placed below the values, because later values, such as offsets,
	 * may descend step by step. */
	below = (g->rows - 1 - (last - first) / g->height) / 2 * g->height;
	remap(g, first - (below < first ? below : first), g->height);
}

static u32 column_of(struct grid *g, u64 ns)
{
	u64 at = ns > g->begin_ns ? (ns - g->begin_ns) / g->width_ns : 0;

	while (at >= GRID_COLUMNS) {
		halve_columns(g);
		at /= 2;
	}
	if (at >= g->columns)
		g->columns = at + 1;
	return at;
}

void grid_add(struct grid *g, u64 ns, u64 value)
{
	u64 row;
	u32 column;

	if (!g->cells)
		g->cells = need(calloc(GRID_COLUMNS * g->rows, sizeof(*g->cells)));
	column = column_of(g, ns);
	if (g->grows)
		fit_rows(g, value);
	row = (value - g->low) / g->height;
	if (row >= g->rows)
		row = g->rows - 1;
	if (value < g->first)
		g->first = value;
	if (value > g->last)
		g->last = value;
	g->cells[column * g->rows + row]++;
}

void grid_narrow(struct grid *g, u32 columns, u64 width_ns, u32 rows)
{
	while (g->columns > columns || (g->columns && g->width_ns < width_ns))
		halve_columns(g);
	while (g->grows && g->columns && (g->last - g->first) / g->height >= rows - 1)
		remap(g, g->first, 2 * g->height);
}
