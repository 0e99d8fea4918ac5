// SPDX-License-Identifier: GPL-2.0-or-later
/* Plots maps of the accesses. Columns are times. Rows are latencies or, for a disk or file,
 * offsets. A cell's colour shows the number of accesses (struct grid). */
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/base/plot.h"
#include "tools/report/html.h"

#define MAPS_MOST 8
/* If all offsets of a map are close together, axis labels that count from 0 would look equal. So
 * the labels count from the lowest offset. Offsets are close together if the lowest is at least
 * CLOSE times the range, such as 1 TB for a range of 1 GB. */
#define CLOSE 1000

/* Returns rows @first to @end - 1 of @g as an image. Sets *@most to the largest number in a cell,
 * or to 1 if that is larger. */
static struct plot_image grid_image(const struct grid *g, u32 first, u32 end, u32 *most)
{
	struct plot_image i = plot_image_new(g->columns, end - first);

	*most = 1;
	for (u32 row = first; row < end; row++)
		for (u32 c = 0; c < g->columns; c++) {
			u32 n = grid_cell(g, c, row);

			if (n)
				i.cells[(row - first) * i.columns + c] = n;
			*most = n > *most ? n : *most;
		}
	return i;
}

static void counts_scale(FILE *script, u32 most)
{
	fprintf(script,
		PLOT_PALETTE "set logscale cb\nset cbrange [1:%u]\n"
			     "set format cb '%%.0s %%c'\nunset key\n",
		most > 10 ? most : 10);
}

static void plot_grid(FILE *script, const struct grid *g, u32 first, u32 end,
		      const struct time_axis *x, double y0, double dy)
{
	double dx = g->width_ns / x->ns;
	u32 most;
	struct plot_image i = grid_image(g, first, end, &most);

	counts_scale(script, most);
	plot_image(script, &i, dx / 2, dx, y0, dy);
}

/* Prints gnuplot tics at powers of ten. Four rows of the map cover a factor of two. */
static void latency_tics(FILE *script, u32 first, u32 end)
{
	static const char *const labels[] = {
		"1 ns",	 "10 ns",  "100 ns", "1 us", "10 us", "100 us", "1 ms",
		"10 ms", "100 ms", "1 s",    "10 s", "100 s", "1000 s",
	};
	const char *between = "set ytics (";
	/* lowest row at which the next label does not overlap the previous label */
	double free = 0;
	u64 ns = 1;

	for (size_t i = 0; i < sizeof(labels) / sizeof(*labels); i++, ns *= 10) {
		double at = hist_index(ns) / 4.0;

		if (at < first || at > end || at < free)
			continue;
		free = at + (end - first) / 12.0;
		fprintf(script, "%s'%s' %.15g", between, labels[i], at);
		between = ", ";
	}
	fprintf(script, *between == ',' ? ")\n" : "unset ytics\n");
}

static int plot_latencies(FILE *f, const struct report_run *r, int layer)
{
	const struct grid *g = &r->picture->latencies[layer];
	struct time_axis x = time_axis(r->elapsed_ns);
	char title[64];
	struct plot p;
	FILE *script;
	u32 first, end;

	if (!g->columns)
		return 0;
	/* The axis extends about a decade beyond the values on each side, so that it has labels. */
	first = g->first > 13 ? g->first - 13 : 0;
	end = g->last + 14 < LATENCY_ROWS ? g->last + 14 : LATENCY_ROWS;
	snprintf(title, sizeof(title), "%s: latencies, number of accesses", layer_names[layer]);
	script = plot_begin(&p, 300, title);
	if (!script)
		return -EIO;
	time_axis_commands(script, &x);
	fprintf(script, "set yrange [%u:%u]\n", first, end);
	latency_tics(script, first, end);
	plot_grid(script, g, first, end, &x, first + 0.5, 1);
	return plot_end(&p, f);
}

/* Returns the title of a map of offsets. If @from is not 0, the labels of the axis count from
 * offset @from, so the title contains @from. */
static char *offsets_title(const struct report_run *r, const struct offset_map *m, u64 from)
{
	char *name = names_title(&r->input.names, m->kind, m->number), *title;

	title = from ?
		need_text("%s: offsets on %.100s from %llu, number of accesses",
			  layer_names[m->layer], name, (unsigned long long)from) :
		need_text("%s: offsets on %.100s, number of accesses", layer_names[m->layer], name);
	free(name);
	return title;
}

static int plot_offsets(FILE *f, const struct report_run *r, const struct offset_map *m)
{
	const struct grid *g = &m->grid;
	struct time_axis x = time_axis(r->elapsed_ns);
	u32 first = (g->first - g->low) / g->height, end = (g->last - g->low) / g->height + 1;
	u64 from = g->low + first * g->height;
	double low = 0, high = (double)(end - first) * g->height;
	struct plot p;
	FILE *script;
	char *title;

	if (high > from / CLOSE) {
		low += from;
		high += from;
		from = 0;
	}
	title = offsets_title(r, m, from);
	script = plot_begin(&p, 300, title);
	free(title);
	if (!script)
		return -EIO;
	time_axis_commands(script, &x);
	plot_scale(script, "y", low, high, true);
	plot_grid(script, g, first, end, &x, low + g->height / 2.0, g->height);
	return plot_end(&p, f);
}

/* Sorts maps for display: disks before files. Among disks, and among files, the maps with the most
 * accesses come first. */
static int by_accesses(const void *a, const void *b)
{
	const struct offset_map *x = *(struct offset_map *const *)a;
	const struct offset_map *y = *(struct offset_map *const *)b;

	if (x->kind != y->kind)
		return (x->kind > y->kind) - (x->kind < y->kind);
	return (x->accesses < y->accesses) - (x->accesses > y->accesses);
}

/* Returns true if @m is a map of the app layer, and the vfs layer has a map of the same file. Such
 * a map is not shown, because most app accesses also reach the vfs layer. */
static bool is_shown_below(const struct picture *p, const struct offset_map *m)
{
	for (u32 i = 0; i < p->maps_n; i++)
		if (m->layer == LAYER_APP && p->maps[i]->kind == m->kind &&
		    p->maps[i]->number == m->number && p->maps[i]->layer == LAYER_VFS)
			return true;
	return false;
}

static int plot_all_offsets(FILE *f, const struct report_run *r)
{
	struct picture *p = r->picture;
	u32 shown = 0, left = 0;
	int ret = 0;

	if (p->maps_n)
		qsort(p->maps, p->maps_n, sizeof(*p->maps), by_accesses);
	for (u32 i = 0; i < p->maps_n && !ret; i++) {
		if (is_shown_below(p, p->maps[i]))
			continue;
		if (shown < MAPS_MOST)
			ret = plot_offsets(f, r, p->maps[i]);
		left += shown++ >= MAPS_MOST;
	}
	if (p->more_maps || left)
		fprintf(f, "<p>Offsets of only %d disks and files, of %s%u.</p>\n", MAPS_MOST,
			p->more_maps ? "more than " : "", shown);
	return ret;
}

int html_maps(FILE *f, const struct report_run *r)
{
	int ret = 0;

	for (int layer = 0; layer < LAYERS && !ret; layer++)
		ret = plot_latencies(f, r, layer);
	return ret ? ret : plot_all_offsets(f, r);
}
