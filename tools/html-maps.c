// SPDX-License-Identifier: GPL-2.0-or-later
/* Maps over time: how long accesses took, which processes waited, where on a disk. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../user/err.h"
#include "html.h"
#include "plot.h"

#define BARS_MOST 40		/* rows of one plot */
#define BAR_NAME 22

#define PALETTE "set palette defined (0 '#fee391', 0.5 '#ec7014', 1 '#662506')\n"

/* gnuplot draws no matrix of a single row or column: one more of each, with nothing. */
static void end_matrix(FILE *script, u32 columns)
{
	for (u32 c = 0; c <= columns; c++)
		fprintf(script, "NaN ");
	fprintf(script, "\nEOD\n");
}

/* Cells of a grid from row @first to below @end; empty ones stay white. */
static u32 grid_data(FILE *script, const struct grid *g, u32 first, u32 end)
{
	u32 most = 1;

	fprintf(script, "$D << EOD\n");
	for (u32 row = first; row < end; row++) {
		for (u32 c = 0; c < g->columns; c++) {
			u32 n = grid_cell(g, c, row);

			if (n)
				fprintf(script, "%u ", n);
			else
				fprintf(script, "NaN ");
			most = n > most ? n : most;
		}
		fprintf(script, "NaN\n");
	}
	end_matrix(script, g->columns);
	return most;
}

static void counts_scale(FILE *script, u32 most)
{
	fprintf(script, PALETTE "set logscale cb\nset cbrange [1:%u]\nset format cb '%%.0s%%c'\n"
		"unset key\n", most > 10 ? most : 10);
}

/* The middle of column and row 0, and the steps, as gnuplot wants them. */
static void plot_image(FILE *script, double x0, double dx, double y0, double dy)
{
	fprintf(script, "plot $D matrix using (%.15g+%.15g*$1):(%.15g+%.15g*$2):3 with image\n",
		x0, dx, y0, dy);
}

static void plot_grid(FILE *script, const struct grid *g, const struct time_axis *x, double y0,
		      double dy)
{
	double dx = g->width_ns / x->ns;

	plot_image(script, dx / 2, dx, y0, dy);
}

/* ---- latencies ---- */

/* 1, 10, 100 ... ns; where rows are powers of two and their quarters. */
static void latency_tics(FILE *script, u32 first, u32 end)
{
	static const char *const labels[] = {
		"1 ns", "10 ns", "100 ns", "1 us", "10 us", "100 us", "1 ms", "10 ms", "100 ms",
		"1 s", "10 s", "100 s", "1000 s",
	};
	const char *between = "set ytics (";
	double free = 0;	/* from here on there is room for a number */
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
	struct time_axis x = time_axis(r);
	char title[64];
	struct plot p;
	FILE *script;
	u32 first, end;

	if (!g->columns)
		return 0;
	/* up to the decades around them, so that there are numbers at the axis */
	first = g->first > 13 ? g->first - 13 : 0;
	end = g->last + 14 < LATENCY_ROWS ? g->last + 14 : LATENCY_ROWS;
	snprintf(title, sizeof(title), "%s: response times, number of accesses",
		 layer_names[layer]);
	script = plot_begin(&p, 300, title);
	if (!script)
		return -EIO;
	time_axis_commands(script, &x);
	fprintf(script, "set yrange [%u:%u]\n", first, end);
	latency_tics(script, first, end);
	counts_scale(script, grid_data(script, g, first, end));
	plot_grid(script, g, &x, first + 0.5, 1);
	return plot_end(&p, f);
}

/* ---- offsets ---- */

static int plot_offsets(FILE *f, const struct report_run *r, const struct offset_map *m)
{
	const struct grid *g = &m->grid;
	struct time_axis x = time_axis(r);
	u32 first = (g->first - g->low) / g->height, end = (g->last - g->low) / g->height + 1;
	double low = g->low + (double)first * g->height, high = g->low + (double)end * g->height;
	char *name = names_title(&r->input.names, m->kind, m->number), title[160];
	struct plot p;
	FILE *script;

	snprintf(title, sizeof(title), "%s: offsets on %.100s, number of accesses",
		 layer_names[m->layer], name);
	free(name);
	script = plot_begin(&p, 300, title);
	if (!script)
		return -EIO;
	time_axis_commands(script, &x);
	plot_scale(script, "y", low, high, true);
	counts_scale(script, grid_data(script, g, first, end));
	plot_grid(script, g, &x, low + g->height / 2.0, g->height);
	return plot_end(&p, f);
}

/* ---- processes ---- */

/* The layer that shows best what a program waits for: the highest one. */
static int bars_layer(const struct report_run *r)
{
	int layer = 0;

	while (layer < LAYER_DEVICE && !r->picture->layers[layer].n)
		layer++;
	return layer;
}

