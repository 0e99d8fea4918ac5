// SPDX-License-Identifier: GPL-2.0-or-later
/* Plots a bar per process, which shows when the process had accesses in flight. A slice is one of
 * the equal parts into which the observation is divided. A column of the plot is one or more
 * slices. */
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/plot.h"
#include "tools/report/html.h"

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

/* Fills @bars with the first processes, in the order of --sort, that have accesses at @layer.
 * Returns their number. Sets *@more to true if other processes also have accesses. */
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

/* Sets @cells[c] to the fraction of the time of column c in which the process had accesses in
 * flight. @width_ns is the width of a column, a multiple of the width of the slices in
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
