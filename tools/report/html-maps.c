// SPDX-License-Identifier: GPL-2.0-or-later
/* Plots maps of the accesses. Columns are times. Rows are latencies or, for a disk or file,
 * offsets. A cell's colour shows the number of accesses (struct grid). */
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/base/plot.h"
#include "tools/report/html.h"
#include "user/base/err.h"

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

/* Returns the title of a map of offsets. If @from is not 0, the axis shows offsets minus @from, so
 * the title contains @from. */
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

/* Returns true if @m is a map of the app layer, and the vfs layer has a map of the same file. Then
 * @m is not shown, because most app accesses also reach the vfs layer. */
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

/* ---- a bar per process ---- */

#define BARS_MOST 40

struct bar {
	u32 process;
	const struct timeline *busy;
};

/* Returns the layer of the bars: the highest layer with data, because programs wait for this
 * layer. */
static int bars_layer(const struct report_run *r)
{
	int layer = 0;

	while (layer < LAYER_DEVICE && !r->picture->layers[layer].n)
		layer++;
	return layer;
}

static bool has_span(const struct by_entity *e)
{
	bool any = false;

	for (int layer = 0; layer < LAYERS; layer++)
		any |= e->rows[layer][BY_RW] && e->rows[layer][BY_RW]->span.cover.settled_ns;
	return any;
}

/* Goes through the processes in the order of --sort. Stores the first ones that have accesses at
 * @layer in @bars, and returns their number. Sets *@more to true if other processes also have
 * accesses. */
static u32 choose_bars(const struct report_run *r, int layer, struct bar *bars, bool *more)
{
	struct by_entity **list = by_sorted(&r->by[TRACE_PROCESS]);
	u32 n = 0;

	*more = false;
	for (struct by_entity **e = list; *e; e++) {
		u32 process = (*e)->number;
		const struct timeline *busy = picture_bar(r->picture, process, layer);

		if (busy ? !busy->n : !has_span(*e))
			continue;
		if (busy && n < BARS_MOST)
			bars[n++] = (struct bar){ process, busy };
		else
			*more = true;
	}
	free(list);
	return n;
}

static double first_busy_ns(const struct bar *bar)
{
	u32 i = 0;

	while (i < bar->busy->n && !bar->busy->slices[i].span_ns)
		i++;
	return (double)i * bar->busy->width_ns;
}

static int by_first_busy(const void *a, const void *b)
{
	double x = first_busy_ns(a);
	double y = first_busy_ns(b);

	return (x < y) - (x > y);
}

/* Sets @cells[c] to a fraction of the time of column c: the time in which the process had accesses
 * in flight. @width_ns is the width of a column, a multiple of the width of the slices in
 * bar->busy. */
static void set_bar(float *cells, const struct bar *bar, u64 width_ns, u32 columns)
{
	const struct timeline *t = bar->busy;
	u64 *busy = need(calloc(columns, sizeof(*busy)));

	for (u32 i = 0; i < t->n; i++)
		if (i * t->width_ns / width_ns < columns)
			busy[i * t->width_ns / width_ns] += t->slices[i].span_ns;
	for (u32 c = 0; c < columns; c++)
		if (busy[c])
			cells[c] = (double)busy[c] / width_ns;
	free(busy);
}

void html_shorten(char *name)
{
	size_t len = strlen(name);

	if (len <= HTML_NAME)
		return;
	memcpy(name + HTML_NAME / 2, "..", 2);
	memmove(name + HTML_NAME / 2 + 2, name + len - (HTML_NAME / 2 - 2), HTML_NAME / 2 - 1);
}

static void bar_tics(FILE *script, const struct report_run *r, const struct bar *bars, u32 n)
{
	fprintf(script, "set ytics (");
	for (u32 i = 0; i < n; i++) {
		char *name = names_title(&r->input.names, TRACE_PROCESS, bars[i].process);

		html_shorten(name);
		plot_tic(script, name, i);
		fputs(i + 1 < n ? ", " : ")\n", script);
		free(name);
	}
}

int html_bars(FILE *f, const struct report_run *r)
{
	struct bar bars[BARS_MOST];
	int layer = bars_layer(r);
	bool more;
	u32 n = choose_bars(r, layer, bars, &more), columns = 0;
	struct time_axis x = time_axis(r->elapsed_ns);
	u64 width_ns = 1;
	struct plot_image image;
	const struct metric *sort = r->by[TRACE_PROCESS].sort;
	char title[128], chosen[48] = "";
	struct plot p;
	FILE *script;

	if (!n)
		return 0;
	qsort(bars, n, sizeof(*bars), by_first_busy);
	for (u32 i = 0; i < n; i++)
		if (bars[i].busy->width_ns > width_ns)
			width_ns = bars[i].busy->width_ns;
	columns = r->elapsed_ns / width_ns + 1;
	if (more)
		snprintf(chosen, sizeof(chosen), " (the first %u by %s)", n,
			 sort ? sort->title : "name");
	snprintf(title, sizeof(title),
		 "%s: processes with accesses in flight, fraction of the time%s",
		 layer_names[layer], chosen);
	script = plot_begin(&p, 100 + 20 * n, title);
	if (!script)
		return -EIO;
	time_axis_commands(script, &x);
	fprintf(script,
		"set lmargin %d\nset yrange [-0.5:%u.5]\nunset key\nset cbrange "
		"[0:1]\n" PLOT_PALETTE "set cbtics 1\n",
		HTML_NAME + 2, n - 1);
	image = plot_image_new(columns, n);
	for (u32 i = 0; i < n; i++)
		set_bar(image.cells + i * image.columns, &bars[i], width_ns, columns);
	bar_tics(script, r, bars, n);
	plot_image(script, &image, width_ns / x.ns / 2, width_ns / x.ns, 0, 1);
	return plot_end(&p, f);
}