/* Those with the most bytes, in the order of their first access. */
static u32 choose_bars(const struct report_run *r, int layer, const struct bar **bars, bool *more)
{
	struct by_entity **list = by_sorted(&r->by[TRACE_PROCESS]);
	u32 n = 0;

	for (struct by_entity **e = list; *e; e++) {
		const struct bar *bar = (*e)->number < PICTURE_BARS ?
			r->picture->bars[(*e)->number * LAYERS + layer] : NULL;

		*more |= bar && n == BARS_MOST;
		if (bar && n < BARS_MOST)
			bars[n++] = bar;
	}
	free(list);
	return n;
}

static double first_busy_ns(const struct bar *bar)
{
	u32 i = 0;

	while (i < bar->busy.n && !bar->busy.slices[i].span_ns)
		i++;
	return (double)i * bar->busy.width_ns;
}

static int by_begin(const void *a, const void *b)
{
	double x = first_busy_ns(*(const struct bar *const *)a);
	double y = first_busy_ns(*(const struct bar *const *)b);

	return (x < y) - (x > y);
}

/* Bars have columns of their own width; here all have @width_ns. */
static void bar_data(FILE *script, const struct bar *bar, u64 width_ns, u32 columns)
{
	const struct timeline *t = &bar->busy;
	u64 *busy = need(calloc(columns, sizeof(*busy)));

	for (u32 i = 0; i < t->n; i++)
		if (i * t->width_ns / width_ns < columns)
			busy[i * t->width_ns / width_ns] += t->slices[i].span_ns;
	for (u32 c = 0; c < columns; c++) {
		if (busy[c])
			fprintf(script, "%.4g ", (double)busy[c] / width_ns);
		else
			fprintf(script, "NaN ");
	}
	fprintf(script, "NaN\n");
	free(busy);
}

/* The end of a long name has the number of the process. */
static void shorten(char *name)
{
	size_t len = strlen(name);

	if (len <= BAR_NAME)
		return;
	memcpy(name + BAR_NAME / 2, "..", 2);
	memmove(name + BAR_NAME / 2 + 2, name + len - (BAR_NAME / 2 - 2), BAR_NAME / 2 - 1);
}

static void bar_tics(FILE *script, const struct report_run *r, const struct bar **bars, u32 n)
{
	fprintf(script, "set ytics (");
	for (u32 i = 0; i < n; i++) {
		char *name = names_title(&r->input.names, TRACE_PROCESS, bars[i]->process);

		shorten(name);
		plot_text(script, name);
		fprintf(script, " %u%s", i, i + 1 < n ? ", " : ")\n");
		free(name);
	}
}

static int plot_bars(FILE *f, const struct report_run *r)
{
	const struct bar *bars[BARS_MOST];
	int layer = bars_layer(r);
	bool more = r->picture->more_bars;
	u32 n = choose_bars(r, layer, bars, &more), columns = 0;
	struct time_axis x = time_axis(r);
	u64 width_ns = 1;
	char title[96];
	struct plot p;
	FILE *script;

	if (!n)
		return 0;
	qsort(bars, n, sizeof(*bars), by_begin);
	for (u32 i = 0; i < n; i++)
		if (bars[i]->busy.width_ns > width_ns)
			width_ns = bars[i]->busy.width_ns;
	columns = r->elapsed_ns / width_ns + 1;
	snprintf(title, sizeof(title), "%s: processes with accesses in flight, share of the time%s",
		 layer_names[layer], more ? " (those with the most bytes)" : "");
	script = plot_begin(&p, 100 + 20 * n, title);
	if (!script)
		return -EIO;
	time_axis_commands(script, &x);
	fprintf(script, "set lmargin %d\nset yrange [-0.5:%u.5]\nunset key\nset cbrange [0:1]\n"
		PALETTE "set cbtics 1\n$D << EOD\n", BAR_NAME + 2, n - 1);
	for (u32 i = 0; i < n; i++)
		bar_data(script, bars[i], width_ns, columns);
	end_matrix(script, columns);
	bar_tics(script, r, bars, n);
	plot_image(script, width_ns / x.ns / 2, width_ns / x.ns, 0, 1);
	return plot_end(&p, f);
}

int html_maps(FILE *f, const struct report_run *r)
{
	int ret = plot_bars(f, r);

	for (int layer = 0; layer < LAYERS && !ret; layer++)
		ret = plot_latencies(f, r, layer);
	for (u32 i = 0; i < r->picture->maps_n && !ret; i++)
		ret = plot_offsets(f, r, r->picture->maps[i]);
	if (r->picture->more_maps)
		fprintf(f, "<p>Offsets of the first %d disks or files only.</p>\n", PICTURE_MAPS);
	return ret;
}
